/* complete.c - complete requests by each MPI function that can complete them. */
#include "compat/pmpi/scene.h"
#include <sched.h>

enum { MOST = 16 };

/* What is known of n requests: the code and the status of each. */
typedef struct outcome {
    const calls *mpi;
    int n;
    MPI_Request *requests;
    MPI_Status status[MOST];
    int code[MOST], is_done[MOST];
} outcome;

static void set(outcome *o, int i, int code, const MPI_Status *status)
{
    o->status[i] = *status;
    o->code[i] = code;
    o->is_done[i] = 1;
}

static void wait_one(outcome *o, int i)
{
    MPI_Status status;
    const int code = o->mpi->Wait(&o->requests[i], &status);
    set(o, i, code, &status);
}

static void wait_each(outcome *o)
{
    for (int i = o->n - 1; i >= 0; i--)
        wait_one(o, i);
}

static void test_each(outcome *o)
{
    MPI_Status status;
    for (int i = 0; i < o->n; i++) {
        int flag = 0, code = MPI_SUCCESS;
        while (!flag && code == MPI_SUCCESS) {
            code = o->mpi->Test(&o->requests[i], &flag, &status);
            sched_yield();
        }
        set(o, i, code, &status);
    }
}

/* Note the result of MPI_Waitall or MPI_Testall, whose code is `code`. If the call failed, the statuses say
 * which requests failed. Requests that are still active are completed here. */
static void settle(outcome *o, int code, const MPI_Status status[])
{
    int class = MPI_SUCCESS, each;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    for (int i = 0; i < o->n; i++) {
        each = class == MPI_ERR_IN_STATUS ? status[i].MPI_ERROR : code;
        if (class == MPI_ERR_IN_STATUS && each == MPI_ERR_PENDING)
            wait_one(o, i);
        else
            set(o, i, each, &status[i]);
    }
}

static void wait_all(outcome *o)
{
    MPI_Status status[MOST];
    const int code = o->mpi->Waitall(o->n, o->requests, status);
    settle(o, code, status);
}

static void test_all(outcome *o)
{
    MPI_Status status[MOST];
    int flag = 0, code = MPI_SUCCESS;
    while (!flag && code == MPI_SUCCESS) {
        code = o->mpi->Testall(o->n, o->requests, &flag, status);
        sched_yield();
    }
    settle(o, code, status);
}

static void wait_any(outcome *o)
{
    for (;;) {
        MPI_Status status;
        int index = MPI_UNDEFINED;
        const int code = o->mpi->Waitany(o->n, o->requests, &index, &status);
        if (index == MPI_UNDEFINED)
            return;
        set(o, index, code, &status);
    }
}

static void test_any(outcome *o)
{
    for (;;) {
        MPI_Status status;
        int index = MPI_UNDEFINED, flag = 0;
        const int code = o->mpi->Testany(o->n, o->requests, &index, &flag, &status);
        if ((flag || code != MPI_SUCCESS) && index == MPI_UNDEFINED)
            return;
        if (flag || code != MPI_SUCCESS)
            set(o, index, code, &status);
        sched_yield();
    }
}

/* Complete some requests. Returns 0 when no active request is left. */
static int take_some(outcome *o, int testing)
{
    MPI_Status status[MOST];
    int done = MPI_UNDEFINED, index[MOST], class = MPI_SUCCESS;
    const int code = testing ? o->mpi->Testsome(o->n, o->requests, &done, index, status)
                             : o->mpi->Waitsome(o->n, o->requests, &done, index, status);
    if (done == MPI_UNDEFINED)
        return 0;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    for (int k = 0; k < done; k++)
        set(o, index[k], class == MPI_ERR_IN_STATUS ? status[k].MPI_ERROR : code, &status[k]);
    return 1;
}

static void wait_some(outcome *o)
{
    while (take_some(o, 0))
        ;
}

static void test_some(outcome *o)
{
    while (take_some(o, 1))
        sched_yield();
}

/* Repeat MPI_Request_get_status until a request is complete, then complete it. Both calls must give the same
 * result. */
static void get_status(outcome *o)
{
    MPI_Status status;
    for (int i = 0; i < o->n; i++) {
        int flag = 0;
        while (o->requests[i] != MPI_REQUEST_NULL && !flag) {
            if (o->mpi->Request_get_status(o->requests[i], &flag, &status) != MPI_SUCCESS)
                break;
            sched_yield();
        }
        wait_one(o, i);
    }
}

typedef void form(outcome *o);
static form *const forms[COMPLETE_FORMS] = {wait_each, wait_all, wait_any,  wait_some, test_each,
                                            test_all,  test_any, test_some, get_status};

void complete(scene *s, int which, int n, MPI_Request requests[], const MPI_Datatype types[])
{
    outcome o = {.mpi = s->mpi, .n = n, .requests = requests};
    forms[which](&o);
    for (int i = 0; i < n; i++) {
        trace_int(&s->trace, "completion by 100 times the form plus", 100 * which + i, o.is_done[i]);
        if (!o.is_done[i])
            continue;
        trace_code(&s->trace, "the code of a request by 100 times the form plus", 100 * which + i, o.code[i]);
        if (types[i] != MPI_DATATYPE_NULL && o.code[i] == MPI_SUCCESS)
            trace_status(&s->trace, i, &o.status[i], types[i]);
        trace_int(&s->trace, "is MPI_REQUEST_NULL", i, requests[i] == MPI_REQUEST_NULL);
    }
}
