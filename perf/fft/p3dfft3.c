/* p3dfft3.c - the transforms of P3DFFT++ (P3DFFT 3), from x pencils to z pencils. The output is in C order, or its
 * fastest axis is the axis that is transformed last. */
#include "fft/fft.h"

#include <p3dfft.h>
#include <stdlib.h>

struct context {
    Plan3D plan;
    int processes;
    Grid *from, *to;
    void *in, *out;
};

/* P3DFFT's axes x, y, z are our axes from the last to the first. places: the places of x, y and z in the storage order of
 * the output; the fastest axis has place 0. */
static const struct {
    const char *name;
    int places[3];
} variants[] = {{"transposed", {1, 2, 0}}, {"natural", {0, 1, 2}}};

static int execute(void *context)
{
    const struct context *c = context;
    p3dfft_exec_3Dtrans_double(c->plan, c->in, c->out, 1);
    return MPI_SUCCESS;
}

static void release(void *context)
{
    struct context *c = context;
    p3dfft_free_data_grid(c->from);
    p3dfft_free_data_grid(c->to);

    free(c);
}

static void set_box(const struct sx_perf_fft_cell *cell, int side, const Grid *grid, const int places[],
                    struct sx_perf_fft_box *box)
{
    int len[3], start[3], order[3];
    for (int d = 0; d < 3; d++) {
        len[2 - d] = grid->Ldims[d];
        start[2 - d] = grid->GlobStart[d];
        order[places[d]] = 2 - d;
    }
    sx_perf_fft_neighbours_set_box(box, cell, side, len, start, order);
}

/* Create the grids and the plan. Before the transform axis x is whole on each rank; after it, axis z. */
static void create(const struct sx_perf_fft_cell *cell, int places[3], struct context *c)
{
    int is_real = cell->problem->kind != SUBX_FFT_C2C, natural[3] = {0, 1, 2}, last[3] = {1, 2, 0};
    int processes[3] = {1, cell->grid.g == 2 ? cell->grid.dims[1] : 1, cell->grid.dims[0]};
    int types[3] = {is_real ? P3DFFT_R2CFFT_D : P3DFFT_CFFT_FORWARD_D, P3DFFT_CFFT_FORWARD_D,
                    P3DFFT_CFFT_FORWARD_D};
    int sizes[3], spectral[3];
    sx_perf_fft_neighbours_reverse(3, cell->problem->sizes, sizes);
    sx_perf_fft_neighbours_reverse(3, cell->spectral, spectral);
    c->processes = p3dfft_init_proc_grid(processes, MPI_COMM_WORLD);
    c->from = p3dfft_init_data_grid(sizes, -1, c->processes, natural, natural);
    c->to = p3dfft_init_data_grid(spectral, is_real ? 0 : -1, c->processes, last, places);
    c->plan = p3dfft_plan_3Dtrans(c->from, c->to, p3dfft_init_3Dtype(types));
}

static void add(struct sx_perf_fft_cell *cell)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct context *c = sx_perf_memory_create_small(1, sizeof *c);
        struct sx_perf_fft_transform t = {
            .library = "p3dfft++", .run = execute, .release = release, .context = c, .result = cell->out};
        int natural[] = {0, 1, 2},
            places[] = {variants[i].places[0], variants[i].places[1], variants[i].places[2]};
        *c = (struct context){.in = cell->in, .out = cell->out};
        snprintf(t.variant, sizeof t.variant, "%s", variants[i].name);
        sx_perf_fft_peak_start(&cell->peak);
        create(cell, places, c);
        set_box(cell, SUBX_FFT_PHYSICAL, c->from, natural, &t.from);
        set_box(cell, SUBX_FFT_SPECTRAL, c->to, places, &t.to);
        sx_perf_fft_cell_add(cell, &t);
    }
}

static void start(void)
{
    p3dfft_setup();
}

static void finish(void)
{
    p3dfft_cleanup();
}

const struct sx_perf_fft_neighbour sx_perf_fft_p3dfft3 = {
    .name = "p3dfft++", .least = 3, .most = 3, .start = start, .finish = finish, .add = add};
