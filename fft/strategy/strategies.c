/* strategies.c - the only list of strategies. */
#include "strategy/strategy.h"
#include <string.h>

extern const sx_strategy sx_strategy_fused, sx_strategy_stride1, sx_strategy_natural, sx_strategy_device,
    sx_strategy_device_natural;

const sx_strategy *const sx_strategy_table[] = {&sx_strategy_fused,          &sx_strategy_stride1,
                                                &sx_strategy_natural,        &sx_strategy_device,
                                                &sx_strategy_device_natural, NULL};

const sx_strategy *sx_strategy_find(const char *name)
{
    int i = 0;
    while (sx_strategy_table[i] && strcmp(sx_strategy_table[i]->name, name) != 0)
        i++;
    return sx_strategy_table[i];
}

int sx_strategy_query_name(int i, const char **name)
{
    *name = sx_strategy_table[i] ? sx_strategy_table[i]->name : NULL;
    return MPI_SUCCESS;
}
