/* init.c - MPI_Init and MPI_Finalize. */
#include "pmpi/pmpi.h"

/* Each rank announces itself before MPI_Init, which waits for all ranks. So after MPI_Init each rank finds
 * all ranks of its node that run this library (node.c). */
SUBX_EXPORT int PMPI_Init(int *argc, char ***argv)
{
    sx_pmpi_node_announce();
    int rc = sx_pmpi_real.Init(argc, argv);
    if (!rc)
        sx_pmpi_node_meet();
    return rc;
}

SUBX_EXPORT int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    sx_pmpi_node_announce();
    int rc = sx_pmpi_real.Init_thread(argc, argv, required, provided);
    if (!rc)
        sx_pmpi_node_meet();
    return rc;
}

SUBX_EXPORT int PMPI_Finalize(void)
{
    sx_pmpi_request_complete();
    sx_pmpi_report_print();
    sx_pmpi_team_free_all();
    int rc = sx_pmpi_real.Finalize();
    sx_pmpi_node_leave();
    return rc;
}
