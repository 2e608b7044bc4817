/* fft_device.c - plans on device memory, by default on the fake device. Random problems of tests/random are
 * compared with the definition, with operations and with floats in messages; half of them run in a stream of
 * the caller. Also: boxes with strides; refusals; arrays in the wrong memory; device calls that fail.
 *
 * Each problem has its own number of ranks. The variable RANDOM_COUNT is the number of problems,
 * SUBX_TEST_SEED their seed. Device calls only fail in runs on few ranks. With TEST_DEVICE=cuda:device the
 * test runs on a GPU, without the device calls that fail.
 * ranks: 3 7 (device calls fail on three; on seven, each problem has one to seven ranks) */
#include "common/hints.h"
#include "common/on_device.h"
#include "common/verdict.h"
#include "random/bound.h"
#include "random/definition.h"
#include "random/part.h"
#include "random/refusal.h"
#include "random/storage.h"
#include "search/search.h"
#include "unit/real.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one problem */

typedef struct trial {
    const random_problem *p;
    const char *strategy;
    subx_fft_plan plan;
    random_field field;
    random_part part[2]; /* by side */
    random_bound bound;
    subx_fft_operation op;
    void *stream; /* of the caller; NULL for none */
} trial;

static void set_value(random_problem *p, const char *key, const char *value)
{
    for (int i = 0; random_hint_key(i); i++)
        if (strcmp(random_hint_key(i), key) == 0)
            snprintf(p->value[i], RANDOM_VALUE, "%s", value);
}

/* Draw a problem that a plan on a device can have: floats or doubles, and hints that plans on devices
 * obey. */
static random_problem draw(uint64_t number)
{
    static const char kept[] = "subx_sequence subx_input_array subx_grid subx_output_order subx_scaling "
                               "node_ranks check permute slices subx_ranks";
    static const char *const engines[] = {"auto", "node", "pairwise", "alltoallv", "kway"};
    random_problem p = random_problem_draw(test_seed(), number, test_nranks);
    test_random r = random_problem_get_stream(&p, RANDOM_STREAM_WIRE);
    p.precision = p.precision == SUBX_FFT_FLOAT ? SUBX_FFT_FLOAT : SUBX_FFT_DOUBLE;
    for (int i = 0; random_hint_key(i); i++)
        if (!strstr(kept, random_hint_key(i)))
            p.value[i][0] = '\0';
    set_value(&p, "subx_engine", engines[test_random_int(&r, 0, 4)]);
    set_value(&p, "subx_wire", test_random_int(&r, 0, 1) ? "float" : "full");
    return p;
}

/* The operation works on a copy of its box in the host's memory. On a device it gets the whole spectrum in
 * one call. If there are several fields, the last axis of the box is the number of the field. */
static void operate(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                    const ptrdiff_t stride[], void *data)
{
    const trial *t = context;
    const random_problem *p = t->p;
    const int width = random_problem_get_width(p, SUBX_FFT_SPECTRAL);
    void *const stream = t->stream ? t->stream : test_device.stream;
    ptrdiff_t count = 1, elements = 1;
    for (int a = 0; a < ndims; a++) {
        count *= n[a];
        elements += (n[a] - 1) * stride[a];
    }
    if (count == 0)
        return;
    const ptrdiff_t bytes = elements * width * sx_serial_get_real_bytes(p->precision);
    void *box = malloc((size_t)bytes);
    test_device_add_copy(stream, box, data, bytes);
    test_device_finish(stream);
    for (ptrdiff_t i = 0; i < count; i++) {
        ptrdiff_t rest = i, place = 0, global = 0, factor = 1, field = 0;
        for (int a = ndims - 1; a >= 0; rest /= n[a], a--) {
            const ptrdiff_t at = start[a] + rest % n[a];
            place += rest % n[a] * stride[a] * width;
            field += a == p->ndims ? at : 0;
            global += a == p->ndims ? 0 : at * factor;
            factor *= a == p->ndims ? 1 : random_problem_get_length(p, SUBX_FFT_SPECTRAL, a);
        }
        const random_pair w = random_operation_get(p, global, field);
        const test_real re = test_real_get(p->precision, box, place),
                        im = width == 2 ? test_real_get(p->precision, box, place + 1) : 0;
        test_real_set(p->precision, box, place, re * w.re - im * w.im);
        if (width == 2)
            test_real_set(p->precision, box, place + 1, re * w.im + im * w.re);
    }
    test_device_add_copy(stream, data, box, bytes);
    test_device_finish(stream);
    free(box);
}

static void check_result(trial *t, const random_run *run, const random_part *part, const void *data)
{
    const random_pair *expected = random_field_get(&t->field, run->action, run->operates);
    const long double factor = random_problem_get_scale(t->p, run->action) * (long double)run->factor;
    const long double largest = fabsl(factor) * t->field.largest[run->action][run->operates];
    const long double tolerance =
        32 * test_real_epsilon(t->p->precision) * (1 + log2l(random_problem_get_volume(t->p)));
    EXPECT(random_part_compare(part, t->field.count[part->side], expected, factor, data) <=
           tolerance * largest + random_bound_get_error(&t->bound, &t->field, run->action, run->operates,
                                                        (long double)run->factor));
}

static void execute(trial *t, const random_run *run, int is_started)
{
    enum { FILLED = 0xff };
    const int from_side = random_action_get_side(run->action, 0),
              destroys = random_problem_has(t->p, "subx_input_array", "destroy");
    const random_part *here = &t->part[from_side], *there = &t->part[random_action_get_side(run->action, 1)];
    const ptrdiff_t room = run->in_place && there->bytes > here->bytes ? there->bytes : here->bytes;
    if (run->in_place && !t->p->padded && random_problem_get_halved(t->p) >= 0 && destroys)
        return; /* the library refuses this */
    unsigned char *from = malloc((size_t)room), *kept = malloc((size_t)room),
                  *to = run->in_place ? from : malloc((size_t)there->bytes);
    const int is_null = run->may_be_null && here->count == 0 && (!run->in_place || there->count == 0);
    memset(to, FILLED, (size_t)there->bytes);
    memset(from, FILLED, (size_t)room);
    random_part_fill(here, t->field.count[from_side], t->field.data[from_side], (long double)run->factor,
                     from);
    memcpy(kept, from, (size_t)room);
    const test_launch x = {.plan = t->plan,
                           .direction = run->action == RANDOM_CONVOLVE  ? 0
                                        : run->action == RANDOM_FORWARD ? SUBX_FFT_FORWARD
                                                                        : SUBX_FFT_BACKWARD,
                           .is_started = is_started,
                           .op = run->operates ? t->op : SUBX_FFT_OPERATION_NULL,
                           .stream = t->stream,
                           .from = is_null ? NULL : from,
                           .to = is_null && run->in_place ? NULL : to,
                           .bytes = {room, there->bytes}};
    EXPECT_OK(test_device_launch(&x));
    check_result(t, run, there, to);
    if (!run->in_place) {
        EXPECT(destroys || memcmp(kept, from, (size_t)room) == 0);
        EXPECT(!t->p->side[there->side].has_strides || random_part_count_touched(there, FILLED, to) == 0);
        free(to);
    }
    free(kept);
    free(from);
}

/* Execute a plan, half of them in a stream of the caller. */
static void check_plan(trial *t, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int side = 0; side < 2; side++)
        EXPECT(!random_part_set(t->p, t->plan, side, rank, rank, &t->part[side]));
    t->bound = random_bound_get(t->plan, comm);
    t->field = random_field_create(t->p, comm);
    t->stream = t->p->number % 2 ? test_device_create_stream() : NULL;
    if (t->stream)
        EXPECT_OK(subx_fft_plan_set_stream(t->plan, t->stream));
    EXPECT_OK(subx_fft_operation_create_function(operate, t, &t->op));
    for (int i = 0; i < t->p->nruns; i++)
        execute(t, &t->p->run[i], (t->p->number + (uint64_t)i) % 3 == 0);
    EXPECT_OK(subx_fft_operation_free(&t->op));
    random_field_free(&t->field);
}

/* How many plans had floats in some exchange, and how many executions had operations. */
static struct {
    long narrow, operations;
} tally;

/* The library may refuse a problem for the reasons of tests/random/refusal.c, but not because of its
 * engine or of floats. */
static void expect_refusal(const random_problem *p, int rc)
{
    random_problem plain = *p;
    set_value(&plain, "subx_engine", "");
    set_value(&plain, "subx_wire", "");
    if (rc)
        EXPECT(random_refusal_find(&plain, subx_error_get_kind(rc)) >= 0);
    else
        EXPECT(random_refusal_find_certain(&plain) < 0);
}

static void check_problem(const random_problem *p, MPI_Comm comm, const char *strategy)
{
    trial t = {.p = p, .plan = SUBX_FFT_PLAN_NULL};
    char text[RANDOM_TEXT];
    int rank;
    const int left = test_device_count();
    subx_fft_problem problem;
    MPI_Info hints = random_hint_create(p);
    MPI_Info_set(hints, "subx_memory_kind", test_device.place);
    if (strategy)
        test_hint_set(hints, "strategy", strategy);
    if (p->number % 2)
        test_hint_set(hints, "device_reader", p->number % 4 < 2 ? "copies" : "kernel");
    if (p->number % 5 == 1 && random_problem_has(p, "subx_engine", "pairwise"))
        test_hint_set(hints, "device_carrier", "staged");
    random_problem_print(p, text);
    test_context("problem %d, %s, %.200s", (int)p->number, strategy ? strategy : "device", text);
    MPI_Comm_rank(comm, &rank);
    EXPECT_OK(random_problem_create(p, rank, &problem));
    const int rc = subx_fft_plan_create_problem(comm, problem, hints, &t.plan);
    expect_refusal(p, rc);
    if (!rc) {
        check_plan(&t, comm);
        tally.narrow += t.bound.exchanges > 0;
        tally.operations += p->has_operation;
    }
    EXPECT_OK(subx_fft_plan_free(&t.plan));
    test_device.table->free_stream(t.stream);
    EXPECT_OK(subx_fft_problem_free(&problem));
    MPI_Info_free(&hints);
    EXPECT_EQUAL(test_device_count(), left);
}

static void check_random(uint64_t number)
{
    const random_problem p = draw(number);
    test_device_set_messages(number);
    MPI_Comm comm = random_problem_comm(&p);
    if (comm == MPI_COMM_NULL)
        return;
    check_problem(&p, comm, number % 3 ? NULL : "device_natural");
    MPI_Comm_free(&comm);
}

/* ---- ways from input to output (fft/offload/group.c) */

typedef struct way {
    int kind, ndims;
    ptrdiff_t sizes[4], howmany;
    int has_order, is_padded, is_float;
} way;

/* Interleaved fields, more than three axes, and other orders of axes, so that copies save calls; real data in
 * place, with and without padding, and backward with a copy of the input or without one. */
static const way ways[] = {
    {SUBX_FFT_C2C, 3, {8, 9, 10}, 3, 0, 0, 0},   {SUBX_FFT_R2C, 3, {6, 9, 12}, 2, 0, 0, 0},
    {SUBX_FFT_C2C, 4, {3, 4, 5, 6}, 2, 0, 0, 0}, {SUBX_FFT_C2C, 3, {9, 8, 7}, 1, 1, 0, 0},
    {SUBX_FFT_R2C, 3, {6, 7, 9}, 1, 1, 0, 0},    {SUBX_FFT_R2C, 4, {3, 4, 5, 6}, 1, 0, 0, 0},
    {SUBX_FFT_R2C, 3, {5, 6, 8}, 1, 0, 1, 0},    {SUBX_FFT_R2C, 3, {7, 6, 5}, 1, 0, 1, 0},
    {SUBX_FFT_R2C, 2, {9, 16}, 1, 0, 1, 1}};
enum { NWAYS = sizeof ways / sizeof *ways };

/* Get the problem of a way on some ranks: it is executed in both directions, in place and not. */
static random_problem get_way(const way *w, int nranks, const char *input)
{
    random_problem p = {.number = (uint64_t)(w - ways),
                        .nranks = nranks,
                        .nworking = nranks,
                        .ndims = w->ndims,
                        .precision = w->is_float ? SUBX_FFT_FLOAT : SUBX_FFT_DOUBLE,
                        .howmany = w->howmany,
                        .interleaved = w->howmany > 1,
                        .padded = w->is_padded,
                        .nruns = 4};
    for (int a = 0; a < w->ndims; a++) {
        p.kinds[a] = a < w->ndims - 1 ? SUBX_FFT_C2C : w->kind;
        p.sizes[a] = p.modes[a] = p.points[a] = w->sizes[a];
        p.side[SUBX_FFT_SPECTRAL].order[a] = a;
    }
    p.side[SUBX_FFT_SPECTRAL].has_order = w->has_order;
    for (int i = 0; i < p.nruns; i++)
        p.run[i] = (random_run){.action = i % 2, .in_place = i / 2, .factor = 1};
    set_value(&p, "subx_input_array", input);
    return p;
}

/* Get the work space of a plan on one rank, in bytes. Padded real data need none if backward may destroy its
 * input. */
static void check_padded(const char *hints, int needs)
{
    const test_task t = {"r2c:5x6x8/padded", hints};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    ptrdiff_t bytes = -1;
    test_context("padded, %s", hints);
    EXPECT_OK(test_device_create_plan(&t, MPI_COMM_SELF, test_device.place, &plan));
    EXPECT_OK(subx_fft_plan_get_work(plan, &bytes));
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_EQUAL(bytes > 0, needs);
}

static void check_ways(void)
{
    for (int i = 0; i < 2 * NWAYS; i++) {
        const way *w = &ways[i / 2];
        const char *input = i % 2 && w->is_padded ? "destroy" : "preserve";
        const random_problem alone = get_way(w, 1, input), all = get_way(w, test_nranks, input);
        check_problem(&alone, MPI_COMM_SELF, NULL);
        check_problem(&all, MPI_COMM_WORLD, NULL);
    }
    check_padded("input_array=destroy", 0);
    check_padded("input_array=preserve", 1);
}

/* ---- boxes with strides, of which a rank has several */

enum { ROWS = 2, COLUMNS = 5, BOX = 21, DISTANCE = 50, NREALS = 4 * DISTANCE };

static void set_boxes(subx_fft_problem problem)
{
    const ptrdiff_t sizes[] = {ROWS * test_nranks, COLUMNS}, len[] = {1, COLUMNS}, stride[] = {BOX, 2};
    subx_boxes boxes = SUBX_BOXES_NULL;
    EXPECT_OK(subx_boxes_create(2, sizes, &boxes));
    for (int k = 0; k < ROWS; k++)
        EXPECT_OK(
            subx_boxes_add_strided(boxes, (ptrdiff_t[]){ROWS * test_rank + k, 0}, len, k * BOX + 1, stride));
    for (int side = 0; side < 2; side++)
        EXPECT_OK(subx_fft_problem_set_boxes(problem, side, boxes, DISTANCE));
    EXPECT_OK(subx_boxes_free(&boxes));
}

/* Execute a plan of two fields on the host and one on the device. The arrays must be equal, gaps included. */
static void check_boxes(void)
{
    char text[64];
    subx_fft_problem problem;
    subx_fft_plan plan[2];
    double from[NREALS], to[2][NREALS], worst = 0;
    test_context("boxes with strides");
    snprintf(text, sizeof text, "2*c2c:%dx%d", ROWS * test_nranks, COLUMNS);
    EXPECT_OK(subx_fft_problem_parse(text, &problem));
    set_boxes(problem);
    EXPECT_OK(test_device_create_problem_plan(problem, "", MPI_COMM_WORLD, SX_DEVICE_SYSTEM, &plan[0]));
    EXPECT_OK(test_device_create_problem_plan(problem, "", MPI_COMM_WORLD, test_device.place, &plan[1]));
    for (int i = 0; i < NREALS; i++)
        from[i] = to[0][i] = to[1][i] = sin(i + 1.0 + NREALS * test_rank);
    const test_launch x = {.plan = plan[1],
                           .direction = SUBX_FFT_FORWARD,
                           .from = from,
                           .to = to[1],
                           .bytes = {sizeof from, sizeof from}};
    EXPECT_OK(subx_fft_execute(plan[0], SUBX_FFT_FORWARD, from, to[0]));
    EXPECT_OK(test_device_launch(&x));
    for (int i = 0; i < NREALS; i++)
        worst = fmax(worst, fabs(to[0][i] - to[1][i]));
    EXPECT(worst <= 1e-12);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(subx_fft_plan_free(&plan[i]));
    EXPECT_OK(subx_fft_problem_free(&problem));
}

/* ---- refusals */

/* All ranks must get the error. Its text is one line, which names the hint. */
static void check_refusal(const char *problem, const char *hints, const char *memory, int kind)
{
    const test_task t = {problem, hints};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("%s %s on %s", problem, hints, memory);
    EXPECT_REFUSED(test_device_create_plan(&t, MPI_COMM_WORLD, memory, &plan), kind, "subx_");
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
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
static const test_task samples[] = {
    {"r2c:6x5x8", "grid=0x0 slices=3 output_order=transposed scaling=forward"},
    {"r2c:6x5x8", "grid=0x0x0 slices=2 scaling=symmetric"},
    {"c2c:35", "grid=0 slices=1 scaling=backward"},
};
enum { NSAMPLES = sizeof samples / sizeof *samples };

/* A plan on two ranks; the other ranks are idle. */
static void check_idle(void)
{
    static const way w = {SUBX_FFT_R2C, 3, {6, 5, 8}, 1, 0, 0, 0};
    random_problem p = get_way(&w, test_nranks, "preserve");
    p.number = 0;
    p.nworking = 2;
    set_value(&p, "subx_ranks", "2");
    set_value(&p, "subx_grid", "2");
    set_value(&p, "slices", "2");
    check_problem(&p, MPI_COMM_WORLD, NULL);
}

/* Rank 0 passes an array in host memory, first as the input, then as the output; or a table in host
 * memory. */
static void check_wrong_memory(const test_task *sample)
{
    test_run x = {0};
    test_context("wrong memory");
    if (!test_run_begin(sample, MPI_COMM_WORLD, 1, &x))
        return;
    for (int side = 0; side < 2; side++) {
        void *const from = test_rank == 0 && side == 0 ? x.host[0] : x.device[0];
        void *const to = test_rank == 0 && side == 1 ? x.host[1] : x.device[1];
        test_device_expect_wrong(subx_fft_execute(x.plan, SUBX_FFT_FORWARD, from, to), SUBX_ERR_ARG);
        EXPECT_OK(test_run_execute(&x, SUBX_FFT_PHYSICAL));
    }
    test_run_end(&x);
}

static const test_task convolved = {"r2c:4x5x6>6x5x9/operation", "grid=0x0 slices=3 scaling=backward"};

static void check_wrong_table(void)
{
    test_run x = {0};
    subx_fft_operation op = SUBX_FFT_OPERATION_NULL;
    test_context("a table in the wrong memory");
    if (!test_run_begin(&convolved, MPI_COMM_WORLD, 1, &x))
        return;
    EXPECT_OK(subx_fft_operation_create_table(x.plan, test_rank == 0 ? x.host[1] : x.device[1], 0, &op));
    test_device_expect_wrong(subx_fft_execute_convolution(x.plan, x.device[0], x.device[0], op),
                             SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_operation_free(&op));
    EXPECT_OK(test_run_execute(&x, SUBX_FFT_PHYSICAL));
    test_run_end(&x);
}

/* Device call n fails during a convolution. */
static void check_convolution(void)
{
    test_run x = {0};
    subx_fft_operation op = SUBX_FFT_OPERATION_NULL;
    int has_failed = 1;
    if (!test_run_begin(&convolved, MPI_COMM_WORLD, 1, &x))
        return;
    EXPECT_OK(subx_fft_operation_create_laplacian(x.plan, NULL, -1, &op));
    for (long n = 0; has_failed; n++) {
        test_context("call %ld of a convolution fails", n);
        void *const to = test_device_alloc(x.bytes[0]);
        test_device_begin_execution_fault(n);
        has_failed =
            test_device_end_execution_fault(subx_fft_execute_convolution(x.plan, x.device[0], to, op));
        EXPECT(has_failed || n > 5);
        test_device_free(to);
    }
    EXPECT_OK(subx_fft_operation_free(&op));
    test_run_end(&x);
}

/* All carriers with the first sample; the other samples, which have other exchanges, with one carrier. */
static void check_faults(void)
{
    for (int k = 0; k < NSAMPLES; k++) {
        const int last = k == 0 ? SX_FAKE_TAKES_MESSAGES : SX_FAKE_REFUSES_MESSAGES;
        for (int messages = SX_FAKE_REFUSES_MESSAGES; messages <= last; messages++) {
            test_device_set_messages((uint64_t)messages);
            test_fault_check_creation(&samples[k], 1);
            test_fault_check_creation(&samples[k], 0);
            test_fault_check_execution(&samples[k], 0, 0);
        }
    }
    check_convolution();
}

/* ---- texts */

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
    const test_task t = {"c2c:8x8x8", "grid=0 threads=1 effort=measure serial=naive"};
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
        const test_task t = {"c2c:8x8x8", "grid=0 engine=pairwise"};
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

enum { FEW = 3, MANY = 200 };

int main(int argc, char **argv)
{
    test_device_begin(&argc, &argv);
    const uint64_t n = test_device_get_count(MANY);
    if (test_nranks > FEW) {
        for (uint64_t i = 0; i < n; i++)
            check_random(i);
        check_ways();
        check_boxes();
        check_refusals();
        check_text();
        check_carriers();
        if (test_rank == 0)
            printf("%ld plans with floats in messages, %ld with operations\n", tally.narrow,
                   tally.operations);
        EXPECT(n < MANY || test_rank > 0 || (tally.narrow > 10 && tally.operations > 10));
    } else {
        check_idle();
        for (int k = 0; k < NSAMPLES; k++)
            check_wrong_memory(&samples[k]);
        check_wrong_table();
        if (test_device.fake)
            check_faults();
    }
    test_device_close();
    check_refusal("c2c:8x8x8", "grid=0", SX_DEVICE_FAKE, SUBX_ERR_HINT);
    return test_end();
}
