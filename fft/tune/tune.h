/* tune.h - find the fastest of several candidates by measurement. Knows nothing of what they are. */
#ifndef SX_TUNE_H
#define SX_TUNE_H

#include "base/base.h"

/* Get the cost of candidate i, the same on all ranks: INFINITY if it cannot serve. Collective. */
typedef double sx_tune_cost(void *context, int i);

/* Get the candidate of the least cost, the first one of several; -1 if none can serve. One line about all of them is
 * appended to `report`. Collective. */
int sx_tune_choose(int n, const char *const names[], sx_tune_cost *cost, void *context, sx_text *report);

/* Get the seconds that a call of `execute` takes on the slowest rank, the least of several rounds. Collective; the
 * outcome is agreed on. */
int sx_tune_measure(MPI_Comm all, int (*execute)(void *context), void *context, double *seconds);

#endif
