/* cufft_plan.cu - the library that cufft.h describes. */
#include "fft/cufft.h"
#include <cstdlib>
#include <cufft.h>
#include <cufftXt.h>

namespace {

enum { NDIMS_MAX = 3 };

struct plan {
    cufftHandle handle;
    int direction;
};

cufftType get_type(const struct sx_perf_cufft_request *r)
{
    if (!r->is_real)
        return r->is_float ? CUFFT_C2C : CUFFT_Z2Z;
    if (r->is_backward)
        return r->is_float ? CUFFT_C2R : CUFFT_Z2D;
    return r->is_float ? CUFFT_R2C : CUFFT_D2Z;
}

/* An array is embedded in lengths of which cuFFT does not read the first. Only rows can have gaps. */
cufftResult make(const struct sx_perf_cufft_request *r, cufftHandle handle)
{
    long long n[NDIMS_MAX], embed[2][NDIMS_MAX], volume[2] = {1, 1};
    size_t work = 0;
    const int last = r->ndims - 1, from = r->is_backward;
    for (int a = 0; a < r->ndims; a++)
        n[a] = embed[0][a] = embed[1][a] = r->sizes[a];
    embed[0][last] = r->row;
    embed[1][last] = r->is_real ? n[last] / 2 + 1 : n[last];
    for (int side = 0; side < 2; side++)
        for (int a = 0; a < r->ndims; a++)
            volume[side] *= embed[side][a];
    return cufftMakePlanMany64(handle, r->ndims, n, embed[from], 1, volume[from], embed[!from], 1, volume[!from],
                               get_type(r), 1, &work);
}

void *create(const struct sx_perf_cufft_request *r)
{
    plan *p = static_cast<plan *>(calloc(1, sizeof *p));
    if (!p || r->ndims > NDIMS_MAX || cufftCreate(&p->handle) != CUFFT_SUCCESS) {
        free(p);
        return nullptr;
    }
    p->direction = r->is_backward ? CUFFT_INVERSE : CUFFT_FORWARD;
    if (make(r, p->handle) == CUFFT_SUCCESS)
        return p;
    cufftDestroy(p->handle);
    free(p);
    return nullptr;
}

int execute(void *plan_of_ours, void *in, void *out)
{
    const plan *p = static_cast<const plan *>(plan_of_ours);
    return cufftXtExec(p->handle, in, out, p->direction) != CUFFT_SUCCESS || cudaDeviceSynchronize() != cudaSuccess;
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
