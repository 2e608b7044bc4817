/* persistent.c - MPI_Start and MPI_Startall. */
#include "pmpi/request.h"

/* Let the owner of a persistent request prepare what MPI then starts. MPI diagnoses requests that are active. */
static int prepare(MPI_Request request)
{
    sx_pending *p = sx_pmpi_request_get(request);
    return p && p->start && !p->is_active ? p->start(p) : MPI_SUCCESS;
}

static void note_start(MPI_Request request)
{
    sx_pending *p = sx_pmpi_request_get(request);
    if (p)
        p->is_active = 1;
}

SUBX_EXPORT int PMPI_Startall(int n, MPI_Request request[])
{
    if (!sx_pmpi_request_exists() || !request)
        return sx_pmpi_real.Startall(n, request);
    for (int i = 0; i < n; i++) {
        int rc = prepare(request[i]);
        if (rc)
            return rc;
    }
    int rc = sx_pmpi_real.Startall(n, request);
    for (int i = 0; i < n && !rc; i++)
        note_start(request[i]);
    return rc;
}

SUBX_EXPORT int PMPI_Start(MPI_Request *request)
{
    if (!sx_pmpi_request_exists() || !request)
        return sx_pmpi_real.Start(request);
    int rc = prepare(*request);
    if (rc)
        return rc;
    rc = sx_pmpi_real.Start(request);
    if (!rc)
        note_start(*request);
    return rc;
}
