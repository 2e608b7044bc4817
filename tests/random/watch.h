/* watch.h - turns a hang or a crash into a failure that names the problem. */
#ifndef TEST_RANDOM_WATCH_H
#define TEST_RANDOM_WATCH_H

#include "config.h"

/* From now on a crash is reported. MPI must have started. */
void random_watch_begin(int rank);

/* Begin a problem. `text` describes it; it may take `seconds`. */
void random_watch_start(const char *text, unsigned seconds);

/* Set what this rank does next. `phase` is a constant string. */
void random_watch_phase(const char *phase);

/* End the problem. */
void random_watch_stop(void);

#endif
