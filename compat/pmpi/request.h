/* request.h - pendings whose requests a call may complete. They are taken out of the table before the call, and settled
 * after it: finished, or put back. */
#ifndef SX_PMPI_REQUEST_H
#define SX_PMPI_REQUEST_H

#include "pmpi/pmpi.h"

/* Number of pendings, and of orphans, whose requests the program has freed. Both are 0 in most programs. */
extern int sx_pmpi_request_count, sx_pmpi_request_orphans;

static inline int sx_pmpi_request_exists(void)
{
    return __atomic_load_n(&sx_pmpi_request_count, __ATOMIC_RELAXED) != 0;
}

/* Take the pendings of an array of requests out of the table. is_active: the active ones; else the inactive ones, which
 * are persistent. They must not remain in the table, because MPI may give the handle of a completed request to another
 * thread at once, and because starting a request may change its handle. Returns a list in the order of the array. */
sx_pending *sx_pmpi_request_take(int n, const MPI_Request request[], int is_active);

/* The state of an operation after a call. */
typedef enum sx_outcome { SX_OPEN, SX_DONE, SX_FAILED } sx_outcome;

/* Get the state from the error code of the call, or of a status. */
sx_outcome sx_pmpi_request_judge(int rc);

/* Settle a pending that was taken out: finish and drop it, or put it back, depending on the state of its request.
 * Returns the error of `finish`. */
int sx_pmpi_request_settle(sx_pending *p, sx_outcome outcome, MPI_Request request, const MPI_Status *status);

/* Finish a pending whose completion was reported without completing its request, and put it back. */
void sx_pmpi_request_foresee(sx_pending *p, const MPI_Status *status);

/* Put back a list that was taken out to be started, under the present handles of its requests. */
void sx_pmpi_request_start(sx_pending *list, const MPI_Request request[], int is_active);

/* Finish orphans that have completed. */
void sx_pmpi_request_complete_orphans(void);

static inline void sx_pmpi_request_poll(void)
{
    if (__atomic_load_n(&sx_pmpi_request_orphans, __ATOMIC_RELAXED))
        sx_pmpi_request_complete_orphans();
}

#endif
