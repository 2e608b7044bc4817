/* fft_operation.c - operations by tables, in the memory of the host and of the fake device, compared with
 * plain transforms and with the definition of circular convolutions; errors of all calls. (tests/random/fft.c
 * and fft_device.c compare operations by functions with the definition.) With TEST_DEVICE=cuda:device the
 * plans in device memory are on a GPU.
 * ranks: 1 2 4 7 (three would repeat seven: a prime has no grid with several rows and columns) */
#include "common/array.h"
#include "common/on_device.h"
#include "common/verdict.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of elements */

/* Get a value that differs between elements. `seed` points to an int. */
static long double complex get_anything(const void *seed, const ptrdiff_t index[])
{
    long double angle = *(const int *)seed;
    for (int i = 0; i < 3; i++)
        angle += (long double)((i + 2) * (index[i] + 1) * (index[i] + 3));
    return sinl(angle) + 0.5L * cosl(3 * angle) * I;
}

/* The factor by which all operations here multiply an element. */
static double get_factor(int ndims, const ptrdiff_t index[])
{
    double factor = 1;
    for (int i = 0; i < ndims; i++)
        factor += (double)(index[i] * (i + 1)) / 8;
    return factor;
}

static long double complex get_product(const void *array, const ptrdiff_t index[])
{
    return test_array_get(array, index) * get_factor(((const test_array *)array)->ndims, index);
}

static long double complex get_table(const void *ndims, const ptrdiff_t index[])
{
    return get_factor(*(const int *)ndims, index);
}

/* ---- a plan with its arrays */

typedef struct scene {
    subx_fft_plan plan;
    test_array u, spectrum, result[2]; /* result: by side */
    ptrdiff_t bytes[2];                /* of an array, by side */
    int is_on_device;
    long double tolerance;
} scene;

static int scene_create(const char *text, const char *hints, scene *s)
{
    if (!EXPECT_OK(test_plan_create(text, hints, &s->plan)))
        return 0;
    s->u = test_array_create(s->plan, SUBX_FFT_PHYSICAL);
    s->result[SUBX_FFT_PHYSICAL] = test_array_create(s->plan, SUBX_FFT_PHYSICAL);
    s->spectrum = test_array_create(s->plan, SUBX_FFT_SPECTRAL);
    s->result[SUBX_FFT_SPECTRAL] = test_array_create(s->plan, SUBX_FFT_SPECTRAL);
    s->tolerance = 3e4L * test_get_epsilon(s->u.precision);
    s->is_on_device = strstr(hints, "memory_kind") != NULL;
    for (int side = 0; side < 2; side++)
        EXPECT_OK(subx_fft_plan_get_local(s->plan, side, NULL, NULL, NULL, &s->bytes[side]));
    return 1;
}

/* Execute forward, backward, or a convolution (direction 0). */
static int run(const scene *s, int direction, const test_array *from, const test_array *to,
               subx_fft_operation op)
{
    const int in = direction == SUBX_FFT_BACKWARD, out = direction == SUBX_FFT_FORWARD;
    const test_launch x = {.plan = s->plan,
                           .direction = direction,
                           .op = op,
                           .from = from->data,
                           .to = to->data,
                           .bytes = {s->bytes[in], s->bytes[out]}};
    return s->is_on_device ? test_device_launch(&x)
           : direction     ? subx_fft_execute_operation(s->plan, direction, from->data, to->data, op)
                           : subx_fft_execute_convolution(s->plan, from->data, to->data, op);
}

static void scene_free(scene *s)
{
    test_array_free(&s->u);
    test_array_free(&s->spectrum);
    test_array_free(&s->result[0]);
    test_array_free(&s->result[1]);
    EXPECT_OK(subx_fft_plan_free(&s->plan));
}

/* Execute forward, backward and a convolution, each with an operation. The results must equal plain
 * transforms whose spectra the test multiplies. `op` multiplies by get_factor. */
static void check_operation(scene *s, subx_fft_operation op)
{
    const int seed = 1;
    test_array *spectral = &s->result[SUBX_FFT_SPECTRAL], *physical = &s->result[SUBX_FFT_PHYSICAL];
    test_array_fill(&s->u, get_anything, &seed);
    EXPECT_OK(run(s, SUBX_FFT_FORWARD, &s->u, &s->spectrum, SUBX_FFT_OPERATION_NULL));
    EXPECT_OK(run(s, SUBX_FFT_FORWARD, &s->u, spectral, op));
    EXPECT(test_array_compare(spectral, get_product, &s->spectrum) <= s->tolerance);
    EXPECT_OK(run(s, SUBX_FFT_BACKWARD, spectral, &s->u, SUBX_FFT_OPERATION_NULL));
    EXPECT_OK(run(s, SUBX_FFT_BACKWARD, &s->spectrum, physical, op));
    EXPECT(test_array_compare(physical, test_array_get, &s->u) <= s->tolerance);
    test_array_fill(physical, get_anything, &seed);
    EXPECT_OK(run(s, 0, physical, physical, op));
    EXPECT(test_array_compare(physical, test_array_get, &s->u) <= s->tolerance);
}

/* A table lies where the plan's arrays lie. */
static void *create_table(const scene *s, const test_array *table)
{
    if (!s->is_on_device)
        return table->data;
    void *on_device = test_device_alloc(s->bytes[SUBX_FFT_SPECTRAL]);
    test_device_copy(on_device, table->data, s->bytes[SUBX_FFT_SPECTRAL]);
    return on_device;
}

static void free_table(const scene *s, void *table)
{
    if (s->is_on_device)
        test_device_free(table);
}

static void check_table(scene *s)
{
    subx_fft_operation op;
    test_array table = test_array_create(s->plan, SUBX_FFT_SPECTRAL);
    test_array_fill(&table, get_table, &table.ndims);
    void *data = create_table(s, &table);
    if (EXPECT_OK(subx_fft_operation_create_table(s->plan, data, 0, &op)))
        check_operation(s, op);
    EXPECT_OK(subx_fft_operation_free(&op));
    free_table(s, data);
    test_array_free(&table);
}

/* ---- convolutions by their definition */

enum { FIRST = 1, SECOND = 2 }; /* seeds of the two fields */

typedef struct convolution {
    ptrdiff_t sizes[3];
    int is_real, is_correlation;
} convolution;

static long double complex get_field(const convolution *c, int seed, const ptrdiff_t index[])
{
    const long double complex x = get_anything(&seed, index);
    return c->is_real ? creall(x) : x;
}

static long double complex get_first(const void *context, const ptrdiff_t index[])
{
    return get_field(context, FIRST, index);
}

static long double complex get_second(const void *context, const ptrdiff_t index[])
{
    return get_field(context, SECOND, index);
}

/* Get the convolution, the sum over j of first[m - j] second[j], or the correlation, the sum over j of
 * first[m + j] conj(second[j]). */
static long double complex get_sum(const void *context, const ptrdiff_t m[])
{
    const convolution *c = context;
    const ptrdiff_t *n = c->sizes;
    long double complex sum = 0;
    for (ptrdiff_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        const ptrdiff_t j[3] = {i / n[2] / n[1], i / n[2] % n[1], i % n[2]};
        ptrdiff_t other[3];
        for (int a = 0; a < 3; a++)
            other[a] = (c->is_correlation ? m[a] + j[a] : m[a] + n[a] - j[a]) % n[a];
        const long double complex y = get_field(c, SECOND, j);
        sum += get_field(c, FIRST, other) * (c->is_correlation ? conjl(y) : y);
    }
    return sum;
}

static void check_convolution(scene *s)
{
    convolution c = {.is_real = s->u.width == 1};
    subx_fft_problem problem;
    subx_fft_plan_get(s->plan, &problem, NULL, NULL);
    subx_fft_problem_get(problem, NULL, NULL, c.sizes, NULL, NULL);
    test_array_fill(&s->u, get_second, &c);
    EXPECT_OK(run(s, SUBX_FFT_FORWARD, &s->u, &s->spectrum, SUBX_FFT_OPERATION_NULL));
    void *table = create_table(s, &s->spectrum);
    for (c.is_correlation = 0; c.is_correlation < 2; c.is_correlation++) {
        subx_fft_operation op;
        if (!EXPECT_OK(subx_fft_operation_create_table(s->plan, table, c.is_correlation, &op)))
            return;
        test_array_fill(&s->u, get_first, &c);
        EXPECT_OK(run(s, 0, &s->u, &s->result[SUBX_FFT_PHYSICAL], op));
        EXPECT(test_array_compare(&s->result[SUBX_FFT_PHYSICAL], get_sum, &c) <= s->tolerance);
        EXPECT_OK(subx_fft_operation_free(&op));
    }
    free_table(s, table);
}

/* ---- problems and plans */

typedef struct problem {
    const char *text;
    /* 1 if all axes have Fourier transforms and all points, so that convolutions are circular */
    int is_convolved;
} problem;

static const problem problems[] = {
    {"c2c:6x5x4/operation", 1},
    {"r2c:4x7x6/operation", 1},
    {"r2c.f32:6x4x5/operation", 1},
    {"c2c,r2c,c2c:5x6x4/spectral-order=0,1,2/operation", 1},
    {"c2c:6x5x4/physical-order=1,0,2/operation", 1},
    {"dct2,dst1,r2c:5x6x4/operation", 0},
    {"dst2,-,dct1:6x4x5/operation", 0},
    {"c2c:4x5x3>6x6x5/operation", 0},
    {"r2c:4x3x6>7x5x9/operation", 0},
    {"2*c2c:4x5x3/operation", 0},
    {"r2c:4x5x6*3/operation", 0},
    {"c2c.f32:3x4x5*20/operation", 0},
};

static void check_problem(const problem *p, const char *hints)
{
    scene s;
    test_context("%s, %s", p->text, hints);
    if (!scene_create(p->text, hints, &s))
        return;
    check_table(&s);
    if (p->is_convolved)
        check_convolution(&s);
    scene_free(&s);
}

/* Check all problems with slabs or with pencils, with slices that are sent and received while others are
 * transformed, and with several threads. */
static void check_all(void)
{
    static const char *const choices[] = {"threads=1 overlap=auto cache=100000",
                                          "threads=3 overlap=both slices=2 engine=pairwise",
                                          "cache=400 output_order=transposed width=3",
                                          "overlap=send slices=2 engine=pairwise pencils=interleaved"};
    char hints[200];
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        for (size_t k = 0; k < 4; k++) {
            snprintf(hints, sizeof hints, "scaling=backward grid=%s %s", (i + k) % 2 ? "0x0" : "0",
                     choices[k]);
            check_problem(&problems[i], hints);
        }
}

static void check_device(void)
{
    char hints[128];
    test_device_open();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        snprintf(hints, sizeof hints, "scaling=backward slices=2 memory_kind=%s grid=%s", test_device.place,
                 i % 2 ? "0x0" : "0");
        check_problem(&problems[i], hints);
    }
    test_device_close();
}

/* On a grid of three dimensions (bricks), the last pass works on a block that is not this rank's block of the
 * spectral array. A table must lie like the spectral array, so bricks refuse tables. */
static void check_bricks(void)
{
    scene s;
    subx_fft_operation op = (subx_fft_operation)&op;
    test_context("bricks");
    if (!scene_create("c2c:6x5x4/operation", "scaling=backward grid=0x0x0", &s))
        return;
    EXPECT_KIND(subx_fft_operation_create_table(s.plan, s.spectrum.data, 0, &op), SUBX_ERR_UNAVAILABLE);
    EXPECT(op == SUBX_FFT_OPERATION_NULL);
    scene_free(&s);
}

/* ---- errors */

static void nothing(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                    const ptrdiff_t stride[], void *data)
{
    (void)context, (void)ndims, (void)start, (void)n, (void)stride, (void)data;
}

static void check_errors_of(subx_fft_plan plan, subx_fft_plan plain)
{
    static double table[6 * 5 * 4 * 2];
    subx_fft_operation op = (subx_fft_operation)&op;
    EXPECT_KIND(subx_fft_operation_create_function(NULL, NULL, &op), SUBX_ERR_ARG);
    EXPECT(op == SUBX_FFT_OPERATION_NULL);
    EXPECT_KIND(subx_fft_operation_create_function(nothing, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_operation_create_table(NULL, table, 0, &op), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_operation_create_table(plan, table, 0, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_operation_create_table(plain, table, 0, &op), SUBX_ERR_ARG);
    if (test_rank == 0)
        EXPECT_KIND(subx_fft_operation_create_table(plan, NULL, 0, &op), SUBX_ERR_ARG);
    EXPECT(op == SUBX_FFT_OPERATION_NULL);
    EXPECT_OK(subx_fft_operation_free(&op));
    EXPECT_OK(subx_fft_operation_free(NULL));
    if (!EXPECT_OK(subx_fft_operation_create_function(nothing, NULL, &op)))
        return;
    EXPECT_KIND(subx_fft_execute_operation(plain, SUBX_FFT_FORWARD, table, table, op), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_execute_operation(plan, 0, table, table, op), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_execute_convolution(plain, table, table, op), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_execute_convolution(plan, table, table, SUBX_FFT_OPERATION_NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_execute_convolution(NULL, table, table, op), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_operation_free(&op));
}

static void check_errors(void)
{
    subx_fft_plan plan, plain;
    test_context("errors");
    if (EXPECT_OK(test_plan_create("c2c:6x5x4/operation", "", &plan)) &&
        EXPECT_OK(test_plan_create("c2c:6x5x4", "", &plain)))
        check_errors_of(plan, plain);
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_OK(subx_fft_plan_free(&plain));
}

int main(int argc, char **argv)
{
    test_begin_funneled(&argc, &argv);
    check_all();
    check_device();
    check_bricks();
    check_errors();
    return test_end();
}
