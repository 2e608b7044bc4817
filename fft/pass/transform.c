/* transform.c - transform a tile: execute its steps, call the operation on its spectrum, scale it. */
#include "pass/inside.h"

/* ---- steps */

/* Get the memory that a step reads or writes: a buffer or the array. NULL for regions: kernels get the
 * addresses of regions by other arguments. */
static char *get_memory(sx_pass pass, int thread, int place, const char *array)
{
    if (place == SX_REGIONS)
        return NULL;
    return place == SX_ARRAY ? (char *)(size_t)array : sx_pass_get_buffer(pass, thread, place);
}

/* Execute a step by the serial backend, one corner after the other. */
static void execute_serial(sx_pass pass, int thread, const sx_step *step, int kind, char *from, char *to)
{
    for (int k = 0; k < step->ncorners; k++) {
        sx_corner corner;
        ptrdiff_t in = 0, out = 0;
        if (step->ncorners > 1) {
            sx_pass_corner_get(pass, step->nspectral, k, kind, &corner);
            in = sx_pass_get_offset(pass, step->from, &corner);
            out = sx_pass_get_offset(pass, step->to, &corner);
        }
        pass->p.serial->execute(step->serial[k * pass->batch.nkinds + kind], from + in, to + out,
                                pass->work[thread]);
    }
}

/* ---- scaling */

/* Scale the buffer in which the tile is before step i, or after the last step if i is nsteps. */
static void scale(sx_pass pass, int thread, int i)
{
    const int place = i < pass->nsteps ? pass->step[i].from : i > 0 ? pass->step[i - 1].to : 0;
    if (pass->p.roots > 0)
        pass->real->scale(sx_pass_get_buffer(pass, thread, place),
                          pass->buffer[place].bytes / sx_serial_get_real_bytes(pass->p.precision),
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

/* ---- the whole tile */

/* Do what comes before step i: the operation, the scaling, both or nothing. If both are due, a forward pass
 * scales first and then operates; backward and round passes operate first and then scale. */
static void prepare(sx_pass pass, int thread, const sx_tile *t, const sx_operation *op, int i)
{
    const int ends = pass->is_spectral[SX_TO];
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
        char *const memory[] = {get_memory(pass, thread, step->from, from),
                                get_memory(pass, thread, step->to, to)};
        prepare(pass, thread, t, op, i);
        sx_pass_fixes_execute(pass, step, SX_BEFORE, t->kind, memory[SX_FROM]);
        if (step->simd)
            sx_pass_kernel_execute(pass, step, t, memory, regions_from, regions_to, pass->work[thread]);
        else
            execute_serial(pass, thread, step, t->kind, memory[SX_FROM], memory[SX_TO]);
        sx_pass_fixes_execute(pass, step, SX_AFTER, t->kind, memory[SX_TO]);
    }
    prepare(pass, thread, t, op, pass->nsteps);
}
