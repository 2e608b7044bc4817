/* serial.h - random transforms by serial FFTW. */
#ifndef TEST_RANDOM_SERIAL_H
#define TEST_RANDOM_SERIAL_H

#include "random/definition.h"

/* Transform the data of a field in `direction` (RANDOM_FORWARD or RANDOM_BACKWARD), with the scaling of the
 * problem. Returns pairs, one field after the other, each in C order, which the caller frees. Returns NULL if
 * FFTW cannot compare: in a build without FFTW, for precisions other than double, for kinds other than c2c
 * and r2c, or if points or modes are fewer than the lengths. */
long double *random_serial_transform(const random_problem *p, const random_field *f, int direction);

#endif
