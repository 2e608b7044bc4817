/* measure.c - how long something takes that all ranks do together. */
#include "tune/tune.h"
#include <math.h>

/* A round lasts at least this long, seconds. The best of several rounds counts: the one that was disturbed least. */
static const double round_seconds = 2e-3, most_seconds = 1;
enum { ROUNDS = 9, MOST_TIMES = 1 << 10 };

/* A rank on which a call fails goes on, because its peers do. */
static int time_round(MPI_Comm all, int (*execute)(void *), void *context, int times, double *seconds)
{
    int rc, failed;
    SX_AGAIN(rc, MPI_Barrier(all));
    double began = MPI_Wtime();
    for (int i = 0; i < times; i++) {
        failed = execute(context);
        rc = rc ? rc : failed;
    }
    *seconds = (MPI_Wtime() - began) / times;
    SX_AGAIN(failed, MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, all));
    return sx_base_agree(all, rc ? rc : failed, NULL);
}

/* The second call tells how many make a round. */
int sx_tune_measure(MPI_Comm all, int (*execute)(void *context), void *context, double *seconds)
{
    double last = 0, spent = 0;
    int times = 1;
    int rc = time_round(all, execute, context, 1, &last);
    if (!rc)
        rc = time_round(all, execute, context, 1, &last);
    while (times < MOST_TIMES && times * last < round_seconds)
        times *= 2;
    *seconds = INFINITY;
    for (int i = 0; i < ROUNDS && spent < most_seconds && !rc; i++) {
        rc = time_round(all, execute, context, times, &last);
        *seconds = last < *seconds ? last : *seconds;
        spent += times * last;
    }
    return rc;
}
