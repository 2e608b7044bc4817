/* wait.c - wait for the end of collective calls, also of calls that returned an error. */
#include "base/base.h"

/* A request that is not null was started, even if the call that started it returned an error. MPI sets a request to
 * null when it ends the request, even with an error. If the request is not null after a wait, the wait has had no
 * effect, and is repeated. */
int sx_base_wait(MPI_Request *request, int rc)
{
    if (*request == MPI_REQUEST_NULL)
        return rc;
    rc = MPI_Wait(request, MPI_STATUS_IGNORE);
    return *request == MPI_REQUEST_NULL ? rc : MPI_Wait(request, MPI_STATUS_IGNORE);
}
