/* tune.c - when plans are tuned, all ranks make the same decisions, although their clocks and loads differ
 * and some calls fail.
 * ranks: 1 2 3 5 (four would repeat three: no check depends on the number) */
#include "tune/tune.h"
#include "common/random.h"
#include "common/verdict.h"
#include <math.h>
#include <string.h>

/* The clocks of ranks have different offsets and speeds. An execution of candidate i advances a rank's clock
 * by about load[i]. */
enum { CANDIDATES = 12 };

static double now, load[CANDIDATES];
static int fails[CANDIDATES]; /* fails[i]: on this rank, creating (1) or executing (2) candidate i fails */
static int alive, executed[CANDIDATES];
static test_random own; /* each rank draws different numbers */

static double get_now(void)
{
    return now * (1 + 0.1 * test_rank) - 1000 * test_rank;
}

static int create(void *context, int i, void **made)
{
    EXPECT(context == load);
    EXPECT_SAME(i);
    now += 0.1 * (test_random_double(&own) + 1);
    int rc = sx_base_agree(MPI_COMM_WORLD, fails[i] == 1 ? MPI_ERR_OTHER : MPI_SUCCESS, NULL);
    *made = &load[i];
    alive += !rc;
    return rc;
}

static int execute(void *made)
{
    const int i = (int)((double *)made - load);
    EXPECT_SAME(i);
    executed[i]++;
    now += load[i] * (1 + 0.05 * test_random_double(&own));
    return fails[i] == 2 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void free_one(void *made)
{
    EXPECT_SAME((int)((double *)made - load));
    alive--;
}

/* Candidate i takes about 1 + (i % 5) / 4 seconds on the slowest rank, and less on the other ranks. Which
 * rank is the slowest depends on the candidate. */
static sx_tune set_up(void)
{
    own = test_random_stream(test_seed(), 100 + (uint64_t)test_rank);
    now = alive = 0;
    memset(executed, 0, sizeof executed);
    memset(fails, 0, sizeof fails);
    for (int i = 0; i < CANDIDATES; i++)
        load[i] = (1 + i % 5 / 4.) / (1 + 0.1 * test_rank) * (i % test_nranks == test_rank ? 1 : 0.3);
    return (sx_tune){.all = MPI_COMM_WORLD,
                     .create = create,
                     .execute = execute,
                     .free = free_one,
                     .context = load,
                     .get_seconds = get_now,
                     .executions = INFINITY,
                     .seconds = INFINITY,
                     .rounds = 3};
}

static void expect_same_bits(double value)
{
    long long bits;
    memcpy(&bits, &value, sizeof bits);
    EXPECT_SAME(bits);
}

static void expect_same(const sx_tune *t, const sx_tune_trial *trial)
{
    EXPECT_SAME(trial->outcome);
    EXPECT_SAME(trial->executions);
    expect_same_bits(trial->ratio);
    expect_same_bits(trial->seconds);
    expect_same_bits(t->elapsed);
    expect_same_bits(t->spent);
    EXPECT_SAME(t->nexecutions);
    EXPECT_SAME(sx_tune_is_over(t));
}

static void begin(sx_tune *t)
{
    sx_tune_trial trial;
    EXPECT_OK(sx_tune_start(t, 0, &trial));
    EXPECT_EQUAL(trial.outcome, SX_TUNE_MEASURED);
    expect_same(t, &trial);
}

static sx_tune_trial try(sx_tune *t, int i)
{
    sx_tune_trial trial;
    test_context("candidate %d", i);
    sx_tune_measure(t, i, &trial);
    expect_same(t, &trial);
    EXPECT_EQUAL(alive, 1);
    EXPECT_EQUAL(executed[i], trial.executions);
    return trial;
}

static void end(sx_tune *t)
{
    test_context("end");
    sx_tune_complete(t);
    EXPECT_EQUAL(alive, 0);
}

CHECK(check_the_slowest_rank_counts)
{
    sx_tune t = set_up();
    begin(&t);
    for (int i = 1; i < CANDIDATES; i++) {
        const double expected = 1 + i % 5 / 4.;
        sx_tune_trial trial = try(&t, i);
        EXPECT(trial.outcome == (expected > 1.7 ? SX_TUNE_STOPPED : SX_TUNE_MEASURED) ||
               fabs(expected - 1.5) < 0.1);
        EXPECT(fabs(trial.ratio - expected) < 0.15 * expected);
    }
    end(&t);
}

static void check_limits(double executions, double seconds)
{
    sx_tune t = set_up();
    int tried = 0;
    t.executions = executions;
    t.seconds = seconds;
    begin(&t);
    for (int i = 1; i < CANDIDATES; i++)
        tried += try(&t, i).executions > 0;
    EXPECT(sx_tune_is_over(&t));
    EXPECT(0 < tried && tried < CANDIDATES - 1);
    EXPECT(t.spent <= executions * 1.1);
    EXPECT(t.elapsed <= seconds + 2);
    end(&t);
}

static void check_failures(int how)
{
    sx_tune t = set_up();
    sx_tune_trial trial;
    for (int i = 0; i < CANDIDATES; i++)
        fails[i] = i % (test_nranks + 1) == test_rank ? how : 0;
    EXPECT(sx_tune_start(&t, 0, &trial) != MPI_SUCCESS);
    EXPECT_EQUAL(alive, 0);
    fails[0] = 0;
    begin(&t);
    for (int i = 1; i < CANDIDATES; i++)
        EXPECT_EQUAL(try(&t, i).outcome == SX_TUNE_FAILED, i % (test_nranks + 1) < test_nranks);
    end(&t);
}

/* ---- a search among points: the cost of a point is the ratio of a candidate's time to the reference's
 * time */

typedef struct search {
    sx_tune *t;
    int ncalls;
} search;

static double get_cost(void *context, const int x[])
{
    search *s = context;
    sx_tune_trial trial;
    EXPECT_SAME(x[0] + 4 * x[1]);
    s->ncalls++;
    sx_tune_measure(s->t, x[0] + 4 * x[1], &trial);
    return trial.ratio;
}

CHECK(check_search)
{
    sx_tune t = set_up();
    int x[] = {0, 0};
    double least = 0;
    begin(&t);
    search s = {&t, 0};
    sx_tune_simplex(2, (const int[]){4, 3}, 10, get_cost, &s, x, &least);
    EXPECT_SAME(s.ncalls);
    EXPECT_SAME(x[0] + 4 * x[1]);
    EXPECT(s.ncalls >= 3 && isfinite(least) && least <= 1.05);
    end(&t);
}

/* ---- tuning with MPI's clock; the ratios are not checked, because ranks may share cores */

static int work(void *made)
{
    const double until = MPI_Wtime() + load[(double *)made - load];
    while (MPI_Wtime() < until)
        ;
    return MPI_SUCCESS;
}

CHECK(check_clock)
{
    sx_tune t = set_up();
    t.execute = work;
    t.get_seconds = MPI_Wtime;
    for (int i = 0; i < CANDIDATES; i++)
        load[i] = 1e-4 * (1 + i);
    sx_tune_trial trial;
    EXPECT_OK(sx_tune_start(&t, 1, &trial));
    expect_same(&t, &trial);
    for (int i = 0; i < 6; i += 5) {
        sx_tune_measure(&t, i, &trial);
        expect_same(&t, &trial);
        EXPECT(trial.outcome == SX_TUNE_MEASURED || trial.outcome == SX_TUNE_STOPPED);
        EXPECT(trial.ratio > 0 && isfinite(trial.ratio));
    }
    sx_tune_complete(&t);
}

CHECK(check_limits_and_failures)
{
    check_limits(30, INFINITY);
    check_limits(INFINITY, 30);
    check_failures(1);
    check_failures(2);
}
