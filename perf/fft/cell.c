/* cell.c - a problem on a grid: its steps in C order, its arrays, and the transforms that passed verification. */
#include "fft/fft.h"

#include <stdlib.h>
#include <string.h>

/* The largest error of a right result, relative to the largest magnitude. Rounding errors are far below this value,
 * wrong results far above. */
static const double tolerance = 1e-10;

ptrdiff_t sx_perf_fft_cell_get_volume(const struct sx_perf_fft_box *box)
{
    ptrdiff_t volume = 1;
    for (int a = 0; a < box->ndims; a++)
        volume *= box->len[a];
    return volume;
}

static void get_coords(const struct sx_perf_fft_grid *grid, int coords[])
{
    int rank = sx_perf_program_get_rank();
    for (int k = grid->g - 1; k >= 0; k--) {
        coords[k] = rank % grid->dims[k];
        rank /= grid->dims[k];
    }
}

void sx_perf_fft_cell_set_strides(struct sx_perf_fft_box *box, const int order[])
{
    ptrdiff_t stride = 1;
    for (int i = 0; i < box->ndims; i++) {
        int a = order ? order[i] : box->ndims - 1 - i;
        box->stride[a] = stride;
        stride *= box->len[a];
    }
}

void sx_perf_fft_cell_get_spectral(const struct sx_perf_fft_problem *problem, ptrdiff_t sizes[])
{
    int last = problem->ndims - 1;
    memcpy(sizes, problem->sizes, sizeof problem->sizes);
    if (problem->kind != SUBX_FFT_C2C)
        sizes[last] = sizes[last] / 2 + 1;
}

/* ------------------------------------------------------------------------------------ steps */

/* Set this rank's box of an array. divided[a]: the grid dimension that divides axis a; -1 if axis a is whole. */
static void set_box(const struct sx_perf_fft_cell *cell, const ptrdiff_t sizes[], int width,
                    const int divided[], struct sx_perf_fft_box *box)
{
    int coords[SX_PERF_FFT_NDIMS_MAX];
    get_coords(&cell->grid, coords);
    box->ndims = cell->problem->ndims;
    box->width = width;
    for (int a = 0; a < box->ndims; a++) {
        int k = divided[a];
        subx_block_get(sizes[a], k < 0 ? 1 : cell->grid.dims[k], k < 0 ? 0 : coords[k], &box->len[a],
                       &box->start[a]);
    }
    sx_perf_fft_cell_set_strides(box, NULL);
}

static struct sx_perf_fft_step *add_step(struct sx_perf_fft_cell *cell, int dim, const int divided[])
{
    struct sx_perf_fft_step *step = &cell->step[cell->nsteps++];
    *step = (struct sx_perf_fft_step){.dim = dim};
    set_box(cell, cell->spectral, 2, divided, &step->from);
    step->to = step->from;
    return step;
}

/* The first step transforms all axes that are whole; then there is one step per exchange. */
static void set_steps(struct sx_perf_fft_cell *cell)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    int divided[SX_PERF_FFT_NDIMS_MAX];
    struct sx_perf_fft_step *step;
    for (int a = 0; a < p->ndims; a++)
        divided[a] = a < cell->grid.g && cell->grid.dims[a] > 1 ? a : -1;
    step = add_step(cell, -1, divided);
    set_box(cell, p->sizes, p->kind == SUBX_FFT_C2C ? 2 : 1, divided, &step->from);
    for (int a = 0; a < p->ndims; a++)
        if (divided[a] < 0)
            step->axes[step->naxes++] = a;
    for (int k = cell->grid.g - 1; k >= 0; k--) {
        if (cell->grid.dims[k] == 1)
            continue;
        divided[k] = -1;
        divided[k + 1] = k;
        step = add_step(cell, k, divided);
        step->axes[step->naxes++] = k;
    }
}

/* ----------------------------------------------------------------------------------- arrays */

/* Get the number of elements of the largest box that a library may give to a rank. Libraries divide different axes, and
 * give remainders to different ranks. The dimensions of the grid before k divide the axes in the set of bits `divided`;
 * the dimensions from k on may divide any other axes. */
static ptrdiff_t get_largest_volume(const struct sx_perf_fft_cell *cell, const ptrdiff_t sizes[], int k,
                                    unsigned divided)
{
    ptrdiff_t most = 0, whole = 1;
    for (int a = 0; a < cell->problem->ndims; a++) {
        if (divided >> a & 1)
            continue;
        whole *= sizes[a];
        if (k == cell->grid.g)
            continue;
        const ptrdiff_t part = (sizes[a] + cell->grid.dims[k] - 1) / cell->grid.dims[k];
        const ptrdiff_t volume = part * get_largest_volume(cell, sizes, k + 1, divided | 1u << a);
        most = volume > most ? volume : most;
    }
    return k == cell->grid.g ? whole : most;
}

/* Get the bytes of the largest box on the side (physical or spectral) where it has more bytes. */
static ptrdiff_t get_largest_bytes(const struct sx_perf_fft_cell *cell)
{
    const int is_c2c = cell->problem->kind == SUBX_FFT_C2C;
    const ptrdiff_t physical = get_largest_volume(cell, cell->problem->sizes, 0, 0) * (is_c2c ? 2 : 1);
    const ptrdiff_t spectral = get_largest_volume(cell, cell->spectral, 0, 0) * 2;
    return (physical > spectral ? physical : spectral) * (ptrdiff_t)sizeof(double);
}

/* The arrays are large enough for all libraries: for the largest box, and for the bytes that a library itself asks
 * for. */
static void create_arrays(struct sx_perf_fft_cell *cell)
{
    const struct sx_perf_settings *s = &cell->job->settings.common;
    ptrdiff_t others = sx_perf_fft_neighbours_get_bytes(cell);
    cell->bytes = sx_perf_fft_mpi_get_bytes(cell);
    cell->bytes = others > cell->bytes ? others : cell->bytes;
    for (int i = 0; i < cell->nsteps; i++) {
        ptrdiff_t bytes = sx_perf_fft_cell_get_volume(&cell->step[i].to) * (ptrdiff_t)sizeof(fftw_complex);
        cell->bytes = bytes > cell->bytes ? bytes : cell->bytes;
    }
    const ptrdiff_t largest = get_largest_bytes(cell);
    cell->bytes = largest > cell->bytes ? largest : cell->bytes;
    cell->bytes += (ptrdiff_t)sizeof(fftw_complex); /* never 0 */
    cell->in = sx_perf_memory_create(s, cell->bytes);
    cell->out = sx_perf_memory_create(s, cell->bytes);
    cell->host = sx_perf_fft_cell_is_on_device(cell) ? sx_perf_memory_create_small(cell->bytes, 1) : cell->in;
}

int sx_perf_fft_cell_is_on_device(const struct sx_perf_fft_cell *cell)
{
    return cell->job->settings.common.memory == SX_PERF_DEVICE;
}

/* put: copy the array `host` to an array of the cell, if this is in a GPU's memory. get: the reverse; returns where the data
 * is in the host's memory. */
static void put(const struct sx_perf_fft_cell *cell, void *array)
{
    if (sx_perf_fft_cell_is_on_device(cell))
        sx_perf_memory_write(&cell->job->settings.common, array, cell->host, cell->bytes);
}

static const void *get(const struct sx_perf_fft_cell *cell, const void *array)
{
    if (!sx_perf_fft_cell_is_on_device(cell))
        return array;
    sx_perf_memory_read(&cell->job->settings.common, array, cell->host, cell->bytes);
    return cell->host;
}

void sx_perf_fft_cell_fill(const struct sx_perf_fft_cell *cell, void *array, int byte)
{
    memset(sx_perf_fft_cell_is_on_device(cell) ? cell->host : array, byte, (size_t)cell->bytes);
    put(cell, array);
}

static void set_names(struct sx_perf_fft_cell *cell)
{
    struct sx_perf_shape shape = {.ndims = cell->grid.g};
    for (int k = 0; k < shape.ndims; k++)
        shape.n[k] = cell->grid.dims[k];
    sx_perf_values_print_shape(&shape, sizeof cell->grid_name, cell->grid_name);
    cell->problem_name = cell->problem->name;
}

void sx_perf_fft_cell_create(struct sx_perf_fft_job *job, const struct sx_perf_fft_problem *problem,
                             const struct sx_perf_fft_grid *grid, struct sx_perf_fft_cell *cell)
{
    *cell = (struct sx_perf_fft_cell){.job = job, .problem = problem, .grid = *grid};
    set_names(cell);
    sx_perf_fft_cell_get_spectral(problem, cell->spectral);
    set_steps(cell);
    sx_perf_fft_field_create(problem, &cell->field);
    create_arrays(cell);
}

void sx_perf_fft_cell_free(struct sx_perf_fft_cell *cell)
{
    for (int i = 0; i < cell->n; i++)
        cell->transform[i].release(cell->transform[i].context);
    sx_perf_memory_free(&cell->job->settings.common, cell->in);
    sx_perf_memory_free(&cell->job->settings.common, cell->out);
    if (sx_perf_fft_cell_is_on_device(cell))
        free(cell->host);
    sx_perf_fft_field_free(&cell->field);
}

/* ------------------------------------------------------------------------------- transforms */

static void tell_wrong(const struct sx_perf_fft_cell *cell, const struct sx_perf_fft_transform *t)
{
    if (sx_perf_program_get_rank() == 0)
        fprintf(stderr, "%s: WRONG: %s %s, %s on grid %s: error %.3g of the largest\n",
                sx_perf_program_get_name(), t->library, t->variant, cell->problem_name, cell->grid_name,
                t->error);
}

void sx_perf_fft_cell_add(struct sx_perf_fft_cell *cell, const struct sx_perf_fft_transform *transform)
{
    struct sx_perf_fft_transform *t = &cell->transform[cell->n];
    int code;
    *t = *transform;
    /* Fill the output with NaNs (all bits are set), so that elements that a transform does not write are noticed. */
    sx_perf_fft_cell_fill(cell, cell->out, 0xff);
    sx_perf_fft_cell_fill(cell, cell->in, 0xff);
    sx_perf_fft_field_export(&cell->field, &t->from, cell->host);
    put(cell, cell->in);
    code = t->run(t->context);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "%s %s", t->library, t->variant);
    t->memory = sx_perf_fft_peak_query(&cell->peak);
    t->error = sx_perf_fft_field_query_error(&cell->field, &t->to, get(cell, t->result));
    if (t->error < tolerance) {
        cell->n++;
        return;
    }
    tell_wrong(cell, t);
    cell->job->nwrong++;
    t->release(t->context);
}
