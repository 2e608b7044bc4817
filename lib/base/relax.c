/* relax.c - the function that a rank calls between two polls of a value that another rank will change. */
#include "base/base.h"
#include <sched.h>

/* The sum of the costs of polls after which a rank yields the processor, and the sum after which it lets MPI
 * progress. */
enum { YIELD = 100, PROGRESS = 50 * YIELD };

int sx_base_relax(MPI_Comm comm, int cost, int *round)
{
    int flag;
    *round = (*round + cost) % PROGRESS;
    if (*round % YIELD < cost)
        sched_yield();
    return *round >= cost ? MPI_SUCCESS
                          : MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
}
