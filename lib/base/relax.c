/* relax.c - the function that a rank calls between two polls of a value that another rank will change. */
#include "base/base.h"
#include <sched.h>

/* The sums of the costs of polls after which a rank lets MPI progress, and after which it yields the
 * processor: soon if the ranks are crowded. Else only other programs would get the processor, and the system
 * lets them keep it for milliseconds. */
enum { PROGRESS = 5000, YIELD_SOON = 100, YIELD_LATE = 20000 };

int sx_base_relax(MPI_Comm comm, int cost, int *round)
{
    const int yield = sx_base_is_crowded() ? YIELD_SOON : YIELD_LATE;
    int flag;
    *round = (*round + cost) % YIELD_LATE;
    if (*round % yield < cost)
        sched_yield();
    return *round % PROGRESS >= cost
               ? MPI_SUCCESS
               : MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
}
