/* variants.c - candidates that differ from another candidate by the engine of one exchange, by the ways
 * between devices, or by parameters. */
#include "search/search.h"
#include <stdio.h>
#include <string.h>

/* Query whether the exchanges of `base` may send blocks as messages. */
static int has_messages(const sx_space *s)
{
    const sx_choice *c = s->base;
    int is_direct = 1;
    for (int k = 0; k < c->g; k++)
        is_direct &= (sx_hints_get_traits(c->hints.engine, k) & SUBX_ENGINE_LOCAL) != 0;
    return sx_choice_get_nranks(c) > 1 &&
           (!is_direct || (c->shared.placement && c->shared.placement->nnodes > 1));
}

/* ---- the engine of each exchange */

/* Get the value of a hint in a candidate; `otherwise` if the candidate's text does not have the hint. */
static void get_value(const sx_space *s, int i, const char *name, const char *otherwise, char value[])
{
    snprintf(value, SX_HINT_LEN, "%s", otherwise);
    (void)sx_base_tune_find(s->list[i].name, name, value);
}

static int count_dims(const sx_space *s, int i)
{
    char grid[SX_HINT_LEN];
    int g = 1;
    get_value(s, i, "grid", s->base->hints.grid, grid);
    for (const char *at = grid; (at = strchr(at, 'x')); at++)
        g++;
    return g;
}

static const sx_strategy *get_strategy(const sx_space *s, int i)
{
    char name[SX_HINT_LEN];
    get_value(s, i, "strategy", s->base->strategy->name, name);
    const sx_strategy *strategy = sx_strategy_find(name);
    return strategy ? strategy : s->base->strategy;
}

int sx_space_vary_engine(sx_space *s, int i, int k, int e)
{
    const int g = count_dims(s, i);
    char list[SX_HINT_LEN], word[SX_HINT_LEN], name[2 * sizeof s->list->name];
    sx_text t = {name, sizeof name, 0};
    const char *varied = e == 0 ? "auto" : sx_hints_get_engine(get_strategy(s, i)->query_engine, e - 1);
    if (!varied || g < 2 || k >= g || sx_hints_is_given(&s->base->hints, "engine"))
        return -1;
    get_value(s, i, "engine", "auto", list);
    sx_base_print(&t, "%s, engine ", s->list[i].name);
    for (int dim = 0; dim < g; dim++) {
        sx_hints_get_word(list, dim, word);
        if (dim == k && strcmp(word, varied) == 0)
            return i;
        sx_base_print(&t, "%s%s", dim ? "/" : "", dim == k ? varied : word);
    }
    return t.used < sizeof s->list->name ? sx_space_add(s, name) : -1;
}

/* ---- the ways between devices */

static const struct {
    const char *name;
    sx_words query;
} way_hints[SX_WAYS] = {[SX_WAY_CARRIER] = {"device_carrier", sx_hints_query_device_carrier},
                        [SX_WAY_READER] = {"device_reader", sx_hints_query_device_reader}};

/* Query whether candidate i would have another way with value v. */
static int has_other_way(const sx_space *s, int i, int way, int v)
{
    const sx_ways *w = &s->list[i].ways;
    int others = 0;
    for (int k = 0; k < SX_WAY_VALUES; k++)
        others += k != v && w->is_used[way][k];
    return others > 0 && !w->is_barred[way][v];
}

int sx_space_vary_way(sx_space *s, int i, int way, int v)
{
    const char *value;
    char name[2 * sizeof s->list->name];
    sx_text t = {name, sizeof name, 0};
    if (way_hints[way].query(v, &value) || !value || sx_hints_is_given(&s->base->hints, way_hints[way].name))
        return -1;
    if (!has_other_way(s, i, way, v))
        return i;
    sx_base_print(&t, "%s, %s %s", s->list[i].name, way_hints[way].name, value);
    return t.used < sizeof s->list->name ? sx_space_add(s, name) : i;
}

/* ---- parameters; their values differ by factors of about two */

enum { OF_SLICES, OF_TILES, OF_EXCHANGES, OF_MESSAGES, OF_TILES_WITH_MESSAGES, OF_RADIX };

static const struct {
    sx_parameter parameter;
    int when;
} parameters[] = {{{"slices", 0, {"0", "1", "3", "4", "8", "16", "32", "64", "128", NULL}}, OF_SLICES},
                  {{"width", 0, {"0", "4", "8", "16", "32", "64", "128", NULL}}, OF_TILES},
                  {{"cache", 2, {"327680", "655360", "1310720", "2621440", "5242880", NULL}}, OF_TILES},
                  {{"permute", 0, {"recv", "send", NULL}}, OF_EXCHANGES},
                  {{"progress", 2, {"1", "4", "16", "64", "256", NULL}}, OF_TILES_WITH_MESSAGES},
                  {{"window", 2, {"1", "2", "4", "8", "16", NULL}}, OF_MESSAGES},
                  {{"radix", 1, {"2", "4", "8", "16", "32", NULL}}, OF_RADIX}};

/* Query whether a parameter has an effect on candidate i. `when` is the condition of the parameter. */
static int has_effect(const sx_space *s, int i, int when)
{
    char engine[SX_HINT_LEN];
    const sx_strategy *strategy = get_strategy(s, i);
    const int has_tiles = strategy->hints == SX_HINTS_TILES, has_ranks = sx_choice_get_nranks(s->base) > 1;
    get_value(s, i, "engine", s->base->hints.engine, engine);
    const int is_sent = has_messages(s) || strcmp(engine, "auto") != 0;
    switch (when) {
    case OF_TILES:
        return has_tiles;
    case OF_EXCHANGES:
        return strategy->hints == SX_HINTS_EXCHANGES && has_ranks;
    case OF_MESSAGES:
        return is_sent;
    case OF_TILES_WITH_MESSAGES:
        return has_tiles && is_sent;
    case OF_RADIX:
        return sx_hints_has_trait(engine, SUBX_ENGINE_RADIX) ||
               sx_hints_has_trait(s->base->hints.between, SUBX_ENGINE_RADIX);
    default:
        return has_ranks || !strategy->is_on_device;
    }
}

int sx_space_list_parameters(const sx_space *s, int i, const sx_parameter *list[])
{
    int count = 0;
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++)
        if (!sx_hints_is_given(&s->base->hints, parameters[k].parameter.name) &&
            has_effect(s, i, parameters[k].when))
            list[count++] = &parameters[k].parameter;
    return count;
}
