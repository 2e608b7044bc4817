/* refusal.c - all reasons for which the library may refuse a plan, as the public headers give them. */
#include "random/refusal.h"
#include "random/storage.h"
#include <stdlib.h>
#include <string.h>

static int is_given(const random_problem *p, const char *key)
{
    return random_problem_get(p, key)[0] != '\0';
}

/* Each function below returns 1 if a reason for a refusal applies to the problem. */

/* ---- one axis on several ranks */

static int is_cut(const random_problem *p)
{
    for (int a = 0; a < p->ndims; a++)
        if (p->modes[a] != p->sizes[a] || p->points[a] != p->sizes[a])
            return 1;
    return 0;
}

/* 1 if there is a single axis that must be factored, but cannot be factored. Only a complex transform of all
 * points, without operations, can be factored. */
static int is_single(const random_problem *p)
{
    return random_problem_is_factored(p) && (p->kinds[0] != SUBX_FFT_C2C || is_cut(p) || p->has_operation);
}

static int is_single_quad(const random_problem *p)
{
    return random_problem_is_factored(p) && p->precision == SUBX_FFT_QUAD;
}

static int is_prime(const random_problem *p)
{
    const ptrdiff_t n = p->sizes[0];
    for (ptrdiff_t f = 2; f * f <= n; f++)
        if (n % f == 0)
            return 0;
    return random_problem_is_factored(p) && !is_single(p);
}

/* ---- strategies */

static int has_bricks(const random_problem *p)
{
    int sequence[RANDOM_NDIMS], nfixed, g = 1;
    for (const char *c = random_problem_get(p, "subx_grid"); *c; c++)
        g += *c == 'x';
    return g > random_problem_get_sequence(p, &nfixed, sequence);
}

static int has_blocks(const random_problem *p)
{
    for (int i = 0; i < 2 * p->ndims; i++)
        if (p->side[i % 2].block[i / 2])
            return 1;
    return 0;
}

static int has_storage(const random_problem *p)
{
    const random_side *s = p->side;
    return has_blocks(p) || s[0].has_strides || s[1].has_strides || s[0].has_boxes || s[1].has_boxes;
}

static int has_transform(const random_problem *p)
{
    for (int a = 0; a < p->ndims; a++)
        if (p->kinds[a] != SUBX_FFT_NONE)
            return 1;
    return 0;
}

/* 1 if only strategy fused can solve the problem. */
static int needs_fused(const random_problem *p)
{
    return has_bricks(p) || random_problem_is_factored(p) || !has_transform(p) || p->has_operation ||
           is_cut(p) || has_storage(p) || random_problem_has(p, "subx_scaling", "orthonormal");
}

static int is_staged(const random_problem *p)
{
    return random_problem_has(p, "strategy", "stride1") || random_problem_has(p, "strategy", "natural");
}

static int is_wrong_strategy(const random_problem *p)
{
    return is_staged(p) && needs_fused(p);
}

static int is_natural_transposed(const random_problem *p)
{
    return random_problem_has(p, "strategy", "natural") &&
           random_problem_has(p, "subx_output_order", "transposed") && !needs_fused(p);
}

static int is_wrong_grid(const random_problem *p)
{
    return atoi(random_problem_get(p, "subx_grid")) == p->nworking + 1;
}

static int is_wrong_sequence(const random_problem *p)
{
    return is_given(p, "subx_sequence") && atoi(random_problem_get(p, "subx_sequence")) == p->ndims;
}

/* ---- engines, threads, memory */

static int has_engine(const random_problem *p)
{
    return is_given(p, "subx_engine") || is_given(p, "between");
}

/* 1 if floats are asked for, and the strategy may be one that cannot send floats. A single rank sends
 * nothing. */
static int has_floats(const random_problem *p)
{
    return random_problem_has(p, "subx_wire", "float") && p->nworking > 1 && p->precision != SUBX_FFT_FLOAT &&
           (is_staged(p) || has_engine(p));
}

static int has_threads(const random_problem *p)
{
    return is_given(p, "subx_threads");
}

static int has_memory(const random_problem *p)
{
    return is_given(p, "subx_memory");
}

/* 1 if the precision may be missing. Only double is always there: FFTW may be built without float or long
 * double, and the compiler may have no quads. */
static int has_precision(const random_problem *p)
{
    return p->precision != SUBX_FFT_DOUBLE;
}

/* ---- blocks */

/* 1 if the problem demands blocks that may be too short: then the ranks that divide an axis cannot hold all
 * of it. */
static int has_short_blocks(const random_problem *p)
{
    for (int i = 0; i < 2 * p->ndims; i++) {
        const ptrdiff_t block = p->side[i % 2].block[i / 2], n = random_problem_get_length(p, i % 2, i / 2);
        if (block && block < n && p->nranks > 1)
            return 1;
    }
    return 0;
}

static int has_two_blocks(const random_problem *p)
{
    for (int a = 0; a < p->ndims; a++)
        if (p->kinds[a] == SUBX_FFT_NONE && p->side[0].block[a] != p->side[1].block[a])
            return 1;
    return 0;
}

/* ---- boxes */

static int has_fault(const random_problem *p, int fault)
{
    return random_storage_get_fault(p, 0) == fault || random_storage_get_fault(p, 1) == fault;
}

static int has_gap(const random_problem *p)
{
    return has_fault(p, RANDOM_GAP);
}

static int has_overlap(const random_problem *p)
{
    return has_fault(p, RANDOM_OVERLAP);
}

static int is_idle_with_boxes(const random_problem *p)
{
    return p->nworking < p->nranks && (p->side[0].has_boxes || p->side[1].has_boxes);
}

/* ---- the list */

static const struct {
    int kind, is_certain;
    int (*is)(const random_problem *p);
    const char *text;
} reasons[] = {
    {SUBX_ERR_UNAVAILABLE, 1, is_single,
     "one axis on several ranks that is not complex, is cut, or has an operation"},
    {SUBX_ERR_UNAVAILABLE, 1, is_idle_with_boxes, "boxes, and ranks that are idle"},
    {SUBX_ERR_FACTOR, 1, is_prime, "one axis of a prime length on several ranks"},
    {SUBX_ERR_UNAVAILABLE, 1, is_single_quad, "one axis of quads on several ranks"},
    {SUBX_ERR_UNAVAILABLE, 1, is_wrong_strategy, "what only strategy fused has"},
    {SUBX_ERR_HINT, 1, is_natural_transposed, "strategy natural has natural output only"},
    {SUBX_ERR_GRID, 1, is_wrong_grid, "a grid of another number of ranks"},
    {SUBX_ERR_HINT, 1, is_wrong_sequence, "a sequence of an axis that does not exist"},
    {SUBX_ERR_GAP, 1, has_gap, "boxes that do not cover the array"},
    {SUBX_ERR_OVERLAP, 1, has_overlap, "boxes that overlap"},
    {SUBX_ERR_SIZE, 0, has_short_blocks, "blocks that do not reach the end of their axis"},
    {SUBX_ERR_UNAVAILABLE, 0, has_two_blocks,
     "other blocks on both sides of an axis that is not transformed"},
    {SUBX_ERR_HINT, 0, has_engine, "an engine that the strategy does not know"},
    {SUBX_ERR_UNAVAILABLE, 0, has_engine, "an engine that cannot serve here"},
    {SUBX_ERR_UNAVAILABLE, 0, has_floats, "floats, which only strategy fused sends"},
    {SUBX_ERR_UNAVAILABLE, 0, has_threads, "threads"},
    {SUBX_ERR_UNAVAILABLE, 0, has_precision, "a precision that the serial backend lacks"},
    {SUBX_ERR_NO_MEM, 0, has_memory, "more memory than it may have"},
};
enum { REASONS = sizeof reasons / sizeof reasons[0] };

int random_refusal_find(const random_problem *p, int kind)
{
    for (int i = 0; i < REASONS; i++)
        if (reasons[i].kind == kind && reasons[i].is(p))
            return i;
    return -1;
}

int random_refusal_find_certain(const random_problem *p)
{
    for (int i = 0; i < REASONS; i++)
        if (reasons[i].is_certain && reasons[i].is(p))
            return i;
    return -1;
}

const char *random_refusal_get_text(int i)
{
    return i < REASONS ? reasons[i].text : NULL;
}
