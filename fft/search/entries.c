/* entries.c - the entries of wisdom about plans: their keys, and how they are found.
 *
 *     plan     problem, ranks, hints, library, processor, MPI, FFTW  ->  effort; seconds; hints; notes of
 *              serial backends (if the arrays are in a GPU's memory, also the GPU, versions of its software,
 *              and whether MPI knows GPUs)
 *     fftw     precision, processor, FFTW                      ->  FFTW's own wisdom
 *     machine  ranks per node, library, processor, MPI               ->  parameters of the cost model
 *              (machine.c) (if devices were measured, also the GPU, versions of its software, and whether MPI
 *              knows GPUs)
 *     others   the key of a plan, a text of the caller               ->  a value of the caller (caller.c) */
#include "search/search.h"
#include "wisdom/wisdom.h"

void sx_search_print_plan_key(const sx_choice *c, sx_text *t)
{
    sx_problem_print(c->problem, t);
    sx_base_print(t, ", ranks ");
    sx_placement_print(c->shared.placement, t);
    if (c->shared.placement->ndomains > 1)
        sx_base_print(t, " in %d domains per node", c->shared.placement->ndomains);
    sx_base_print(t, "%s%s, subarray_x %d.%d.%d, ", *c->hints.request ? ", " : "", c->hints.request,
                  SUBX_VERSION_MAJOR, SUBX_VERSION_MINOR, SUBX_VERSION_PATCH);
    sx_machine_print_cpu(t);
    sx_base_print(t, ", ");
    sx_machine_print_mpi(t);
    sx_serial_print_fftw(c->array.precision, t);
    if (!c->device)
        return;
    sx_base_print(t, ", ");
    sx_device_print(c->device, t);
    sx_base_print(t, ", ");
    sx_device_print_messages(t);
}

void sx_search_print_key_of_fftw(const sx_choice *c, sx_text *t)
{
    sx_base_print(t, "%td bytes, ", sx_serial_get_real_bytes(c->array.precision));
    sx_machine_print_cpu(t);
    sx_serial_print_fftw(c->array.precision, t);
}

/* If reading fails, planning goes on without wisdom. */
void sx_search_find(MPI_Comm all, const char *hint, const char *kind, const char *key, char **value,
                    sx_text *reason)
{
    char path[SX_WISDOM_PATH] = "";
    int rank = 0;
    *value = NULL;
    (void)MPI_Comm_rank(all, &rank);
    if (rank == 0 && !sx_wisdom_get_path(hint, path) && *path)
        (void)sx_wisdom_find(path, kind, key, value, reason);
}
