/* table.c - the list of the engines of exchanges. A new way to send messages is a carrier, and has its line
 * in lib/pipe/carrier/table.c; this list has all carriers, the engines that read local partners' memory, and
 * MPI's own engines, which pipes do not have (lib/pipe/pipe.c). */
#include "exch/exch.h"
#include <string.h>

extern const sx_engine_functions sx_exch_piped, sx_exch_types, sx_exch_alltoallw;

/* MPI's own engines, which leave everything to MPI. A short search tries them where an exchange moves data
 * from array to array (strategies stride1 and natural), so that the fastest plan is not slower than MPI
 * alone. Pipes cannot use them. */
static const sx_engine mpi[] = {
    {"types", &sx_exch_types, SUBX_ENGINE_TYPES | SUBX_ENGINE_TRY_ARRAYS, NULL},
    {"alltoallw", &sx_exch_alltoallw, SUBX_ENGINE_TYPES | SUBX_ENGINE_TRY_ARRAYS | SUBX_ENGINE_BLOCKS, NULL},
};
enum { MPI = sizeof mpi / sizeof mpi[0] };

int sx_exch_get_engine(int i, sx_engine *engine)
{
    const char *name;
    int pipes = 0;
    while (!subx_pipe_query_engine(pipes, &name) && name && pipes < i)
        pipes++;
    if (name)
        *engine = (sx_engine){name, &sx_exch_piped, sx_pipe_get_traits(name), sx_pipe_get_carrier(name)};
    else if (i - pipes < MPI)
        *engine = mpi[i - pipes];
    return name || i - pipes < MPI;
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

int subx_exch_query_traits(const char *name, int *traits)
{
    sx_engine engine;
    if (!name || !traits || !sx_exch_find_engine(name, &engine))
        return subx_error_get_code(SUBX_ERR_ARG);
    *traits = engine.traits;
    return MPI_SUCCESS;
}

int sx_exch_may_go_on(int rc)
{
    int kind = subx_error_get_kind(rc);
    return kind == SUBX_ERR_UNAVAILABLE || kind == SUBX_ERR_NO_MEM || kind == SUBX_ERR_TOO_LARGE;
}
