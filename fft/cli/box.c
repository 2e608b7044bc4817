/* box.c - the block of a global array that a rank owns, and how to walk it in storage order. */
#include "cli/cli.h"

ptrdiff_t sx_cli_box_volume(int ndims, const ptrdiff_t n[])
{
    ptrdiff_t volume = 1;
    for (int a = 0; a < ndims; a++)
        volume *= n[a];
    return volume;
}

int sx_cli_box_get(subx_fft_plan plan, int side, struct sx_cli_box *box)
{
    int kind, code = subx_fft_plan_get(plan, &kind, &box->ndims, box->n, NULL, NULL);
    int half = kind != SUBX_FFT_C2C, last = box->ndims - 1;
    if (code == MPI_SUCCESS)
        code = subx_fft_plan_get_local(plan, side, box->shape, box->start, box->order, &box->alloc_bytes);
    if (code != MPI_SUCCESS)
        return sx_cli_fail_set_code(code, "cannot ask the plan for its arrays");
    box->reals = half && side == SUBX_FFT_PHYSICAL ? 1 : 2;
    if (half && side == SUBX_FFT_SPECTRAL)
        box->n[last] = box->n[last] / 2 + 1;
    box->count = sx_cli_box_volume(box->ndims, box->shape);
    return SX_CLI_OK;
}

int sx_cli_box_start(const struct sx_cli_box *box, ptrdiff_t index[])
{
    for (int a = 0; a < box->ndims; a++)
        index[a] = box->start[a];
    return box->count > 0;
}

int sx_cli_box_next(const struct sx_cli_box *box, ptrdiff_t index[])
{
    for (int i = 0; i < box->ndims; i++) {
        int a = box->order[i];
        if (++index[a] < box->start[a] + box->shape[a])
            return 1;
        index[a] = box->start[a];
    }
    return 0;
}

ptrdiff_t sx_cli_box_linear(int ndims, const ptrdiff_t n[], const ptrdiff_t index[])
{
    ptrdiff_t linear = 0;
    for (int a = 0; a < ndims; a++)
        linear = linear * n[a] + index[a];
    return linear;
}
