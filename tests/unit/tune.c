/* tune.c - the comparison of candidates is fair and keeps within its limits. The test itself advances the
 * clock. */
#include "common/random.h"
#include "common/unit.h"
#include "tune/tune.h"
#include <math.h>

/* ---- comparing: creating and executing a candidate advances the clock */

enum { CANDIDATES_MAX = 100 };

typedef struct candidate {
    double work, first, creation; /* work, creation: seconds; the first execution takes work * first */
    int create_fails, fails_at;   /* fails_at: the number of the execution that fails, from 1; 0: none */
    int created, freed, executed;
} candidate;

static candidate list[CANDIDATES_MAX];
/* now: the time in seconds; spikes: the share of executions that a disturbance slows down */
static double now, spikes;
static double (*get_slowness)(void);
static test_random noise;

static double get_now(void)
{
    return now;
}

static int create_one(void *context, int i, void **made)
{
    candidate *c = &((candidate *)context)[i];
    now += c->creation;
    if (c->create_fails)
        return MPI_ERR_OTHER;
    c->created++;
    *made = c;
    return MPI_SUCCESS;
}

static double get_disturbance(void)
{
    return (test_random_double(&noise) + 1) / 2 < spikes ? 1 + (test_random_double(&noise) + 1) : 1;
}

static int execute_one(void *made)
{
    candidate *c = made;
    ck_assert_int_eq(c->created - c->freed, 1);
    now += c->work * (++c->executed == 1 ? c->first : 1) * get_slowness() * get_disturbance();
    return c->executed == c->fails_at ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void free_one(void *made)
{
    ((candidate *)made)->freed++;
}

static int count_alive(void)
{
    int alive = 0;
    for (int i = 0; i < CANDIDATES_MAX; i++)
        alive += list[i].created - list[i].freed;
    return alive;
}

static double stay(void)
{
    return 1;
}

/* Begin a session without limits. All candidates take one second, on a machine of constant speed. */
static sx_tune set_up(int rounds)
{
    for (int i = 0; i < CANDIDATES_MAX; i++)
        list[i] = (candidate){.work = 1, .first = 1};
    now = 1000;
    spikes = 0;
    get_slowness = stay;
    return (sx_tune){.all = MPI_COMM_SELF,
                     .create = create_one,
                     .execute = execute_one,
                     .free = free_one,
                     .context = list,
                     .get_seconds = get_now,
                     .executions = INFINITY,
                     .seconds = INFINITY,
                     .rounds = rounds};
}

static sx_tune_trial begin(sx_tune *t, int i)
{
    sx_tune_trial trial;
    ck_assert_ok(sx_tune_start(t, i, &trial));
    ck_assert_int_eq(t->first, i);
    return trial;
}

static sx_tune_trial try(sx_tune *t, int i)
{
    sx_tune_trial trial;
    sx_tune_measure(t, i, &trial);
    ck_assert_int_eq(count_alive(), 1);
    ck_assert_int_eq(list[i].executed, trial.executions);
    return trial;
}

static void end(sx_tune *t)
{
    sx_tune_complete(t);
    ck_assert_int_eq(count_alive(), 0);
    sx_tune_complete(t);
    ck_assert_int_eq(count_alive(), 0);
}

static void expect_near(double a, double b)
{
    ck_assert_msg(fabs(a - b) <= 1e-6 * fabs(b), "%g is not %g", a, b);
}

TEST(ratios_are_measured)
{
    const double works[] = {2, 1.8, 2.2, 1, 1.2};
    sx_tune t = set_up(3);
    for (int i = 0; i < 5; i++)
        list[i].work = works[i];
    sx_tune_trial trial = begin(&t, 0);
    ck_assert_int_eq(trial.outcome, SX_TUNE_MEASURED);
    ck_assert_int_eq(trial.executions, list[0].executed);
    expect_near(trial.seconds, 2);
    ck_assert(trial.ratio == 1);
    for (int i = 1; i < 5; i++) {
        trial = try(&t, i);
        ck_assert_int_eq(trial.outcome, SX_TUNE_MEASURED);
        expect_near(trial.ratio, works[i] / 2);
        expect_near(trial.seconds, works[i]);
        ck_assert_int_eq(trial.executions, 1 + 3);
    }
    expect_near(t.least, 0.5);
    expect_near(t.spent_seconds, now - 1000);
    ck_assert(!sx_tune_is_over(&t));
    end(&t);
}

TEST(short_executions_are_repeated)
{
    sx_tune t = set_up(4);
    now = 0;
    list[0].work = list[1].work = 1e-6;
    (void)begin(&t, 0);
    sx_tune_trial trial = try(&t, 1);
    ck_assert_int_ge(trial.executions, 1 + 4 * 900);
    ck_assert_int_le(trial.executions, 1 + 4 * 1100);
    expect_near(trial.ratio, 1);
    end(&t);
}

TEST(a_clock_that_stands_still_does_no_harm)
{
    sx_tune t = set_up(2);
    t.executions = 1e7;
    for (int i = 0; i < 3; i++)
        list[i].work = 0;
    (void)begin(&t, 0);
    for (int i = 1; i < 3; i++) {
        sx_tune_trial trial = try(&t, i);
        ck_assert_int_eq(trial.outcome, SX_TUNE_MEASURED);
        ck_assert(trial.ratio == 1);
    }
    end(&t);
}

/* ---- a machine whose speed changes */

enum { NORDERED = 6 };

/* Try candidates in a random order, and get their ratios. Candidate i takes 1 + i/10 seconds. slowness() is
 * the factor by which executions take longer at the moment. get_next() is the seconds to wait before the next
 * candidate. */
static void compare_in_any_order(double ratio[NORDERED], double (*slowness)(void), double (*get_next)(void))
{
    int order[NORDERED];
    sx_tune t = set_up(3);
    test_random_permutation(&noise, NORDERED, order);
    for (int i = 0; i < NORDERED; i++)
        list[i].work = 1 + i / 10.;
    get_slowness = slowness;
    ratio[order[0]] = begin(&t, order[0]).ratio;
    for (int i = 1; i < NORDERED; i++) {
        now += get_next();
        ratio[order[i]] = try(&t, order[i]).ratio;
    }
    end(&t);
}

static double slow_down(void)
{
    return 1 + (now - 1000) / 50;
}

static double speed_up(void)
{
    return 1 / (1 + (now - 1000) / 50);
}

/* A slowness that changes every 300 seconds. The test waits for the next change before it tries a candidate.
 * No candidate needs 300 seconds, so the slowness never changes while a candidate is tried. */
static double jump(void)
{
    const double speeds[] = {1, 3, 0.4, 2, 0.5, 4, 0.7};
    return speeds[(int)((now - 1000) / 300) % 7];
}

static double wait_until_it_jumps(void)
{
    return 300 - fmod(now - 1000, 300);
}

static double wait_not(void)
{
    return 0;
}

TEST(a_changing_speed_does_not_change_the_order)
{
    double (*const changes[])(void) = {slow_down, speed_up, jump};
    noise = test_random_stream(test_random_seed(), 1);
    for (int k = 0; k < 150; k++) {
        double ratio[NORDERED];
        compare_in_any_order(ratio, changes[k % 3], k % 3 == 2 ? wait_until_it_jumps : wait_not);
        for (int i = 1; i < NORDERED; i++)
            ck_assert_msg(ratio[i] > ratio[i - 1], "session %d: %d %g, %d %g", k, i - 1, ratio[i - 1], i,
                          ratio[i]);
    }
}

/* One of five executions is disturbed, and takes up to three times as long. */
TEST(disturbances_do_not_change_the_order)
{
    enum { SESSIONS = 300 };
    int right = 0;
    noise = test_random_stream(test_random_seed(), 2);
    for (int k = 0; k < SESSIONS; k++) {
        sx_tune t = set_up(3);
        list[1].work = 1.1;
        list[2].work = 0.9;
        spikes = 0.2;
        (void)begin(&t, 0);
        const double slower = try(&t, 1).ratio, faster = try(&t, 2).ratio;
        right += faster < 1 && 1 < slower;
        end(&t);
    }
    ck_assert_int_ge(right, SESSIONS * 9 / 10);
}

/* ---- stopping early */

/* What becomes of candidates, one after the other, if the reference takes a second. */
TEST(candidates_are_measured_stopped_or_fail)
{
    static const struct {
        candidate c;
        int outcome, executions;
    } t[] = {{{.work = 2.1, .first = 1}, SX_TUNE_STOPPED, 1},
             {{.work = 1.6, .first = 1}, SX_TUNE_STOPPED, 2},
             {{.work = 1.4, .first = 1}, SX_TUNE_MEASURED, 4},
             {{.work = 0.6, .first = 1}, SX_TUNE_MEASURED, 4},
             {{.work = 1.1, .first = 1}, SX_TUNE_STOPPED, 2},
             {{.work = 1, .first = 1, .create_fails = 1}, SX_TUNE_FAILED, 0},
             {{.work = 0.5, .first = 1, .fails_at = 1}, SX_TUNE_FAILED, 1},
             {{.work = 0.5, .first = 1, .fails_at = 2}, SX_TUNE_FAILED, 2},
             {{.work = 0.5, .first = 1, .fails_at = 3}, SX_TUNE_FAILED, 3},
             {{.work = 0.5, .first = 1, .fails_at = 4}, SX_TUNE_FAILED, 4},
             {{.work = 0.5, .first = 1}, SX_TUNE_MEASURED, 4}};
    sx_tune s = set_up(3);
    (void)begin(&s, 0);
    for (int i = 0; i < (int)(sizeof t / sizeof *t); i++) {
        list[i + 1] = t[i].c;
        const sx_tune_trial trial = try(&s, i + 1);
        ck_assert_int_eq(trial.outcome, t[i].outcome);
        ck_assert_int_eq(trial.executions, t[i].executions);
        ck_assert_int_eq(list[i + 1].created, !t[i].c.create_fails);
        if (trial.outcome == SX_TUNE_FAILED) {
            ck_assert(isinf(trial.ratio) && isinf(trial.seconds));
        } else {
            expect_near(trial.ratio, t[i].c.work);
            expect_near(trial.seconds, t[i].c.work);
        }
    }
    list[0].fails_at = list[0].executed + 2;
    list[20].work = list[21].work = 0.5;
    ck_assert_int_eq(try(&s, 20).outcome, SX_TUNE_FAILED);
    ck_assert_int_eq(try(&s, 21).outcome, SX_TUNE_MEASURED);
    expect_near(s.least, 0.5);
    end(&s);
}

TEST(a_slower_machine_stops_nobody)
{
    sx_tune t = set_up(3);
    get_slowness = jump;
    (void)begin(&t, 0);
    for (int i = 1; i < 7; i++) {
        now += wait_until_it_jumps();
        ck_assert_int_eq(try(&t, i).outcome, SX_TUNE_MEASURED);
    }
    end(&t);
}

TEST(first_executions_may_be_slow)
{
    sx_tune t = set_up(3);
    for (int i = 0; i < 3; i++)
        list[i].first = 5;
    list[2].work = 2.5;
    (void)begin(&t, 0);
    sx_tune_trial trial = try(&t, 1);
    ck_assert_int_eq(trial.outcome, SX_TUNE_MEASURED);
    expect_near(trial.ratio, 1);
    trial = try(&t, 2);
    ck_assert_int_eq(trial.outcome, SX_TUNE_STOPPED);
    ck_assert_int_eq(trial.executions, 1);
    expect_near(trial.ratio, 2.5);
    end(&t);
}

/* ---- limits */

static int count_executed(void)
{
    int executed = 0;
    for (int i = 0; i < CANDIDATES_MAX; i++)
        executed += list[i].executed;
    return executed;
}

/* Try all candidates. Returns how many were tried before the session had ended. */
static int try_all(sx_tune *t)
{
    int tried = 1;
    (void)begin(t, 0);
    for (int i = 1; i < CANDIDATES_MAX; i++) {
        const int is_over = sx_tune_is_over(t);
        sx_tune_trial trial = try(t, i);
        ck_assert_int_eq(list[i].created, !is_over);
        if (is_over) {
            ck_assert_int_eq(trial.outcome, SX_TUNE_UNTRIED);
            ck_assert(isinf(trial.ratio) && trial.executions == 0);
        }
        tried += trial.executions > 0;
    }
    ck_assert(sx_tune_is_over(t));
    end(t);
    return tried;
}

TEST(executions_are_limited)
{
    const double unit[] = {1, 1e-3, 1e-6};
    noise = test_random_stream(test_random_seed(), 3);
    for (int k = 0; k < 60; k++) {
        sx_tune t = set_up(1 + k % 5);
        t.executions = 20 + 4 * k;
        now = 0;
        for (int i = 0; i < CANDIDATES_MAX; i++)
            list[i].work = unit[k % 3] * (i ? 1.2 + 0.4 * test_random_double(&noise) : 1);
        const int tried = try_all(&t);
        ck_assert_double_le(t.spent, t.executions + 1e-6);
        ck_assert_int_eq(t.nexecutions, count_executed());
        ck_assert_double_le(0.8 * t.nexecutions, t.executions);
        ck_assert_double_ge(tried, fmin(t.executions / (4 * t.rounds + 4), 16));
    }
}

TEST(one_bad_candidate_exceeds_the_limit_by_one_execution)
{
    sx_tune t = set_up(3);
    t.executions = 20;
    list[1].work = 1000;
    (void)begin(&t, 0);
    sx_tune_trial trial = try(&t, 1);
    ck_assert_int_eq(trial.outcome, SX_TUNE_STOPPED);
    ck_assert_int_eq(list[1].executed, 1);
    ck_assert(sx_tune_is_over(&t));
    ck_assert_int_eq(try(&t, 2).outcome, SX_TUNE_UNTRIED);
    end(&t);
}

TEST(seconds_are_limited)
{
    for (int k = 0; k < 40; k++) {
        sx_tune t = set_up(1 + k % 4);
        t.seconds = 10 + 3 * k;
        const double creation = k % 3;
        for (int i = 0; i < CANDIDATES_MAX; i++)
            list[i].creation = creation;
        (void)try_all(&t);
        ck_assert_double_le(now - 1000, t.seconds + creation);
        ck_assert_double_ge(now - 1000, t.seconds - creation - 3);
    }
}

/* Creations that fail take time, which counts towards the limit. Nothing is executed. */
TEST(creation_that_fails_takes_time_too)
{
    sx_tune t = set_up(3);
    t.seconds = 20;
    for (int i = 1; i < CANDIDATES_MAX; i++) {
        list[i].creation = 5;
        list[i].create_fails = 1;
    }
    (void)begin(&t, 0);
    for (int i = 1; i < CANDIDATES_MAX; i++)
        (void)try(&t, i);
    ck_assert(sx_tune_is_over(&t));
    ck_assert_double_le(now - 1000, t.seconds + 5);
    end(&t);
}

/* The creation takes so long that no time is left for executions. */
TEST(what_was_created_too_late_is_freed)
{
    sx_tune t = set_up(3);
    t.seconds = 20;
    list[1].creation = 30;
    (void)begin(&t, 0);
    ck_assert_int_eq(try(&t, 1).outcome, SX_TUNE_UNTRIED);
    ck_assert_int_eq(list[1].created, 1);
    ck_assert_int_eq(list[1].executed, 0);
    end(&t);
}

/* ---- failures */

TEST(a_reference_that_fails_is_none)
{
    sx_tune t = set_up(3);
    sx_tune_trial trial;
    list[0].create_fails = 1;
    for (int i = 1; i < 4; i++)
        list[i].fails_at = i;
    for (int i = 0; i < 4; i++) {
        ck_assert_int_ne(sx_tune_start(&t, i, &trial), MPI_SUCCESS);
        ck_assert_int_eq(trial.outcome, SX_TUNE_FAILED);
        ck_assert_int_eq(trial.executions, list[i].executed);
        ck_assert(isinf(trial.ratio));
        ck_assert_ptr_null(t.reference);
        ck_assert_int_eq(count_alive(), 0);
        sx_tune_complete(&t);
    }
    (void)begin(&t, 4);
    ck_assert_int_eq(try(&t, 5).outcome, SX_TUNE_MEASURED);
    end(&t);
}
