/* simplex.c - search a grid for the point of the least cost, with a simplex that moves and shrinks (Nelder &
 * Mead 1965). */
#include "tune/tune.h"
#include <math.h>
#include <string.h>

typedef struct point {
    int x[SX_TUNE_NDIMS_MAX];
    double cost;
} point;

/* The coordinates of a vertex are not rounded: a simplex with integer coordinates would stop shrinking too
 * early. */
typedef struct vertex {
    double x[SX_TUNE_NDIMS_MAX], cost;
} vertex;

typedef struct search {
    int ndims, most;
    const int *n;
    sx_tune_function *cost;
    void *context;
    int m, axis[SX_TUNE_NDIMS_MAX];  /* axis[0 .. m-1]: the axes with more than one value; the simplex has m
                                        dimensions */
    vertex v[SX_TUNE_NDIMS_MAX + 1]; /* after the first iteration: the best vertex first */
    int npoints;                     /* number of points whose cost was computed */
    point best, seen[SX_TUNE_POINTS_MAX];
} search;

/* ---- points */

static const point *find_point(const search *s, const int x[])
{
    for (int i = 0; i < s->npoints; i++)
        if (memcmp(s->seen[i].x, x, (size_t)s->ndims * sizeof *x) == 0)
            return &s->seen[i];
    return NULL;
}

/* When no calls of the cost are left, new points count as infeasible. */
static double get_cost(search *s, const int x[])
{
    for (int i = 0; i < s->ndims; i++)
        if (x[i] < 0 || x[i] >= s->n[i])
            return INFINITY;
    const point *known = find_point(s, x);
    if (known)
        return known->cost;
    if (s->npoints >= s->most)
        return INFINITY;
    point *p = &s->seen[s->npoints++];
    memcpy(p->x, x, (size_t)s->ndims * sizeof *x);
    p->cost = s->cost(s->context, x);
    if (p->cost < s->best.cost)
        s->best = *p;
    return p->cost;
}

static void set_cost(search *s, vertex *v)
{
    int x[SX_TUNE_NDIMS_MAX];
    for (int i = 0; i < s->ndims; i++)
        x[i] = sx_base_fit(lround(v->x[i]));
    v->cost = get_cost(s, x);
}

/* ---- the simplex */

/* Place a simplex at the best point. In the first simplex, an edge is half as long as the axis of the grid;
 * in later ones, each edge has length 1. Each edge points away from the nearer end of its axis. */
static void place(search *s, int is_first)
{
    for (int k = 0; k <= s->m; k++) {
        vertex *v = &s->v[k];
        for (int i = 0; i < s->ndims; i++)
            v->x[i] = s->best.x[i];
        if (k > 0) {
            const int i = s->axis[k - 1], x = s->best.x[i], n = s->n[i];
            const double edge = is_first ? fmax(n / 2, 1) : 1;
            v->x[i] += 2 * x < n ? edge : -edge;
        }
    }
    for (int k = 0; k <= s->m; k++)
        set_cost(s, &s->v[k]);
}

/* Insertion sort, which keeps the order of vertices with equal costs. */
static void sort(search *s)
{
    for (int k = 1; k <= s->m; k++) {
        const vertex v = s->v[k];
        int at = k;
        for (; at > 0 && s->v[at - 1].cost > v.cost; at--)
            s->v[at] = s->v[at - 1];
        s->v[at] = v;
    }
}

/* 1 if further steps of the simplex would be shorter than 1. */
static int is_small(const search *s)
{
    for (int k = 1; k <= s->m; k++)
        for (int i = 0; i < s->ndims; i++)
            if (fabs(s->v[k].x[i] - s->v[0].x[i]) >= 1)
                return 0;
    return 1;
}

/* Get a point on the line through a vertex and the centre of all vertices except the worst one. If `at` is 0,
 * the point is the centre; if `at` is 1, it is the vertex. */
static vertex get_between(search *s, const vertex *v, double at)
{
    vertex between = {{0}, 0};
    for (int i = 0; i < s->ndims; i++) {
        double centre = 0;
        for (int k = 0; k < s->m; k++)
            centre += s->v[k].x[i] / s->m;
        between.x[i] = centre + at * (v->x[i] - centre);
    }
    set_cost(s, &between);
    return between;
}

static void shrink(search *s)
{
    for (int k = 1; k <= s->m; k++) {
        for (int i = 0; i < s->ndims; i++)
            s->v[k].x[i] = (s->v[k].x[i] + s->v[0].x[i]) / 2;
        set_cost(s, &s->v[k]);
    }
}

/* The coefficients are those of the paper: reflection 1, expansion 2, contraction and shrinking 1/2. A step
 * is made only if it lowers the cost: on a plateau, and among infeasible points, the simplex shrinks. */
static void move(search *s)
{
    vertex *worst = &s->v[s->m], reflected = get_between(s, worst, -1);
    if (reflected.cost < s->v[0].cost) {
        const vertex expanded = get_between(s, worst, -2);
        *worst = expanded.cost < s->v[0].cost ? expanded : reflected;
    } else if (reflected.cost < s->v[s->m - 1].cost) {
        *worst = reflected;
    } else {
        const vertex *closer = reflected.cost < worst->cost ? &reflected : worst;
        const vertex contracted = get_between(s, closer, 0.5);
        if (contracted.cost < closer->cost)
            *worst = contracted;
        else
            shrink(s);
    }
}

/* ---- the search */

/* Most steps need no new evaluation of the cost, because the simplex shrinks among known points. */
static void descend(search *s, int is_first)
{
    place(s, is_first);
    sort(s);
    for (int i = 0; i < SX_TUNE_STEPS * s->most && s->npoints < s->most && !is_small(s); i++) {
        move(s);
        sort(s);
    }
}

/* A simplex can collapse into a subspace, and then miss better points next to it. Returns 1 if there is a
 * better adjacent point. */
static int poll_adjacent(search *s)
{
    const point best = s->best;
    for (int k = 0; k < 2 * s->m; k++) {
        int x[SX_TUNE_NDIMS_MAX];
        memcpy(x, best.x, sizeof x);
        x[s->axis[k / 2]] += k % 2 ? -1 : 1;
        if (get_cost(s, x) < best.cost)
            return 1;
    }
    return 0;
}

void sx_tune_simplex(int ndims, const int n[], int most, sx_tune_function *cost, void *context, int best[],
                     double *least)
{
    search s = {
        .ndims = ndims, .n = n, .most = most, .cost = cost, .context = context, .best.cost = INFINITY};
    if (most > SX_TUNE_POINTS_MAX)
        s.most = SX_TUNE_POINTS_MAX;
    for (int i = 0; i < ndims; i++)
        if (n[i] > 1)
            s.axis[s.m++] = i;
    memcpy(s.best.x, best, (size_t)ndims * sizeof *best);
    int is_first = 1;
    do {
        descend(&s, is_first);
        is_first = 0;
    } while (poll_adjacent(&s));
    memcpy(best, s.best.x, (size_t)ndims * sizeof *best);
    *least = s.best.cost;
}
