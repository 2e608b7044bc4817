/* grid_prices.c - compare the process grids for a number of ranks by their prices. */
#include "model/model.h"
#include <math.h>
#include <string.h>

/* ---- all grids for a number of ranks */

/* A search for the cheapest grids. `list` has room for `most` grids, and has the `count` cheapest ones so
 * far. */
typedef struct search {
    sx_choice choice; /* a choice with the grid that is being priced */
    sx_stages *stages;
    int nranks, most, count;
    sx_grid_price *list;
} search;

int sx_model_is_cheaper(double a, double b)
{
    return a < b * (1 - 1e-9);
}

static sx_grid_price price(search *s)
{
    const sx_choice *c = &s->choice;
    sx_price stage[SX_NSTAGES_MAX];
    sx_grid_price p = {.nranks = s->nranks, .g = c->g, .seconds = INFINITY};
    int n = 0;
    memcpy(p.dims, c->dims, sizeof p.dims);
    if (!sx_choice_check_grid(c))
        p.seconds = sx_model_get_price_in(s->stages, c, stage, &n);
    for (int i = 0; i < n; i++)
        p.bytes += stage[i].memory_bytes;
    return p;
}

void sx_model_add_grid(sx_grid_price list[], int most, int *count, const sx_grid_price *p)
{
    int at = *count;
    while (at > 0 && sx_model_is_cheaper(p->seconds, list[at - 1].seconds))
        at--;
    if (at == most || !isfinite(p->seconds))
        return;
    *count += *count < most;
    memmove(&list[at + 1], &list[at], (size_t)(*count - 1 - at) * sizeof *p);
    list[at] = *p;
}

/* Get the least number of ranks that dimension k may have. A dimension of one rank leaves an axis whole,
 * which helps if axes are too short for all ranks. */
static int get_least(const search *s, int k)
{
    const sx_choice *c = &s->choice;
    return sx_choice_get_shortest(c, c->array.sequence[k]) < s->nranks ? 1 : 2;
}

/* Price all grids whose dimensions before k are those of s->choice, and whose other dimensions have the
 * product `left`. The last dimension must have several ranks: a grid that ends in 1 is the same as a grid of
 * fewer dimensions. */
static void fill(search *s, int k, int left)
{
    sx_choice *c = &s->choice;
    if (k + 1 == c->g) {
        c->dims[k] = left;
        if (left > 1 || c->g == 1) {
            const sx_grid_price p = price(s);
            sx_model_add_grid(s->list, s->most, &s->count, &p);
        }
        return;
    }
    for (int p = get_least(s, k); p <= left / 2; p++) {
        c->dims[k] = p;
        if (left % p == 0)
            fill(s, k + 1, left / p);
    }
}

static int begin(search *s, const sx_choice *c, int nranks, int most, sx_grid_price list[])
{
    *s = (search){*c, sx_stages_alloc(&c->array), nranks, most, 0, list};
    return s->stages ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static void list_all(search *s)
{
    sx_choice *c = &s->choice;
    const int most = sx_choice_get_most_dims(c);
    for (c->g = 1; c->g <= most; c->g++)
        fill(s, 0, s->nranks);
}

int sx_model_list_grids(const sx_choice *c, int nranks, int most, sx_grid_price list[], int *count)
{
    search s;
    int rc = begin(&s, c, nranks, most, list);
    if (!rc)
        list_all(&s);
    *count = s.count;
    sx_base_free(s.stages);
    return rc;
}

/* ---- choose one grid */

static int is_uniform(const sx_placement *p)
{
    return p->nnodes == 1 && p->ndomains == 1;
}

/* Choose between the given grid and the listed ones. On several nodes or NUMA domains, first replace the
 * given grid by the cheapest grid that has as many dimensions, and not more data on its busiest rank: such
 * grids differ in the bytes and messages between nodes or domains. Then keep this grid unless another one is
 * clearly cheaper, so that small jobs keep their layouts. If the caller's blocks do not suit the given grid,
 * its price is infinite: then choose the cheapest listed grid. */
static const sx_grid_price *pick(const search *s, const sx_grid_price *given)
{
    const sx_grid_price *best = given;
    if (!isfinite(given->seconds))
        return s->count > 0 ? &s->list[0] : given;
    for (int i = s->count - 1; i >= 0 && !is_uniform(s->choice.shared.placement); i--)
        if (s->list[i].g == given->g && s->list[i].bytes <= given->bytes &&
            sx_model_is_cheaper(s->list[i].seconds, best->seconds))
            best = &s->list[i];
    return s->count > 0 && s->list[0].seconds < SX_CLEARLY * best->seconds ? &s->list[0] : best;
}

int sx_model_set_cheaper_grid(sx_choice *c)
{
    sx_grid_price list[SX_MODEL_GRIDS];
    search s;
    int rc = begin(&s, c, c->nranks_used, SX_MODEL_GRIDS, list);
    if (rc)
        return rc;
    const sx_grid_price given = price(&s);
    list_all(&s);
    const sx_grid_price *best = pick(&s, &given);
    c->g = best->g;
    memcpy(c->dims, best->dims, sizeof c->dims);
    sx_base_free(s.stages);
    return MPI_SUCCESS;
}
