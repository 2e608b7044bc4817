/* walk.c - execute a plan: walk through its list of events.
 *
 * An execution that may not wait stops in front of an event for which it would have to wait. The next walk
 * goes on there. After an error a rank still goes through all events, so that each exchange goes on to its
 * end: partners wait for this rank. */
#include "plan/plan.h"

void sx_plan_keep_error(subx_fft_plan plan, int rc)
{
    plan->run.error = plan->run.error ? plan->run.error : rc;
}

int sx_plan_start(subx_fft_plan plan, const sx_execution *run)
{
    plan->run = *run;
    plan->run.is_complete = plan->is_idle;
    for (int i = 0; i <= plan->nstages; i++)
        for (int d = 0; d < 2; d++)
            if (run->d == d || run->d == SX_ROUND)
                plan->stage[i].last[d] = 0;
    const sx_strategy *strategy = plan->choice.strategy;
    return plan->is_idle || !strategy->start ? MPI_SUCCESS : strategy->start(plan);
}

/* Add the time since the last call to the stage of an event. */
static void charge(subx_fft_plan plan, const sx_event *e)
{
    sx_stage *s = &plan->stage[e->stage];
    const double now = MPI_Wtime();
    s->last[e->d] += now - plan->run.clock;
    s->total[e->d] += now - plan->run.clock;
    plan->run.clock = now;
}

/* Query whether the time of an event and of the event after it count for the same stage. */
static int is_joined(const sx_list *list, int i)
{
    const sx_event *e = &list->event[i];
    return i + 1 < list->n && e[0].stage == e[1].stage && e[0].d == e[1].d;
}

int sx_plan_execute_list(subx_fft_plan plan, int waits)
{
    const sx_strategy *strategy = plan->choice.strategy;
    const sx_list *list = &plan->list[plan->run.d];
    sx_execution *run = &plan->run;
    run->clock = MPI_Wtime();
    for (; run->next < list->n; run->next++) {
        const sx_event *e = &list->event[run->next];
        const int goes_on = waits || e->what > SX_EVENT_ARRIVE || strategy->is_ready(plan, e);
        if (goes_on)
            strategy->execute(plan, e);
        if (!goes_on || !is_joined(list, run->next))
            charge(plan, e);
        if (!goes_on)
            return 0;
    }
    return 1;
}

void sx_plan_progress(subx_fft_plan plan)
{
    const sx_list *list = &plan->list[plan->run.d];
    if (plan->choice.strategy->progress && plan->run.next < list->n)
        plan->choice.strategy->progress(plan, &list->event[plan->run.next]);
}
