/* calibrate.h - measurements that all ranks make at the same time, for the files of the calibration. All functions are
 * collective, and return the same outcome and the same values on all ranks. */
#ifndef SX_CALIBRATE_H
#define SX_CALIBRATE_H

#include "machine/machine.h"

typedef struct sx_gauge {
    MPI_Comm all;
    const sx_placement *placement;
    MPI_Info hints;
    double seconds; /* for the whole calibration; the same on all ranks */
    double began;
} sx_gauge;

/* Execute an action on all ranks at the same time, again and again, for `share` of g->seconds; when g->seconds have passed,
 * a few times only. *seconds becomes the time of one execution, until the last rank has finished it: the least time that
 * was measured. */
int sx_machine_measure(const sx_gauge *g, double share, int (*execute)(void *context), void *context,
                       double *seconds);

/* Bytes of the largest array that is copied. Two such arrays per rank, one copied to the other, fit into no cache. */
enum { SX_MACHINE_LARGEST = 64 << 20 };

/* Time a copy of contiguous bytes (rates.c). A rank without bytes takes part. */
int sx_machine_measure_copy(const sx_gauge *g, double share, ptrdiff_t bytes, const void *from, void *to,
                            double *seconds);

/* Measure transforms and copies (rates.c). */
int sx_machine_measure_rates(const sx_gauge *g, sx_machine *m);

/* Measure meetings, messages, and reading across domains (messages.c). */
int sx_machine_measure_messages(const sx_gauge *g, sx_machine *m);

#endif
