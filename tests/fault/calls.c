/* calls.c - each MPI call fails in turn, while objects are created and while they are executed. MPI says
 * nothing about its state after an error (MPI 3.1, section 8.3), so the library promises only this: the call
 * returns the error, the object can be freed, and the next object works.
 *
 * usage: calls [SUBJECT]: an engine, gathering, halo, or a problem of problems.c; default: all of them.
 * ranks: 1 (other ranks may wait for ever for a rank whose call has failed) */
#include "base/base.h"
#include "common/arrays.h"
#include "common/boxes.h"
#include "common/engine.h"
#include "common/hints.h"
#include "common/verdict.h"
#include "fault/intercept.h"
#include "fault/problems.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <subx_boxes.h>

/* An upper bound: no subject makes so many calls. */
enum { CALLS_MAX = 1000 };

/* ---- what is created and executed */

typedef struct subject {
    const char *name;
    int (*create)(const struct subject *);
    int (*execute)(void);
    int (*is_right)(void);
    int (*free)(void);
    const char *engine;
    int number; /* the number of a problem */
} subject;

enum { N0 = 12, N1 = 13, N2 = 4, ROOM = N0 * N1 * N2 };

static subx_exch ex;
static double in[ROOM], out[ROOM];

/* Axis 0 is whole before the exchange, axis 1 after it. The hints demand several slices, windows and
 * rounds. */
static int create_exchange(const subject *s)
{
    const ptrdiff_t sizes[] = {N0, N1, N2};
    MPI_Info hints = test_hints("slices=3 window=2 radix=2 engine=%s", s->engine);
    int rc = subx_exch_create_realign(MPI_COMM_WORLD, 3, sizes, 0, 1, NULL, NULL, MPI_DOUBLE, hints, &ex);
    PMPI_Info_free(&hints);
    return rc;
}

static int execute_exchange(void)
{
    ptrdiff_t n, start, at = 0;
    subx_block_get(N1, test_nranks, test_rank, &n, &start);
    for (int i = 0; i < N0; i++)
        for (ptrdiff_t j = start; j < start + n; j++)
            for (int k = 0; k < N2; k++)
                in[at++] = (double)((i * N1 + j) * N2 + k);
    memset(out, 0, sizeof out);
    return subx_exch_execute(ex, in, out);
}

static int exchange_is_right(void)
{
    ptrdiff_t n, start;
    int wrong = 0;
    subx_block_get(N0, test_nranks, test_rank, &n, &start);
    for (ptrdiff_t i = 0; i < n * N1 * N2; i++)
        wrong += out[i] != (double)(start * N1 * N2 + i);
    return wrong == 0;
}

static int free_exchange(void)
{
    return subx_exch_free(&ex);
}

/* Each rank holds a row. Rank 0 gets all rows, and the other ranks get nothing. */
static int create_gathering(const subject *s)
{
    const ptrdiff_t sizes[] = {test_nranks, N1}, start[] = {test_rank, 0}, len[] = {1, N1}, zero[] = {0, 0};
    subx_boxes held = test_boxes_create(2, sizes, 1, start, len, NULL);
    subx_boxes wanted = test_boxes_create(2, sizes, test_rank == 0, zero, sizes, NULL);
    MPI_Info hints = test_hints("engine=%s check=no", s->engine);
    int rc = subx_exch_create_boxes(MPI_COMM_WORLD, held, wanted, MPI_DOUBLE, hints, &ex);
    PMPI_Info_free(&hints);
    subx_boxes_free(&wanted);
    subx_boxes_free(&held);
    return rc;
}

static int execute_gathering(void)
{
    for (int j = 0; j < N1; j++)
        in[j] = test_rank * N1 + j;
    memset(out, 0, sizeof out);
    return subx_exch_execute(ex, in, out);
}

static int gathering_is_right(void)
{
    int wrong = 0;
    for (int i = 0; i < test_nranks * N1 && test_rank == 0; i++)
        wrong += out[i] != i;
    return wrong == 0;
}

static subx_halo halo;

/* A periodic array with one row per rank, and halos on both sides. */
static int create_halo(const subject *s)
{
    const ptrdiff_t sizes[] = {test_nranks, N1}, start[] = {test_rank, 0}, len[] = {1, N1}, width[] = {1, 0};
    const int periodic[] = {1, 0};
    MPI_Info hints = test_hints("engine=%s", s->engine);
    int rc = subx_halo_create(MPI_COMM_WORLD, 2, sizes, start, len, width, width, periodic, NULL, MPI_DOUBLE,
                              hints, &halo);
    PMPI_Info_free(&hints);
    return rc;
}

static int execute_halo(void)
{
    memset(out, 0, sizeof out);
    for (int j = 0; j < N1; j++)
        out[N1 + j] = test_rank * N1 + j;
    return subx_halo_execute(halo, out);
}

static int halo_is_right(void)
{
    int wrong = 0;
    for (int i = 0; i < 3 * N1; i++) {
        const int owner = (test_rank + test_nranks + i / N1 - 1) % test_nranks;
        wrong += out[i] != owner * N1 + i % N1;
    }
    return wrong == 0;
}

static int free_halo(void)
{
    return subx_halo_free(&halo);
}

static subx_fft_plan plan;

static int free_plan(void)
{
    return subx_fft_plan_free(&plan);
}

static test_arrays arrays;
static void *results[TEST_RUNS]; /* by execution */
static subx_fft_problem problem;

/* Create the plan of a problem. */
static int create_problem_plan(const subject *s)
{
    MPI_Info hints = test_hints("engine=node overlap=both slices=2");
    int rc = test_problem_plan(s->number, problem, hints, &plan);
    PMPI_Info_free(&hints);
    return rc;
}

/* Execute in each way, even if one of them fails. Returns the first error. */
static int execute_problem_plan(void)
{
    int first = MPI_SUCCESS;
    for (int run = 0; run < arrays.nruns; run++) {
        const int rc =
            test_arrays_execute(plan, run, arrays.from[test_run_get_input(run)], results[run], arrays.op, 0);
        first = first ? first : rc;
    }
    return first;
}

static int problem_plan_is_right(void)
{
    int is_right = 1;
    for (int run = 0; run < arrays.nruns; run++)
        is_right &= test_arrays_is_close(&arrays, run, results[run]);
    return is_right;
}

/* ---- failures */

/* Execute, and check that the execution allocates nothing, even if a call fails. */
static int execute(const subject *s)
{
    sx_base_fail_after(LONG_MAX);
    int rc = s->execute();
    EXPECT_EQUAL(sx_base_fail_after(-1), LONG_MAX);
    return rc;
}

static const char *const moments[] = {[TEST_BEFORE] = "before", [TEST_AFTER] = "after"};

/* Create an object, execute it and free it, while the n-th MPI call fails. Returns 0 if there are fewer than
 * n calls. A call that only asks, or that frees an object, may fail unnoticed; then the result must be
 * right. */
static int check_call(const subject *s, long n, int when)
{
    test_context("%s, call %ld, %s", s->name, n, moments[when]);
    test_intercept_begin(n, when);
    int rc = s->create(s);
    if (!rc)
        rc = execute(s);
    const char *failed = test_intercept_end();
    EXPECT(rc || s->is_right());
    EXPECT(failed || !rc);
    EXPECT_OK(s->free());
    return failed != NULL;
}

/* The words of the command line. */
static const char *wanted = "all";

static void check(const subject *s)
{
    if (strcmp(wanted, "all") != 0 && strcmp(wanted, s->name) != 0)
        return;
    test_context("%s", s->name);
    int kind = subx_error_get_kind(s->create(s));
    EXPECT_OK(s->free());
    if (kind == SUBX_ERR_UNAVAILABLE && test_engine_may_lack(s->engine))
        return;
    for (int when = TEST_BEFORE; when <= TEST_AFTER; when++) {
        long n = 1;
        while (n < CALLS_MAX && check_call(s, n, when))
            n++;
        EXPECT(n > 1 && n < CALLS_MAX);
    }
    test_context("%s, after all failures", s->name);
    EXPECT_OK(s->create(s));
    EXPECT_OK(execute(s));
    EXPECT(s->is_right());
    EXPECT_OK(s->free());
}

/* First a plan is created and executed without a failure. All later results must agree with its results. */
static void check_problem(int k)
{
    const subject s = {.name = test_problem_get_name(k),
                       .create = create_problem_plan,
                       .execute = execute_problem_plan,
                       .is_right = problem_plan_is_right,
                       .free = free_plan,
                       .engine = "node",
                       .number = k};
    problem = test_problem_create(k);
    if (!EXPECT_OK(s.create(&s)))
        return;
    arrays = test_arrays_create(plan);
    for (int run = 0; run < arrays.nruns; run++)
        results[run] = malloc(arrays.room);
    EXPECT_OK(s.free());
    check(&s);
    for (int run = 0; run < arrays.nruns; run++)
        free(results[run]);
    test_arrays_free(&arrays);
    EXPECT_OK(subx_fft_problem_free(&problem));
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    wanted = argc > 1 ? argv[1] : wanted;
    for (int k = 0; k + 1 < test_engine_count(); k++) {
        const char *name = test_engine_get(k);
        check(&(subject){name, create_exchange, execute_exchange, exchange_is_right, free_exchange, name, 0});
    }
    check(&(subject){"gathering", create_gathering, execute_gathering, gathering_is_right, free_exchange,
                     "alltoallv", 0});
    check(&(subject){"halo", create_halo, execute_halo, halo_is_right, free_halo, "alltoallv", 0});
    for (int k = 0; k < TEST_PROBLEMS; k++)
        check_problem(k);
    return test_end();
}
