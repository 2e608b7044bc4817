/* table.c - the list of the engines of exchanges: those that read local partners' memory, all carriers,
 * and MPI's own. Of these, pipes have all but MPI's own (lib/pipe/pipe.c). */
#include "exch/exch.h"
#include <string.h>

static const sx_engine local[] = {{"shm", &sx_exch_piped, 1, NULL}, {"node", &sx_exch_piped, 1, NULL}};
static const sx_engine mpi[] = {{"types", &sx_exch_types, 0, NULL},
                                {"alltoallw", &sx_exch_alltoallw, 0, NULL}};
enum { LOCAL = sizeof local / sizeof local[0], MPI = sizeof mpi / sizeof mpi[0] };

int sx_exch_get_engine(int i, sx_engine *engine)
{
    int carriers = 0;
    while (sx_pipe_carriers[carriers])
        carriers++;
    if (i >= LOCAL + carriers + MPI)
        return 0;
    if (i < LOCAL)
        *engine = local[i];
    else if (i >= LOCAL + carriers)
        *engine = mpi[i - LOCAL - carriers];
    else
        *engine =
            (sx_engine){sx_pipe_carriers[i - LOCAL]->name, &sx_exch_piped, 0, sx_pipe_carriers[i - LOCAL]};
    return 1;
}

int sx_exch_find_engine(const char *name, sx_engine *engine)
{
    for (int i = 0; sx_exch_get_engine(i, engine); i++)
        if (strcmp(engine->name, name) == 0)
            return 1;
    return 0;
}

int subx_exch_query_engine(int i, const char **name)
{
    sx_engine engine;
    if (i < 0 || !name)
        return subx_error_get_code(SUBX_ERR_ARG);
    *name = sx_exch_get_engine(i, &engine) ? engine.name : NULL;
    return MPI_SUCCESS;
}
