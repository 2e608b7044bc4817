/* box.c - the block of a global array on a rank, and a walk through its elements in storage order. */
#include "cli/cli.h"

#include <string.h>

/* Add the axis of the fields, which the plan does not return. */
static void add_fields(const struct sx_cli_axes *axes, struct sx_cli_box *box)
{
    const int at = axes->fields, last = axes->ndims - 1, interleaved = at > 0;
    if (at < 0)
        return;
    for (int a = last; a > at; a--) {
        box->shape[a] = box->shape[a - 1];
        box->start[a] = box->start[a - 1];
    }
    box->shape[at] = axes->axis[at].size;
    box->start[at] = 0;
    if (interleaved)
        memmove(box->order + 1, box->order, (size_t)last * sizeof *box->order);
    for (int i = 0; i < last && !interleaved; i++)
        box->order[i]++;
    box->order[interleaved ? 0 : last] = at;
}

static void set_strides(const struct sx_cli_axes *axes, int is_padded, struct sx_cli_box *box)
{
    ptrdiff_t stride = 1;
    for (int i = 0; i < box->ndims; i++) {
        int a = box->order[i], padded = is_padded && axes->axis[a].kind == SUBX_FFT_R2C;
        box->stride[a] = stride;
        stride *= padded ? 2 * (box->shape[a] / 2 + 1) : box->shape[a];
    }
    box->has_gaps = is_padded;
}

/* If several ranks transform an array of one axis, the spectrum of transposed output is scrambled: entry k0 +
 * N0 k1 is stored at index N1 k0 + k1. N0 is the largest factor of the length N0 N1 that is at most the
 * square root of the length. */
static void set_scrambled(const struct sx_cli_job *job, struct sx_cli_box *box)
{
    const int a = job->axes.fields == 0;
    if (box->ndims - (job->axes.fields >= 0) > 1 || sx_cli_job_query_hint(job, "subx_grid", "1") ||
        job->axes.axis[a].kind == SUBX_FFT_NONE ||
        !sx_cli_job_query_hint(job, "subx_output_order", "transposed"))
        return;
    box->scrambled = a;
    for (ptrdiff_t f = 1; f * f <= box->n[a]; f++)
        if (box->n[a] % f == 0)
            box->factor[0] = f;
    box->factor[1] = box->n[a] / box->factor[0];
}

int sx_cli_box_get(const struct sx_cli_job *job, int side, struct sx_cli_box *box)
{
    const struct sx_cli_axes *axes = &job->axes;
    const int is_padded = side == SUBX_FFT_PHYSICAL && strstr(job->text, "/padded");
    int code =
        subx_fft_plan_get_local(job->plan, side, box->shape, box->start, box->order, &box->alloc_bytes);
    if (code != MPI_SUCCESS)
        return sx_cli_fail_set_code(code, "cannot ask the plan for its arrays");
    box->ndims = axes->ndims;
    box->reals = axes->reals[side];
    box->precision = axes->precision;
    box->scrambled = -1;
    for (int a = 0; a < box->ndims; a++)
        box->n[a] = sx_definition_get_length(&axes->axis[a], side);
    add_fields(axes, box);
    set_strides(axes, is_padded, box);
    if (side == SUBX_FFT_SPECTRAL)
        set_scrambled(job, box);
    box->count = sx_definition_get_volume(box->ndims, box->shape);
    return SX_CLI_OK;
}

static void set_index(const struct sx_cli_box *box, int a, struct sx_cli_cursor *cursor)
{
    ptrdiff_t index = box->start[a] + cursor->local[a];
    if (a == box->scrambled)
        index = index / box->factor[1] + index % box->factor[1] * box->factor[0];
    cursor->index[a] = index;
}

int sx_cli_box_start(const struct sx_cli_box *box, struct sx_cli_cursor *cursor)
{
    cursor->at = 0;
    for (int a = 0; a < box->ndims; a++) {
        cursor->local[a] = 0;
        set_index(box, a, cursor);
    }
    return box->count > 0;
}

int sx_cli_box_next(const struct sx_cli_box *box, struct sx_cli_cursor *cursor)
{
    for (int i = 0; i < box->ndims; i++) {
        int a = box->order[i];
        int more = ++cursor->local[a] < box->shape[a];
        cursor->at += more ? box->stride[a] : -(box->shape[a] - 1) * box->stride[a];
        cursor->local[a] *= more;
        set_index(box, a, cursor);
        if (more)
            return 1;
    }
    return 0;
}

void sx_cli_box_get_value(const struct sx_cli_box *box, const void *array, ptrdiff_t at, long double value[2])
{
    value[1] = 0;
    for (int i = 0; i < box->reals; i++)
        value[i] = sx_definition_get_real(box->precision, array, at * box->reals + i);
}

void sx_cli_box_set_value(const struct sx_cli_box *box, void *array, ptrdiff_t at, const long double value[2])
{
    for (int i = 0; i < box->reals; i++)
        sx_definition_set_real(box->precision, array, at * box->reals + i, value[i]);
}

ptrdiff_t sx_cli_box_linear(int ndims, const ptrdiff_t n[], const ptrdiff_t index[])
{
    ptrdiff_t linear = 0;
    for (int a = 0; a < ndims; a++)
        linear = linear * n[a] + index[a];
    return linear;
}
