/* hint.c - draw a value for each hint of a plan: any of its words, small and large numbers, any grid. */
#include "random/problem.h"
#include "common/engine.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <stdio.h>
#include <string.h>
#include <subx_tune.h>

typedef struct hint {
    const char *key;
    int percent;       /* how many of 100 problems give the hint */
    const char *words; /* the value is one of these words; NULL: `set` draws the value */
    void (*set)(const random_problem *p, test_random *r, char value[RANDOM_VALUE]);
} hint;

/* Draw a divisor of n. Mostly it is neither 1 nor n. */
static int get_divisor(test_random *r, int n)
{
    int d = 1;
    for (int tries = 0; tries < 3 && (d == 1 || d == n); tries++)
        do
            d = test_random_int(r, 1, n);
        while (n % d);
    return d;
}

/* Draw a grid: factors of the number of ranks that work, in a random order. In place of some factors write 0:
 * the library then chooses the factor. If every axis has a grid dimension, the blocks are bricks. A few grids
 * are wrong: they are for another number of ranks. */
static void set_grid(const random_problem *p, test_random *r, char value[RANDOM_VALUE])
{
    int factor[RANDOM_NDIMS], order[RANDOM_NDIMS], left = p->nworking, used = 0, nfixed;
    const int most = random_problem_get_sequence(p, &nfixed, order);
    const int g = test_random_int(r, 0, 3) ? test_random_int(r, 1, most) : p->ndims;
    if (test_random_int(r, 0, 99) == 0) {
        snprintf(value, RANDOM_VALUE, "%d", p->nworking + 1);
        return;
    }
    for (int k = 0; k < g; k++) {
        factor[k] = k < g - 1 ? get_divisor(r, left) : left;
        left /= factor[k];
    }
    test_random_permutation(r, g, order);
    for (int k = 0; k < g; k++) {
        const int chosen = test_random_int(r, 0, 5) == 0;
        used += snprintf(value + used, (size_t)(RANDOM_VALUE - used), "%s%d", k ? "x" : "",
                         chosen ? 0 : factor[order[k]]);
    }
}

/* Draw an order of all transformed axes. A halved axis must come first. Rarely the order has an axis that
 * does not exist. */
static void set_sequence(const random_problem *p, test_random *r, char value[RANDOM_VALUE])
{
    const int halved = random_problem_get_halved(p);
    int order[RANDOM_NDIMS], used = halved < 0 ? 0 : snprintf(value, RANDOM_VALUE, "%d", halved);
    test_random_permutation(r, p->ndims, order);
    if (test_random_int(r, 0, 99) == 0) {
        snprintf(value, RANDOM_VALUE, "%d", p->ndims);
        return;
    }
    for (int i = 0; i < p->ndims; i++)
        if (order[i] != halved && p->kinds[order[i]] != SUBX_FFT_NONE)
            used += snprintf(value + used, (size_t)(RANDOM_VALUE - used), "%s%d", used ? "," : "", order[i]);
}

static void set_engine(const random_problem *p, test_random *r, char value[RANDOM_VALUE])
{
    (void)p;
    snprintf(value, RANDOM_VALUE, "%s", test_engine_get(test_random_int(r, 0, test_engine_count() - 1)));
}

static void set_serial(const random_problem *p, test_random *r, char value[RANDOM_VALUE])
{
    const char *name = NULL;
    int count = 0;
    (void)p;
    while (subx_fft_query_serial(count, &name) == MPI_SUCCESS && name)
        count++;
    subx_fft_query_serial(test_random_int(r, 0, count - 1), &name);
    snprintf(value, RANDOM_VALUE, "%s", name);
}

/* Draw a limit on memory. Some plans exceed the limit in any case, others only if they overlap messages with
 * passes. */
static void set_memory(const random_problem *p, test_random *r, char value[RANDOM_VALUE])
{
    long bytes = 4 * (long)p->howmany;
    for (int a = 0; a < p->ndims; a++)
        bytes *= (long)p->sizes[a];
    snprintf(value, RANDOM_VALUE, "%ld",
             bytes / p->nranks * test_random_int(r, 1, 40) + test_random_int(r, 1, 20000));
}

static void set_ranks(const random_problem *p, test_random *r, char value[RANDOM_VALUE])
{
    static const char *const all[] = {"all", "auto"};
    if (p->nworking < p->nranks)
        snprintf(value, RANDOM_VALUE, "%d", p->nworking);
    else
        snprintf(value, RANDOM_VALUE, "%s", all[test_random_int(r, 0, 1)]);
}

/* All hints that are drawn, in this order: the sequence comes before the grid, because the grid depends on
 * the sequence. */
static const hint hints[] = {
    {"subx_sequence", 33, NULL, set_sequence},
    {"subx_input_array", 20, "preserve destroy", NULL},
    {"subx_grid", 75, NULL, set_grid},
    {"strategy", 40, "auto fused fused stride1 natural", NULL},
    {"subx_output_order", 50, "natural transposed", NULL},
    {"subx_scaling", 50, "none forward backward symmetric orthonormal orthonormal", NULL},
    {"serial", 33, NULL, set_serial},
    {"subx_effort", 4, "estimate measure measure patient", NULL},
    {"subx_engine", 35, NULL, set_engine},
    {"between", 12, NULL, set_engine},
    {"window", 25, "1 2 3 5", NULL},
    {"node_ranks", 50, "0 1 2 3 4", NULL},
    {"subx_threads", 10, "1 2 3 5", NULL},
    {"subx_memory", 10, NULL, set_memory},
    {"radix", 25, "2 3 4 5 100", NULL},
    {"check", 20, "auto yes no", NULL},
    {"permute", 33, "send recv", NULL},
    {"overlap", 50, "auto none send receive both", NULL},
    {"slices", 50, "0 1 2 3 4 7 40 1024", NULL},
    {"progress", 33, "0 1 3 16 100000", NULL},
    {"width", 33, "0 1 2 3 16 33 1000", NULL},
    {"pencils", 33, "auto contiguous interleaved", NULL},
    {"cache", 50, "1 600 2000 20000 1310720", NULL},
    {"subx_ranks", 100, NULL, set_ranks},
    {"reorder", 30, "yes yes no", NULL},
    {"subx_wire", 25, "float float full", NULL},
    {NULL, 0, NULL, NULL},
};
extern const char random_hints_have_room[sizeof hints / sizeof *hints <= RANDOM_HINTS ? 1 : -1];

/* The library's hints that are not drawn, because they are about searches, printing, keeping plans, or
 * GPUs. */
static const char *const left_out[] = {
    "rigor",         "subx_wisdom", "subx_time_limit", "subx_memory_kind", "device_carrier",
    "device_reader", "subx_keep",   "subx_verbose",    "subx_tune",        NULL};

static int is_known(const char *key)
{
    for (int i = 0; hints[i].key; i++)
        if (strcmp(hints[i].key, key) == 0)
            return 1;
    for (int i = 0; left_out[i]; i++)
        if (strcmp(left_out[i], key) == 0)
            return 1;
    return 0;
}

void random_hint_check(void)
{
    const char *key = NULL;
    for (int i = 0; EXPECT_OK(subx_fft_query_hint(i, &key, 0, NULL, NULL)) && key; i++) {
        test_context("hint %s, which tests/random/hint.c must draw or leave out", key);
        EXPECT(is_known(key));
    }
    for (int i = 0; test_hint_words[i]; i++) {
        test_context("word %s of subx_tune, which tests/random/hint.c must draw or leave out",
                     test_hint_words[i]);
        EXPECT(is_known(test_hint_words[i]));
    }
}

static void set_word(const char *words, test_random *r, char value[RANDOM_VALUE])
{
    int count = 1;
    for (const char *c = words; *c; c++)
        count += *c == ' ';
    for (int skip = test_random_int(r, 0, count - 1); skip > 0; skip--)
        words = strchr(words, ' ') + 1;
    snprintf(value, RANDOM_VALUE, "%.*s", (int)strcspn(words, " "), words);
}

/* Get how many of 100 problems give a hint. Large problems test how many slices the library chooses, for any
 * grid. So large problems always give a grid, and never slices. They give neither subx_effort nor
 * subx_threads, because measuring takes too long, and many threads are slow on few cores. */
static int get_percent(const random_problem *p, const hint *h)
{
    static const char *const left[] = {"slices", "subx_effort", "subx_threads"};
    for (int i = 0; i < 3; i++)
        if (p->is_large && strcmp(h->key, left[i]) == 0)
            return 0;
    return p->is_large && h->set == set_grid ? 100 : h->percent;
}

/* The longest subx_tune of a problem: an MPI_Info of Open MPI has 255 bytes, and the library adds words. */
enum { MOST_TUNE = 200 };

/* Each hint has its own stream of random numbers, so that a change of one hint does not change the values of
 * others. */
void random_hint_draw(random_problem *p)
{
    size_t used = 0;
    for (int i = 0; hints[i].key; i++) {
        test_random r = random_problem_get_stream(p, RANDOM_STREAM_HINTS + i);
        p->value[i][0] = '\0';
        if (test_random_int(&r, 0, 99) >= get_percent(p, &hints[i]))
            continue;
        if (hints[i].set)
            hints[i].set(p, &r, p->value[i]);
        else
            set_word(hints[i].words, &r, p->value[i]);
        if (strncmp(hints[i].key, "subx_", 5) != 0 && p->value[i][0])
            used += strlen(hints[i].key) + strlen(p->value[i]) + strlen(" , ");
        if (used > MOST_TUNE && strncmp(hints[i].key, "subx_", 5) != 0)
            p->value[i][0] = '\0';
    }
}

const char *random_hint_key(int which)
{
    return hints[which].key;
}

MPI_Info random_hint_create(const random_problem *p)
{
    MPI_Info info;
    MPI_Info_create(&info);
    for (int i = 0; hints[i].key; i++)
        if (p->value[i][0])
            test_hint_set(info, hints[i].key, p->value[i]);
    return info;
}
