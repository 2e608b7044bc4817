/* watch.h - a problem that hangs or crashes becomes a failure that names the problem. */
#ifndef TEST_RANDOM_WATCH_H
#define TEST_RANDOM_WATCH_H

#include "config.h"

/* From now on report crashes. MPI must have been initialised. */
void random_watch_begin(int rank);

/* Begin a problem. `text` describes it, and `seconds` is its time limit. */
void random_watch_start(const char *text, unsigned seconds);

/* Set what this rank does next. `phase` is a constant string. */
void random_watch_phase(const char *phase);

/* End the problem. */
void random_watch_stop(void);

#endif
