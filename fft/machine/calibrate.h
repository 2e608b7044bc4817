/* calibrate.h - functions of the calibration, which measure on all ranks at the same time. Private to this
 * room. All are collective, and return the same outcome and the same values on all ranks. */
#ifndef SX_CALIBRATE_H
#define SX_CALIBRATE_H

#include "machine/machine.h"
#include "limits/limits.h"

typedef struct sx_gauge {
    MPI_Comm all;
    const sx_placement *placement;
    MPI_Info hints;
    double seconds; /* for the whole calibration; the same on all ranks */
    double began;
} sx_gauge;

/* Execute an action on all ranks at the same time, again and again, for the part `share` of g->seconds. If
 * g->seconds have passed already, execute it a few times only. *seconds becomes the least measured time of
 * one execution, from its beginning until the last rank has finished it. */
int sx_machine_measure(const sx_gauge *g, double share, int (*execute)(void *context), void *context,
                       double *seconds);

/* Get the bytes to use instead of a usual number of bytes, which is the same number except in some tests. */
static inline ptrdiff_t sx_machine_get_bytes(ptrdiff_t bytes)
{
    return bytes >> sx_base_knobs.shrinks;
}

/* Measure the seconds of a copy of contiguous bytes (rates.c). A rank with bytes = 0 takes part, too. */
int sx_machine_measure_copy(const sx_gauge *g, double share, ptrdiff_t bytes, const void *from, void *to,
                            double *seconds);

/* Measure transforms and copies (rates.c). */
int sx_machine_measure_rates(const sx_gauge *g, sx_machine *m);

/* Measure how long ranks take to meet, to send messages, and to read memory of other domains (messages.c). */
int sx_machine_measure_messages(const sx_gauge *g, sx_machine *m);

/* Measure the devices of the ranks (device_rates.c). The hints of the gauge have the device's kind of
 * memory. */
int sx_machine_measure_device(const sx_gauge *g, const sx_device *device, sx_machine *m);

#endif
