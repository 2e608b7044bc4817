/* persistent.c - MPI_Start and MPI_Startall: they take the pendings of their requests before MPI's own call, and enter them
 * after it.
 *
 * A started request may come back with another handle: Open MPI makes a new request if the last message of the old one is
 * still on its way, for example in the buffer of MPI_Bsend_init. */
#include "pmpi/request.h"

/* Let the owners prepare what MPI then starts. */
static int prepare(sx_pending *list)
{
    int rc = MPI_SUCCESS;
    for (sx_pending *p = list; p && !rc; p = p->next)
        rc = p->start ? p->start(p) : MPI_SUCCESS;
    return rc;
}

/* MPI diagnoses requests that are active. */
SUBX_EXPORT int PMPI_Startall(int n, MPI_Request request[])
{
    sx_pending *list = sx_pmpi_request_take(n, request, 0);
    int rc = prepare(list);
    if (!rc)
        rc = sx_pmpi_real.Startall(n, request);
    sx_pmpi_request_start(list, request, !rc);
    return rc;
}

SUBX_EXPORT int PMPI_Start(MPI_Request *request)
{
    sx_pending *p = sx_pmpi_request_take(1, request, 0);
    int rc = prepare(p);
    if (!rc)
        rc = sx_pmpi_real.Start(request);
    sx_pmpi_request_start(p, request, !rc);
    return rc;
}
