/* flight.c - the plans in flight. A rank that waits for one plan goes on with all other plans, too: another
 * rank may wait for another plan, and may need this rank's blocks. So ranks may wait for their plans in any
 * order.
 *
 * Any thread may start, test and wait. A thread that goes on with all plans holds the lock of the list. A
 * thread that goes on with one plan marks the plan (is_driven), so that no other thread touches it. If
 * another thread has the lock or the mark, a thread that only wants to go on with plans does not wait: it
 * leaves the work to that other thread. */
#include "plan/plan.h"
#include <pthread.h>

/* The lock of the list. A thread that holds it takes it once more when it lets messages make progress between
 * the tiles of a pass, so the lock is recursive. */
static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct {
    subx_fft_plan first;
    int n;
} list;

static void create_lock(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_mutexattr_destroy(&kind);
}

void sx_plan_add_flight(subx_fft_plan plan)
{
    pthread_once(&once, create_lock);
    pthread_mutex_lock(&lock);
    plan->next = list.first;
    list.first = plan;
    __atomic_fetch_add(&list.n, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

void sx_plan_drop_flight(subx_fft_plan plan)
{
    pthread_mutex_lock(&lock);
    subx_fft_plan *link = &list.first;
    while (*link != plan)
        link = &(*link)->next;
    *link = plan->next;
    __atomic_fetch_sub(&list.n, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

int sx_plan_has_others(subx_fft_plan plan)
{
    return __atomic_load_n(&list.n, __ATOMIC_RELAXED) > plan->is_active;
}

static int take(subx_fft_plan plan)
{
    return !__atomic_exchange_n(&plan->is_driven, 1, __ATOMIC_ACQUIRE);
}

static void give(subx_fft_plan plan)
{
    __atomic_store_n(&plan->is_driven, 0, __ATOMIC_RELEASE);
}

int sx_plan_execute(subx_fft_plan plan, int waits)
{
    sx_execution *run = &plan->run;
    if (!take(plan))
        return 0;
    if (!run->is_complete)
        run->is_complete = sx_plan_execute_list(plan, waits);
    const int is_complete = run->is_complete;
    give(plan);
    return is_complete;
}

static void go_on(subx_fft_plan plan)
{
    (void)sx_plan_execute(plan, 0);
}

static void progress(subx_fft_plan plan)
{
    if (!take(plan))
        return;
    if (!plan->run.is_complete)
        sx_plan_progress(plan);
    give(plan);
}

static void call_others(subx_fft_plan plan, void (*call)(subx_fft_plan other))
{
    if (!sx_plan_has_others(plan) || pthread_mutex_trylock(&lock))
        return;
    for (subx_fft_plan other = list.first; other; other = other->next)
        if (other != plan)
            call(other);
    pthread_mutex_unlock(&lock);
}

void sx_plan_execute_others(subx_fft_plan plan)
{
    call_others(plan, go_on);
}

void sx_plan_progress_others(subx_fft_plan plan)
{
    call_others(plan, progress);
}
