/* choose.c - the candidate with the lowest cost. */
#include "tune/tune.h"
#include <math.h>

/* One candidate at a time, for the sake of memory. */
int sx_tune_choose(int n, const char *const names[], sx_tune_cost *cost, void *context, sx_text *report)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        double seconds = cost(context, i);
        sx_base_print(report, isinf(seconds) ? "%s%s -" : "%s%s %.3g s", i ? ", " : "", names[i], seconds);
        if (seconds < least) {
            least = seconds;
            best = i;
        }
    }
    return best;
}
