/* wide.c - wide stages: an axis has fewer points or modes than the length of its transform, or it has a
 * transform that devices do not have, such as a DCT, or the caller's array has strides, or reals would be
 * read or written at addresses that the device's library refuses, or transforms without buffers would need
 * many calls (SX_OFFLOAD_BUFFERS). Each axis is transformed in a buffer, where it has the length and the
 * numbers that its transform needs. Up to three axes of plain Fourier transforms share a step, which
 * transforms them in one call. One copy makes the results of the step before, and the numbers of the next
 * step:
 *
 *     from --copy--> wide[0] --step 0--> wide[0] --copy--> wide[1] --step 1--> wide[1] --copy--> to
 *
 * subx_fft_problem_set_modes tells which entries exist; fft/pass/fixes.c does the same for the host.
 * Real-to-real kinds transform the real and the imaginary parts of complex data separately, so these parts
 * are apart in their buffers. */
#include "offload/offload.h"
#include <string.h>

/* An array: its lengths, and its strides in reals. If its data are complex, `parts` is 2, and the imaginary
 * part of a number is `apart` reals behind the real part. is_apart is 0 if the two parts are an element of a
 * transform, and so adjacent. */
typedef struct shape {
    int ndims, parts, is_apart;
    ptrdiff_t len[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX], apart;
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

static sx_extent get_extent(const sx_axis *x, int side)
{
    return sx_serial_get_extent(x->kind, x->n, x->points, x->modes, side);
}

/* Get the map of a copy that brings an axis to its full length. If an entry stands for two frequencies, each
 * of the two gets half of its value. */
static sx_device_map widen(const sx_axis *x, int side)
{
    const sx_extent e = get_extent(x, side);
    return (sx_device_map){.low = e.low,
                           .second = e.n - e.high,
                           .shift = e.low + e.high - e.n,
                           .edge = e.edge,
                           .mirror = e.other,
                           .other = -1,
                           .weight = 0.5};
}

/* Get the map of a copy that cuts an axis. If an entry stands for two frequencies, it gets the sum of the two
 * values. R2C and R2HC have only one of the two values, which is doubled. */
static sx_device_map get_cut_map(const sx_axis *x, int side)
{
    const sx_extent e = get_extent(x, side);
    return (sx_device_map){.low = e.low,
                           .second = e.low,
                           .shift = e.n - e.low - e.high,
                           .edge = e.edge,
                           .mirror = -1,
                           .other = e.other,
                           .weight = e.edge >= 0 && e.other < 0 ? 2 : 1};
}

static void add_map(cuts *c, const sx_axis *x, int axis, sx_device_map map, const sx_device_fold *fold)
{
    if (!is_cut(x) && !fold->rule)
        return;
    map.fold = *fold;
    c->axis[c->n] = axis;
    c->map[c->n++] = map;
}

/* ---- copies */

static shape get_shape(const sx_box *b)
{
    shape s = {.ndims = b->ndims, .parts = b->width, .apart = 1};
    memcpy(s.len, b->len, sizeof s.len);
    for (int k = 0; k < b->ndims; k++)
        s.stride[k] = b->stride[k] * b->width;
    return s;
}

/* The axes that a step transforms, innermost one in its buffer first. If one of them is halved, it is
 * axis[0]. */
typedef struct group {
    int n, axis[SX_DEVICE_NAXES_MAX];
} group;

static int has_axis(const group *g, int axis)
{
    for (int k = 0; k < g->n; k++)
        if (g->axis[k] == axis)
            return 1;
    return 0;
}

static void add_stride(shape *s, int axis, ptrdiff_t *count)
{
    s->stride[axis] = *count;
    *count *= s->len[axis];
}

/* Set the strides of an array without gaps, with elements of `unit` reals. Several transformed axes become
 * the innermost ones. A single one becomes the outermost one, also outside of the parts, unless it is the
 * innermost one already. In all cases the loops over transforms are one batch. Returns the number of reals of
 * the array. */
static ptrdiff_t set_strides(shape *s, int unit, int is_apart, const group *g, const int order[])
{
    const int is_last = g->n == 1 && order[0] != g->axis[0];
    ptrdiff_t count = unit;
    for (int k = 0; k < g->n && !is_last; k++)
        add_stride(s, g->axis[k], &count);
    for (int k = 0; k < s->ndims; k++)
        if (!has_axis(g, order[k]))
            add_stride(s, order[k], &count);
    s->is_apart = is_apart;
    s->apart = is_apart ? count : 1;
    count *= is_apart ? s->parts : 1;
    if (is_last)
        add_stride(s, g->axis[0], &count);
    return count;
}

static void add_level(sx_device_fix *f, ptrdiff_t n, ptrdiff_t from, ptrdiff_t to)
{
    f->level[f->nlevels++] = (sx_dim){n, from, to};
    f->count *= n;
}

/* Add the maps of an axis, whose level is the last one. */
static void add_maps(sx_device_fix *f, const cuts *c, int axis)
{
    for (int i = 0; i < c->n; i++) {
        const sx_device_fold *fold = &c->map[i].fold;
        const int is_pair = fold->rule == SX_FOLD_HALF || fold->rule == SX_FOLD_QUARTER;
        if (c->axis[i] != axis)
            continue;
        f->map[f->nmaps] = c->map[i];
        f->map[f->nmaps++].level = f->nlevels - 1;
        f->makes |= is_pair && !fold->is_after;
        f->takes |= fold->is_after && fold->rule != SX_FOLD_NONE && fold->rule != SX_FOLD_EVENS;
    }
}

/* Describe a copy with maps for the device. The levels of its loop nest have the storage order of the written
 * array. If the parts of a complex number are apart in one of the arrays, they are one more level. */
static sx_device_fix make_fix(int real_bytes, const shape *from, const shape *to, const cuts *c)
{
    int order[SUBX_NDIMS_MAX];
    const int is_level = to->parts > 1 && (from->is_apart || to->is_apart);
    sx_device_fix f = {.real_bytes = real_bytes, .width = is_level ? 1 : to->parts, .count = 1, .factor = 1};
    sx_base_get_order(to->ndims, to->stride, order);
    if (is_level && !to->is_apart)
        add_level(&f, to->parts, from->apart, to->apart);
    for (int k = 0; k < to->ndims; k++) {
        add_level(&f, to->len[order[k]], from->stride[order[k]], to->stride[order[k]]);
        add_maps(&f, c, order[k]);
    }
    if (is_level && to->is_apart)
        add_level(&f, to->parts, from->apart, to->apart);
    return f;
}

/* ---- steps */

static int is_plain(const sx_axis *x)
{
    return !is_cut(x) && !sx_serial_is_r2r(x->kind);
}

/* Get the axis that is transformed as number k in a direction. */
static int get_axis(const sx_stage *s, int d, int k)
{
    return s->axes[d == SX_FORWARD ? k : s->naxes - 1 - k];
}

/* Get the axes of the next step, after `done` axes: up to three plain ones, or any single one. */
static group get_group(subx_fft_plan plan, const sx_stage *s, int d, int done, const int order[])
{
    const sx_array *a = &plan->choice.array;
    group next = {0}, g = {0};
    while (done < s->naxes && next.n < SX_DEVICE_NAXES_MAX) {
        const int axis = get_axis(s, d, done++), plain = is_plain(&a->axis[axis]);
        if (!plain && next.n > 0)
            break;
        next.axis[next.n++] = axis;
        if (!plain)
            break;
    }
    if (a->halved >= 0 && has_axis(&next, a->halved))
        g.axis[g.n++] = a->halved;
    for (int k = 0; k < a->ndims; k++)
        if (order[k] != a->halved && has_axis(&next, order[k]))
            g.axis[g.n++] = order[k];
    return g;
}

/* Set the problem of a step. r: the recipe of its axis number 0. Strides are in elements of the transform. */
static void set_problem(subx_fft_plan plan, const sx_offload_recipe *r, const shape *in, const shape *out,
                        const group *g, int d, sx_serial_problem *p)
{
    const int is_inverse =
        r->kind == SUBX_FFT_C2C ? d == SX_BACKWARD && !r->before.rule : r->kind == SUBX_FFT_C2R;
    const int *unit = r->unit;
    *p = (sx_serial_problem){.precision = plan->choice.array.precision,
                             .kind = r->kind,
                             .direction = is_inverse ? SUBX_FFT_BACKWARD : SUBX_FFT_FORWARD,
                             .any_alignment = 1};
    for (int k = g->n - 1; k >= 0; k--) {
        const int axis = g->axis[k];
        p->axis[p->naxes++] = (sx_dim){k == 0 ? r->n : in->len[axis], in->stride[axis] / unit[SX_FROM],
                                       out->stride[axis] / unit[SX_TO]};
    }
    for (int i = 0; i < in->ndims; i++)
        if (!has_axis(g, i) && in->len[i] != 1)
            p->loop[p->nloops++] =
                (sx_dim){in->len[i], in->stride[i] / unit[SX_FROM], out->stride[i] / unit[SX_TO]};
    if (in->is_apart && in->parts > 1)
        p->loop[p->nloops++] = (sx_dim){in->parts, in->apart / unit[SX_FROM], out->apart / unit[SX_TO]};
}

/* Set the shape of the array that a step reads (in), and of the array that it writes (out). x and r are its
 * axis number 0, and the recipe of this axis. Returns the number of reals of the larger array. */
static ptrdiff_t set_shapes(const sx_axis *x, const sx_offload_recipe *r, const group *g, const int order[],
                            const shape *from, shape *in, shape *out)
{
    const int is_apart = sx_serial_is_r2r(x->kind);
    *in = *from;
    in->len[g->axis[0]] = r->length[SX_FROM];
    *out = *in;
    out->len[g->axis[0]] = r->length[SX_TO];
    out->parts = is_apart ? in->parts : r->unit[SX_TO];
    const ptrdiff_t read = set_strides(in, r->unit[SX_FROM], is_apart, g, order);
    const ptrdiff_t written = set_strides(out, r->unit[SX_TO], is_apart, g, order);
    return read > written ? read : written;
}

static void set_steps(subx_fft_plan plan, int i, int d, sx_offload_wide *w, ptrdiff_t *reals)
{
    const sx_stage *s = &plan->stage[i];
    const sx_box *first = sx_stage_get_box(s, d, SX_FROM), *last = sx_stage_get_box(s, d, SX_TO);
    const int real_bytes = sx_base_fit(plan->choice.array.real_bytes),
              is_orthonormal = plan->choice.hints.scaling == SX_SCALE_ORTHONORMAL;
    shape at = get_shape(first), in, out;
    cuts c = {0};
    for (int done = 0; done < s->naxes;) {
        const group g = get_group(plan, s, d, done, first->order);
        const int axis = g.axis[0];
        const sx_axis *x = &plan->choice.array.axis[axis];
        const sx_offload_recipe r =
            sx_offload_get_recipe(sx_serial_get_kind(x->kind, d), x->n, is_orthonormal);
        const ptrdiff_t most = set_shapes(x, &r, &g, first->order, &at, &in, &out);
        sx_offload_step *step = &w->step[w->nsteps++];
        *reals = most > *reals ? most : *reals;
        add_map(&c, x, axis, widen(x, d == SX_FORWARD ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL), &r.before);
        step->copy = make_fix(real_bytes, &at, &in, &c);
        step->is_in_place = r.kind == SUBX_FFT_C2C;
        set_problem(plan, &r, &in, &out, &g, d, &step->problem);
        c.n = 0;
        add_map(&c, x, axis, get_cut_map(x, d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL),
                &r.after);
        at = out;
        at.len[axis] = last->len[axis];
        done += g.n;
    }
    out = get_shape(last);
    w->last = make_fix(real_bytes, &at, &out, &c);
    w->nbuffers = w->nsteps > 0 ? 1 + (w->nsteps > 1 || !w->step[0].is_in_place) : 0;
}

/* ---- stages */

int sx_offload_has_strides(subx_fft_plan plan, int side)
{
    return plan->choice.problem->storage[side].has_strides && !plan->choice.edge[side];
}

/* Query whether a stage reads or writes, in either direction, an array of the caller with strides of the
 * caller. */
static int has_strides(subx_fft_plan plan, int i)
{
    return (i == 0 && sx_offload_has_strides(plan, SUBX_FFT_PHYSICAL)) ||
           (i == plan->nstages - 1 && sx_offload_has_strides(plan, SUBX_FFT_SPECTRAL));
}

/* A stage without transforms only copies, and so does a wide stage without steps. */
static int is_wide(subx_fft_plan plan, int i, int d)
{
    const sx_stage *s = &plan->stage[i];
    if (has_strides(plan, i) || s->naxes == 0)
        return 1;
    for (int k = 0; k < s->naxes; k++) {
        const sx_axis *x = &plan->choice.array.axis[s->axes[k]];
        if (is_cut(x) || sx_serial_is_r2r(x->kind))
            return 1;
    }
    const sx_serial_problem p = sx_offload_get_problem(plan, i, d);
    sx_serial_problem inside;
    return !sx_offload_has_aligned_calls(&p) ||
           sx_offload_get_way(&p, sx_offload_is_in_place(plan, i, d), &inside) == SX_OFFLOAD_BUFFERS;
}

int sx_offload_create_wide(subx_fft_plan plan, int i, int d)
{
    sx_offload *a = plan->state;
    const sx_stage *s = &plan->stage[i];
    ptrdiff_t reals = 0;
    if (s->from.bytes == 0 || s->to.bytes == 0 || !is_wide(plan, i, d))
        return MPI_SUCCESS;
    sx_offload_wide *w = sx_base_alloc(1, sizeof *w + (size_t)s->naxes * sizeof *w->step);
    if (!w)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    a->stage[i].wide[d] = w;
    set_steps(plan, i, d, w, &reals);
    const ptrdiff_t bytes = reals * plan->choice.array.real_bytes;
    for (int k = 0; k < w->nbuffers; k++)
        a->wide_bytes[k] = bytes > a->wide_bytes[k] ? bytes : a->wide_bytes[k];
    return MPI_SUCCESS;
}

int sx_offload_scale_box(const sx_offload *a, int real_bytes, const sx_box *b, void *x, double factor)
{
    const shape s = get_shape(b);
    const cuts none = {0};
    sx_device_fix f = make_fix(real_bytes, &s, &s, &none);
    f.factor = factor;
    return a->device->fix(a->stream, &f, x, x);
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

/* Query whether a copy neither changes lengths nor computes. */
static int is_permutation(const sx_device_fix *f)
{
    return f->nmaps == 0 && f->factor == 1;
}

static sx_device_nest get_nest(const sx_device_fix *f)
{
    sx_device_nest nest = sx_device_nest_create((ptrdiff_t)f->real_bytes * f->width);
    for (int l = 0; l < f->nlevels; l++)
        sx_device_nest_add(&nest, f->level[l].n, f->level[l].is * f->real_bytes,
                           f->level[l].os * f->real_bytes);
    return nest;
}

static int copy(const sx_offload *a, const sx_device_fix *f, const void *from, void *to)
{
    const sx_device_nest nest = get_nest(f);
    return is_permutation(f) ? a->device->permute(a->stream, &nest, from, to)
                             : a->device->fix(a->stream, f, from, to);
}

int sx_offload_execute_wide(const sx_offload *a, const sx_offload_wide *w, const void *in, void *out,
                            double factor)
{
    const void *from = in;
    int at = 0, kind = SUBX_ERR_NONE;
    for (int k = 0; k < w->nsteps && !kind; k++) {
        const sx_offload_step *s = &w->step[k];
        void *const wide = a->wide[at], *const result = a->wide[s->is_in_place ? at : !at];
        kind = copy(a, &s->copy, from, wide);
        kind = kind ? kind : a->device->transform(a->stream, s->transform, wide, result);
        at = result != a->wide[1];
        from = result;
    }
    sx_device_fix last = w->last;
    last.factor = factor;
    return kind ? kind : copy(a, &last, from, out);
}
