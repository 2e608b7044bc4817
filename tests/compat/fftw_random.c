/* fftw_random.c - random requests of FFTW's MPI interface: of every planner, in all precisions, with all
 * flags, also with sizes and kinds that do not exist. Results are compared with the serial library. Where
 * FFTW's MPI library has no plan, ours has none. Some plans are executed so often that ours and FFTW's have
 * taken turns, and the faster one is kept. The report has a line for each kind of request.
 *
 * make check runs the first requests of a fixed seed. To run others, in the build folder:
 *
 *   mpiexec -n 3 tests/compat/fftw_random --seed 1 --first 0 --count 3000
 *   mpiexec -n 3 tests/compat/fftw_random --seed 1 --first 17 --count 1 --stock
 *
 * With --stock, FFTW's own library gets the requests. It may crash, so for each request a line with the
 * outcome is printed.
 * ranks: 1 2 3 7 */
#define _GNU_SOURCE
#include "compat/fftw_random.h"
#include "common/verdict.h"
#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many requests make check runs, and the most seconds of one. */
enum { COUNT = 100, SECONDS = 60 };

/* ---- functions of both libraries */

/* FFTW's library is loaded by its name. Its planners call each other by names that lead to ours. Only these
 * call no other one. */
static const planner guru[] = {
    [DFT] = GURU_DFT, [R2C] = MANY_R2C, [C2R] = MANY_C2R, [R2R] = GURU_R2R, [TRANSPOSE] = MANY_TRANSPOSE};

static void *open_stock(const char *name)
{
    static void *opened[3];
    const char *letter = name + strlen("fftw");
    const int which = *letter == 'f' ? 1 : *letter == 'l' ? 2 : 0;
    char file[64];
    snprintf(file, sizeof file, "libfftw3%s_mpi.so.3", letter);
#ifdef SX_HAVE_FFTW3_MPI
    if (!opened[which])
        opened[which] = dlopen(file, RTLD_NOW | RTLD_LOCAL);
#endif
    return opened[which];
}

test_function test_fftw_find(const char *name, const char *what, int is_stock)
{
    char symbol[96];
    test_function function = NULL;
    snprintf(symbol, sizeof symbol, "%s%s", name, what);
    void *address = dlsym(is_stock ? open_stock(name) : RTLD_DEFAULT, symbol);
    memcpy(&function, &address, sizeof function);
    return function;
}

/* ---- drawing */

static int is_one_in(test_random *r, int n)
{
    return test_random_int(r, 1, n) == 1;
}

static int get_family(planner p)
{
    return p < GURU_R2R         ? DFT
           : p < MANY_R2C       ? R2R
           : p < MANY_C2R       ? R2C
           : p < MANY_TRANSPOSE ? C2R
                                : TRANSPOSE;
}

static int has_blocks(planner p)
{
    return p == MANY_DFT || p == MANY_R2R || p == MANY_R2C || p == MANY_C2R || p == MANY_TRANSPOSE;
}

static int is_guru(planner p)
{
    return p == GURU_DFT || p == GURU_R2R;
}

static int draw_ndims(test_random *r, planner p)
{
    switch (p) {
    case DFT_1D:
        return 1;
    case DFT_2D:
    case R2R_2D:
    case R2C_2D:
    case C2R_2D:
    case MANY_TRANSPOSE:
    case PLAN_TRANSPOSE:
        return 2;
    case DFT_3D:
    case R2R_3D:
    case R2C_3D:
    case C2R_3D:
        return 3;
    default:
        return is_one_in(r, 5) ? 1 : test_random_int(r, 2, NDIMS);
    }
}

/* Sizes and kinds that do not exist, and sizes whose arrays no memory has. */
static void draw_strange(test_random *r, request *q)
{
    static const length sizes[] = {0, -1, (length)1 << 40};
    const int axis = test_random_int(r, 0, q->d - 1);
    q->is_strange = 1;
    if (q->family == R2R && is_one_in(r, 2))
        q->kind[axis] = (fftw_r2r_kind)(is_one_in(r, 2) ? 99 : FFTW_RODFT11 + 1);
    else
        q->n[axis] = sizes[test_random_int(r, 0, 2)];
    if (is_one_in(r, 3))
        q->n[q->d - 1] = sizes[2];
}

static length draw_block(test_random *r, length n)
{
    if (!is_one_in(r, 3) || n < 1)
        return 0;
    const int parts = test_random_int(r, 1, 5);
    return (n + parts - 1) / parts + (is_one_in(r, 4) ? test_random_int(r, 0, 3) : 0);
}

/* Real transforms have no order of their own for transposed real data, and scrambled data only has one axis.
 * FFTW gets such flags nevertheless, but seldom. */
static unsigned draw_flags(test_random *r, const request *q)
{
    static const unsigned efforts[] = {FFTW_MEASURE, FFTW_PATIENT, FFTW_EXHAUSTIVE};
    unsigned flags =
        is_one_in(r, 3) ? efforts[is_one_in(r, 6) ? test_random_int(r, 1, 2) : 0] : FFTW_ESTIMATE;
    const int is_wild = is_one_in(r, 30);
    flags |= is_one_in(r, 4) ? FFTW_DESTROY_INPUT : is_one_in(r, 4) ? FFTW_PRESERVE_INPUT : 0;
    flags |= is_one_in(r, 3) ? FFTW_UNALIGNED : 0;
    flags |= is_one_in(r, 15) ? FFTW_WISDOM_ONLY : 0;
    flags |= is_one_in(r, 15) ? FFTW_CONSERVE_MEMORY : 0;
    if (is_wild || q->d > 1) {
        flags |= (is_wild || q->family != R2C) && is_one_in(r, 2) ? TRANSPOSED_IN : 0;
        flags |= (is_wild || q->family != C2R) && is_one_in(r, 2) ? TRANSPOSED_OUT : 0;
    }
    if (is_wild || (q->d == 1 && q->family == DFT)) {
        flags |= is_one_in(r, 3) ? SCRAMBLED_IN : 0;
        flags |= is_one_in(r, 3) ? SCRAMBLED_OUT : 0;
    }
    return flags;
}

/* Set the blocks of all axes. On each side one axis is divided: the first, or the second if the side is
 * transposed. Guru planners may divide any axes. */
static void set_dims(test_random *r, request *q)
{
    const int from = q->family != TRANSPOSE && q->d > 1 && q->flags & TRANSPOSED_IN;
    const int to = q->family == TRANSPOSE || (q->d > 1 && q->flags & TRANSPOSED_OUT);
    if (has_blocks(q->planner)) {
        q->block[0] = draw_block(r, q->n[from]);
        q->block[1] = draw_block(r, q->n[to]);
    }
    for (int i = 0; i < q->d; i++)
        q->dim[i] = (dim){q->n[i], q->n[i], q->n[i]};
    q->dim[from].ib = q->block[0];
    q->dim[to].ob = q->block[1];
    if (is_guru(q->planner) && is_one_in(r, 3))
        for (int i = 0; i < q->d; i++)
            q->dim[i] = (dim){q->n[i], draw_block(r, q->n[i]), draw_block(r, q->n[i])};
}

static request draw(test_random *r)
{
    static const int most[] = {200, 24, 10, 6};
    request q = {.planner = (planner)test_random_int(r, 0, PLANNERS - 1), .howmany = 1};
    q.family = get_family(q.planner);
    q.is_f03 = !is_guru(q.planner) && is_one_in(r, 3);
    q.d = draw_ndims(r, q.planner);
    q.sign = q.family != DFT ? 0 : is_one_in(r, 2) ? FFTW_FORWARD : FFTW_BACKWARD;
    q.is_in_place = is_one_in(r, 2);
    q.group = test_random_int(r, 0, GROUPS - 1);
    if (has_blocks(q.planner) || is_guru(q.planner))
        q.howmany = is_one_in(r, 2) ? 1 : test_random_int(r, 0, 6);
    for (int i = 0; i < q.d; i++) {
        q.n[i] = is_one_in(r, 8) ? 1 : test_random_int(r, 1, most[q.d - 1]);
        q.kind[i] = (fftw_r2r_kind)test_random_int(r, FFTW_R2HC, FFTW_RODFT11);
    }
    if (is_one_in(r, 12))
        draw_strange(r, &q);
    q.flags = draw_flags(r, &q);
    set_dims(r, &q);
    if (is_one_in(r, 50) && (has_blocks(q.planner) || is_guru(q.planner)))
        q.howmany = -1;
    q.executions = q.flags & FFTW_ESTIMATE && is_one_in(r, 3) ? 18 : 3;
    q.shift = is_one_in(r, 3) ? test_random_int(r, 0, 7) : 0;
    q.new_shift = q.flags & FFTW_UNALIGNED ? test_random_int(r, 0, 7) : q.shift;
    q.is_strange = q.is_strange || q.howmany < 1;
    return q;
}

/* Extreme shapes, for which FFTW's own library may be wrong on several ranks. */
enum { THIN = 24 };

static request get_thin(test_random *r, int i)
{
    static const length shapes[][NDIMS] = {{98, 1}, {1, 1}, {1, 50}, {6, 1, 5}, {1, 1, 9}, {5, 1, 1, 7}};
    static const int ndims[] = {2, 2, 2, 3, 3, 4};
    static const planner planners[] = {PLAN_DFT, PLAN_R2C, PLAN_C2R, PLAN_R2R};
    request q = {
        .planner = planners[i % 4], .family = i % 4, .d = ndims[i / 4], .howmany = 1, .executions = 3};
    memcpy(q.n, shapes[i / 4], sizeof q.n);
    for (int k = 0; k < q.d; k++)
        q.kind[k] = FFTW_REDFT10;
    q.sign = q.family == DFT ? FFTW_FORWARD : 0;
    q.is_in_place = (i / 4 + i / 8) % 2;
    q.flags = i % 3 ? FFTW_ESTIMATE : FFTW_MEASURE;
    q.flags |= (i + i / 4) % 2 ? 0 : q.family == C2R ? TRANSPOSED_IN : TRANSPOSED_OUT;
    set_dims(r, &q);
    return q;
}

static int is_scrambled(const request *q)
{
    return q->family == DFT && q->d == 1 && q->flags & (SCRAMBLED_IN | SCRAMBLED_OUT);
}

/* Query whether there must be a plan on n ranks: the transform exists, and the blocks divide an axis among
 * the ranks. FFTW has no order of its own for transposed real data. */
static int must_plan(const request *q, int n)
{
    const int from = q->d > 1 && q->flags & TRANSPOSED_IN, to = q->d > 1 && q->flags & TRANSPOSED_OUT;
    const int is_real[] = {q->family == R2C, q->family == C2R};
    if (q->is_strange || is_guru(q->planner) || q->flags & (FFTW_WISDOM_ONLY | SCRAMBLED_IN | SCRAMBLED_OUT))
        return 0;
    if (q->family == TRANSPOSE ||
        (q->d == 1 && (is_real[0] || is_real[1] || q->flags & (TRANSPOSED_IN | TRANSPOSED_OUT))))
        return q->family == TRANSPOSE && !q->block[0] && !q->block[1];
    for (int i = 0; i < q->d; i++)
        if (q->family == R2R && q->kind[i] == FFTW_REDFT00 && q->n[i] == 1)
            return 0;
    return !(is_real[0] && from) && !(is_real[1] && to) && (!q->block[0] || q->block[0] * n >= q->n[from]) &&
           (!q->block[1] || q->block[1] * n >= q->n[to]);
}

request test_fftw_get_inverse(const request *q)
{
    request back = *q;
    back.sign = -q->sign;
    back.flags &= ~(SCRAMBLED_IN | SCRAMBLED_OUT);
    back.flags |=
        (q->flags & SCRAMBLED_IN ? SCRAMBLED_OUT : 0) | (q->flags & SCRAMBLED_OUT ? SCRAMBLED_IN : 0);
    return back;
}

/* ---- shares of ranks */

/* This rank's part of a side: which elements, and how they lie in its memory, the slowest axis first. */
typedef struct share {
    int d, order[NDIMS];
    length n[NDIMS], len[NDIMS], start[NDIMS], stored[NDIMS];
    length width; /* number of reals per element */
} share;

ptrdiff_t fftw_mpi_local_size_guru(int d, const dim *dim, ptrdiff_t howmany, MPI_Comm comm, ptrdiff_t *ni,
                                   ptrdiff_t *starti, ptrdiff_t *no, ptrdiff_t *starto, int sign,
                                   unsigned flags);

static int is_immense(const request *q)
{
    for (int i = 0; i < q->d; i++)
        if (q->n[i] < 1 || q->n[i] > 1000)
            return 1;
    return q->howmany < 0;
}

/* Get the shares of both sides. Returns the reals of the local arrays. */
static length get_shares(const request *q, MPI_Comm comm, share side[2])
{
    const int is_halved = q->family == R2C || q->family == C2R;
    dim half[NDIMS];
    if (is_immense(q))
        return 1 << 12;
    memcpy(half, q->dim, sizeof half);
    if (is_halved) {
        dim *last = &half[q->d - 1];
        last->n = last->n / 2 + 1;
        last->ib = last->ib < last->n ? last->ib : last->n;
        last->ob = last->ob < last->n ? last->ob : last->n;
    }
    const length all = fftw_mpi_local_size_guru(q->d, half, q->howmany, comm, side[0].len, side[0].start,
                                                side[1].len, side[1].start, q->sign, q->flags);
    for (int k = 0; k < 2; k++) {
        const int is_real = q->family >= R2R || q->family == (k ? C2R : R2C);
        const unsigned flag = k ? TRANSPOSED_OUT : TRANSPOSED_IN;
        const int is_swapped = q->d > 1 && (q->family == TRANSPOSE && k) != !!(q->flags & flag);
        share *s = &side[k];
        s->d = q->d;
        s->width = q->howmany * (is_real ? 1 : 2);
        for (int i = 0; i < q->d; i++) {
            s->order[i] = is_swapped && i < 2 ? 1 - i : i;
            s->n[i] = is_real ? q->n[i] : half[i].n;
            s->stored[i] = s->len[i];
        }
        if (is_halved && is_real) {
            s->stored[q->d - 1] = 2 * s->len[q->d - 1];
            s->len[q->d - 1] = q->n[q->d - 1];
        }
    }
    return q->family >= R2R ? all : 2 * all;
}

/* Query whether the input must be unchanged. FFTW may destroy the input of transforms from complex to
 * real. */
static int keeps_input(const request *q)
{
    if (q->is_in_place || q->flags & FFTW_DESTROY_INPUT)
        return 0;
    for (int i = 0; i < q->d; i++)
        if (q->family == C2R || (q->family == R2R && q->kind[i] == FFTW_HC2R))
            return (q->flags & FFTW_PRESERVE_INPUT) != 0;
    return 1;
}

/* ---- precisions */

#define REAL double
#define CALL(name) fftw_##name
#define BODY(name) name##_double
#define NAME "fftw"
#define EPSILON 2e-16
#include "compat/fftw_random_body.h"
#undef REAL
#undef CALL
#undef BODY
#undef NAME
#undef EPSILON

#ifdef HAVE_FFTW3F
#define REAL float
#define CALL(name) fftwf_##name
#define BODY(name) name##_single
#define NAME "fftwf"
#define EPSILON 1e-7
#include "compat/fftw_random_body.h"
#undef REAL
#undef CALL
#undef BODY
#undef NAME
#undef EPSILON
#endif

#ifdef HAVE_FFTW3L
#define REAL long double
#define CALL(name) fftwl_##name
#define BODY(name) name##_long
#define NAME "fftwl"
#define EPSILON 1e-18
#include "compat/fftw_random_body.h"
#endif

typedef struct precision {
    const char *name;
    outcome (*run)(const request *, test_random *, MPI_Comm, int is_stock);
    int (*has_stock_plan)(const request *, MPI_Comm);
} precision;

static const precision precisions[] = {
    {"fftw", run_double, has_stock_plan_double},
#ifdef HAVE_FFTW3F
    {"fftwf", run_single, has_stock_plan_single},
#endif
#ifdef HAVE_FFTW3L
    {"fftwl", run_long, has_stock_plan_long},
#endif
};

/* ---- running */

static MPI_Comm create_comm(int group)
{
    MPI_Comm comm;
    if (group == COPY)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    else
        MPI_Comm_split(MPI_COMM_WORLD,
                       group == SELF     ? test_rank
                       : group == HALVES ? test_rank % 2
                                         : 0,
                       group == REVERSED ? -test_rank : test_rank, &comm);
    return comm;
}

/* Query whether FFTW's own library can be asked. It may crash if an axis has one element, or with other than
 * its default blocks; if an array is too large for the memory, it ends the program. */
static int is_harmless(const request *q)
{
    for (int i = 0; i < q->d; i++)
        if (q->n[i] == 1 || q->n[i] > 1000)
            return 0;
    return !q->block[0] && !q->block[1] && !is_guru(q->planner) && (q->d > 1 || q->family != R2R);
}

typedef struct settings {
    uint64_t seed, first, count;
    int is_stock;
} settings;

typedef struct tally {
    int outcomes[OUTCOMES], asked,
        theirs; /* asked: FFTW's library was; theirs: only that library has a plan */
} tally;

static const char *const words[] = {"no plan", "a plan", "right", "WRONG", "OVERWRITTEN"};
static char current[512];

/* A request that takes too long, or that crashes, is printed before the program ends. */
static void bark(int number)
{
    const char *word = number == SIGALRM ? "HANG: " : "CRASH: ";
    if (write(STDOUT_FILENO, word, strlen(word)) < 0 || write(STDOUT_FILENO, current, strlen(current)) < 0)
        _exit(2);
    _exit(1);
}

static void describe(const request *q, const precision *p, uint64_t number)
{
    char sizes[128] = "", kinds[64] = "";
    for (int i = 0; i < q->d; i++) {
        snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), "%s%td/%td/%td", i ? " x " : "",
                 q->dim[i].n, q->dim[i].ib, q->dim[i].ob);
        snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), " %d", (int)q->kind[i]);
    }
    snprintf(
        current, sizeof current,
        "request %d: %s planner %d%s, %s (length/blocks) * %td, kinds%s, sign %d, flags %x, in place %d, group %d, "
        "shifts %d %d, %d executions\n",
        (int)number, p->name, (int)q->planner, q->is_f03 ? " f03" : "", sizes, q->howmany, kinds, q->sign,
        q->flags, q->is_in_place, q->group, q->shift, q->new_shift, q->executions);
    test_context("%s", current);
    alarm(SECONDS);
}

/* All ranks of the communicator must have a plan, or none. */
static outcome agree(const request *q, outcome mine, MPI_Comm comm)
{
    int least = mine == NONE, most = (int)mine, size;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm);
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MAX, comm);
    MPI_Comm_size(comm, &size);
    EXPECT(most == NONE || !least);
    EXPECT(most != NONE || !must_plan(q, size));
    return (outcome)most;
}

/* Run a random request, or with thin >= 0 the one of this number in get_thin. */
static void run(const settings *s, uint64_t number, int thin, tally *t)
{
    test_random r = test_random_stream(s->seed, number);
    const precision *p = &precisions[test_random_int(&r, 0, sizeof precisions / sizeof *precisions - 1)];
    const request q = thin < 0 ? draw(&r) : get_thin(&r, thin);
    describe(&q, p, number);
    MPI_Comm comm = q.group == WORLD ? MPI_COMM_WORLD : create_comm(q.group);
    const outcome one = agree(&q, p->run(&q, &r, comm, s->is_stock), comm);
    t->outcomes[one]++;
    if (!s->is_stock)
        EXPECT(one != WRONG && one != OVERWRITTEN);
    else if (test_rank == 0) {
        printf("%s: %s", words[one], current);
        fflush(stdout);
    }
    if (!s->is_stock && is_harmless(&q) && open_stock(p->name)) {
        const int theirs = p->has_stock_plan(&q, comm);
        t->asked++;
        t->theirs += theirs && one == NONE;
        EXPECT(theirs || one == NONE);
    }
    if (comm != MPI_COMM_WORLD)
        MPI_Comm_free(&comm);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Every line of the report must have numbers of plans and executions, and times. Most requests that were
 * right must have a line with executions. If FFTW's own MPI library is installed, some lines must compare
 * with its plans. */
static void check_report(const char *path, const tally *t)
{
    char line[512];
    int executed = 0, compared = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        double planning[2] = {0, 0}, seconds = 0, one[2] = {0, 0};
        long plans = 0, executions = 0;
        const char *at = strstr(line, " ranks: "), *counts = at ? strrchr(at, ':') : NULL;
        const int n =
            !counts ? 0
                    : sscanf(counts,
                             ": %ld plans, planned in %lg s by ours and %lg s by FFTW; %ld executions "
                             "in %lg s; when compared, one took %lg s with ours and %lg s with FFTW",
                             &plans, &planning[0], &planning[1], &executions, &seconds, &one[0], &one[1]);
        test_context("report: %s", line);
        EXPECT((n == 5 || n == 7) && plans + executions > 0 && (executions > 0) == (seconds > 0));
        EXPECT(n != 7 || (planning[1] > 0 && one[0] > 0 && one[1] > 0));
        executed += executions > 0;
        compared += n == 7;
    }
    test_context("report: %d executed, %d compared", executed, compared);
    EXPECT(executed > t->outcomes[RIGHT] / 2);
#ifdef SX_HAVE_FFTW3_MPI
    EXPECT(compared > 0);
#endif
    if (EXPECT(file))
        fclose(file);
    (void)remove(path);
}

static void call_all(const char *what, int is_stock)
{
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++)
        test_fftw_find(precisions[i].name, what, is_stock)();
}

static int read_settings(int argc, char **argv, settings *s)
{
    *s = (settings){test_seed(), 0, COUNT, 0};
    for (int i = 1; i < argc; i++) {
        uint64_t *const value = strcmp(argv[i], "--seed") == 0    ? &s->seed
                                : strcmp(argv[i], "--first") == 0 ? &s->first
                                : strcmp(argv[i], "--count") == 0 ? &s->count
                                                                  : NULL;
        if (value && i + 1 < argc)
            *value = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--stock") == 0)
            s->is_stock = 1;
        else
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGALRM, SIGSEGV, SIGABRT, SIGFPE};
    settings s;
    tally t = {{0}, 0, 0};
    char path[] = "/tmp/subx-fftw-report.XXXXXX";
    test_begin(&argc, &argv);
    if (!EXPECT(read_settings(argc, argv, &s)))
        return test_end();
    setenv("SUBX_FFTW3MPI_STOCK", "load", 0);
    for (int i = 0; i < 4; i++)
        signal(signals[i], bark);
    if (test_rank == 0 && EXPECT(close(mkstemp(path)) == 0))
        setenv("SUBX_FFTW3MPI_REPORT", path, 1);
    /* These variables are for plans of our own interface. They must not change the results here. */
    setenv("SUBX_SCALING", "forward", 1);
    setenv("SUBX_OUTPUT_ORDER", "transposed", 1);
    setenv("SUBX_RANKS", "1", 1);
    setenv("SUBX_TUNE", "reorder yes", 1);
    call_all("_mpi_init", s.is_stock);
    for (uint64_t i = 0; i < s.count; i++)
        run(&s, s.first + i, -1, &t);
    for (int i = 0; i < THIN && s.count >= COUNT; i++)
        run(&s, (uint64_t)i, i, &t);
    alarm(0);
    call_all("_mpi_cleanup", s.is_stock);
    if (test_rank == 0 && !s.is_stock && s.count >= COUNT)
        check_report(path, &t);
    if (test_rank == 0)
        printf(
            "fftw_random: seed %d, requests %d to %d: %d right, %d planned, %d without a plan, %d wrong; FFTW asked in %d cases, "
            "only FFTW has a plan in %d\n",
            (int)s.seed, (int)s.first, (int)(s.first + s.count) - 1, t.outcomes[RIGHT], t.outcomes[MADE],
            t.outcomes[NONE], t.outcomes[WRONG] + t.outcomes[OVERWRITTEN], t.asked, t.theirs);
    return test_end();
}
