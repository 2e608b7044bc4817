/* grid.c - decide on the process grid: read it from the hint, or find the best one for the problem. */
#include "decision/decision.h"
#include "model/model.h"
#include <string.h>

/* ---- by the lengths of axes */

static int gives_all_ranks_data(const sx_choice *c)
{
    const sx_array *a = &c->array;
    for (int k = 0; k < c->g; k++) {
        const int is_fixed = k < a->nfixed || k + 1 == a->nsequence;
        if (c->dims[k] > sx_choice_get_shortest(c, a->sequence[k]) ||
            (!is_fixed && c->dims[k] > sx_choice_get_shortest(c, a->sequence[k + 1])))
            return 0;
    }
    return 1;
}

/* Let subx_grid_get_dims choose the dimensions that are 0, by the lengths of the axes in the sequence. */
static int fill_in(sx_choice *c)
{
    const sx_array *a = &c->array;
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    for (int i = 0; i < a->nsequence; i++)
        sizes[i] = sx_choice_get_shortest(c, a->sequence[i]);
    return subx_grid_get_dims(c->nranks_used, c->g, a->nsequence, sizes, c->dims);
}

/* Slabs need one exchange and pencils two. Therefore choose the smallest number of dimensions that gives
 * every rank data. */
static int choose_by_lengths(sx_choice *c)
{
    const int most = sx_choice_get_most_dims(c);
    int rc = MPI_SUCCESS;
    for (c->g = 1; c->g <= most && !rc; c->g++) {
        memset(c->dims, 0, sizeof c->dims);
        rc = fill_in(c);
        if (!rc && (gives_all_ranks_data(c) || c->g == most))
            return rc;
    }
    return rc;
}

static int choose(sx_choice *c)
{
    int rc = choose_by_lengths(c);
    return rc || !c->shared.placement || !c->shared.machine ? rc : sx_model_set_cheaper_grid(c);
}

/* A hint with a dimension per axis gives the grid of the caller's arrays (bricks). The plan works on another
 * grid. */
static int set_brick(sx_choice *c)
{
    const ptrdiff_t *sizes = c->problem->sizes;
    c->is_brick = 1;
    int rc = subx_grid_get_dims(c->nranks_used, c->problem->ndims, c->problem->ndims, sizes, c->dims);
    memcpy(c->brick, c->dims, sizeof c->brick);
    return rc ? rc : choose(c);
}

/* Read the grid of the hint. subx_grid_get_dims replaces zeros, and refuses dimensions whose product is not
 * the number of ranks. */
static int parse(sx_choice *c)
{
    const int ndims = c->problem->ndims, most = sx_choice_get_most_dims(c);
    ptrdiff_t dims[SUBX_NDIMS_MAX];
    if (!sx_problem_parse_lengths(c->hints.grid, SUBX_NDIMS_MAX, &c->g, dims))
        return subx_error_get_code(SUBX_ERR_HINT);
    if (c->g > most && c->g != ndims)
        return subx_error_get_code(SUBX_ERR_GRID);
    for (int k = 0; k < c->g; k++)
        if (sx_base_int(dims[k], &c->dims[k]))
            return subx_error_get_code(SUBX_ERR_GRID);
    return c->g > most ? set_brick(c) : fill_in(c);
}

/* ---- the decision */

int sx_decision_set_grid(sx_choice *c)
{
    c->is_brick = 0;
    c->is_auto_grid = strcmp(c->hints.grid, "auto") == 0;
    int rc = c->is_auto_grid ? choose(c) : parse(c);
    if (rc)
        return rc;
    sx_choice_name_grid(c);
    return sx_choice_check_grid(c);
}

int sx_decision_may_vary_grid(const sx_choice *c)
{
    return c->is_auto_grid && !c->is_brick && !c->edge[0] && !c->edge[1] && !c->is_reused[0] &&
           !c->is_reused[1] && !c->array.factored;
}
