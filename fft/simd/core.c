/* core.c - complex transforms whose lengths are products of radices: points in the buffer, steps. */
#include "simd/transform.h"

/* ---- the buffer */

/* Get the point (simd.h) at which complex number i is in the buffer. The first step makes blocks, and one
 * point is left free between two blocks: at distances of a power of two, blocks would share few cache
 * sets. */
static ptrdiff_t get_point(const sx_simd_core *c, ptrdiff_t i)
{
    return i + (c->nsteps > 1 ? i / (c->n / c->radix[0]) : 0);
}

/* Get the index of the result that is number i after the last step. The index has the digits of i in reverse
 * order; digit j has the base radix[j]. */
static ptrdiff_t get_number(const sx_simd_core *c, ptrdiff_t i)
{
    ptrdiff_t k = 0, rest = c->n, weight = 1;
    for (int j = 0; j < c->nsteps; j++) {
        rest /= c->radix[j];
        k += i / rest * weight;
        i %= rest;
        weight *= c->radix[j];
    }
    return k;
}

/* Query whether the last step would crowd a few cache sets if it executed its butterflies in the order of the
 * buffer. From one butterfly to the next, the rows that are stored would advance by n / (product of the last
 * two radices). Rows of buffers are an odd number of cache lines apart. So the sets depend on the largest
 * power of two that divides this advance. */
static int are_crowded(const sx_simd_core *c)
{
    ptrdiff_t advance = 1;
    for (int j = 0; j + 2 < c->nsteps; j++)
        advance *= c->radix[j];
    return (advance & -advance) >= SX_SIMD_CROWDED_POWER;
}

/* Get the index of number i in the order in which the last step stores numbers. This is the order of the
 * buffer. But if this order would crowd sets, it is the order of the butterflies' first results: then each
 * butterfly stores the rows that follow the rows of the butterfly before it. */
static ptrdiff_t get_position(const sx_simd_core *c, ptrdiff_t i)
{
    const int radix = c->nsteps > 0 ? c->radix[c->nsteps - 1] : 1;
    return are_crowded(c) ? get_number(c, i / radix * radix) * radix + i % radix : i;
}

static int set_points(sx_simd s, sx_simd_core *c, int is_backward)
{
    c->input = sx_simd_own(s, c->n + 1, sizeof *c->input);
    c->number = sx_simd_own(s, c->n, sizeof *c->number);
    c->output = sx_simd_own(s, c->n + 1, sizeof *c->output);
    if (!c->input || !c->number || !c->output)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < c->n; i++) {
        const ptrdiff_t k = get_number(c, i), result = is_backward && k ? c->n - k : k;
        c->number[get_position(c, i)] = result;
        c->input[i] = c->output[result] = get_point(c, i);
    }
    c->input[c->n] = c->output[c->n] = c->input[c->n - 1] + 1;
    c->points = c->input[c->n] + 1;
    return MPI_SUCCESS;
}

/* ---- steps */

static int set_step(sx_simd s, sx_simd_core *c, int i, ptrdiff_t length)
{
    sx_simd_step *step = &c->step[i];
    step->m = length / c->radix[i];
    step->n = c->n / length;
    step->apart = i == 0 ? get_point(c, step->m) : step->m;
    ptrdiff_t *at = sx_simd_own(s, step->n, sizeof *at);
    if (!at)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t b = 0; b < step->n; b++)
        at[i == c->nsteps - 1 ? get_position(c, b * length) / length : b] = get_point(c, b * length);
    step->from = at;
    int rc = c->radix[i] > SX_SIMD_RADIX_MAX ? sx_simd_roots_set(s, c->radix[i], step) : MPI_SUCCESS;
    return rc ? rc : sx_simd_twiddles_set(s, c->radix[i], step);
}

int sx_simd_core_set(sx_simd s, sx_simd_core *c, ptrdiff_t n, int is_backward)
{
    c->n = n;
    if (sx_simd_get_radices(s->code, n, c->radix, &c->nsteps) == SX_SIMD_NO_TIME)
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    int rc = set_points(s, c, is_backward);
    for (int i = 0; i < c->nsteps && !rc; i++) {
        rc = set_step(s, c, i, n);
        n /= c->radix[i];
    }
    return rc;
}

/* ---- programs */

/* Get the role of a step. If there are several steps, all but the last one multiply their results by twiddle
 * factors and store them in the buffer. From rows to rows a single step is a whole transform (kinds.c), and
 * has no role here. */
static int get_role(int is_first, int is_last, int from, int to, int is_scaled)
{
    if (is_first && from != SX_SIMD_BUFFER)
        return from == SX_SIMD_ROWS ? SX_SIMD_FIRST : SX_SIMD_FIRST_REAL;
    if (!is_last)
        return SX_SIMD_INNER;
    if (to == SX_SIMD_STREAM)
        return SX_SIMD_LAST_STREAMED;
    if (to == SX_SIMD_ROWS)
        return is_scaled ? SX_SIMD_LAST_SCALED : SX_SIMD_LAST;
    return to == SX_SIMD_PAIRS ? SX_SIMD_LAST_REAL : SX_SIMD_LAST_INNER;
}

void sx_simd_core_add(sx_simd s, const sx_simd_core *c, int from, int to, ptrdiff_t base, sx_simd_program *g)
{
    const int is_scaled = s->p.factor != 1;
    for (int i = 0; i < c->nsteps; i++) {
        const int role = get_role(i == 0, i == c->nsteps - 1, from, to, is_scaled);
        sx_simd_step *step = sx_simd_program_add(g, NULL);
        *step = c->step[i];
        step->run = s->code->step[step->prime ? 0 : c->radix[i]][role];
        step->from_base = base;
        step->factor = s->p.factor;
    }
}
