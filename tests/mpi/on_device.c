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

int test_device_open(const char *kind, uint64_t seed)
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
    MPI_Info hints =
        test_hints("%s scaling=%s memory_kind=%s", t->hints, t->scaling ? t->scaling : "none", memory);
    const int rc = subx_fft_plan_create_problem(comm, problem, hints, plan);
    MPI_Info_free(&hints);
    return rc;
}

int test_device_create_plan(const test_task *t, MPI_Comm comm, const char *memory, subx_fft_plan *plan)
{
    subx_fft_problem problem = SUBX_FFT_PROBLEM_NULL;
    EXPECT_OK(subx_fft_problem_parse(t->problem, &problem));
    const int rc = test_device_create_problem_plan(t, problem, comm, memory, plan);
    EXPECT_OK(subx_fft_problem_free(&problem));
    return rc;
}

/* ---- a plan with its arrays */

int test_run_begin(const test_task *t, MPI_Comm comm, int is_on_device, test_run *x)
{
    if (!EXPECT_OK(
            test_device_create_plan(t, comm, is_on_device ? test_device.place : SX_DEVICE_SYSTEM, &x->plan)))
        return 0;
    for (int side = 0; side < 2; side++) {
        ptrdiff_t shape[TEST_DEVICE_NDIMS];
        EXPECT_OK(subx_fft_plan_get_local(x->plan, side, shape, NULL, NULL, &x->bytes[side]));
        x->has_data[side] = 1;
        for (int a = 0; a < t->ndims; a++)
            x->has_data[side] &= shape[a] > 0;
        x->host[side] = calloc(1, (size_t)x->bytes[side]);
        x->device[side] = is_on_device ? test_device_alloc(x->bytes[side]) : NULL;
    }
    return 1;
}

void test_run_end(test_run *x)
{
    for (int side = 0; side < 2; side++) {
        free(x->host[side]);
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

/* Execute. If the plan has a stream, the host waits only at the end. */
int test_run_execute(test_run *x, int side)
{
    const int d = side == SUBX_FFT_PHYSICAL ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    if (!x->device[0])
        return subx_fft_execute(x->plan, d, x->host[side], x->host[!side]);
    add_copy(x, x->device[side], x->host[side], x->bytes[side]);
    const int rc = subx_fft_execute(x->plan, d, x->device[side], x->device[!side]);
    void *input = malloc((size_t)x->bytes[side]);
    add_copy(x, input, x->device[side], x->bytes[side]);
    add_copy(x, x->host[!side], x->device[!side], x->bytes[!side]);
    if (x->stream)
        EXPECT_EQUAL(test_device.table->finish(x->stream), SUBX_ERR_NONE);
    EXPECT(memcmp(input, x->host[side], (size_t)x->bytes[side]) == 0);
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

void test_run_compare(const test_task *t, MPI_Comm comm, const test_run *a, const test_run *b, int side)
{
    const ptrdiff_t real = t->is_float ? (ptrdiff_t)sizeof(float) : (ptrdiff_t)sizeof(double);
    double worst[2] = {0, 0}; /* the largest number, and the largest difference */
    EXPECT_EQUAL(a->bytes[side], b->bytes[side]);
    for (ptrdiff_t i = 0; a->has_data[side] && i < a->bytes[side] / real; i++) {
        const double difference = fabs(get(t, a, side, i) - get(t, b, side, i));
        worst[0] = fmax(worst[0], fabs(get(t, b, side, i)));
        worst[1] = difference <= worst[1] ? worst[1] : difference;
    }
    MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, comm);
    EXPECT(worst[1] <= worst[0] * (t->is_float ? 1e-5 : 1e-13));
}

void test_run_fill(const test_task *t, test_run *x, uint64_t number)
{
    test_random r = test_random_stream(test_seed() + 1, number * 16 + (uint64_t)test_rank);
    const ptrdiff_t real = t->is_float ? (ptrdiff_t)sizeof(float) : (ptrdiff_t)sizeof(double);
    for (ptrdiff_t i = 0; i < x->bytes[0] / real; i++) {
        const double value = test_random_double(&r);
        if (t->is_float)
            ((float *)x->host[0])[i] = (float)value;
        else
            ((double *)x->host[0])[i] = value;
    }
}

/* ---- random problems */

/* Draw a process grid. A grid dimension may be longer than the axis that it divides. */
static void draw_grid(test_random *r, const test_task *t, char *grid)
{
    int left = t->nranks;
    const int g = t->ndims == 1 ? 1 : test_random_int(r, 1, t->ndims - 1);
    *grid = '\0';
    for (int k = 0; k < g; k++) {
        int n = k + 1 < g ? test_random_int(r, 1, left) : left;
        while (left % n != 0)
            n--;
        sprintf(grid + strlen(grid), "%s%d", k ? "x" : "", n);
        left /= n;
    }
}

/* Draw a list of kinds. At least one axis is transformed, and at most one is R2C. */
static void draw_list(test_random *r, test_task *t, int has_complex)
{
    const int chosen = test_random_int(r, 0, t->ndims - 1);
    for (int a = 0; a < t->ndims; a++) {
        t->kinds[a] = test_random_int(r, SUBX_FFT_DCT1, SUBX_FFT_HC2R);
        if (has_complex && test_random_int(r, 0, 2) == 0)
            t->kinds[a] = SUBX_FFT_C2C;
        if (a != chosen && test_random_int(r, 0, 3) == 0)
            t->kinds[a] = SUBX_FFT_NONE;
    }
    if (has_complex && test_random_int(r, 0, 1))
        t->kinds[chosen] = SUBX_FFT_R2C;
}

/* Draw the kinds: a half of the problems are c2c or r2c, a quarter has a single other kind, a quarter a list of kinds. */
static void draw_kinds(test_random *r, test_task *t)
{
    const int style = test_random_int(r, 0, 7);
    t->kind = style < 2 ? SUBX_FFT_C2C : style < 4 ? SUBX_FFT_R2C : SUBX_FFT_NONE;
    if (style == 4 || style == 5)
        t->kind = test_random_int(r, SUBX_FFT_DCT1, SUBX_FFT_HC2R);
    for (int a = 0; a < t->ndims; a++)
        t->kinds[a] = t->kind == SUBX_FFT_R2C && a < t->ndims - 1 ? SUBX_FFT_C2C : t->kind;
    if (style > 5)
        draw_list(r, t, style == 7);
    t->is_real = 1;
    for (int a = 0; a < t->ndims; a++)
        t->is_real &= t->kinds[a] != SUBX_FFT_C2C && t->kinds[a] != SUBX_FFT_R2C;
}

static char *print_kinds(const test_task *t, char *at)
{
    static const char *const names[] = {"-",    "c2c",  "r2c",  "c2r",  "dct1", "dct2", "dct3", "dct4",
                                        "dst1", "dst2", "dst3", "dst4", "dht",  "r2hc", "hc2r"};
    if (t->kind != SUBX_FFT_NONE)
        return at + sprintf(at, "%s", names[t->kind]);
    for (int a = 0; a < t->ndims; a++)
        at += sprintf(at, "%s%s", a ? "," : "", names[t->kinds[a]]);
    return at;
}

/* Print a list of lengths: the sizes, or, if is_less, random lengths that do not exceed the sizes. */
static char *print_list(test_random *r, const test_task *t, int is_less, char *at)
{
    for (int a = 0; a < t->ndims; a++) {
        const int is_whole = t->kinds[a] == SUBX_FFT_NONE || t->kinds[a] == SUBX_FFT_HC2R;
        const ptrdiff_t less = test_random_int(r, 1, (int)t->sizes[a]);
        at += sprintf(at, "%s%td", a ? "x" : "", is_less && !is_whole ? less : t->sizes[a]);
    }
    return at;
}

/* Print the lengths of a problem. In half of the cases there are fewer modes or points than sizes. */
static char *print_lengths(test_random *r, test_task *t, char *at)
{
    const int what = test_random_int(r, 0, 5);
    t->is_truncated = what < 3;
    if (t->is_truncated) {
        at = print_list(r, t, what != 1, at);
        *at++ = '>';
    }
    at = print_list(r, t, 0, at);
    if (t->is_truncated && what != 2) {
        *at++ = '>';
        at = print_list(r, t, 1, at);
    }
    return at;
}

/* Draw the sizes. DCT1 has at least two elements. */
static void draw_sizes(test_random *r, test_task *t)
{
    static const int lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 25, 31, 32, 64};
    static const int last[] = {0, 15, 13, 11, 6};
    for (int a = 0; a < t->ndims; a++) {
        const int n = lengths[test_random_int(r, 0, last[t->ndims])];
        t->sizes[a] = n == 1 && t->kinds[a] == SUBX_FFT_DCT1 ? 2 : n;
    }
}

static void draw_problem(test_random *r, test_task *t)
{
    char *at = t->problem;
    const int is_inside = test_random_int(r, 0, 1);
    t->is_float = test_random_int(r, 0, 3) == 0;
    t->howmany = test_random_int(r, 0, 2) ? 1 : test_random_int(r, 2, 3);
    t->ndims =
        t->nranks == 1 ? test_random_int(r, 1, TEST_DEVICE_NDIMS) : test_random_int(r, 2, TEST_DEVICE_NDIMS);
    draw_kinds(r, t);
    draw_sizes(r, t);
    if (t->howmany > 1 && !is_inside)
        at += sprintf(at, "%d*", t->howmany);
    at = print_kinds(t, at);
    at += sprintf(at, "%s:", t->is_float ? ".f32" : "");
    at = print_lengths(r, t, at);
    if (t->howmany > 1 && is_inside)
        at += sprintf(at, "*%d", t->howmany);
    for (int side = 0; side < 2; side++) {
        int order[TEST_DEVICE_NDIMS];
        if (test_random_int(r, 0, 4))
            continue;
        test_random_permutation(r, t->ndims, order);
        at += sprintf(at, "/%s-order=", side ? "spectral" : "physical");
        for (int k = 0; k < t->ndims; k++)
            at += sprintf(at, "%s%d", k ? "," : "", order[k]);
    }
}

test_task test_task_draw(uint64_t number)
{
    static const int counts[] = {1, 2, 3, 4, 7};
    static const char *const engines[] = {"auto", "node", "pairwise", "alltoallv", "kway"};
    static const char *const scalings[] = {"none", "forward", "backward", "symmetric", "orthonormal"};
    static const char *const slices[] = {"0", "1", "2", "3", "7", "40"};
    test_random r = test_random_stream(test_seed(), number);
    test_task t = {.nranks = counts[test_random_int(&r, 0, 4)]};
    char grid[64];
    t.nranks = t.nranks > test_nranks ? test_nranks : t.nranks;
    draw_problem(&r, &t);
    draw_grid(&r, &t, grid);
    snprintf(t.hints, TEST_DEVICE_TEXT, "grid=%s output_order=%s slices=%s engine=%s node_ranks=%d", grid,
             test_random_int(&r, 0, 1) ? "natural" : "transposed", slices[test_random_int(&r, 0, 5)],
             engines[test_random_int(&r, 0, 4)], test_random_int(&r, 0, 2));
    t.scaling = scalings[test_random_int(&r, 0, 4)];
    return t;
}
