/* poll.c - calls after which a program may know that a message has come: if its receive was freed, it is unpacked here. */
#include "pmpi/request.h"

#define SX_PMPI_POLL(name, params, args)                                                                     \
    SUBX_EXPORT int PMPI_##name params                                                                       \
    {                                                                                                        \
        int rc = sx_pmpi_real.name args;                                                                     \
        sx_pmpi_request_poll();                                                                              \
        return rc;                                                                                           \
    }
SX_PMPI_POLLS(SX_PMPI_POLL)
