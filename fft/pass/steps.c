/* steps.c - the serial transforms of a pass, one step per transformed axis. Real transforms and their
 * halved axis are handled here. */
#include "pass/inside.h"

/* Get the side whose lengths a place has; the array is on the side that the step uses it for. */
static int get_side(const sx_step *step, int place)
{
    if (place != SX_ARRAY)
        return place;
    return place == step->from ? SX_FROM : SX_TO;
}

static ptrdiff_t get_stride(sx_pass pass, const sx_step *step, int place, int axis)
{
    int side = get_side(step, place);
    return place == SX_ARRAY ? pass->p.side[side].region[0].stride[axis] : pass->buffer[side].stride[axis];
}

static sx_serial_dim get_dim(sx_pass pass, const sx_step *step, int axis, ptrdiff_t n)
{
    return (sx_serial_dim){n, get_stride(pass, step, step->from, axis),
                           get_stride(pass, step, step->to, axis)};
}

/* Of a halved axis the length is that of the real side. The lengths of loops are equal on both sides,
 * because the axis of the step is the only one that can change its length. */
static void set_problem(sx_pass pass, const sx_step *step, int kind, sx_serial_problem *q)
{
    const sx_pass_problem *p = &pass->p;
    int from = get_side(step, step->from),
        changes = p->kind != SUBX_FFT_C2C && from != get_side(step, step->to);
    *q = (sx_serial_problem){.kind = changes ? p->kind : SUBX_FFT_C2C, .direction = p->direction, .naxes = 1};
    int side = q->kind == SUBX_FFT_C2R ? SX_TO : from;
    q->axis[0] = get_dim(pass, step, step->axis, p->side[side].len[step->axis]);
    for (int a = 0; a < p->ndims; a++) {
        if (a != step->axis && pass->is_whole[a])
            q->loop[q->nloops++] = get_dim(pass, step, a, p->side[from].len[a]);
        if (a == pass->batch.axis)
            q->loop[q->nloops++] = get_dim(pass, step, a, pass->batch.length[kind]);
    }
    q->keep_input = step->from == SX_ARRAY;
    q->any_alignment = step->from == SX_ARRAY || step->to == SX_ARRAY;
}

/* ---- memory to plan with */

/* Get the bytes that the whole array spans. */
static ptrdiff_t get_array_bytes(sx_pass pass, int side)
{
    ptrdiff_t last = 0;
    for (int a = 0; a < pass->p.ndims; a++)
        last += (pass->p.side[side].len[a] - 1) * pass->p.side[side].region[0].stride[a];
    return (last + 1) * sx_pass_get_element(pass, side);
}

/* The caller's array is not known yet: another one stands in for it. */
static int create_place(sx_pass pass, const sx_step *step, int place, char **at)
{
    *at = place == SX_ARRAY ? sx_base_alloc(get_array_bytes(pass, get_side(step, place)), 1)
                            : sx_pass_get_buffer(pass, 0, place);
    return *at ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

static int create_serial(sx_pass pass, sx_step *step, int kind)
{
    sx_serial_problem q;
    char *from = NULL, *to = NULL;
    int rc = create_place(pass, step, step->from, &from);
    if (!rc && step->to == step->from)
        to = from;
    else if (!rc)
        rc = create_place(pass, step, step->to, &to);
    set_problem(pass, step, kind, &q);
    if (!rc)
        rc = pass->p.serial->create(&q, pass->p.effort, from, to, &step->serial[kind]);
    if (step->to == SX_ARRAY)
        sx_base_free(to);
    if (step->from == SX_ARRAY)
        sx_base_free(from);
    return rc;
}

static int create_serials(sx_pass pass, sx_step *step)
{
    int rc = MPI_SUCCESS;
    step->serial = sx_base_alloc(pass->batch.nkinds, sizeof *step->serial);
    if (!step->serial)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int kind = 0; kind < pass->batch.nkinds && !rc; kind++)
        rc = create_serial(pass, step, kind);
    return rc;
}

/* ---- the list of steps */

/* From the last axis to the first. A complex-to-real transform takes the reverse order, since it must end
 * with the halved axis, which is the last. */
static void list_steps(sx_pass pass)
{
    const sx_pass_problem *p = &pass->p;
    for (int i = 0; i < p->naxes; i++) {
        int axis = p->axes[p->kind == SUBX_FFT_C2R ? i : p->naxes - 1 - i];
        sx_step *step = &pass->step[pass->nsteps++];
        *step = (sx_step){.axis = axis, .to = pass->nbuffers == 2 ? SX_TO : SX_FROM};
        if (p->kind == SUBX_FFT_R2C)
            *step = (sx_step){.axis = axis, .from = i == 0 ? SX_FROM : SX_TO, .to = SX_TO};
        if (p->kind == SUBX_FFT_C2R)
            step->to = i == p->naxes - 1 ? SX_TO : SX_FROM;
    }
    if (pass->is_direct[SX_FROM])
        pass->step[0].from = SX_ARRAY;
    if (pass->is_direct[SX_TO])
        pass->step[pass->nsteps - 1].to = SX_ARRAY;
}

int sx_pass_steps_create(sx_pass pass)
{
    int rc = MPI_SUCCESS;
    list_steps(pass);
    for (int i = 0; i < pass->nsteps && !rc; i++)
        rc = create_serials(pass, &pass->step[i]);
    return rc;
}

static void free_step(sx_pass pass, sx_step *step)
{
    for (int k = 0; k < pass->batch.nkinds && step->serial; k++)
        if (step->serial[k])
            pass->p.serial->free(step->serial[k]);
    sx_base_free(step->serial);
}

void sx_pass_steps_free(sx_pass pass)
{
    for (int i = 0; i < pass->nsteps; i++)
        free_step(pass, &pass->step[i]);
}
