/* blocks.c - which process grids a choice may have, and the blocks of its grid. fft/decision/grid.c chooses
 * one of these grids. */
#include "choice/choice.h"

/* A transform needs one axis that no grid dimension divides, unless the array's only axis is factored. */
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

/* ---- blocks */

/* Query whether nranks blocks of length `block` do not reach the end of an axis of length n. Balanced blocks
 * (`block` is 0) always reach it. */
static int is_short(ptrdiff_t block, ptrdiff_t n, int nranks)
{
    return block && nranks > 1 && block < (n + nranks - 1) / nranks;
}

/* Check the caller's blocks if the array has bricks or a factored axis. Then dims[i] ranks divide axis i of
 * the problem. */
static int check_edges(const sx_choice *c, const int dims[])
{
    const subx_fft_problem p = c->problem;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < p->ndims; i++)
            if (is_short(p->storage[side].block[i], sx_problem_get_length(p, side, i), dims[i]))
                return subx_error_get_code(SUBX_ERR_SIZE);
    return MPI_SUCCESS;
}

/* Query whether the caller's array on a side has another distribution than the plan's grid gives. */
static int is_apart(const sx_choice *c, int side)
{
    const int has_boxes = c->problem->storage[side].boxes.n >= 0;
    return c->is_brick || c->array.factored || (has_boxes && !c->is_reused[side]);
}

/* An axis that is not transformed stays divided, so it needs the same blocks on both sides. If the caller's
 * array on one side has another distribution than the plan's grid gives, the grid uses the block lengths of
 * the other side. */
ptrdiff_t sx_choice_get_block(const sx_choice *c, int side, int axis)
{
    const int is_fixed = c->array.axis[axis].kind == SUBX_FFT_NONE;
    const int of = is_fixed && is_apart(c, side) ? !side : side;
    return is_apart(c, of) || axis == c->array.fields ? 0 : c->array.block[of][axis];
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

/* ---- as text */

void sx_choice_print_dims(int g, const int dims[], char text[])
{
    sx_text t = {text, SX_HINT_LEN, 0};
    for (int k = 0; k < g; k++)
        sx_base_print(&t, "%s%d", k ? "x" : "", dims[k]);
}

void sx_choice_name_grid(sx_choice *c)
{
    sx_choice_print_dims(c->is_brick ? c->problem->ndims : c->g, c->is_brick ? c->brick : c->dims,
                         c->hints.grid);
}
