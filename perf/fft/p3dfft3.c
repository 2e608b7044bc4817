/* p3dfft3.c - the transforms of P3DFFT++ (P3DFFT 3), from x pencils to z pencils, and backward. The
 * spectral side is in C order, or its fastest axis is the axis that is transformed last. */
#include "fft/fft.h"

#include <p3dfft.h>
#include <stdlib.h>

struct context {
    Plan3D plan[2]; /* by `from` */
    int is_float;
    Grid *grid[2]; /* by side */
};

/* P3DFFT's axes x, y, z are our axes from the last to the first. places: the places of x, y and z in the
 * storage order of the output; the fastest axis has place 0. */
static const char *const variants[] = {"transposed", "natural", NULL};
static const int places[][3] = {{1, 2, 0}, {0, 1, 2}};

static int execute(void *context, int from, void *in, void *out)
{
    const struct context *c = context;
    if (c->is_float)
        p3dfft_exec_3Dtrans_single(c->plan[from], in, out, 1);
    else
        p3dfft_exec_3Dtrans_double(c->plan[from], in, out, 1);
    return MPI_SUCCESS;
}

static void release(void *context)
{
    struct context *c = context;
    for (int side = 0; side < 2; side++)
        p3dfft_free_data_grid(c->grid[side]);
    free(c);
}

static void set_box(const struct sx_perf_fft_cell *cell, int side, const Grid *grid, const int place[],
                    struct sx_perf_fft_box *box)
{
    int len[3], start[3], order[3];
    for (int d = 0; d < 3; d++) {
        len[2 - d] = grid->Ldims[d];
        start[2 - d] = grid->GlobStart[d];
        order[place[d]] = 2 - d;
    }
    sx_perf_fft_neighbours_set_box(box, cell, side, len, start, order);
}

/* Set the types of the transforms along x, y and z. P3DFFT executes z first if it starts from z pencils. */
static void set_types(const struct sx_perf_fft_cell *cell, int from, int types[3])
{
    const int is_real = sx_perf_fft_problem_get_kind(cell->problem) != SUBX_FFT_C2C,
              is_float = cell->problem->precision == SUBX_FFT_FLOAT;
    const int c2c[2][2] = {{P3DFFT_CFFT_FORWARD_D, P3DFFT_CFFT_BACKWARD_D},
                           {P3DFFT_CFFT_FORWARD_S, P3DFFT_CFFT_BACKWARD_S}};
    const int real[2][2] = {{P3DFFT_R2CFFT_D, P3DFFT_C2RFFT_D}, {P3DFFT_R2CFFT_S, P3DFFT_C2RFFT_S}};
    types[0] = is_real ? real[is_float][from] : c2c[is_float][from];
    types[1] = types[2] = c2c[is_float][from];
}

/* Create the grids and the plans. On the physical side axis x is whole on each rank; on the spectral side,
 * axis z. */
static void create_plans(const struct sx_perf_fft_cell *cell, int place[3], struct context *c)
{
    const int is_real = sx_perf_fft_problem_get_kind(cell->problem) != SUBX_FFT_C2C;
    int natural[3] = {0, 1, 2}, last[3] = {1, 2, 0}, sizes[3], spectral[3], types[3];
    int processes[3] = {1, cell->grid.g == 2 ? cell->grid.dims[1] : 1, cell->grid.dims[0]};
    const int grid = p3dfft_init_proc_grid(processes, MPI_COMM_WORLD);
    sx_perf_fft_neighbours_reverse(3, cell->problem->sizes, sizes);
    sx_perf_fft_neighbours_reverse(3, cell->spectral, spectral);
    c->grid[SUBX_FFT_PHYSICAL] = p3dfft_init_data_grid(sizes, -1, grid, natural, natural);
    c->grid[SUBX_FFT_SPECTRAL] = p3dfft_init_data_grid(spectral, is_real ? 0 : -1, grid, last, place);
    for (int from = 0; from < 2; from++) {
        if (!sx_perf_fft_settings_query(&cell->job->settings, from))
            continue;
        set_types(cell, from, types);
        c->plan[from] = p3dfft_plan_3Dtrans(c->grid[from], c->grid[!from], p3dfft_init_3Dtype(types));
    }
}

static void *create(const struct sx_perf_fft_cell *cell, int i, struct sx_perf_fft_box box[2])
{
    struct context *c = sx_perf_memory_create_small(1, sizeof *c);
    int natural[] = {0, 1, 2}, place[] = {places[i][0], places[i][1], places[i][2]};
    c->is_float = cell->problem->precision == SUBX_FFT_FLOAT;
    create_plans(cell, place, c);
    set_box(cell, SUBX_FFT_PHYSICAL, c->grid[0], natural, &box[0]);
    set_box(cell, SUBX_FFT_SPECTRAL, c->grid[1], place, &box[1]);
    return c;
}

/* On one rank the library does not set DataGrid.L. Its function find_order reads it all the same, and some
 * processes crash. */
static const char *query_obstacle(const struct sx_perf_fft_cell *cell)
{
    const int is_r2c = sx_perf_fft_problem_get_kind(cell->problem) == SUBX_FFT_R2C;
    if (sx_perf_program_get_nranks() == 1)
        return "on one rank it reads memory that it has not set, and may crash";
    return is_r2c && cell->problem->sizes[2] % 2 &&
                   sx_perf_fft_settings_query(&cell->job->settings, SX_PERF_FFT_BACKWARD)
               ? "its complex-to-real transforms have even lengths only"
               : NULL;
}

static void start(void)
{
    p3dfft_setup();
}

static void finish(void)
{
    p3dfft_cleanup();
}

const struct sx_perf_fft_neighbour sx_perf_fft_p3dfft3 = {.name = "p3dfft++",
                                                          .least = 3,
                                                          .most = 3,
                                                          .no_r2r =
                                                              "most of its real-to-real results are wrong",
                                                          .no_place = "it is measured out of place only",
                                                          .query_obstacle = query_obstacle,
                                                          .start = start,
                                                          .finish = finish,
                                                          .variants = variants,
                                                          .create = create,
                                                          .execute = execute,
                                                          .free = release};
