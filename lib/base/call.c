/* call.c - the end of collective calls, also of those that failed. */
#include "base/base.h"

/* A request that is not null was started, whatever the outcome says. MPI ends a request with an error, too, and sets it to
 * null; a wait that leaves it as it was has done nothing. */
int sx_base_wait(MPI_Request *request, int rc)
{
    if (*request == MPI_REQUEST_NULL)
        return rc;
    rc = MPI_Wait(request, MPI_STATUS_IGNORE);
    return *request == MPI_REQUEST_NULL ? rc : MPI_Wait(request, MPI_STATUS_IGNORE);
}
