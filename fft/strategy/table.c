/* table.c - the only list of strategies. */
#include "plan/plan.h"

const sx_strategy *const sx_strategy_table[] = {&sx_strategy_fused, &sx_strategy_stride1,
                                                &sx_strategy_natural, NULL};
