/* knobs.c - all numbers that tests change. */
#include "base/base.h"

sx_knobs sx_base_knobs = {.fails_after = -1, .keep = -1};
