/* cufft.c - the transforms of cuFFT, of all axes at once, on one rank. */
#include "fft/fft.h"

#include "fft/cufft.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct work {
    void *plan, *in, *out;
};

static const struct sx_perf_cufft *cufft;

/* Load cuFFT once; returns 0 if it cannot be loaded. */
static int load(void)
{
    void *library = cufft ? NULL : dlopen(SX_PERF_CUFFT_FILE, RTLD_NOW | RTLD_LOCAL);
    if (library)
        cufft = dlsym(library, SX_PERF_CUFFT_TABLE);
    return cufft != NULL;
}

static const char *query_obstacle(const struct sx_perf_fft_cell *cell)
{
    if (sx_perf_program_get_nranks() > 1)
        return "it works on one rank";
    if (strncmp(sx_perf_engines_get_kind(&cell->job->settings.common), "cuda:", strlen("cuda:")) != 0)
        return "the device is no GPU of NVIDIA";
    return load() ? NULL : "its library cannot be loaded";
}

static int execute(void *context)
{
    const struct work *w = context;
    return cufft->execute(w->plan, w->in, w->out) ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void release(void *context)
{
    struct work *w = context;
    cufft->free(w->plan);
    free(w);
}

/* In place, only a complex transform keeps its shape. */
static void add(struct sx_perf_fft_cell *cell)
{
    const int is_real = cell->problem->kind != SUBX_FFT_C2C;
    for (int in_place = 0; in_place < (is_real ? 1 : 2); in_place++) {
        struct work *w = sx_perf_memory_create_small(1, sizeof *w);
        *w = (struct work){.in = cell->in, .out = in_place ? cell->in : cell->out};
        struct sx_perf_fft_transform t = {.library = "cufft",
                                          .run = execute,
                                          .release = release,
                                          .context = w,
                                          .result = w->out,
                                          .from = cell->step[0].from,
                                          .to = cell->step[0].to};
        snprintf(t.variant, sizeof t.variant, "%s", in_place ? "in-place" : "out-of-place");
        sx_perf_fft_peak_start(&cell->peak);
        w->plan = cufft->create(is_real, cell->problem->ndims, cell->problem->sizes);
        if (!w->plan)
            sx_perf_program_abort(MPI_SUCCESS, "cuFFT makes no plan for %s", cell->problem_name);
        sx_perf_fft_cell_add(cell, &t);
    }
}

const struct sx_perf_fft_neighbour sx_perf_fft_cufft = {
    .name = "cufft", .least = 2, .most = 3, .is_on_device = 1, .query_obstacle = query_obstacle, .add = add};
