/* group.c - how a device transforms the axes of a stage.
 *
 * A device needs fewer passes over an array, and fewer kernels, if it transforms several axes in one call. It
 * can do so if the axes are nested on both sides (sx_device_fft). The last axis must be contiguous, because
 * cuFFT is slow for other ones: 512 transforms of 512 x 512 whose elements are interleaved take 18.5 ms, and
 * 2.1 ms if they lie one after the other (H200, cuFFT 12.0).
 *
 * A call of the device has one loop over pencils. Interleaved fields, different orders on the two sides, or a
 * middle axis may leave several loops, and so many calls: the middle axis of 512^3 takes 12.7 ms in 512
 * calls, and 3.3 ms with copies to and from a buffer, where it takes one call. So copies may save more time
 * than they take. These are the ways:
 *
 *     DIRECT        from --transform--> to
 *     COPY_AFTER    from --transform--> from --copy--> to
 *     COPY_BEFORE   from --copy--> to --transform--> to
 *     BUFFERS       from --copy--> buffer --transform--> buffer --copy--> to        (wide.c) */
#include "offload/offload.h"

static int is_real(const sx_serial_problem *p)
{
    return p->kind == SUBX_FFT_R2C || p->kind == SUBX_FFT_C2R;
}

/* Order the axes by their strides, the largest first. The axis that a real transform halves stays the last
 * one. */
static void sort_axes(sx_serial_problem *p)
{
    for (int end = p->naxes - is_real(p); end > 1; end--)
        for (int k = 1; k < end; k++)
            if (p->axis[k - 1].is < p->axis[k].is) {
                const sx_dim less = p->axis[k - 1];
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
    const sx_dim *last = &p->axis[p->naxes - 1];
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

/* Count the calls of the vendor's library for all axes of a problem. */
static ptrdiff_t count_all_calls(const sx_serial_problem *p)
{
    ptrdiff_t calls = 0;
    int place;
    sx_serial_problem group;
    for (int done = 0; done < p->naxes;) {
        done += sx_offload_get_group(p, done, &group, &place);
        calls += sx_offload_count_calls(&group);
    }
    return calls;
}

/* ---- copies */

/* Get the transform in place on a side. */
static sx_serial_problem get_in_place(const sx_serial_problem *p, int side)
{
    sx_serial_problem q = sx_serial_get_placed(p, side == SX_FROM ? SX_SERIAL_ON_INPUT : SX_SERIAL_ON_OUTPUT);
    q.keep_input = 0;
    return q;
}

sx_device_nest sx_offload_get_copy(const sx_serial_problem *p)
{
    sx_dim dim[2 * SUBX_NDIMS_MAX];
    int n = 0;
    for (int k = 0; k < p->naxes + p->nloops; k++) {
        const sx_dim d = k < p->naxes ? p->axis[k] : p->loop[k - p->naxes];
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

/* ---- ways */

/* Get the bytes of the complex array of a problem. */
static ptrdiff_t get_bytes(const sx_serial_problem *p)
{
    ptrdiff_t bytes = 2 * sx_serial_get_real_bytes(p->precision);
    for (int k = 0; k < p->naxes; k++)
        bytes *= get_length(p, k, p->kind == SUBX_FFT_R2C ? SX_TO : SX_FROM);
    for (int l = 0; l < p->nloops; l++)
        bytes *= p->loop[l].n;
    return bytes;
}

/* Get the price of a way: the bytes that its copies copy. A call, also that of a copy, takes as long as a
 * copy of SX_OFFLOAD_CALL_BYTES. */
static double get_price(const sx_serial_problem *p, int ncopies, ptrdiff_t ncalls)
{
    return (double)ncopies * (double)get_bytes(p) + (double)(ncopies + ncalls) * SX_OFFLOAD_CALL_BYTES;
}

/* Keep the cheaper one of two ways. */
static void compare_way(int way, double price, int *best, double *least)
{
    if (price >= *least)
        return;
    *best = way;
    *least = price;
}

static int count_buffers(const sx_serial_problem *p)
{
    return (p->naxes + SX_DEVICE_NAXES_MAX - 1) / SX_DEVICE_NAXES_MAX;
}

int sx_offload_get_way(const sx_serial_problem *p, int is_in_place, sx_serial_problem *inside)
{
    const int copies = p->kind == SUBX_FFT_C2C && !is_in_place;
    int way = SX_OFFLOAD_DIRECT;
    double least = get_price(p, 0, count_all_calls(p));
    *inside = *p;
    for (int side = 0; side < 2 && copies; side++) {
        const sx_serial_problem q = get_in_place(p, side);
        if (side == SX_TO || !p->keep_input)
            compare_way(side == SX_FROM ? SX_OFFLOAD_COPY_AFTER : SX_OFFLOAD_COPY_BEFORE,
                        get_price(p, 1, count_all_calls(&q)), &way, &least);
    }
    if (p->naxes > 0)
        compare_way(SX_OFFLOAD_BUFFERS, get_price(p, 2, count_buffers(p)), &way, &least);
    if (way == SX_OFFLOAD_COPY_AFTER || way == SX_OFFLOAD_COPY_BEFORE)
        *inside = get_in_place(p, way == SX_OFFLOAD_COPY_AFTER ? SX_FROM : SX_TO);
    return way;
}
