/* create.c - create and free a pass: the shape of its tiles, their buffers, and all that executing it
 * needs. */
#include "pass/inside.h"
#include <string.h>

/* ---- tiles */

/* The last axis that is not transformed: along it, pencils side by side are closest in memory. */
static int find_batch_axis(sx_pass pass)
{
    int axis = pass->p.ndims - 1;
    while (axis >= 0 && pass->is_whole[axis])
        axis--;
    return axis;
}

/* An array that stays in the caches is not copied first, if it lies in one piece and is not destroyed.
 * With one axis only one side is direct: `from` and `to` may be equal or not, and a serial plan is either
 * in place or out of place. */
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
    return sx_pass_cut_create(pass, find_batch_axis(pass), pass->p.width, &pass->batch);
}

/* ---- buffers */

static ptrdiff_t round_up_to_lines(ptrdiff_t bytes)
{
    return (bytes + SX_ALIGNMENT - 1) / SX_ALIGNMENT * SX_ALIGNMENT;
}

/* Add the next axis outwards. Rows take an odd number of cache lines, so that the elements of a column are
 * spread over all sets of a cache; with rows of a power of two they would all share a few sets. */
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
    int rc = MPI_SUCCESS, batch = pass->batch.axis;
    if (batch >= 0 && p->interleaved)
        rc = add_level(pass, side, batch, pass->batch.longest, &bytes);
    for (int i = p->naxes - 1; i >= 0 && !rc; i--)
        rc = add_level(pass, side, p->axes[i], p->side[side].len[p->axes[i]], &bytes);
    if (batch >= 0 && !p->interleaved && !rc)
        rc = add_level(pass, side, batch, pass->batch.longest, &bytes);
    pass->buffer[side].bytes = round_up_to_lines(bytes);
    return rc;
}

/* Complex transforms can be in place. For long pencils that follow each other FFTW is up to a fifth faster
 * out of place; for planes and for interleaved pencils it is not. */
static int get_nbuffers(sx_pass pass)
{
    const sx_pass_problem *p = &pass->p;
    int is_apart = p->naxes == 1 && !p->interleaved && !pass->is_direct[SX_FROM] && !pass->is_direct[SX_TO];
    return p->kind != SUBX_FFT_C2C || is_apart ? 2 : 1;
}

/* Each thread has an allocation of its own that nobody has touched, so that its pages lie on its NUMA
 * node. */
static int alloc_buffers(sx_pass pass)
{
    pass->memory = sx_base_alloc(pass->p.threads, sizeof *pass->memory);
    for (int i = 0; i < pass->p.threads && pass->memory; i++) {
        pass->memory[i] = sx_base_alloc_untouched(pass->thread_bytes);
        if (!pass->memory[i])
            return subx_error_get(SUBX_ERR_NO_MEM);
    }
    return pass->memory ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
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
    return rc ? rc : alloc_buffers(pass);
}

/* A thread zeroes its own buffer: the first touch decides on which NUMA node memory lies. */
static void zero_buffer(void *context, int thread)
{
    sx_pass pass = context;
    memset(pass->memory[thread], 0, (size_t)pass->thread_bytes);
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

static int build_side(sx_pass pass, int side)
{
    int rc = sx_pass_index_create(pass, side, &pass->index[side]);
    return rc ? rc : sx_pass_copies_create(pass, side);
}

/* Buffers are zeroed after planning, which leaves any values in the buffer of thread 0. */
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
        rc = build_side(pass, side);
    if (!rc)
        rc = sx_pass_steps_create(pass);
    if (!rc)
        sx_pass_fork(p->threads, zero_buffer, pass);
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

static void free_side(sx_pass pass, int side)
{
    sx_pass_copies_free(pass, side);
    sx_pass_index_free(&pass->index[side]);
    sx_base_free(pass->p.side[side].region);
}

static void free_buffers(sx_pass pass)
{
    for (int i = 0; i < pass->p.threads && pass->memory; i++)
        sx_base_free(pass->memory[i]);
    sx_base_free(pass->memory);
}

void sx_pass_free(sx_pass *pass)
{
    sx_pass made = *pass;
    if (!made)
        return;
    sx_pass_steps_free(made);
    free_side(made, SX_TO);
    free_side(made, SX_FROM);
    free_buffers(made);
    sx_pass_cut_free(&made->batch);
    sx_base_free(made);
    *pass = NULL;
}

ptrdiff_t sx_pass_get_bytes(sx_pass pass)
{
    return pass ? pass->thread_bytes * pass->p.threads : 0;
}
