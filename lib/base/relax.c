/* relax.c - the function that a rank calls between two polls of a value that another rank will change. */
#include "base/base.h"
#include <sched.h>

/* A rank that is not crowded yields late: only other programs would get its processor, and the system lets
 * them keep it for milliseconds. */
int sx_base_relax(MPI_Comm comm, int cost, int *polled)
{
    const int yield = sx_base_is_crowded() ? SX_RELAX_YIELD_SOON : SX_RELAX_YIELD_LATE;
    int flag;
    *polled = (*polled + cost) % SX_RELAX_YIELD_LATE;
    if (*polled % yield < cost)
        sched_yield();
    return *polled % SX_RELAX_PROGRESS >= cost
               ? MPI_SUCCESS
               : MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
}
