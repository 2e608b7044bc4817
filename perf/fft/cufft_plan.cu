/* cufft_plan.cu - the library that cufft.h describes. */
#include "fft/cufft.h"
#include <cstdlib>
#include <cufft.h>

namespace {

enum { NDIMS_MAX = 3 };

struct plan {
    cufftHandle handle;
    int is_real;
};

void *create(int is_real, int ndims, const ptrdiff_t sizes[])
{
    long long n[NDIMS_MAX];
    size_t work = 0;
    plan *p = static_cast<plan *>(calloc(1, sizeof *p));
    if (!p || ndims > NDIMS_MAX || cufftCreate(&p->handle) != CUFFT_SUCCESS) {
        free(p);
        return nullptr;
    }
    p->is_real = is_real;
    for (int a = 0; a < ndims; a++)
        n[a] = sizes[a];
    if (cufftMakePlanMany64(p->handle, ndims, n, nullptr, 1, 0, nullptr, 1, 0, is_real ? CUFFT_D2Z : CUFFT_Z2Z, 1,
                            &work) == CUFFT_SUCCESS)
        return p;
    cufftDestroy(p->handle);
    free(p);
    return nullptr;
}

int execute(void *plan_of_ours, void *in, void *out)
{
    const plan *p = static_cast<const plan *>(plan_of_ours);
    const cufftResult r =
        p->is_real ? cufftExecD2Z(p->handle, static_cast<cufftDoubleReal *>(in), static_cast<cufftDoubleComplex *>(out))
                   : cufftExecZ2Z(p->handle, static_cast<cufftDoubleComplex *>(in),
                                  static_cast<cufftDoubleComplex *>(out), CUFFT_FORWARD);
    return r != CUFFT_SUCCESS || cudaDeviceSynchronize() != cudaSuccess;
}

void free_plan(void *plan_of_ours)
{
    plan *p = static_cast<plan *>(plan_of_ours);
    cufftDestroy(p->handle);
    free(p);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const struct sx_perf_cufft sx_perf_cufft;
const struct sx_perf_cufft sx_perf_cufft = {create, execute, free_plan};
