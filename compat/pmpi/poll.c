/* poll.c - functions from which a program may learn that a message has arrived. They call
 * sx_pmpi_request_poll (request.c), which unpacks messages whose receive requests were freed before. */
#include "pmpi/request.h"

#define SX_PMPI_POLL(name, params, args)                                                                     \
    SUBX_EXPORT int PMPI_##name params                                                                       \
    {                                                                                                        \
        int rc = sx_pmpi_real.name args;                                                                     \
        sx_pmpi_request_poll();                                                                              \
        return rc;                                                                                           \
    }
SX_PMPI_POLLS(SX_PMPI_POLL)
