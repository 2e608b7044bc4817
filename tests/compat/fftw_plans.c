/* fftw_plans.c - what random requests (fftw_random.c) do not test: limits of time, scrambled transforms,
 * refusals, calls of the serial library in between, plans that are kept, wisdom.
 * ranks: 1 2 3 7 (four would repeat three: the interface only has slabs) */
#include "compat/fftw.h"
#include "common/maps.h"
#include "common/verdict.h"
#include "common/worst.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 8 };

static const double untouched = 12345;

static double *alloc(length reals)
{
    double *array = malloc((size_t)(reals + GUARD) * sizeof *array);
    for (length i = 0; array && i < reals + GUARD; i++)
        array[i] = untouched;
    return array;
}

static int is_untouched(const double *array, length from, length to)
{
    for (length i = from; i < to; i++)
        if (array[i] != untouched)
            return 0;
    return 1;
}

/* ---- limits of time */

/* If one rank has a time limit of 0, no rank may execute a transform, so the array must not change. With a
 * limit of a second, a search that would take minutes must end. */
static void test_limit(void)
{
    const length n[] = {120, 100, 80};
    length n0, start0;
    const length reals = 2 * fftw_mpi_local_size_many(3, n, 1, 0, MPI_COMM_WORLD, &n0, &start0);
    double *x = alloc(reals);
    fftw_complex *c = (fftw_complex *)x;
    test_context("no time");
    fftw_set_timelimit(test_rank == 0 ? 0 : 1000);
    fftw_plan plan = fftw_mpi_plan_many_dft(3, n, 1, 0, 0, c, c, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_PATIENT);
    EXPECT(plan && is_untouched(x, 0, reals + GUARD));
    fftw_destroy_plan(plan);
    test_context("a second");
    fftw_set_timelimit(1);
    const double start = MPI_Wtime();
    plan = fftw_mpi_plan_many_dft(3, n, 1, 0, 0, c, c, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_PATIENT);
    EXPECT(plan && MPI_Wtime() - start < 15);
    fftw_destroy_plan(plan);
    fftw_set_timelimit(FFTW_NO_TIMELIMIT);
    free(x);
}

/* ---- scrambled transforms of one axis: only forward followed by backward is defined. On one rank, and for
 * lengths that have no factors, FFTW has no plan */

static int is_prime(length n)
{
    for (length k = 2; k * k <= n; k++)
        if (n % k == 0)
            return 0;
    return 1;
}

static void check_scrambled(length n, length howmany)
{
    length f[4], b[4];
    const length room = 2 * fftw_mpi_local_size_many_1d(n, howmany, MPI_COMM_WORLD, FFTW_FORWARD,
                                                        SCRAMBLED_OUT, f, f + 1, f + 2, f + 3);
    const length back = 2 * fftw_mpi_local_size_many_1d(n, howmany, MPI_COMM_WORLD, FFTW_BACKWARD,
                                                        SCRAMBLED_IN, b, b + 1, b + 2, b + 3);
    const length reals = room > back ? room : back;
    double *x = alloc(reals), *y = alloc(reals), wrong = 0;
    fftw_complex *cx = (fftw_complex *)x, *cy = (fftw_complex *)y;
    fftw_plan there = fftw_mpi_plan_many_dft(1, &n, howmany, 0, 0, cx, cy, MPI_COMM_WORLD, FFTW_FORWARD,
                                             FFTW_ESTIMATE | SCRAMBLED_OUT);
    fftw_plan again = fftw_mpi_plan_many_dft(1, &n, howmany, 0, 0, cy, cy, MPI_COMM_WORLD, FFTW_BACKWARD,
                                             FFTW_ESTIMATE | SCRAMBLED_IN);
    EXPECT_SAME(there && again);
    for (length i = 0; i < 2 * howmany * f[0]; i++)
        x[i] = (double)((f[1] * 2 * howmany + i) * 7919 % 1000);
    EXPECT((there && again) == (test_nranks > 1 && !is_prime(n)));
    if (there && again) {
        fftw_execute(there);
        fftw_execute(again);
    }
    for (length i = 0; there && i < 2 * howmany * f[0]; i++)
        wrong = (double)test_get_worse(wrong, fabs(y[i] / (double)n - x[i]));
    EXPECT(wrong < 1e-9);
    EXPECT(is_untouched(x, reals, reals + GUARD) && is_untouched(y, reals, reals + GUARD));
    fftw_destroy_plan(there);
    fftw_destroy_plan(again);
    free(x);
    free(y);
}

static void test_scrambled(void)
{
    for (length n = 1; n < 150; n += 1 + n / 4)
        for (length howmany = 1; howmany < 10; howmany += n % 3 ? 10 : 4) {
            test_context("scrambled %td * %td", n, howmany);
            check_scrambled(n, howmany);
        }
}

/* ---- refusals */

static void test_refusals(void)
{
    const length n[] = {8, 8, 8}, none[] = {8, 0, 8};
    double *x = alloc(4096);
    fftw_complex *c = (fftw_complex *)x;
    test_context("refusals");
    EXPECT(!fftw_mpi_plan_many_dft(0, n, 1, 0, 0, c, c, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE));
    EXPECT(!fftw_mpi_plan_many_dft(3, none, 1, 0, 0, c, c, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE));
    EXPECT(!fftw_mpi_plan_many_dft(3, n, -1, 0, 0, c, c, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE));
    EXPECT(!fftw_mpi_plan_many_dft(3, n, 1, -2, 0, c, c, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE));
    EXPECT(!fftw_mpi_plan_many_dft_r2c(1, n, 1, 0, 0, x, c, MPI_COMM_WORLD, FFTW_ESTIMATE));
    EXPECT(!fftw_mpi_plan_many_dft(3, n, 1, 0, 0, c, c, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_WISDOM_ONLY));
    EXPECT(!fftw_mpi_plan_many_transpose(8, 0, 1, 0, 0, x, x, MPI_COMM_WORLD, FFTW_ESTIMATE));
    fftw_plan plan = fftw_mpi_plan_many_dft(3, n, 1, 1, 8, c, c, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    EXPECT((plan != NULL) == (test_nranks >= 8));
    fftw_destroy_plan(plan);
    plan = fftw_mpi_plan_many_dft(3, n, 0, 0, 0, c, c, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    if (EXPECT(plan))
        fftw_execute(plan);
    EXPECT(is_untouched(x, 0, 4096));
    fftw_destroy_plan(plan);
    fftw_destroy_plan(NULL);
    free(x);
}

/* ---- together with the serial library */

static void test_mixed(void)
{
    const length n[] = {4, 6};
    double *x = alloc(96), add = 0, mul = 0, fma = 0;
    fftw_complex *c = (fftw_complex *)x;
    test_context("mixed");
    fftw_plan serial = fftw_plan_dft_1d(4, c, c, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan mpi =
        fftw_mpi_plan_dft_3d_f03(4, 6, 1, c, c, MPI_Comm_c2f(MPI_COMM_WORLD), FFTW_FORWARD, FFTW_ESTIMATE);
    for (int i = 0; i < 8; i++)
        x[i] = i;
    fftw_execute(serial);
    EXPECT(x[0] == 12 && x[1] == 16);
    for (int i = 0; i < 2; i++) {
        fftw_plan plan = i ? mpi : serial;
        char *text = fftw_sprint_plan(plan);
        EXPECT(text && strlen(text) > 4);
        free(text);
        fftw_flops(plan, &add, &mul, &fma);
        EXPECT((add + mul + fma > 0 || !i) && fftw_cost(plan) >= 0 && fftw_estimate_cost(plan) >= 0);
    }
    fftw_destroy_plan(serial);
    for (int i = 0; i < 96; i++)
        x[i] = i % 2 ? 0 : 1;
    fftw_cleanup();
    if (EXPECT(mpi))
        fftw_execute(mpi);
    EXPECT(test_rank > 0 || fabs(x[0] - 24) < 1e-12);
    fftw_destroy_plan(mpi);
    mpi = fftw_mpi_plan_many_dft(2, n, 1, 0, 0, c, c, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    EXPECT(mpi);
    fftw_destroy_plan(mpi);
    free(x);
}

/* Create two equal forward plans, and a backward plan. One forward plan is destroyed, then the other one is
 * executed: `order` says which. */
static void check_pair(MPI_Comm comm, int order)
{
    const length n[] = {6, 10};
    length n0, start0, wrong = 0;
    const length room = fftw_mpi_local_size_many(2, n, 1, 0, comm, &n0, &start0);
    double *x = alloc(2 * room), *y = alloc(2 * room);
    fftw_complex *cx = (fftw_complex *)x, *cy = (fftw_complex *)y;
    fftw_plan there = fftw_mpi_plan_many_dft(2, n, 1, 0, 0, cx, cy, comm, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan back = fftw_mpi_plan_many_dft(2, n, 1, 0, 0, cy, cx, comm, FFTW_BACKWARD, FFTW_ESTIMATE);
    fftw_plan spare = fftw_mpi_plan_many_dft(2, n, 1, 0, 0, cx, cy, comm, FFTW_FORWARD, FFTW_ESTIMATE);
    EXPECT(there && back && spare);
    fftw_destroy_plan(order ? spare : there);
    for (length i = 0; i < 2 * 10 * n0; i++)
        x[i] = (double)(start0 * 20 + i);
    fftw_execute(order ? there : spare);
    fftw_destroy_plan(order ? there : spare);
    fftw_execute(back);
    for (length i = 0; i < 2 * 10 * n0; i++)
        wrong += fabs(x[i] / 60 - (double)(start0 * 20 + i)) > 1e-12;
    EXPECT_EQUAL(wrong, 0);
    fftw_destroy_plan(back);
    free(x);
    free(y);
}

static void test_pairs(void)
{
    const length n[] = {6, 10};
    MPI_Comm half;
    fftw_complex *c = fftw_alloc_complex(100);
    test_context("pairs");
    MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, -test_rank, &half);
    fftw_plan all = fftw_mpi_plan_many_dft(2, n, 1, 0, 0, c, c, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    EXPECT(all);
    for (int i = 0; i < 4; i++)
        if (i < 3 || test_rank % 2)
            check_pair(i ? half : MPI_COMM_WORLD, i % 2);
    check_pair(MPI_COMM_WORLD, 1);
    fftw_destroy_plan(all);
    MPI_Comm_free(&half);
    fftw_free(c);
}

/* Create a plan, execute it, and destroy it. The results must equal the serial library's. */
static void use_plan(MPI_Comm comm, const length n[], unsigned flags)
{
    length n0, start0, wrong = 0;
    const length room = fftw_mpi_local_size_many(2, n, 1, 0, comm, &n0, &start0), all = n[0] * n[1];
    fftw_complex *c = fftw_alloc_complex((size_t)room + 1), *whole = fftw_alloc_complex((size_t)all);
    fftw_plan plan = fftw_mpi_plan_many_dft(2, n, 1, 0, 0, c, c, comm, FFTW_FORWARD, flags),
              serial = fftw_plan_dft_2d((int)n[0], (int)n[1], whole, whole, FFTW_FORWARD, FFTW_ESTIMATE);
    double *mine = (double *)c, *right = (double *)whole;
    for (length i = 0; i < 2 * all; i++)
        right[i] = (double)(i * i % 17);
    memcpy(mine, right + 2 * start0 * n[1], (size_t)(2 * n0 * n[1]) * sizeof *mine);
    if (EXPECT(plan && serial)) {
        fftw_execute(plan);
        fftw_execute(serial);
    }
    for (length i = 0; i < 2 * n0 * n[1]; i++)
        wrong += !(fabs(mine[i] - right[2 * start0 * n[1] + i]) < 1e-9);
    EXPECT_EQUAL(wrong, 0);
    fftw_destroy_plan(plan);
    fftw_destroy_plan(serial);
    fftw_free(c);
    fftw_free(whole);
}

/* A plan of all ranks that is destroyed is kept for the next equal request, until fftw_mpi_cleanup. Kept
 * plans need at most SUBX_FFTW3MPI_KEEP MiB. Plans of some of the ranks are not kept. */
static void test_kept(void)
{
    const length n[] = {20, 12}, other[] = {12, 10}, large[] = {1400, 700};
    MPI_Comm copy, some;
    fftw_mpi_cleanup();
    const int none = test_maps_count_shared();
    test_context("kept plans");
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    use_plan(copy, n, FFTW_ESTIMATE);
    MPI_Comm_free(&copy);
    const int one = test_maps_count_shared();
    EXPECT(one > none || test_nranks == 1);
    use_plan(MPI_COMM_WORLD, n, FFTW_ESTIMATE);
    EXPECT_EQUAL(test_maps_count_shared(), one);
    fftw_cleanup();
    use_plan(MPI_COMM_WORLD, n, FFTW_ESTIMATE);
    EXPECT_EQUAL(test_maps_count_shared(), one);
    use_plan(MPI_COMM_WORLD, other, FFTW_ESTIMATE);
    EXPECT(test_maps_count_shared() > one || test_nranks == 1);
    MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, 0, &some);
    const int two = test_maps_count_shared();
    if (test_nranks > 1)
        use_plan(some, large, FFTW_ESTIMATE);
    EXPECT_EQUAL(test_maps_count_shared(), two);
    MPI_Comm_free(&some);
    fftw_mpi_cleanup();
    EXPECT_EQUAL(test_maps_count_shared(), none);
    setenv("SUBX_FFTW3MPI_KEEP", test_rank > 0 ? "1" : "2", 1);
    use_plan(MPI_COMM_WORLD, n, FFTW_ESTIMATE);
    EXPECT_EQUAL(test_maps_count_shared(), one);
    use_plan(MPI_COMM_WORLD, large, FFTW_ESTIMATE);
    EXPECT(test_maps_count_shared() <= one);
    setenv("SUBX_FFTW3MPI_KEEP", test_rank > 0 ? "1" : "0", 1);
    fftw_mpi_cleanup();
    use_plan(MPI_COMM_WORLD, n, FFTW_ESTIMATE);
    EXPECT_EQUAL(test_maps_count_shared(), none);
    unsetenv("SUBX_FFTW3MPI_KEEP");
}

/* The last rank measures and so gets wisdom. After gather and broadcast all ranks must have this wisdom. */
static void test_wisdom(void)
{
    fftw_complex *c = fftw_alloc_complex(60);
    test_context("wisdom");
    fftw_forget_wisdom();
    if (test_rank == test_nranks - 1)
        fftw_destroy_plan(fftw_plan_dft_1d(60, c, c, FFTW_FORWARD, FFTW_MEASURE));
    fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
    if (test_rank > 0)
        fftw_forget_wisdom();
    fftw_mpi_broadcast_wisdom(MPI_COMM_WORLD);
    fftw_plan plan = fftw_plan_dft_1d(60, c, c, FFTW_FORWARD, FFTW_MEASURE | FFTW_WISDOM_ONLY);
    EXPECT(plan);
    fftw_destroy_plan(plan);
    fftw_free(c);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    setenv("SUBX_FFTW3MPI_STOCK", "load", 1);
    fftw_mpi_init();
    test_limit();
    test_scrambled();
    test_refusals();
    test_mixed();
    test_pairs();
    test_kept();
    test_wisdom();
    fftw_mpi_cleanup();
    return test_end();
}
