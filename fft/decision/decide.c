/* decide.c - make a choice from a problem and hints: ranks, order of the axes, grid, serial backend,
 * strategy. Or make a choice that differs from another one by some hints.
 *
 * An environment variable applies to all plans of a program. A plan ignores a variable that it cannot use. */
#include "decision/decision.h"
#include <string.h>

/* ---- strategies */

/* Query why no strategy can execute the choice: 1 if the problem is the reason, 0 if hints are the reason. */
static int is_beyond(const sx_choice *c)
{
    const sx_strategy *named = sx_strategy_find(c->hints.strategy);
    if (c->device || (named && named->is_on_device))
        return !named || named->is_on_device == (c->device != NULL);
    return (!named || named->hints == SX_HINTS_EXCHANGES) && !sx_choice_is_plain(c);
}

/* Query whether subx_wire is the only reason why no strategy can execute the choice. */
static int is_wire(const sx_choice *c)
{
    sx_choice full = *c;
    full.hints.wire = SX_WIRE_FULL;
    return sx_choice_is_narrow(c) && sx_choice_get_strategy(&full);
}

/* If the caller does not give the strategy, take the first one that can execute the choice; a search may
 * replace it later. */
static int set_strategy(sx_choice *c)
{
    c->strategy = NULL;
    c->strategy = sx_choice_get_strategy(c);
    if (!c->strategy)
        return subx_error_get_code(is_beyond(c) || is_wire(c) ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_HINT);
    strcpy(c->hints.strategy, c->strategy->name);
    return MPI_SUCCESS;
}

/* Find a strategy, and ignore as few environment variables as possible: first try to ignore none, then each
 * one alone, then each pair, and so on. Each number of `sets` is a set of variables: bit k stands for the
 * hint names[k]. */
static int settle_strategy(sx_choice *c, MPI_Info hints)
{
    enum { NAMES = 4 };
    static const char *const names[NAMES] = {"engine", "output_order", "strategy", "wire"};
    static const char sets[] = {1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15};
    int rc = set_strategy(c);
    for (size_t i = 0; i < sizeof sets && rc; i++) {
        sx_choice other = *c;
        for (int k = 0; k < NAMES; k++)
            if (sets[i] >> k & 1)
                (void)sx_hints_ignore(&other.hints, names[k], hints);
        if (!set_strategy(&other)) {
            *c = other;
            return MPI_SUCCESS;
        }
    }
    return rc;
}

/* Set the text of the error: which hint is refused, and why. Returns the error. */
static int refuse_strategy(const sx_choice *c, int kind, MPI_Info hints)
{
    const sx_strategy *named = sx_strategy_find(c->hints.strategy);
    char why[SX_ERROR_LEN];
    sx_text t = {why, sizeof why, 0};
    if (is_wire(c))
        return sx_base_hint_refuse(
            hints, "subx_wire", kind,
            "only strategy fused sends floats, and those for a GPU's memory, with an engine of pipes: "
            "not stride1 and natural, and not engines types and alltoallw");
    if (kind == SUBX_ERR_UNAVAILABLE && c->device)
        return sx_base_hint_refuse(
            hints, "subx_memory_kind", kind,
            "GPUs have only float and double, and not the engines types and alltoallw");
    if (kind != SUBX_ERR_UNAVAILABLE && (c->device || (named && named->is_on_device)))
        return sx_base_hint_refuse(
            hints, "strategy", kind,
            "strategies device and device_natural are for arrays in a GPU's memory, and for no others");
    if (kind == SUBX_ERR_UNAVAILABLE)
        return sx_base_hint_refuse(
            hints, named ? "strategy" : "subx_engine", kind,
            "it cannot serve this problem: boxes, blocks, strides, bricks, operations, fewer points or "
            "modes, and one axis on several ranks need strategy fused, with an engine of pipes");
    if (strcmp(c->hints.strategy, "natural") == 0 && c->hints.output == SX_OUTPUT_TRANSPOSED)
        return sx_base_hint_refuse(hints, "subx_output_order", kind,
                                   "this contradicts strategy natural, whose output is natural");
    sx_base_print(&t, "this contradicts strategy fused, with which it must be ");
    sx_base_print_words(subx_pipe_query_engine, NULL, &t);
    return sx_base_hint_refuse(hints, "subx_engine", kind, why);
}

/* ---- from texts of hints to their meanings */

static int set_sequence(sx_choice *c)
{
    return sx_array_set(&c->array, c->problem, c->nranks_used, c->hints.sequence);
}

/* Find the device before all other decisions: if it is missing, the caller gets this error, not a later
 * one. */
static int set_device(sx_choice *c, MPI_Info hints)
{
    char why[SX_ERROR_LEN] = "";
    sx_text t = {why, sizeof why, 0};
    const int rc = sx_device_find(c->hints.memory_kind, &c->device, &t);
    return rc ? sx_base_hint_refuse(hints, "subx_memory_kind", SUBX_ERR_UNAVAILABLE, why) : rc;
}

static int set_serial(sx_choice *c)
{
    c->serial = sx_serial_find(c->hints.serial, c->problem->precision);
    return c->serial ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_UNAVAILABLE);
}

/* The steps of a decision, in their order: later steps depend on earlier ones. Each step decides about one
 * hint, and has the texts of errors for a wrong value and for an unavailable one. The strategy is decided
 * after these steps, because the grid decides what the strategy must do. */
static const struct step {
    const char *key;
    int (*set)(sx_choice *c);
    const char *if_wrong, *if_unavailable;
} steps[] = {
    {"subx_ranks", sx_decision_set_ranks, "it must be all, auto, or a number of ranks that there are",
     "the problem's boxes need all ranks"},
    {"subx_sequence", set_sequence,
     "it must name each transformed axis once, and that of r2c first; if the only axis is divided, it must "
     "be 0",
     NULL},
    {"subx_ranks", sx_decision_reduce_ranks, NULL, NULL},
    {"subx_grid", sx_decision_set_grid, "it must be numbers of ranks such as 4 or 2x3", NULL},
    {"serial", set_serial, NULL, "this library was built without it for this precision"}};

static void print_right_grid(const sx_choice *c, sx_text *t)
{
    const int ndims = c->problem->ndims, most = sx_choice_get_most_dims(c);
    sx_base_print(t, "it must have at most %d dimension%s", most, most == 1 ? "" : "s");
    if (ndims > most)
        sx_base_print(t, " (or %d: bricks)", ndims);
    sx_base_print(t, ", and their product must be %d, the number of ranks", c->nranks_used);
}

static int is_of_hint(int rc)
{
    const int kind = subx_error_get_kind(rc);
    return kind == SUBX_ERR_HINT || kind == SUBX_ERR_GRID || kind == SUBX_ERR_SIZE ||
           kind == SUBX_ERR_UNAVAILABLE;
}

static int settle(sx_choice *c, const struct step *s, MPI_Info hints)
{
    char grid[SX_ERROR_LEN];
    int rc = s->set(c);
    if (rc && is_of_hint(rc) && sx_hints_ignore(&c->hints, sx_base_hint_get_name(s->key), hints))
        rc = s->set(c);
    const int kind = subx_error_get_kind(rc);
    const char *why = kind == SUBX_ERR_HINT          ? s->if_wrong
                      : kind == SUBX_ERR_UNAVAILABLE ? s->if_unavailable
                      : kind == SUBX_ERR_GRID        ? grid
                                                     : NULL;
    if (kind == SUBX_ERR_GRID)
        print_right_grid(c, &(sx_text){grid, sizeof grid, 0});
    return why ? sx_base_hint_refuse(hints, s->key, kind, why) : rc;
}

int sx_decision_set(sx_choice *c, const subx_fft_problem problem, int nranks, MPI_Info hints)
{
    c->problem = problem;
    c->shared.nranks = nranks;
    c->hints.said = c->hints.given = c->hints.ignored = 0;
    int rc = sx_hints_parse(&c->hints, hints);
    if (rc)
        return rc;
    sx_hints_find_given(&c->hints, hints);
    if (c->hints.reorder && c->shared.placement)
        sx_placement_sort(c->shared.placement);
    rc = set_device(c, hints);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !rc; i++)
        rc = settle(c, &steps[i], hints);
    if (rc)
        return rc;
    rc = settle_strategy(c, hints);
    return rc ? refuse_strategy(c, subx_error_get_kind(rc), hints) : sx_hints_set_request(&c->hints);
}

/* ---- the same choice with other hints */

/* Query whether a search may set a hint. sx_decision_vary_ranks then decides about numbers of ranks. */
static int may_vary(const sx_choice *base, const char *name, const char *value)
{
    return (strcmp(name, "ranks") == 0 && strcmp(base->hints.ranks, "auto") == 0) ||
           (strcmp(name, "grid") == 0 && sx_decision_may_vary_grid(base)) ||
           sx_hints_may_vary(&base->hints, name, value);
}

/* Set the hints of a text in `info`. The text may come from a file that somebody has edited. */
static int export(const sx_choice *base, const char *text, MPI_Info info)
{
    char name[SX_HINT_NAME], value[SX_HINT_LEN], why[SX_ERROR_LEN];
    sx_text t = {why, sizeof why, 0};
    int rc = MPI_SUCCESS;
    while (*text && !rc) {
        text = sx_base_tune_get_first(text, name, value);
        if (!text)
            return subx_error_get_code(SUBX_ERR_HINT);
        if (!may_vary(base, name, value)) {
            sx_base_print(&t, "subx: a search must not set %s to %.60s here", name, value);
            return sx_base_set_error_text(SUBX_ERR_HINT, why);
        }
        rc = sx_hints_set(info, name, value);
    }
    return rc;
}

/* Make a choice that differs from `base` by the hints in `text`. If this changes the number of ranks and the
 * text has no grid, a new grid is chosen. */
int sx_decision_vary(const sx_choice *base, const char *text, MPI_Info hints, sx_choice *c, MPI_Info *info)
{
    char value[SX_HINT_LEN];
    int has_grid = base->is_auto_grid && sx_base_tune_find(text, "grid", value);
    *c = *base;
    int rc = sx_hints_copy(hints, info);
    if (!rc)
        rc = export(base, text, *info);
    if (!rc)
        rc = sx_hints_parse(&c->hints, *info);
    if (!rc && sx_base_tune_find(text, "ranks", value))
        rc = sx_decision_vary_ranks(base, c);
    has_grid |= c->nranks_used != base->nranks_used;
    if (!has_grid)
        memcpy(c->hints.grid, base->hints.grid, sizeof c->hints.grid);
    if (!rc && has_grid)
        rc = sx_decision_set_grid(c);
    if (!rc)
        rc = set_serial(c);
    return rc ? rc : set_strategy(c);
}
