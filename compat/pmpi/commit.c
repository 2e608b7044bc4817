/* commit.c - MPI_Type_commit and MPI_Type_dup: records are created when types are committed. The table of
 * committed types is in type_records.c. */
#include "pmpi/pmpi.h"

SUBX_EXPORT int PMPI_Type_commit(MPI_Datatype *type)
{
    int rc = sx_pmpi_real.Type_commit(type);
    if (!rc)
        sx_pmpi_record_create(*type);
    return rc;
}

/* A duplicate of a committed type is committed, too. */
SUBX_EXPORT int PMPI_Type_dup(MPI_Datatype type, MPI_Datatype *dup)
{
    int rc = sx_pmpi_real.Type_dup(type, dup);
    if (!rc)
        sx_pmpi_record_share(type, *dup);
    return rc;
}
