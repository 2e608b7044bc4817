/* table.c - the only list of engines. */
#include "exch/exch.h"

const sx_engine *const sx_exch_table[] = {
    &sx_exch_shm,      &sx_exch_node,       &sx_exch_packv, &sx_exch_pairwise,  &sx_exch_kway,
    &sx_exch_pipeline, &sx_exch_persistent, &sx_exch_types, &sx_exch_alltoallw, NULL,
};

int subx_exch_query_engine(int i, const char **name)
{
    if (i < 0 || !name)
        return subx_error_get(SUBX_ERR_ARG);
    for (int k = 0; k < i; k++) {
        if (!sx_exch_table[k]) {
            *name = NULL;
            return MPI_SUCCESS;
        }
    }
    *name = sx_exch_table[i] ? sx_exch_table[i]->name : NULL;
    return MPI_SUCCESS;
}
