/* cell.c - a problem on a grid: its steps in C order, its arrays, and the transforms that passed
 * verification. */
#include "fft/fft.h"

#include <stdlib.h>
#include <string.h>

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

/* ------------------------------------------------------------------------------------ steps */

/* Set this rank's box of an array. divided[a]: the grid dimension that divides axis a; -1 if axis a is
 * whole. */
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
    const int width = sx_perf_fft_problem_get_width(cell->problem, SUBX_FFT_SPECTRAL);
    *step = (struct sx_perf_fft_step){.dim = dim};
    set_box(cell, cell->spectral, width, divided, &step->box[SUBX_FFT_SPECTRAL]);
    step->box[SUBX_FFT_PHYSICAL] = step->box[SUBX_FFT_SPECTRAL];
    return step;
}

/* In place, a row of reals must have room for its complex transform, as FFTW requires. */
static void pad(struct sx_perf_fft_step *step)
{
    struct sx_perf_fft_box *physical = &step->box[SUBX_FFT_PHYSICAL];
    const struct sx_perf_fft_box *spectral = &step->box[SUBX_FFT_SPECTRAL];
    for (int a = 0; a < physical->ndims - 1 && physical->width < spectral->width; a++)
        physical->stride[a] = 2 * spectral->stride[a];
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
    set_box(cell, p->sizes, sx_perf_fft_problem_get_width(p, SUBX_FFT_PHYSICAL), divided,
            &step->box[SUBX_FFT_PHYSICAL]);
    if (cell->job->settings.place == SX_PERF_FFT_IN)
        pad(step);
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

/* Get the number of elements of the largest box that a library may give to a rank. Libraries divide
 * different axes, and give remainders to different ranks. The dimensions of the grid before k divide the
 * axes in the set of bits `divided`; the dimensions from k on may divide any other axes. */
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

static ptrdiff_t get_larger(ptrdiff_t a, ptrdiff_t b)
{
    return a > b ? a : b;
}

/* Get the bytes of the largest box of a side. */
static ptrdiff_t get_largest_bytes(const struct sx_perf_fft_cell *cell, int side)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    const ptrdiff_t *sizes = side == SUBX_FFT_PHYSICAL ? p->sizes : cell->spectral;
    return get_largest_volume(cell, sizes, 0, 0) * sx_perf_fft_problem_get_width(p, side) *
           sx_perf_fft_problem_get_real_bytes(p);
}

/* In place, the second array is used only by the limit. */
static void create_arrays(struct sx_perf_fft_cell *cell)
{
    const struct sx_perf_fft_settings *s = &cell->job->settings;
    for (int i = 0; i < 2; i++)
        cell->memory[i] = sx_perf_memory_create(&s->common, cell->bytes);
    cell->array[SUBX_FFT_PHYSICAL] = cell->memory[0];
    cell->array[SUBX_FFT_SPECTRAL] = cell->memory[s->place == SX_PERF_FFT_IN ? 0 : 1];
    cell->host = sx_perf_fft_cell_is_on_device(cell) ? sx_perf_memory_create_small(cell->bytes, 1) : NULL;
}

static void free_arrays(const struct sx_perf_fft_cell *cell)
{
    for (int i = 0; i < 2; i++)
        sx_perf_memory_free(&cell->job->settings.common, cell->memory[i]);
    free(cell->host);
}

void sx_perf_fft_cell_grow(struct sx_perf_fft_cell *cell, ptrdiff_t bytes)
{
    free_arrays(cell);
    cell->bytes = bytes;
    create_arrays(cell);
}

/* The arrays are large enough for all libraries: for the largest box, and for the bytes that a library
 * itself asks for. */
static void set_bytes(struct sx_perf_fft_cell *cell)
{
    cell->bytes = sx_perf_fft_neighbours_get_bytes(cell);
    cell->bytes = get_larger(cell->bytes, get_largest_bytes(cell, SUBX_FFT_PHYSICAL));
    cell->bytes = get_larger(cell->bytes, get_largest_bytes(cell, SUBX_FFT_SPECTRAL));
    cell->bytes += (ptrdiff_t)sizeof(fftw_complex); /* never 0 */
}

/* ----------------------------------------------------------------------------------- devices */

int sx_perf_fft_cell_is_on_device(const struct sx_perf_fft_cell *cell)
{
    return cell->job->settings.common.memory == SX_PERF_DEVICE;
}

/* get_host: get where the host writes the data of an array of the cell, before `put`. put: copy the data
 * to the array, if this is in a GPU's memory. get: the reverse; returns where the data is in the host's
 * memory. */
static void *get_host(const struct sx_perf_fft_cell *cell, void *array)
{
    return cell->host ? cell->host : array;
}

static void put(const struct sx_perf_fft_cell *cell, void *array)
{
    if (cell->host)
        sx_perf_memory_write(&cell->job->settings.common, array, cell->host, cell->bytes);
}

static const void *get(const struct sx_perf_fft_cell *cell, const void *array)
{
    if (!cell->host)
        return array;
    sx_perf_memory_read(&cell->job->settings.common, array, cell->host, cell->bytes);
    return cell->host;
}

void sx_perf_fft_cell_fill(const struct sx_perf_fft_cell *cell, void *array, int byte)
{
    memset(get_host(cell, array), byte, (size_t)cell->bytes);
    put(cell, array);
}

static void set_names(struct sx_perf_fft_cell *cell)
{
    struct sx_perf_shape shape = {.ndims = cell->grid.g};
    for (int k = 0; k < shape.ndims; k++)
        shape.n[k] = cell->grid.dims[k];
    sx_perf_values_print_shape(&shape, sizeof cell->grid_name, cell->grid_name);
    if (cell->grid.is_free)
        strcpy(cell->grid_name, "free");
    cell->problem_name = cell->problem->name;
}

void sx_perf_fft_cell_create(struct sx_perf_fft_job *job, const struct sx_perf_fft_problem *problem,
                             const struct sx_perf_fft_grid *grid, struct sx_perf_fft_cell *cell)
{
    *cell = (struct sx_perf_fft_cell){.job = job, .problem = problem, .grid = *grid};
    set_names(cell);
    sx_perf_fft_problem_get_spectral(problem, cell->spectral);
    set_steps(cell);
    sx_perf_fft_field_create(problem, &cell->field);
    set_bytes(cell);
    create_arrays(cell);
}

void sx_perf_fft_cell_free(struct sx_perf_fft_cell *cell)
{
    for (int i = 0; i < cell->n; i++)
        cell->transform[i].release(cell->transform[i].context);
    free_arrays(cell);
    sx_perf_fft_field_free(&cell->field);
}

/* ------------------------------------------------------------------------------- transforms */

static void tell_wrong(const struct sx_perf_fft_cell *cell, const struct sx_perf_fft_transform *t, int from,
                       double error)
{
    if (sx_perf_program_get_rank() == 0)
        fprintf(stderr, "%s: WRONG: %s %s, %s %s on grid %s: error %.3g of the largest\n",
                sx_perf_program_get_name(), t->library, t->variant, cell->problem_name,
                sx_perf_fft_settings_directions[from], cell->grid_name, error);
}

int sx_perf_fft_cell_execute(void *transform)
{
    const struct sx_perf_fft_transform *t = transform;
    int code = MPI_SUCCESS;
    for (int from = 0; from < 2 && code == MPI_SUCCESS; from++)
        if (t->direction == SX_PERF_FFT_PAIR || t->direction == from)
            code = t->run(t->context, from);
    return code;
}

/* Execute a transform in a direction. Returns the error of its result. */
static double verify(const struct sx_perf_fft_cell *cell, const struct sx_perf_fft_transform *t, int from)
{
    int code;
    /* Fill the arrays with NaNs (all bits are set), so that elements that a transform does not write are
     * noticed. */
    for (int side = 0; side < 2; side++)
        sx_perf_fft_cell_fill(cell, cell->array[side], 0xff);
    sx_perf_fft_field_export(&cell->field, from, &t->box[from], get_host(cell, cell->array[from]));
    put(cell, cell->array[from]);
    code = t->run(t->context, from);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "%s %s", t->library, t->variant);
    return sx_perf_fft_field_query_error(&cell->field, from, &t->box[!from], get(cell, cell->array[!from]));
}

void sx_perf_fft_cell_add(struct sx_perf_fft_cell *cell, const struct sx_perf_fft_transform *transform)
{
    struct sx_perf_fft_transform *t = &cell->transform[cell->n];
    int nwrong = 0;
    *t = *transform;
    t->direction = cell->job->settings.direction;
    t->effort = cell->job->settings.common.effort;
    t->error = 0;
    for (int from = 0; from < 2; from++) {
        double error = sx_perf_fft_settings_query(&cell->job->settings, from) ? verify(cell, t, from) : 0;
        t->error = error > t->error ? error : t->error;
        if (error < sx_perf_fft_problem_get_tolerance(cell->problem))
            continue;
        tell_wrong(cell, t, from, error);
        nwrong++;
    }
    t->memory = sx_perf_fft_peak_query(&cell->peak);
    if (nwrong == 0) {
        cell->n++;
        return;
    }
    cell->job->nwrong++;
    t->release(t->context);
}
