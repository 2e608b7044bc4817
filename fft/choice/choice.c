/* choice.c - queries about a choice; and a choice as text. */
#include "choice/choice.h"

int sx_choice_free(sx_choice *c)
{
    sx_edge_free(&c->edge[SUBX_FFT_SPECTRAL]);
    sx_edge_free(&c->edge[SUBX_FFT_PHYSICAL]);
    (void)subx_fft_problem_free(&c->problem);
    sx_serial_notes_free(&c->shared.notes);
    if (c->shared.placement)
        sx_placement_free(c->shared.placement);
    sx_base_free(c->shared.placement);
    sx_base_free(c->shared.machine);
    return subx_grid_free(&c->shared.all_ranks);
}

/* ---- strategies */

int sx_choice_is_narrow(const sx_choice *c)
{
    return c->hints.wire == SX_WIRE_FLOAT && c->array.precision != SUBX_FFT_FLOAT &&
           sx_choice_get_nranks(c) > 1;
}

int sx_choice_may_have(const sx_choice *c, const sx_strategy *s)
{
    return s->is_on_device == (c->device != NULL) && (s->narrows || !sx_choice_is_narrow(c)) && s->serves(c);
}

const sx_strategy *sx_choice_get_strategy(const sx_choice *c)
{
    const sx_strategy *named = sx_strategy_find(c->hints.strategy);
    for (int i = 0; sx_strategy_table[i] && !c->strategy; i++)
        if ((!named || named == sx_strategy_table[i]) && sx_choice_may_have(c, sx_strategy_table[i]))
            return sx_strategy_table[i];
    return c->strategy;
}

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

int sx_choice_is_plain(const sx_choice *c)
{
    const subx_fft_problem p = c->problem;
    const sx_array *a = &c->array;
    return !c->is_brick && !a->factored && a->nfixed < a->nsequence &&
           !has_storage(&p->storage[SUBX_FFT_PHYSICAL], p->ndims) &&
           !has_storage(&p->storage[SUBX_FFT_SPECTRAL], p->ndims) && !p->has_operation && !is_truncated(p) &&
           c->hints.scaling != SX_SCALE_ORTHONORMAL;
}

/* ---- sides */

/* The hint subx_output_order has no effect if the problem sets the order, strides or boxes of the spectral
 * side, or the block size of a factored axis on this side. */
int sx_choice_is_transposed(const sx_choice *c)
{
    const sx_problem_storage *s = &c->problem->storage[SUBX_FFT_SPECTRAL];
    const int is_stored = s->has_order || s->has_strides || s->boxes.n >= 0;
    return c->hints.output == SX_OUTPUT_TRANSPOSED && !is_stored && !(c->array.factored && s->block[0]);
}

int sx_choice_get_nranks(const sx_choice *c)
{
    int nranks = 1;
    for (int k = 0; k < c->g; k++)
        nranks *= c->dims[k];
    return nranks;
}

double sx_choice_get_share(const sx_choice *c)
{
    const sx_array *a = &c->array;
    return sx_array_get_volume(a) * (double)(a->width[SUBX_FFT_SPECTRAL] * a->real_bytes) /
           sx_choice_get_nranks(c);
}

/* ---- as text */

/* The key includes hints that this strategy does not read, because a search may try a strategy that reads
 * them. The line "given" lists the hints that the caller gives: a search does not vary these hints, so its
 * result depends on this list. */
void sx_choice_print_key(const sx_choice *c, sx_text *t)
{
    sx_problem_print(c->problem, t);
    sx_base_print(t, "\n");
    for (int i = SX_HINTS_COMMON; i <= SX_HINTS_PIPES; i++)
        sx_hints_print(&c->hints, i, t);
    if (c->hints.effort > SX_EFFORT_ESTIMATE)
        sx_base_print(t, "given %s\n", c->hints.request);
}
