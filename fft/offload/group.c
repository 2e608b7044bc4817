/* group.c - which axes of a stage the device transforms at once. A device needs fewer passes over an array, and fewer
 * kernels, if it transforms several axes in one call. It can do so if the axes are nested on both sides (sx_device_fft).
 * The last axis must be contiguous, because cuFFT is slow for other ones: 512 transforms of 512 x 512 whose elements are
 * interleaved take 18.5 ms, 2.1 ms if they lie one after the other, and 4.0 ms for the middle axis alone (H200, cuFFT
 * 12.0).
 *
 * A call of the device has one loop over pencils. If the two sides are stored in different orders, several loops may be
 * left, and so many calls. Then the transform is in place on one side, where fewer loops are left, and a permuting copy
 * leads from the one side to the other. */
#include "offload/offload.h"

static int is_real(const sx_serial_problem *p)
{
    return p->kind == SUBX_FFT_R2C || p->kind == SUBX_FFT_C2R;
}

/* Order the axes by their strides, the largest first. The axis that a real transform halves stays the last one. */
static void sort_axes(sx_serial_problem *p)
{
    for (int end = p->naxes - is_real(p); end > 1; end--)
        for (int k = 1; k < end; k++)
            if (p->axis[k - 1].is < p->axis[k].is) {
                const sx_serial_dim less = p->axis[k - 1];
                p->axis[k - 1] = p->axis[k];
                p->axis[k] = less;
            }
}

/* Get the number of elements of an axis on a side. */
static ptrdiff_t get_length(const sx_serial_problem *p, int axis, int side)
{
    const int is_halved = is_real(p) && axis == p->naxes - 1 && sx_serial_get_width(p->kind, side) == 2;
    return is_halved ? sx_serial_get_half(p->axis[axis].n) : p->axis[axis].n;
}

static int is_multiple(ptrdiff_t outer, ptrdiff_t inner, ptrdiff_t length)
{
    return inner > 0 && outer % inner == 0 && outer / inner >= length;
}

static int is_nested(const sx_serial_problem *p)
{
    const sx_serial_dim *last = &p->axis[p->naxes - 1];
    if (last->is != 1 || last->os != 1)
        return 0;
    for (int k = 1; k < p->naxes; k++)
        if (!is_multiple(p->axis[k - 1].is, p->axis[k].is, get_length(p, k, SX_FROM)) ||
            !is_multiple(p->axis[k - 1].os, p->axis[k].os, get_length(p, k, SX_TO)))
            return 0;
    return 1;
}

int sx_offload_get_group(const sx_serial_problem *p, int done, sx_serial_problem *group, int *place)
{
    const int left = p->naxes - done;
    int n = left < SX_DEVICE_NAXES_MAX ? left : SX_DEVICE_NAXES_MAX;
    for (;; n--) {
        *place = sx_serial_get_axes(p, p->kind == SUBX_FFT_C2R ? done : left - n, n, group);
        sort_axes(group);
        if (n == 1 || is_nested(group))
            return n;
    }
}

int sx_offload_has_aligned_calls(const sx_serial_problem *p)
{
    int place;
    sx_serial_problem group;
    for (int done = 0; done < p->naxes;) {
        done += sx_offload_get_group(p, done, &group, &place);
        if (!sx_offload_is_aligned(&group))
            return 0;
    }
    return 1;
}

/* ---- copies */

static void set_in_place(sx_serial_dim *d, int side)
{
    if (side == SX_FROM)
        d->os = d->is;
    else
        d->is = d->os;
}

/* Get the transform in place on a side. */
static sx_serial_problem get_in_place(const sx_serial_problem *p, int side)
{
    sx_serial_problem q = *p;
    for (int k = 0; k < q.naxes; k++)
        set_in_place(&q.axis[k], side);
    for (int l = 0; l < q.nloops; l++)
        set_in_place(&q.loop[l], side);
    q.keep_input = 0;
    return q;
}

/* Get the copy from the input to the output. Its levels are in the order of the output: adjacent threads write adjacent
 * elements. */
static sx_device_nest get_copy(const sx_serial_problem *p)
{
    sx_serial_dim dim[2 * SUBX_NDIMS_MAX];
    int n = 0;
    for (int k = 0; k < p->naxes + p->nloops; k++) {
        const sx_serial_dim d = k < p->naxes ? p->axis[k] : p->loop[k - p->naxes];
        int at = n++;
        for (; at > 0 && dim[at - 1].os > d.os; at--)
            dim[at] = dim[at - 1];
        dim[at] = d;
    }
    const ptrdiff_t bytes = 2 * sx_serial_get_real_bytes(p->precision);
    sx_device_nest nest = sx_device_nest_create(bytes);
    for (int k = 0; k < n; k++)
        sx_device_nest_add(&nest, dim[k].n, dim[k].is * bytes, dim[k].os * bytes);
    return nest;
}

int sx_offload_split(sx_serial_problem *p, sx_device_nest *copy)
{
    int best = -1;
    ptrdiff_t least = sx_offload_count_calls(p) / SX_OFFLOAD_CALLS_WORTH_A_COPY;
    for (int side = 0; side < 2 && p->kind == SUBX_FFT_C2C; side++) {
        const sx_serial_problem q = get_in_place(p, side);
        const ptrdiff_t calls = sx_offload_count_calls(&q);
        if (calls > least || (side == SX_FROM && p->keep_input))
            continue;
        least = calls - 1;
        best = side;
    }
    if (best < 0)
        return SX_OFFLOAD_NO_COPY;
    *copy = get_copy(p);
    *p = get_in_place(p, best);
    return best == SX_FROM ? SX_OFFLOAD_COPY_AFTER : SX_OFFLOAD_COPY_BEFORE;
}
