/* crowded.c - whether more ranks run on this node than it has processors, and how many run there at most. */
#include "base/base.h"
#include <limits.h>

static int is_crowded, most_ranks = INT_MAX;

void sx_base_set_crowded(void)
{
    __atomic_store_n(&is_crowded, 1, __ATOMIC_RELAXED);
}

int sx_base_is_crowded(void)
{
    return __atomic_load_n(&is_crowded, __ATOMIC_RELAXED);
}

void sx_base_set_ranks(int most)
{
    if (most < sx_base_get_ranks())
        __atomic_store_n(&most_ranks, most, __ATOMIC_RELAXED);
}

int sx_base_get_ranks(void)
{
    return __atomic_load_n(&most_ranks, __ATOMIC_RELAXED);
}
