/* grid.c - the process grid of a plan: what the hint says, or the best one for the problem. */
#include "plan/plan.h"
#include <string.h>

/* A grid dimension divides the axis of its number on the physical side and the next axis on the spectral side. */
static int gives_all_ranks_data(const sx_choice *c)
{
    for (int k = 0; k < c->g; k++)
        if (c->dims[k] > c->spectral[k] || c->dims[k] > c->spectral[k + 1])
            return 0;
    return 1;
}

/* Slabs need one exchange and pencils two. Therefore choose the smallest number of dimensions that leaves
 * no rank without data. */
static int choose(sx_choice *c, int nranks)
{
    int rc = MPI_SUCCESS;
    for (c->g = 1; c->g < c->ndims && !rc; c->g++) {
        memset(c->dims, 0, sizeof c->dims);
        rc = subx_grid_get_dims(nranks, c->g, c->ndims, c->spectral, c->dims);
        if (!rc && (gives_all_ranks_data(c) || c->g == c->ndims - 1))
            return rc;
    }
    return rc;
}

/* subx_grid_get_dims fills in zeros, and refuses what cannot divide the ranks. */
static int parse(sx_choice *c, int nranks)
{
    ptrdiff_t dims[SUBX_NDIMS_MAX];
    if (!sx_plan_parse_lengths(c->grid, SUBX_NDIMS_MAX, &c->g, dims))
        return subx_error_get(SUBX_ERR_HINT);
    if (c->g > c->ndims - 1)
        return subx_error_get(SUBX_ERR_GRID);
    for (int k = 0; k < c->g; k++)
        if (sx_base_int(dims[k], &c->dims[k]))
            return subx_error_get(SUBX_ERR_GRID);
    return subx_grid_get_dims(nranks, c->g, c->ndims, c->spectral, c->dims);
}

/* The text then tells the grid that was chosen. */
int sx_choice_set_grid(sx_choice *c, int nranks)
{
    sx_text t = {c->grid, sizeof c->grid, 0};
    int rc = strcmp(c->grid, "auto") == 0 ? choose(c, nranks) : parse(c, nranks);
    for (int k = 0; k < c->g && !rc; k++)
        sx_base_print(&t, "%s%d", k ? "x" : "", c->dims[k]);
    return rc;
}
