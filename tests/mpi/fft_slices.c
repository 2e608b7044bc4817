/* fft_slices.c - a plan with two exchanges, which have different numbers of slices along the same axis.
 * ranks: 6 (a grid of two by three, whose exchanges differ) */
#include "common/field.h"
#include "common/verdict.h"
#include "common/worst.h"
#include <math.h>
#include <stdlib.h>

/* On a grid of 2x3 ranks the messages of one exchange are 1.5 times as long as the messages of the other. So
 * one exchange has 3 slices, and the other has 2. All slices are cut along the last axis, the longest axis
 * that is not divided. */
static const test_field problem = {.kind = SUBX_FFT_C2C, .ndims = 4, .sizes = {12, 12, 32, 33}};

/* Create a plan, and transform forward and backward by it. The input is the same for all plans; both sides
 * are in C order. */
static void transform(const test_choices *c, double *u, double *spectrum, ptrdiff_t room)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    if (!EXPECT_OK(test_field_plan(&problem, c, MPI_COMM_WORLD, &plan)))
        return;
    const test_part from = test_part_get(&problem, plan, SUBX_FFT_PHYSICAL);
    EXPECT(from.bytes <= room && test_part_get(&problem, plan, SUBX_FFT_SPECTRAL).bytes <= room);
    for (ptrdiff_t i = 0; i < 2 * from.count; i++)
        u[i] = sin((double)(test_rank + 1) * (double)(i + 1));
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum));
    for (ptrdiff_t i = 0; i < 2 * from.count; i++)
        u[i] = NAN;
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_BACKWARD, spectrum, u));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

static double compare(const double *a, const double *b, ptrdiff_t n)
{
    double worst = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        worst = (double)test_get_worse(worst, fabs(a[i] - b[i]));
    return worst;
}

static void check(const char *overlap)
{
    const ptrdiff_t count = 12 * 12 * 32 * 33, room = 16 * count / 3;
    const test_choices staged = {.grid = "2x3", .strategy = "natural", .scaling = "backward"};
    const test_choices fused = {.grid = "2x3",
                                .strategy = "fused",
                                .scaling = "backward",
                                .more = {{"overlap", overlap}, {"node_ranks", "1"}}};
    double *u = calloc(1, (size_t)room), *v = calloc(1, (size_t)room);
    double *s = calloc(1, (size_t)room), *t = calloc(1, (size_t)room);
    test_context("overlap %s", overlap);
    transform(&staged, u, s, room);
    transform(&fused, v, t, room);
    EXPECT(compare(u, v, room / 8) <= 1e-12);
    EXPECT(compare(s, t, room / 8) <= 1e-12 * (double)count);
    free(t);
    free(s);
    free(v);
    free(u);
}

int main(int argc, char **argv)
{
    static const char *const overlaps[] = {"both", "auto", "receive", "send"};
    test_begin(&argc, &argv);
    for (int i = 0; i < 4; i++)
        check(overlaps[i]);
    return test_end();
}
