/* factored_axis.c - the factors between the two transforms of a factored axis of length N = N0 x N1 (Bailey
 * 1990). Entry k of axis 0 and element j of axis 1 have the factor exp(-2 pi i k j / N). A kernel computes
 * the factors. fft/fused/factored_axis.c does the same for the host, with tables. */
#include "offload/offload.h"

int sx_offload_has_twiddles(subx_fft_plan plan, int i)
{
    const sx_stage *s = &plan->stage[i];
    return plan->choice.array.factored && s->naxes == 1 && s->axes[0] == 0;
}

int sx_offload_multiply_twiddles(subx_fft_plan plan, int i, int d, void *x)
{
    const sx_offload *a = plan->state;
    const sx_array *array = &plan->choice.array;
    const sx_box *b = &plan->stage[i].to;
    sx_device_product p = {.what = SX_DEVICE_ROOTS,
                           .real_bytes = sx_base_fit(array->real_bytes),
                           .width = b->width,
                           .is_conjugate = d == SX_BACKWARD,
                           .nlevels = b->ndims,
                           .count = 1,
                           .circle = array->axis[0].n * array->axis[1].n};
    for (int k = 0; k < b->ndims; k++) {
        const int axis = b->order[k];
        p.n[k] = b->len[axis];
        p.stride[k] = b->stride[axis] * b->width;
        p.first[k] = axis == array->fields ? -1 : b->start[axis];
        p.count *= b->len[axis];
    }
    return p.count == 0 ? SUBX_ERR_NONE : a->device->multiply(a->stream, &p, NULL, x);
}
