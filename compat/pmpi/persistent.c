/* persistent.c - MPI_Start and MPI_Startall. Before MPI's own call they take the tasks of their requests out
 * of the table (request.h), and after that call they put the tasks back.
 *
 * MPI_Start may change the handle of a request. Open MPI does this if the previous message of the request is
 * not complete yet, for example if a message of MPI_Bsend_init is still in the buffer. */
#include "pmpi/request.h"

/* Call the `start` function of each task, which packs the data. Returns the first error. */
static int prepare(sx_task *list)
{
    int rc = MPI_SUCCESS;
    for (sx_task *p = list; p && !rc; p = p->next)
        rc = p->start ? p->start(p) : MPI_SUCCESS;
    return rc;
}

/* A program must not start an active request: MPI's own call reports this error. Nothing is packed for such a
 * request, because it has no inactive task. */
SUBX_EXPORT int PMPI_Startall(int n, MPI_Request request[])
{
    sx_task *list = sx_pmpi_request_take(n, request, 0);
    int rc = prepare(list);
    if (!rc)
        rc = sx_pmpi_real.Startall(n, request);
    sx_pmpi_request_start(list, request, !rc);
    return rc;
}

SUBX_EXPORT int PMPI_Start(MPI_Request *request)
{
    sx_task *p = sx_pmpi_request_take(1, request, 0);
    int rc = prepare(p);
    if (!rc)
        rc = sx_pmpi_real.Start(request);
    sx_pmpi_request_start(p, request, !rc);
    return rc;
}
