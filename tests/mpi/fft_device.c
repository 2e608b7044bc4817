/* fft_device.c - plans on device memory, by default on the fake device. Random problems are compared with the
 * definition, with serial FFTW, and with plans on the host; half of them run in a stream of the caller. Also:
 * refusals; arrays in the wrong memory; device calls that fail.
 *
 * Each problem has its own number of ranks. The variable RANDOM_COUNT is the number of problems,
 * SUBX_TEST_SEED their seed. Device calls only fail in runs on few ranks. With TEST_DEVICE=cuda:device the
 * test runs on a GPU, without the device calls that fail.
 * ranks: 3 7 (device calls fail on three; on seven, each problem has one to seven ranks) */
#include "common/field.h"
#include "common/hints.h"
#include "common/verdict.h"
#include "mpi/on_device.h"
#include "search/search.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one problem */

/* Execute as test_run_execute does, but with the same array on both sides. */
static int execute_in_place(test_run *x, int side)
{
    const int d = side == SUBX_FFT_PHYSICAL ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    void *both = test_device_alloc(x->bytes[x->bytes[1] > x->bytes[0]]);
    test_device_copy(both, x->host[side], x->bytes[side]);
    const int rc = subx_fft_execute(x->plan, d, both, both);
    if (x->stream)
        EXPECT_EQUAL(test_device.table->finish(x->stream), SUBX_ERR_NONE);
    test_device_copy(x->host[!side], both, x->bytes[!side]);
    test_device.table->free(test_device.handle, both);
    return rc;
}

/* Execute by start, test and wait. A plan on a device does all its work when it is started. */
static int execute_started(test_run *x, int side)
{
    const int d = side == SUBX_FFT_PHYSICAL ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    int is_complete = 0;
    test_device_copy(x->device[side], x->host[side], x->bytes[side]);
    EXPECT_OK(subx_fft_start(x->plan, d, x->device[side], x->device[!side]));
    EXPECT_OK(subx_fft_test(x->plan, &is_complete));
    EXPECT(is_complete);
    const int rc = subx_fft_wait(x->plan);
    if (x->stream)
        EXPECT_EQUAL(test_device.table->finish(x->stream), SUBX_ERR_NONE);
    test_device_copy(x->host[!side], x->device[!side], x->bytes[!side]);
    return rc;
}

/* The spectrum by the definition must equal the spectrum of serial FFTW. */
static void compare_fftw(const test_field *f)
{
    double complex *spectrum = test_fftw_transform(f);
    double worst = 0;
    for (ptrdiff_t i = 0; spectrum && i < f->spectral_count; i++)
        worst = fmax(worst, cabs(spectrum[i] - f->spectrum[i]));
    EXPECT(worst <= 1e-12 * (double)f->count);
    free(spectrum);
}

/* The boxes of a rank on a side, each with its part of the field. offset: in doubles, in the array of the
 * rank. */
typedef struct parts {
    int n;
    test_part part[TEST_DEVICE_BOXES];
    ptrdiff_t offset[TEST_DEVICE_BOXES];
} parts;

static parts get_parts(const test_task *t, MPI_Comm comm, const test_field *f, subx_fft_plan plan, int side)
{
    const test_part all = test_part_get(f, plan, side);
    parts p = {.n = 1, .part = {all}};
    test_box box[TEST_DEVICE_BOXES];
    ptrdiff_t distance;
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (t->boxes[side])
        p.n = test_boxes_draw(t, side, side == SUBX_FFT_PHYSICAL ? f->sizes : f->spectral, rank, box,
                              &distance);
    for (int k = 0; k < p.n && t->boxes[side]; k++) {
        p.part[k] = all;
        p.part[k].count = 1;
        for (int a = 0; a < t->ndims; a++) {
            p.part[k].shape[a] = box[k].len[a];
            p.part[k].start[a] = box[k].start[a];
            p.part[k].order[a] = box[k].order[a];
            p.part[k].count *= box[k].len[a];
        }
        p.offset[k] = box[k].offset * (all.is_real ? 1 : 2);
    }
    return p;
}

/* Compare the forward transform of a plan with the definition. */
static void compare_definition(const test_task *t, MPI_Comm comm, const test_field *f, test_run *x)
{
    const parts from = get_parts(t, comm, f, x->plan, SUBX_FFT_PHYSICAL);
    for (int k = 0; k < from.n; k++)
        test_part_fill(f, &from.part[k], SUBX_FFT_PHYSICAL, 1, (double *)x->host[0] + from.offset[k]);
    EXPECT_OK(test_run_execute(x, SUBX_FFT_PHYSICAL));
    const parts to = get_parts(t, comm, f, x->plan, SUBX_FFT_SPECTRAL);
    for (int k = 0; k < to.n; k++)
        EXPECT(test_part_compare(f, &to.part[k], SUBX_FFT_SPECTRAL, 1, (double *)x->host[1] + to.offset[k]) <=
               1e-13 * (double)(f->count + 10));
}

/* Query whether the spectrum of one axis on several ranks is left transposed: then it has another order of
 * its entries. */
static int is_scrambled(const test_task *t)
{
    return t->is_factored && strstr(t->hints, "transposed");
}

/* For one field of doubles, of a single kind, without scaling, strides and gaps, compare the forward
 * transform with the definition. */
static void check_definition(const test_task *t, MPI_Comm comm, uint64_t number)
{
    test_task one = *t;
    test_run x = {0};
    if (t->howmany > 1 || t->is_float || t->is_truncated || t->kind == SUBX_FFT_NONE || t->is_padded ||
        is_scrambled(t))
        return;
    one.scaling = "none";
    for (int side = 0; side < 2; side++) {
        one.has_strides[side] = 0;
        one.boxes[side] = t->boxes[side] ? TEST_BOXES : TEST_NO_BOXES;
    }
    test_field f = test_field_create(t->kind, t->ndims, t->sizes, test_seed() + number);
    if (test_run_begin(&one, comm, 1, &x)) {
        compare_definition(&one, comm, &f, &x);
        test_run_end(&x);
    }
    compare_fftw(&f);
    test_field_free(&f);
}

static void check_problem(const test_task *t, MPI_Comm comm, uint64_t number)
{
    test_run host = {0}, device = {0};
    const int left = test_device.fake ? test_device.fake->nobjects : 0;
    if (test_run_begin(t, comm, 0, &host) && test_run_begin(t, comm, 1, &device)) {
        if (number % 2)
            test_run_add_stream(&device);
        test_run_fill(t, &host, number);
        memcpy(device.host[0], host.host[0], (size_t)host.bytes[0]);
        for (int side = 0; side < 2; side++) {
            EXPECT_OK(test_run_execute(&host, side));
            EXPECT_OK(test_run_execute(&device, side));
            test_run_compare(t, comm, &device, &host, !side);
            if (number % 3 == 0) {
                EXPECT_OK(execute_in_place(&device, side));
                test_run_compare(t, comm, &device, &host, !side);
            }
            if (number % 5 == 0) {
                EXPECT_OK(execute_started(&device, side));
                test_run_compare(t, comm, &device, &host, !side);
            }
            memcpy(device.host[!side], host.host[!side], (size_t)host.bytes[!side]);
        }
        test_run_end(&device);
        test_run_end(&host);
    }
    check_definition(t, comm, number);
    EXPECT_EQUAL(test_device.fake ? test_device.fake->nobjects : 0, left);
}

/* Run a random problem. It has a number of ranks, and runs on the first ranks of MPI_COMM_WORLD. */
static void check_random(uint64_t number)
{
    const test_task t = test_task_draw(number);
    MPI_Comm comm = test_task_begin(&t);
    if (comm == MPI_COMM_NULL)
        return;
    check_problem(&t, comm, number);
    MPI_Comm_free(&comm);
}

/* ---- ways from input to output (fft/offload/group.c) */

enum { NWAYS = 9 };

/* Interleaved fields, more than three axes, and other orders of axes, so that copies save calls; real data in
 * place, with and without padding, and backward with a copy of the input or without one. */
static const test_task ways[NWAYS] = {
    {.problem = "c2c:8x9x10*3", .kind = SUBX_FFT_C2C, .sizes = {8, 9, 10}, .ndims = 3, .howmany = 3},
    {.problem = "r2c:6x9x12*2", .kind = SUBX_FFT_R2C, .sizes = {6, 9, 12}, .ndims = 3, .howmany = 2},
    {.problem = "c2c:3x4x5x6*2", .kind = SUBX_FFT_C2C, .sizes = {3, 4, 5, 6}, .ndims = 4, .howmany = 2},
    {.problem = "c2c:9x8x7/spectral-order=0,1,2", .kind = SUBX_FFT_C2C, .sizes = {9, 8, 7}, .ndims = 3},
    {.problem = "r2c:6x7x9/spectral-order=0,1,2", .kind = SUBX_FFT_R2C, .sizes = {6, 7, 9}, .ndims = 3},
    {.problem = "r2c:3x4x5x6", .kind = SUBX_FFT_R2C, .sizes = {3, 4, 5, 6}, .ndims = 4},
    {.problem = "r2c:5x6x8/padded", .kind = SUBX_FFT_R2C, .sizes = {5, 6, 8}, .ndims = 3, .is_padded = 1},
    {.problem = "r2c:7x6x5/padded", .kind = SUBX_FFT_R2C, .sizes = {7, 6, 5}, .ndims = 3, .is_padded = 1},
    {.problem = "r2c.f32:9x16/padded",
     .kind = SUBX_FFT_R2C,
     .sizes = {9, 16},
     .ndims = 2,
     .is_padded = 1,
     .is_float = 1}};

static test_task get_way(int i)
{
    test_task t = ways[i];
    for (int a = 0; a < t.ndims; a++)
        t.kinds[a] = t.kind == SUBX_FFT_R2C && a < t.ndims - 1 ? SUBX_FFT_C2C : t.kind;
    t.howmany = t.howmany > 0 ? t.howmany : 1;
    return t;
}

/* Get the work space of a plan on one rank, in bytes. */
static ptrdiff_t get_work(const test_task *t)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    ptrdiff_t bytes = -1;
    EXPECT_OK(test_device_create_plan(t, MPI_COMM_SELF, test_device.place, &plan));
    EXPECT_OK(subx_fft_plan_get_work(plan, &bytes));
    EXPECT_OK(subx_fft_plan_free(&plan));
    return bytes;
}

/* Padded real data on one rank need no work space if backward may destroy its input. */
static void check_padded(const char *input, int needs)
{
    test_task t = {.problem = "r2c:5x6x8/padded", .ndims = 3};
    snprintf(t.hints, TEST_DEVICE_TEXT, "input_array=%s", input);
    test_context("padded, %s", input);
    EXPECT_EQUAL(get_work(&t) > 0, needs);
}

static void check_ways(void)
{
    for (int i = 0; i < 2 * NWAYS; i++) {
        test_task t = get_way(i / 2);
        snprintf(t.hints, TEST_DEVICE_TEXT, "input_array=%s", i % 2 && t.is_padded ? "destroy" : "preserve");
        test_context("%s, %s", t.problem, t.hints);
        check_problem(&t, MPI_COMM_SELF, 30);
        check_problem(&t, MPI_COMM_WORLD, 15);
    }
    check_padded("destroy", 0);
    check_padded("preserve", 1);
}

/* ---- refusals */

/* All ranks must get the error. Its text is one line, which names the hint. */
static void check_refusal(const char *problem, const char *hints, const char *memory, int kind)
{
    test_task t = {.nranks = test_nranks};
    char text[MPI_MAX_ERROR_STRING];
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    int length;
    test_context("%s %s on %s", problem, hints, memory);
    snprintf(t.problem, TEST_DEVICE_TEXT, "%s", problem);
    snprintf(t.hints, TEST_DEVICE_TEXT, "%s", hints);
    const int rc = test_device_create_plan(&t, MPI_COMM_WORLD, memory, &plan);
    EXPECT_KIND(rc, kind);
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
    MPI_Error_string(rc, text, &length);
    EXPECT(strstr(text, "subx_") && !strchr(text, '\n'));
    if (test_rank == 0)
        printf("%s: %s\n", memory, text);
}

static void check_refusals(void)
{
    check_refusal("c2c:8x8x8", "grid=0", "gpu", SUBX_ERR_HINT);
    check_refusal("c2c.long:8x8x8", "grid=0", test_device.place, SUBX_ERR_UNAVAILABLE);
    check_refusal("c2c:8x8x8", "engine=alltoallw", test_device.place, SUBX_ERR_UNAVAILABLE);
    check_refusal("c2c:8x8x8", "strategy=fused", test_device.place, SUBX_ERR_HINT);
    check_refusal("c2c:8x8x8", "strategy=device", "system", SUBX_ERR_HINT);
}

/* ---- faults */

/* Pencils; bricks, whose exchanges read and write the arrays of the caller; one axis on several ranks. */
enum { NSAMPLES = 3 };
static const test_task samples[NSAMPLES] = {
    {.problem = "r2c:6x5x8",
     .hints = "grid=0x0 slices=3 output_order=transposed",
     .scaling = "forward",
     .ndims = 3},
    {.problem = "r2c:6x5x8", .hints = "grid=0x0x0 slices=2", .scaling = "symmetric", .ndims = 3},
    {.problem = "c2c:35", .hints = "grid=0 slices=1", .scaling = "backward", .ndims = 1}};

/* A plan on two ranks; the other ranks are idle. */
static void check_idle(void)
{
    const test_task t = {.kind = SUBX_FFT_R2C,
                         .ndims = 3,
                         .howmany = 1,
                         .sizes = {6, 5, 8},
                         .problem = "r2c:6x5x8",
                         .hints = "ranks=2 grid=2 slices=2"};
    test_context("an idle rank");
    check_problem(&t, MPI_COMM_WORLD, 0);
}

/* Rank 0 passes an array in host memory, first as the input, then as the output. Rank 0 must get ARG. */
static void check_wrong_memory(const test_task *sample)
{
    test_run x = {0};
    test_context("wrong memory");
    if (!test_run_begin(sample, MPI_COMM_WORLD, 1, &x))
        return;
    for (int side = 0; side < 2; side++) {
        void *const from = test_rank == 0 && side == 0 ? x.host[0] : x.device[0];
        void *const to = test_rank == 0 && side == 1 ? x.host[1] : x.device[1];
        const int rc = subx_fft_execute(x.plan, SUBX_FFT_FORWARD, from, to);
        if (test_rank == 0)
            EXPECT_KIND(rc, SUBX_ERR_ARG);
        else
            EXPECT(rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_PEER);
        EXPECT_OK(test_run_execute(&x, SUBX_FFT_PHYSICAL));
    }
    test_run_end(&x);
}

/* The keys of wisdom name the device, and tell whether MPI knows GPUs. A device that cannot be opened has
 * only its name. */
static void check_key(const sx_choice *c)
{
    char key[4096] = "";
    sx_text t = {key, sizeof key, 0};
    sx_search_print_plan_key(c, &t);
    EXPECT(strstr(key, test_device.fake ? ", a fake device" : "driver of CUDA") &&
           strstr(key, ", MPI takes addresses of GPUs: "));
    EXPECT(!strchr(key, '\n') && !strchr(key, '\t'));
    if (!test_device.fake)
        return;
    t.used = 0;
    test_device.fake->fails_after = 0;
    sx_device_print(c->device, &t);
    EXPECT(strcmp(key, "fake") == 0);
}

/* The text of a plan names the device, and the hints that have no effect. */
static void check_text(void)
{
    char text[4096];
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    const test_task t = {.problem = "c2c:8x8x8", .hints = "grid=0 threads=1 effort=measure serial=naive"};
    test_context("text");
    test_device_set_messages(SX_FAKE_REFUSES_MESSAGES);
    if (!EXPECT_OK(test_device_create_plan(&t, MPI_COMM_WORLD, test_device.place, &plan)))
        return;
    EXPECT_OK(subx_fft_plan_print(plan, sizeof text, text, NULL));
    EXPECT(strstr(text, "strategy device") && strstr(text, "device fft, axes 1,2"));
    EXPECT(
        strstr(text, test_device.fake ? "device   a fake device" : "driver of CUDA") &&
        (strstr(text, "ranks of a node read each other's memory") || strstr(text, "data between ranks go")));
    check_key(&plan->choice);
    EXPECT(strstr(text, "has no effect here: serial naive, threads 1"));
    if (test_rank == 0)
        printf("%s", text);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* The text of a plan tells how data travel, and why not in another way. */
static void check_carriers(void)
{
    static const char *const said[] = {
        [SX_FAKE_REFUSES_MESSAGES] =
            "data between ranks go through the host's memory (staged) (messages: MPI takes no",
        [SX_FAKE_TAKES_MESSAGES] = "data between ranks go as messages between GPUs (messages)",
        [SX_FAKE_SPOILS_MESSAGES] = "through the host's memory (staged) (messages: a trial has failed"};
    for (int i = 0; i <= SX_FAKE_SPOILS_MESSAGES && test_device.fake && test_nranks > 1; i++) {
        char text[4096];
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        const test_task t = {.problem = "c2c:8x8x8", .hints = "grid=0 engine=pairwise"};
        test_context("carriers, MPI %d", i);
        test_device_set_messages((uint64_t)i);
        if (!EXPECT_OK(test_device_create_plan(&t, MPI_COMM_WORLD, test_device.place, &plan)))
            continue;
        EXPECT_OK(subx_fft_plan_print(plan, sizeof text, text, NULL));
        if (!EXPECT(strstr(text, said[i])) && test_rank == 0)
            printf("%s", text);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
}

enum { FEW = 3 };

int main(int argc, char **argv)
{
    test_device_begin(&argc, &argv);
    const uint64_t n = test_device_get_count(200);
    if (test_nranks > FEW) {
        for (uint64_t i = 0; i < n; i++)
            check_random(i);
        check_ways();
        check_refusals();
        check_text();
        check_carriers();
    } else {
        check_idle();
        for (int k = 0; k < NSAMPLES; k++)
            check_wrong_memory(&samples[k]);
    }
    /* All carriers with the first sample; the other samples, which have other exchanges, with one carrier. */
    for (int k = 0; k < NSAMPLES && test_nranks <= FEW && test_device.fake; k++) {
        const int last = k == 0 ? SX_FAKE_TAKES_MESSAGES : SX_FAKE_REFUSES_MESSAGES;
        for (int messages = SX_FAKE_REFUSES_MESSAGES; messages <= last; messages++) {
            test_device_set_messages((uint64_t)messages);
            test_fault_check_creation(&samples[k], 1);
            test_fault_check_creation(&samples[k], 0);
            test_fault_check_execution(&samples[k], 0);
        }
    }
    test_device_close();
    check_refusal("c2c:8x8x8", "grid=0", SX_DEVICE_FAKE, SUBX_ERR_HINT);
    return test_end();
}
