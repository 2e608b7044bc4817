/* heffte.c - the transforms of heFFTe, by each of its kinds of exchange, with reordered (contiguous) or
 * strided serial transforms, and with transposed or C-ordered output. */
#include "fft/fft.h"

#include "fft/heffte.h"

enum { ALLTOALLV, P2P_PIPELINED, P2P, ALLTOALL };

static const char *const names[] = {"transposed/alltoallv/reorder",
                                    "transposed/alltoallv/strided",
                                    "transposed/alltoall/reorder",
                                    "transposed/p2p/reorder",
                                    "transposed/p2p_plined/reorder",
                                    "transposed/p2p_plined/strided",
                                    "natural/alltoallv/reorder",
                                    "natural/alltoallv/strided",
                                    "natural/p2p_plined/reorder",
                                    "natural/p2p_plined/strided",
                                    NULL};

static const struct {
    int algorithm, use_reorder, is_natural;
} variants[] = {{ALLTOALLV, 1, 0},     {ALLTOALLV, 0, 0},     {ALLTOALL, 1, 0},  {P2P, 1, 0},
                {P2P_PIPELINED, 1, 0}, {P2P_PIPELINED, 0, 0}, {ALLTOALLV, 1, 1}, {ALLTOALLV, 0, 1},
                {P2P_PIPELINED, 1, 1}, {P2P_PIPELINED, 0, 1}};

static int execute(void *plan, int from, void *in, void *out)
{
    return sx_perf_heffte_execute(plan, from, in, out);
}

static void release(void *plan)
{
    sx_perf_heffte_free(plan);
}

static void set_range(const struct sx_perf_fft_box *box, int low[3], int high[3])
{
    for (int d = 0; d < 3; d++) {
        int a = box->ndims - 1 - d;
        low[d] = a < 0 ? 0 : (int)box->start[a];
        high[d] = a < 0 ? 0 : (int)(box->start[a] + box->len[a] - 1);
    }
}

/* If the output is transposed, its fastest axis is our axis 0, which is transformed last. */
static void set_request(const struct sx_perf_fft_cell *cell, int is_natural, struct sx_perf_fft_box box[2],
                        struct sx_perf_heffte_request *r)
{
    static const int natural[] = {0, 1, 2}, transposed[][3] = {{1, 0, 2}, {2, 0, 1}};
    int order[3], ndims = cell->problem->ndims;
    for (int d = 0; d < 3; d++)
        r->out_order[d] = is_natural ? natural[d] : transposed[ndims - 2][d];
    for (int d = 0; d < ndims; d++)
        order[d] = ndims - 1 - r->out_order[d];
    box[SUBX_FFT_PHYSICAL] = cell->step[0].box[SUBX_FFT_PHYSICAL];
    box[SUBX_FFT_SPECTRAL] = cell->step[cell->nsteps - 1].box[SUBX_FFT_SPECTRAL];
    sx_perf_fft_cell_set_strides(&box[SUBX_FFT_SPECTRAL], order);
    set_range(&box[SUBX_FFT_PHYSICAL], r->in_low, r->in_high);
    set_range(&box[SUBX_FFT_SPECTRAL], r->out_low, r->out_high);
    for (int from = 0; from < 2; from++) {
        r->array[from] = cell->array[from];
        r->wants[from] = sx_perf_fft_settings_query(&cell->job->settings, from);
    }
}

static void *create(const struct sx_perf_fft_cell *cell, int i, struct sx_perf_fft_box box[2])
{
    struct sx_perf_heffte_request r = {.kind = sx_perf_fft_problem_get_kind(cell->problem),
                                       .is_float = cell->problem->precision == SUBX_FFT_FLOAT,
                                       .algorithm = variants[i].algorithm,
                                       .use_reorder = variants[i].use_reorder,
                                       .use_pencils = cell->grid.g > 1,
                                       .effort = sx_perf_efforts_get_flag(cell->job->settings.common.effort),
                                       .bytes = (size_t)cell->bytes};
    set_request(cell, variants[i].is_natural, box, &r);
    return sx_perf_heffte_create(&r, MPI_COMM_WORLD);
}

static int is_known(int kind)
{
    return kind == SUBX_FFT_C2C || kind == SUBX_FFT_R2C || kind == SUBX_FFT_DCT1 || kind == SUBX_FFT_DCT2 ||
           kind == SUBX_FFT_DST1 || kind == SUBX_FFT_DST2;
}

/* With complex arrays of two axes on several ranks, heFFTe 2.4.1 can end in a segmentation fault. With
 * 1024 x 1024 elements it always does on 4 ranks, and sometimes on 2 ranks. */
static const char *query_obstacle(const struct sx_perf_fft_cell *cell)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    const int kind = sx_perf_fft_problem_get_kind(p);
    if (p->ndims == 2 && kind == SUBX_FFT_C2C && sx_perf_program_get_nranks() > 1)
        return "it crashes";
    /* heFFTe's third axis would have one element, which real-to-real kinds multiply by a factor. */
    if (p->ndims == 2 && kind >= SUBX_FFT_DCT1)
        return "its real-to-real kinds transform three axes";
    if (kind == SUBX_FFT_R2C && cell->job->settings.place == SX_PERF_FFT_IN)
        return "its real-to-complex transforms are out of place only";
    for (int a = 0; a < p->ndims; a++)
        if (!is_known(kind) || (kind != SUBX_FFT_R2C && p->kinds[a] != kind))
            return "it has dct1, dct2, dst1 and dst2 only, one kind for all axes";
    return NULL;
}

/* On a grid of one row, with strided serial transforms and transposed output, heFFTe 2.4.1 writes beyond
 * its arrays. This damages other data of this process, such as the data of other libraries. */
static const char *query_variant(const struct sx_perf_fft_cell *cell, int i)
{
    const int is_harmful = !variants[i].use_reorder && !variants[i].is_natural && cell->grid.g == 2 &&
                           cell->grid.dims[0] == 1 && cell->grid.dims[1] > 1;
    return is_harmful ? "it writes out of bounds" : NULL;
}

const struct sx_perf_fft_neighbour sx_perf_fft_heffte = {.name = "heffte",
                                                         .least = 2,
                                                         .most = 3,
                                                         .query_obstacle = query_obstacle,
                                                         .query_variant = query_variant,
                                                         .variants = names,
                                                         .create = create,
                                                         .execute = execute,
                                                         .free = release};
