/* measure.c - measure the time of an action that all ranks execute at the same time, in rounds. */
#include "machine/calibrate.h"
#include <math.h>

/* Execute n rounds of `times` calls each. Set for each round the seconds of one call. The time of a round
 * includes the barrier at its end. So the time is not too short if ranks run one after the other on one core.
 * A rank on which a call fails goes on, because the other ranks wait for it in barriers. */
static int execute_rounds(MPI_Comm all, int (*execute)(void *), void *context, int times, int n,
                          double seconds[])
{
    int rc = MPI_Barrier(all);
    for (int i = 0; i < n; i++) {
        const double began = MPI_Wtime();
        for (int k = 0; k < times; k++) {
            const int failed = execute(context);
            rc = rc ? rc : failed;
        }
        const int failed = MPI_Barrier(all);
        rc = rc ? rc : failed;
        seconds[i] = (MPI_Wtime() - began) / times;
    }
    return rc;
}

static int get_largest(MPI_Comm all, int rc, int n, double values[])
{
    int failed = MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, all);
    return sx_base_agree(all, rc ? rc : failed, NULL);
}

/* Get how many rounds of `round` seconds fit into the part `share` of g->seconds, and at least
 * a few, even if g->seconds have elapsed: fewer rounds would measure nothing on a busy
 * machine. */
static int count_rounds(const sx_gauge *g, double share, double elapsed, double round)
{
    const double left = elapsed < g->seconds ? share * g->seconds : 0;
    return sx_base_fit((ptrdiff_t)fmin(fmax(left / round, SX_MACHINE_LEAST_ROUNDS), SX_MACHINE_MOST_ROUNDS));
}

/* The first call warms up. The time of the second call tells how many calls make a round. All ranks agree on
 * this time, and on the time elapsed, so that they decide alike. */
int sx_machine_measure(const sx_gauge *g, double share, int (*execute)(void *context), void *context,
                       double *seconds)
{
    double first[3], round[SX_MACHINE_MOST_ROUNDS];
    int times = 1;
    int rc = execute_rounds(g->all, execute, context, 1, 2, first);
    first[2] = MPI_Wtime() - g->began;
    rc = get_largest(g->all, rc, 3, first);
    if (rc)
        return rc;
    while (times < SX_MACHINE_MOST_TIMES && times * first[1] < SX_MACHINE_LEAST_ROUND)
        times *= 2;
    const int n = count_rounds(g, share, first[2], times * first[1]);
    *seconds = first[1];
    rc = get_largest(g->all, execute_rounds(g->all, execute, context, times, n, round), n, round);
    for (int i = 0; i < n; i++)
        *seconds = fmin(*seconds, round[i]);
    return rc;
}
