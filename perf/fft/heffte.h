/* heffte.h - functions of heffte_plan.cc for heffte.c: heFFTe is a C++ library. */
#ifndef SX_PERF_FFT_HEFFTE_H
#define SX_PERF_FFT_HEFFTE_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In C order heFFTe's axis 0 is the fastest. A request has the first and last indices of this rank's boxes, the storage
 * order of the output's axes, and FFTW's flags. The options have heFFTe's names and values. */
struct sx_perf_heffte_request {
    int is_real, algorithm, use_reorder, use_pencils;
    int in_low[3], in_high[3], out_low[3], out_high[3], out_order[3];
    unsigned effort;
    void *in, *out; /* arrays that may be overwritten during planning, */
    size_t bytes;   /* and the bytes of each */
};

struct sx_perf_heffte_plan;

/* Create a plan with its own work space; NULL if this fails. Collective. */
struct sx_perf_heffte_plan *sx_perf_heffte_create(const struct sx_perf_heffte_request *request,
                                                  MPI_Comm comm);
int sx_perf_heffte_execute(struct sx_perf_heffte_plan *plan, const void *in, void *out);
void sx_perf_heffte_free(struct sx_perf_heffte_plan *plan);

#ifdef __cplusplus
}
#endif

#endif /* SX_PERF_FFT_HEFFTE_H */
