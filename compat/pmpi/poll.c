/* poll.c - functions from which a program may learn that a message has arrived. If the message's receive request was
 * freed before, the message is unpacked here. */
#include "pmpi/request.h"

#define SX_PMPI_POLL(name, params, args)                                                                     \
    SUBX_EXPORT int PMPI_##name params                                                                       \
    {                                                                                                        \
        int rc = sx_pmpi_real.name args;                                                                     \
        sx_pmpi_request_poll();                                                                              \
        return rc;                                                                                           \
    }
SX_PMPI_POLLS(SX_PMPI_POLL)
