/* fft_rings.c - plans with rings give the same results as plans whose exchanges are left to MPI: on grids of
 * one and two dimensions; if axis 0 is divided on both sides; with several fields; in place and not. Also a
 * plan with two exchanges that have different numbers of slices along the same axis.
 * ranks: 1 2 3 4 5 6 */
#include "common/arrays.h"
#include "common/boxes.h"
#include "common/hints.h"
#include "common/plan.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

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

static int has_ring(subx_fft_plan plan)
{
    static const char key[] = "\"slices\": ";
    char *text = test_plan_get_text(plan, SUBX_FFT_JSON);
    int most = 0;
    for (const char *at = text; (at = strstr(at, key)); at++)
        most = atoi(at + strlen(key)) > most ? atoi(at + strlen(key)) : most;
    free(text);
    return most > 1;
}

/* ---- executions */

/* Compare the results of both plans in two rounds. In the second round the plan uses its areas for the second
 * time. */
static void compare(const setting *s, subx_fft_plan ring, subx_fft_plan whole)
{
    test_arrays a = test_arrays_create(whole);
    for (int k = 0; k < 4; k++) {
        const int run = k % 2, in = test_run_get_input(run);
        const void *from = a.from[in];
        memset(a.to, 0, a.room);
        if (s->is_in_place)
            from = memcpy(a.to, from, a.bytes[in]);
        EXPECT_OK(test_arrays_execute(ring, run, from, a.to, a.op, 0));
        EXPECT(test_arrays_is_close(&a, run, a.to));
    }
    test_arrays_free(&a);
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
