/* cufft.c - the transforms of cuFFT, of all axes at once, on one rank. */
#include "fft/fft.h"

#include "fft/cufft.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* A plan for each direction asked for. */
struct work {
    void *plan[2]; /* by `from` */
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

static int execute(void *context, int from, void *in, void *out)
{
    const struct work *w = context;
    return cufft->execute(w->plan[from], in, out) ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void release(void *context)
{
    struct work *w = context;
    for (int from = 0; from < 2; from++)
        if (w->plan[from])
            cufft->free(w->plan[from]);
    free(w);
}

static void create_plan(const struct sx_perf_fft_cell *cell, int from, struct work *w)
{
    const struct sx_perf_fft_box *physical = &cell->step[0].box[SUBX_FFT_PHYSICAL];
    const struct sx_perf_cufft_request r = {.is_float = cell->problem->precision == SUBX_FFT_FLOAT,
                                            .is_real =
                                                sx_perf_fft_problem_get_kind(cell->problem) == SUBX_FFT_R2C,
                                            .is_backward = from == SX_PERF_FFT_BACKWARD,
                                            .ndims = cell->problem->ndims,
                                            .sizes = cell->problem->sizes,
                                            .row = physical->stride[physical->ndims - 2]};
    w->plan[from] = cufft->create(&r);
    if (!w->plan[from])
        sx_perf_program_abort(MPI_SUCCESS, "cuFFT makes no plan for %s", cell->problem_name);
}

static void *create(const struct sx_perf_fft_cell *cell, int variant, struct sx_perf_fft_box box[2])
{
    struct work *w = sx_perf_memory_create_small(1, sizeof *w);
    (void)variant;
    for (int from = 0; from < 2; from++) {
        box[from] = cell->step[0].box[from];
        if (sx_perf_fft_settings_query(&cell->job->settings, from))
            create_plan(cell, from, w);
    }
    return w;
}

static const char *const variants[] = {"natural", NULL};

const struct sx_perf_fft_neighbour sx_perf_fft_cufft = {.name = "cufft",
                                                        .least = 2,
                                                        .most = 3,
                                                        .is_on_device = 1,
                                                        .no_r2r = "it has no real-to-real kinds",
                                                        .query_obstacle = query_obstacle,
                                                        .variants = variants,
                                                        .create = create,
                                                        .execute = execute,
                                                        .free = release};
