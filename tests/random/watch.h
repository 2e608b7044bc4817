/* watch.h - what turns a hang or a crash into a failure that names the problem. */
#ifndef TEST_RANDOM_WATCH_H
#define TEST_RANDOM_WATCH_H

#include "config.h"

/* From now on a crash is told of. Call it when MPI has started. */
void random_watch_begin(int rank);

/* A problem begins, which `text` describes; it may last `seconds`. */
void random_watch_start(const char *text, unsigned seconds);

/* What this rank is about to do, a constant string. */
void random_watch_phase(const char *phase);

/* The problem has ended. */
void random_watch_stop(void);

#endif
