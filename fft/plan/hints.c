/* hints.c - what the caller decides: the problem, and the hints on how to solve it. */
#include "plan/plan.h"
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- the table */

/* More slices would make messages of a few bytes. */
enum { MOST_SLICES = 1024, MOST_WIDTH = 1 << 20 };

/* Five quarters of a MiB are about a second-level cache. */
enum { CACHE = 5 << 18 };

static const char *const overlaps[] = {"auto", "none", "send", "receive", "both", NULL};
static const char *const pencils[] = {"auto", "contiguous", "interleaved", NULL};
static const char *const outputs[] = {"natural", "transposed", NULL};
static const char *const scalings[] = {"none", "forward", "backward", "symmetric", "orthonormal", NULL};
static const char *const inputs[] = {"preserve", "destroy", NULL};
static const char *const efforts[] = {"estimate", "measure", "patient", "exhaustive", NULL};
static const char *const rigors[] = {"auto", "estimate", "measure", "patient", "exhaustive", NULL};
static const char *const sides[] = {"recv", "send", NULL};
static const char *const answers[] = {"no", "yes", NULL};
static const char *const verbosities[] = {"no", "yes", "progress", NULL};

#define HAS_WORDS(list, last) _Static_assert(sizeof(list) / sizeof *(list) == (last) + 2, "a word for each")
HAS_WORDS(overlaps, SX_OVERLAP_BOTH);
HAS_WORDS(pencils, SX_PENCILS_INTERLEAVED);
HAS_WORDS(outputs, SX_OUTPUT_TRANSPOSED);
HAS_WORDS(inputs, SX_INPUT_DESTROY);
HAS_WORDS(verbosities, SX_VERBOSE_PROGRESS);
HAS_WORDS(scalings, SX_SCALE_ORTHONORMAL);
HAS_WORDS(efforts, SX_EFFORT_EXHAUSTIVE);
HAS_WORDS(rigors, SX_EFFORT_EXHAUSTIVE + 1);

#define WORD(member, list) SX_HINT_WORD, offsetof(sx_choice, member), .words = (list)
#define TEXT(member, value) SX_HINT_TEXT, offsetof(sx_choice, member), .text = (value)
#define NUMBER(type, member, a, b, c)                                                                        \
    type, offsetof(sx_choice, member), .otherwise = (a), .least = (b), .most = (c)

static const sx_hint common[] = {
    {"subx_grid", TEXT(grid, "auto")},
    {"subx_strategy", TEXT(strategy_name, "auto")},
    {"subx_output", WORD(output, outputs)},
    {"subx_scaling", WORD(scaling, scalings)},
    {"subx_sequence", TEXT(sequence, "auto")},
    {"subx_input", WORD(input, inputs)},
    {"subx_serial", TEXT(serial_name, "auto")},
    {"subx_effort", WORD(effort, efforts)},
    {"subx_rigor", WORD(rigor, rigors)},
    {"subx_engine", TEXT(engine, "auto")},
    {"subx_between", TEXT(between, "")},
    {"subx_window", TEXT(window, "")},
    {"subx_node_ranks", TEXT(node_ranks, "")},
    {"subx_threads", NUMBER(SX_HINT_THREADS, threads, 1, 1, INT_MAX)},
    {"subx_memory", NUMBER(SX_HINT_LENGTH, memory, 0, 0, PTRDIFF_MAX)},
    {"subx_ranks", TEXT(ranks, "all")},
    {"subx_reorder", WORD(reorder, answers)},
    {"subx_wisdom", TEXT(wisdom, "auto")},
    {"subx_time_limit", NUMBER(SX_HINT_INT, time_limit, 0, 0, INT_MAX)},
    {"subx_verbose", WORD(verbose, verbosities)},
};
static const sx_hint tiles[] = {
    {"subx_overlap", WORD(overlap, overlaps)},
    {"subx_slices", NUMBER(SX_HINT_INT, slices, 0, 0, MOST_SLICES)},
    {"subx_progress", NUMBER(SX_HINT_INT, progress, 16, 0, INT_MAX)},
    {"subx_width", NUMBER(SX_HINT_LENGTH, width, 0, 0, MOST_WIDTH)},
    {"subx_pencils", WORD(pencils, pencils)},
    {"subx_cache", NUMBER(SX_HINT_LENGTH, cache_bytes, CACHE, 1, PTRDIFF_MAX / 16)},
};
static const sx_hint exchanges[] = {
    {"subx_permute", WORD(permuting, sides)},
    {"subx_radix", TEXT(radix, "")},
    {"subx_check", TEXT(check, "")},
};

/* The whole table, in groups by who reads them: SX_HINTS_*. */
static const struct {
    const sx_hint *hints;
    int n;
} groups[] = {[SX_HINTS_COMMON] = {common, sizeof common / sizeof *common},
              [SX_HINTS_TILES] = {tiles, sizeof tiles / sizeof *tiles},
              [SX_HINTS_EXCHANGES] = {exchanges, sizeof exchanges / sizeof *exchanges}};
enum { NGROUPS = sizeof groups / sizeof groups[0] };

/* ---- from names to what they stand for */

/* A backend that this library was built without is not the same as an unknown word. */
static int set_serial(sx_choice *c)
{
    c->serial = sx_serial_find(c->serial_name, c->problem->precision);
    if (!c->serial)
        return subx_error_get(strcmp(c->serial_name, "fftw3") == 0 ||
                                      sx_serial_find(c->serial_name, SUBX_FFT_DOUBLE)
                                  ? SUBX_ERR_UNAVAILABLE
                                  : SUBX_ERR_HINT);
    return MPI_SUCCESS;
}

static int is_asked_for(const sx_choice *c, const sx_strategy *s)
{
    return strcmp(c->strategy_name, "auto") == 0 || strcmp(c->strategy_name, s->name) == 0;
}

/* Query whether the hints could serve, but for the problem, which only strategies with exchanges refuse. */
static int is_beyond(const sx_choice *c)
{
    for (int i = 0; sx_strategy_table[i]; i++)
        if (sx_strategy_table[i]->hints == SX_HINTS_EXCHANGES && is_asked_for(c, sx_strategy_table[i]))
            return !sx_choice_is_plain(c) && sx_choice_is_engine(c->engine, subx_exch_query_engine);
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
        return subx_error_get(is_beyond(c) ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_HINT);
    strcpy(c->strategy_name, c->strategy->name);
    return MPI_SUCCESS;
}

static int parse(sx_choice *c, MPI_Info hints)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < NGROUPS && !rc; i++)
        rc = sx_base_hints_parse(groups[i].hints, groups[i].n, hints, c);
    return rc;
}

/* The hints that decide what is solved and by what means, not how much is done to find the fastest plan. */
static void print_given(sx_choice *c)
{
    static const char *const others[] = {"subx_effort", "subx_wisdom", "subx_time_limit", "subx_verbose"};
    sx_text t = {c->given, sizeof c->given, 0};
    for (int i = 0; i < NGROUPS; i++)
        for (int k = 0; k < groups[i].n; k++) {
            const sx_hint *h = &groups[i].hints[k];
            int skip = sx_base_hint_is_default(h, c);
            for (size_t o = 0; o < sizeof others / sizeof *others; o++)
                skip |= strcmp(h->key, others[o]) == 0;
            if (skip)
                continue;
            sx_base_print(&t, t.used ? ", " : "");
            sx_base_hints_print(h, 1, c, &t);
        }
}

const char *sx_choice_get_effort(int effort)
{
    return efforts[effort];
}

/* FFTW measures for longer than a hundred executions last. A search therefore raises the rigor of its best candidates only. */
int sx_choice_get_rigor(const sx_choice *c)
{
    return c->rigor > 0 ? c->rigor - 1 : SX_EFFORT_ESTIMATE;
}

int sx_choice_trust(const sx_choice *c, MPI_Info info)
{
    return *c->check ? MPI_SUCCESS : MPI_Info_set(info, "subx_check", "no");
}

/* Query whether a text such as "engine shm, slices 8" has a hint. */
static int has_hint(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if ((at == text || at[-1] == ' ') && at[n] == ' ')
            return 1;
    return 0;
}

int sx_choice_is_given(const sx_choice *c, const char *name)
{
    return has_hint(c->given, name);
}

/* The grid is needed to know what strategies must do. */
int sx_choice_set(sx_choice *c, const subx_fft_problem problem, int nranks, MPI_Info hints)
{
    c->problem = problem;
    int rc = parse(c, hints);
    if (!rc)
        print_given(c);
    if (!rc && c->reorder && c->placement)
        sx_placement_sort(c->placement);
    if (!rc)
        rc = sx_choice_set_ranks(c, nranks);
    if (!rc)
        rc = sx_array_set(&c->array, problem, c->nranks_used, c->sequence);
    if (!rc)
        rc = sx_choice_reduce_ranks(c);
    if (!rc)
        rc = sx_choice_set_grid(c, c->nranks_used);
    if (!rc)
        rc = set_serial(c);
    return rc ? rc : set_strategy(c);
}

/* ---- the same with other hints */

/* Set the hints of a text such as "strategy fused, slices 8". */
static int set_hints(const char *text, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    while (*text && !rc) {
        char name[32], key[48], value[SX_HINT_LEN];
        int used = 0;
        if (sscanf(text, " %31[a-z_] %127[^,]%n", name, value, &used) < 2)
            return subx_error_get(SUBX_ERR_HINT);
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
        rc = parse(c, info);
    if (!rc && has_hint(text, "ranks"))
        rc = sx_choice_vary_ranks(base, c);
    has_grid |= c->nranks_used != base->nranks_used;
    if (!has_grid)
        memcpy(c->grid, base->grid, sizeof c->grid);
    if (!rc && has_grid)
        rc = sx_choice_set_grid(c, c->nranks_used);
    if (!rc)
        rc = set_serial(c);
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

/* ---- as text */

static void print_problem(const sx_choice *c, sx_text *t)
{
    sx_problem_print(c->problem, t);
    sx_base_print(t, "\n");
}

static void print_group(const sx_choice *c, int i, sx_text *t)
{
    sx_base_print(t, "  ");
    sx_base_hints_print(groups[i].hints, groups[i].n, c, t);
    sx_base_print(t, "\n");
}

void sx_choice_print(const sx_choice *c, sx_text *t)
{
    print_problem(c, t);
    print_group(c, SX_HINTS_COMMON, t);
    print_group(c, c->strategy->hints, t);
}

/* Includes what this strategy does not read: another one may be tried. */
void sx_choice_print_key(const sx_choice *c, sx_text *t)
{
    print_problem(c, t);
    for (int i = 0; i < NGROUPS; i++)
        print_group(c, i, t);
}

int sx_choice_export(const sx_choice *c, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < NGROUPS && !rc; i++)
        rc = sx_base_hints_export(groups[i].hints, groups[i].n, c, info);
    return rc;
}
