/* space.c - the candidates for a plan: what may be varied, and how far each effort goes. A candidate is a text of hints that
 * differ from those in effect. What the caller gives is not varied.
 *
 *     measure      strategies and engines, serial backends, the grids that the cost model likes best
 *     patient      more grids and engines; then a search among slices, widths and cache sizes, and among windows and
 *                  progress where messages travel (tuned by try.c)
 *     exhaustive   all of it, with each other */
#include "plan/try.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list */

int sx_space_add(sx_space *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->list[i].name, name) == 0)
            return i;
    if (s->n == s->room) {
        const int room = s->room ? 2 * s->room : 16;
        sx_candidate *list = sx_base_alloc(room, sizeof *list);
        if (!list)
            return -1;
        if (s->n)
            memcpy(list, s->list, (size_t)s->n * sizeof *list);
        sx_base_free(s->list);
        s->list = list;
        s->room = room;
    }
    sx_candidate *c = &s->list[s->n];
    *c = (sx_candidate){.price = INFINITY, .trial.ratio = INFINITY};
    snprintf(c->name, sizeof c->name, "%s", name);
    return s->n++;
}

int sx_space_get(const sx_space *s, int i, sx_choice *c, MPI_Info *info)
{
    int rc = s->hints == MPI_INFO_NULL ? MPI_Info_create(info) : MPI_Info_dup(s->hints, info);
    if (rc) {
        *info = MPI_INFO_NULL;
        return rc;
    }
    return sx_choice_vary(s->base, s->list[i].name, *info, c);
}

/* Add a candidate if its hints can serve. */
static void add(sx_space *s, const char *name)
{
    sx_choice c;
    MPI_Info info;
    const int i = sx_space_add(s, name);
    if (i < 0 || i + 1 < s->n)
        return;
    if (sx_space_get(s, i, &c, &info))
        s->n--;
    else
        s->list[i].price = sx_choice_get_price(&c, NULL, NULL);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
}

/* Append a hint to each candidate so far. A value that is NULL ends the list; the first one is in effect already. */
static void multiply(sx_space *s, const char *name, const char *const values[])
{
    const int n = s->n;
    if (sx_choice_is_given(s->base, name))
        return;
    for (int k = 1; values[k]; k++)
        for (int i = 0; i < n && s->n < SX_SPACE_MOST; i++) {
            char text[sizeof s->list[i].name];
            sx_text t = {text, sizeof text, 0};
            sx_base_print(&t, "%s, %s %s", s->list[i].name, name, values[k]);
            add(s, text);
        }
}

/* ---- grids */

/* Arrays of the caller's may fix the grid. */
static int is_grid_free(const sx_choice *c)
{
    return c->is_auto_grid && !c->is_brick && !c->edge[0] && !c->edge[1] && !c->is_reused[0] &&
           !c->is_reused[1] && !c->array.factored;
}

/* Grids that are predicted to take at most `factor` of the least time. */
static void add_grids(sx_space *s, int most, double factor)
{
    sx_grid_price list[SX_GRIDS_MAX];
    const int nranks = sx_choice_get_nranks(s->base);
    int n = 0;
    if (nranks == 1 || !is_grid_free(s->base) ||
        sx_choice_list_grids(s->base, nranks, SX_GRIDS_MAX, list, &n))
        return;
    for (int i = 0, added = 0; i < n && added < most && list[i].seconds <= factor * list[0].seconds; i++) {
        char text[sizeof s->list->name];
        sx_text t = {text, sizeof text, 0};
        sx_base_print(&t, "grid ");
        for (int k = 0; k < list[i].g; k++)
            sx_base_print(&t, "%s%d", k ? "x" : "", list[i].dims[k]);
        if (strcmp(text + strlen("grid "), s->base->grid) == 0)
            continue;
        add(s, text);
        added++;
    }
}

/* ---- strategies, engines, backends */

/* Arrays of more than this many tiles are much larger than the caches. There the preferred strategy was the fastest
 * wherever it was measured with exchanges, and trying the others would take time, and memory for two more arrays. */
enum { MANY_TILES = 16 };

static int is_small(const sx_choice *c)
{
    return sx_choice_get_share(c) <= MANY_TILES * (double)c->cache_bytes;
}

static void add_engines(sx_space *s, const sx_strategy *strategy, const char *const engines[])
{
    for (int k = 0; engines[k]; k++) {
        char text[sizeof s->list->name];
        snprintf(text, sizeof text, "strategy %s, engine %s", strategy->name, engines[k]);
        add(s, text);
    }
}

/* What each strategy is tried with: by itself; or with every engine that it has. */
static void add_strategies(sx_space *s, int is_all)
{
    static const char *const pipes[] = {"pairwise", "alltoallv", "kway", "persistent", NULL};
    static const char *const exchanges[] = {"types", "alltoallw",  "alltoallv", "pairwise",
                                            "kway",  "persistent", NULL};
    const sx_choice *c = s->base;
    const int nranks = sx_choice_get_nranks(c), is_free = !sx_choice_is_given(c, "engine");
    for (int i = 0; sx_strategy_table[i] && !sx_choice_is_given(c, "strategy"); i++) {
        const sx_strategy *x = sx_strategy_table[i];
        char text[sizeof s->list->name];
        if (!x->serves(c) || (x->needs_exchanges && nranks == 1) ||
            (i > 0 && nranks > 1 && !is_small(c) && !is_all))
            continue;
        snprintf(text, sizeof text, "strategy %s", x->name);
        if (x != c->strategy)
            add(s, text);
        if (is_free && !is_all && nranks > 1 && is_small(c))
            add_engines(s, x, x->engines + 1);
        if (is_free && is_all && nranks > 1)
            add_engines(s, x, x->hints == SX_HINTS_EXCHANGES ? exchanges : pipes);
    }
}

static void add_backends(sx_space *s)
{
    const sx_choice *c = s->base;
    if (c->serial == &sx_serial_auto && sx_serial_find("fftw3", c->array.precision) && is_small(c))
        add(s, "serial fftw3");
}

/* Query whether blocks travel as messages. */
static int has_messages(const sx_choice *c)
{
    static const char *const direct[] = {"auto", "shm", "node", NULL};
    int is_direct = 0;
    for (int i = 0; direct[i]; i++)
        is_direct |= strcmp(c->engine, direct[i]) == 0;
    return sx_choice_get_nranks(c) > 1 && (!is_direct || (c->placement && c->placement->nnodes > 1));
}

/* ---- efforts */

static void add_all(sx_space *s)
{
    static const char *const slices[] = {"0", "1", "4", "16", "64", NULL};
    static const char *const widths[] = {"0", "8", "32", "128", NULL};
    static const char *const backends[] = {"auto", "fftw3", NULL};
    static const char *const pencils[] = {"auto", "contiguous", "interleaved", NULL};
    static const char *const overlaps[] = {"auto", "none", "send", "receive", "both", NULL};
    if (sx_serial_find("fftw3", s->base->array.precision))
        multiply(s, "serial", backends);
    multiply(s, "slices", slices);
    multiply(s, "width", widths);
    multiply(s, "pencils", pencils);
    if (has_messages(s->base))
        multiply(s, "overlap", overlaps);
}

int sx_space_create(sx_space *s)
{
    const sx_choice *c = s->base;
    const int effort = c->effort;
    char name[sizeof s->list->name];
    sx_text t = {name, sizeof name, 0};
    if (is_grid_free(c))
        sx_base_print(&t, "grid %s, ", c->grid);
    sx_base_print(&t, "strategy %s", c->strategy->name);
    add(s, name);
    if (s->n == 0)
        return subx_error_get(SUBX_ERR_NO_MEM);
    add_backends(s);
    add_strategies(s, effort > SX_EFFORT_MEASURE);
    add_grids(s, effort == SX_EFFORT_MEASURE ? 2 : SX_GRIDS_MAX, effort == SX_EFFORT_MEASURE ? 1.5 : 3);
    if (effort == SX_EFFORT_EXHAUSTIVE)
        add_all(s);
    return MPI_SUCCESS;
}

void sx_space_free(sx_space *s)
{
    sx_base_free(s->list);
    s->list = NULL;
}

/* ---- parameters, in steps of about a factor of two */

static const sx_parameter parameters[] = {
    {"slices", 0, {"0", "1", "3", "4", "8", "16", "32", "64", "128", NULL}},
    {"width", 0, {"0", "4", "8", "16", "32", "64", "128", NULL}},
    {"cache", 2, {"327680", "655360", "1310720", "2621440", "5242880", NULL}},
    {"progress", 2, {"1", "4", "16", "64", "256", NULL}},
    {"window", 2, {"1", "2", "4", "8", "16", NULL}}};

int sx_space_list_parameters(const sx_space *s, const sx_parameter *list[])
{
    const int n = has_messages(s->base) ? 5 : 3;
    int count = 0;
    for (int i = 0; i < n; i++)
        if (!sx_choice_is_given(s->base, parameters[i].name))
            list[count++] = &parameters[i];
    return count;
}
