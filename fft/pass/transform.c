/* transform.c - the steps of a tile, in its buffers; the operation on its spectrum, and the factor. */
#include "pass/inside.h"

/* ---- steps */

static void execute_corner(sx_pass pass, int thread, const sx_step *step, int k, int kind, char *from,
                           char *to)
{
    sx_corner corner;
    if (step->ncorners > 1) {
        sx_pass_corner_get(pass, step->nspectral, k, kind, &corner);
        from += sx_pass_get_offset(pass, step->from, &corner);
        to += sx_pass_get_offset(pass, step->to, &corner);
    }
    pass->p.serial->execute(step->serial[k * pass->batch.nkinds + kind], from, to, pass->work[thread]);
}

static void execute_step(sx_pass pass, int thread, const sx_step *step, int kind, char *from, char *to)
{
    sx_pass_fixes_execute(pass, step, SX_BEFORE, kind, from);
    for (int k = 0; k < step->ncorners; k++)
        execute_corner(pass, thread, step, k, kind, from, to);
    sx_pass_fixes_execute(pass, step, SX_AFTER, kind, to);
}

static void execute_kernel(sx_pass pass, int thread, const sx_step *step, const sx_tile *t,
                           const void *const from[], void *const to[])
{
    if (step->from != SX_REGIONS)
        sx_pass_fixes_execute(pass, step, SX_BEFORE, t->kind, sx_pass_get_buffer(pass, thread, step->from));
    sx_pass_kernel_execute(pass, thread, step, t, from, to);
    if (step->to != SX_REGIONS)
        sx_pass_fixes_execute(pass, step, SX_AFTER, t->kind, sx_pass_get_buffer(pass, thread, step->to));
}

/* ---- factor */

/* Scale the buffer that a tile lies in before a step, or after the last one. */
static void scale(sx_pass pass, int thread, int i)
{
    const int domain = i < pass->nsteps ? pass->step[i].from : i > 0 ? pass->step[i - 1].to : 0;
    if (pass->p.roots > 0)
        pass->real->scale(sx_pass_get_buffer(pass, thread, domain),
                          pass->buffer[domain].bytes / sx_serial_get_real_bytes(pass->p.precision),
                          pass->p.volume, pass->p.roots);
}

/* ---- operation */

static void operate_corner(sx_pass pass, int thread, const sx_tile *t, const sx_corner *corner,
                           const sx_operation *op)
{
    const sx_buffer *buffer = &pass->buffer[SUBX_FFT_SPECTRAL];
    ptrdiff_t lo[SUBX_NDIMS_MAX];
    for (int a = 0; a < pass->p.ndims; a++)
        lo[a] = corner->lo[a] > 0 ? pass->extent[SUBX_FFT_SPECTRAL][a].low : t->lo[a];
    op->call(op->context, thread, pass->p.ndims, lo, corner->n, buffer->stride,
             sx_pass_get_buffer(pass, thread, SUBX_FFT_SPECTRAL) +
                 sx_pass_get_offset(pass, SUBX_FFT_SPECTRAL, corner));
}

static void operate(sx_pass pass, int thread, const sx_tile *t, const sx_operation *op)
{
    const int n = pass->p.naxes;
    for (int k = 0; op && k < sx_pass_corners_count(pass, n); k++) {
        sx_corner corner;
        sx_pass_corner_get(pass, n, k, t->kind, &corner);
        operate_corner(pass, thread, t, &corner, op);
    }
}

/* ---- all together */

/* If both are due, forward operates on scaled results; otherwise results of the operation are scaled. */
static void prepare(sx_pass pass, int thread, const sx_tile *t, const sx_operation *op, int i)
{
    const int ends = pass->domain[SX_TO] == SUBX_FFT_SPECTRAL;
    if (i == pass->operates_at && !ends)
        operate(pass, thread, t, op);
    if (i == pass->scales_at)
        scale(pass, thread, i);
    if (i == pass->operates_at && ends)
        operate(pass, thread, t, op);
}

void sx_pass_transform(sx_pass pass, int thread, const sx_tile *t, const char *from, char *to,
                       const void *const regions_from[], void *const regions_to[], const sx_operation *op)
{
    for (int i = 0; i < pass->nsteps; i++) {
        const int is_scattered = i == pass->nsteps - 1 && pass->scattered.simd && !regions_to;
        const sx_step *step = is_scattered ? &pass->scattered : &pass->step[i];
        prepare(pass, thread, t, op, i);
        if (step->simd) {
            execute_kernel(pass, thread, step, t, regions_from, regions_to);
            continue;
        }
        execute_step(pass, thread, step, t->kind,
                     step->from == SX_ARRAY ? (char *)(size_t)from
                                            : sx_pass_get_buffer(pass, thread, step->from),
                     step->to == SX_ARRAY ? to : sx_pass_get_buffer(pass, thread, step->to));
    }
    prepare(pass, thread, t, op, pass->nsteps);
}
