/* fft_derivative.c - derivatives, and powers of the Laplacian, of trigonometric polynomials, whose results
 * are known, in the memory of the host and of the fake device; frequencies of axes; errors of all calls. With
 * TEST_DEVICE=cuda:device the plans in device memory are on a GPU.
 * ranks: 1 2 4 7 (three would repeat seven: a prime has no grid with several rows and columns) */
#include "common/array.h"
#include "common/on_device.h"
#include "common/verdict.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const long double PI = 3.14159265358979323846264L;

/* ---- a field: a sum of terms, each the product of a cosine or sine per axis */

enum { NDIMS = 3, NTERMS = 3 };

typedef struct field {
    int kinds[NDIMS];
    ptrdiff_t sizes[NDIMS], modes[NDIMS];
    const double *lengths; /* lengths of the axes; NULL for the default */
    int frequency[NTERMS][NDIMS];
    int orders[NDIMS]; /* the orders of the derivative */
    int power;         /* the operation also applies this power of the Laplacian */
} field;

static int is_sine(int kind)
{
    return kind == SUBX_FFT_DST1 || kind == SUBX_FFT_DST2;
}

static int is_cosine(int kind)
{
    return kind == SUBX_FFT_DCT1 || kind == SUBX_FFT_DCT2;
}

/* Get the wave number. On axes with sines or cosines (DST, DCT), frequency 1 is half a period on the axis. On
 * all other axes it is a whole period. */
static long double get_k(const field *f, int axis, int frequency)
{
    const int is_half = is_sine(f->kinds[axis]) || is_cosine(f->kinds[axis]);
    if (f->kinds[axis] == SUBX_FFT_NONE)
        return 0;
    return f->lengths ? (is_half ? PI : 2 * PI) * frequency / f->lengths[axis] : frequency;
}

static long double get_x(const field *f, int axis, ptrdiff_t j)
{
    const int is_half = is_sine(f->kinds[axis]) || is_cosine(f->kinds[axis]);
    const long double length = f->lengths ? (long double)f->lengths[axis] : is_half ? PI : 2 * PI;
    const long double n = (long double)f->sizes[axis], at = (long double)j;
    switch (f->kinds[axis]) {
    case SUBX_FFT_DCT1:
        return length * at / (n - 1);
    case SUBX_FFT_DST1:
        return length * (at + 1) / (n + 1);
    case SUBX_FFT_DCT2:
    case SUBX_FFT_DST2:
        return length * (at + 0.5L) / n;
    default:
        return length * at / n;
    }
}

/* Get a term's factor for one axis at element j. A derivative shifts the phase by a quarter of a period. Odd
 * derivatives of the frequency modes/2 are 0. */
static long double get_factor(const field *f, int axis, int frequency, ptrdiff_t j)
{
    const int kind = f->kinds[axis], order = f->orders[axis];
    const long double phase = is_sine(kind) ? -PI / 2 : is_cosine(kind) ? 0 : 0.3L + axis;
    if (kind == SUBX_FFT_NONE)
        return 1 + (long double)j;
    if (order % 2 && 2 * frequency == f->modes[axis])
        return 0;
    const long double k = get_k(f, axis, frequency);
    return powl(k, order) * cosl(k * get_x(f, axis, j) + phase + order * PI / 2);
}

static long double get_laplacian(const field *f, const int frequency[])
{
    long double sum = 0;
    for (int a = 0; a < NDIMS; a++)
        sum -= get_k(f, a, frequency[a]) * get_k(f, a, frequency[a]);
    return f->power < 0 && sum == 0 ? 0 : powl(sum, f->power);
}

static long double complex get_value(const void *context, const ptrdiff_t index[])
{
    const field *f = context;
    long double complex value = 0;
    for (int t = 0; t < NTERMS; t++) {
        long double complex term = (1 + 0.5L * I) / (t + 1) * get_laplacian(f, f->frequency[t]);
        for (int a = 0; a < NDIMS; a++)
            term *= get_factor(f, a, f->frequency[t][a], index[a]);
        value += term;
    }
    return value;
}

/* Get a bound of the factors by which the operation multiplies modes. The operation multiplies the
 * transform's rounding errors by the same factors. */
static long double get_bound(const field *f)
{
    int highest[NDIMS];
    long double bound = 1;
    for (int a = 0; a < NDIMS; a++) {
        highest[a] = (int)f->modes[a];
        bound *= f->kinds[a] == SUBX_FFT_NONE ? (long double)f->sizes[a]
                                              : 1 + powl(get_k(f, a, highest[a]), f->orders[a]);
    }
    return bound * (1 + fabsl(get_laplacian(f, highest)));
}

/* ---- checks */

static int is_on_device; /* of the plan that is checked */

static int convolve(subx_fft_plan plan, const test_array *u, const test_array *result, subx_fft_operation op)
{
    test_launch x = {.plan = plan, .op = op, .from = u->data, .to = result->data};
    if (!is_on_device)
        return subx_fft_execute_convolution(plan, u->data, result->data, op);
    EXPECT_OK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, NULL, NULL, NULL, &x.bytes[0]));
    x.bytes[1] = x.bytes[0];
    return test_device_launch(&x);
}

static void check(subx_fft_plan plan, field f, subx_fft_operation op)
{
    field wanted = f;
    test_array u = test_array_create(plan, SUBX_FFT_PHYSICAL),
               result = test_array_create(plan, SUBX_FFT_PHYSICAL);
    f.power = 0;
    for (int a = 0; a < NDIMS; a++)
        f.orders[a] = 0;
    test_array_fill(&u, get_value, &f);
    EXPECT_OK(convolve(plan, &u, &result, op));
    EXPECT(test_array_compare(&result, get_value, &wanted) <=
           100 * test_get_epsilon(u.precision) * get_bound(&wanted));
    test_array_free(&u);
    test_array_free(&result);
}

static void check_derivative(subx_fft_plan plan, field f, const int orders[])
{
    subx_fft_operation op;
    for (int a = 0; a < NDIMS; a++)
        f.orders[a] = f.kinds[a] == SUBX_FFT_NONE ? 0 : orders[a];
    if (EXPECT_OK(subx_fft_operation_create_derivative(plan, f.lengths, f.orders, &op)))
        check(plan, f, op);
    EXPECT_OK(subx_fft_operation_free(&op));
}

static void check_laplacian(subx_fft_plan plan, field f, int power)
{
    subx_fft_operation op;
    f.power = power;
    if (EXPECT_OK(subx_fft_operation_create_laplacian(plan, f.lengths, power, &op)))
        check(plan, f, op);
    EXPECT_OK(subx_fft_operation_free(&op));
}

/* Element i of an axis has frequency i, or i + 1 on axes with sines. Frequencies above modes/2 of complex and
 * half-complex axes are negative. */
static void check_frequencies(subx_fft_plan plan, const field *f)
{
    ptrdiff_t shape[NDIMS], start[NDIMS];
    EXPECT_OK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, shape, start, NULL, NULL));
    for (int a = 0; a < NDIMS; a++) {
        ptrdiff_t got[128];
        EXPECT_OK(subx_fft_plan_get_frequencies(plan, a, got));
        for (ptrdiff_t i = 0; i < shape[a]; i++) {
            ptrdiff_t wanted = start[a] + i + is_sine(f->kinds[a]);
            const int is_signed =
                f->kinds[a] == SUBX_FFT_C2C || f->kinds[a] == SUBX_FFT_DHT || f->kinds[a] == SUBX_FFT_R2HC;
            if (is_signed && 2 * wanted > f->modes[a])
                wanted -= f->modes[a];
            EXPECT_EQUAL(got[i], f->kinds[a] == SUBX_FFT_NONE ? 0 : wanted);
        }
    }
}

typedef struct problem {
    const char *text;
    int has_odd; /* bit k: axis k has odd derivatives */
} problem;

static const problem problems[] = {
    {"c2c:6x5x4/operation", 7},
    {"r2c:5x7x4/operation", 7},
    {"r2c.f32:6x5x5/operation", 7},
    {"r2c.long:6x5x4/operation", 7},
    {"c2c.f128:5x5x4/operation", 7},
    {"r2c,c2c,-:6x5x4/operation", 3},
    {"c2c,r2c,c2c:5x6x4/spectral-order=0,1,2/operation", 7},
    {"dct2,dst1,r2c:5x6x4/operation", 4},
    {"dst2,-,dct1:6x4x5/operation", 0},
    {"dht,r2hc,dct2.f32:6x5x4/operation", 0},
    {"dst1,c2c,dct1:6x5x3/operation", 2},
    {"c2c:5x6x3>7x7x5/operation", 7},
    {"r2c:6x5x4>9x8x7/operation", 7},
    {"2*c2c:6x5x3/operation", 7},
    {"r2c:5x5x4*3/operation", 7},
    {"dst2,dct2,dct1:70x6x5/operation", 0},
};

static void set_field(subx_fft_plan plan, field *f)
{
    static const int frequency[NTERMS][NDIMS] = {{1, 2, 1}, {2, 1, 1}, {0, 0, 0}};
    subx_fft_problem p;
    EXPECT_OK(subx_fft_plan_get(plan, &p, NULL, NULL));
    EXPECT_OK(subx_fft_problem_get(p, NULL, f->kinds, f->sizes, f->modes, NULL));
    for (int t = 0; t < NTERMS; t++)
        for (int a = 0; a < NDIMS; a++)
            f->frequency[t][a] = frequency[t][a];
}

static void check_orders(subx_fft_plan plan, const field *f, int has_odd)
{
    static const int orders[][NDIMS] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 2}, {0, 3, 1},
                                        {1, 1, 1}, {2, 0, 0}, {0, 4, 2}, {2, 2, 2}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        int odd = 0;
        for (int a = 0; a < NDIMS; a++)
            odd |= (orders[i][a] % 2) << a;
        if ((odd & ~has_odd) == 0)
            check_derivative(plan, *f, orders[i]);
    }
    for (int power = -2; power <= 2; power++)
        check_laplacian(plan, *f, power);
}

/* With other lengths of the axes only the factors change. */
static void check_problem(const problem *p, const char *hints, int has_lengths)
{
    static const double lengths[] = {3, 0.7, 2.5};
    subx_fft_plan plan;
    field f = {.lengths = NULL};
    test_context("%s, %s", p->text, hints);
    int rc = test_plan_create(p->text, hints, &plan);
    if (subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE)
        return;
    if (!EXPECT_OK(rc))
        return;
    set_field(plan, &f);
    check_frequencies(plan, &f);
    check_orders(plan, &f, p->has_odd);
    f.lengths = lengths;
    if (has_lengths)
        check_orders(plan, &f, p->has_odd);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* Check all problems. On a grid of three dimensions (bricks), the operation gets blocks that differ from the
 * blocks of the spectral array. */
static void check_all(void)
{
    static const char *const hints[] = {"scaling=backward grid=0 threads=1 cache=100000",
                                        "scaling=backward grid=0x0 threads=3 cache=400",
                                        "scaling=backward grid=0x0x0 threads=1 cache=100000"};
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        for (int g = 0; g < 3; g++)
            check_problem(&problems[i], hints[g], g == (int)i % 3);
}

/* The same on the device, with pencils or bricks. */
static void check_device(void)
{
    char hints[128];
    test_device_open();
    is_on_device = 1;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        snprintf(hints, sizeof hints, "scaling=backward memory_kind=%s slices=2 grid=%s", test_device.place,
                 i % 2 ? "0x0" : "0x0x0");
        check_problem(&problems[i], hints, 0);
    }
    is_on_device = 0;
    test_device_close();
}

/* If the number of modes is even, odd derivatives of the highest frequency are 0. */
static void check_highest(void)
{
    static const char *const texts[] = {"c2c:6x5x4/operation", "r2c:4x5x6/operation",
                                        "r2c:4x5x6>7x8x9/operation"};
    for (int i = 0; i < 3; i++) {
        subx_fft_plan plan;
        field f = {.lengths = NULL};
        test_context("%s, highest mode", texts[i]);
        if (!EXPECT_OK(test_plan_create(texts[i], "scaling=backward", &plan)))
            continue;
        set_field(plan, &f);
        if (i < 2)
            f.frequency[0][0] = f.frequency[1][0] = (int)f.modes[0] / 2;
        f.frequency[0][2] = i == 0 ? (int)f.modes[2] / 2 : 1;
        f.frequency[1][2] = i == 1 ? (int)f.modes[2] / 2 : 1;
        f.frequency[1][0] = i == 2 ? 1 : f.frequency[1][0];
        check_orders(plan, &f, 7);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
}

/* ---- errors */

static void expect(const char *text, const double lengths[], const int orders[], int derivative,
                   int laplacian)
{
    subx_fft_plan plan;
    subx_fft_operation op = (subx_fft_operation)&op;
    test_context("errors, %s", text);
    if (!EXPECT_OK(test_plan_create(text, "", &plan)))
        return;
    EXPECT_KIND(subx_fft_operation_create_derivative(plan, lengths, orders, &op), derivative);
    EXPECT((op == SUBX_FFT_OPERATION_NULL) == (derivative != 0));
    EXPECT_OK(subx_fft_operation_free(&op));
    EXPECT_KIND(subx_fft_operation_create_laplacian(plan, lengths, 1, &op), laplacian);
    EXPECT((op == SUBX_FFT_OPERATION_NULL) == (laplacian != 0));
    EXPECT_OK(subx_fft_operation_free(&op));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

static void check_null_arguments(void)
{
    static const int zeros[NDIMS] = {0};
    ptrdiff_t frequencies[64];
    subx_fft_plan plan;
    subx_fft_operation op;
    test_context("null arguments");
    if (!EXPECT_OK(test_plan_create("dct3,c2c:6x5/operation", "", &plan)))
        return;
    EXPECT_KIND(subx_fft_operation_create_derivative(NULL, NULL, zeros, &op), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_operation_create_derivative(plan, NULL, NULL, &op), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_operation_create_derivative(plan, NULL, zeros, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_operation_create_laplacian(NULL, NULL, 1, &op), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_operation_create_laplacian(plan, NULL, 1, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get_frequencies(NULL, 0, frequencies), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get_frequencies(plan, 1, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get_frequencies(plan, 2, frequencies), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get_frequencies(plan, -1, frequencies), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get_frequencies(plan, 0, frequencies), SUBX_ERR_UNAVAILABLE);
    EXPECT_OK(subx_fft_plan_get_frequencies(plan, 1, frequencies));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

static void check_errors(void)
{
    static const double good[] = {1, 1}, zero[] = {1, 0}, negative[] = {-1, 1}, infinite[] = {HUGE_VAL, 1};
    static const int none[] = {0, 0}, first[] = {1, 0}, second[] = {0, 1}, backward[] = {0, -1};
    expect("c2c:6x5/operation", good, first, 0, 0);
    expect("c2c:6x5", good, first, SUBX_ERR_ARG, SUBX_ERR_ARG);
    expect("c2c:6x5/operation", zero, first, SUBX_ERR_ARG, SUBX_ERR_ARG);
    expect("c2c:6x5/operation", negative, first, SUBX_ERR_ARG, SUBX_ERR_ARG);
    expect("c2c:6x5/operation", infinite, first, SUBX_ERR_ARG, SUBX_ERR_ARG);
    expect("c2c:6x5/operation", good, backward, SUBX_ERR_ARG, 0);
    expect("c2c,-:6x5/operation", zero, second, SUBX_ERR_ARG, 0);
    expect("dct2,c2c:6x5/operation", good, first, SUBX_ERR_UNAVAILABLE, 0);
    expect("dst1:6x5/operation", good, first, SUBX_ERR_UNAVAILABLE, 0);
    expect("dct3,c2c:6x5/operation", good, none, SUBX_ERR_UNAVAILABLE, SUBX_ERR_UNAVAILABLE);
    expect("dst4:6x5/operation", good, none, SUBX_ERR_UNAVAILABLE, SUBX_ERR_UNAVAILABLE);
    check_null_arguments();
}

int main(int argc, char **argv)
{
    test_begin_funneled(&argc, &argv);
    check_all();
    check_highest();
    check_errors();
    check_device();
    return test_end();
}
