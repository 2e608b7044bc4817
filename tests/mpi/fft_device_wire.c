/* fft_device_wire.c - plans on device memory whose messages carry floats (hint subx_wire), by default on the
 * fake device. The results of random problems are compared with those of the host in full precision, and with
 * serial FFTW: the errors must not exceed the bound of the plan. Without the hint, no bit changes. Also: the
 * range of floats; refusals; device calls that fail.
 *
 * The variable RANDOM_COUNT is the number of problems, SUBX_TEST_SEED their seed. With
 * TEST_DEVICE=cuda:device the test runs on a GPU, without the device calls that fail.
 * ranks: 3 7 (device calls fail on three; on seven, each problem has one to seven ranks) */
#include "common/hints.h"
#include "common/verdict.h"
#include "mpi/on_device.h"
#include "mpi/wire_range.h"
#include "plan/plan.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

/* What has been checked on rank 0: plans, those with floats in some exchange, comparisons with FFTW; and the
 * largest error as a part of the bound. */
static struct {
    long plans, narrow, serial;
    double worst;
} tally;

/* ---- norms */

static double get(const test_task *t, const test_run *x, int side, ptrdiff_t i)
{
    return t->is_float ? (double)((float *)x->host[side])[i] : ((double *)x->host[side])[i];
}

/* Get the 2-norm, over all ranks, of the difference of two arrays without their gaps; of the first one if b
 * is NULL. */
static double get_norm(const test_task *t, MPI_Comm comm, int side, const test_run *a, const test_run *b)
{
    double squares = 0;
    for (ptrdiff_t i = 0; a->has_data[side] && i < a->bytes[side] / a->real_bytes; i++) {
        const double x = get(t, a, side, i) - (b ? get(t, b, side, i) : 0);
        if (!a->is_gap[side] || !a->is_gap[side][i])
            squares += x * x;
    }
    MPI_Allreduce(MPI_IN_PLACE, &squares, 1, MPI_DOUBLE, MPI_SUM, comm);
    return sqrt(squares);
}

/* Get the bound of the error, given the norm of the input. *own becomes a bound of the errors in full
 * precision. */
static double get_bound(const test_run *x, MPI_Comm comm, int side, double input, double *own)
{
    const int d = side == SUBX_FFT_PHYSICAL ? SX_FORWARD : SX_BACKWARD;
    const sx_wire w = sx_plan_get_wire(x->plan);
    double most[3] = {w.relative[d], w.least[d], w.exchanges};
    MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, comm);
    *own = 0;
    if (most[2] > 0)
        *own = 64 * DBL_EPSILON * (1 + log2(x->plan->volume)) * input * most[0] / ldexp(most[2], -24);
    return most[0] * input + most[1];
}

/* ---- one problem */

/* A narrow exchange sends half of the bytes. Returns how many exchanges are narrow; 0 on an idle rank. */
static int check_traffic(const test_run *sent, const test_run *full)
{
    int n = 0;
    for (int i = 0; i < sent->plan->nstages && !sent->plan->is_idle; i++) {
        sx_traffic a, b;
        if (!sx_stage_is_exchange(&sent->plan->stage[i]))
            continue;
        EXPECT_OK(sent->plan->choice.strategy->get_traffic(sent->plan, i, &a));
        EXPECT_OK(full->plan->choice.strategy->get_traffic(full->plan, i, &b));
        EXPECT(!b.is_narrow);
        EXPECT_EQUAL(a.sent * (a.is_narrow ? 2 : 1), b.sent);
        n += a.is_narrow;
    }
    return n;
}

/* Compare an execution with floats with that of the host. If no exchange is narrow, all bits are those of
 * full precision. */
static void compare(const test_task *t, MPI_Comm comm, int side, const test_run *host, const test_run *full,
                    const test_run *sent)
{
    double own;
    const double bound = get_bound(sent, comm, side, get_norm(t, comm, side, host, NULL), &own);
    const double error = get_norm(t, comm, !side, sent, host);
    if (bound == 0)
        EXPECT(memcmp(sent->host[!side], full->host[!side], (size_t)sent->bytes[!side]) == 0);
    else
        EXPECT(error <= bound + own);
    tally.worst = bound > 0 ? fmax(tally.worst, error / bound) : tally.worst;
}

/* Begin the runs of a problem: on the host, and on the device without the hint, with full and with float. */
enum { HOST, PLAIN, FULL, SENT, RUNS };

static int begin(const test_task *t, MPI_Comm comm, test_run x[RUNS])
{
    static const char *const hints[RUNS] = {"", "", " wire=full", " wire=float"};
    int is_right = 1;
    for (int k = 0; k < RUNS; k++) {
        test_task one = *t;
        x[k] = (test_run){.plan = SUBX_FFT_PLAN_NULL};
        strcat(one.hints, hints[k]);
        is_right &= test_run_begin(&one, comm, k != HOST, &x[k]);
    }
    return is_right;
}

static void check_problem(const test_task *t, MPI_Comm comm, uint64_t number)
{
    test_run x[RUNS];
    if (!begin(t, comm, x))
        return;
    const int narrow = check_traffic(&x[SENT], &x[FULL]);
    EXPECT(!t->is_float || narrow == 0);
    if (number % 2)
        test_run_add_stream(&x[SENT]);
    test_run_fill(t, &x[HOST], number);
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < RUNS; k++) {
            memcpy(x[k].host[side], x[HOST].host[side], (size_t)x[HOST].bytes[side]);
            EXPECT_OK(test_run_execute(&x[k], side));
        }
        EXPECT(memcmp(x[FULL].host[!side], x[PLAIN].host[!side], (size_t)x[FULL].bytes[!side]) == 0);
        compare(t, comm, side, &x[HOST], &x[FULL], &x[SENT]);
    }
    for (int k = 0; k < RUNS; k++)
        test_run_end(&x[k]);
    tally.plans++;
    tally.narrow += narrow > 0;
}

/* ---- serial FFTW */

/* Get the distance of a run's spectrum from that of FFTW, and the norm of its input, over all ranks. */
static double get_distance(const test_field *f, MPI_Comm comm, const test_run *x, double *input)
{
    double squares[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        const test_part p = test_part_get(f, x->plan, side);
        const double *real = x->host[side];
        for (ptrdiff_t i = 0; i < p.count; i++) {
            const ptrdiff_t at = test_part_global(f, &p, side, i);
            const double complex got = p.is_real ? real[i] : real[2 * i] + I * real[2 * i + 1];
            const double distance = cabs(side == SUBX_FFT_PHYSICAL ? f->u[at] : got - f->spectrum[at]);
            squares[side] += distance * distance;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, squares, 2, MPI_DOUBLE, MPI_SUM, comm);
    *input = sqrt(squares[0]);
    return sqrt(squares[1]);
}

static void compare_fftw(const test_task *t, MPI_Comm comm, test_field *f)
{
    test_run x = {0};
    double input, own;
    double complex *spectrum = test_fftw_transform(f);
    if (!spectrum)
        return;
    free(f->spectrum);
    f->spectrum = spectrum;
    if (!test_run_begin(t, comm, 1, &x))
        return;
    const test_part from = test_part_get(f, x.plan, SUBX_FFT_PHYSICAL);
    test_part_fill(f, &from, SUBX_FFT_PHYSICAL, 1, x.host[0]);
    EXPECT_OK(test_run_execute(&x, SUBX_FFT_PHYSICAL));
    const double error = get_distance(f, comm, &x, &input),
                 bound = get_bound(&x, comm, SUBX_FFT_PHYSICAL, input, &own);
    EXPECT(error <= bound + (bound > 0 ? own : 1e-12 * input * sqrt((double)f->count)));
    tally.serial++;
    test_run_end(&x);
}

/* One field of doubles of a single kind, stored without gaps. */
static void check_serial(const test_task *t, MPI_Comm comm, uint64_t number)
{
    test_task one = *t;
    if (t->howmany > 1 || t->is_float || t->is_truncated || t->kind == SUBX_FFT_NONE || t->is_padded ||
        t->is_factored || t->boxes[0] || t->boxes[1])
        return;
    one.scaling = "none";
    one.has_strides[0] = one.has_strides[1] = 0;
    strcat(one.hints, " wire=float");
    test_field f = test_field_create(t->kind, t->ndims, t->sizes, test_seed() + number);
    compare_fftw(&one, comm, &f);
    test_field_free(&f);
}

static void check_random(uint64_t number)
{
    const test_task t = test_task_draw(number);
    const int left = test_device.fake ? test_device.fake->nobjects : 0;
    MPI_Comm comm = test_task_begin(&t);
    if (comm == MPI_COMM_NULL)
        return;
    check_problem(&t, comm, number);
    check_serial(&t, comm, number);
    EXPECT_EQUAL(test_device.fake ? test_device.fake->nobjects : 0, left);
    MPI_Comm_free(&comm);
}

/* ---- texts, and the range of floats */

static int prints(subx_fft_plan plan, const char *words)
{
    char text[8192];
    EXPECT_OK(subx_fft_plan_print(plan, sizeof text, text, NULL));
    return strstr(text, words) != NULL;
}

/* The text of a plan has the bound if some data need a carrier; else the hint has no effect. */
static void check_text(const char *engine, int has_effect)
{
    test_task t = {.problem = "c2c:6x5"};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("text, engine %s", engine);
    snprintf(t.hints, TEST_DEVICE_TEXT, "grid=0 wire=float engine=%s", engine);
    if (!EXPECT_OK(test_device_create_plan(&t, MPI_COMM_WORLD, test_device.place, &plan)))
        return;
    EXPECT(prints(plan, "hints    wire float\n") == has_effect);
    EXPECT(prints(plan, "1 exchange carries floats; 2-norm of the error, at most: ") == has_effect);
    EXPECT(prints(plan, " bytes of floats") == has_effect);
    EXPECT(prints(plan, "has no effect here: wire float") == !has_effect);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* The transform that check_range takes. */
static double transform_delta(double value, double *first)
{
    const test_task t = {.problem = "c2c:6x5", .hints = "grid=0 wire=float engine=pairwise", .ndims = 2};
    test_run x = {0};
    double worst = 0;
    *first = value;
    if (!test_run_begin(&t, MPI_COMM_WORLD, 1, &x))
        return 0;
    memset(x.host[0], 0, (size_t)x.bytes[0]);
    if (test_rank == 0)
        *(double *)x.host[0] = value;
    EXPECT_OK(test_run_execute(&x, SUBX_FFT_PHYSICAL));
    for (ptrdiff_t i = 0; i < x.bytes[1] / 16 && x.has_data[1]; i++)
        worst = fmax(worst, fabs(((double *)x.host[1])[2 * i] - value));
    *first = x.has_data[1] ? *(double *)x.host[1] : value;
    test_run_end(&x);
    return worst;
}

/* ---- exchanges (tests/mpi/exch_device.c compares their data) */

/* A rank whose types have other elements than doubles: all ranks get the error. Such types on the host are
 * not refused. */
static void check_elements(void)
{
    const MPI_Datatype wrong = test_rank == test_nranks - 1 ? MPI_FLOAT : MPI_DOUBLE;
    MPI_Datatype *type = malloc((size_t)test_nranks * sizeof *type);
    for (int q = 0; q < test_nranks; q++)
        type[q] = q == test_rank ? wrong : MPI_DATATYPE_NULL;
    for (int is_on_device = 0; is_on_device < 2; is_on_device++) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        subx_exch ex = SUBX_EXCH_NULL;
        MPI_Info hints = test_hints("wire=float memory_kind=%s", is_on_device ? test_device.place : "system");
        test_context("floats of other elements");
        const int rc = subx_exch_create(MPI_COMM_WORLD, type, type, hints, &ex);
        EXPECT_KIND(rc, is_on_device ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_NONE);
        MPI_Error_string(rc, text, &length);
        EXPECT(strstr(text, "subx_wire") || !is_on_device);
        EXPECT_OK(subx_exch_free(&ex));
        MPI_Info_free(&hints);
    }
    free(type);
}

/* The buffers must be aligned as doubles. A rank without data in a buffer may get PEER. */
static void check_alignment(void)
{
    static const ptrdiff_t sizes[] = {5, 7, 4};
    static const int order[] = {1, 0, 2};
    subx_exch ex = SUBX_EXCH_NULL;
    ptrdiff_t bytes[2];
    char *memory[2];
    test_context("floats of doubles that are not aligned");
    if (!EXPECT_OK(
            test_device_create_realign("engine=pairwise wire=float", test_device.place, sizes, order, &ex)))
        return;
    EXPECT_OK(subx_exch_get(ex, NULL, &bytes[0], &bytes[1], NULL));
    for (int side = 0; side < 2; side++)
        memory[side] = test_device_alloc(bytes[side] + 8);
    for (int side = 0; side < 2; side++) {
        const int rc = subx_exch_execute(ex, memory[0] + 4 * !side, memory[1] + 4 * side);
        if (bytes[side] > 0)
            EXPECT_KIND(rc, SUBX_ERR_ARG);
        else
            EXPECT(rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_PEER);
    }
    EXPECT_OK(subx_exch_free(&ex));
    for (int side = 0; side < 2; side++)
        test_device.table->free(test_device.handle, memory[side]);
}

/* ---- faults */

static void check_faults(void)
{
    const test_task sample = {.problem = "c2c:4x3x5",
                              .hints = "grid=0 slices=2 engine=pairwise wire=float",
                              .scaling = "forward",
                              .ndims = 3};
    for (int messages = SX_FAKE_REFUSES_MESSAGES; messages <= SX_FAKE_TAKES_MESSAGES; messages++) {
        test_device_set_messages((uint64_t)messages);
        test_fault_check_creation(&sample, 1);
        test_fault_check_execution(&sample, 1);
    }
    test_fault_check_creation(&sample, 0);
}

enum { FEW = 3 };

int main(int argc, char **argv)
{
    test_device_begin(&argc, &argv);
    const uint64_t n = test_nranks > FEW ? test_device_get_count(80) : 0;
    for (uint64_t i = 0; i < n; i++)
        check_random(i);
    test_device_set_messages(SX_FAKE_TAKES_MESSAGES);
    check_text("pairwise", test_nranks > 1);
    check_text("alltoallv", test_nranks > 1);
    check_text("shm", 0);
    const double large = check_range(transform_delta);
    EXPECT(!isfinite(large) || large == 1e39);
    EXPECT(test_rank > 0 || !isfinite(large));
    check_elements();
    check_alignment();
    if (test_device.fake && test_nranks <= FEW)
        check_faults();
    test_device_close();
    if (test_rank == 0 && n > 0)
        printf("%ld plans, %ld with floats, %ld against FFTW; the largest error is %.2f of its bound\n",
               tally.plans, tally.narrow, tally.serial, tally.worst);
    EXPECT(n < 80 || test_rank > 0 || (tally.narrow > 10 && tally.serial > 5));
    return test_end();
}
