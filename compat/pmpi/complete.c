/* complete.c - the functions that complete requests. A task is the work that is left for the completion of a
 * request (pmpi.h). Before MPI's own call, these functions take the tasks of their requests out of the table;
 * after that call they settle the tasks (request.h). */
#include "pmpi/request.h"

/* If the program ignores statuses, our functions pass their own statuses to MPI, because `finish` needs a
 * status. Up to FEW statuses are on the stack. */
enum { FEW = 16 };

/* Settle a list of tasks after a call that completes at most one request. `outcome` is the state of request
 * number `which` of the array; all other requests are still open. */
static int settle_one(sx_task *list, int which, sx_outcome outcome, const MPI_Request request[],
                      const MPI_Status *status)
{
    int rc = MPI_SUCCESS;
    for (sx_task *p = list, *next; p; p = next) {
        next = p->next;
        int failed = sx_pmpi_request_settle(p, p->at == which ? outcome : SX_OPEN, request[p->at], status);
        rc = rc ? rc : failed;
    }
    return rc;
}

/* End such a call, which has returned rc, and has completed request number `which` if is_complete is 1.
 * Returns rc, or the error of a `finish`. */
static int end_one(sx_task *list, int rc, int is_complete, int which, const MPI_Request request[],
                   const MPI_Status *status)
{
    int failed = MPI_SUCCESS;
    if (list)
        failed =
            settle_one(list, which, rc || is_complete ? sx_pmpi_request_judge(rc) : SX_OPEN, request, status);
    sx_pmpi_request_poll();
    return rc ? rc : failed;
}

SUBX_EXPORT int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    sx_task *p = sx_pmpi_request_take(1, request, 1);
    int rc = sx_pmpi_real.Wait(request, p ? s : status);
    return end_one(p, rc, 1, 0, request, s);
}

SUBX_EXPORT int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    sx_task *p = sx_pmpi_request_take(1, request, 1);
    int rc = sx_pmpi_real.Test(request, flag, p ? s : status);
    return end_one(p, rc, p && *flag, 0, request, s);
}

SUBX_EXPORT int PMPI_Waitany(int n, MPI_Request request[], int *index, MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    sx_task *list = sx_pmpi_request_take(n, request, 1);
    if (list && index)
        *index = MPI_UNDEFINED;
    int rc = sx_pmpi_real.Waitany(n, request, index, list ? s : status);
    return end_one(list, rc, 1, list && index ? *index : MPI_UNDEFINED, request, s);
}

SUBX_EXPORT int PMPI_Testany(int n, MPI_Request request[], int *index, int *flag, MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    sx_task *list = sx_pmpi_request_take(n, request, 1);
    if (list && index)
        *index = MPI_UNDEFINED;
    int rc = sx_pmpi_real.Testany(n, request, index, flag, list ? s : status);
    return end_one(list, rc, list && *flag, list && index ? *index : MPI_UNDEFINED, request, s);
}

/* Settle a list of tasks after a call that has returned rc and has completed `done` requests. status[k]
 * belongs to request index[k], or to request k if index is NULL. Returns rc. But if a `finish` fails, its
 * error is put into the status, and MPI_ERR_IN_STATUS is returned, as MPI does. */
static int settle_several(sx_task *list, int rc, int done, const int index[], const MPI_Request request[],
                          MPI_Status status[])
{
    int kind = MPI_SUCCESS, k = 0, told = rc;
    if (rc)
        PMPI_Error_class(rc, &kind);
    if (rc && kind != MPI_ERR_IN_STATUS)
        done = 0;
    for (sx_task *p = list, *next; p; p = next) {
        next = p->next;
        /* The search in index[] begins where the last search ended, because in most MPIs index[] ascends, as
         * the list of tasks does. */
        int left = done;
        while (index && left > 0 && index[k] != p->at) {
            k = (k + 1) % done;
            left--;
        }
        int i = index ? k : p->at, is_in = left > 0;
        sx_outcome outcome = is_in ? sx_pmpi_request_judge(rc ? status[i].MPI_ERROR : rc) : SX_OPEN;
        int failed = sx_pmpi_request_settle(p, outcome, request[p->at], is_in ? &status[i] : NULL);
        for (int j = 0; failed && !told && j < done; j++)
            status[j].MPI_ERROR = MPI_SUCCESS;
        if (failed) {
            status[i].MPI_ERROR = failed;
            told = MPI_ERR_IN_STATUS;
        }
    }
    return told;
}

static int wait_all(int n, MPI_Request request[], MPI_Status status[])
{
    sx_task *list = sx_pmpi_request_take(n, request, 1);
    int rc = sx_pmpi_real.Waitall(n, request, status);
    return list ? settle_several(list, rc, n, NULL, request, status) : rc;
}

SUBX_EXPORT int PMPI_Waitall(int n, MPI_Request request[], MPI_Status status[])
{
    MPI_Status own[FEW];
    int rc = MPI_SUCCESS;
    if (!sx_pmpi_request_exists())
        return sx_pmpi_real.Waitall(n, request, status);
    if (status != MPI_STATUSES_IGNORE || n <= 0)
        rc = wait_all(n, request, status);
    else
        for (int i = 0; i < n && !rc; i += FEW)
            rc = wait_all(n - i < FEW ? n - i : FEW, request + i, own);
    sx_pmpi_request_poll();
    return rc;
}

/* Test whether all requests are complete, without completing them. A failed request counts as complete: the
 * call that completes it will report the error. */
static int are_complete(int n, MPI_Request request[])
{
    int flag = 1;
    for (int i = 0; i < n && flag; i++) {
        MPI_Status own;
        if (request[i] != MPI_REQUEST_NULL && sx_pmpi_real.Request_get_status(request[i], &flag, &own))
            flag = 1;
    }
    return flag;
}

static int test_all(int n, MPI_Request request[], int *flag, MPI_Status status[], sx_task *list)
{
    int rc = sx_pmpi_real.Testall(n, request, flag, status);
    if (!rc && !*flag)
        return settle_one(list, MPI_UNDEFINED, SX_OPEN, request, NULL);
    return settle_several(list, rc, n, NULL, request, status);
}

/* Completes all requests or none. If the program ignores statuses, FEW requests are completed at a time, but
 * only when all requests are known to be complete. */
SUBX_EXPORT int PMPI_Testall(int n, MPI_Request request[], int *flag, MPI_Status status[])
{
    MPI_Status own[FEW];
    int rc = MPI_SUCCESS;
    sx_task *list = sx_pmpi_request_take(n, request, 1);
    if (!list)
        return sx_pmpi_real.Testall(n, request, flag, status);
    if (status != MPI_STATUSES_IGNORE || n <= FEW) {
        rc = test_all(n, request, flag, status == MPI_STATUSES_IGNORE ? own : status, list);
    } else {
        settle_one(list, MPI_UNDEFINED, SX_OPEN, request, NULL);
        *flag = are_complete(n, request);
        for (int i = 0; i < n && *flag && !rc; i += FEW)
            rc = PMPI_Testall(n - i < FEW ? n - i : FEW, request + i, flag, own);
    }
    sx_pmpi_request_poll();
    return rc;
}

typedef int (*some_call)(int, MPI_Request[], int *, int[], MPI_Status[]);

static int complete_some(some_call call, int n, MPI_Request request[], int *done, int index[],
                         MPI_Status status[], sx_task *list)
{
    if (done)
        *done = 0;
    int rc = call(n, request, done, index, status);
    int ndone = done && *done != MPI_UNDEFINED ? *done : 0;
    rc = settle_several(list, rc, ndone, index, request, status);
    sx_pmpi_request_poll();
    return rc;
}

/* Replaces complete_some if there is no memory for n statuses. Completes at most one request. */
static int complete_any(int is_wait, int n, MPI_Request request[], int *done, int index[])
{
    int flag = 1, rc;
    if (is_wait)
        rc = PMPI_Waitany(n, request, index, MPI_STATUS_IGNORE);
    else
        rc = PMPI_Testany(n, request, index, &flag, MPI_STATUS_IGNORE);
    *done = !flag ? 0 : index[0] == MPI_UNDEFINED ? MPI_UNDEFINED : 1;
    return rc;
}

static int some(int is_wait, int n, MPI_Request request[], int *done, int index[], MPI_Status status[])
{
    some_call call = is_wait ? sx_pmpi_real.Waitsome : sx_pmpi_real.Testsome;
    sx_task *list = sx_pmpi_request_take(n, request, 1);
    if (!list)
        return call(n, request, done, index, status);
    if (status != MPI_STATUSES_IGNORE)
        return complete_some(call, n, request, done, index, status, list);
    MPI_Status few[FEW], *own = n <= FEW ? few : sx_base_alloc(n, sizeof *own);
    if (!own) {
        settle_one(list, MPI_UNDEFINED, SX_OPEN, request, NULL);
        return complete_any(is_wait, n, request, done, index);
    }
    int rc = complete_some(call, n, request, done, index, own, list);
    if (own != few)
        sx_base_free(own);
    return rc;
}

SUBX_EXPORT int PMPI_Waitsome(int n, MPI_Request request[], int *done, int index[], MPI_Status status[])
{
    return some(1, n, request, done, index, status);
}

SUBX_EXPORT int PMPI_Testsome(int n, MPI_Request request[], int *done, int index[], MPI_Status status[])
{
    return some(0, n, request, done, index, status);
}

SUBX_EXPORT int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    MPI_Status own;
    sx_task *p = sx_pmpi_request_take(1, &request, 1);
    if (!p)
        return sx_pmpi_real.Request_get_status(request, flag, status);
    MPI_Status *s = status == MPI_STATUS_IGNORE ? &own : status;
    int rc = sx_pmpi_real.Request_get_status(request, flag, s);
    if (!rc && *flag)
        sx_pmpi_request_foresee(p, s);
    else
        sx_pmpi_request_settle(p, SX_OPEN, request, NULL);
    return rc;
}
