/* dims.c - choose the dimensions of a process grid for an array. */
#include "base/base.h"
#include <string.h>

/* The arguments of the search (a grid of g dimensions for an array of ndims axes), and the best choice so
 * far. */
typedef struct search {
    int g, ndims;
    const ptrdiff_t *sizes;
    int given[SUBX_NDIMS_MAX]; /* the caller's dimensions; 0: to be chosen */
    int dims[SUBX_NDIMS_MAX];
    int best[SUBX_NDIMS_MAX];
    int best_idle;
    double best_load;
    int best_spread;
} search;

/* Get the length of the largest block if n elements are divided among p ranks. The type is double, because a
 * product of such lengths may exceed 63 bits. */
static double block(ptrdiff_t n, int p)
{
    return (double)(n / p + (n % p != 0));
}

/* Query whether a grid has exchanges. An exchange within a row of the grid (grid.c) makes one axis whole, and
 * divides an axis that was whole before. If the grid divides every axis, no axis is whole, so there are no
 * exchanges. */
static int has_exchanges(const search *s)
{
    return s->g < s->ndims;
}

/* Get the number of elements of the largest local block over all alignments (the distributions between
 * exchanges). After m exchanges, grid dimension k divides axis k if k < g-m, else axis k+1 (Dalcin, Mortensen
 * & Keyes 2019, eqs. 26-32). */
static double get_load(const search *s)
{
    double worst = 0;
    for (int m = 0; m <= (has_exchanges(s) ? s->g : 0); m++) {
        double load = 1;
        int axis = 0;
        for (int k = 0; k < s->ndims; k++) {
            /* Axis g-m is whole in this alignment. */
            int p = k == s->g - m || axis >= s->g ? 1 : s->dims[axis++];
            load *= block(s->sizes[k], p);
        }
        if (load > worst)
            worst = load;
    }
    return worst;
}

/* Get the difference of the largest and the smallest dimension. Of grids with equal loads, the grid with the
 * smallest spread sends to the fewest ranks. */
static int get_spread(const search *s)
{
    int low = s->dims[0], high = s->dims[0];
    for (int k = 1; k < s->g; k++) {
        low = s->dims[k] < low ? s->dims[k] : low;
        high = s->dims[k] > high ? s->dims[k] : high;
    }
    return high - low;
}

/* Query whether a rank has no data in some alignment. Grid dimension k divides axis k in the first alignment
 * and axis k+1 in the last one. */
static int leaves_idle(const search *s)
{
    for (int k = 0; k < s->g; k++)
        if (s->dims[k] > s->sizes[k] || (has_exchanges(s) && s->dims[k] > s->sizes[k + 1]))
            return 1;
    return 0;
}

/* Keep the choice if it is better than the best one so far. Choices are tried in lexical order. Of equal
 * choices the first one is kept. */
static void judge(search *s)
{
    int idle = leaves_idle(s), spread = get_spread(s);
    double load = get_load(s);
    if (s->best[0]) {
        if (idle != s->best_idle ? idle > s->best_idle : load > s->best_load)
            return;
        if (idle == s->best_idle && load >= s->best_load && spread >= s->best_spread)
            return;
    }
    memcpy(s->best, s->dims, sizeof s->best);
    s->best_idle = idle;
    s->best_load = load;
    s->best_spread = spread;
}

/* Try all choices of the dimensions k, k+1, .. whose product is `rest`. */
static void fill(search *s, int k, int rest)
{
    if (k == s->g) {
        if (rest == 1)
            judge(s);
        return;
    }
    for (ptrdiff_t p = 1; p <= rest; p++) {
        if (rest % p || (s->given[k] && s->given[k] != p))
            continue;
        s->dims[k] = sx_base_fit(p);
        fill(s, k + 1, rest / s->dims[k]);
    }
}

int subx_grid_get_dims(int nranks, int g, int ndims, const ptrdiff_t sizes[], int dims[])
{
    search s = {.g = g, .ndims = ndims, .sizes = sizes};
    if (nranks <= 0 || !sizes || !dims)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (ndims < 1 || ndims > SUBX_NDIMS_MAX || g < 1 || g > ndims)
        return subx_error_get_code(SUBX_ERR_NDIMS);
    for (int k = 0; k < ndims; k++)
        if (sizes[k] <= 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
    for (int k = 0; k < g; k++) {
        if (dims[k] < 0)
            return subx_error_get_code(SUBX_ERR_ARG);
        s.given[k] = dims[k];
    }
    fill(&s, 0, nranks);
    if (!s.best[0])
        return subx_error_get_code(SUBX_ERR_GRID);
    memcpy(dims, s.best, (size_t)g * sizeof dims[0]);
    return MPI_SUCCESS;
}
