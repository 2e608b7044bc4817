/* calibrate.h - what the files of the calibration share: measurements that all ranks make at the same time. All functions
 * are collective, and give the same outcome and the same values on all ranks. */
#ifndef SX_CALIBRATE_H
#define SX_CALIBRATE_H

#include "machine/machine.h"

typedef struct sx_gauge {
    MPI_Comm all;
    const sx_placement *placement;
    MPI_Info hints;
    double seconds; /* of the whole calibration; the same on all ranks */
    double began;
} sx_gauge;

/* Time an action that all ranks execute together, for a share of all seconds: the seconds of one execution, until the last
 * rank has finished it, in the round that was disturbed least. When all seconds have passed there are a few rounds
 * only. */
int sx_machine_measure(const sx_gauge *g, double share, int (*execute)(void *context), void *context,
                       double *seconds);

/* Two arrays of this length stay in no cache that a rank shares with others. */
enum { SX_MACHINE_LARGEST = 64 << 20 };

/* Time a copy of contiguous bytes (rates.c). A rank without bytes takes part. */
int sx_machine_measure_copy(const sx_gauge *g, double share, ptrdiff_t bytes, const void *from, void *to,
                            double *seconds);

/* Measure transforms and copies (rates.c). */
int sx_machine_measure_rates(const sx_gauge *g, sx_machine *m);

/* Measure meetings, messages, and reading across domains (messages.c). */
int sx_machine_measure_messages(const sx_gauge *g, sx_machine *m);

#endif
