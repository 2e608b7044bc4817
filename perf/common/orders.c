/* orders.c - orders of axes: all permutations, and their text. */
#include "common/perf.h"

int sx_perf_orders_get(int ndims, int k, int order[])
{
    int count = 1, rest[SUBX_NDIMS_MAX], left = ndims;
    for (int a = 0; a < ndims; a++) {
        count *= a + 1;
        rest[a] = a;
    }
    /* Each digit of k, in the factorial number system, selects one of the remaining axes. */
    for (int i = 0, place = count; i < ndims; i++) {
        place /= left;
        int which = k / place % left;
        order[i] = rest[which];
        left--;
        for (int j = which; j < left; j++)
            rest[j] = rest[j + 1];
    }
    return count;
}

void sx_perf_orders_print(int ndims, const int order[], size_t len, char *text)
{
    size_t used = 0;
    for (int i = 0; i < ndims && used < len; i++)
        used += (size_t)snprintf(text + used, len - used, "%s%d", i ? "-" : "", order[i]);
}

int sx_perf_orders_parse(const char *text, int ndims, int order[])
{
    unsigned seen = 0;
    for (int i = 0; i < ndims; i++) {
        order[i] = text[i] - '0';
        if (order[i] < 0 || order[i] >= ndims || seen >> order[i] & 1)
            return 0;
        seen |= 1U << order[i];
    }
    return ndims;
}
