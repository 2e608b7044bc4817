/* nofftw3.c - replaces fftw3.c if the program is built without FFTW: a library that can make no copy. */
#include "kern/kern.h"

static void *create(const struct sx_perf_kern_copy *copy)
{
    (void)copy;
    return NULL;
}

const struct sx_perf_kern_library sx_perf_kern_fftw3 = {"fftw3", create, NULL, NULL};
