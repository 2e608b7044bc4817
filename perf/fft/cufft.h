/* cufft.h - cuFFT's transforms of all axes, which the library subx_perf_cufft.so has. subx-perf-fft loads it if it needs it,
 * and so starts on machines without CUDA. */
#ifndef SX_PERF_CUFFT_H
#define SX_PERF_CUFFT_H

#include <stddef.h>

#define SX_PERF_CUFFT_FILE "libsubx_perf_cufft.so"
#define SX_PERF_CUFFT_TABLE "sx_perf_cufft"

/* The functions of the library, which are in its variable sx_perf_cufft. create: create a forward transform in double
 * precision of arrays without gaps in C order, in the memory of the GPU; is_real: from real to complex. NULL if that fails.
 * execute: returns 0 when the transform is complete, else another number. */
struct sx_perf_cufft {
    void *(*create)(int is_real, int ndims, const ptrdiff_t sizes[]);
    int (*execute)(void *plan, void *in, void *out);
    void (*free)(void *plan);
};

#endif
