/* communicators.c - functions that replace MPI's, also for the libraries, and count communicators. */
#include "mpi/communicators.h"

int test_communicators;

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *dup)
{
    int rc = PMPI_Comm_dup_with_info(comm, info, dup);
    test_communicators += !rc;
    return rc;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    int rc = PMPI_Comm_split(comm, color, key, part);
    test_communicators += !rc && *part != MPI_COMM_NULL;
    return rc;
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part)
{
    int rc = PMPI_Comm_split_type(comm, type, key, info, part);
    test_communicators += !rc && *part != MPI_COMM_NULL;
    return rc;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    int rc = PMPI_Comm_free(comm);
    test_communicators -= !rc;
    return rc;
}
