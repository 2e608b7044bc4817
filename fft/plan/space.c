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

int sx_space_reserve(sx_space *s, int n)
{
    const int room = 2 * s->room > s->n + n ? 2 * s->room : s->n + n;
    if (s->n + n <= s->room)
        return MPI_SUCCESS;
    sx_candidate *list = sx_base_alloc(room, sizeof *list);
    if (!list)
        return subx_error_get(SUBX_ERR_NO_MEM);
    if (s->n)
        memcpy(list, s->list, (size_t)s->n * sizeof *list);
    sx_base_free(s->list);
    s->list = list;
    s->room = room;
    return MPI_SUCCESS;
}

int sx_space_add(sx_space *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->list[i].name, name) == 0)
            return i;
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

/* Query whether an error may be that of one rank alone. All others follow from the hints. */
static int is_local(int rc)
{
    const int kind = subx_error_query(rc);
    return kind == SUBX_ERR_NONE || kind == SUBX_ERR_NO_MEM;
}

/* Add a candidate if its hints can serve. */
static void add(sx_space *s, const char *name)
{
    sx_choice c;
    MPI_Info info = MPI_INFO_NULL;
    const int n = s->n;
    int rc = sx_space_reserve(s, 1), i = rc ? -1 : sx_space_add(s, name);
    if (!rc && i == n) {
        rc = sx_space_get(s, i, &c, &info);
        if (rc)
            s->n--;
        else
            s->list[i].price = sx_choice_get_price(&c, NULL, NULL);
    }
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    if (rc && is_local(rc))
        s->failed = rc;
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
    int n = 0, rc = MPI_SUCCESS;
    if (nranks > 1 && is_grid_free(s->base))
        rc = sx_choice_list_grids(s->base, nranks, SX_GRIDS_MAX, list, &n);
    if (rc)
        s->failed = rc;
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
    add_backends(s);
    add_strategies(s, effort > SX_EFFORT_MEASURE);
    add_grids(s, effort == SX_EFFORT_MEASURE ? 2 : SX_GRIDS_MAX, effort == SX_EFFORT_MEASURE ? 1.5 : 3);
    if (effort == SX_EFFORT_EXHAUSTIVE)
        add_all(s);
    return s->failed || s->n > 0 ? s->failed : subx_error_get(SUBX_ERR_HINT);
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
