/* fft_rings.c - plans with rings give the same results as plans whose exchanges are left to MPI: on grids of
 * one and two dimensions; if axis 0 is divided on both sides; with several fields; in place and not. Also a
 * plan with two exchanges that have different numbers of slices along the same axis.
 * ranks: 1 2 3 4 5 6 */
#include "common/boxes.h"
#include "common/hints.h"
#include "common/plan.h"
#include "common/verdict.h"
#include "common/worst.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <subx_fft.h>

enum { NDIMS = 4 };

/* is_slab: axis 0 is divided on both sides. No grid does this, so the caller sets boxes on the spectral
 * side. */
typedef struct setting {
    const char *text;
    int is_slab, is_in_place;
} setting;

static const setting settings[] = {
    {"c2c:12x10x14", 0, 0},     {"c2c:12x10x14", 1, 1},      {"r2c:9x8x10", 0, 0},
    {"r2c:9x8x10", 1, 0},       {"c2c:33x40", 1, 1},         {"c2c.f32:12x21x8", 1, 0},
    {"3*c2c:10x9x8", 0, 0},     {"c2c:7x9x12*2", 0, 0},      {"c2c:5x6x7x8", 0, 0},
    {"c2c:5x6x7x8", 1, 1},      {"dct2,c2c,-:8x11x9", 0, 0}, {"c2c:3x50x2", 1, 0},
    {"c2c,c2c,r2c:6x7x8", 1, 0}};

enum { NSETTINGS = sizeof settings / sizeof *settings };

/* ---- problems */

static ptrdiff_t get_spectral_length(int ndims, const int kinds[], const ptrdiff_t sizes[], int axis)
{
    return kinds[ndims - 1] == SUBX_FFT_R2C && axis == ndims - 1 ? sizes[axis] / 2 + 1 : sizes[axis];
}

static void set_slabs(subx_fft_problem problem)
{
    int ndims = 0, kinds[NDIMS];
    ptrdiff_t sizes[NDIMS], start[NDIMS] = {0}, len[NDIMS];
    EXPECT_OK(subx_fft_problem_get(problem, &ndims, kinds, sizes, NULL, NULL));
    const ptrdiff_t block = (sizes[0] + test_nranks - 1) / test_nranks, first = block * test_rank;
    for (int a = 0; a < ndims; a++)
        len[a] = get_spectral_length(ndims, kinds, sizes, a);
    start[0] = first < sizes[0] ? first : sizes[0];
    len[0] = sizes[0] - start[0] < block ? sizes[0] - start[0] : block;
    EXPECT_OK(subx_fft_problem_set_block(problem, SUBX_FFT_PHYSICAL, 0, block));
    EXPECT_OK(test_boxes_set(problem, SUBX_FFT_SPECTRAL, len[0] > 0, start, len, NULL));
}

static subx_fft_problem make_problem(const setting *s)
{
    subx_fft_problem problem = SUBX_FFT_PROBLEM_NULL;
    EXPECT_OK(subx_fft_problem_parse(s->text, &problem));
    if (s->is_slab)
        set_slabs(problem);
    return problem;
}

/* ---- plans */

static subx_fft_plan make_plan(subx_fft_problem problem, const char *hints, const char *grid)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    MPI_Info info = test_hints("%s scaling=symmetric grid=%s", hints, grid);
    EXPECT_OK(subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, info, &plan));
    MPI_Info_free(&info);
    return plan;
}

static ptrdiff_t get_bytes(subx_fft_plan plan, int side)
{
    ptrdiff_t bytes = 0;
    EXPECT_OK(subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &bytes));
    return bytes;
}

static int has_ring(subx_fft_plan plan)
{
    return test_plan_says(plan, TEST_PRINTED, " slices,");
}

/* ---- executions */

static double get_worst(int is_float, const void *a, const void *b, ptrdiff_t bytes)
{
    const ptrdiff_t n = bytes / (is_float ? (ptrdiff_t)sizeof(float) : (ptrdiff_t)sizeof(double));
    double worst = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        const double d = is_float ? fabs((double)((const float *)a)[i] - (double)((const float *)b)[i])
                                  : fabs(((const double *)a)[i] - ((const double *)b)[i]);
        worst = (double)test_get_worse(worst, d);
    }
    return worst;
}

static void fill(int is_float, void *x, ptrdiff_t bytes)
{
    for (ptrdiff_t i = 0; i * (ptrdiff_t)sizeof(double) < bytes; i++) {
        const double value = sin((double)(test_rank + 1) * (double)(i + 1));
        if (is_float)
            ((float *)x)[2 * i] = ((float *)x)[2 * i + 1] = (float)value;
        else
            ((double *)x)[i] = value;
    }
}

/* Transform x[0] forward, then transform the spectrum backward to x[0]. In the end x[1] has the spectrum. */
static void transform(subx_fft_plan plan, int is_in_place, void *x[2])
{
    void *spectrum = is_in_place ? x[0] : x[1];
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, x[0], spectrum));
    if (is_in_place)
        memcpy(x[1], x[0], (size_t)get_bytes(plan, SUBX_FFT_SPECTRAL));
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_BACKWARD, spectrum, x[0]));
}

/* Compare the results of both plans in two rounds. In the second round the plans use their areas for the
 * second time. */
static void compare(const setting *s, subx_fft_plan ring, subx_fft_plan whole)
{
    const int is_float = strstr(s->text, "f32") != NULL;
    const double tolerance = is_float ? 1e-5 : 1e-13;
    const ptrdiff_t bytes[] = {get_bytes(whole, SUBX_FFT_PHYSICAL), get_bytes(whole, SUBX_FFT_SPECTRAL)};
    const size_t room = (size_t)(bytes[0] > bytes[1] ? bytes[0] : bytes[1]) + 64;
    void *x[2][2];
    EXPECT_EQUAL(get_bytes(ring, SUBX_FFT_SPECTRAL), bytes[1]);
    for (int i = 0; i < 4; i++)
        x[i / 2][i % 2] = calloc(1, room);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2; i++) {
            fill(is_float, x[i][0], bytes[0]);
            transform(i ? whole : ring, s->is_in_place, x[i]);
        }
        for (int side = 0; side < 2; side++)
            EXPECT(get_worst(is_float, x[0][side], x[1][side], bytes[side]) <= 1e3 * tolerance);
    }
    for (int i = 0; i < 4; i++)
        free(x[i / 2][i % 2]);
}

static void check(const setting *s, const char *hints, const char *grid)
{
    test_context("%s%s%s on %s, %s", s->text, s->is_slab ? ", slabs" : "", s->is_in_place ? ", in place" : "",
                 grid, hints);
    subx_fft_problem problem = make_problem(s);
    /* only strategy fused can begin or end with the caller's boxes */
    const char *whole = s->is_slab ? "engine=alltoallv strategy=fused" : "engine=alltoallw strategy=natural";
    subx_fft_plan a = make_plan(problem, hints, grid), b = make_plan(problem, whole, grid);
    if (a && b)
        compare(s, a, b);
    if (s == settings && test_nranks == 4 && strcmp(grid, "2x2") == 0)
        EXPECT(has_ring(a));
    if (s == settings + 1 && test_nranks > 1)
        EXPECT(has_ring(a) == (10 / test_nranks > 2));
    EXPECT_OK(subx_fft_plan_free(&b));
    EXPECT_OK(subx_fft_plan_free(&a));
    EXPECT_OK(subx_fft_problem_free(&problem));
}

/* On a grid of 2x3 ranks the messages of one exchange are 1.5 times as long as those of the other one. So
 * one exchange has 3 slices, and the other has 2. All slices are cut along the last axis, the longest axis
 * that is not divided. */
static void check_slices(void)
{
    static const setting s = {"c2c:12x12x32x33", 0, 0};
    check(&s, "strategy=fused node_ranks=1 overlap=both", "2x3");
    check(&s, "strategy=fused node_ranks=1 overlap=auto", "2x3");
    check(&s, "strategy=fused node_ranks=1 overlap=receive", "2x3");
    check(&s, "strategy=fused node_ranks=1 overlap=send", "2x3");
}

CHECK(check_all)
{
    static const char *const grids[][3] = {{"1", "1x1", "1"},   {"2", "1x2", "2x1"}, {"3", "1x3", "3x1"},
                                           {"4", "2x2", "4x1"}, {"5", "1x5", "5x1"}, {"6", "2x3", "3x2"}};
    for (int i = 0; i < NSETTINGS; i++)
        for (int k = 0; k < (settings[i].is_slab ? 1 : 3); k++)
            check(&settings[i], "slices=4 strategy=fused", grids[test_nranks - 1][k]);
    if (test_nranks == 6)
        check_slices();
}
