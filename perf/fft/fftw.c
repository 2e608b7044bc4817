/* fftw.c - FFTW's serial transforms in double and, if configure found FFTW for it, in single precision;
 * its transform over all axes on one rank. */
#include "fft/fft.h"

#include <stdlib.h>

int sx_perf_fft_fftw_get_sign(int from)
{
    return from == SX_PERF_FFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD;
}

/* Backward has the inverse kind. */
fftw_r2r_kind sx_perf_fft_fftw_get_kind(int kind, int from)
{
    static const fftw_r2r_kind kinds[][2] = {
        [SUBX_FFT_DCT1] = {FFTW_REDFT00, FFTW_REDFT00}, [SUBX_FFT_DCT2] = {FFTW_REDFT10, FFTW_REDFT01},
        [SUBX_FFT_DCT3] = {FFTW_REDFT01, FFTW_REDFT10}, [SUBX_FFT_DCT4] = {FFTW_REDFT11, FFTW_REDFT11},
        [SUBX_FFT_DST1] = {FFTW_RODFT00, FFTW_RODFT00}, [SUBX_FFT_DST2] = {FFTW_RODFT10, FFTW_RODFT01},
        [SUBX_FFT_DST3] = {FFTW_RODFT01, FFTW_RODFT10}, [SUBX_FFT_DST4] = {FFTW_RODFT11, FFTW_RODFT11},
        [SUBX_FFT_DHT] = {FFTW_DHT, FFTW_DHT},          [SUBX_FFT_R2HC] = {FFTW_R2HC, FFTW_HC2R},
        [SUBX_FFT_HC2R] = {FFTW_HC2R, FFTW_R2HC}};
    return kinds[kind][from];
}

#ifdef HAVE_FFTW3F
#define X(name) fftwf_##name
#define OF(name) name##_float
#include "fft/fftw_body.h"
#endif

#define X(name) fftw_##name
#define OF(name) name##_double
#include "fft/fftw_body.h"

const struct sx_perf_fft_fftw *sx_perf_fft_fftw_get(int precision)
{
#ifdef HAVE_FFTW3F
    if (precision == SUBX_FFT_FLOAT)
        return &calls_float;
#endif
    return precision == SUBX_FFT_DOUBLE ? &calls_double : NULL;
}

/* ------------------------------------------------------------------------------------ plans */

/* One plan transforms all axes of a step; its loops are over all other axes. The physical side has the
 * lengths of the transforms. */
void *sx_perf_fft_fftw_create_plan(const struct sx_perf_fft_cell *cell, const struct sx_perf_fft_step *step,
                                   int from, void *in, void *out)
{
    const struct sx_perf_fft_box *box = step->box;
    struct sx_perf_fft_request r = {
        .from = from, .width = {box[0].width, box[1].width}, .in = in, .out = out};
    for (int a = 0; a < box->ndims; a++) {
        fftw_iodim64 level = {box[SUBX_FFT_PHYSICAL].len[a], box[from].stride[a], box[!from].stride[a]};
        if (r.naxes < step->naxes && step->axes[r.naxes] == a) {
            r.kinds[r.naxes] = cell->problem->kinds[a];
            r.axes[r.naxes++] = level;
        } else {
            r.loops[r.nloops++] = level;
        }
    }
    r.flags = sx_perf_efforts_get_flag(cell->job->settings.common.effort) | FFTW_DESTROY_INPUT;
    return sx_perf_fft_fftw_get(cell->problem->precision)->plan(&r);
}

int sx_perf_fft_fftw_execute(void *plan, int from, void *in, void *out)
{
    const struct sx_perf_fft_plans *plans = plan;
    (void)in, (void)out; /* the plan knows them */
    plans->fftw->execute(plans->plan[from]);
    return MPI_SUCCESS;
}

void sx_perf_fft_fftw_free(void *plan)
{
    struct sx_perf_fft_plans *plans = plan;
    for (int from = 0; from < 2; from++)
        if (plans->plan[from])
            plans->fftw->destroy(plans->plan[from]);
    free(plans);
}

const char *sx_perf_fft_fftw_query_obstacle(const struct sx_perf_fft_cell *cell)
{
    return sx_perf_fft_fftw_get(cell->problem->precision) ? NULL
                                                          : "configure did not find FFTW in single precision";
}

/* ----------------------------------------------------------------------------- on one rank */

static const char *query_obstacle(const struct sx_perf_fft_cell *cell)
{
    return sx_perf_program_get_nranks() > 1 ? "" : sx_perf_fft_fftw_query_obstacle(cell);
}

static void *create(const struct sx_perf_fft_cell *cell, int variant, struct sx_perf_fft_box box[2])
{
    struct sx_perf_fft_plans *plans = sx_perf_memory_create_small(1, sizeof *plans);
    const struct sx_perf_fft_step *all = &cell->step[0];
    (void)variant;
    plans->fftw = sx_perf_fft_fftw_get(cell->problem->precision);
    for (int from = 0; from < 2; from++) {
        box[from] = all->box[from];
        if (sx_perf_fft_settings_query(&cell->job->settings, from) &&
            !(plans->plan[from] =
                  sx_perf_fft_fftw_create_plan(cell, all, from, cell->array[from], cell->array[!from])))
            sx_perf_program_abort(MPI_SUCCESS, "FFTW makes no plan for %s", cell->problem_name);
    }
    return plans;
}

static const char *const variants[] = {"natural", NULL};

const struct sx_perf_fft_neighbour sx_perf_fft_serial = {.name = "fftw",
                                                         .is_fftw = 1,
                                                         .query_obstacle = query_obstacle,
                                                         .variants = variants,
                                                         .create = create,
                                                         .execute = sx_perf_fft_fftw_execute,
                                                         .free = sx_perf_fft_fftw_free};
