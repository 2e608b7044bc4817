/* fftw_plans.c - plans of FFTW's MPI interface give the results of FFTW's serial library.
 * ranks: 1 2 3 7 (four would repeat three: the interface only has slabs) */
#define _GNU_SOURCE
#include "compat/fftw.h"
#include "common/maps.h"
#include "common/random.h"
#include "common/verdict.h"
#include "common/worst.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIALS = 64, GUARD = 8 };

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

/* ---- all families, compared with the serial library */

/* Create a plan on a communicator that is freed right after. */
static fftw_plan create(const trial *t, double *in, double *out, unsigned flags)
{
    fftw_complex *cin = (fftw_complex *)in, *cout = (fftw_complex *)out;
    fftw_plan plan;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    flags |= t->flags;
    if (t->family == DFT)
        plan = fftw_mpi_plan_many_dft(t->d, t->n, t->howmany, t->block[0], t->block[1], cin, cout, comm,
                                      t->sign, flags);
    else if (t->family == R2C)
        plan = fftw_mpi_plan_many_dft_r2c(t->d, t->n, t->howmany, t->block[0], t->block[1], in, cout, comm,
                                          flags);
    else if (t->family == C2R)
        plan = fftw_mpi_plan_many_dft_c2r(t->d, t->n, t->howmany, t->block[0], t->block[1], cin, out, comm,
                                          flags);
    else
        plan = fftw_mpi_plan_many_r2r(t->d, t->n, t->howmany, t->block[0], t->block[1], in, out, comm,
                                      t->kind, flags);
    MPI_Comm_free(&comm);
    return plan;
}

/* Global arrays: the input, and the right result. */
typedef struct global {
    length reals;
    double *in, *out;
    double most;
} global;

static int set_global(const trial *t, uint64_t number, global *g)
{
    test_random r = test_random_stream(test_seed() + 1, number);
    g->reals = 2 * t->howmany;
    for (int i = 0; i < t->d; i++)
        g->reals *= t->n[i] / 2 * 2 + 2;
    g->in = alloc(g->reals);
    g->out = alloc(g->reals);
    double *spare = alloc(g->reals);
    for (length i = 0; i < g->reals; i++)
        spare[i] = test_random_double(&r);
    trial forward = *t;
    forward.family = R2C;
    if (t->family == C2R)
        (void)test_fftw_transform(&forward, spare, g->in);
    else
        memcpy(g->in, spare, (size_t)g->reals * sizeof *spare);
    memcpy(spare, g->in, (size_t)g->reals * sizeof *spare);
    const int ok = test_fftw_transform(t, spare, g->out);
    free(spare);
    g->most = 1;
    for (length i = 0; i < g->reals; i++)
        g->most = g->out[i] != untouched && fabs(g->out[i]) > g->most ? fabs(g->out[i]) : g->most;
    return ok;
}

/* Execute a plan. The plan may only access as much memory as FFTW's interface says. The plan must keep the
 * input, unless it is in place, is C2R, or has FFTW_DESTROY_INPUT. */
static void execute(const trial *t, fftw_plan plan, const part parts[2], const global *g, length reals,
                    int is_new)
{
    double *in = alloc(reals), *out = t->is_in_place ? in : alloc(reals);
    (void)test_fftw_move(&parts[0], g->in, in, 1);
    if (is_new)
        fftw_mpi_execute_dft(plan, (fftw_complex *)in, (fftw_complex *)out);
    else if (t->family == DFT)
        fftw_execute_dft(plan, (fftw_complex *)in, (fftw_complex *)out);
    else if (t->family == R2C)
        fftw_execute_dft_r2c(plan, in, (fftw_complex *)out);
    else if (t->family == C2R)
        fftw_execute_dft_c2r(plan, (fftw_complex *)in, out);
    else
        fftw_execute_r2r(plan, in, out);
    EXPECT(test_fftw_move(&parts[1], g->out, out, 0) < 1e-12 * g->most);
    EXPECT(is_untouched(in, reals, reals + GUARD) && is_untouched(out, reals, reals + GUARD));
    if (!t->is_in_place && t->family != C2R && !(t->flags & FFTW_DESTROY_INPUT))
        EXPECT(test_fftw_move(&parts[0], g->in, in, 0) == 0);
    if (out != in)
        free(out);
    free(in);
}

static void check(const trial *t, int number, unsigned effort)
{
    part parts[2];
    global g;
    const length count = test_fftw_get_parts(t, MPI_COMM_WORLD, parts),
                 reals = t->family == R2R ? count : 2 * count;
    const int is_right = set_global(t, (uint64_t)number, &g);
    double *in = alloc(reals), *out = t->is_in_place ? in : alloc(reals);
    fftw_plan plan = create(t, in, out, effort);
    EXPECT_SAME(plan != NULL);
    EXPECT(plan || !is_right);
    if (effort == FFTW_ESTIMATE)
        EXPECT(is_untouched(in, 0, reals + GUARD) && is_untouched(out, 0, reals + GUARD));
    if (plan) {
        execute(t, plan, parts, &g, reals, 0);
        execute(t, plan, parts, &g, reals, 1);
        (void)test_fftw_move(&parts[0], g.in, in, 1);
        fftw_execute(plan);
        EXPECT(test_fftw_move(&parts[1], g.out, out, 0) < 1e-12 * g.most);
    }
    fftw_destroy_plan(plan);
    if (out != in)
        free(out);
    free(in);
    free(g.in);
    free(g.out);
}

static void test_families(void)
{
    for (int i = 0; i < TRIALS; i++) {
        const trial t = test_fftw_draw(i, test_nranks);
        test_context(
            "trial %d: family %d, %td x %td x %td x %td of %d axes, howmany %td, sign %d, flags %x, blocks %td "
            "and %td, in place %d",
            i, t.family, t.n[0], t.n[1], t.n[2], t.n[3], t.d, t.howmany, t.sign, t.flags, t.block[0],
            t.block[1], t.is_in_place);
        check(&t, i, i % 16 ? FFTW_ESTIMATE : FFTW_MEASURE);
    }
}

/* Extreme shapes. For some of them FFTW's own library is wrong on several ranks. */
static void test_thin(void)
{
    static const length shapes[][NDIMS] = {{98, 1}, {1, 1}, {1, 50}, {6, 1, 5}, {1, 1, 9}, {5, 1, 1, 7}};
    static const int d[] = {2, 2, 2, 3, 3, 4};
    for (int i = 0; i < 6; i++)
        for (int family = DFT; family < FAMILIES; family++)
            for (int way = (i + family) % 2; way < 4; way += 3) {
                trial t = {
                    .family = family, .d = d[i], .howmany = 1, .sign = FFTW_FORWARD, .is_in_place = way / 2};
                memcpy(t.n, shapes[i], sizeof t.n);
                for (int k = 0; k < t.d; k++)
                    t.kind[k] = FFTW_REDFT10;
                if (way % 2)
                    t.flags = family == C2R ? TRANSPOSED_IN : TRANSPOSED_OUT;
                test_context("thin %d, family %d, way %d", i, family, way);
                check(&t, i, i % 3 ? FFTW_ESTIMATE : FFTW_MEASURE);
            }
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

/* ---- transpositions */

static void check_transpose(length x, length y, length howmany, unsigned flags, int is_in_place)
{
    length n[2] = {x, y}, x0, xs, y0, ys;
    const length reals =
        fftw_mpi_local_size_many_transposed(2, n, howmany, 0, 0, MPI_COMM_WORLD, &x0, &xs, &y0, &ys);
    double *in = alloc(reals), *out = is_in_place ? in : alloc(reals);
    fftw_plan plan =
        fftw_mpi_plan_many_transpose(x, y, howmany, 0, 0, in, out, MPI_COMM_WORLD, FFTW_ESTIMATE | flags);
    int wrong = 0;
    for (length i = 0; i < x0; i++)
        for (length j = 0; j < y; j++)
            for (length k = 0; k < howmany; k++)
                in[(flags & TRANSPOSED_IN ? j * x0 + i : i * y + j) * howmany + k] =
                    (double)(((xs + i) * y + j) * howmany + k);
    if (EXPECT(plan))
        fftw_execute(plan);
    for (length i = 0; i < x; i++)
        for (length j = 0; j < y0; j++)
            for (length k = 0; k < howmany; k++)
                wrong += out[(flags & TRANSPOSED_OUT ? i * y0 + j : j * x + i) * howmany + k] !=
                         (double)((i * y + ys + j) * howmany + k);
    EXPECT_EQUAL(wrong, 0);
    EXPECT(is_untouched(in, reals, reals + GUARD) && is_untouched(out, reals, reals + GUARD));
    fftw_destroy_plan(plan);
    if (!is_in_place)
        free(out);
    free(in);
}

static void test_transpose(void)
{
    for (int i = 0; i < 16; i++) {
        test_random r = test_random_stream(test_seed() + 2, (uint64_t)i);
        const length x = test_random_int(&r, 1, 40), y = test_random_int(&r, 1, 40),
                     howmany = test_random_int(&r, 1, 4);
        const unsigned flags = (i & 1 ? TRANSPOSED_IN : 0) | (i & 2 ? TRANSPOSED_OUT : 0);
        test_context("transpose %td x %td * %td, flags %x, in place %d", x, y, howmany, flags, i & 4);
        check_transpose(x, y, howmany, flags, i & 4);
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

/* ---- the report */

/* Every line of the report must have numbers of plans and executions, and times. More than half of the trials
 * must have a line with executions. If FFTW's own MPI library is installed, some lines must compare with its
 * plans. */
static void check_report(const char *path)
{
    char line[512];
    int lines = 0, executed = 0, compared = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        double planning[2] = {0, 0}, seconds = 0, one[2] = {0, 0};
        long plans = 0, executions = 0;
        const char *at = strstr(line, " ranks: "), *counts = at ? strrchr(at, ':') : NULL;
        const int n =
            !counts ? 0
                    : sscanf(counts,
                             ": %ld plans, planned in %lg s by ours and %lg s by FFTW; %ld executions "
                             "in %lg s; when compared, one took %lg s with ours and %lg s with FFTW",
                             &plans, &planning[0], &planning[1], &executions, &seconds, &one[0], &one[1]);
        test_context("report: %s", line);
        EXPECT((n == 5 || n == 7) && plans + executions > 0 && (executions > 0) == (seconds > 0));
        EXPECT(n != 7 || (planning[1] > 0 && one[0] > 0 && one[1] > 0));
        lines++;
        executed += executions > 0;
        compared += n == 7;
    }
    test_context("report: %d lines, %d executed, %d compared", lines, executed, compared);
    EXPECT(lines > TRIALS / 2 && executed > TRIALS / 2);
#ifdef SX_HAVE_FFTW3_MPI
    EXPECT(compared > 0);
#endif
    if (EXPECT(file))
        fclose(file);
    (void)remove(path);
}

int main(int argc, char **argv)
{
    char path[] = "/tmp/subx-fftw-report.XXXXXX";
    test_begin(&argc, &argv);
    setenv("SUBX_FFTW3MPI_STOCK", "load", 1);
    if (test_rank == 0 && EXPECT(close(mkstemp(path)) == 0))
        setenv("SUBX_FFTW3MPI_REPORT", path, 1);
    /* These variables are for plans of our own interface. They must not change the results here. */
    setenv("SUBX_SCALING", "forward", 1);
    setenv("SUBX_OUTPUT_ORDER", "transposed", 1);
    setenv("SUBX_RANKS", "1", 1);
    setenv("SUBX_TUNE", "reorder yes", 1);
    fftw_mpi_init();
    test_families();
    test_thin();
    test_limit();
    test_scrambled();
    test_transpose();
    test_refusals();
    test_mixed();
    test_pairs();
    test_kept();
    test_wisdom();
    fftw_mpi_cleanup();
    if (test_rank == 0)
        check_report(path);
    return test_end();
}
