/* steps.c - list the steps of a pass, and create their serial transforms. A transformed axis has one step, in
 * a round pass two. */
#include "pass/inside.h"

static ptrdiff_t get_stride(sx_pass pass, int place, int side, int axis)
{
    return place == SX_ARRAY ? pass->p.side[side].region[0].stride[axis] : pass->buffer[place].stride[axis];
}

static sx_dim get_dim(sx_pass pass, const sx_step *step, int axis, ptrdiff_t n)
{
    return (sx_dim){n, get_stride(pass, step->from, SX_FROM, axis), get_stride(pass, step->to, SX_TO, axis)};
}

/* Query whether real-to-real transforms work on complex elements: all data is complex, or an axis of R2C is
 * transformed before them. */
static int is_complex(sx_pass pass)
{
    return pass->buffer[SUBX_FFT_SPECTRAL].element == 2 * sx_serial_get_real_bytes(pass->p.precision);
}

/* Describe the transforms of a corner for the serial backend. Pencils outside of all corners are not
 * transformed: their elements are zeros, or their results are not needed. */
static void set_problem(sx_pass pass, const sx_step *step, const sx_corner *corner, sx_serial_problem *q)
{
    const sx_pass_problem *p = &pass->p;
    *q = (sx_serial_problem){.precision = p->precision,
                             .kind = step->kind,
                             .direction = step->direction,
                             .naxes = 1,
                             .notes = p->notes};
    q->axis[0] = get_dim(pass, step, step->axis, step->n);
    for (int a = 0; a < p->ndims; a++)
        if (a != step->axis && (pass->is_whole[a] || a == pass->batch.axis))
            q->loop[q->nloops++] = get_dim(pass, step, a, corner->n[a]);
    if (sx_serial_is_r2r(step->kind) && is_complex(pass))
        sx_serial_loop_over_parts(q);
    q->keep_input = step->from == SX_ARRAY;
    q->any_alignment = step->from == SX_ARRAY || step->to == SX_ARRAY;
}

/* ---- memory for planning */

/* Get the bytes from the beginning to the end of the whole array. */
static ptrdiff_t get_array_bytes(sx_pass pass, int side)
{
    ptrdiff_t elements;
    (void)sx_base_get_end(pass->p.ndims, 0, pass->p.side[side].len, pass->p.side[side].region[0].stride,
                          &elements);
    return elements * sx_pass_get_layout(pass, side)->element;
}

/* Get memory for planning: the buffer, or another array instead of the caller's array, which is not known
 * yet. */
static int create_place(sx_pass pass, int place, int side, char **at)
{
    *at = place == SX_ARRAY ? sx_base_alloc(get_array_bytes(pass, side), 1)
                            : sx_pass_get_buffer(pass, 0, place);
    return *at ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

/* Create the serial transform of corner k (sx_corner) for stretches of this kind. The backend plans it in the
 * buffer that executions use, because plans depend on the alignment of their data. */
static int create_serial(sx_pass pass, sx_step *step, int k, int kind)
{
    sx_serial_problem q;
    sx_corner corner;
    void **state = &step->serial[k * pass->batch.nkinds + kind];
    char *from = NULL, *to = NULL;
    int rc = create_place(pass, step->from, SX_FROM, &from);
    if (!rc)
        rc = create_place(pass, step->to, SX_TO, &to);
    sx_pass_corner_get(pass, step->nspectral, k, kind, &corner);
    set_problem(pass, step, &corner, &q);
    if (!rc)
        rc = pass->p.serial->create(&q, pass->p.effort, from + sx_pass_get_offset(pass, step->from, &corner),
                                    to + sx_pass_get_offset(pass, step->to, &corner), state);
    if (!rc && pass->p.serial->get_bytes(*state) > pass->work_bytes)
        pass->work_bytes = pass->p.serial->get_bytes(*state);
    if (step->to == SX_ARRAY)
        sx_base_free(to);
    if (step->from == SX_ARRAY)
        sx_base_free(from);
    return rc;
}

static int create_serials(sx_pass pass, sx_step *step)
{
    const int kinds = pass->batch.nkinds;
    int rc = MPI_SUCCESS;
    step->serial = sx_base_alloc((ptrdiff_t)step->ncorners * kinds, sizeof *step->serial);
    if (!step->serial)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < step->ncorners * kinds && !rc; i++)
        rc = create_serial(pass, step, i / kinds, i % kinds);
    return rc;
}

/* ---- the list of steps */

/* Add the step of the problem's axis i. If there are two buffers, axis 0 is transformed from one to the
 * other; all other axes are transformed in place. During the step, the axes before i are spectral, and the
 * axes behind i are physical. */
static void add_step(sx_pass pass, int i, int direction)
{
    const sx_pass_axis *x = &pass->p.axis[i];
    const int forward = direction == SUBX_FFT_FORWARD;
    const int spectral = pass->nbuffers == 2 ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL;
    const int physical = i == 0 ? SUBX_FFT_PHYSICAL : spectral;
    sx_step *step = &pass->step[pass->nsteps++];
    *step = (sx_step){.axis = x->axis,
                      .kind = sx_serial_get_kind(x->kind, !forward),
                      .direction = direction,
                      .n = x->n,
                      .from = forward ? physical : spectral,
                      .to = forward ? spectral : physical,
                      .nspectral = i,
                      .ncorners = sx_pass_corners_count(pass, i)};
    sx_pass_fixes_set(pass, step);
}

/* List the steps. operates_at becomes the step before which the operation is called, scales_at the step
 * before which the tile is scaled. Only a buffer can be scaled, and the last step may write the array. So the
 * tile is scaled before the last step. But if the last step reads the array, the tile is scaled after this
 * step. */
static void list_steps(sx_pass pass)
{
    const sx_pass_problem *p = &pass->p;
    for (int i = 0; i < p->naxes && (p->is_round || p->direction == SUBX_FFT_FORWARD); i++)
        add_step(pass, i, SUBX_FFT_FORWARD);
    pass->operates_at = pass->nsteps;
    for (int i = p->naxes - 1; i >= 0 && (p->is_round || p->direction == SUBX_FFT_BACKWARD); i--)
        add_step(pass, i, SUBX_FFT_BACKWARD);
    if (pass->is_direct[SX_FROM])
        pass->step[0].from = SX_ARRAY;
    if (pass->is_direct[SX_TO])
        pass->step[pass->nsteps - 1].to = SX_ARRAY;
    pass->scales_at = pass->nsteps;
    if (pass->nsteps > 0 && pass->step[pass->nsteps - 1].from != SX_ARRAY)
        pass->scales_at--;
}

int sx_pass_steps_create(sx_pass pass)
{
    list_steps(pass);
    int rc = sx_pass_kernels_create(pass);
    for (int i = 0; i < pass->nsteps && !rc; i++)
        if (!pass->step[i].simd)
            rc = create_serials(pass, &pass->step[i]);
    return rc;
}

static void free_step(sx_pass pass, sx_step *step)
{
    for (int i = 0; i < step->ncorners * pass->batch.nkinds && step->serial; i++)
        if (step->serial[i])
            pass->p.serial->free(step->serial[i]);
    sx_base_free(step->serial);
}

void sx_pass_steps_free(sx_pass pass)
{
    sx_pass_kernels_free(pass);
    for (int i = 0; i < pass->nsteps; i++)
        free_step(pass, &pass->step[i]);
}
