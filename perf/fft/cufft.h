/* cufft.h - cuFFT's transforms of all axes, which the library subx_perf_cufft.so has. subx-perf-fft loads
 * it if it needs it, and so starts on machines without CUDA. */
#ifndef SX_PERF_CUFFT_H
#define SX_PERF_CUFFT_H

#include <stddef.h>

#define SX_PERF_CUFFT_FILE "libsubx_perf_cufft.so"
#define SX_PERF_CUFFT_TABLE "sx_perf_cufft"

/* A request asks for a plan of arrays in the memory of the GPU, in C order. is_float: single precision,
 * else double. is_real: from real to complex, or back if is_backward; else from complex to complex. sizes:
 * the lengths of the physical side. row: the distance of its rows in elements. The spectral side has no
 * gaps. */
struct sx_perf_cufft_request {
    int is_float, is_real, is_backward, ndims;
    const ptrdiff_t *sizes;
    ptrdiff_t row;
};

/* The functions of the library, which are in its variable sx_perf_cufft. create: create a plan; NULL if
 * that fails. execute: returns 0 when the transform is complete, else another number. */
struct sx_perf_cufft {
    void *(*create)(const struct sx_perf_cufft_request *request);
    int (*execute)(void *plan, void *in, void *out);
    void (*free)(void *plan);
};

#endif
