/* fft_threads.c - fused passes with several threads give the same bytes as with one thread, and the right
 * results.
 * ranks: 1 2 3 4 5 */
#include "common/field.h"
#include "common/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The results of a plan, forward and backward. */
typedef struct outcome {
    ptrdiff_t bytes[2];
    char *array[2]; /* by side */
} outcome;

static void check_numbers(const test_field *f, subx_fft_plan plan, const outcome *o)
{
    const double n = (double)f->count;
    const test_part u = test_part_get(f, plan, SUBX_FFT_PHYSICAL),
                    s = test_part_get(f, plan, SUBX_FFT_SPECTRAL);
    EXPECT(test_part_compare(f, &s, SUBX_FFT_SPECTRAL, 1, o->array[SUBX_FFT_SPECTRAL]) <= 1e-12 * sqrt(n));
    EXPECT(test_part_compare(f, &u, SUBX_FFT_PHYSICAL, n, o->array[SUBX_FFT_PHYSICAL]) <=
           1e-12 * n * sqrt(n));
}

static outcome transform(const test_field *f, const test_choices *c)
{
    outcome o = {{0, 0}, {NULL, NULL}};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    if (!EXPECT_OK(test_field_plan(f, c, MPI_COMM_WORLD, &plan)))
        return o;
    for (int side = 0; side < 2; side++) {
        o.bytes[side] = test_part_get(f, plan, side).bytes;
        o.array[side] = calloc(1, (size_t)o.bytes[side]);
    }
    const test_part u = test_part_get(f, plan, SUBX_FFT_PHYSICAL);
    test_part_fill(f, &u, SUBX_FFT_PHYSICAL, 1, o.array[SUBX_FFT_PHYSICAL]);
    EXPECT_OK(
        subx_fft_execute(plan, SUBX_FFT_FORWARD, o.array[SUBX_FFT_PHYSICAL], o.array[SUBX_FFT_SPECTRAL]));
    memset(o.array[SUBX_FFT_PHYSICAL], 0, (size_t)o.bytes[SUBX_FFT_PHYSICAL]);
    EXPECT_OK(
        subx_fft_execute(plan, SUBX_FFT_BACKWARD, o.array[SUBX_FFT_SPECTRAL], o.array[SUBX_FFT_PHYSICAL]));
    check_numbers(f, plan, &o);
    EXPECT_OK(subx_fft_plan_free(&plan));
    return o;
}

static void check(const test_field *f, test_choices c)
{
    static const char *const counts[] = {"1", "2", "3", "40"};
    outcome first = {{0, 0}, {NULL, NULL}};
    for (int i = 0; i < 4; i++) {
        c.more[0][0] = "subx_threads";
        c.more[0][1] = counts[i];
        test_context("kind %d, grid %s, %s, overlap %s, %s threads", f->kind, c.grid, c.engine, c.more[1][1],
                     counts[i]);
        outcome o = transform(f, &c);
        for (int side = 0; side < 2; side++) {
            if (i > 0) {
                EXPECT(o.bytes[side] == first.bytes[side]);
                EXPECT(memcmp(o.array[side], first.array[side], (size_t)o.bytes[side]) == 0);
                free(o.array[side]);
            }
        }
        if (i == 0)
            first = o;
    }
    free(first.array[0]);
    free(first.array[1]);
}

static void check_all(void)
{
    static const char *const engines[] = {"auto", "pairwise", "node"};
    static const char *const overlaps[] = {"auto", "both", "receive", "send"};
    static const char *const grids[] = {"0", "0x0"};
    const ptrdiff_t sizes[] = {9, 10, 12};
    for (int kind = SUBX_FFT_C2C; kind <= SUBX_FFT_R2C; kind++) {
        test_field f = test_field_create(kind, 3, sizes, test_seed());
        for (int i = 0; i < 6; i++)
            check(&f, (test_choices){.grid = grids[i % 2],
                                     .strategy = "fused",
                                     .engine = engines[i % 3],
                                     .more = {[1] = {"overlap", overlaps[i % 4]},
                                              [2] = {"cache", i % 4 ? "600" : "100000"},
                                              [3] = {"node_ranks", "2"}}});
        test_field_free(&f);
    }
}

/* Each rank's hint is valid, but ranks have different ones. */
static void check_difference(void)
{
    const test_field f = {.kind = SUBX_FFT_C2C, .ndims = 2, .sizes = {6, 5}};
    const test_choices c = {.more = {{"subx_threads", test_rank ? "2" : "1"}}};
    subx_fft_plan plan = (subx_fft_plan)&plan;
    test_context("threads differ");
    EXPECT_KIND(test_field_plan(&f, &c, MPI_COMM_WORLD, &plan), test_nranks > 1 ? SUBX_ERR_DIFFERS : 0);
    EXPECT((plan == SUBX_FFT_PLAN_NULL) == (test_nranks > 1));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

int main(int argc, char **argv)
{
    test_begin_funneled(&argc, &argv);
    check_all();
    check_difference();
    return test_end();
}
