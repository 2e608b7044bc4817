/* request.c - the table of tasks: a task is the work that is left for the completion of a request (pmpi.h).
 * This file also has the list of orphans, which are tasks whose active requests the program has freed.
 *
 * Several tasks may have the same request handle, because MPI returns one common handle for all sends that
 * complete immediately. These tasks are interchangeable. */
#include "pmpi/p2p.h"

enum { BITS = 12 };
static sx_task *buckets[1 << BITS];
static sx_task *orphans;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sx_pmpi_request_count, sx_pmpi_request_orphans;

static sx_task **bucket_of(MPI_Request request)
{
    return &buckets[sx_pmpi_hash((uintptr_t)request, BITS)];
}

/* Find a task of a request: an active one if is_active is 1, else an inactive one. Returns the address of the
 * pointer that links the task into the table; NULL if there is none. The caller has the lock. */
static sx_task **find(MPI_Request request, int is_active)
{
    for (sx_task **p = bucket_of(request); *p; p = &(*p)->next)
        if ((*p)->request == request && (*p)->is_active == is_active)
            return p;
    return NULL;
}

static sx_task *unlink_at(sx_task **place)
{
    sx_task *p = place ? *place : NULL;
    if (p) {
        *place = p->next;
        p->next = NULL;
    }
    return p;
}

static void enter(sx_task *p)
{
    pthread_mutex_lock(&lock);
    sx_task **bucket = bucket_of(p->request);
    p->next = *bucket;
    *bucket = p;
    pthread_mutex_unlock(&lock);
}

sx_task *sx_pmpi_request_create(void)
{
    return sx_base_alloc(1, sizeof(sx_task));
}

void sx_pmpi_request_free(sx_task *task)
{
    sx_base_free(task);
}

void sx_pmpi_request_set(sx_task *task, MPI_Request request)
{
    task->request = request;
    task->is_active = !task->is_persistent;
    __atomic_add_fetch(&sx_pmpi_request_count, 1, __ATOMIC_RELAXED);
    enter(task);
}

static void drop(sx_task *p)
{
    if (p->drop)
        p->drop(p);
    sx_base_free(p);
    __atomic_sub_fetch(&sx_pmpi_request_count, 1, __ATOMIC_RELAXED);
}

sx_task *sx_pmpi_request_take(int n, const MPI_Request request[], int is_active)
{
    sx_task *first = NULL, **last = &first;
    if (!sx_pmpi_request_exists() || !request)
        return NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n; i++) {
        sx_task *p = request[i] == MPI_REQUEST_NULL ? NULL : unlink_at(find(request[i], is_active));
        if (!p)
            continue;
        p->at = i;
        *last = p;
        last = &p->next;
    }
    pthread_mutex_unlock(&lock);
    return first;
}

void sx_pmpi_request_start(sx_task *list, const MPI_Request request[], int is_active)
{
    for (sx_task *p = list, *next; p; p = next) {
        next = p->next;
        p->request = request[p->at];
        p->is_active = is_active;
        enter(p);
    }
}

/* A call that refuses its arguments has not changed the operation, which is still open. */
sx_outcome sx_pmpi_request_judge(int rc)
{
    int kind = MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        PMPI_Error_class(rc, &kind);
    if (kind == MPI_ERR_PENDING || kind == MPI_ERR_REQUEST || kind == MPI_ERR_ARG ||
        kind == MPI_ERR_IN_STATUS)
        return SX_OPEN;
    return kind ? SX_FAILED : SX_DONE;
}

int sx_pmpi_request_settle(sx_task *p, sx_outcome outcome, MPI_Request request, const MPI_Status *status)
{
    int rc = MPI_SUCCESS;
    if (outcome == SX_OPEN && request == MPI_REQUEST_NULL)
        outcome = SX_FAILED;
    if (outcome == SX_DONE)
        rc = p->is_finished || !p->finish ? p->error : p->finish(p, status);
    if (outcome != SX_OPEN && !p->is_persistent && request == MPI_REQUEST_NULL) {
        drop(p);
        return rc;
    }
    if (outcome != SX_OPEN) {
        p->is_active = !p->is_persistent;
        p->is_finished = !p->is_persistent; /* a persistent request that failed still exists in MPI */
        p->error = MPI_SUCCESS;
    }
    enter(p);
    return rc;
}

void sx_pmpi_request_foresee(sx_task *p, const MPI_Status *status)
{
    if (!p->is_finished && p->finish)
        p->error = p->finish(p, status);
    p->is_finished = 1;
    enter(p);
}

/* ---- orphans: requests that the program has freed while they were active; MPI still completes them */

static void enter_orphan(sx_task *p)
{
    pthread_mutex_lock(&lock);
    p->next = orphans;
    orphans = p;
    __atomic_add_fetch(&sx_pmpi_request_orphans, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

void sx_pmpi_request_complete_orphans(void)
{
    pthread_mutex_lock(&lock);
    sx_task *list = orphans;
    orphans = NULL;
    pthread_mutex_unlock(&lock);
    while (list) {
        sx_task *p = unlink_at(&list);
        MPI_Status status;
        int flag = 0, rc = sx_pmpi_real.Test(&p->request, &flag, &status);
        __atomic_sub_fetch(&sx_pmpi_request_orphans, 1, __ATOMIC_RELAXED);
        if (!rc && !flag) {
            enter_orphan(p);
            continue;
        }
        if (!rc && !p->is_finished && p->finish)
            p->finish(p, &status);
        if (p->request != MPI_REQUEST_NULL)
            sx_pmpi_real.Request_free(&p->request);
        drop(p);
    }
}

void sx_pmpi_request_complete(void)
{
    sx_pmpi_request_poll();
    sx_pmpi_shape_complete();
}

SUBX_EXPORT int PMPI_Request_free(MPI_Request *request)
{
    if (!sx_pmpi_request_exists() || !request || *request == MPI_REQUEST_NULL)
        return sx_pmpi_real.Request_free(request);
    pthread_mutex_lock(&lock);
    sx_task *p = unlink_at(find(*request, 1));
    if (!p)
        p = unlink_at(find(*request, 0));
    pthread_mutex_unlock(&lock);
    if (p && p->is_active) {
        enter_orphan(p);
        *request = MPI_REQUEST_NULL;
        sx_pmpi_request_poll();
        return MPI_SUCCESS;
    }
    int rc = sx_pmpi_real.Request_free(request);
    if (p && rc)
        enter(p);
    else if (p)
        drop(p);
    return rc;
}
