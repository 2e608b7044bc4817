/* walk.c - one walk executes any list of events: lists made by hand, and a strategy whose events are never
 * ready, ready late, or fail. */
#include "common/unit.h"
#include "plan/plan.h"

enum { N = 12 };

/* What the strategy does, and what it has seen. */
static struct {
    int late;  /* an event that may wait is ready at the late-th query */
    int fails; /* this event fails; -1: none */
    int queries, n, seen[N];
} now;

static int is_ready(subx_fft_plan plan, const sx_event *e)
{
    (void)plan, (void)e;
    return ++now.queries >= now.late;
}

static void execute(subx_fft_plan plan, const sx_event *e)
{
    ck_assert(now.n < N);
    if (now.n == now.fails)
        sx_plan_keep_error(plan, SUBX_ERR_PEER);
    now.seen[now.n++] = e->step;
    now.queries = 0;
}

static int start(subx_fft_plan plan)
{
    (void)plan;
    return MPI_SUCCESS;
}

static const sx_strategy strategy = {
    .name = "test", .start = start, .is_ready = is_ready, .execute = execute};

/* Events of all sorts, of three stages. */
static void fill(subx_fft_plan plan, int d, sx_list *list)
{
    static const int whats[N] = {SX_EVENT_AREA, SX_EVENT_PASS,     SX_EVENT_POST,  SX_EVENT_ROOM,
                                 SX_EVENT_PASS, SX_EVENT_START,    SX_EVENT_PASS,  SX_EVENT_READ,
                                 SX_EVENT_END,  SX_EVENT_EXCHANGE, SX_EVENT_SCALE, SX_EVENT_ARRIVE};
    (void)plan;
    for (int i = 0; i < N; i++)
        sx_list_add(list,
                    (sx_event){.what = whats[i], .step = i, .slice = -1, .stage = i / 4, .d = d, .axis = -1});
}

static void begin(subx_fft_plan plan, sx_stage stage[], int late, int fails)
{
    const sx_execution run = {.d = SX_BACKWARD};
    *plan = (struct subx_fft_plan_s){.nstages = 2, .stage = stage, .choice = {.strategy = &strategy}};
    for (int i = 0; i < 3; i++)
        stage[i] = (sx_stage){.last = {7, 7}, .total = {5, 5}};
    now.late = late;
    now.fails = fails;
    now.n = now.queries = 0;
    ck_assert_ok(sx_list_create(&plan->list[SX_BACKWARD], fill, plan, SX_BACKWARD));
    ck_assert_int_eq(plan->list[SX_BACKWARD].n, N);
    ck_assert_ok(sx_plan_start(plan, &run));
}

static void check_all_seen(const subx_fft_plan plan)
{
    ck_assert_int_eq(now.n, N);
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(now.seen[i], i);
    ck_assert_int_eq(plan->run.next, N);
}

static int is_waiting(const subx_fft_plan plan, int i)
{
    return plan->list[SX_BACKWARD].event[i].what <= SX_EVENT_ARRIVE;
}

/* With waiting, no event is queried. */
TEST(a_walk_that_waits_goes_to_the_end)
{
    struct subx_fft_plan_s plan;
    sx_stage stage[3];
    begin(&plan, stage, 1000, -1);
    ck_assert(sx_plan_execute_list(&plan, 1));
    check_all_seen(&plan);
    ck_assert_ok(plan.run.error);
    sx_base_free(plan.list[SX_BACKWARD].event);
}

/* Without waiting, a walk stops before each event that is not ready, and the next walk goes on there. */
TEST(a_walk_goes_on_where_the_last_one_stopped)
{
    struct subx_fft_plan_s plan;
    sx_stage stage[3];
    int stops = 0;
    begin(&plan, stage, 3, -1);
    while (!sx_plan_execute_list(&plan, 0)) {
        ck_assert(is_waiting(&plan, plan.run.next));
        ck_assert_int_eq(now.n, plan.run.next);
        stops++;
    }
    check_all_seen(&plan);
    ck_assert_int_eq(stops, 2 * 5);
    sx_base_free(plan.list[SX_BACKWARD].event);
}

/* A walk that waits goes on from each event at which another one has stopped. */
TESTS(a_walk_resumes_from_each_event, 0, N)
{
    struct subx_fft_plan_s plan;
    sx_stage stage[3];
    begin(&plan, stage, 1000, -1);
    for (plan.run.next = 0; plan.run.next < _i; plan.run.next++)
        execute(&plan, &plan.list[SX_BACKWARD].event[plan.run.next]);
    const int goes_on = !is_waiting(&plan, _i);
    (void)sx_plan_execute_list(&plan, 0);
    ck_assert(goes_on == (plan.run.next > _i));
    ck_assert(sx_plan_execute_list(&plan, 1));
    check_all_seen(&plan);
    sx_base_free(plan.list[SX_BACKWARD].event);
}

/* After an error all later events still happen, and the first error stays. */
TESTS(an_error_does_not_end_a_walk, 0, N)
{
    struct subx_fft_plan_s plan;
    sx_stage stage[3];
    begin(&plan, stage, 1, _i);
    while (!sx_plan_execute_list(&plan, 0))
        continue;
    sx_plan_keep_error(&plan, SUBX_ERR_ARG);
    check_all_seen(&plan);
    ck_assert_int_eq(plan.run.error, SUBX_ERR_PEER);
    sx_base_free(plan.list[SX_BACKWARD].event);
}

/* The times of the direction begin at zero, those of the other direction stay, and totals grow by the times. */
TEST(times_count_for_the_stages_of_events)
{
    struct subx_fft_plan_s plan;
    sx_stage stage[3];
    double sum = 0;
    begin(&plan, stage, 1, -1);
    const double began = MPI_Wtime();
    ck_assert(sx_plan_execute_list(&plan, 1));
    const double most = MPI_Wtime() - began;
    for (int i = 0; i < 3; i++) {
        ck_assert(stage[i].last[SX_FORWARD] == 7 && stage[i].total[SX_FORWARD] == 5);
        ck_assert(stage[i].last[SX_BACKWARD] >= 0 && stage[i].total[SX_BACKWARD] >= 5);
        sum += stage[i].last[SX_BACKWARD];
    }
    ck_assert(sum <= most);
    sx_base_free(plan.list[SX_BACKWARD].event);
}
