/* calibrate.c - measure the parameters of the cost model. */
#include "machine/calibrate.h"
#include <math.h>

/* A round must be long compared with a barrier. */
static const double least_round = 1e-3;
enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 50, MOST_TIMES = 1 << 20 };

/* Set the seconds of each of n rounds. Ranks may run one after the other on a core, so that the time of each alone would be
 * too short: a round ends with the barrier that the next one begins with. A rank on which a call fails goes on, because its
 * peers do. */
static int execute_rounds(MPI_Comm all, int (*execute)(void *), void *context, int times, int n,
                          double seconds[])
{
    int rc, failed;
    SX_JOIN(rc, MPI_Ibarrier(all, &request));
    for (int i = 0; i < n; i++) {
        const double began = MPI_Wtime();
        for (int k = 0; k < times; k++) {
            failed = execute(context);
            rc = rc ? rc : failed;
        }
        SX_JOIN(failed, MPI_Ibarrier(all, &request));
        rc = rc ? rc : failed;
        seconds[i] = (MPI_Wtime() - began) / times;
    }
    return rc;
}

static int get_largest(MPI_Comm all, int rc, int n, double values[])
{
    int failed;
    SX_JOIN(failed, MPI_Iallreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, all, &request));
    return sx_base_agree(all, rc ? rc : failed, NULL);
}

/* How many rounds fit into a share of the time. Less than a few would be no measurement on a busy machine. */
static int count_rounds(const sx_gauge *g, double share, double elapsed, double round)
{
    const double left = elapsed < g->seconds ? share * g->seconds : 0;
    return (int)fmin(fmax(left / round, LEAST_ROUNDS), MOST_ROUNDS);
}

/* The first call warms up, the second one tells how many make a round. What is decided follows from times that all ranks
 * agree on. */
int sx_machine_measure(const sx_gauge *g, double share, int (*execute)(void *context), void *context,
                       double *seconds)
{
    double first[3], round[MOST_ROUNDS];
    int times = 1;
    int rc = execute_rounds(g->all, execute, context, 1, 2, first);
    first[2] = MPI_Wtime() - g->began;
    rc = get_largest(g->all, rc, 3, first);
    if (rc)
        return rc;
    while (times < MOST_TIMES && times * first[1] < least_round)
        times *= 2;
    const int n = count_rounds(g, share, first[2], times * first[1]);
    *seconds = first[1];
    rc = get_largest(g->all, execute_rounds(g->all, execute, context, times, n, round), n, round);
    for (int i = 0; i < n; i++)
        *seconds = fmin(*seconds, round[i]);
    return rc;
}

int sx_machine_calibrate(MPI_Comm all, const sx_placement *p, MPI_Info hints, double seconds, sx_machine *m)
{
    const sx_gauge g = {all, p, hints, seconds, MPI_Wtime()};
    sx_machine found = *m;
    int rc = sx_machine_measure_rates(&g, &found);
    found.across *= found.memory / m->memory;
    if (!rc)
        rc = sx_machine_measure_messages(&g, &found);
    if (!rc)
        *m = found;
    return rc;
}
