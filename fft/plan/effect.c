/* effect.c - which of the caller's hints have no effect on a plan, and the known weaknesses of its
 * engines. */
#include "plan/plan.h"
#include <string.h>

/* ---- the features of a plan */

enum {
    EXCHANGES = 1,
    MESSAGES = 2,
    WINDOW = 4,
    RADIX = 8,
    BETWEEN = 16,
    SLICES = 32,
    REORDERING = 64,
    NODES = 128,
    TRANSPOSED = 256,
    SEARCH = 512,
    HOST = 1024,
    FLOATS = 2048,
    DEVICE = 4096
};

/* Query whether the engine of an exchange, or its carrier between nodes, has a trait. The carrier of pipes is
 * pairwise by default. */
static int has_trait(const sx_choice *c, const char *engine, int trait)
{
    const char *between = c->hints.between;
    const int traits = sx_hints_get_traits(engine, 0);
    if (!(traits & SUBX_ENGINE_BETWEEN))
        return (traits & trait) != 0;
    const int is_auto = !*between || strstr(between, "auto") != NULL;
    return sx_hints_has_trait(between, trait) || (is_auto && sx_hints_has_trait("pairwise", trait));
}

/* Query whether the word slices has an effect on an exchange. In strategies with pipes, the hint has an
 * effect if the exchange has several slices, or if the hint is the reason for a single slice. Hint 1 is such
 * a reason. So is hint 2 if no messages are sent (is_sent is 0): two slices are too few for a ring. */
static int has_slices(const sx_choice *c, const sx_traffic *traffic, int is_sent)
{
    if (c->strategy->hints == SX_HINTS_EXCHANGES)
        return is_sent && !(sx_hints_get_traits(traffic->engine, 0) & SUBX_ENGINE_TYPES);
    return traffic->nslices > 1 || c->hints.slices == 1 || (c->hints.slices == 2 && !is_sent);
}

/* Get the features of stage i, if it is an exchange. */
static unsigned get_exchange(subx_fft_plan plan, int i)
{
    const sx_choice *c = &plan->choice;
    const int is_staged = c->strategy->hints == SX_HINTS_EXCHANGES;
    sx_traffic traffic;
    if (!sx_stage_is_exchange(&plan->stage[i]) || sx_plan_get_ranks(plan, &plan->stage[i]) < 2 ||
        c->strategy->get_traffic(plan, i, &traffic))
        return 0;
    const int traits = sx_hints_get_traits(traffic.engine, 0);
    const int is_sent = !(traits & SUBX_ENGINE_LOCAL) || traits & SUBX_ENGINE_BETWEEN;
    unsigned has = EXCHANGES | (c->strategy->reorders ? REORDERING : 0u) | (is_sent ? MESSAGES : 0u);
    has |= (is_staged && is_sent) || has_trait(c, traffic.engine, SUBX_ENGINE_WINDOW) ? WINDOW : 0u;
    has |= has_trait(c, traffic.engine, SUBX_ENGINE_RADIX) ? RADIX : 0u;
    has |= traits & SUBX_ENGINE_BETWEEN ? BETWEEN : 0u;
    has |= traffic.is_narrow ? FLOATS : 0u;
    return has | (has_slices(c, &traffic, is_sent) ? SLICES : 0u);
}

static unsigned get_all(subx_fft_plan plan)
{
    const sx_choice *c = &plan->choice;
    unsigned has = 0;
    for (int i = 0; i < plan->nstages; i++)
        has |= get_exchange(plan, i);
    has |= c->shared.placement && c->shared.placement->nnodes > 1 ? NODES : 0u;
    has |= c->hints.output == SX_OUTPUT_NATURAL || sx_choice_is_transposed(c) ? TRANSPOSED : 0u;
    has |= !c->device ? HOST : has & EXCHANGES ? DEVICE : 0u;
    return has | (plan->report.source == SX_SOURCE_MEASURED ? SEARCH : 0u);
}

/* ---- which features a hint needs to have an effect */

/* A listed hint has an effect on a plan if the plan has one of the features in `needs`. A hint that is not
 * listed has an effect on every plan whose strategy reads it. */
static const struct {
    const char *key;
    unsigned needs;
} needs[] = {{"subx_engine", EXCHANGES},  {"node_ranks", EXCHANGES}, {"check", EXCHANGES},
             {"between", BETWEEN},        {"overlap", MESSAGES},     {"progress", MESSAGES},
             {"window", WINDOW},          {"radix", RADIX},          {"slices", SLICES},
             {"permute", REORDERING},     {"reorder", NODES},        {"subx_output_order", TRANSPOSED},
             {"subx_time_limit", SEARCH}, {"rigor", HOST},           {"serial", HOST},
             {"subx_threads", HOST},      {"subx_wire", FLOATS},     {"device_carrier", DEVICE},
             {"device_reader", DEVICE}};

/* Query whether a strategy reads a hint of a group. All strategies read radix and slices, although the groups
 * of these hints belong to certain strategies. */
static int is_read(const char *key, int group, const sx_strategy *s)
{
    return sx_hints_is_read(s->hints, group) || strcmp(key, "radix") == 0 || strcmp(key, "slices") == 0;
}

static int has_effect(const char *key, unsigned has)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (strcmp(key, needs[i].key) == 0)
            return (has & needs[i].needs) != 0;
    return 1;
}

void sx_plan_print_unused(subx_fft_plan plan, sx_text *t)
{
    const sx_choice *c = &plan->choice;
    const unsigned has = plan->is_idle ? 0 : get_all(plan);
    const char *comma = "";
    const sx_hint *h;
    int group;
    for (int i = 0; (h = sx_hints_get(i, &group)) && !plan->is_idle; i++) {
        const int is_ignored = c->hints.ignored >> i & 1;
        const int is_used = is_read(h->key, group, c->strategy) && has_effect(h->key, has);
        if (!is_ignored && (is_used || !(c->hints.said >> i & 1)))
            continue;
        sx_base_print(t, "%s", comma);
        if (is_ignored)
            sx_base_print(t, "the environment variable for %s", h->key);
        else
            sx_base_hints_print(h, 1, &c->hints, t);
        comma = ", ";
    }
}

/* ---- engines */

static int is_in_use(subx_fft_plan plan, const char *engine)
{
    const unsigned has = plan->is_idle ? 0 : get_all(plan);
    return (has & EXCHANGES && strstr(plan->engine, engine)) ||
           (has & BETWEEN && strstr(plan->choice.hints.between, engine));
}

const char *sx_plan_get_warning(subx_fft_plan plan, int *i)
{
    const char *engine, *warning;
    while (!subx_exch_query_engine((*i)++, &engine) && engine)
        if (!subx_exch_query_warning(engine, &warning) && warning && is_in_use(plan, engine))
            return warning;
    return NULL;
}
