/* request.h - pendings that a call may complete: taken out of the table before it, settled after it. */
#ifndef SX_PMPI_REQUEST_H
#define SX_PMPI_REQUEST_H

#include "pmpi/pmpi.h"

/* Pendings that exist, and those of them whose requests the program has freed. Most programs have none. */
extern int sx_pmpi_request_count, sx_pmpi_request_orphans;

static inline int sx_pmpi_request_exists(void)
{
    return __atomic_load_n(&sx_pmpi_request_count, __ATOMIC_RELAXED) != 0;
}

/* Take the pendings of an array of requests out of the table: those that are active, or those that are not, which are
 * persistent. MPI may give the handle of a completed request to another thread at once, and starting a request may
 * change its handle. A list in the array's order. */
sx_pending *sx_pmpi_request_take(int n, const MPI_Request request[], int is_active);

/* What a call has done to an operation. */
typedef enum sx_outcome { SX_OPEN, SX_DONE, SX_FAILED } sx_outcome;

/* Tell it from the call's error code, or from that of a status. */
sx_outcome sx_pmpi_request_judge(int rc);

/* Bring a pending, taken before, to the state that its request has now: finish it and drop it, or enter it again. Returns
 * the error of finish. */
int sx_pmpi_request_settle(sx_pending *p, sx_outcome outcome, MPI_Request request, const MPI_Status *status);

/* Finish one whose completion was told without completing its request, and enter it again. */
void sx_pmpi_request_foresee(sx_pending *p, const MPI_Status *status);

/* Enter a list that was taken to be started: under the handles that the requests now have. */
void sx_pmpi_request_start(sx_pending *list, const MPI_Request request[], int is_active);

/* Finish freed requests that have completed meanwhile. */
void sx_pmpi_request_complete_orphans(void);

static inline void sx_pmpi_request_poll(void)
{
    if (__atomic_load_n(&sx_pmpi_request_orphans, __ATOMIC_RELAXED))
        sx_pmpi_request_complete_orphans();
}

#endif
