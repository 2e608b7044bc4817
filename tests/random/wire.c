/* wire.c - random transforms whose messages carry floats (hint subx_wire), compared with the same plan in
 * full precision. The error must not exceed the plan's bound. If the size of the error can be predicted, the
 * error must have this size: one rounding per exchange. The plan must send fewer bytes. If nothing is sent as
 * floats, results must be equal to the last bit.
 *
 * ./check runs 40 problems of a fixed seed. To run more, or a single one, in the build folder:
 *
 *   RANDOM_COUNT=1000 TEST_SECONDS=900 make check TESTS=tests/random/wire
 *   mpiexec -n 4 tests/random/wire --count 1000
 *   mpiexec -n 4 tests/random/wire --first 17 --count 1
 *
 * ranks: 1 2 3 4 7 */
#include "common/verdict.h"
#include "random/bound.h"
#include "random/part.h"
#include "random/storage.h"
#include "random/watch.h"
#include "unit/real.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

/* ---- which problems */

static void set_value(random_problem *p, const char *key, const char *value)
{
    for (int i = 0; random_hint_key(i); i++)
        if (strcmp(random_hint_key(i), key) == 0)
            snprintf(p->value[i], RANDOM_VALUE, "%s", value);
}

/* Change the problem so that all axes are complex, there are enough elements to average over, and the grid
 * has slabs or pencils. */
static void simplify(random_problem *p, test_random *r)
{
    enum { LENGTH = 5, MORE = 15 };
    p->ndims = p->ndims < 2 ? 2 : p->ndims > 3 ? 3 : p->ndims;
    p->precision = SUBX_FFT_DOUBLE;
    p->padded = 0;
    for (int side = 0; side < 2; side++)
        p->side[side] = (random_side){.has_order = 0};
    for (int a = 0; a < p->ndims; a++) {
        p->kinds[a] = SUBX_FFT_C2C;
        p->sizes[a] = p->modes[a] = p->points[a] =
            test_random_int(r, LENGTH, LENGTH + MORE) * (p->ndims == 2 ? 3 : 1);
    }
    set_value(p, "subx_sequence", "");
    set_value(p, "subx_grid", p->ndims == 3 && p->nworking == 4 ? "2x2" : "");
}

/* Returns 1 if the problem is to be tested. If the program has several ranks, problems without messages, with
 * long messages, or in single precision are rejected; but after nine rejections the next problem is tested in
 * any case. */
static int is_wanted(const random_problem *p, int tries)
{
    return test_nranks == 1 || tries % 10 == 9 ||
           (p->nworking > 1 && p->precision != SUBX_FFT_FLOAT && !p->is_large);
}

/* Draw a problem. Most problems have messages, because their engine sends messages, or because their nodes
 * are small. The two plans of a problem must differ in subx_wire only. So hints by which the library might
 * choose two different plans, such as a limit on memory, are removed. */
static random_problem draw(uint64_t seed, uint64_t number)
{
    enum { TRIES = 20 };
    static const char *const engines[] = {"alltoallv", "pairwise", "kway", "persistent", "node"};
    random_problem p;
    int tries = 0;
    do
        p = random_problem_draw(seed, TRIES * number + (uint64_t)tries, test_nranks);
    while (!is_wanted(&p, tries++));
    test_random r = random_problem_get_stream(&p, RANDOM_STREAM_WIRE);
    const int engine = test_random_int(&r, 0, 9);
    if (test_random_int(&r, 0, 3) == 0)
        simplify(&p, &r);
    set_value(&p, "subx_wire", "");
    set_value(&p, "subx_effort", "");
    set_value(&p, "subx_memory", "");
    set_value(&p, "reorder", "");
    set_value(&p, "between", "");
    if (random_problem_has(&p, "subx_ranks", "auto"))
        set_value(&p, "subx_ranks", "all");
    if (engine < 8) {
        set_value(&p, "subx_engine", engines[engine < 5 ? engine : 1]);
        set_value(&p, "strategy", test_random_int(&r, 0, 9) ? "" : "stride1");
    }
    if (engine == 4)
        set_value(&p, "node_ranks", test_random_int(&r, 0, 1) ? "1" : "2");
    return p;
}

/* ---- a plan, and one execution */

/* An execution, and its result: on all ranks, all elements in C order, as pairs. */
typedef struct run {
    int direction, in_place, is_started; /* direction: RANDOM_FORWARD or RANDOM_BACKWARD */
    random_bound bound;
    double sent;                 /* bytes that all ranks send in exchanges */
    int g, dims[SUBX_NDIMS_MAX]; /* the process grid */
    ptrdiff_t n;                 /* number of reals in the result */
    long double *result;         /* the caller frees it */
} run;

typedef struct problem {
    const random_problem *p;
    MPI_Comm comm;
    int rank;
    subx_fft_problem made;
    random_field field;
    int failures;
} problem;

/* Create a plan with a value of subx_wire; NULL: without the hint. Returns the kind of the error. */
static int create_plan(problem *q, const char *wire, subx_fft_plan *plan)
{
    MPI_Info hints = random_hint_create(q->p);
    if (wire)
        MPI_Info_set(hints, "subx_wire", wire);
    random_watch_phase("subx_fft_plan_create_problem");
    const int rc = subx_fft_plan_create_problem(q->comm, q->made, hints, plan);
    MPI_Info_free(&hints);
    return rc;
}

/* The context of a visit, which collects a rank's elements as pairs in C order. */
typedef struct collection {
    const random_part *part;
    ptrdiff_t count;
    const void *array;
    long double *result;
} collection;

static void collect(void *context, ptrdiff_t field, ptrdiff_t global, ptrdiff_t place)
{
    const collection *c = context;
    for (int k = 0; k < c->part->width; k++)
        c->result[2 * (field * c->count + global) + k] =
            (long double)test_real_get(c->part->p->precision, c->array, place * c->part->width + k);
}

static void gather(problem *q, const random_part *part, const void *array, run *r)
{
    r->n = 2 * q->field.count[part->side] * q->p->howmany;
    r->result = calloc((size_t)r->n, sizeof *r->result);
    collection c = {part, q->field.count[part->side], array, r->result};
    random_part_for_each(part, collect, &c);
    MPI_Allreduce(MPI_IN_PLACE, r->result, (int)r->n, MPI_LONG_DOUBLE, MPI_SUM, q->comm);
}

static int execute(const run *r, subx_fft_plan plan, const void *from, void *to)
{
    const int direction = r->direction == RANDOM_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    int flag = 0, rc;
    random_watch_phase("subx_fft_execute");
    if (!r->is_started)
        return subx_fft_execute(plan, direction, from, to);
    rc = subx_fft_start(plan, direction, from, to);
    for (int i = 0; i < 1000 && !flag && !rc; i++)
        rc = subx_fft_test(plan, &flag);
    return rc ? rc : subx_fft_wait(plan);
}

/* Get the bytes that all ranks send in the exchanges of a plan: the sum of the members bytes_sent of its
 * explanation. */
static double count_sent(problem *q, subx_fft_plan plan)
{
    static const char key[] = "\"bytes_sent\": ";
    size_t needed = 0;
    double sum = 0, all = 0;
    EXPECT_OK(subx_fft_plan_explain(plan, SUBX_FFT_JSON, 0, NULL, &needed));
    char *text = malloc(needed + 1);
    EXPECT_OK(subx_fft_plan_explain(plan, SUBX_FFT_JSON, needed + 1, text, NULL));
    for (const char *at = strstr(text, key); at; at = strstr(at, key)) {
        at += sizeof key - 1;
        sum += strncmp(at, "null", 4) == 0 ? 0 : strtod(at, NULL);
    }
    free(text);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, q->comm);
    return all;
}

static void run_plan(problem *q, subx_fft_plan plan, run *r)
{
    random_part part[2];
    for (int side = 0; side < 2; side++)
        EXPECT(!random_part_set(q->p, plan, side, q->rank, q->rank, &part[side]));
    const int from_side = random_action_get_side(r->direction, 0), to_side = !from_side;
    const size_t room[] = {(size_t)part[from_side].bytes + 1, (size_t)part[to_side].bytes + 1};
    char *from = malloc(r->in_place && room[1] > room[0] ? room[1] : room[0]);
    char *to = r->in_place ? from : malloc(room[1]);
    random_part_fill(&part[from_side], q->field.count[from_side], q->field.data[from_side], 1, from);
    EXPECT_OK(execute(r, plan, from, to));
    r->bound = random_bound_get(plan, q->comm);
    r->sent = count_sent(q, plan);
    EXPECT_OK(subx_fft_plan_get(plan, NULL, &r->g, r->dims));
    gather(q, &part[to_side], to, r);
    if (to != from)
        free(to);
    free(from);
}

/* Create a plan and execute it. Returns the error of its creation. */
static int run_new(problem *q, const char *wire, run *r)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    const int rc = create_plan(q, wire, &plan);
    if (rc == MPI_SUCCESS) {
        run_plan(q, plan, r);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    return rc;
}

/* ---- the checks */

static long double get_distance(const run *a, const run *b)
{
    long double squares = 0;
    for (ptrdiff_t i = 0; i < a->n; i++)
        squares += (a->result[i] - b->result[i]) * (a->result[i] - b->result[i]);
    return sqrtl(squares);
}

static long double get_norm(const run *a)
{
    long double squares = 0;
    for (ptrdiff_t i = 0; i < a->n; i++)
        squares += a->result[i] * a->result[i];
    return sqrtl(squares);
}

static int is_same(const run *a, const run *b)
{
    for (ptrdiff_t i = 0; i < a->n; i++)
        if (a->result[i] != b->result[i])
            return 0;
    return 1;
}

/* Counts and errors of all problems together. */
typedef struct tally {
    /* numbers of problems. refused: the library refused floats; silent: no messages; sent: floats were sent;
     * typical: the error had the expected size */
    long refused, silent, sent, typical;
    /* worst: the largest error / bound; most, least: the largest and the smallest error / expected error */
    double worst, most, least;
} tally;

/* Returns 1 if the size of the error can be predicted. There are three conditions. All axes are complex, so
 * that transforms do not change the relative size of errors. There are enough elements to average over. Each
 * exchange is between two transforms: an exchange before all transforms, as for boxes and bricks, sends the
 * input without errors, because floats represent the input of this test exactly. */
static int is_typical(const random_problem *p, const run *r)
{
    enum { ENOUGH = 600 };
    int transforms = 0, g = 1;
    for (const char *c = random_problem_get(p, "subx_grid"); *c; c++)
        g += *c == 'x';
    for (int a = 0; a < p->ndims; a++) {
        if (p->modes[a] != p->sizes[a] || p->points[a] != p->sizes[a] || p->side[0].block[a] ||
            p->side[1].block[a] || (p->kinds[a] != SUBX_FFT_NONE && p->kinds[a] != SUBX_FFT_C2C))
            return 0;
        transforms += p->kinds[a] == SUBX_FFT_C2C && p->sizes[a] > 4;
    }
    return transforms == p->ndims && g < p->ndims && r->n >= ENOUGH && !p->side[0].has_boxes &&
           !p->side[1].has_boxes;
}

/* Rounding a real number to float changes it by up to half an ulp (the distance between neighbouring floats).
 * The errors are evenly distributed, so their root mean square is ulp / sqrt(12). If the numbers are normally
 * distributed, the 2-norm of the errors is 0.425 / 2^24 of the 2-norm of the numbers. The errors of several
 * exchanges are independent of each other. */
static void check_size(const run *full, const run *sent, tally *t)
{
    const long double expected = 0.425L * 0x1p-24L * sqrtl(sent->bound.exchanges);
    const double ratio = (double)(get_distance(sent, full) / get_norm(full) / expected);
    EXPECT(ratio > 0.85 && ratio < 1.15);
    t->typical++;
    t->most = fmax(t->most, ratio);
    t->least = fmin(t->least, ratio);
}

/* Get a bound of the rounding errors of a plan in full precision. It has a factor in common with the plan's
 * bound for floats: the product of the norms of all passes. The other factor of the bound for floats is
 * exchanges * 2^-24. */
static long double get_own(const problem *q, const run *sent)
{
    const long double norms = sent->bound.relative[sent->direction] / ldexpl(sent->bound.exchanges, -24);
    const long double epsilon = test_real_epsilon(q->p->precision);
    const random_bound unit = {1, {norms, norms, 0}, {0, 0, 0}};
    return 32 * fmaxl(epsilon, LDBL_EPSILON) * (1 + log2l(random_problem_get_volume(q->p))) *
           random_bound_get_error(&unit, &q->field, sent->direction, 0, 1);
}

/* Floats must halve the bytes of long messages. Short messages shrink less, because floats do not shrink the
 * stamps and the gaps that align blocks to cache lines. If the two plans have different grids, their blocks
 * cannot be compared. */
static void check_bytes(const problem *q, const run *full, const run *sent)
{
    enum { LONG = 1 << 16 };
    if (full->g != sent->g || memcmp(full->dims, sent->dims, (size_t)full->g * sizeof(int)) != 0)
        return;
    if (q->p->precision == SUBX_FFT_DOUBLE && full->sent >= (double)LONG * q->p->nranks * q->p->nranks)
        EXPECT(sent->sent <= 0.55 * full->sent);
    EXPECT(sent->sent <= full->sent);
}

static void check_floats(problem *q, const run *full, const run *sent, tally *t)
{
    const long double bound = random_bound_get_error(&sent->bound, &q->field, sent->direction, 0, 1);
    const long double error = get_distance(sent, full);
    EXPECT(full->bound.exchanges == 0);
    EXPECT(error <= bound + 2 * get_own(q, sent));
    check_bytes(q, full, sent);
    if (is_typical(q->p, sent))
        check_size(full, sent, t);
    t->worst = bound > 0 ? fmax(t->worst, (double)(error / bound)) : t->worst;
    t->sent++;
}

static void compare(problem *q, run how, tally *t)
{
    run full = how, again = how, sent = how;
    if (run_new(q, NULL, &full) != MPI_SUCCESS)
        return;
    EXPECT_OK(run_new(q, "full", &again));
    EXPECT(is_same(&full, &again));
    const int rc = run_new(q, "float", &sent);
    if (rc) {
        EXPECT_KIND(rc, SUBX_ERR_UNAVAILABLE);
        t->refused++;
    } else if (sent.bound.exchanges > 0) {
        check_floats(q, &full, &sent, t);
    } else {
        EXPECT(is_same(&full, &sent));
        t->silent++;
    }
    free(full.result);
    free(again.result);
    free(sent.result);
}

/* ---- all problems */

static void solve(const random_problem *p, MPI_Comm comm, tally *t)
{
    problem q = {.p = p, .comm = comm};
    test_random r = random_problem_get_stream(p, RANDOM_STREAM_WIRE + 1);
    MPI_Comm_rank(comm, &q.rank);
    const int direction = test_random_int(&r, 0, 1) ? RANDOM_FORWARD : RANDOM_BACKWARD;
    const int can_be_in_place = random_problem_get_halved(p) < 0 || p->padded ||
                                !random_problem_has(p, "subx_input_array", "destroy");
    const run how = {.direction = direction,
                     .in_place = can_be_in_place && test_random_int(&r, 0, 1),
                     .is_started = test_random_int(&r, 0, 1)};
    EXPECT_OK(random_problem_create(p, q.rank, &q.made));
    q.field = random_field_create(p, comm);
    compare(&q, how, t);
    random_field_free(&q.field);
    EXPECT_OK(subx_fft_problem_free(&q.made));
}

static uint64_t get_number(int argc, char **argv, const char *option, const char *variable,
                           uint64_t otherwise)
{
    const char *text = variable ? getenv(variable) : NULL;
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], option) == 0)
            text = argv[i + 1];
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    enum { SECONDS = 60 };
    int level;
    tally t = {.least = 1};
    char text[RANDOM_TEXT];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    test_begin(&argc, &argv);
    const uint64_t seed = get_number(argc, argv, "--seed", "RANDOM_SEED", test_seed());
    const uint64_t first = get_number(argc, argv, "--first", NULL, 0);
    const uint64_t count = get_number(argc, argv, "--count", "RANDOM_COUNT", 40);
    random_watch_begin(test_rank);
    for (uint64_t i = first; i < first + count; i++) {
        const random_problem p = draw(seed, i);
        random_problem_print(&p, text);
        random_watch_start(text, SECONDS);
        test_context("mpiexec -n %d tests/random/wire --seed %llu --first %llu --count 1: %s", test_nranks,
                     (unsigned long long)seed, (unsigned long long)i, text);
        MPI_Comm comm = random_problem_comm(&p);
        if (comm != MPI_COMM_NULL) {
            solve(&p, comm, &t);
            MPI_Comm_free(&comm);
        }
        random_watch_stop();
    }
    if (test_rank == 0)
        printf(
            "on rank 0: %ld with floats, worst error %.2f of the bound; %ld of a known size, %.2f to %.2f of it; "
            "%ld without messages, %ld refused\n",
            t.sent, t.worst, t.typical, t.least, t.most, t.silent, t.refused);
    return test_end();
}
