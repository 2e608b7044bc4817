/* transform.c - transform a problem on every process grid of the ranks. Each grid is tested with several
 * random choices of strategy, engine and other hints. */
#include "common/transform.h"
#include "common/field.h"
#include "common/random.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

/* ---- check that the local arrays cover the global array */

/* Every element must be on exactly one rank. Each rank counts its elements; the sums over all ranks must be
 * 1. */
static void check_tiling(const test_field *f, const test_part *p, int side)
{
    const ptrdiff_t n = side == SUBX_FFT_PHYSICAL ? f->count : f->spectral_count;
    int *owners = calloc((size_t)n, sizeof *owners), wrong = 0;
    for (ptrdiff_t i = 0; i < p->count; i++)
        owners[test_part_global(f, p, side, i)]++;
    MPI_Allreduce(MPI_IN_PLACE, owners, (int)n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (ptrdiff_t i = 0; i < n; i++)
        wrong += owners[i] != 1;
    EXPECT_EQUAL(wrong, 0);
    free(owners);
}

/* The order must be a permutation. If `is_natural`, it must be C order. */
static void check_order(const test_part *p, int is_natural)
{
    int seen[TEST_FIELD_NDIMS] = {0};
    for (int i = 0; i < p->ndims; i++) {
        seen[p->order[i]]++;
        EXPECT(!is_natural || p->order[i] == p->ndims - 1 - i);
    }
    for (int i = 0; i < p->ndims; i++)
        EXPECT_EQUAL(seen[i], 1);
}

/* Each choice of a plan is drawn independently, so that any combination may occur. All ranks draw the same
 * choices. */
static test_random draws;

static const char *draw(int n, const char *const values[])
{
    return values[test_random_int(&draws, 0, n - 1)];
}

#define DRAW(values) draw((int)(sizeof(values) / sizeof *(values)), values)

/* tests/random/fft.c has scaled plans, and executions in place. */
static void check_choices(const test_field *f, const test_choices *c)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    if (!EXPECT_OK(test_field_plan(f, c, MPI_COMM_WORLD, &plan)))
        return;
    for (int side = 0; side < 2; side++) {
        const test_part p = test_part_get(f, plan, side);
        check_order(&p, side == SUBX_FFT_PHYSICAL || strcmp(c->output, "natural") == 0);
        check_tiling(f, &p, side);
    }
    test_field_check(f, plan, (double)f->count);
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
}

/* ---- choices: each grid is tested with some of them */

static int combination; /* which combination check_grid tests next; begins at the number of ranks */

/* Get the number of combinations of strategy, output and engine with which check_grid tests a grid: all 6 on
 * one or two ranks; fewer on more ranks, because these share cores. The next grid is tested with the next
 * combinations. */
static int get_repeats(void)
{
    return test_nranks <= 2 ? 6 : test_nranks <= 4 ? 3 : 1;
}

static const char *draw_serial(void)
{
    const char *name = NULL;
    int count = 0;
    while (subx_fft_query_serial(count, &name) == MPI_SUCCESS && name)
        count++;
    subx_fft_query_serial(test_random_int(&draws, 0, count - 1), &name);
    return name;
}

static const char *const outputs[] = {"natural", "transposed"};

static void check_grid(const test_field *f, const char *grid)
{
    static const char *const shapes[][2] = {
        {"natural", "natural"}, {"stride1", "natural"}, {"stride1", "transposed"}};
    static const char *const engines[] = {"alltoallv", "alltoallw"};
    static const char *const permuted[] = {"recv", "send"};
    for (int k = 0; k < get_repeats(); k++, combination++) {
        const int s = combination % 3;
        const test_choices c = {.grid = grid,
                                .strategy = shapes[s][0],
                                .output = shapes[s][1],
                                .engine = engines[combination / 3 % 2],
                                .serial = draw_serial(),
                                .permute = DRAW(permuted)};
        test_context("kind %d, %d axes of which the first is %td, grid %s, %s, output %s, %s, %s, permute %s",
                     f->kind, f->ndims, f->sizes[0], grid ? grid : "default", c.strategy, c.output, c.engine,
                     c.serial, c.permute);
        check_choices(f, &c);
    }
}

/* Some values of the word cache are tiny: then a plan has many passes and tiles. */
static void check_fused(const test_field *f, const char *grid)
{
    static const char *const engines[] = {"auto", "pairwise", "alltoallv", "node"};
    static const char *const overlaps[] = {"auto", "none", "send", "receive", "both"};
    static const char *const slices[] = {"1", "2", "3"};
    static const char *const caches[] = {"1310720", "1", "2000"};
    static const char *const widths[] = {"3", "16"};
    static const char *const pencils[] = {"contiguous", "interleaved"};
    static const char *const nodes[] = {"0", "2"};
    const int repeats = test_nranks <= 2 ? 4 : test_nranks <= 4 ? 2 : 1;
    for (int k = 0; k < repeats; k++) {
        const test_choices c = {.grid = grid,
                                .strategy = "fused",
                                .output = DRAW(outputs),
                                .engine = DRAW(engines),
                                .serial = draw_serial(),
                                .more = {{"overlap", DRAW(overlaps)},
                                         {"slices", DRAW(slices)},
                                         {"cache", DRAW(caches)},
                                         {"width", DRAW(widths)},
                                         {"pencils", DRAW(pencils)},
                                         {"node_ranks", DRAW(nodes)}}};
        test_context("kind %d, %d axes of which the first is %td, grid %s, fused, output %s, %s, %s, "
                     "overlap %s, %s slices, cache %s, width %s, %s, nodes of %s",
                     f->kind, f->ndims, f->sizes[0], grid, c.output, c.engine, c.serial, c.more[0][1],
                     c.more[1][1], c.more[2][1], c.more[3][1], c.more[4][1], c.more[5][1]);
        check_choices(f, &c);
    }
}

/* Check all grids that begin with the dimensions in `text`. They have `missing` more dimensions, whose
 * product is `rest`. */
static void check_grids(const test_field *f, int missing, int rest, const char *text,
                        void (*check)(const test_field *f, const char *grid))
{
    char longer[64];
    for (int p = 1; p <= rest; p++) {
        if (rest % p || (missing == 1 && p != rest))
            continue;
        const int used = snprintf(longer, sizeof longer, "%s%s%d", text, *text ? "x" : "", p);
        EXPECT(used > 0 && used < (int)sizeof longer);
        if (missing == 1)
            check(f, longer);
        else
            check_grids(f, missing - 1, rest / p, longer, check);
    }
}

/* Create a field. The first call seeds the choices by the number of ranks, so that runs on different numbers
 * of ranks test different choices. */
static test_field begin(int kind, int ndims, const ptrdiff_t sizes[])
{
    if (combination == 0) {
        combination = test_nranks;
        draws = test_random_stream(test_seed(), 100 + (uint64_t)test_nranks);
    }
    return test_field_create(kind, ndims, sizes, test_seed());
}

/* Check a plan of effort measure. No strategy is given: the measurement may choose any. */
static void check_measured(const test_field *f)
{
    const test_choices c = {
        .output = DRAW(outputs), .serial = draw_serial(), .more = {{"subx_effort", "measure"}}};
    test_context("kind %d, %d axes of which the first is %td, measured, output %s, %s", f->kind, f->ndims,
                 f->sizes[0], c.output, c.serial);
    check_choices(f, &c);
}

void test_transform(int kind, int ndims, const ptrdiff_t sizes[])
{
    static const char *const chosen[] = {"", "0", "0x0"};
    test_field f = begin(kind, ndims, sizes);
    for (int g = 1; g < ndims; g++) {
        check_grids(&f, g, test_nranks, "", check_grid);
        check_grids(&f, g, test_nranks, "", check_fused);
    }
    for (int g = 1; g < ndims && ndims == 3; g++)
        check_grid(&f, chosen[g]);
    if (ndims == 2)
        check_grid(&f, NULL);
    if (test_nranks <= 3) /* more ranks share cores, and measuring takes long */
        check_measured(&f);
    test_field_free(&f);
}
