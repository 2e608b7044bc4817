/* fft_problem_place.c - where elements lie in memory. Transforms of length 1 only move data, so every element
 * can be followed, on grids that divide all axes and on others. Also executions with one array for both
 * sides, and with NULL.
 * ranks: 1 2 3 4 5 */
#include "common/hints.h"
#include "common/verdict.h"
#include "common/worst.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_fft.h>

enum { NDIMS = 3 };

/* How this rank's array of a side is stored. Strides, and the distance between fields, are numbers of
 * reals. */
typedef struct place {
    ptrdiff_t shape[NDIMS], start[NDIMS], stride[NDIMS], distance, bytes, howmany, sizes[NDIMS];
} place;

/* Get how an array is stored. It has no gaps, unless is_padded: then a row has one real, and a gap of one
 * real. */
static place get_place(subx_fft_plan plan, int side, int width, int is_padded)
{
    place p;
    int order[NDIMS], is_interleaved;
    subx_fft_problem problem;
    EXPECT_OK(subx_fft_plan_get_local(plan, side, p.shape, p.start, order, &p.bytes));
    EXPECT_OK(subx_fft_plan_get(plan, &problem, NULL, NULL));
    EXPECT_OK(subx_fft_problem_get(problem, NULL, NULL, p.sizes, NULL, NULL));
    EXPECT_OK(subx_fft_problem_get_batch(problem, &p.howmany, &is_interleaved));
    ptrdiff_t stride = width * (is_interleaved ? p.howmany : 1);
    for (int i = 0; i < NDIMS; i++) {
        p.stride[order[i]] = stride;
        stride *= is_padded && i == 0 ? 2 : p.shape[order[i]];
    }
    p.distance = is_interleaved ? width : stride;
    return p;
}

/* If `sets`, set this rank's elements to their global indices plus 1. Otherwise count the elements with
 * another value. */
static int visit(const place *p, double *array, int sets)
{
    int wrong = 0;
    for (ptrdiff_t f = 0; f < p->howmany; f++)
        for (ptrdiff_t i = 0; i < p->shape[0]; i++)
            for (ptrdiff_t j = 0; j < p->shape[1]; j++)
                for (ptrdiff_t k = 0; k < p->shape[2]; k++) {
                    const ptrdiff_t x[] = {p->start[0] + i, p->start[1] + j, p->start[2] + k};
                    const double value =
                        1 + (double)(((f * p->sizes[0] + x[0]) * p->sizes[1] + x[1]) * p->sizes[2] + x[2]);
                    double *at =
                        array + f * p->distance + i * p->stride[0] + j * p->stride[1] + k * p->stride[2];
                    if (sets)
                        *at = value;
                    wrong += *at != value;
                }
    return wrong;
}

typedef struct setting {
    const char *text, *grid;
    int is_real;
} setting;

/* Create a plan. `more` is a list of hints and their values in turn, and ends with NULL. */
static subx_fft_plan create_with(const char *text, const char *grid, const char *const more[])
{
    subx_fft_problem p = SUBX_FFT_PROBLEM_NULL;
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    MPI_Info hints = test_hints("grid=%s strategy=fused", grid);
    for (; *more; more += 2)
        test_hint_set(hints, more[0], more[1]);
    test_context("%s, grid %s", text, grid);
    EXPECT_OK(subx_fft_problem_parse(text, &p));
    EXPECT_OK(subx_fft_plan_create_problem(MPI_COMM_WORLD, p, hints, &plan));
    MPI_Info_free(&hints);
    EXPECT_OK(subx_fft_problem_free(&p));
    return plan;
}

static subx_fft_plan create(const char *text, const char *grid)
{
    return create_with(text, grid, (const char *const[]){NULL});
}

static void check_moved(const setting *s)
{
    subx_fft_plan plan = create(s->text, s->grid);
    if (!plan)
        return;
    const place side[] = {get_place(plan, 0, s->is_real ? 1 : 2, strstr(s->text, "padded") != NULL),
                          get_place(plan, 1, 2, 0)};
    double *a[2] = {calloc(1, (size_t)side[0].bytes), calloc(1, (size_t)side[1].bytes)};
    (void)visit(&side[0], a[0], 1);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, a[0], a[1]));
    EXPECT_EQUAL(visit(&side[1], a[1], 0), 0);
    memset(a[0], 0, (size_t)side[0].bytes);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_BACKWARD, a[1], a[0]));
    EXPECT_EQUAL(visit(&side[0], a[0], 0), 0);
    free(a[1]);
    free(a[0]);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* ---- one array on both sides */

/* Compare an execution in place with an execution that has two arrays. Both outputs contain the same bytes
 * before the execution, so the gaps between their rows are equal, too. */
static void check_in_place(const char *text, int direction)
{
    subx_fft_plan plan = create(text, "auto");
    const int from = direction == SUBX_FFT_FORWARD ? 0 : 1;
    ptrdiff_t bytes[2] = {0, 0};
    if (!plan)
        return;
    for (int side = 0; side < 2; side++)
        EXPECT_OK(subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &bytes[side]));
    const size_t most = (size_t)(bytes[0] > bytes[1] ? bytes[0] : bytes[1]);
    double *in = calloc(1, most), *out = calloc(1, most);
    for (ptrdiff_t i = 0; i < bytes[from] / 8; i++)
        in[i] = sin(1 + 0.7 * (double)i + test_rank);
    memcpy(out, in, most);
    EXPECT_OK(subx_fft_execute(plan, direction, in, out));
    EXPECT_OK(subx_fft_execute(plan, direction, in, in));
    double worst = 0;
    for (ptrdiff_t i = 0; i < bytes[!from] / 8; i++)
        worst = (double)test_get_worse(worst, fabs(in[i] - out[i]));
    EXPECT(worst <= 1e-10);
    free(out);
    free(in);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* If the input may be destroyed, a plan of two passes refuses one array for both sides. Only two ranks have
 * data here. The other ranks pass NULL for both sides, which is allowed. */
static void check_no_array(void)
{
    static const char *const hints[] = {"subx_input_array", "destroy", "cache", "1", NULL};
    char grid[12];
    ptrdiff_t shape[NDIMS], bytes[2] = {0, 0};
    snprintf(grid, sizeof grid, "%d", test_nranks);
    subx_fft_plan plan = create_with("-,c2c,r2c:2x20x30", grid, hints);
    for (int side = 0; side < 2; side++)
        EXPECT_OK(subx_fft_plan_get_local(plan, side, shape, NULL, NULL, &bytes[side]));
    const int has_data = shape[0] > 0;
    void *a[2] = {has_data ? calloc(1, (size_t)bytes[1]) : NULL,
                  has_data ? calloc(1, (size_t)bytes[1]) : NULL};
    for (int direction = -1; direction <= 1; direction += 2) {
        EXPECT_OK(subx_fft_execute(plan, direction, a[0], a[1]));
        EXPECT_KIND(subx_fft_execute(plan, direction, a[1], a[1]), has_data ? SUBX_ERR_ALIAS : SUBX_ERR_NONE);
    }
    free(a[1]);
    free(a[0]);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

int main(int argc, char **argv)
{
    static const setting moved[] = {
        {"-,-,c2c:12x8x1", "0x0x0", 0},
        {"-,-,c2c:12x8x1", "auto", 0},
        {"-,-,c2c:12x8x1/physical-block=7x5x0", "0x0x0", 0},
        {"-,-,c2c:12x8x1/physical-block=7x5x0/spectral-block=6x6x0", "0x0x0", 0},
        {"-,-,c2c:12x8x1/physical-block=6x0x0/spectral-block=6x0x0", "auto", 0},
        {"3*-,-,c2c:12x8x1/physical-block=8x5x0", "0x0x0", 0},
        {"-,-,c2c:12x8x1*3/spectral-block=8x5x0", "0x0x0", 0},
        {"-,-,r2c:12x8x1/padded", "0x0x0", 1},
        {"3*-,-,r2c:12x8x1/padded", "0x0x0", 1},
        {"-,-,r2c:12x8x1*3/padded", "0x0x0", 1},
        {"3*-,-,r2c:12x8x1/padded", "auto", 1},
        {"-,-,r2c:12x8x1*3/padded", "auto", 1},
        {"-,-,r2c:12x8x1*40/padded", "auto", 1},
        {"-,-,c2c:12x8x1/physical-order=0,2,1/spectral-order=1,0,2", "auto", 0},
        {"3*-,-,c2c:12x8x1/physical-order=0,2,1/spectral-order=1,0,2", "0x0x0", 0},
    };
    static const char *const texts[] = {"300*r2c:2000",
                                        "300*r2c:20x30",
                                        "-,c2c,r2c:300x20x30",
                                        "-,c2c,c2c:500x30x30/spectral-order=0,1,2",
                                        "c2c:120x150x30/spectral-order=0,1,2",
                                        "c2c:120x150x30/physical-order=0,1,2",
                                        "-,c2c:100x30>100x60",
                                        "-,c2c:100x60>100x60>100x30",
                                        "-,-,r2c:30x30x300/padded",
                                        "r2c:64x64x64",
                                        "r2c:64x64x64/padded",
                                        "c2c:64x64x64/operation",
                                        "dct2,-,c2c:50x40x30"};
    test_begin(&argc, &argv);
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++)
        check_moved(&moved[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i][0] != '3' || test_nranks == 1 || strchr(texts[i], 'x')) {
            check_in_place(texts[i], SUBX_FFT_FORWARD);
            check_in_place(texts[i], SUBX_FFT_BACKWARD);
        }
    check_no_array();
    return test_end();
}
