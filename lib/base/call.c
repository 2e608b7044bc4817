/* call.c - wait for the end of collective calls, also of calls that failed. */
#include "base/base.h"

/* A request that is not null was started, even if the call that started it returned an error. If MPI ends a request
 * with an error, it sets the request to null, too. A wait that leaves the request as it was has had no effect, and is
 * repeated. */
int sx_base_wait(MPI_Request *request, int rc)
{
    if (*request == MPI_REQUEST_NULL)
        return rc;
    rc = MPI_Wait(request, MPI_STATUS_IGNORE);
    return *request == MPI_REQUEST_NULL ? rc : MPI_Wait(request, MPI_STATUS_IGNORE);
}
