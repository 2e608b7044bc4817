/* maps.h - the memory that this process has mapped. */
#ifndef TEST_MAPS_H
#define TEST_MAPS_H

#include "config.h"

/* Count the pieces of shared memory that this process has mapped. Only on Linux. */
int test_maps_count_shared(void);

#endif
