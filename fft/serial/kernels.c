/* kernels.c - the backend kernels: serial transforms by our own kernels (fft/simd). The backends auto and
 * simd use it (auto.c). */
#include "serial/serial.h"
#include "simd/simd.h"

/* How the pencils lie on a side: as rows or lines (simd.h), or strided. */
enum { ROWS, LINES, STRIDED };

/* The transforms along one axis of a problem: a sweep (simd.h). Axis 0 of its box is the transformed axis;
 * the others are the loops of the problem. If pencils are strided on a side, they are transformed one by
 * one. */
typedef struct pencils {
    sx_simd simd;
    int ndims, along, is_strided;
    ptrdiff_t n[SX_SIMD_SWEEP_NDIMS], stride[2][SX_SIMD_SWEEP_NDIMS];
    int place, are_lines[2]; /* place: SX_SERIAL_ACROSS and so on */
} pencils;

typedef struct state {
    int naxes;
    pencils axis[SUBX_NDIMS_MAX];
    ptrdiff_t bytes;
} state;

/* ---- loops */

static int get_form(sx_dim axis, sx_dim along, int side)
{
    if (sx_base_get_stride(axis, side) == 1)
        return LINES;
    return sx_base_get_stride(along, side) == 1 || along.n == 1 ? ROWS : STRIDED;
}

/* Get how suitable a loop is as the loop along which pencils are side by side; a larger value is better. Rows
 * are faster than lines, and strided pencils must be copied. More than a group are no advantage. */
static ptrdiff_t get_value(sx_dim axis, sx_dim loop)
{
    static const int speed[] = {[ROWS] = 6, [LINES] = 4, [STRIDED] = 1};
    return (loop.n < SX_SIMD_GROUP ? loop.n : SX_SIMD_GROUP) * speed[get_form(axis, loop, SX_FROM)] *
           speed[get_form(axis, loop, SX_TO)];
}

/* Find the loop along which pencils are side by side; -1 if there is no loop. */
static int find_along(const sx_serial_problem *p)
{
    int best = p->nloops > 0 ? 0 : -1;
    for (int i = 1; i < p->nloops; i++)
        if (get_value(p->axis[0], p->loop[i]) > get_value(p->axis[0], p->loop[best]))
            best = i;
    return best;
}

static int find_longest(const sx_serial_problem *p)
{
    int best = 0;
    for (int i = 1; i < p->nloops; i++)
        if (p->loop[i].n > p->loop[best].n)
            best = i;
    return best;
}

/* ---- the box of a sweep */

static void add_axis(pencils *w, sx_dim d)
{
    w->n[w->ndims] = d.n;
    for (int side = 0; side < 2; side++)
        w->stride[side][w->ndims] = sx_base_get_stride(d, side);
    w->ndims++;
}

/* The longest loop becomes the last axis: a call of the kernel goes through this axis, too. */
static void set_box(pencils *w, sx_serial_problem *p)
{
    const sx_dim axis = p->axis[0], one = {1, 1, 1};
    p->nloops = sx_base_join_loops(p->nloops, p->loop);
    const int k = find_along(p), from = get_form(axis, k < 0 ? one : p->loop[k], SX_FROM),
              to = get_form(axis, k < 0 ? one : p->loop[k], SX_TO);
    w->is_strided = from == STRIDED || to == STRIDED;
    w->are_lines[SX_FROM] = !w->is_strided && from == LINES;
    w->are_lines[SX_TO] = !w->is_strided && to == LINES;
    w->along = k >= 0 && !w->is_strided;
    add_axis(w, (sx_dim){1, axis.is, axis.os});
    if (w->along)
        add_axis(w, sx_base_take_loop(&p->nloops, p->loop, k));
    if (p->nloops == 0)
        return;
    const sx_dim last = sx_base_take_loop(&p->nloops, p->loop, find_longest(p));
    for (int i = 0; i < p->nloops; i++)
        add_axis(w, p->loop[i]);
    add_axis(w, last);
}

static ptrdiff_t set_sweep(const pencils *w, void *work, sx_simd_sweep *s)
{
    *s = (sx_simd_sweep){
        .simd = w->simd, .ndims = w->ndims, .axis = 0, .along = w->along, .n = w->n, .part_count = {1, 1}};
    for (int side = 0; side < 2; side++)
        s->side[side].are_lines = w->are_lines[side];
    return sx_simd_sweep_set_work(s, work);
}

/* ---- the backend */

static int serves(int precision)
{
    return (precision == SUBX_FFT_FLOAT || precision == SUBX_FFT_DOUBLE) && sx_simd_get_name(0);
}

static void execute_axis(const pencils *w, void *in, void *out, void *work)
{
    sx_simd_sweep s;
    char *const first[] = {w->place == SX_SERIAL_ON_OUTPUT ? out : in,
                           w->place == SX_SERIAL_ON_INPUT ? in : out};
    (void)set_sweep(w, work, &s);
    for (int side = 0; side < 2; side++)
        *s.part[side] = (sx_simd_part){
            .hi = sx_simd_get_length(w->simd, side), .first = first[side], .stride = w->stride[side]};
    sx_simd_sweep_execute(&s);
}

static void execute(const void *opaque, void *in, void *out, void *work)
{
    const state *s = opaque;
    for (int i = 0; i < s->naxes; i++)
        execute_axis(&s->axis[i], in, out, work);
}

static ptrdiff_t get_bytes(const void *opaque)
{
    return ((const state *)opaque)->bytes;
}

static void free_state(void *opaque)
{
    state *s = opaque;
    if (!s)
        return;
    for (int i = 0; i < s->naxes; i++)
        sx_simd_free(&s->axis[i].simd);
    sx_base_free(s);
}

static int add_pencils(state *s, const sx_serial_problem *p)
{
    sx_serial_problem one;
    sx_simd_sweep sweep;
    pencils *w = &s->axis[s->naxes];
    w->place = sx_serial_get_axis(p, s->naxes++, &one);
    const sx_simd_problem q = {.precision = one.precision,
                               .kind = one.kind,
                               .direction = one.direction,
                               .n = one.axis[0].n,
                               .factor = 1};
    int rc = sx_simd_create(&q, &w->simd);
    if (rc)
        return rc;
    set_box(w, &one);
    const ptrdiff_t bytes = set_sweep(w, NULL, &sweep);
    s->bytes = bytes > s->bytes ? bytes : s->bytes;
    return MPI_SUCCESS;
}

static int create(const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    int rc = MPI_SUCCESS;
    (void)effort, (void)in, (void)out;
    state *s = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < p->naxes && !rc; i++)
        rc = add_pencils(s, p);
    if (rc)
        free_state(s);
    else
        *opaque = s;
    return rc;
}

/* Kernels are a bad choice for few pencils, because some lanes stay empty, and for strided pencils, because
 * copying such pencils takes as long as transforming them. */
static int suits(const sx_serial_problem *p)
{
    for (int i = 0; i < p->naxes; i++) {
        sx_serial_problem one;
        pencils w = {0};
        (void)sx_serial_get_axis(p, i, &one);
        const ptrdiff_t n = one.axis[0].n;
        set_box(&w, &one);
        if (w.is_strided || w.n[w.along] < SX_GROUP_LEAST ||
            !sx_simd_is_fast(one.precision, one.kind, n, w.are_lines[SX_FROM] && w.are_lines[SX_TO]))
            return 0;
    }
    return 1;
}

const sx_serial sx_serial_kernels = {"kernels", serves, suits, create, get_bytes, execute, free_state};
