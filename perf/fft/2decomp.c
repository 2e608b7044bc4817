/* 2decomp.c - the transforms of 2DECOMP&FFT. There are three: from its x pencils to its z pencils; the
 * same with permission to overwrite the input; and from z to x pencils. Backward goes the other way. */
#include "fft/fft.h"

#include <stdlib.h>

/* Functions of 2decomp_plan.f90. `number` is the index of an engine, from 0; an engine of 2DECOMP&FFT is a
 * plan. The lengths and first indices of a box are in the order x, y, z; x is the fastest axis. */
void sx_perf_2decomp_start(const int sizes[3], const int grid[2], int is_real);
void sx_perf_2decomp_finish(void);
void sx_perf_2decomp_create(int number, const int sizes[3], int is_real, int from_z, int overwrites,
                            int physical[6], int spectral[6]);
void sx_perf_2decomp_forward(int number, int is_real, const int physical[6], const int spectral[6], void *in,
                             void *out);
void sx_perf_2decomp_backward(int number, int is_real, const int physical[6], const int spectral[6], void *in,
                              void *out);
void sx_perf_2decomp_free(int number);

struct context {
    int number, is_real, side[2][6];
};

static const char *const names[] = {"x-to-z", "x-to-z/overwrite", "z-to-x", NULL};

static const struct {
    int from_z, overwrites;
} variants[] = {{0, 0}, {0, 1}, {1, 0}};

/* How many engines of 2DECOMP&FFT exist. Freeing the last one also finishes that library. */
static int nengines;

static int execute(void *context, int from, void *in, void *out)
{
    const struct context *c = context;
    (from ? sx_perf_2decomp_backward : sx_perf_2decomp_forward)(c->number, c->is_real, c->side[0], c->side[1],
                                                                in, out);
    return MPI_SUCCESS;
}

static void release(void *context)
{
    const struct context *c = context;
    sx_perf_2decomp_free(c->number);
    if (--nengines == 0)
        sx_perf_2decomp_finish();
    free(context);
}

static int is_real(const struct sx_perf_fft_cell *cell)
{
    return sx_perf_fft_problem_get_kind(cell->problem) != SUBX_FFT_C2C;
}

/* 2DECOMP&FFT stops the program if one of its boxes is empty. */
static const char *query_obstacle(const struct sx_perf_fft_cell *cell)
{
    int most = cell->grid.dims[0];
    if (cell->grid.g == 2 && cell->grid.dims[1] > most)
        most = cell->grid.dims[1];
    for (int a = 0; a < 3; a++)
        if (cell->spectral[a] < most)
            return "ranks would have no data";
    return NULL;
}

/* For real data, 2DECOMP&FFT halves the axis that it transforms first: x, or z if from_z is 1. We halve
 * our last axis. Therefore our last axis is x, or z if from_z is 1. */
static void set_box(const struct sx_perf_fft_cell *cell, int side, int from_z, const int told[6],
                    struct sx_perf_fft_box *box)
{
    static const int order[2][3] = {{2, 1, 0}, {0, 1, 2}};
    int len[3], start[3];
    for (int i = 0; i < 3; i++) {
        len[order[from_z][i]] = told[i];
        start[order[from_z][i]] = told[3 + i];
    }
    sx_perf_fft_neighbours_set_box(box, cell, side, len, start, order[from_z]);
}

static void *create(const struct sx_perf_fft_cell *cell, int i, struct sx_perf_fft_box box[2])
{
    struct context *c = sx_perf_memory_create_small(1, sizeof *c);
    const ptrdiff_t *n = cell->problem->sizes;
    const int from_z = variants[i].from_z;
    int x_last[3] = {(int)n[2], (int)n[1], (int)n[0]}, x_first[3] = {(int)n[0], (int)n[1], (int)n[2]};
    int grid[2] = {cell->grid.g == 2 ? cell->grid.dims[1] : 1, cell->grid.dims[0]};
    *c = (struct context){.number = i, .is_real = is_real(cell)};
    if (nengines++ == 0)
        sx_perf_2decomp_start(x_last, grid, c->is_real);
    sx_perf_2decomp_create(c->number, from_z ? x_first : x_last, c->is_real, from_z, variants[i].overwrites,
                           c->side[0], c->side[1]);
    for (int side = 0; side < 2; side++)
        set_box(cell, side, from_z, c->side[side], &box[side]);
    return c;
}

static const char *query_variant(const struct sx_perf_fft_cell *cell, int i)
{
    return variants[i].overwrites && is_real(cell) ? "" : NULL;
}

const struct sx_perf_fft_neighbour sx_perf_fft_2decomp = {.name = "2decomp",
                                                          .least = 3,
                                                          .most = 3,
                                                          .no_float = "it was built for double precision",
                                                          .no_r2r = "its real-to-real kinds are not measured",
                                                          .no_place =
                                                              "its input and output must be two arrays",
                                                          .query_obstacle = query_obstacle,
                                                          .query_variant = query_variant,
                                                          .variants = names,
                                                          .create = create,
                                                          .execute = execute,
                                                          .free = release};
