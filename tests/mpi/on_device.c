/* on_device.c - the device that a test uses, and plans on the device. */
#include "mpi/on_device.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

test_device_state test_device = {.table = &sx_device_fake, .place = SX_DEVICE_FAKE};

/* ---- memory of the device */

void *test_device_alloc(ptrdiff_t bytes)
{
    void *address = NULL;
    EXPECT_EQUAL(test_device.table->alloc(test_device.handle, bytes, &address), SUBX_ERR_NONE);
    return address;
}

void test_device_copy(void *to, const void *from, ptrdiff_t bytes)
{
    EXPECT_EQUAL(test_device.table->copy(test_device.stream, to, from, bytes), SUBX_ERR_NONE);
    EXPECT_EQUAL(test_device.table->finish(test_device.stream), SUBX_ERR_NONE);
}

/* Returns 0 if there is no such device. */
static int open_device(const char *kind, uint64_t seed)
{
    char text[SX_ERROR_LEN] = "";
    sx_text why = {text, sizeof text, 0};
    if (!kind)
        test_device.fake = sx_base_knobs.fake = sx_device_fake_create(seed);
    test_device.place = kind ? kind : test_device.place;
    if (sx_device_find(test_device.place, &test_device.table, &why) ||
        test_device.table->open(&test_device.handle, &why)) {
        printf("no device: %s\n", text);
        return 0;
    }
    EXPECT_EQUAL(test_device.table->create_stream(test_device.handle, &test_device.stream), SUBX_ERR_NONE);
    return 1;
}

void test_device_begin(int *argc, char ***argv)
{
    enum { SKIPPED = 77 };
    test_begin(argc, argv);
    if (open_device(getenv("TEST_DEVICE"), test_seed() + (uint64_t)test_rank))
        return;
    MPI_Finalize();
    exit(SKIPPED);
}

uint64_t test_device_get_count(uint64_t usual)
{
    const char *count = getenv("RANDOM_COUNT");
    return count && *count ? strtoull(count, NULL, 10) : usual;
}

int test_device_create_realign(const char *text, const char *memory, const ptrdiff_t sizes[],
                               const int order[], subx_exch *ex)
{
    MPI_Info hints = test_hints("%s memory_kind=%s", text, memory);
    const int rc =
        subx_exch_create_realign(MPI_COMM_WORLD, 3, sizes, 0, 1, NULL, order, MPI_DOUBLE, hints, ex);
    MPI_Info_free(&hints);
    return rc;
}

void test_device_get_info(subx_exch ex, const char *key, char value[])
{
    MPI_Info info;
    int found = 0;
    *value = '\0';
    EXPECT_OK(subx_exch_get_info(ex, &info));
    test_hint_get(info, key, value, &found);
    MPI_Info_free(&info);
}

void test_device_set_messages(uint64_t number)
{
    if (test_device.fake)
        test_device.fake->messages = (int)(number % (SX_FAKE_SPOILS_MESSAGES + 1));
}

void test_device_begin_fault(int victim, int is_device, long n)
{
    if (test_rank == victim && is_device)
        test_device.fake->fails_after = n;
    if (test_rank == victim && !is_device)
        sx_base_fail_after(n);
}

void test_device_begin_execution_fault(long n)
{
    test_device.fake->fails_after = test_rank == 0 ? n : -1;
}

int test_device_end_execution_fault(int rc)
{
    int has_failed = test_rank == 0 && test_device.fake->fails_after < 0;
    test_device.fake->fails_after = -1;
    if (has_failed)
        EXPECT_KIND(rc, SUBX_ERR_DEVICE);
    else
        EXPECT(rc == MPI_SUCCESS || (test_rank > 0 && subx_error_get_kind(rc) == SUBX_ERR_PEER));
    MPI_Bcast(&has_failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    EXPECT(has_failed || rc == MPI_SUCCESS);
    return has_failed;
}

int test_device_end_fault(int victim, int is_device, int rc)
{
    const int kind = subx_error_get_kind(rc);
    int has_failed = is_device ? test_device.fake->fails_after < 0 : sx_base_fail_after(-1) < 0;
    test_device.fake->fails_after = -1;
    MPI_Bcast(&has_failed, 1, MPI_INT, victim, MPI_COMM_WORLD);
    EXPECT(rc == MPI_SUCCESS || kind == SUBX_ERR_NO_MEM || kind == SUBX_ERR_UNAVAILABLE);
    EXPECT(has_failed || rc == MPI_SUCCESS);
    EXPECT_SAME(kind);
    return has_failed;
}

void test_device_close(void)
{
    test_device.table->free_stream(test_device.stream);
    test_device.table->close(test_device.handle);
    if (test_device.fake)
        EXPECT_EQUAL(sx_device_fake_free(&test_device.fake), 0);
    sx_base_knobs.fake = NULL;
}

/* ---- plans */

int test_device_create_problem_plan(const test_task *t, subx_fft_problem problem, MPI_Comm comm,
                                    const char *memory, subx_fft_plan *plan)
{
    const int is_natural = t->is_natural && strcmp(memory, SX_DEVICE_SYSTEM) != 0;
    MPI_Info hints = test_hints("%s scaling=%s memory_kind=%s%s", t->hints, t->scaling ? t->scaling : "none",
                                memory, is_natural ? " strategy=device_natural" : "");
    const int rc = subx_fft_plan_create_problem(comm, problem, hints, plan);
    MPI_Info_free(&hints);
    return rc;
}

/* Draw this rank's strides on a side, in elements: the axes have a random order, with gaps. The axis of the
 * fields is the last one. */
static void draw_strides(const test_task *t, MPI_Comm comm, int side, const ptrdiff_t shape[],
                         ptrdiff_t strides[])
{
    int rank, order[TEST_DEVICE_NDIMS + 1];
    MPI_Comm_rank(comm, &rank);
    test_random r = test_random_stream(test_seed() + 3, t->number * 64 + 2 * (uint64_t)rank + (uint64_t)side);
    ptrdiff_t next = 1;
    test_random_permutation(&r, t->ndims + 1, order);
    for (int k = 0; k <= t->ndims; k++) {
        const ptrdiff_t n = order[k] == t->ndims ? t->howmany : shape[order[k]];
        strides[order[k]] = next;
        next *= (n > 0 ? n : 1) + (test_random_int(&r, 0, 2) == 0);
    }
}

/* A plan without strides tells the shape of this rank's arrays. */
static void set_strides(const test_task *t, MPI_Comm comm, subx_fft_problem problem)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    ptrdiff_t shape[2][TEST_DEVICE_NDIMS], strides[TEST_DEVICE_NDIMS + 1];
    EXPECT_OK(test_device_create_problem_plan(t, problem, comm, SX_DEVICE_SYSTEM, &plan));
    for (int side = 0; side < 2; side++)
        EXPECT_OK(subx_fft_plan_get_local(plan, side, shape[side], NULL, NULL, NULL));
    EXPECT_OK(subx_fft_plan_free(&plan));
    for (int side = 0; side < 2; side++) {
        draw_strides(t, comm, side, shape[side], strides);
        if (t->has_strides[side])
            EXPECT_OK(subx_fft_problem_set_strides(problem, side, strides, strides[t->ndims]));
    }
}

int test_device_create_plan(const test_task *t, MPI_Comm comm, const char *memory, subx_fft_plan *plan)
{
    subx_fft_problem problem = SUBX_FFT_PROBLEM_NULL;
    EXPECT_OK(subx_fft_problem_parse(t->problem, &problem));
    test_boxes_set_problem(t, comm, problem);
    if (t->has_strides[0] || t->has_strides[1])
        set_strides(t, comm, problem);
    const int rc = test_device_create_problem_plan(t, problem, comm, memory, plan);
    EXPECT_OK(subx_fft_problem_free(&problem));
    return rc;
}

/* ---- a plan with its arrays */

static ptrdiff_t get_real_bytes(const test_task *t)
{
    return t->is_float ? (ptrdiff_t)sizeof(float) : (ptrdiff_t)sizeof(double);
}

/* Get the strides of R2C's real side in C order, whose lines have room for the spectrum. */
static void get_padded_strides(const test_task *t, const ptrdiff_t shape[], ptrdiff_t strides[])
{
    ptrdiff_t next = 1;
    for (int a = t->ndims - 1; a >= 0; a--) {
        strides[a] = next;
        next *= a == t->ndims - 1 ? 2 * (shape[a] / 2 + 1) : shape[a];
    }
    strides[t->ndims] = next;
}

static int has_kind(const test_task *t, int kind)
{
    for (int a = 0; a < t->ndims; a++)
        if (t->kinds[a] == kind)
            return 1;
    return 0;
}

/* Mark the elements of a box, of all fields, as no gaps. */
static void mark(const test_task *t, int side, const ptrdiff_t len[], ptrdiff_t offset,
                 const ptrdiff_t strides[], ptrdiff_t distance, test_run *x)
{
    const int width = t->is_real || (side == SUBX_FFT_PHYSICAL && has_kind(t, SUBX_FFT_R2C)) ? 1 : 2;
    ptrdiff_t count = t->howmany > 0 ? t->howmany : 1;
    for (int a = 0; a < t->ndims; a++)
        count *= len[a];
    for (ptrdiff_t i = 0; i < count; i++) {
        ptrdiff_t rest = i, at = offset;
        for (int a = 0; a < t->ndims; rest /= len[a], a++)
            at += rest % len[a] * strides[a];
        at += rest * distance;
        memset(x->is_gap[side] + at * width, 0, (size_t)width);
    }
}

static void mark_boxes(const test_task *t, MPI_Comm comm, int side, test_run *x)
{
    ptrdiff_t lens[TEST_DEVICE_NDIMS], distance;
    test_box box[TEST_DEVICE_BOXES];
    subx_fft_problem problem;
    int rank;
    MPI_Comm_rank(comm, &rank);
    EXPECT_OK(subx_fft_plan_get(x->plan, &problem, NULL, NULL));
    test_boxes_get_lengths(t, problem, side, lens);
    const int n = test_boxes_draw(t, side, lens, rank, box, &distance);
    for (int k = 0; k < n; k++)
        mark(t, side, box[k].len, box[k].offset, box[k].stride, distance, x);
}

/* Find the gaps of an array with strides, or with padding. */
static void find_gaps(const test_task *t, MPI_Comm comm, int side, const ptrdiff_t shape[], test_run *x)
{
    const int is_padded = t->is_padded && side == SUBX_FFT_PHYSICAL,
              has_boxes = t->boxes[side] == TEST_STRIDED_BOXES;
    ptrdiff_t strides[TEST_DEVICE_NDIMS + 1];
    if (!x->has_data[side] || (!t->has_strides[side] && !is_padded && !has_boxes))
        return;
    x->is_gap[side] = malloc((size_t)(x->bytes[side] / get_real_bytes(t)));
    memset(x->is_gap[side], 1, (size_t)(x->bytes[side] / get_real_bytes(t)));
    if (has_boxes) {
        mark_boxes(t, comm, side, x);
        return;
    }
    if (is_padded)
        get_padded_strides(t, shape, strides);
    else
        draw_strides(t, comm, side, shape, strides);
    mark(t, side, shape, 0, strides, strides[t->ndims], x);
}

/* The arrays are full of bytes, so that tests see if gaps are written. */
int test_run_begin(const test_task *t, MPI_Comm comm, int is_on_device, test_run *x)
{
    enum { FILLED = 0x3f };
    if (!EXPECT_OK(
            test_device_create_plan(t, comm, is_on_device ? test_device.place : SX_DEVICE_SYSTEM, &x->plan)))
        return 0;
    x->real_bytes = get_real_bytes(t);
    x->destroys = strstr(t->hints, "input_array=destroy") != NULL;
    for (int side = 0; side < 2; side++) {
        ptrdiff_t shape[TEST_DEVICE_NDIMS];
        EXPECT_OK(subx_fft_plan_get_local(x->plan, side, shape, NULL, NULL, &x->bytes[side]));
        x->has_data[side] = 1;
        for (int a = 0; a < t->ndims; a++)
            x->has_data[side] &= shape[a] > 0;
        x->keeps_gaps[side] = t->has_strides[side] || t->boxes[side] == TEST_STRIDED_BOXES;
        find_gaps(t, comm, side, shape, x);
        x->host[side] = malloc((size_t)x->bytes[side]);
        memset(x->host[side], FILLED, (size_t)x->bytes[side]);
        x->device[side] = is_on_device ? test_device_alloc(x->bytes[side]) : NULL;
        if (is_on_device)
            test_device_copy(x->device[side], x->host[side], x->bytes[side]);
    }
    return 1;
}

void test_run_end(test_run *x)
{
    for (int side = 0; side < 2; side++) {
        free(x->host[side]);
        free(x->is_gap[side]);
        test_device.table->free(test_device.handle, x->device[side]);
    }
    EXPECT_OK(subx_fft_plan_free(&x->plan));
    test_device.table->free_stream(x->stream);
}

static void add_copy(const test_run *x, void *to, const void *from, ptrdiff_t bytes)
{
    EXPECT_EQUAL(test_device.table->copy(x->stream ? x->stream : test_device.stream, to, from, bytes),
                 SUBX_ERR_NONE);
    if (!x->stream)
        EXPECT_EQUAL(test_device.table->finish(test_device.stream), SUBX_ERR_NONE);
}

/* Expect that the gaps of an array are as before. */
static void check_gaps(const test_run *x, int side, const char *before)
{
    const char *now = x->host[side];
    int nchanged = 0;
    for (ptrdiff_t i = 0; x->is_gap[side] && i < x->bytes[side]; i++)
        nchanged += x->is_gap[side][i / x->real_bytes] && now[i] != before[i];
    EXPECT_EQUAL(nchanged, 0);
}

/* Execute. If the plan has a stream, the host waits only at the end. */
int test_run_execute(test_run *x, int side)
{
    const int d = side == SUBX_FFT_PHYSICAL ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    if (!x->device[0])
        return subx_fft_execute(x->plan, d, x->host[side], x->host[!side]);
    void *input = malloc((size_t)x->bytes[side]), *before = malloc((size_t)x->bytes[!side]);
    add_copy(x, before, x->device[!side], x->bytes[!side]);
    add_copy(x, x->device[side], x->host[side], x->bytes[side]);
    const int rc = subx_fft_execute(x->plan, d, x->device[side], x->device[!side]);
    add_copy(x, input, x->device[side], x->bytes[side]);
    add_copy(x, x->host[!side], x->device[!side], x->bytes[!side]);
    if (x->stream)
        EXPECT_EQUAL(test_device.table->finish(x->stream), SUBX_ERR_NONE);
    EXPECT((x->destroys && d == SUBX_FFT_BACKWARD) ||
           memcmp(input, x->host[side], (size_t)x->bytes[side]) == 0);
    if (x->keeps_gaps[!side])
        check_gaps(x, !side, before);
    free(before);
    free(input);
    return rc;
}

void test_run_add_stream(test_run *x)
{
    EXPECT_EQUAL(test_device.table->create_stream(test_device.handle, &x->stream), SUBX_ERR_NONE);
    EXPECT_OK(subx_fft_plan_set_stream(x->plan, x->stream));
}

static double get(const test_task *t, const test_run *x, int side, ptrdiff_t i)
{
    return t->is_float ? (double)((float *)x->host[side])[i] : ((double *)x->host[side])[i];
}

double test_run_compare(const test_task *t, MPI_Comm comm, const test_run *a, const test_run *b, int side)
{
    const ptrdiff_t real = get_real_bytes(t);
    double worst[2] = {b->large, 0}; /* the largest number, and the largest difference */
    EXPECT_EQUAL(a->bytes[side], b->bytes[side]);
    for (ptrdiff_t i = 0; a->has_data[side] && i < a->bytes[side] / real; i++) {
        if (a->is_gap[side] && a->is_gap[side][i])
            continue;
        const double difference = fabs(get(t, a, side, i) - get(t, b, side, i));
        worst[0] = fmax(worst[0], fabs(get(t, b, side, i)));
        worst[1] = difference <= worst[1] ? worst[1] : difference;
    }
    MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, comm);
    EXPECT(worst[1] <= worst[0] * (t->is_float ? 1e-5 : 1e-13));
    return worst[0];
}

void test_run_fill(const test_task *t, test_run *x, uint64_t number)
{
    test_random r = test_random_stream(test_seed() + 1, number * 16 + (uint64_t)test_rank);
    const ptrdiff_t real = get_real_bytes(t);
    for (ptrdiff_t i = 0; i < x->bytes[0] / real; i++) {
        const double value = test_random_double(&r);
        if (t->is_float)
            ((float *)x->host[0])[i] = (float)value;
        else
            ((double *)x->host[0])[i] = value;
    }
}
