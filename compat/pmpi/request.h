/* request.h - functions for the calls that start or complete requests. A task is the work that is left for
 * the completion of a request (pmpi.h). Such a call takes the tasks of its requests out of the table before
 * MPI's own call. After that call it settles them: each task is finished, or put back. */
#ifndef SX_PMPI_REQUEST_H
#define SX_PMPI_REQUEST_H

#include "pmpi/pmpi.h"

/* Number of tasks; number of orphans, which are tasks whose requests the program has freed while they were
 * active. Both are 0 in most programs. */
extern int sx_pmpi_request_count, sx_pmpi_request_orphans;

static inline int sx_pmpi_request_exists(void)
{
    return __atomic_load_n(&sx_pmpi_request_count, __ATOMIC_RELAXED) != 0;
}

/* Take the tasks of an array of requests out of the table. If is_active is 1, only tasks of active requests
 * are taken; if it is 0, only tasks of inactive requests, which are persistent. Returns a list in the order
 * of the array. Pendings must not remain in the table during MPI's own call: MPI may give the handle of a
 * completed request to another thread at once, and starting a request may change its handle. */
sx_task *sx_pmpi_request_take(int n, const MPI_Request request[], int is_active);

/* The state of an operation after a call. */
typedef enum sx_outcome { SX_OPEN, SX_DONE, SX_FAILED } sx_outcome;

/* Get the state from the error code of the call, or of a status. */
sx_outcome sx_pmpi_request_judge(int rc);

/* Settle a task that was taken out of the table. `request` is the request's handle after the call. If the
 * operation is done, `finish` is called with the status. If the request does not exist any more, the task is
 * dropped, else it is put back. Returns the error of `finish`. */
int sx_pmpi_request_settle(sx_task *p, sx_outcome outcome, MPI_Request request, const MPI_Status *status);

/* Finish a task whose completion MPI_Request_get_status has reported. Put it back into the table, because its
 * request still exists. */
void sx_pmpi_request_foresee(sx_task *p, const MPI_Status *status);

/* Put tasks back into the table after MPI's own call has started their requests (is_active = 1), or has
 * failed (0). request[] are the handles after this call. */
void sx_pmpi_request_start(sx_task *list, const MPI_Request request[], int is_active);

/* Finish the orphans whose requests have completed. */
void sx_pmpi_request_complete_orphans(void);

static inline void sx_pmpi_request_poll(void)
{
    if (__atomic_load_n(&sx_pmpi_request_orphans, __ATOMIC_RELAXED))
        sx_pmpi_request_complete_orphans();
}

#endif
