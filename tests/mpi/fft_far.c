/* fft_far.c - arrays that are larger than the caches. When kernels write such an array, they bypass the
 * caches if the array is aligned. The results are compared with a plan that uses another serial backend. With
 * that backend, passes gather and scatter tiles.
 * ranks: 1 2 3 (every rank has arrays larger than its caches) */
#include "common/hints.h"
#include "common/random.h"
#include "common/verdict.h"
#include "common/worst.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>
#include <subx_lowlevel.h>

enum { LAST = 96, MIDDLE = 80, LEAST = 64, MOST = 2048 };

/* The array of one side of a plan. It can begin at any offset in a cache line. */
typedef struct array {
    ptrdiff_t bytes;
    char *memory;
} array;

static array create(subx_fft_plan plan, int side)
{
    array a = {.bytes = 0};
    void *memory = NULL;
    EXPECT_OK(subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &a.bytes));
    EXPECT(posix_memalign(&memory, 64, (size_t)a.bytes + 64) == 0);
    a.memory = memory;
    return a;
}

static int is_backend(const char *name)
{
    const char *known = "";
    for (int i = 0; known; i++)
        if (subx_fft_query_serial(i, &known) == MPI_SUCCESS && known && strcmp(known, name) == 0)
            return 1;
    return 0;
}

static subx_fft_plan create_plan(const char *text, const char *serial)
{
    subx_fft_problem problem = SUBX_FFT_PROBLEM_NULL;
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    MPI_Info hints = test_hints("serial=%s scaling=backward strategy=fused", serial);
    EXPECT_OK(subx_fft_problem_parse(text, &problem));
    EXPECT_OK(subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &plan));
    EXPECT_OK(subx_fft_problem_free(&problem));
    MPI_Info_free(&hints);
    return plan;
}

static void free_all(subx_fft_plan plan, array a[2])
{
    free(a[0].memory);
    free(a[1].memory);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* Fill an array with numbers, which are the same for each plan. */
static void fill(const array *a, ptrdiff_t shift)
{
    test_random r = test_random_stream(test_seed(), (uint64_t)test_rank);
    double *x = (double *)(void *)(a->memory + shift);
    for (ptrdiff_t i = 0; i < a->bytes / (ptrdiff_t)sizeof(double); i++)
        x[i] = test_random_int(&r, -1000, 1000) / 1000.0;
}

static double compare(const array *a, ptrdiff_t shift, const array *b, ptrdiff_t other_shift)
{
    const double *x = (const double *)(const void *)(a->memory + shift),
                 *y = (const double *)(const void *)(b->memory + other_shift);
    double worst = 0;
    EXPECT_EQUAL(a->bytes, b->bytes);
    for (ptrdiff_t i = 0; i < a->bytes / (ptrdiff_t)sizeof(double); i++)
        worst = (double)test_get_worse(worst, fabs(x[i] - y[i]));
    return worst;
}

/* Transform forward, then backward. The arrays begin `shift` bytes after the start of a cache line. */
static void check_shift(subx_fft_plan plan, const array own[2], const array expected[2], ptrdiff_t shift)
{
    test_context("shift %d", (int)shift);
    fill(&own[SUBX_FFT_PHYSICAL], shift);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, own[SUBX_FFT_PHYSICAL].memory + shift,
                               own[SUBX_FFT_SPECTRAL].memory + shift));
    EXPECT(compare(&own[SUBX_FFT_SPECTRAL], shift, &expected[SUBX_FFT_SPECTRAL], 0) < 1e-10);
    memset(own[SUBX_FFT_PHYSICAL].memory, 0, (size_t)own[SUBX_FFT_PHYSICAL].bytes);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_BACKWARD, own[SUBX_FFT_SPECTRAL].memory + shift,
                               own[SUBX_FFT_PHYSICAL].memory + shift));
    EXPECT(compare(&own[SUBX_FFT_PHYSICAL], shift, &expected[SUBX_FFT_PHYSICAL], 0) < 1e-13);
}

/* Get the first of the lengths LEAST, 2 * LEAST, .. MOST at which copies bypass the caches. Returns MOST if
 * there is none. */
static ptrdiff_t find_length(void)
{
    int bypass = 0;
    ptrdiff_t n = LEAST / 2;
    while (!bypass && n < MOST) {
        n *= 2;
        EXPECT_OK(subx_copy_query_bypass(n * MIDDLE * LAST * 16 / test_nranks, &bypass));
    }
    return n;
}

static void check(const char *kind, ptrdiff_t n, const char *reference)
{
    char text[64];
    array own[2], expected[2];
    snprintf(text, sizeof text, "%s:%dx%dx%d", kind, (int)n, MIDDLE, LAST);
    test_context("%s", text);
    subx_fft_plan ours = create_plan(text, "auto"), other = create_plan(text, reference);
    for (int side = 0; side < 2; side++) {
        own[side] = create(ours, side);
        expected[side] = create(other, side);
    }
    fill(&expected[SUBX_FFT_PHYSICAL], 0);
    EXPECT_OK(subx_fft_execute(other, SUBX_FFT_FORWARD, expected[SUBX_FFT_PHYSICAL].memory,
                               expected[SUBX_FFT_SPECTRAL].memory));
    check_shift(ours, own, expected, 0);
    check_shift(ours, own, expected, 16);
    free_all(other, expected);
    free_all(ours, own);
}

CHECK(check_kinds)
{
    const char *reference = is_backend("fftw3") ? "fftw3" : "naive";
    const ptrdiff_t n = find_length();
    check("c2c", n, reference);
    check("r2c", n, reference);
}
