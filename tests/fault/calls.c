/* calls.c - each MPI call fails in turn on one rank, while objects are created and while they are executed. The call
 * fails before it has any effect, or after its whole effect. No rank may wait for ever, wrong data must be noticed, and
 * later calls must work.
 *
 * usage: calls [SUBJECT [PHASE [WHEN]]]: SUBJECT is an engine, gathering, halo, a plan of this file, or a problem of
 * problems.c. PHASE is "execution" or "creation". WHEN is "before" or "after" the effect. "all", the default of each,
 * means all of them. If WHEN is "all", each call fails only once, either before or after. On three and four ranks
 * only every third call fails, on more ranks every 11th.
 * ranks: 2 3 4 5 */
#include "base/base.h"
#include "common/boxes.h"
#include "common/engine.h"
#include "common/field.h"
#include "common/hints.h"
#include "common/verdict.h"
#include "fault/intercept.h"
#include "fault/problems.h"
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <subx_boxes.h>

/* Limits: the most MPI calls of an object, and the most seconds of a case. */
enum { CALLS_MAX = 1000, SECONDS = 20 };

/* ---- a watchdog, which prints the current case if a rank waits for ever */

static char current[256];
static int length;

static void bark(int signal)
{
    (void)signal;
    if (write(STDOUT_FILENO, current, (size_t)length) != length)
        _exit(2);
    _exit(1);
}

static const char *const moments[] = {[TEST_BEFORE] = "before", [TEST_AFTER] = "after"};

static void begin_case(const char *subject, const char *phase, int victim, long n, int when)
{
    test_context("%s, %s, rank %d, call %ld, %s", subject, phase, victim, n, moments[when]);
    length = snprintf(current, sizeof current, "HANG on rank %d of %d: %s, %s, rank %d fails %s call %ld\n",
                      test_rank, test_nranks, subject, phase, victim, when == TEST_AFTER ? "after" : "in", n);
    alarm(SECONDS);
}

/* ---- what is created and executed */

typedef struct subject {
    const char *name;
    int (*create)(const struct subject *);
    int (*execute)(void);
    int (*is_right)(void);
    int (*free)(void);
    const char *engine, *node_ranks, *overlap;
    int number; /* the number of a problem */
} subject;

enum { N0 = 12, N1 = 13, N2 = 4, ROOM = N0 * N1 * N2 };

static subx_exch ex;
static double in[ROOM], out[ROOM];

/* Axis 0 is whole before the exchange, axis 1 after it. The hints demand several slices, windows and rounds. */
static int create_exchange(const subject *s)
{
    const ptrdiff_t sizes[] = {N0, N1, N2};
    MPI_Info hints =
        test_hints("slices=3 window=2 radix=2 check=no engine=%s node_ranks=%s", s->engine, s->node_ranks);
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

static test_field field;
static subx_fft_plan plan;
static double complex from[2][2 * ROOM], to[2][2 * ROOM]; /* by side */

static int create_plan(const subject *s)
{
    const test_choices c = {
        .strategy = "fused",
        .engine = s->engine,
        .more = {{"subx_node_ranks", s->node_ranks}, {"subx_overlap", s->overlap}, {"subx_slices", "2"}}};
    return test_field_plan(&field, &c, MPI_COMM_WORLD, &plan);
}

/* Execute both directions, even if the first one fails. Returns the first error. */
static int execute_plan(void)
{
    for (int side = 0; side < 2; side++) {
        const test_part p = test_part_get(&field, plan, side);
        test_part_fill(&field, &p, side, 1, from[side]);
    }
    memset(to, 0, sizeof to);
    int forward = subx_fft_execute(plan, SUBX_FFT_FORWARD, from[0], to[1]);
    int backward = subx_fft_execute(plan, SUBX_FFT_BACKWARD, from[1], to[0]);
    return forward ? forward : backward;
}

/* A second plan, which is in flight together with the first one. Half of the ranks first wait for the second plan. */
static subx_fft_plan other;
static double complex other_to[2 * ROOM];

static int create_flight(const subject *s)
{
    const int rc = create_plan(s);
    subx_fft_plan made = plan;
    const int failed = rc ? rc : create_plan(s);
    if (rc)
        return rc;
    other = plan;
    plan = made;
    return failed;
}

/* Execute both directions; during forward the other plan is in flight, too. */
static int execute_flight(void)
{
    int rc[3];
    for (int side = 0; side < 2; side++) {
        const test_part p = test_part_get(&field, plan, side);
        test_part_fill(&field, &p, side, 1, from[side]);
    }
    memset(to, 0, sizeof to);
    memset(other_to, 0, sizeof other_to);
    EXPECT_OK(subx_fft_start(plan, SUBX_FFT_FORWARD, from[0], to[1]));
    EXPECT_OK(subx_fft_start(other, SUBX_FFT_FORWARD, from[0], other_to));
    rc[0] = subx_fft_wait(test_rank % 2 ? other : plan);
    rc[1] = subx_fft_wait(test_rank % 2 ? plan : other);
    EXPECT_OK(subx_fft_start(plan, SUBX_FFT_BACKWARD, from[1], to[0]));
    rc[2] = subx_fft_wait(plan);
    return rc[0] ? rc[0] : rc[1] ? rc[1] : rc[2];
}

static int free_flight(void)
{
    const int rc = subx_fft_plan_free(&other), failed = subx_fft_plan_free(&plan);
    return rc ? rc : failed;
}

static int plan_is_right(void)
{
    const double n = (double)field.count;
    const test_part u = test_part_get(&field, plan, 0), s = test_part_get(&field, plan, 1);
    return test_part_compare(&field, &s, 1, 1, to[1]) <= 1e-12 * n &&
           test_part_compare(&field, &u, 0, n, to[0]) <= 1e-12 * n * n;
}

static int flight_is_right(void)
{
    const test_part s = test_part_get(&field, plan, 1);
    return plan_is_right() && test_part_compare(&field, &s, 1, 1, other_to) <= 1e-12 * (double)field.count;
}

static int free_plan(void)
{
    return subx_fft_plan_free(&plan);
}

static test_arrays arrays;
static subx_fft_problem problem;

/* Create the plan of a problem. Each rank is on its own node. */
static int create_problem_plan(const subject *s)
{
    MPI_Info hints = test_hints("engine=node node_ranks=1 overlap=both slices=2");
    int rc = test_problem_plan(s->number, problem, hints, &plan);
    PMPI_Info_free(&hints);
    return rc;
}

static int execute_problem_plan(void)
{
    return test_arrays_execute(&arrays, plan);
}

static int problem_plan_is_right(void)
{
    return test_arrays_compare(&arrays, plan);
}

static const subject plans[] = {
    {"alone-none", create_plan, execute_plan, plan_is_right, free_plan, "node", "1", "none", 0},
    {"alone-both", create_plan, execute_plan, plan_is_right, free_plan, "node", "1", "both", 0},
    {"pairs-none", create_plan, execute_plan, plan_is_right, free_plan, "node", "2", "none", 0},
    {"pairs-both", create_plan, execute_plan, plan_is_right, free_plan, "node", "2", "both", 0},
    {"alltoallv-none", create_plan, execute_plan, plan_is_right, free_plan, "alltoallv", "1", "none", 0},
    {"alltoallv-both", create_plan, execute_plan, plan_is_right, free_plan, "alltoallv", "1", "both", 0},
    {"flight-alone", create_flight, execute_flight, flight_is_right, free_flight, "node", "1", "both", 0},
    {"flight-alltoallv", create_flight, execute_flight, flight_is_right, free_flight, "alltoallv", "1",
     "none", 0},
};

/* ---- failures */

/* Execute, and check that the execution allocates nothing, even if a call fails. */
static int execute(const subject *s)
{
    sx_base_fail_after(LONG_MAX);
    int rc = s->execute();
    EXPECT_EQUAL(sx_base_fail_after(-1), LONG_MAX);
    return rc;
}

/* The words of the command line. */
static const char *wanted = "all", *wanted_phase = "all", *wanted_moment = "all";

static int is_wanted(const char *asked, const char *name)
{
    return strcmp(asked, "all") == 0 || strcmp(asked, name) == 0;
}

/* Get the distance between the calls that fail. It is 1: every call fails. On more than two ranks, which share cores on
 * small machines, it is larger, unless the command line says whether calls fail before or after the effect. */
static long get_step(void)
{
    if (test_nranks <= 2 || !is_wanted(wanted_moment, ""))
        return 1;
    return test_nranks <= 4 ? 3 : 11;
}

/* Failures before and after the effect alternate, unless the command line says which. If call n of one of two ranks
 * fails before its effect, call n of the other rank fails after its effect. */
static int get_moment(int victim, long n)
{
    if (!is_wanted(wanted_moment, ""))
        return is_wanted(wanted_moment, "after") ? TEST_AFTER : TEST_BEFORE;
    return (n / get_step() + victim) % 2 ? TEST_AFTER : TEST_BEFORE;
}

/* Let the n-th MPI call of rank `victim` fail in `act`. Returns the code of `act`. Sets *failed to 1 on all ranks if
 * the rank made at least n calls. */
static int act_with_failure(const subject *s, int (*act)(const subject *), int victim, long n, int *failed)
{
    const int when = get_moment(victim, n);
    test_intercept_begin(test_rank == victim ? n : 0, when);
    int rc = act(s);
    const char *name = test_intercept_end();
    *failed = name != NULL;
    if (name)
        test_context("%s, %s, rank %d, call %ld, %s %s", s->name, act == execute ? "execution" : "creation",
                     victim, n, moments[when], name);
    PMPI_Bcast(failed, 1, MPI_INT, victim, MPI_COMM_WORLD);
    return rc;
}

static void expect_execution(const subject *s)
{
    EXPECT_OK(execute(s));
    EXPECT(s->is_right());
}

static void check_execution(const subject *s, int victim)
{
    int failed = 1;
    begin_case(s->name, "execution", victim, 0, TEST_BEFORE);
    if (!EXPECT_OK(s->create(s)))
        return;
    for (long n = 1; failed && EXPECT(n < CALLS_MAX); n += get_step()) {
        begin_case(s->name, "execution", victim, n, get_moment(victim, n));
        int rc = act_with_failure(s, execute, victim, n, &failed);
        EXPECT(rc || s->is_right());
        EXPECT(rc || !failed || test_rank != victim);
        expect_execution(s);
    }
    EXPECT_OK(s->free());
}

static void check_creation(const subject *s, int victim)
{
    int failed = 1;
    for (long n = 1; failed && EXPECT(n < CALLS_MAX); n += get_step()) {
        begin_case(s->name, "creation", victim, n, get_moment(victim, n));
        int rc = act_with_failure(s, s->create, victim, n, &failed);
        /* otherwise ranks with an object would wait for ever for ranks without one */
        if (!EXPECT_SAME(rc == MPI_SUCCESS))
            return;
        EXPECT_SAME(subx_error_get_kind(rc));
        if (!rc)
            EXPECT_OK(s->execute());
        EXPECT(rc || s->is_right());
        EXPECT_OK(s->free());
    }
}

/* On two ranks, both ranks fail in turn. On more ranks, the last one fails. */
static void check(const subject *s)
{
    if (!is_wanted(wanted, s->name))
        return;
    int kind = subx_error_get_kind(s->create(s));
    EXPECT_OK(s->free());
    if (kind == SUBX_ERR_UNAVAILABLE && test_engine_may_lack(s->engine))
        return;
    for (int victim = test_nranks > 2 ? test_nranks - 1 : 0; victim < test_nranks; victim++) {
        if (is_wanted(wanted_phase, "execution"))
            check_execution(s, victim);
        if (is_wanted(wanted_phase, "creation"))
            check_creation(s, victim);
    }
    alarm(0);
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
    EXPECT_OK(s.execute());
    EXPECT(s.is_right());
    EXPECT_OK(s.free());
    check(&s);
    test_arrays_free(&arrays);
    EXPECT_OK(subx_fft_problem_free(&problem));
}

int main(int argc, char **argv)
{
    const ptrdiff_t sizes[] = {N0, N1, N2};
    test_begin(&argc, &argv);
    wanted = argc > 1 ? argv[1] : wanted;
    wanted_phase = argc > 2 ? argv[2] : wanted_phase;
    wanted_moment = argc > 3 ? argv[3] : wanted_moment;
    signal(SIGALRM, bark);
    for (int k = 0; k + 1 < test_engine_count(); k++) {
        const char *name = test_engine_get(k);
        const subject s = {name,
                           create_exchange,
                           execute_exchange,
                           exchange_is_right,
                           free_exchange,
                           name,
                           strcmp(name, "node") ? "0" : "2",
                           NULL,
                           0};
        check(&s);
    }
    check(&(subject){"gathering", create_gathering, execute_gathering, gathering_is_right, free_exchange,
                     "alltoallv", "0", NULL, 0});
    check(&(subject){"halo", create_halo, execute_halo, halo_is_right, free_halo, "alltoallv", "0", NULL, 0});
    field = test_field_create(SUBX_FFT_C2C, 3, sizes, test_seed());
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        check(&plans[i]);
    test_field_free(&field);
    for (int k = 0; k < TEST_PROBLEMS; k++)
        check_problem(k);
    return test_end();
}
