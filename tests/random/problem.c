/* problem.c - draw a problem from a seed and a number, and print the command lines that repeat it. */
#include "random/problem.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <subx_fft.h>

/* ---- what is drawn */

/* Awkward lengths: 1, powers of two, primes, about the number of ranks, and any. */
static int draw_length(test_random *r, int nranks)
{
    static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 31, 47, 67, 127};
    int length = nranks + test_random_int(r, -1, 1);
    switch (test_random_int(r, 0, 5)) {
    case 0:
        return 1;
    case 1:
        return 1 << test_random_int(r, 0, 6);
    case 2:
        return primes[test_random_int(r, 0, 12)];
    case 3:
        return length > 0 ? length : 1;
    default:
        return test_random_int(r, 1, 40);
    }
}

/* The axes share the elements in any order, so that each of them may be the long one. */
static void draw_sizes(random_problem *p, test_random *r)
{
    static const ptrdiff_t most[] = {100, 1000, 5000, 20000};
    ptrdiff_t left = most[test_random_int(r, 0, 3)];
    int order[TEST_DFT_NDIMS];
    test_random_permutation(r, p->ndims, order);
    for (int i = 0; i < p->ndims; i++) {
        ptrdiff_t n = draw_length(r, p->nranks);
        if (n > left)
            n = test_random_int(r, 1, (int)left);
        p->sizes[order[i]] = n;
        left /= n;
    }
}

/* Only where messages are of 64 KiB and more does the library choose several slices. A few ranks in a grid of
 * unlike dimensions get different numbers of them. */
static void draw_large(random_problem *p, test_random *r)
{
    static const int mean[TEST_DFT_NDIMS + 1] = {0, 0, 300, 64, 27, 14};
    p->is_large = 1;
    p->nranks = p->world < 4 ? p->world : 2 * test_random_int(r, 2, p->world < 12 ? p->world / 2 : 6);
    for (int a = 0; a < p->ndims; a++)
        p->sizes[a] = test_random_int(r, mean[p->ndims] / 2 + 1, mean[p->ndims] * 3 / 2);
}

/* Forward and backward come with equal odds, one plan after the other or in turns. */
static void draw_runs(random_problem *p, test_random *r)
{
    p->nplans = test_random_int(r, 0, 3) ? 1 : RANDOM_PLANS;
    p->nruns = test_random_int(r, 1, RANDOM_RUNS);
    for (int i = 0; i < p->nruns; i++) {
        random_run *run = &p->run[i];
        run->plan = test_random_int(r, 0, p->nplans - 1);
        run->direction = test_random_int(r, 0, 1) ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
        run->in_place = test_random_int(r, 0, 2) == 0;
        run->may_be_null = test_random_int(r, 0, 1);
        run->factor = (i + 1) * (test_random_int(r, 0, 1) ? 1 : -1);
        for (int k = 0; k < 2; k++) {
            run->is_shared[k] = test_random_int(r, 0, 2) == 0;
            run->shift[k] = test_random_int(r, 0, 3) ? 0 : (int)sizeof(double);
        }
    }
}

random_problem random_problem_draw(uint64_t seed, uint64_t number, int world)
{
    random_problem p = {.seed = seed, .number = number, .world = world};
    test_random r = test_random_stream(seed, 1000 * number);
    p.nranks = test_random_int(&r, 1, world);
    p.is_shuffled = test_random_int(&r, 0, 3) == 0;
    p.kind = test_random_int(&r, SUBX_FFT_C2C, SUBX_FFT_C2R);
    p.ndims = test_random_int(&r, 2, TEST_DFT_NDIMS);
    if (test_random_int(&r, 0, 19) == 0)
        draw_large(&p, &r);
    else
        draw_sizes(&p, &r);
    draw_runs(&p, &r);
    random_hint_draw(&p);
    return p;
}

/* ---- as MPI sees it */

const char *random_problem_get(const random_problem *p, const char *key)
{
    for (int i = 0; i < RANDOM_HINTS; i++)
        if (strcmp(random_hint_key(i), key) == 0)
            return p->value[i];
    return "";
}

MPI_Comm random_problem_comm(const random_problem *p)
{
    test_random r = test_random_stream(p->seed, 1000 * p->number + 999);
    int rank, order[p->world];
    MPI_Comm comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    test_random_permutation(&r, p->world, order);
    const int place = p->is_shuffled ? order[rank] : rank;
    MPI_Comm_split(MPI_COMM_WORLD, place < p->nranks ? 0 : MPI_UNDEFINED, place, &comm);
    return comm;
}

MPI_Info random_problem_hints(const random_problem *p)
{
    MPI_Info info;
    MPI_Info_create(&info);
    for (int i = 0; i < RANDOM_HINTS; i++)
        if (p->value[i][0])
            MPI_Info_set(info, random_hint_key(i), p->value[i]);
    return info;
}

/* ---- as text */

typedef struct line {
    char *text;
    size_t used;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int more = vsnprintf(l->text + l->used, RANDOM_TEXT - l->used, format, args);
    va_end(args);
    l->used += (size_t)more;
    if (l->used >= RANDOM_TEXT)
        l->used = RANDOM_TEXT - 1;
}

/* Hints that subx-fft has no option for are for its environment. */
static void add_command(line *l, const random_problem *p)
{
    char problem[64];
    subx_fft_problem_print(p->kind, p->ndims, p->sizes, sizeof problem, problem, NULL);
    add(l, "  ");
    for (int i = 0; i < RANDOM_HINTS; i++) {
        if (!p->value[i][0] || random_hint_option(i))
            continue;
        for (const char *c = random_hint_key(i); *c; c++)
            add(l, "%c", toupper((unsigned char)*c));
        add(l, "=%s ", p->value[i]);
    }
    add(l, "mpiexec -n %d subx-fft %s", p->nranks, problem);
    for (int i = 0; i < RANDOM_HINTS; i++)
        if (p->value[i][0] && random_hint_option(i))
            add(l, " %s %s", random_hint_option(i), p->value[i]);
    add(l, " --verify --repeat 2x2%s\n", p->is_shuffled ? "   (but there the ranks are in order)" : "");
}

static void add_run(line *l, const random_run *run, int number)
{
    add(l, "    execution %d: plan %d, %s, %s", number, run->plan,
        run->direction == SUBX_FFT_FORWARD ? "forward" : "backward",
        run->in_place ? "in place" : "out of place");
    for (int k = 0; k < (run->in_place ? 1 : 2); k++)
        add(l, ", %s%s", run->is_shared[k] ? "subx_mem_alloc" : "malloc", run->shift[k] ? " + 8" : "");
    add(l, "%s\n", run->may_be_null ? ", NULL without data" : "");
}

void random_problem_print(const random_problem *p, char text[RANDOM_TEXT])
{
    line l = {text, 0};
    text[0] = '\0';
    add_command(&l, p);
    add(&l, "  mpiexec -n %d tests/random/fft --seed %llu --first %llu --count 1\n", p->world,
        (unsigned long long)p->seed, (unsigned long long)p->number);
    for (int i = 0; i < p->nruns; i++)
        add_run(&l, &p->run[i], i);
}
