/* fftw3.c - FFTW's copy: a guru plan that transforms no axis, and whose loops are the axes. It copies doubles, so it
 * cannot copy elements of 4 bytes. */
#include "kern/kern.h"

#include <fftw3.h>

enum { REAL = sizeof(double), COMPLEX = 2 * sizeof(double) };

/* Set a loop per axis, from the outermost to the innermost axis of the result. If an element has several units of
 * `unit` bytes, a last loop is over these units. Strides are in units. Returns the number of loops. */
static int set_loops(const struct sx_perf_kern_copy *copy, ptrdiff_t unit, fftw_iodim64 loop[])
{
    int d = copy->shape.ndims, nloops = d;
    ptrdiff_t is[SX_PERF_KERN_NDIMS_MAX], s = copy->element_bytes / unit, os = s;
    if (s > 1)
        loop[nloops++] = (fftw_iodim64){s, 1, 1};
    for (int a = d - 1; a >= 0; a--) {
        is[a] = s;
        s *= copy->shape.n[a];
    }
    for (int i = 0; i < d; i++) {
        int a = copy->order[i];
        loop[d - 1 - i] = (fftw_iodim64){copy->shape.n[a], is[a], os};
        os *= copy->shape.n[a];
    }
    return nloops;
}

static void *create(const struct sx_perf_kern_copy *copy)
{
    fftw_iodim64 loop[SX_PERF_KERN_NDIMS_MAX + 1];
    void *in = copy->in, *out = copy->out;
    if (copy->element_bytes == REAL)
        return fftw_plan_guru64_r2r(0, NULL, set_loops(copy, REAL, loop), loop, in, out, NULL, FFTW_MEASURE);
    if (copy->element_bytes % COMPLEX == 0)
        return fftw_plan_guru64_dft(0, NULL, set_loops(copy, COMPLEX, loop), loop, in, out, FFTW_FORWARD,
                                    FFTW_MEASURE);
    return NULL;
}

static int execute(void *plan)
{
    fftw_execute(plan);
    return MPI_SUCCESS;
}

static void free_plan(void *plan)
{
    fftw_destroy_plan(plan);
}

const struct sx_perf_kern_library sx_perf_kern_fftw3 = {"fftw3", create, execute, free_plan};
