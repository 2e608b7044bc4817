/* create.c - the making of a pass: the shape of its tiles, and all that executing it needs. */
#include "tile/pass.h"
#include <string.h>

/* ---- tiles */

/* Pencils side by side are neighbours in memory if they differ along the last axis, or else along the last that is
 * not transformed. */
static void set_axes(sx_pass pass)
{
    for (int i = 0; i < pass->p.naxes; i++)
        pass->is_whole[pass->p.axes[i]] = 1;
    pass->run = pass->p.ndims - 1;
    while (pass->run >= 0 && pass->is_whole[pass->run])
        pass->run--;
}

/* The first boundary of a part beyond `at`. */
static ptrdiff_t get_boundary(sx_pass pass, ptrdiff_t at)
{
    ptrdiff_t end = pass->p.side[SX_READ].len[pass->run];
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < pass->p.side[side].nparts; i++) {
            ptrdiff_t start = pass->p.side[side].part[i].start[pass->run];
            end = start > at && start < end ? start : end;
        }
    return end;
}

/* No stretch lies in two parts. One that would be left over with less than half the width, as of the 65 columns of a
 * halved axis, goes with the one before. */
static ptrdiff_t list_stretches(sx_pass pass, sx_stretch list[])
{
    ptrdiff_t count = 0, at = 0, all = pass->p.side[SX_READ].len[pass->run], width = pass->p.width;
    for (; at < all; count++) {
        ptrdiff_t end = get_boundary(pass, at);
        if (end - at >= width + (width + 1) / 2)
            end = at + width;
        if (list)
            list[count] = (sx_stretch){at, end - at};
        at = end;
    }
    return count;
}

static int set_stretches(sx_pass pass)
{
    pass->nstretches = pass->run < 0 ? 1 : list_stretches(pass, NULL);
    pass->stretch = sx_base_alloc(pass->nstretches, sizeof *pass->stretch);
    if (!pass->stretch)
        return subx_error_get(SUBX_ERR_NO_MEM);
    if (pass->run < 0)
        pass->stretch[0] = (sx_stretch){0, 1};
    else
        (void)list_stretches(pass, pass->stretch);
    for (ptrdiff_t i = 0; i < pass->nstretches; i++)
        if (pass->stretch[i].n > pass->longest)
            pass->longest = pass->stretch[i].n;
    return MPI_SUCCESS;
}

/* The length of a tile along an axis. */
static ptrdiff_t get_length(sx_pass pass, int side, int axis, ptrdiff_t stretch)
{
    if (pass->is_whole[axis])
        return pass->p.side[side].len[axis];
    return axis == pass->run ? stretch : 1;
}

/* ---- buffers */

/* Add the next axis outwards. Rows take an odd number of cache lines, so that columns spread over all sets of a
 * cache, which at powers of two they would not. */
static int add_level(sx_pass pass, int side, int axis, ptrdiff_t *bytes)
{
    sx_buffer *b = &pass->buffer[side];
    ptrdiff_t element = pass->p.side[side].width * (ptrdiff_t)sizeof(double);
    ptrdiff_t n = get_length(pass, side, axis, pass->longest);
    if (*bytes > element)
        *bytes = ((*bytes + SX_ALIGNMENT - 1) / SX_ALIGNMENT | 1) * SX_ALIGNMENT;
    b->stride[axis] = *bytes / element;
    return sx_base_mul(*bytes, n, bytes);
}

static int set_buffer(sx_pass pass, int side)
{
    ptrdiff_t bytes = pass->p.side[side].width * (ptrdiff_t)sizeof(double);
    int rc = MPI_SUCCESS;
    if (pass->run >= 0 && pass->p.interleaved)
        rc = add_level(pass, side, pass->run, &bytes);
    for (int i = pass->p.naxes - 1; i >= 0 && !rc; i--)
        rc = add_level(pass, side, pass->p.axes[i], &bytes);
    if (pass->run >= 0 && !pass->p.interleaved && !rc)
        rc = add_level(pass, side, pass->run, &bytes);
    pass->buffer[side].bytes = (bytes + SX_ALIGNMENT - 1) / SX_ALIGNMENT * SX_ALIGNMENT;
    return rc;
}

/* An odd number of lines also keeps the buffers of threads apart. */
static int set_buffers(sx_pass pass)
{
    ptrdiff_t all = 0;
    int rc = set_buffer(pass, SX_READ);
    if (!rc)
        rc = set_buffer(pass, SX_WRITE);
    pass->nbuffers = pass->p.kind == SUBX_FFT_C2C ? 1 : 2;
    pass->thread_bytes = pass->buffer[SX_READ].bytes;
    if (!rc && pass->nbuffers == 2)
        rc = sx_base_add(pass->thread_bytes, pass->buffer[SX_WRITE].bytes, &pass->thread_bytes);
    if (!rc)
        rc = sx_base_mul(pass->thread_bytes, pass->p.threads, &all);
    if (rc)
        return rc;
    pass->memory = sx_base_alloc(all, 1);
    return pass->memory ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

/* ---- copies */

static int create_copy(sx_pass pass, int side, int i, ptrdiff_t length)
{
    const sx_tile_side *s = &pass->p.side[side];
    const sx_part *part = &s->part[i];
    ptrdiff_t n[SUBX_NDIMS_MAX], memory[SUBX_NDIMS_MAX], buffer[SUBX_NDIMS_MAX];
    ptrdiff_t element = s->width * (ptrdiff_t)sizeof(double), all = element;
    for (int a = 0; a < pass->p.ndims; a++) {
        n[a] = pass->is_whole[a] ? part->len[a] : get_length(pass, side, a, length);
        memory[a] = part->stride[a] * element;
        buffer[a] = pass->buffer[side].stride[a] * element;
        all *= s->len[a];
    }
    subx_copy *copy = sx_pass_get_copy(pass, side, i, length);
    return side == SX_READ ? subx_copy_create(pass->p.ndims, n, memory, buffer, element, 0, copy)
                           : subx_copy_create(pass->p.ndims, n, buffer, memory, element, 3 * all, copy);
}

/* One for each part and each length of a stretch within it. */
static int create_copies(sx_pass pass, int side)
{
    const sx_tile_side *s = &pass->p.side[side];
    int rc = MPI_SUCCESS;
    pass->copy[side] = sx_base_alloc(s->nparts * (pass->longest + 1), sizeof *pass->copy[side]);
    if (!pass->copy[side])
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int i = 0; i < s->nparts; i++)
        for (ptrdiff_t k = 0; k < pass->nstretches && !rc; k++)
            if (!*sx_pass_get_copy(pass, side, i, pass->stretch[k].n))
                rc = create_copy(pass, side, i, pass->stretch[k].n);
    return rc;
}

/* ---- serial transforms */

static sx_serial_dim get_dim(sx_pass pass, const sx_step *step, int axis, ptrdiff_t n)
{
    return (sx_serial_dim){n, pass->buffer[step->from].stride[axis], pass->buffer[step->to].stride[axis]};
}

/* All pencils of a tile along one axis. Of a halved axis the length is that of the real side. */
static int create_serial(sx_pass pass, sx_step *step, int axis, ptrdiff_t stretch)
{
    const sx_tile_problem *p = &pass->p;
    sx_serial_problem q = {.direction = p->direction, .naxes = 1};
    q.kind = step->from == step->to ? SUBX_FFT_C2C : p->kind;
    q.axis[0] = get_dim(pass, step, axis, p->side[q.kind == SUBX_FFT_C2R ? SX_WRITE : step->from].len[axis]);
    for (int a = 0; a < p->ndims; a++)
        if (a != axis && (pass->is_whole[a] || a == pass->run))
            q.loop[q.nloops++] = get_dim(pass, step, a, get_length(pass, step->from, a, stretch));
    return p->serial->create(&q, p->effort, sx_pass_get_buffer(pass, 0, step->from),
                             sx_pass_get_buffer(pass, 0, step->to), &step->serial[stretch]);
}

/* From the last axis to the first; a complex-to-real transform must end with the halved axis. */
static int create_step(sx_pass pass, int i)
{
    const sx_tile_problem *p = &pass->p;
    int backwards = p->kind == SUBX_FFT_C2R;
    int axis = p->axes[backwards ? i : p->naxes - 1 - i], rc = MPI_SUCCESS;
    sx_step *step = &pass->step[pass->nsteps++];
    if (p->kind == SUBX_FFT_R2C)
        *step = (sx_step){.from = i == 0 ? SX_READ : SX_WRITE, .to = SX_WRITE};
    if (p->kind == SUBX_FFT_C2R)
        *step = (sx_step){.from = SX_READ, .to = i == p->naxes - 1 ? SX_WRITE : SX_READ};
    step->serial = sx_base_alloc(pass->longest + 1, sizeof *step->serial);
    if (!step->serial)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (ptrdiff_t k = 0; k < pass->nstretches && !rc; k++)
        if (!step->serial[pass->stretch[k].n])
            rc = create_serial(pass, step, axis, pass->stretch[k].n);
    return rc;
}

/* ---- create and free */

static int copy_parts(sx_pass pass, const sx_tile_problem *p, int side)
{
    sx_part *part = sx_base_alloc(p->side[side].nparts, sizeof *part);
    pass->p.side[side].part = part;
    if (!part)
        return subx_error_get(SUBX_ERR_NO_MEM);
    memcpy(part, p->side[side].part, (size_t)p->side[side].nparts * sizeof *part);
    return MPI_SUCCESS;
}

static int build(sx_pass pass, const sx_tile_problem *p)
{
    pass->p = *p;
    pass->p.side[SX_WRITE].part = NULL;
    int rc = copy_parts(pass, p, SX_READ);
    if (!rc)
        rc = copy_parts(pass, p, SX_WRITE);
    set_axes(pass);
    if (!rc)
        rc = set_stretches(pass);
    if (!rc)
        rc = set_buffers(pass);
    for (int side = 0; side < 2 && !rc; side++)
        rc = create_copies(pass, side);
    for (int i = 0; i < p->naxes && !rc; i++)
        rc = create_step(pass, i);
    if (!rc)
        memset(pass->memory, 0, (size_t)(pass->thread_bytes * p->threads)); /* planning may leave anything */
    return rc;
}

int sx_pass_create(const sx_tile_problem *p, sx_pass *pass)
{
    *pass = sx_base_alloc(1, sizeof **pass);
    if (!*pass)
        return subx_error_get(SUBX_ERR_NO_MEM);
    int rc = build(*pass, p);
    if (rc)
        sx_pass_free(pass);
    return rc;
}

static void free_step(sx_pass pass, sx_step *step)
{
    for (ptrdiff_t n = 0; n <= pass->longest && step->serial; n++)
        if (step->serial[n])
            pass->p.serial->free(step->serial[n]);
    sx_base_free(step->serial);
}

static void free_side(sx_pass pass, int side)
{
    ptrdiff_t all = pass->p.side[side].nparts * (pass->longest + 1);
    for (ptrdiff_t i = 0; i < all && pass->copy[side]; i++)
        subx_copy_free(&pass->copy[side][i]);
    sx_base_free(pass->copy[side]);
    sx_base_free(pass->p.side[side].part);
}

void sx_pass_free(sx_pass *pass)
{
    sx_pass made = *pass;
    if (!made)
        return;
    for (int i = 0; i < made->nsteps; i++)
        free_step(made, &made->step[i]);
    free_side(made, SX_WRITE);
    free_side(made, SX_READ);
    sx_base_free(made->memory);
    sx_base_free(made->stretch);
    sx_base_free(made);
    *pass = NULL;
}

ptrdiff_t sx_pass_get_bytes(sx_pass pass)
{
    return pass ? pass->thread_bytes * pass->p.threads : 0;
}
