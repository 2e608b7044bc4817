/* heffte.h - functions of heffte_plan.cc for heffte.c: heFFTe is a C++ library. */
#ifndef SX_PERF_FFT_HEFFTE_H
#define SX_PERF_FFT_HEFFTE_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The arguments with which heFFTe creates a plan. Members with index d belong to heFFTe's axis d, which is
 * our axis ndims - 1 - d. in_* and out_*: the first and last indices of this rank's boxes before and after
 * the forward transform. out_order: the axes of the output, fastest first. effort: FFTW's flags.
 * algorithm, use_reorder and use_pencils are options of heFFTe. kind: SUBX_FFT_C2C, R2C, DCT1, DCT2, DST1
 * or DST2. Members with two entries are for forward and backward. */
struct sx_perf_heffte_request {
    int kind, is_float, algorithm, use_reorder, use_pencils;
    int in_low[3], in_high[3], out_low[3], out_high[3], out_order[3];
    unsigned effort;
    int wants[2];   /* whether to plan the direction */
    void *array[2]; /* its input, which is the output of the other direction; planning may overwrite it */
    size_t bytes;   /* of each array */
};

struct sx_perf_heffte_plan;

/* Create a plan with its own work space; NULL if this fails. Collective. */
struct sx_perf_heffte_plan *sx_perf_heffte_create(const struct sx_perf_heffte_request *request,
                                                  MPI_Comm comm);
int sx_perf_heffte_execute(struct sx_perf_heffte_plan *plan, int is_backward, const void *in, void *out);
void sx_perf_heffte_free(struct sx_perf_heffte_plan *plan);

#ifdef __cplusplus
}
#endif

#endif /* SX_PERF_FFT_HEFFTE_H */
