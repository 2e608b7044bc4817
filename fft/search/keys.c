/* keys.c - the keys of what plans put into wisdom. */
#include "search/search.h"
#include <math.h>

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
}

void sx_search_print_key_of_fftw(const sx_choice *c, sx_text *t)
{
    sx_base_print(t, "%d bytes, ", (int)sx_serial_get_real_bytes(c->array.precision));
    sx_machine_print_cpu(t);
}

void sx_search_print_machine_key(const sx_placement *p, sx_text *t)
{
    sx_machine_print_cpu(t);
    sx_base_print(t, ", ");
    sx_machine_print_mpi(t);
    sx_base_print(t, ", subarray_x %d.%d.%d, %.0f ranks per node", SUBX_VERSION_MAJOR, SUBX_VERSION_MINOR,
                  SUBX_VERSION_PATCH, round((double)p->nranks / p->nnodes));
}
