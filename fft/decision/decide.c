/* decide.c - a choice from a problem and its hints: the ranks, the order of the axes, the grid, the serial backend, the strategy; and
 * the same choice with other hints.
 *
 * An environment variable is for all plans of a program. One that this plan cannot use is ignored. */
#include "plan/plan.h"
#include <stdio.h>
#include <string.h>

/* ---- strategies */

static int is_asked_for(const sx_choice *c, const sx_strategy *s)
{
    return strcmp(c->strategy_name, "auto") == 0 || strcmp(c->strategy_name, s->name) == 0;
}

/* Query whether the hints could serve, but for the problem, which only strategies with exchanges refuse. */
static int is_beyond(const sx_choice *c)
{
    for (int i = 0; sx_strategy_table[i]; i++)
        if (sx_strategy_table[i]->hints == SX_HINTS_EXCHANGES && is_asked_for(c, sx_strategy_table[i]))
            return !sx_choice_is_plain(c);
    return 0;
}

const sx_strategy *sx_choice_get_strategy(const sx_choice *c)
{
    for (int i = 0; sx_strategy_table[i] && !c->strategy; i++)
        if (is_asked_for(c, sx_strategy_table[i]) && sx_strategy_table[i]->serves(c))
            return sx_strategy_table[i];
    return c->strategy;
}

/* Where the caller leaves the strategy to us, it is the first one that serves, until a faster one is found. */
static int set_strategy(sx_choice *c)
{
    c->strategy = NULL;
    c->strategy = sx_choice_get_strategy(c);
    if (!c->strategy)
        return subx_error_get_code(is_beyond(c) ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_HINT);
    strcpy(c->strategy_name, c->strategy->name);
    return MPI_SUCCESS;
}

/* Let a plan ignore as few variables as it can: first each of them alone, then two, then all. A set of them is a number whose bits
 * are places in `names`. */
static int settle_strategy(sx_choice *c, MPI_Info hints)
{
    static const char *const names[] = {"engine", "output", "strategy"};
    static const char sets[] = {1, 2, 4, 3, 5, 6, 7};
    int rc = set_strategy(c);
    for (size_t i = 0; i < sizeof sets && rc; i++) {
        sx_choice other = *c;
        for (int k = 0; k < 3; k++)
            if (sets[i] >> k & 1)
                (void)sx_choice_ignore(&other, names[k], hints);
        if (!set_strategy(&other)) {
            *c = other;
            return MPI_SUCCESS;
        }
    }
    return rc;
}

/* Tell which hint contradicts what. */
static int refuse_strategy(const sx_choice *c, int kind, MPI_Info hints)
{
    const int is_named = strcmp(c->strategy_name, "auto") != 0;
    if (kind == SUBX_ERR_UNAVAILABLE)
        return sx_base_hint_refuse(
            hints, is_named ? "subx_strategy" : "subx_engine", kind,
            "of this problem it can do nothing: boxes, blocks, strides, bricks, operations, fewer points or modes, one "
            "divided axis need fused, with engines of pipes");
    if (strcmp(c->strategy_name, "natural") == 0 && c->output == SX_OUTPUT_TRANSPOSED)
        return sx_base_hint_refuse(hints, "subx_output", kind,
                                   "this contradicts subx_strategy = natural, whose output is natural");
    return sx_base_hint_refuse(hints, "subx_engine", kind,
                               "this contradicts subx_strategy = fused, whose engines are auto, shm, node, "
                               "alltoallv, pairwise, kway and persistent");
}

/* ---- from names to what they stand for */

static int set_sequence(sx_choice *c, int nranks)
{
    (void)nranks;
    return sx_array_set(&c->array, c->problem, c->nranks_used, c->sequence);
}

static int reduce_ranks(sx_choice *c, int nranks)
{
    (void)nranks;
    return sx_choice_reduce_ranks(c);
}

static int set_grid(sx_choice *c, int nranks)
{
    (void)nranks;
    return sx_choice_set_grid(c, c->nranks_used);
}

static int set_serial(sx_choice *c, int nranks)
{
    (void)nranks;
    c->serial = sx_serial_find(c->serial_name, c->problem->precision);
    return c->serial ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_UNAVAILABLE);
}

/* What depends on one hint, in the order in which one thing follows from another; and what is told of a wrong one. The grid is
 * needed to know what strategies must do. */
static const struct step {
    const char *name;
    int (*set)(sx_choice *c, int nranks);
    const char *if_wrong, *if_unavailable;
} steps[] = {
    {"ranks", sx_choice_set_ranks, "it must be all, auto, or a number of ranks that there are",
     "the problem's boxes need all ranks"},
    {"sequence", set_sequence,
     "it must name each transformed axis once, and that of r2c first; of one axis that is divided it must be 0",
     NULL},
    {"ranks", reduce_ranks, NULL, NULL},
    {"grid", set_grid, "it must be numbers of ranks such as 4 or 2x3", NULL},
    {"serial", set_serial, NULL, "this library was built without it for this precision"}};

static int is_of_hint(int rc)
{
    const int kind = subx_error_get_kind(rc);
    return kind == SUBX_ERR_HINT || kind == SUBX_ERR_GRID || kind == SUBX_ERR_SIZE ||
           kind == SUBX_ERR_UNAVAILABLE;
}

static int settle(sx_choice *c, const struct step *s, int nranks, MPI_Info hints)
{
    char key[48];
    int rc = s->set(c, nranks);
    if (rc && is_of_hint(rc) && sx_choice_ignore(c, s->name, hints))
        rc = s->set(c, nranks);
    const int kind = subx_error_get_kind(rc);
    const char *why = kind == SUBX_ERR_HINT          ? s->if_wrong
                      : kind == SUBX_ERR_UNAVAILABLE ? s->if_unavailable
                                                     : NULL;
    snprintf(key, sizeof key, "subx_%s", s->name);
    return why ? sx_base_hint_refuse(hints, key, kind, why) : rc;
}

int sx_choice_set(sx_choice *c, const subx_fft_problem problem, int nranks, MPI_Info hints)
{
    c->problem = problem;
    c->said = c->given = c->ignored = 0;
    int rc = sx_choice_parse(c, hints);
    if (rc)
        return rc;
    sx_choice_find_given(c, hints);
    if (c->reorder && c->placement)
        sx_placement_sort(c->placement);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !rc; i++)
        rc = settle(c, &steps[i], nranks, hints);
    if (rc)
        return rc;
    rc = settle_strategy(c, hints);
    return rc ? refuse_strategy(c, subx_error_get_kind(rc), hints) : sx_choice_set_request(c);
}

int sx_choice_trust(const sx_choice *c, MPI_Info info)
{
    return *c->check ? MPI_SUCCESS : MPI_Info_set(info, "subx_check", "no");
}

/* ---- the same with other hints */

/* Query whether a text such as "engine shm, slices 8" has a hint. */
static int has_hint(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if ((at == text || at[-1] == ' ') && at[n] == ' ')
            return 1;
    return 0;
}

/* Set the hints of a text such as "strategy fused, slices 8". */
static int set_hints(const char *text, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    while (*text && !rc) {
        char name[32], key[48], value[SX_HINT_LEN];
        int used = 0;
        if (sscanf(text, " %31[a-z_] %1023[^,]%n", name, value, &used) < 2)
            return subx_error_get_code(SUBX_ERR_HINT);
        snprintf(key, sizeof key, "subx_%s", name);
        rc = MPI_Info_set(info, key, value);
        text += used + (text[used] == ',');
    }
    return rc;
}

/* With another number of ranks, a grid that the text does not tell is chosen anew. */
int sx_choice_vary(const sx_choice *base, const char *text, MPI_Info info, sx_choice *c)
{
    int has_grid = base->is_auto_grid && has_hint(text, "grid");
    *c = *base;
    int rc = set_hints(text, info);
    if (!rc)
        rc = sx_choice_parse(c, info);
    if (!rc && has_hint(text, "ranks"))
        rc = sx_choice_vary_ranks(base, c);
    has_grid |= c->nranks_used != base->nranks_used;
    if (!has_grid)
        memcpy(c->grid, base->grid, sizeof c->grid);
    if (!rc && has_grid)
        rc = set_grid(c, 0);
    if (!rc)
        rc = set_serial(c, 0);
    return rc ? rc : set_strategy(c);
}

/* ---- what follows from them */

int sx_choice_get_nranks(const sx_choice *c)
{
    int nranks = 1;
    for (int k = 0; k < c->g; k++)
        nranks *= c->dims[k];
    return nranks;
}

double sx_choice_get_share(const sx_choice *c)
{
    const sx_array *a = &c->array;
    return sx_array_get_volume(a) * (double)(a->width[SUBX_FFT_SPECTRAL] * a->real_bytes) /
           sx_choice_get_nranks(c);
}
