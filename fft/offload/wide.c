/* wide.c - wide stages, in which an axis has fewer points or modes than the length of its transform. Each axis is transformed
 * in a buffer where it has its full length. One copy cuts the axis that was transformed before, and brings the next axis to
 * its full length:
 *
 *     from --copy--> wide[0] --transform 0--> wide[0] --copy--> wide[1] --transform 1--> wide[1] --copy--> to
 *
 * subx_fft_problem_set_modes tells which entries exist; fft/pass/modes.c does the same for the host. */
#include "offload/offload.h"
#include <string.h>

/* The lengths and strides of an array without gaps, or of a box. */
typedef struct shape {
    int ndims, width;
    ptrdiff_t len[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX];
} shape;

/* The maps of a copy, and which axis each map changes. */
typedef struct cuts {
    int n, axis[2];
    sx_device_map map[2];
} cuts;

/* ---- maps */

static int is_cut(const sx_axis *x)
{
    return x->points < x->n || x->modes < x->n;
}

/* Which entries of an axis exist on a side: the first `low` and the last `high` of n entries. */
typedef struct extent {
    ptrdiff_t n, low, high;
    ptrdiff_t edge; /* modes/2 if this entry also stands for the frequency -modes/2; else -1 */
} extent;

static extent get_extent(const sx_axis *x, int side)
{
    const ptrdiff_t m = x->modes, low = m / 2 + 1, edge = m < x->n && m % 2 == 0 ? m / 2 : -1;
    if (side == SUBX_FFT_PHYSICAL)
        return (extent){x->n, x->points, 0, -1};
    if (x->kind == SUBX_FFT_R2C)
        return (extent){sx_serial_get_half(x->n), low, 0, edge};
    return m == x->n ? (extent){x->n, m, 0, -1} : (extent){x->n, low, m - low, edge};
}

/* Get the map of a copy that brings an axis to its full length. If an entry stands for two frequencies, each of the two
 * gets half of its value. */
static sx_device_map widen(const sx_axis *x, int side)
{
    const extent e = get_extent(x, side);
    sx_device_map m = {
        .low = e.low, .second = e.n - e.high, .edge = e.edge, .mirror = -1, .other = -1, .weight = 0.5};
    m.shift = e.low + e.high - e.n;
    if (e.edge >= 0 && x->kind == SUBX_FFT_C2C)
        m.mirror = x->n - e.edge;
    return m;
}

/* Get the map of a copy that cuts an axis. If an entry stands for two frequencies, it gets the sum of the two values.
 * R2C has only one of the two values, which is doubled. */
static sx_device_map narrow(const sx_axis *x, int side)
{
    const extent e = get_extent(x, side);
    sx_device_map m = {.low = e.low, .second = e.low, .edge = e.edge, .mirror = -1, .other = -1, .weight = 1};
    m.shift = e.n - e.low - e.high;
    if (e.edge >= 0 && x->kind == SUBX_FFT_C2C)
        m.other = x->n - e.edge;
    else if (e.edge >= 0)
        m.weight = 2;
    return m;
}

static void add_cut(cuts *c, const sx_axis *x, int axis, const sx_device_map *map)
{
    if (!is_cut(x))
        return;
    c->axis[c->n] = axis;
    c->map[c->n++] = *map;
}

/* ---- copies */

static shape get_shape(const sx_box *b)
{
    shape s = {.ndims = b->ndims, .width = b->width};
    memcpy(s.len, b->len, sizeof s.len);
    memcpy(s.stride, b->stride, sizeof s.stride);
    return s;
}

/* Set the strides of an array without gaps. Returns the bytes that the array has if its reals are doubles, the longest
 * reals of devices. */
static ptrdiff_t set_strides(shape *s, const int order[])
{
    ptrdiff_t count = 1;
    for (int k = 0; k < s->ndims; k++) {
        s->stride[order[k]] = count;
        count *= s->len[order[k]];
    }
    return count * s->width * (ptrdiff_t)sizeof(double);
}

/* Describe a copy with maps for the device. The levels of its loop nest have the storage order of the written array. */
static sx_device_fix make_fix(int real_bytes, const shape *from, const shape *to, const int order[],
                              const cuts *c)
{
    sx_device_fix f = {.real_bytes = real_bytes, .width = to->width, .count = 1, .factor = 1};
    for (int k = 0; k < to->ndims; k++) {
        const int axis = order[k], level = f.nlevels++;
        f.n[level] = to->len[axis];
        f.from[level] = from->stride[axis] * from->width;
        f.to[level] = to->stride[axis] * to->width;
        f.count *= to->len[axis];
        for (int i = 0; i < c->n; i++)
            if (c->axis[i] == axis) {
                f.map[f.nmaps] = c->map[i];
                f.map[f.nmaps++].level = level;
            }
    }
    return f;
}

/* ---- steps */

static void set_problem(subx_fft_plan plan, const shape *in, const shape *out, int axis, int d,
                        sx_serial_problem *p)
{
    const sx_axis *x = &plan->choice.array.axis[axis];
    *p = (sx_serial_problem){.precision = plan->choice.array.precision,
                             .kind = sx_serial_get_kind(x->kind, d),
                             .direction = d == SX_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD,
                             .naxes = 1,
                             .any_alignment = 1};
    p->axis[0] = (sx_serial_dim){x->n, in->stride[axis], out->stride[axis]};
    for (int i = 0; i < in->ndims; i++)
        if (i != axis && in->len[i] != 1)
            p->loop[p->nloops++] = (sx_serial_dim){in->len[i], in->stride[i], out->stride[i]};
}

/* Set the shape of the array that the transform of an axis reads (in), and of the array that it writes (out). Returns
 * the bytes of the larger array. */
static ptrdiff_t set_shapes(const sx_axis *x, int axis, int d, const int order[], const shape *from,
                            shape *in, shape *out)
{
    const int is_real = x->kind == SUBX_FFT_R2C;
    *in = *from;
    in->len[axis] = get_extent(x, d == SX_FORWARD ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL).n;
    *out = *in;
    out->len[axis] = get_extent(x, d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL).n;
    out->width = !is_real ? in->width : d == SX_FORWARD ? 2 : 1;
    const ptrdiff_t read = set_strides(in, order), written = set_strides(out, order);
    return read > written ? read : written;
}

static void set_steps(subx_fft_plan plan, int i, int d, sx_offload_wide *w, ptrdiff_t *bytes)
{
    const sx_stage *s = &plan->stage[i];
    const sx_box *first = sx_stage_get_box(s, d, SX_FROM), *last = sx_stage_get_box(s, d, SX_TO);
    const int real_bytes = sx_base_fit(plan->choice.array.real_bytes);
    shape at = get_shape(first), in, out;
    cuts c = {0};
    for (int k = 0; k < s->naxes; k++) {
        const int axis = s->axes[d == SX_FORWARD ? k : s->naxes - 1 - k];
        const sx_axis *x = &plan->choice.array.axis[axis];
        const sx_device_map wider = widen(x, d == SX_FORWARD ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL);
        const sx_device_map narrower = narrow(x, d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL);
        const ptrdiff_t most = set_shapes(x, axis, d, first->order, &at, &in, &out);
        *bytes = most > *bytes ? most : *bytes;
        add_cut(&c, x, axis, &wider);
        w->step[k].copy = make_fix(real_bytes, &at, &in, first->order, &c);
        w->step[k].is_in_place = in.width == out.width;
        set_problem(plan, &in, &out, axis, d, &w->step[k].problem);
        c.n = 0;
        add_cut(&c, x, axis, &narrower);
        at = out;
        at.len[axis] = last->len[axis];
    }
    out = get_shape(last);
    w->last = make_fix(real_bytes, &at, &out, last->order, &c);
    w->nsteps = s->naxes;
}

int sx_offload_create_wide(subx_fft_plan plan, int i, int d)
{
    sx_offload *a = plan->state;
    const sx_stage *s = &plan->stage[i];
    int is_wide = 0;
    for (int k = 0; k < s->naxes; k++)
        is_wide |= is_cut(&plan->choice.array.axis[s->axes[k]]);
    if (!is_wide || s->from.bytes == 0 || s->to.bytes == 0)
        return MPI_SUCCESS;
    sx_offload_wide *w = sx_base_alloc(1, sizeof *w + (size_t)s->naxes * sizeof *w->step);
    if (!w)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    a->stage[i].wide[d] = w;
    set_steps(plan, i, d, w, &a->wide_bytes);
    return MPI_SUCCESS;
}

int sx_offload_create_wide_transforms(const sx_offload *a, sx_offload_wide *w)
{
    int kind = SUBX_ERR_NONE;
    for (int k = 0; k < w->nsteps && !kind; k++)
        kind = sx_offload_create_transform(a, &w->step[k].problem, w->step[k].is_in_place,
                                           &w->step[k].transform);
    return subx_error_get_code(kind);
}

void sx_offload_free_wide(const sx_offload *a, sx_offload_wide *w)
{
    for (int k = 0; w && k < w->nsteps; k++)
        a->device->free_transform(w->step[k].transform);
    sx_base_free(w);
}

int sx_offload_execute_wide(const sx_offload *a, const sx_offload_wide *w, const void *in, void *out,
                            double factor)
{
    const void *from = in;
    int at = 0, kind = SUBX_ERR_NONE;
    for (int k = 0; k < w->nsteps && !kind; k++) {
        const sx_offload_step *s = &w->step[k];
        void *const wide = a->wide[at], *const result = a->wide[s->is_in_place ? at : !at];
        kind = a->device->fix(a->stream, &s->copy, from, wide);
        kind = kind ? kind : a->device->transform(a->stream, s->transform, wide, result);
        at = result != a->wide[1];
        from = result;
    }
    sx_device_fix last = w->last;
    last.factor = factor;
    return kind ? kind : a->device->fix(a->stream, &last, from, out);
}
