/* accfft.h - functions of accfft_plan.cc for accfft.c: AccFFT is a C++ library. */
#ifndef SX_PERF_FFT_ACCFFT_H
#define SX_PERF_FFT_ACCFFT_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A problem on a grid of two dimensions, the second of which may be 1, with this rank's lengths and first
 * indices. */
struct sx_perf_accfft_problem {
    int is_real, is_float, sizes[3], grid[2];
    int in_len[3], in_start[3], out_len[3], out_start[3];
};

struct sx_perf_accfft_plan;

void sx_perf_accfft_start(void);
void sx_perf_accfft_finish(void);

/* Set the lengths and first indices of this rank. Returns the bytes that each array must have. Collective. */
int sx_perf_accfft_get_local(struct sx_perf_accfft_problem *problem, MPI_Comm comm);

/* `effort` is the effort of AccFFT's search for an exchange: 1 estimates, 2 measures. A plan has both
 * directions, between the array of the physical side and the array of the spectral side. Collective. */
struct sx_perf_accfft_plan *sx_perf_accfft_create(struct sx_perf_accfft_problem *problem, unsigned effort,
                                                  void *const array[2], MPI_Comm comm);
void sx_perf_accfft_execute(struct sx_perf_accfft_plan *plan, int is_backward);
void sx_perf_accfft_free(struct sx_perf_accfft_plan *plan);

#ifdef __cplusplus
}
#endif

#endif /* SX_PERF_FFT_ACCFFT_H */
