/* nofftw3.c - replaces FFTW's copy if the program is built without FFTW: it never serves. */
#include "kern/kern.h"

static void *create(const struct sx_perf_kern_copy *copy)
{
    (void)copy;
    return NULL;
}

const struct sx_perf_kern_library sx_perf_kern_fftw3 = {"fftw3", create, NULL, NULL};
