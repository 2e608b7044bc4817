/* ranks.c - decide how many ranks a plan works on: the number of the hint, or what model/fewer_ranks.c
 * finds. */
#include "decision/decision.h"
#include "model/model.h"
#include <string.h>

/* Read the number of ranks from the hint. */
int sx_decision_set_ranks(sx_choice *c)
{
    const sx_problem_storage *s = c->problem->storage;
    const int nranks = c->shared.nranks;
    ptrdiff_t n = nranks;
    int count;
    if (strcmp(c->hints.ranks, "all") != 0 && strcmp(c->hints.ranks, "auto") != 0 &&
        (!sx_problem_parse_lengths(c->hints.ranks, 1, &count, &n) || n < 1 || n > nranks))
        return subx_error_get_code(SUBX_ERR_HINT);
    if (n < nranks && (s[SUBX_FFT_PHYSICAL].boxes.n >= 0 || s[SUBX_FFT_SPECTRAL].boxes.n >= 0))
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    c->nranks_used = sx_base_fit(n);
    return MPI_SUCCESS;
}

/* Query whether the library may leave ranks idle. */
static int is_free(const sx_choice *c)
{
    const sx_problem_storage *s = c->problem->storage;
    return strcmp(c->hints.ranks, "auto") == 0 && !sx_hints_is_given(&c->hints, "grid") &&
           c->shared.placement && s[SUBX_FFT_PHYSICAL].boxes.n < 0 && s[SUBX_FFT_SPECTRAL].boxes.n < 0;
}

/* If an axis is factored, the number of ranks cannot vary, because the plan's edges are created for one
 * number only. */
int sx_decision_may_vary_ranks(const sx_choice *c)
{
    return is_free(c) && !c->array.factored;
}

int sx_decision_vary_ranks(const sx_choice *base, sx_choice *c)
{
    int rc = sx_decision_set_ranks(c);
    if (!rc && c->nranks_used != base->nranks_used && !sx_decision_may_vary_ranks(base))
        rc = subx_error_get_code(SUBX_ERR_HINT);
    return rc;
}

/* Guarrasi, Erbacci & Emerson (2013, algorithms 1 and 3) choose the number of ranks by the lengths of the
 * axes, so that all blocks are equal. Here the cost model decides. */
int sx_decision_reduce_ranks(sx_choice *c)
{
    int best = c->nranks_used;
    if (!is_free(c))
        return MPI_SUCCESS;
    int rc = sx_model_get_best_ranks(c, c->nranks_used, &best);
    if (rc || best == c->nranks_used)
        return rc;
    c->nranks_used = best;
    return sx_array_set(&c->array, c->problem, best, c->hints.sequence);
}
