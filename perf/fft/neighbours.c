/* neighbours.c - the other libraries that configure has found; each has a file of its own. */
#include "fft/fft.h"

#include <stdlib.h>
#include <string.h>

static const struct sx_perf_fft_neighbour *const table[] = {
#ifdef SX_PERF_FFT_MPI
    &sx_perf_fft_mpi,
#endif
    &sx_perf_fft_dalcin,
    &sx_perf_fft_serial,
#ifdef SX_PERF_FFT_HEFFTE
    &sx_perf_fft_heffte,
#endif
#ifdef SX_PERF_FFT_DECOMP2D
    &sx_perf_fft_2decomp,
#endif
#ifdef SX_PERF_FFT_P3DFFT3
    &sx_perf_fft_p3dfft3,
#endif
#ifdef SX_PERF_FFT_PFFT
    &sx_perf_fft_pfft,
#endif
#ifdef SX_PERF_FFT_ACCFFT
    &sx_perf_fft_accfft,
#endif
#ifdef SX_PERF_FFT_CUFFT
    &sx_perf_fft_cufft,
#endif
    NULL};

enum { NLIBRARIES = sizeof table / sizeof *table - 1 };

void sx_perf_fft_neighbours_start(void)
{
    for (int i = 0; table[i]; i++)
        if (table[i]->start)
            table[i]->start();
}

void sx_perf_fft_neighbours_finish(void)
{
    for (int i = NLIBRARIES - 1; i >= 0; i--)
        if (table[i]->finish)
            table[i]->finish();
}

void sx_perf_fft_neighbours_print(size_t len, char *text)
{
    size_t used = 0;
    snprintf(text, len, "none");
    for (int i = 0; table[i] && used < len; i++)
        if (!table[i]->is_fftw)
            used += (size_t)snprintf(text + used, len - used, "%s%s", used ? " " : "", table[i]->name);
}

const char *sx_perf_fft_neighbours_query_mpi(void)
{
#if defined(SX_PERF_FFT_MPI) && defined(HAVE_FFTW3F_MPI)
    return "yes";
#elif defined(SX_PERF_FFT_MPI)
    return "yes, in double precision";
#else
    return "no";
#endif
}

/* ------------------------------------------------------------------------------------- cells */

/* Query whether every rank has elements before and after each step. Collective. */
static int is_filled(const struct sx_perf_fft_cell *cell)
{
    int filled = 1;
    for (int i = 0; i < cell->nsteps; i++)
        for (int side = 0; side < 2; side++)
            filled = filled && sx_perf_fft_cell_get_volume(&cell->step[i].box[side]) > 0;
    MPI_Allreduce(MPI_IN_PLACE, &filled, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return filled;
}

/* "all" means all libraries that transform arrays in the memory of the cell. */
static int is_wanted(const struct sx_perf_fft_cell *cell, const struct sx_perf_fft_neighbour *neighbour)
{
    const struct sx_perf_names *names = &cell->job->settings.neighbours;
    const int is_here = neighbour->is_on_device == sx_perf_fft_cell_is_on_device(cell);
    if (neighbour->is_fftw)
        return is_here;
    for (int i = 0; i < names->n; i++)
        if ((strcmp(names->name[i], "all") == 0 && is_here) || strcmp(names->name[i], neighbour->name) == 0)
            return 1;
    return 0;
}

static const char *query_obstacle(const struct sx_perf_fft_cell *cell, const struct sx_perf_fft_neighbour *n)
{
    int ndims = cell->problem->ndims;
    if (n->is_fftw)
        return n->query_obstacle(cell);
    if (n->is_on_device != sx_perf_fft_cell_is_on_device(cell))
        return "of the memory that the arrays are in";
    if (ndims < n->least || ndims > n->most)
        return "of its number of axes";
    if (cell->problem->precision == SUBX_FFT_FLOAT && n->no_float)
        return n->no_float;
    if (sx_perf_fft_problem_get_kind(cell->problem) >= SUBX_FFT_DCT1 && n->no_r2r)
        return n->no_r2r;
    if (cell->job->settings.place == SX_PERF_FFT_IN && n->no_place)
        return n->no_place;
    if (cell->grid.g > 2 && n->most == 3)
        return "of the grid";
    return is_filled(cell) ? n->query_obstacle ? n->query_obstacle(cell) : NULL : "ranks would have no data";
}

ptrdiff_t sx_perf_fft_neighbours_get_bytes(const struct sx_perf_fft_cell *cell)
{
    ptrdiff_t most = 0;
    for (int i = 0; table[i]; i++)
        if (table[i]->get_bytes && is_wanted(cell, table[i]) && !query_obstacle(cell, table[i])) {
            ptrdiff_t bytes = table[i]->get_bytes(cell);
            most = bytes > most ? bytes : most;
        }
    return most;
}

/* -------------------------------------------------------------------------------- transforms */

/* The context of a transform. */
struct work {
    const struct sx_perf_fft_neighbour *library;
    const struct sx_perf_fft_cell *cell;
    void *plan;
};

static int execute(void *context, int from)
{
    const struct work *w = context;
    return w->library->execute(w->plan, from, w->cell->array[from], w->cell->array[!from]);
}

static void release(void *context)
{
    struct work *w = context;
    w->library->free(w->plan);
    free(w);
}

static void leave_out(struct sx_perf_fft_cell *cell, const char *name, const char *variant, const char *why)
{
    if (*why)
        sx_perf_table_add_note(&cell->job->table, "%s%s%s is left out of %s on grid %s, because %s", name,
                               *variant ? " " : "", variant, cell->problem_name, cell->grid_name, why);
}

static void add_variant(struct sx_perf_fft_cell *cell, const struct sx_perf_fft_neighbour *n, int i)
{
    const char *why = n->query_variant ? n->query_variant(cell, i) : NULL;
    struct work *w;
    struct sx_perf_fft_transform t = {.library = n->name, .run = execute, .release = release};
    if (why) {
        leave_out(cell, n->name, n->variants[i], why);
        return;
    }
    snprintf(t.variant, sizeof t.variant, "%s", n->variants[i]);
    sx_perf_fft_peak_start(&cell->peak);
    t.context = w = sx_perf_memory_create_small(1, sizeof *w);
    MPI_Barrier(MPI_COMM_WORLD);
    t.planning = MPI_Wtime();
    *w = (struct work){n, cell, n->create(cell, i, t.box)};
    t.planning = MPI_Wtime() - t.planning;
    MPI_Allreduce(MPI_IN_PLACE, &t.planning, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (w->plan) {
        sx_perf_fft_cell_add(cell, &t);
        return;
    }
    free(w);
    leave_out(cell, n->name, t.variant, "it makes no plan");
}

/* With --efforts, libraries that configure was given are planned with the first effort only. */
void sx_perf_fft_neighbours_add(struct sx_perf_fft_cell *cell)
{
    int is_again = 0;
    for (int effort = 0; effort < cell->job->settings.common.effort; effort++)
        is_again |= cell->job->settings.efforts[effort];
    for (int i = 0; table[i]; i++) {
        const char *obstacle;
        if (!is_wanted(cell, table[i]) || (is_again && !table[i]->is_fftw))
            continue;
        obstacle = query_obstacle(cell, table[i]);
        if (obstacle)
            leave_out(cell, table[i]->name, "", obstacle);
        for (int k = 0; table[i]->variants[k] && !obstacle; k++)
            add_variant(cell, table[i], k);
    }
}

/* ------------------------------------------------------------------------------------- boxes */

void sx_perf_fft_neighbours_reverse(int ndims, const ptrdiff_t sizes[], int reversed[3])
{
    for (int d = 0; d < 3; d++)
        reversed[d] = d < ndims ? (int)sizes[ndims - 1 - d] : 1;
}

void sx_perf_fft_neighbours_set_box(struct sx_perf_fft_box *box, const struct sx_perf_fft_cell *cell,
                                    int side, const int len[], const int start[], const int order[])
{
    const int last = cell->problem->ndims - 1;
    box->ndims = cell->problem->ndims;
    box->width = sx_perf_fft_problem_get_width(cell->problem, side);
    for (int a = 0; a < box->ndims; a++) {
        box->len[a] = len[a];
        box->start[a] = start[a];
    }
    sx_perf_fft_cell_set_strides(box, order);
    if (side == SUBX_FFT_PHYSICAL && box->len[last] > cell->problem->sizes[last])
        box->len[last] = cell->problem->sizes[last];
}
