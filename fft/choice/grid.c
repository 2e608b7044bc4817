/* grid.c - the process grid of a plan: what the hint says, or the best one for the problem. */
#include "plan/plan.h"
#include <string.h>

/* ---- what a grid may be */

/* One axis that is transformed must be whole. */
int sx_choice_get_most_dims(const sx_choice *c)
{
    const sx_array *a = &c->array;
    if (a->nfixed == a->nsequence)
        return a->nsequence;
    return a->nsequence > 1 ? a->nsequence - 1 : 1;
}

ptrdiff_t sx_choice_get_shortest(const sx_choice *c, int axis)
{
    const ptrdiff_t points = c->array.axis[axis].points, spectral = c->array.axis[axis].spectral;
    return points < spectral ? points : spectral;
}

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

/* Let the library fill in the dimensions that are 0, for the lengths of the sequence. */
static int fill_in(sx_choice *c, int nranks)
{
    const sx_array *a = &c->array;
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    for (int i = 0; i < a->nsequence; i++)
        sizes[i] = sx_choice_get_shortest(c, a->sequence[i]);
    return subx_grid_get_dims(nranks, c->g, a->nsequence, sizes, c->dims);
}

/* ---- the choice */

/* Slabs need one exchange and pencils two. Therefore choose the smallest number of dimensions that leaves
 * no rank without data. */
static int choose_by_lengths(sx_choice *c, int nranks)
{
    const int most = sx_choice_get_most_dims(c);
    int rc = MPI_SUCCESS;
    for (c->g = 1; c->g <= most && !rc; c->g++) {
        memset(c->dims, 0, sizeof c->dims);
        rc = fill_in(c, nranks);
        if (!rc && (gives_all_ranks_data(c) || c->g == most))
            return rc;
    }
    return rc;
}

static int choose(sx_choice *c, int nranks)
{
    int rc = choose_by_lengths(c, nranks);
    return rc || !c->placement || !c->machine ? rc : sx_choice_set_cheaper_grid(c, nranks);
}

/* A grid that divides every axis is that of the caller's arrays. The plan works on another one. */
static int set_brick(sx_choice *c, int nranks)
{
    const ptrdiff_t *sizes = c->problem->sizes;
    c->is_brick = 1;
    int rc = subx_grid_get_dims(nranks, c->problem->ndims, c->problem->ndims, sizes, c->dims);
    memcpy(c->brick, c->dims, sizeof c->brick);
    return rc ? rc : choose(c, nranks);
}

/* subx_grid_get_dims fills in zeros, and refuses what cannot divide the ranks. */
static int parse(sx_choice *c, int nranks)
{
    const int ndims = c->problem->ndims, most = sx_choice_get_most_dims(c);
    ptrdiff_t dims[SUBX_NDIMS_MAX];
    if (!sx_problem_parse_lengths(c->grid, SUBX_NDIMS_MAX, &c->g, dims))
        return subx_error_get_code(SUBX_ERR_HINT);
    if (c->g > most && c->g != ndims)
        return subx_error_get_code(SUBX_ERR_GRID);
    for (int k = 0; k < c->g; k++)
        if (sx_base_int(dims[k], &c->dims[k]))
            return subx_error_get_code(SUBX_ERR_GRID);
    return c->g > most ? set_brick(c, nranks) : fill_in(c, nranks);
}

/* Blocks of a given length must reach the end of an axis that is divided. */
static int is_short(ptrdiff_t block, ptrdiff_t n, int nranks)
{
    return block && nranks > 1 && block < (n + nranks - 1) / nranks;
}

/* Blocks of edges, whose grid divides every axis of the problem. */
static int check_edges(const sx_choice *c, const int dims[])
{
    const subx_fft_problem p = c->problem;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < p->ndims; i++)
            if (is_short(p->storage[side].block[i], sx_problem_get_length(p, side, i), dims[i]))
                return subx_error_get_code(SUBX_ERR_SIZE);
    return MPI_SUCCESS;
}

/* Query whether the caller's array of a side is divided in another way than by the grid. */
static int is_apart(const sx_choice *c, int side)
{
    const int has_boxes = c->problem->storage[side].boxes.n >= 0;
    return c->is_brick || c->array.factored || (has_boxes && !c->is_reused[side]);
}

/* An axis that stays divided has the same blocks on both sides. If one side is apart, they are those of the other. */
ptrdiff_t sx_choice_get_block(const sx_choice *c, int side, int axis)
{
    const int is_fixed = c->array.axis[axis].kind == SUBX_FFT_NONE;
    const int of = is_fixed && is_apart(c, side) ? !side : side;
    return is_apart(c, of) || axis == c->array.batch ? 0 : c->array.block[of][axis];
}

static int check_blocks(const sx_choice *c)
{
    const sx_array *a = &c->array;
    for (int k = 0; k < c->g; k++) {
        const int from = a->sequence[k], to = a->sequence[k < a->nfixed || a->factored ? k : k + 1];
        const ptrdiff_t before = sx_choice_get_block(c, SUBX_FFT_PHYSICAL, from);
        const ptrdiff_t after = sx_choice_get_block(c, SUBX_FFT_SPECTRAL, to);
        if (c->dims[k] == 1)
            continue;
        if (is_short(before, a->axis[from].points, c->dims[k]) ||
            is_short(after, a->axis[to].spectral, c->dims[k]))
            return subx_error_get_code(SUBX_ERR_SIZE);
        if (k < a->nfixed && before != after)
            return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    }
    return MPI_SUCCESS;
}

int sx_choice_check_grid(const sx_choice *c)
{
    if (c->is_brick || c->array.factored)
        return check_edges(c, c->is_brick ? c->brick : c->dims);
    return check_blocks(c);
}

void sx_choice_name_grid(sx_choice *c)
{
    sx_text t = {c->grid, sizeof c->grid, 0};
    const int g = c->is_brick ? c->problem->ndims : c->g, *dims = c->is_brick ? c->brick : c->dims;
    for (int k = 0; k < g; k++)
        sx_base_print(&t, "%s%d", k ? "x" : "", dims[k]);
}

int sx_choice_set_grid(sx_choice *c, int nranks)
{
    c->is_auto_grid = strcmp(c->grid, "auto") == 0;
    int rc = c->is_auto_grid ? choose(c, nranks) : parse(c, nranks);
    if (rc)
        return rc;
    sx_choice_name_grid(c);
    return sx_choice_check_grid(c);
}

/* ---- what follows */

static int has_storage(const sx_problem_storage *s, int ndims)
{
    int has_blocks = 0;
    for (int i = 0; i < ndims; i++)
        has_blocks |= s->block[i] != 0;
    return has_blocks || s->has_strides || s->boxes.n >= 0;
}

static int is_truncated(const subx_fft_problem p)
{
    for (int i = 0; i < p->ndims; i++)
        if (p->modes[i] != p->sizes[i] || p->points[i] != p->sizes[i])
            return 1;
    return 0;
}

/* What the caller says of a side goes before the hint. */
int sx_choice_is_transposed(const sx_choice *c)
{
    const sx_problem_storage *s = &c->problem->storage[SUBX_FFT_SPECTRAL];
    const int is_stored = s->has_order || s->has_strides || s->boxes.n >= 0;
    return c->output == SX_OUTPUT_TRANSPOSED && !is_stored && !(c->array.factored && s->block[0]);
}

int sx_choice_is_plain(const sx_choice *c)
{
    const subx_fft_problem p = c->problem;
    const sx_array *a = &c->array;
    return !c->is_brick && !a->factored && a->nfixed < a->nsequence && !p->has_operation &&
           !is_truncated(p) && !has_storage(&p->storage[SUBX_FFT_PHYSICAL], p->ndims) &&
           !has_storage(&p->storage[SUBX_FFT_SPECTRAL], p->ndims) && c->scaling != SX_SCALE_ORTHONORMAL;
}
