/* heffte.h - what heffte.c asks of heFFTe, which is C++, by way of heffte_plan.cc. */
#ifndef SX_PERF_FFT_HEFFTE_H
#define SX_PERF_FFT_HEFFTE_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* heFFTe's axis 0 is the fastest in C order. The first and last numbers of this rank's boxes, the order in
 * which the output's axes lie in memory, FFTW's flags; the options have heFFTe's names, and numbers. */
struct sx_perf_heffte_request {
    int is_real, algorithm, use_reorder, use_pencils;
    int in_low[3], in_high[3], out_low[3], out_high[3], out_order[3];
    unsigned effort;
    void *in, *out; /* arrays that may be overwritten now, */
    size_t bytes;   /* and the size of each */
};

struct sx_perf_heffte_plan;

/* A plan with a work space of its own, or NULL. Collective. */
struct sx_perf_heffte_plan *sx_perf_heffte_create(const struct sx_perf_heffte_request *request,
                                                  MPI_Comm comm);
int sx_perf_heffte_execute(struct sx_perf_heffte_plan *plan, const void *in, void *out);
void sx_perf_heffte_free(struct sx_perf_heffte_plan *plan);

#ifdef __cplusplus
}
#endif

#endif /* SX_PERF_FFT_HEFFTE_H */
