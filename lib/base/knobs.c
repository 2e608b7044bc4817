/* knobs.c - the numbers that tests change, all in one place. */
#include "base/base.h"

sx_knobs sx_base_knobs = {.fails_after = -1, .keep = -1};
