/* problem.c - draw what is transformed, on which ranks, and how often; answer questions about the problem. */
#include "random/problem.h"
#include "random/storage.h"
#include <stdlib.h>
#include <string.h>

/* ---- kinds */

static int draw_r2r(test_random *r)
{
    return test_random_int(r, SUBX_FFT_DCT1, SUBX_FFT_HC2R);
}

static int draw_any(test_random *r)
{
    switch (test_random_int(r, 0, 3)) {
    case 0:
        return SUBX_FFT_NONE;
    case 1:
        return draw_r2r(r);
    default:
        return SUBX_FFT_C2C;
    }
}

/* All axes are complex, or all have one real-to-real kind, or any mixture; in addition one axis may be
 * halved. A single axis is mostly complex, because several ranks can transform a single axis only if it is
 * complex. */
static void draw_kinds(random_problem *p, test_random *r)
{
    const int style = p->ndims == 1 ? test_random_int(r, 0, 9) / 3 : test_random_int(r, 0, 4),
              same = draw_r2r(r);
    for (int a = 0; a < p->ndims; a++)
        p->kinds[a] = style < 2 ? SUBX_FFT_C2C : style == 2 ? same : draw_any(r);
    if (test_random_int(r, 0, p->ndims == 1 ? 9 : 2) == 0) {
        const int halved = test_random_int(r, 0, 1) ? p->ndims - 1 : test_random_int(r, 0, p->ndims - 1);
        p->kinds[halved] = test_random_int(r, 0, 2) ? SUBX_FFT_R2C : SUBX_FFT_C2R;
    }
}

/* ---- lengths */

/* Draw a length: 1, a power of two, a prime, a length near the number of ranks, or any. */
static int draw_length(test_random *r, int nranks)
{
    static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 31};
    int length = nranks + test_random_int(r, -1, 1);
    switch (test_random_int(r, 0, 6)) {
    case 0:
        return 1;
    case 1:
        return 1 << test_random_int(r, 0, 5);
    case 2:
        return primes[test_random_int(r, 0, 9)];
    case 3:
    case 4:
        return length > 0 ? length : 1;
    default:
        return test_random_int(r, 1, 40);
    }
}

/* Draw lengths. The axes get them in a random order, because the first length may be larger than the others.
 * DCT-I needs two points. */
static void draw_sizes(random_problem *p, test_random *r)
{
    static const ptrdiff_t most[] = {60, 400, 1500, 4000};
    ptrdiff_t left = most[test_random_int(r, 0, 3)] / p->howmany + 1;
    int order[RANDOM_NDIMS];
    test_random_permutation(r, p->ndims, order);
    for (int i = 0; i < p->ndims; i++) {
        ptrdiff_t n = draw_length(r, p->nranks);
        if (n > left)
            n = test_random_int(r, 1, (int)left);
        left /= n;
        p->sizes[order[i]] = n == 1 && p->kinds[order[i]] == SUBX_FFT_DCT1 ? 2 : n;
    }
}

/* Make a problem with long messages: the library chooses several slices only if messages have 64 KiB or
 * more. */
static void draw_large(random_problem *p, test_random *r)
{
    static const int mean[RANDOM_NDIMS + 1] = {0, 16000, 150, 28, 12, 7};
    p->is_large = 1;
    p->howmany = 1;
    p->nranks = p->world < 2 ? p->world : 2;
    for (int a = 0; a < p->ndims; a++)
        p->sizes[a] = test_random_int(r, mean[p->ndims] * 3 / 4, mean[p->ndims] * 5 / 4);
}

/* Draw numbers of modes or points, some of which are less than the lengths of the transforms. */
static void draw_cut(const random_problem *p, test_random *r, int percent, ptrdiff_t lengths[])
{
    const int is_cut = test_random_int(r, 0, 99) < percent;
    for (int a = 0; a < p->ndims; a++) {
        const int is_whole = p->kinds[a] == SUBX_FFT_NONE || p->kinds[a] == SUBX_FFT_HC2R;
        const int n = test_random_int(r, 0, 1) ? (int)p->sizes[a] : test_random_int(r, 1, (int)p->sizes[a]);
        lengths[a] = is_cut && !is_whole ? n : p->sizes[a];
    }
}

static void draw_batch(random_problem *p, test_random *r)
{
    p->howmany = test_random_int(r, 0, 3) ? 1 : test_random_int(r, 2, test_random_int(r, 0, 4) ? 5 : 20);
    p->interleaved = p->howmany > 1 && test_random_int(r, 0, 1);
}

/* ---- executions */

/* Draw executions. All actions are equally likely. There are one or two plans; each execution takes a random
 * plan. */
static void draw_runs(random_problem *p, test_random *r)
{
    p->nplans = test_random_int(r, 0, 4) ? 1 : RANDOM_PLANS;
    p->nruns = test_random_int(r, 1, RANDOM_RUNS);
    for (int i = 0; i < p->nruns; i++) {
        random_run *run = &p->run[i];
        run->plan = test_random_int(r, 0, p->nplans - 1);
        run->action = test_random_int(r, 0, p->has_operation ? RANDOM_CONVOLVE : RANDOM_BACKWARD);
        run->operates = p->has_operation && (run->action == RANDOM_CONVOLVE || test_random_int(r, 0, 1));
        run->in_place = test_random_int(r, 0, 2) == 0;
        run->may_be_null = test_random_int(r, 0, 1);
        run->factor = (1 << i) * (test_random_int(r, 0, 1) ? 1 : -1);
        for (int k = 0; k < 2; k++) {
            run->is_shared[k] = test_random_int(r, 0, 2) == 0;
            const int shift = test_random_int(r, 0, 7);
            run->shift[k] = shift <= 2 ? shift : 0;
        }
    }
}

/* ---- all */

static int draw_precision(test_random *r)
{
    static const int precisions[] = {SUBX_FFT_FLOAT, SUBX_FFT_LONG_DOUBLE, SUBX_FFT_QUAD};
    const int which = test_random_int(r, 0, 15);
    return which < 7 ? precisions[which / 3] : SUBX_FFT_DOUBLE;
}

/* Draw how many ranks work: mostly all. */
static int draw_working(const random_problem *p)
{
    test_random r = random_problem_get_stream(p, RANDOM_STREAM_RANKS);
    const int n = test_random_int(&r, 1, p->nranks);
    return test_random_int(&r, 0, 4) ? p->nranks : n;
}

random_problem random_problem_draw(uint64_t seed, uint64_t number, int world)
{
    random_problem p = {.seed = seed, .number = number, .world = world};
    test_random r = random_problem_get_stream(&p, 0);
    p.nranks = test_random_int(&r, 1, world);
    p.is_shuffled = test_random_int(&r, 0, 3) == 0;
    p.ndims = test_random_int(&r, 1, RANDOM_NDIMS);
    p.precision = draw_precision(&r);
    p.has_operation = test_random_int(&r, 0, p.ndims > 1 ? 3 : 19) == 0;
    draw_kinds(&p, &r);
    draw_batch(&p, &r);
    if (test_random_int(&r, 0, 59) == 0 && p.ndims > 1)
        draw_large(&p, &r);
    else
        draw_sizes(&p, &r);
    p.nworking = draw_working(&p);
    draw_cut(&p, &r, p.ndims > 1 ? 25 : 5, p.modes);
    draw_cut(&p, &r, p.ndims > 1 ? 20 : 5, p.points);
    draw_runs(&p, &r);
    random_storage_draw(&p, &r);
    random_hint_draw(&p);
    return p;
}

test_random random_problem_get_stream(const random_problem *p, int which)
{
    return test_random_stream(p->seed, 1000 * p->number + (uint64_t)which);
}

/* ---- answers that follow from the problem */

const char *random_problem_get(const random_problem *p, const char *key)
{
    for (int i = 0; random_hint_key(i); i++)
        if (strcmp(random_hint_key(i), key) == 0)
            return p->value[i];
    return "";
}

int random_problem_has(const random_problem *p, const char *key, const char *value)
{
    return strcmp(random_problem_get(p, key), value) == 0;
}

int random_problem_get_halved(const random_problem *p)
{
    for (int a = 0; a < p->ndims; a++)
        if (p->kinds[a] == SUBX_FFT_R2C || p->kinds[a] == SUBX_FFT_C2R)
            return a;
    return -1;
}

int random_problem_get_width(const random_problem *p, int side)
{
    if (random_problem_get_halved(p) >= 0)
        return side == SUBX_FFT_PHYSICAL ? 1 : 2;
    for (int a = 0; a < p->ndims; a++)
        if (p->kinds[a] == SUBX_FFT_C2C)
            return 2;
    return 1;
}

ptrdiff_t random_problem_get_length(const random_problem *p, int side, int axis)
{
    if (side == SUBX_FFT_PHYSICAL)
        return p->points[axis];
    return axis == random_problem_get_halved(p) ? p->modes[axis] / 2 + 1 : p->modes[axis];
}

int random_problem_is_factored(const random_problem *p)
{
    return p->ndims == 1 && p->nworking > 1 && p->kinds[0] != SUBX_FFT_NONE;
}

/* List the transformed axes: the axis that is transformed first is at the end of the list. The hint
 * subx_sequence gives the order of the transforms. Without this hint, the halved axis is transformed first,
 * then the others, from the last axis to the first. Returns the number of transformed axes. */
static int get_transformed(const random_problem *p, int list[])
{
    const int halved = random_problem_get_halved(p);
    const char *text = random_problem_get(p, "subx_sequence");
    int n = 0, reverse[RANDOM_NDIMS];
    for (; *text; text += *text == ',')
        reverse[n++] = (int)strtol(text, (char **)&text, 10);
    if (n == 0 && halved >= 0)
        reverse[n++] = halved;
    for (int a = p->ndims - 1; a >= 0 && !*random_problem_get(p, "subx_sequence"); a--)
        if (p->kinds[a] != SUBX_FFT_NONE && a != halved)
            reverse[n++] = a;
    for (int i = 0; i < n; i++)
        list[i] = reverse[n - 1 - i];
    return n;
}

int random_problem_get_sequence(const random_problem *p, int *nfixed, int sequence[])
{
    int n = 0;
    for (int a = 0; a < p->ndims; a++)
        if (p->kinds[a] == SUBX_FFT_NONE)
            sequence[n++] = a;
    *nfixed = n;
    n += get_transformed(p, sequence + n);
    return n > *nfixed && n > 1 ? n - 1 : n;
}

MPI_Comm random_problem_comm(const random_problem *p)
{
    test_random r = random_problem_get_stream(p, 999);
    int rank, order[p->world];
    MPI_Comm comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    test_random_permutation(&r, p->world, order);
    const int place = p->is_shuffled ? order[rank] : rank;
    MPI_Comm_split(MPI_COMM_WORLD, place < p->nranks ? 0 : MPI_UNDEFINED, place, &comm);
    return comm;
}
