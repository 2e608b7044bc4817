/* hint.c - draw a value for each hint that a plan knows: any word, small and large numbers, any grid. */
#include "random/problem.h"
#include "common/engine.h"
#include <stdio.h>
#include <string.h>
#include <subx_fft.h>

typedef struct hint {
    const char *key, *option; /* option: of subx-fft, NULL if it has none */
    int percent;              /* how often the hint is given              */
    const char *words;        /* one of these, or what `set` draws        */
    void (*set)(const random_problem *p, test_random *r, char value[RANDOM_VALUE]);
} hint;

/* More often one between 1 and n than these two. */
static int get_divisor(test_random *r, int n)
{
    int d = 1;
    for (int tries = 0; tries < 3 && (d == 1 || d == n); tries++)
        do
            d = test_random_int(r, 1, n);
        while (n % d);
    return d;
}

/* Any factors of the number of ranks, in any order; some of them left to the library. */
static void set_grid(const random_problem *p, test_random *r, char value[RANDOM_VALUE])
{
    const int g = test_random_int(r, 1, p->ndims - 1);
    int factor[TEST_DFT_NDIMS], order[TEST_DFT_NDIMS], left = p->nranks, used = 0;
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

/* A cap that some plans exceed, and others only with overlap. */
static void set_memory(const random_problem *p, test_random *r, char value[RANDOM_VALUE])
{
    long bytes = 4;
    for (int a = 0; a < p->ndims; a++)
        bytes *= (long)p->sizes[a];
    snprintf(value, RANDOM_VALUE, "%ld",
             bytes / p->nranks * test_random_int(r, 1, 40) + test_random_int(r, 1, 20000));
}

static const hint hints[RANDOM_HINTS] = {
    {"subx_grid", "--grid", 75, NULL, set_grid},
    {"subx_strategy", "--strategy", 66, "auto fused fused stride1 natural", NULL},
    {"subx_output", "--output-order", 50, "natural transposed", NULL},
    {"subx_scaling", "--scaling", 50, "none forward backward symmetric", NULL},
    {"subx_serial", "--serial", 33, NULL, set_serial},
    {"subx_effort", "--effort", 8, "estimate measure measure patient", NULL},
    {"subx_engine", "--engine", 50, NULL, set_engine},
    {"subx_between", NULL, 20, NULL, set_engine},
    {"subx_window", NULL, 25, "1 2 3 5", NULL},
    {"subx_node_ranks", NULL, 50, "0 1 2 3 4", NULL},
    {"subx_threads", "--threads", 10, "1 2 3 5", NULL},
    {"subx_memory", NULL, 10, NULL, set_memory},
    {"subx_radix", NULL, 25, "2 3 4 5 100", NULL},
    {"subx_check", NULL, 20, "auto yes no", NULL},
    {"subx_permute", "--permute", 33, "send recv", NULL},
    {"subx_overlap", "--overlap", 50, "auto none send receive both", NULL},
    {"subx_slices", "--slices", 50, "0 1 2 3 4 7 40 1024", NULL},
    {"subx_progress", "--progress", 33, "0 1 3 16 100000", NULL},
    {"subx_width", "--width", 33, "0 1 2 3 16 33 1000", NULL},
    {"subx_pencils", "--pencils", 33, "auto contiguous interleaved", NULL},
    {"subx_cache", "--cache", 50, "1 600 2000 20000 1310720", NULL},
};

static void set_word(const char *words, test_random *r, char value[RANDOM_VALUE])
{
    int count = 1;
    for (const char *c = words; *c; c++)
        count += *c == ' ';
    for (int skip = test_random_int(r, 0, count - 1); skip > 0; skip--)
        words = strchr(words, ' ') + 1;
    snprintf(value, RANDOM_VALUE, "%.*s", (int)strcspn(words, " "), words);
}

/* Long messages are for the slices that the library chooses, on any grid. Measuring, or many threads on few
 * cores, would take too long there. */
static int get_percent(const random_problem *p, const hint *h)
{
    static const char *const left[] = {"subx_slices", "subx_effort", "subx_threads"};
    for (int i = 0; i < 3; i++)
        if (p->is_large && strcmp(h->key, left[i]) == 0)
            return 0;
    return p->is_large && h->set == set_grid ? 100 : h->percent;
}

/* Each hint has random numbers of its own: a change to one leaves the values of the others. */
void random_hint_draw(random_problem *p)
{
    for (int i = 0; i < RANDOM_HINTS; i++) {
        test_random r = test_random_stream(p->seed, 1000 * p->number + (uint64_t)i + 1);
        p->value[i][0] = '\0';
        if (test_random_int(&r, 0, 99) >= get_percent(p, &hints[i]))
            continue;
        if (hints[i].set)
            hints[i].set(p, &r, p->value[i]);
        else
            set_word(hints[i].words, &r, p->value[i]);
    }
}

const char *random_hint_key(int which)
{
    return hints[which].key;
}

const char *random_hint_option(int which)
{
    return hints[which].option;
}
