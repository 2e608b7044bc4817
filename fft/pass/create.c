/* create.c - create and free a pass: the batch axis, the buffers of tiles, and all that an execution
 * needs. */
#include "pass/inside.h"
#include <string.h>

/* ---- tiles */

/* Get the batch axis: the innermost axis that is not whole in a tile. Pencils that are adjacent along this
 * axis are closest in memory. Returns -1 if all axes are whole. */
static int find_batch_axis(sx_pass pass)
{
    for (int i = 0; i < pass->p.ndims; i++)
        if (!pass->is_whole[pass->p.order[i]])
            return pass->p.order[i];
    return -1;
}

static int get_nsteps(const sx_pass_problem *p)
{
    return p->is_round ? 2 * p->naxes : p->naxes;
}

/* Query whether a transform can read or write the array of a side as it is: the array is one region, all its
 * elements exist, and no weights, operation or conversion change them. */
static int is_plain(sx_pass pass, int side)
{
    const sx_pass_problem *p = &pass->p;
    const int is_spectral = pass->is_spectral[side];
    const int is_changed = p->is_orthonormal || (p->has_operation && is_spectral);
    return p->naxes > 0 && p->side[side].nregions == 1 && !p->side[side].is_narrow &&
           sx_pass_is_full(pass, is_spectral) && !is_changed;
}

/* Query whether a kernel of fft/simd should execute the last step. */
static int ends_with_kernel(sx_pass pass)
{
    const sx_pass_problem *p = &pass->p;
    const int is_forward = !p->is_round && p->direction == SUBX_FFT_FORWARD;
    const sx_pass_axis *x = &p->axis[is_forward ? p->naxes - 1 : 0];
    return sx_pass_likes_kernels(pass, sx_serial_get_kind(x->kind, !is_forward), x->n);
}

/* Set which sides are direct: the first step reads the array, or the last step writes it, without a buffer.
 * The array must be small: then it stays in the caches, where a buffer would gain nothing. (If FFTW reads
 * rows from memory, it takes 1.6 times as long as a copy and a transform in the caches.) There are three
 * exceptions. A single complex-to-real step does not read the array, because it would destroy the input. A
 * single step has one direct side only: executions may have equal or different arrays `from` and `to`, but a
 * serial plan is either in place or out of place. A kernel may need the buffer: it writes the array only if
 * its rows do not collide (kernels.c). */
static void set_direct(sx_pass pass)
{
    const int several = get_nsteps(&pass->p) > 1, is_small = pass->p.is_small;
    const int destroys = sx_pass_has_half(&pass->p) && pass->p.direction == SUBX_FFT_BACKWARD;
    pass->is_direct[SX_FROM] = is_small && is_plain(pass, SX_FROM) && (!destroys || several);
    pass->is_direct[SX_TO] = is_small && is_plain(pass, SX_TO) && (several || !pass->is_direct[SX_FROM]) &&
                             !ends_with_kernel(pass);
}

static int set_tiles(sx_pass pass)
{
    set_direct(pass);
    return sx_pass_cut_create(pass, find_batch_axis(pass), pass->p.width, &pass->batch);
}

/* ---- buffers */

static void set_elements(sx_pass pass)
{
    const ptrdiff_t real = sx_serial_get_real_bytes(pass->p.precision);
    const int half = sx_pass_has_half(&pass->p), width = pass->p.side[SX_FROM].width;
    pass->buffer[SUBX_FFT_PHYSICAL].element = half ? real : width * real;
    pass->buffer[SUBX_FFT_SPECTRAL].element = half ? 2 * real : width * real;
}

/* Add an axis to a buffer, outside the axes that the buffer has so far. The stride of the axis is an odd
 * number of cache lines, so that elements along the axis are in all sets of a cache. If the stride were a
 * power of two, they would share few sets. */
static int add_level(sx_buffer *buffer, int axis, ptrdiff_t n)
{
    if (buffer->bytes > buffer->element)
        buffer->bytes = sx_base_round_up(buffer->bytes) | SX_ALIGNMENT;
    buffer->stride[axis] = buffer->bytes / buffer->element;
    return sx_base_mul(buffer->bytes, n, &buffer->bytes);
}

/* Add axes to a buffer: the transformed axes of a tile if are_transformed is 1; if it is 0, the other axes
 * that are whole in a tile. */
static int add_whole_axes(sx_pass pass, int is_spectral, int are_transformed)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < pass->p.ndims && !rc; i++) {
        const int axis = pass->p.order[i];
        if (pass->is_whole[axis] && pass->p.is_whole[axis] != are_transformed)
            rc = add_level(&pass->buffer[is_spectral], axis, pass->extent[is_spectral][axis].n);
    }
    return rc;
}

/* Set the strides and the bytes of a buffer. Axes that are whole but not transformed are outermost. An
 * example is the axis of a vector's components: then the buffer has all pencils of one component side by
 * side. */
static int set_buffer(sx_pass pass, int is_spectral)
{
    const sx_pass_problem *p = &pass->p;
    sx_buffer *buffer = &pass->buffer[is_spectral];
    int rc = MPI_SUCCESS, batch = pass->batch.axis;
    buffer->bytes = buffer->element;
    if (batch >= 0 && p->interleaved)
        rc = add_level(buffer, batch, pass->batch.longest);
    if (!rc)
        rc = add_whole_axes(pass, is_spectral, 1);
    if (batch >= 0 && !p->interleaved && !rc)
        rc = add_level(buffer, batch, pass->batch.longest);
    if (!rc)
        rc = add_whole_axes(pass, is_spectral, 0);
    buffer->bytes = sx_base_round_up(buffer->bytes);
    return rc;
}

/* Get the number of buffers of a thread. Transforms that keep the width of elements can be in place, in one
 * buffer. But FFTW transforms long contiguous pencils up to a fifth faster out of place. Planes and
 * interleaved pencils are not faster out of place. */
static int get_nbuffers(sx_pass pass)
{
    const sx_pass_problem *p = &pass->p;
    int is_apart = p->naxes == 1 && !p->interleaved && !pass->is_direct[SX_FROM] && !pass->is_direct[SX_TO];
    return sx_pass_has_half(p) || is_apart ? 2 : 1;
}

/* Allocate memory for each thread, without touching it: the system puts a page into the NUMA domain of the
 * thread that touches the page first. */
static int alloc_each(sx_pass pass, ptrdiff_t bytes, char ***memory)
{
    *memory = sx_base_alloc(pass->p.threads, sizeof **memory);
    for (int i = 0; i < pass->p.threads && *memory; i++) {
        (*memory)[i] = sx_base_alloc_untouched(bytes);
        if (!(*memory)[i])
            return subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    return *memory ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static int set_buffers(sx_pass pass)
{
    ptrdiff_t all = 0;
    int rc = set_buffer(pass, SUBX_FFT_PHYSICAL);
    if (!rc)
        rc = set_buffer(pass, SUBX_FFT_SPECTRAL);
    pass->nbuffers = get_nbuffers(pass);
    pass->thread_bytes = pass->buffer[SUBX_FFT_PHYSICAL].bytes;
    if (!rc && pass->nbuffers == 2)
        rc = sx_base_add(pass->thread_bytes, pass->buffer[SUBX_FFT_SPECTRAL].bytes, &pass->thread_bytes);
    pass->floats_at = pass->thread_bytes;
    if (!rc)
        rc = sx_base_add(pass->thread_bytes, sx_pass_floats_get_bytes(pass), &pass->thread_bytes);
    if (!rc)
        rc = sx_base_mul(pass->thread_bytes, pass->p.threads, &all);
    return rc ? rc : alloc_each(pass, pass->thread_bytes, &pass->memory);
}

/* Each thread zeroes its own buffers: as the first to touch them, it gets their pages in its own NUMA
 * domain. */
static void zero_buffer(void *context, int thread)
{
    sx_pass pass = context;
    memset(pass->memory[thread], 0, (size_t)pass->thread_bytes);
}

/* ---- create and free */

static int is_served(const sx_pass_problem *p)
{
    for (int i = 0; i < p->naxes; i++) {
        const sx_pass_axis *x = &p->axis[i];
        if (x->kind == SUBX_FFT_HC2R && (x->points < x->n || x->modes < x->n))
            return 0;
    }
    return p->serial->serves(p->precision);
}

static int only_copies(const sx_pass_problem *p)
{
    return p->naxes == 0 && p->roots == 0 && !p->has_operation && !p->side[SX_FROM].is_narrow &&
           !p->side[SX_TO].is_narrow;
}

static int build_side(sx_pass pass, int side)
{
    int rc = sx_pass_index_create(pass, side, &pass->index[side]);
    return rc ? rc : sx_pass_copies_create(pass, side);
}

/* Create what a pass needs to execute tiles. At the end each thread zeroes its buffers, because planning may
 * have written to the buffers of thread 0. */
static int build_tiles(sx_pass pass)
{
    int rc = set_tiles(pass);
    if (!rc)
        rc = set_buffers(pass);
    for (int side = 0; side < 2 && !rc; side++)
        rc = build_side(pass, side);
    if (!rc)
        rc = sx_pass_steps_create(pass);
    if (!rc)
        rc = alloc_each(pass, pass->work_bytes, &pass->work);
    if (!rc)
        sx_pass_fork(pass->p.threads, zero_buffer, pass);
    return rc;
}

static int build(sx_pass pass, const sx_pass_problem *p)
{
    pass->p = *p;
    pass->p.side[SX_FROM].region = pass->p.side[SX_TO].region = NULL;
    if (!is_served(p))
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    pass->real = sx_pass_real_get(p->precision);
    sx_pass_extents_set(pass);
    set_elements(pass);
    int rc = sx_pass_regions_create(pass, &p->side[SX_FROM], SX_FROM);
    if (!rc)
        rc = sx_pass_regions_create(pass, &p->side[SX_TO], SX_TO);
    if (!rc)
        rc = only_copies(p) ? sx_pass_pieces_create(pass) : build_tiles(pass);
    return rc;
}

int sx_pass_create(const sx_pass_problem *p, sx_pass *pass)
{
    *pass = sx_base_alloc(1, sizeof **pass + (size_t)get_nsteps(p) * sizeof(sx_step));
    if (!*pass)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
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

static void free_each(sx_pass pass, char **memory)
{
    for (int i = 0; i < pass->p.threads && memory; i++)
        sx_base_free(memory[i]);
    sx_base_free(memory);
}

void sx_pass_free(sx_pass *pass)
{
    sx_pass made = *pass;
    if (!made)
        return;
    sx_pass_pieces_free(made);
    sx_pass_steps_free(made);
    free_side(made, SX_TO);
    free_side(made, SX_FROM);
    free_each(made, made->work);
    free_each(made, made->memory);
    sx_pass_cut_free(&made->batch);
    sx_base_free(made);
    *pass = NULL;
}

ptrdiff_t sx_pass_get_bytes(sx_pass pass)
{
    return pass ? (pass->thread_bytes + pass->work_bytes) * pass->p.threads : 0;
}
