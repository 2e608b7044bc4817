/* create.c - the making of a pass: the shape of its tiles, and all that executing it needs. */
#include "pass/inside.h"
#include <string.h>

/* ---- tiles */

/* Pencils side by side are neighbours in memory if they differ along the last axis, or else along the last
 * that is not transformed. */
static int find_run_axis(sx_pass pass)
{
    int axis = pass->p.ndims - 1;
    while (axis >= 0 && pass->is_whole[axis])
        axis--;
    return axis;
}

/* An array that stays in the caches is not copied first, if it lies in one piece and will not be
 * destroyed. Not both at once with a single axis, since then from and to may be the same array. */
static void set_direct(sx_pass pass)
{
    const sx_pass_problem *p = &pass->p;
    int several = p->naxes > 1;
    pass->is_direct[SX_FROM] =
        p->is_small && p->side[SX_FROM].nregions == 1 && (p->kind != SUBX_FFT_C2R || several);
    pass->is_direct[SX_TO] =
        p->is_small && p->side[SX_TO].nregions == 1 && (several || !pass->is_direct[SX_FROM]);
}

static int set_tiles(sx_pass pass)
{
    for (int i = 0; i < pass->p.naxes; i++)
        pass->is_whole[pass->p.axes[i]] = 1;
    set_direct(pass);
    return sx_cut_create(pass, find_run_axis(pass), pass->p.width, &pass->run);
}

/* ---- buffers */

static ptrdiff_t round_up_to_lines(ptrdiff_t bytes)
{
    return (bytes + SX_ALIGNMENT - 1) / SX_ALIGNMENT * SX_ALIGNMENT;
}

/* Add the next axis outwards. Rows take an odd number of cache lines, so that columns spread over all sets
 * of a cache, which at powers of two they would not. */
static int add_level(sx_pass pass, int side, int axis, ptrdiff_t n, ptrdiff_t *bytes)
{
    ptrdiff_t element = sx_pass_get_element(pass, side);
    if (*bytes > element)
        *bytes = round_up_to_lines(*bytes) | SX_ALIGNMENT;
    pass->buffer[side].stride[axis] = *bytes / element;
    return sx_base_mul(*bytes, n, bytes);
}

static int set_buffer(sx_pass pass, int side)
{
    const sx_pass_problem *p = &pass->p;
    ptrdiff_t bytes = sx_pass_get_element(pass, side);
    int rc = MPI_SUCCESS, run = pass->run.axis;
    if (run >= 0 && p->interleaved)
        rc = add_level(pass, side, run, pass->run.longest, &bytes);
    for (int i = p->naxes - 1; i >= 0 && !rc; i--)
        rc = add_level(pass, side, p->axes[i], p->side[side].len[p->axes[i]], &bytes);
    if (run >= 0 && !p->interleaved && !rc)
        rc = add_level(pass, side, run, pass->run.longest, &bytes);
    pass->buffer[side].bytes = round_up_to_lines(bytes);
    return rc;
}

/* Complex transforms can be in place. Of pencils that follow each other FFTW's are up to a fifth faster out of
 * place, if these are long; of planes and of interleaved pencils they are not. */
static int get_nbuffers(sx_pass pass)
{
    const sx_pass_problem *p = &pass->p;
    int is_apart = p->naxes == 1 && !p->interleaved && !pass->is_direct[SX_FROM] && !pass->is_direct[SX_TO];
    return p->kind != SUBX_FFT_C2C || is_apart ? 2 : 1;
}

static int set_buffers(sx_pass pass)
{
    ptrdiff_t all = 0;
    int rc = set_buffer(pass, SX_FROM);
    if (!rc)
        rc = set_buffer(pass, SX_TO);
    pass->nbuffers = get_nbuffers(pass);
    pass->thread_bytes = pass->buffer[SX_FROM].bytes;
    if (!rc && pass->nbuffers == 2)
        rc = sx_base_add(pass->thread_bytes, pass->buffer[SX_TO].bytes, &pass->thread_bytes);
    if (!rc)
        rc = sx_base_mul(pass->thread_bytes, pass->p.threads, &all);
    if (rc)
        return rc;
    pass->memory = sx_base_alloc(all, 1);
    return pass->memory ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

/* ---- copies */

/* What is written stays in the caches if there is room for three such arrays: one that was read, this one,
 * and one to come. In place it was read just before, and is there anyway. */
static ptrdiff_t get_whole_bytes(sx_pass pass)
{
    ptrdiff_t bytes = 3 * sx_pass_get_element(pass, SX_TO);
    for (int a = 0; a < pass->p.ndims; a++)
        bytes *= pass->p.side[SX_TO].len[a];
    return pass->p.is_in_place ? 0 : bytes;
}

static int create_copy(sx_pass pass, int side, int i, int kind)
{
    const sx_region *region = &pass->p.side[side].region[i];
    ptrdiff_t n[SUBX_NDIMS_MAX], memory[SUBX_NDIMS_MAX], buffer[SUBX_NDIMS_MAX];
    ptrdiff_t element = sx_pass_get_element(pass, side);
    subx_copy *copy = sx_pass_get_copy(pass, side, i, kind);
    for (int a = 0; a < pass->p.ndims; a++) {
        n[a] = pass->is_whole[a] ? region->len[a] : a == pass->run.axis ? pass->run.length[kind] : 1;
        memory[a] = region->stride[a] * element;
        buffer[a] = pass->buffer[side].stride[a] * element;
    }
    if (side == SX_FROM)
        return subx_copy_create(pass->p.ndims, n, memory, buffer, element, 0, copy);
    return subx_copy_create(pass->p.ndims, n, buffer, memory, element, get_whole_bytes(pass), copy);
}

/* One for each region and each kind of stretch. */
static int create_copies(sx_pass pass, int side)
{
    int regions = pass->p.side[side].nregions, kinds = pass->run.nkinds, rc = MPI_SUCCESS;
    pass->copy[side] = sx_base_alloc((ptrdiff_t)regions * kinds, sizeof *pass->copy[side]);
    if (!pass->copy[side])
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int i = 0; i < regions && !pass->is_direct[side]; i++)
        for (int kind = 0; kind < kinds && !rc; kind++)
            rc = create_copy(pass, side, i, kind);
    return rc;
}

/* ---- serial transforms */

/* Which side's lengths a place has. */
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

/* Arrays stand in for the caller's: as large as a tile in them. */
static ptrdiff_t get_scratch_bytes(sx_pass pass, int side)
{
    ptrdiff_t last = 0;
    for (int a = 0; a < pass->p.ndims; a++)
        last += (pass->p.side[side].len[a] - 1) * pass->p.side[side].region[0].stride[a];
    return (last + 1) * sx_pass_get_element(pass, side);
}

static int create_place(sx_pass pass, const sx_step *step, int place, char **at)
{
    *at = place == SX_ARRAY ? sx_base_alloc(get_scratch_bytes(pass, get_side(step, place)), 1)
                            : sx_pass_get_buffer(pass, 0, place);
    return *at ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

/* Of a halved axis the length is that of the real side. The lengths of loops are equal on both sides,
 * since only the axis at hand can be a halved one that changes. */
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
        if (a == pass->run.axis)
            q->loop[q->nloops++] = get_dim(pass, step, a, pass->run.length[kind]);
    }
    q->keep_input = step->from == SX_ARRAY;
    q->any_alignment = step->from == SX_ARRAY || step->to == SX_ARRAY;
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
    step->serial = sx_base_alloc(pass->run.nkinds, sizeof *step->serial);
    if (!step->serial)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int kind = 0; kind < pass->run.nkinds && !rc; kind++)
        rc = create_serial(pass, step, kind);
    return rc;
}

/* From the last axis to the first; a complex-to-real transform must end with the halved axis. */
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

static int create_steps(sx_pass pass)
{
    int rc = MPI_SUCCESS;
    list_steps(pass);
    for (int i = 0; i < pass->nsteps && !rc; i++)
        rc = create_serials(pass, &pass->step[i]);
    return rc;
}

/* ---- create and free */

static int copy_regions(sx_pass pass, const sx_pass_problem *p, int side)
{
    sx_region *region = sx_base_alloc(p->side[side].nregions, sizeof *region);
    pass->p.side[side].region = region;
    if (!region)
        return subx_error_get(SUBX_ERR_NO_MEM);
    memcpy(region, p->side[side].region, (size_t)p->side[side].nregions * sizeof *region);
    return MPI_SUCCESS;
}

static int build(sx_pass pass, const sx_pass_problem *p)
{
    pass->p = *p;
    pass->p.side[SX_FROM].region = pass->p.side[SX_TO].region = NULL;
    int rc = copy_regions(pass, p, SX_FROM);
    if (!rc)
        rc = copy_regions(pass, p, SX_TO);
    if (!rc)
        rc = set_tiles(pass);
    if (!rc)
        rc = set_buffers(pass);
    for (int side = 0; side < 2 && !rc; side++)
        rc = create_copies(pass, side);
    if (!rc)
        rc = create_steps(pass);
    if (!rc)
        memset(pass->memory, 0, (size_t)(pass->thread_bytes * p->threads)); /* planning may leave anything */
    return rc;
}

int sx_pass_create(const sx_pass_problem *p, sx_pass *pass)
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
    for (int k = 0; k < pass->run.nkinds && step->serial; k++)
        if (step->serial[k])
            pass->p.serial->free(step->serial[k]);
    sx_base_free(step->serial);
}

static void free_side(sx_pass pass, int side)
{
    int all = pass->p.side[side].nregions * pass->run.nkinds;
    for (int i = 0; i < all && pass->copy[side]; i++)
        subx_copy_free(&pass->copy[side][i]);
    sx_base_free(pass->copy[side]);
    sx_base_free(pass->p.side[side].region);
}

void sx_pass_free(sx_pass *pass)
{
    sx_pass made = *pass;
    if (!made)
        return;
    for (int i = 0; i < made->nsteps; i++)
        free_step(made, &made->step[i]);
    free_side(made, SX_TO);
    free_side(made, SX_FROM);
    sx_base_free(made->memory);
    sx_cut_free(&made->run);
    sx_base_free(made);
    *pass = NULL;
}

ptrdiff_t sx_pass_get_bytes(sx_pass pass)
{
    return pass ? pass->thread_bytes * pass->p.threads : 0;
}
