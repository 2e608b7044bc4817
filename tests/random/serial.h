/* serial.h - random transforms by serial FFTW. */
#ifndef TEST_RANDOM_SERIAL_H
#define TEST_RANDOM_SERIAL_H

#include "random/definition.h"

/* Transform the data of a field, in RANDOM_FORWARD or RANDOM_BACKWARD, with the scaling of the problem. Returns pairs, one
 * field after the other, each in C order, which the caller frees. NULL if this is not possible: without FFTW, in another
 * precision than double, for other kinds than c2c and r2c, and with fewer points or modes. */
long double *random_serial_transform(const random_problem *p, const random_field *f, int direction);

#endif
