/* fewer_ranks.c - find out whether fewer ranks are faster: compare the prices of their cheapest grids
 * (Guarrasi, Erbacci & Emerson 2013, algorithms 1 and 3). */
#include "model/model.h"
#include <math.h>

/* The numbers of ranks that have been priced, the cheapest first. */
typedef struct numbers {
    int count;
    sx_grid_price *list;
} numbers;

/* Query whether n divides the product of the lengths of the first g axes of the sequence. These are the axes
 * that a grid of g dimensions divides at first. */
static int divides(const sx_choice *c, int g, int n)
{
    ptrdiff_t rest = 1 % n;
    for (int k = 0; k < g; k++)
        rest = rest * (sx_choice_get_shortest(c, c->array.sequence[k]) % n) % n;
    return rest == 0;
}

/* Add a number of ranks with its cheapest grid, unless the list already has this number. */
static int add_number(const sx_choice *c, int n, numbers *s)
{
    sx_grid_price p;
    int count = 0;
    for (int i = 0; i < s->count; i++)
        if (s->list[i].nranks == n)
            return MPI_SUCCESS;
    int rc = sx_model_list_grids(c, n, 1, &p, &count);
    if (!rc && count > 0)
        sx_model_add_grid(s->list, SX_RANKS_MAX, &s->count, &p);
    return rc;
}

/* Count the consecutive ranks, from rank 0 on, that are on the same node. */
static int count_first(const sx_placement *p)
{
    int n = 1;
    while (n < p->nranks && p->node[n] == p->node[0])
        n++;
    return n;
}

/* Add smaller numbers of ranks. If most of the time is latency, fewer ranks are faster, because they have
 * fewer partners.
 *   - For each number g of grid dimensions: the largest number, up to nranks, that divides the product of the
 *     lengths of the first g axes.
 *   - The number of consecutive ranks, from rank 0 on, on the first node.
 *   - A half of all ranks, a quarter, and so on. */
static int add_fewer(const sx_choice *c, int nranks, numbers *s)
{
    const int most = sx_choice_get_most_dims(c), fewest = c->array.factored ? 2 : 1,
              first = count_first(c->shared.placement);
    int rc = first < fewest || first >= nranks ? MPI_SUCCESS : add_number(c, first, s);
    for (int g = 1; g <= most && !rc; g++) {
        int n = nranks;
        while (!divides(c, g, n))
            n--;
        if (n >= fewest)
            rc = add_number(c, n, s);
    }
    for (int n = nranks / 2; n >= fewest && !rc; n /= 2)
        rc = add_number(c, n, s);
    return rc;
}

int sx_model_list_ranks(const sx_choice *c, int nranks, sx_grid_price list[], int *count)
{
    numbers s = {.list = list};
    int rc = add_number(c, nranks, &s);
    if (!rc)
        rc = add_fewer(c, nranks, &s);
    *count = s.count;
    return rc;
}

int sx_model_get_best_ranks(const sx_choice *c, int nranks, int *best)
{
    sx_grid_price list[SX_RANKS_MAX];
    double most = INFINITY;
    int n = 0, rc = sx_model_list_ranks(c, nranks, list, &n);
    *best = nranks;
    for (int i = 0; i < n; i++)
        if (list[i].nranks == nranks)
            most = SX_CLEARLY * list[i].seconds;
    if (!rc && n > 0 && sx_model_is_cheaper(list[0].seconds, most))
        *best = list[0].nranks;
    return rc;
}
