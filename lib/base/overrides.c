/* overrides.c - all numbers that tests override. */
#include "base/base.h"

sx_knobs sx_base_knobs = {.fails_after = -1, .keep = -1};
