/* candidates.c - list the candidates that a search compares, which depend on the effort. A candidate is a
 * text of hints that differ from the hints in effect. Hints that the caller gives are not varied.
 *
 *     measure      strategies and engines, serial backends, the cheapest grids and numbers of ranks by the
 *                  cost model
 *     patient      also more grids and numbers of ranks, more engines, fewer threads; then (in measure.c) the
 *                  engine of each exchange, and parameters such as slices
 *
 * On a device, candidates are the strategies of devices, engines, numbers of slices, grids and numbers of
 * ranks; then (in measure.c) the carrier and the reader. Serial backends, their rigor and threads are of the
 * host. */
#include "decision/decision.h"
#include "model/model.h"
#include "search/search.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <subx_lowlevel.h>

/* Query whether an error may have happened on this rank alone. Any other error has its reason in the hints,
 * and happens on all ranks. */
static int is_local(int rc)
{
    const int kind = subx_error_get_kind(rc);
    return kind == SUBX_ERR_NONE || kind == SUBX_ERR_NO_MEM;
}

/* Add a candidate if a plan with its hints is possible. */
__attribute__((format(printf, 2, 3))) static void add(sx_space *s, const char *format, ...)
{
    char name[sizeof s->list->name];
    sx_choice c;
    MPI_Info info = MPI_INFO_NULL;
    const int n = s->n;
    va_list values;
    va_start(values, format);
    vsnprintf(name, sizeof name, format, values);
    va_end(values);
    int rc = sx_space_reserve(s, 1), i = rc ? -1 : sx_space_add(s, name);
    if (!rc && i == n) {
        rc = sx_decision_vary(s->base, name, s->hints, &c, &info);
        if (rc)
            s->n--;
        else
            s->list[i].price = sx_model_get_price(&c, NULL, NULL);
    }
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    if (rc && is_local(rc))
        s->failed = rc;
}

/* ---- grids */

/* Add up to `most` grids whose predicted time is at most `factor` times the least predicted time. */
static void add_grids(sx_space *s, int most, double factor)
{
    sx_grid_price list[SX_GRIDS_MAX];
    const int nranks = sx_choice_get_nranks(s->base);
    int n = 0, rc = MPI_SUCCESS;
    if (nranks > 1 && sx_decision_may_vary_grid(s->base))
        rc = sx_model_list_grids(s->base, nranks, SX_GRIDS_MAX, list, &n);
    if (rc)
        s->failed = rc;
    for (int i = 0, added = 0; i < n && added < most && list[i].seconds <= factor * list[0].seconds; i++) {
        char grid[SX_HINT_LEN];
        sx_choice_print_dims(list[i].g, list[i].dims, grid);
        if (strcmp(grid, s->base->hints.grid) == 0)
            continue;
        add(s, "grid %s", grid);
        added++;
    }
}

/* ---- strategies, engines, backends */

/* Trying the other strategies with a large array takes time, and memory for two more arrays. */
static int is_small(const sx_choice *c)
{
    return sx_choice_get_share(c) <= SX_SEARCH_MANY_TILES * (double)c->hints.cache_bytes;
}

/* Query whether our kernels transform all axes. */
static int is_by_kernels(const sx_choice *c)
{
    for (int a = 0; a < c->array.ndims; a++) {
        const sx_axis *x = &c->array.axis[a];
        for (int d = 0; d < 2; d++) {
            const int kind = sx_serial_get_kind(x->kind, d);
            if (kind != SUBX_FFT_NONE && !sx_serial_likes_rows(c->serial, c->array.precision, kind, x->n))
                return 0;
        }
    }
    return 1;
}

int sx_space_has_rigors(const sx_space *s)
{
    const sx_choice *c = s->base;
    return !c->device && !sx_hints_is_given(&c->hints, "rigor") &&
           (c->hints.effort > SX_EFFORT_MEASURE || is_small(c) || !is_by_kernels(c));
}

/* Add a candidate with a strategy and an engine. `hint` is "engine", or "between" for the carrier between
 * nodes. */
static void add_engine(sx_space *s, const sx_strategy *strategy, const char *hint, const char *engine)
{
    if (!sx_hints_is_given(&s->base->hints, hint))
        add(s, "strategy %s, %s %s", strategy->name, hint, engine);
}

/* Add a candidate for each engine of a strategy that does not read partners' memory; if is_all is 0, only for
 * those that short searches try. If is_all is 1, and there are several nodes, also add a candidate for each
 * carrier between nodes. Engines that read partners' memory are not added: auto chooses among them. */
static void add_engines(sx_space *s, const sx_strategy *strategy, int is_all)
{
    const sx_placement *p = s->base->shared.placement;
    const char *engine;
    const int has_nodes = p && p->nnodes > 1;
    if (sx_hints_is_given(&s->base->hints, "engine"))
        return;
    for (int i = 0; (engine = sx_hints_get_engine(strategy->query_engine, i)); i++)
        if (is_all || sx_hints_get_traits(engine, 0) & strategy->tried)
            add_engine(s, strategy, "engine", engine);
    for (int i = 0; is_all && has_nodes && (engine = sx_hints_get_engine(subx_pipe_query_engine, i)); i++)
        add_engine(s, strategy, "between", engine);
}

/* If the caller leaves the strategy open, add candidates for each strategy that can execute the choice: one
 * candidate without an engine, and the candidates of add_engines. But if is_all is 0, and a large array lies
 * on several ranks, add only the first strategy of the table, without an engine. Nothing is known yet of the
 * strategies of devices: all of them are tried. */
static void add_strategies(sx_space *s, int is_all)
{
    const sx_choice *c = s->base;
    const int nranks = sx_choice_get_nranks(c), is_broad = is_all || c->device || is_small(c);
    for (int i = 0; sx_strategy_table[i] && !sx_hints_is_given(&c->hints, "strategy"); i++) {
        const sx_strategy *x = sx_strategy_table[i];
        if (!sx_choice_may_have(c, x) || (x->needs_exchanges && nranks == 1) ||
            (i > 0 && nranks > 1 && !is_broad))
            continue;
        if (x != c->strategy)
            add(s, "strategy %s", x->name);
        if (nranks > 1 && is_broad)
            add_engines(s, x, is_all);
    }
}

/* Query whether a backend is a candidate beside auto. simd can hardly be faster than auto, and naive never
 * is. */
static int is_tried(const sx_serial *serial, int precision)
{
    return sx_serial_is_maker(serial) && serial != &sx_serial_naive && serial->serves(precision);
}

static void add_backends(sx_space *s)
{
    const sx_choice *c = s->base;
    for (int i = 0; sx_serial_table[i] && c->serial == &sx_serial_auto && !c->device && is_small(c); i++)
        if (is_tried(sx_serial_table[i], c->array.precision))
            add(s, "serial %s", sx_serial_table[i]->name);
}

/* Try fewer threads than the caller's number: a plan may use fewer, as in FFTW. */
static void add_threads(sx_space *s)
{
    for (int n = s->base->hints.threads / 2; n >= 1 && !s->base->device; n /= 2)
        add(s, "threads %d", n);
}

/* On a device, each slice costs several launches and waits; without slices, copies and messages do not
 * overlap. Try to do without slices, and to have some although the exchange would have one. */
static void add_slices(sx_space *s)
{
    const sx_choice *c = s->base;
    if (!c->device || sx_choice_get_nranks(c) == 1 || sx_hints_is_given(&c->hints, "slices"))
        return;
    add(s, "slices 1");
    add(s, "slices 4");
}

/* ---- numbers of ranks */

/* With fewer ranks, each rank has more data, and memory may be short. So a large array is tried only on
 * numbers of ranks for which the model predicts a time near the least one. */
static int is_affordable(const sx_choice *c, const sx_grid_price *p, double least)
{
    const double all = sx_choice_get_share(c) * sx_choice_get_nranks(c);
    return p->seconds <= SX_SEARCH_NEAR * least ||
           all / p->nranks <= SX_SEARCH_MANY_TILES * (double)c->hints.cache_bytes;
}

/* Add the cheapest numbers of ranks, except the number of the first candidate, each with its cheapest
 * grid. */
static void add_ranks(sx_space *s, int most)
{
    sx_grid_price list[SX_RANKS_MAX];
    int n = 0, rc = MPI_SUCCESS;
    if (sx_decision_may_vary_ranks(s->base))
        rc = sx_model_list_ranks(s->base, s->base->shared.placement->nranks, list, &n);
    if (rc)
        s->failed = rc;
    for (int i = 0, added = 0; i < n && added < most; i++) {
        char grid[SX_HINT_LEN];
        if (list[i].nranks == s->base->nranks_used || !is_affordable(s->base, &list[i], list[0].seconds))
            continue;
        sx_choice_print_dims(list[i].g, list[i].dims, grid);
        add(s, "ranks %d, grid %s", list[i].nranks, grid);
        added++;
    }
}

int sx_space_list(sx_space *s)
{
    const sx_choice *c = s->base;
    const int effort = c->hints.effort;
    char name[sizeof s->list->name];
    sx_text t = {name, sizeof name, 0};
    if (strcmp(c->hints.ranks, "auto") == 0)
        sx_base_print(&t, "ranks %d, ", c->nranks_used);
    if (sx_decision_may_vary_grid(c))
        sx_base_print(&t, "grid %s, ", c->hints.grid);
    sx_base_print(&t, "strategy %s", c->strategy->name);
    add(s, "%s", name);
    add_backends(s);
    add_strategies(s, effort > SX_EFFORT_MEASURE);
    add_slices(s);
    if (effort > SX_EFFORT_MEASURE)
        add_threads(s);
    add_grids(s, effort == SX_EFFORT_MEASURE ? 2 : SX_GRIDS_MAX,
              effort == SX_EFFORT_MEASURE ? SX_SEARCH_NEAR : SX_SEARCH_WIDE);
    add_ranks(s, effort == SX_EFFORT_MEASURE ? 3 : SX_RANKS_MAX);
    return s->failed || s->n > 0 ? s->failed : subx_error_get_code(SUBX_ERR_HINT);
}
