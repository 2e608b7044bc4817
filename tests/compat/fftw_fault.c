/* fftw_fault.c - each allocation and each MPI call of libsubx_fftw3mpi fails in turn while a program plans.
 * All ranks must get a plan, or none, and the plan must be right. If FFTW's own library is installed, the
 * request goes there. No error goes to an error handler, no rank may wait for ever, and the next request must
 * work.
 *
 * This program is linked with the objects of libsubx_fftw3mpi, so the calls that fail are those of its own
 * file.
 * ranks: 1 2 3 */
#include "base/base.h"
#include "common/verdict.h"
#include "compat/fftw.h"
#include "fault/intercept.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ROOM: reals of an array. MOST: the most calls of a request that fail; a comparison of two plans has
 * more. */
enum { ROOM = 4096, MOST = 60, SECONDS = 60 };

static int handled;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    handled++;
}

static void test_fault_here(void) {}

/* ---- requests; the input is 1 everywhere */

static double *in, *out;

typedef struct asked {
    const char *name;
    int family, d;
    length n[3];
    unsigned flags;
} asked;

static const asked requests[] = {
    {"estimated", DFT, 2, {6, 10}, FFTW_ESTIMATE},
    {"measured", R2C, 3, {4, 6, 5}, FFTW_MEASURE},
    {"one axis", DFT, 1, {7}, FFTW_ESTIMATE},
    {"scrambled", DFT, 1, {36}, FFTW_ESTIMATE | SCRAMBLED_OUT},
    {"no plan of ours", R2R, 2, {6, 4}, FFTW_ESTIMATE},
};

static fftw_plan create(const asked *a)
{
    static const fftw_r2r_kind kinds[] = {(fftw_r2r_kind)99, FFTW_DHT};
    fftw_complex *cin = (fftw_complex *)in, *cout = (fftw_complex *)out;
    if (a->family == DFT)
        return fftw_mpi_plan_many_dft(a->d, a->n, 1, 0, 0, cin, cout, MPI_COMM_WORLD, FFTW_FORWARD, a->flags);
    if (a->family == R2C)
        return fftw_mpi_plan_many_dft_r2c(a->d, a->n, 1, 0, 0, in, cout, MPI_COMM_WORLD, a->flags);
    return fftw_mpi_plan_many_r2r(a->d, a->n, 1, 0, 0, in, out, MPI_COMM_WORLD, kinds, a->flags);
}

/* The sum over all elements is the first element of the spectrum, which rank 0 has; all others are 0. */
static int is_right(const asked *a, fftw_plan plan)
{
    double sum = 1;
    if (a->family == R2R)
        return 1;
    for (int i = 0; i < a->d; i++)
        sum *= (double)a->n[i];
    for (int i = 0; i < ROOM; i++)
        in[i] = a->family == DFT && i % 2 ? 0 : 1;
    out[0] = out[2] = 0;
    fftw_execute(plan);
    return fabs(out[2]) < 1e-9 && fabs(out[0] - (test_rank == 0 ? sum : 0)) < 1e-9;
}

/* ---- failures */

/* Create a plan while the n-th call fails: of MPI, on all ranks or on the last one alone; or an allocation,
 * on the last rank. Returns the name of the function that failed on this rank, or NULL. */
enum { BEFORE, AFTER, ALONE, ALLOCATION, WAYS };
static const char *const ways[] = {"before", "after", "alone", "allocation"};

static const char *create_failing(const asked *a, int way, long n, fftw_plan *plan)
{
    const int is_victim = test_rank == test_nranks - 1;
    if (way == ALLOCATION && is_victim)
        sx_base_fail_after(n - 1);
    if (way < ALONE || (way == ALONE && is_victim))
        test_intercept_begin(n, way == AFTER ? TEST_AFTER : TEST_BEFORE);
    *plan = create(a);
    const char *failed = test_intercept_end();
    return way == ALLOCATION && sx_base_fail_after(-1) < 0 && is_victim ? "an allocation" : failed;
}

/* Query whether one rank alone may fail: if the call is collective, the others would wait. */
static int is_local(const char *name)
{
    static const char *const collective[] = {"MPI_Allreduce",  "MPI_Barrier", "MPI_Bcast",
                                             "MPI_Iallreduce", "MPI_Ibcast",  "MPI_Comm_dup",
                                             "MPI_Wait",       "MPI_Test",    "MPI_Comm_free"};
    for (size_t i = 0; i < sizeof collective / sizeof *collective; i++)
        if (strcmp(name, collective[i]) == 0)
            return 0;
    return 1;
}

/* Returns 1 if a call has failed. */
static int check_once(const asked *a, int way, long n, int must_plan)
{
    fftw_plan plan;
    test_context("%s, call %ld, %s", a->name, n, ways[way]);
    alarm(SECONDS);
    handled = 0;
    const char *failed = create_failing(a, way, n, &plan);
    test_context("%s, call %ld, %s: %s", a->name, n, ways[way], failed ? failed : "none");
    EXPECT_EQUAL(handled, 0);
    EXPECT_SAME(plan != NULL);
    EXPECT(plan || !must_plan);
    EXPECT(!plan || is_right(a, plan));
    fftw_destroy_plan(plan);
    int has_failed = failed != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &has_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (way == BEFORE && failed && is_local(failed))
        check_once(a, ALONE, n, must_plan && strcmp(failed, "MPI_Comm_size") != 0);
    return has_failed;
}

static void check(const asked *a)
{
    long calls = 0;
    for (int way = BEFORE; way < WAYS; way++)
        if (way != ALONE)
            for (long n = 1; n <= MOST && check_once(a, way, n, 0); n++)
                calls++;
    test_context("%s", a->name);
    EXPECT(calls > 5);
    fftw_plan plan = create(a);
    EXPECT(!plan || is_right(a, plan));
    EXPECT(plan || a->family == R2R || (a->flags & SCRAMBLED_OUT && test_nranks == 1));
    fftw_destroy_plan(plan);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    const int is_threaded = getenv("FFTW_FAULT_THREADS") != NULL;
    int level;
    MPI_Init_thread(&argc, &argv, is_threaded ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    test_begin(&argc, &argv);
    test_intercept_only(test_fault_here);
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Errhandler_free(&handler);
    setenv("SUBX_FFTW3MPI_STOCK", "load", 1);
    fftw_mpi_init();
    in = fftw_alloc_real(ROOM);
    out = fftw_alloc_real(ROOM);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        check(&requests[i]);
    alarm(0);
    fftw_free(in);
    fftw_free(out);
    fftw_mpi_cleanup();
    return test_end();
}
