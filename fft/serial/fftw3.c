/* fftw3.c - serial transforms by FFTW 3 (Frigo & Johnson 2005), through its 64-bit guru interface. */
#include "serial/serial.h"
#include <fftw3.h>
#include <pthread.h>

/* FFTW's planner is not thread-safe, and neither is fftw_destroy_plan. Only the execution is. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

typedef struct state {
    int kind;
    fftw_plan aligned; /* for arrays with the alignments below */
    int in_alignment, out_alignment;
    fftw_plan unaligned; /* for all other arrays; NULL if there will be none */
} state;

static fftw_iodim64 convert(sx_serial_dim d)
{
    return (fftw_iodim64){.n = d.n, .is = d.is, .os = d.os};
}

/* Our directions have the values of FFTW's signs of the exponent. */
static fftw_plan plan(const sx_serial_problem *p, void *in, void *out, unsigned flags)
{
    fftw_iodim64 axis[SUBX_NDIMS_MAX], loop[SUBX_NDIMS_MAX];
    for (int i = 0; i < p->naxes; i++)
        axis[i] = convert(p->axis[i]);
    for (int i = 0; i < p->nloops; i++)
        loop[i] = convert(p->loop[i]);
    switch (p->kind) {
    case SUBX_FFT_R2C:
        return fftw_plan_guru64_dft_r2c(p->naxes, axis, p->nloops, loop, in, out, flags);
    case SUBX_FFT_C2R:
        return fftw_plan_guru64_dft_c2r(p->naxes, axis, p->nloops, loop, in, out, flags);
    default:
        return fftw_plan_guru64_dft(p->naxes, axis, p->nloops, loop, in, out, p->direction, flags);
    }
}

static void free_state(void *opaque)
{
    state *s = opaque;
    if (!s)
        return;
    pthread_mutex_lock(&planner);
    fftw_destroy_plan(s->aligned);
    fftw_destroy_plan(s->unaligned);
    pthread_mutex_unlock(&planner);
    sx_base_free(s);
}

static int create(const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    static const unsigned efforts[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT};
    unsigned input = p->keep_input ? FFTW_PRESERVE_INPUT : FFTW_DESTROY_INPUT;
    state *s = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get(SUBX_ERR_NO_MEM);
    s->kind = p->kind;
    s->in_alignment = fftw_alignment_of(in);
    s->out_alignment = fftw_alignment_of(out);
    pthread_mutex_lock(&planner);
    s->aligned = plan(p, in, out, efforts[effort] | input);
    /* Rarely used, since malloc aligns well enough: not worth the time to search for the fastest plan. */
    if (p->any_alignment)
        s->unaligned = plan(p, in, out, FFTW_ESTIMATE | FFTW_UNALIGNED | input);
    pthread_mutex_unlock(&planner);
    if (!s->aligned || (p->any_alignment && !s->unaligned)) {
        free_state(s);
        return subx_error_get(SUBX_ERR_SERIAL);
    }
    *opaque = s;
    return MPI_SUCCESS;
}

static void execute(void *opaque, void *in, void *out)
{
    const state *s = opaque;
    int aligned = fftw_alignment_of(in) == s->in_alignment && fftw_alignment_of(out) == s->out_alignment;
    fftw_plan which = aligned || !s->unaligned ? s->aligned : s->unaligned;
    switch (s->kind) {
    case SUBX_FFT_R2C:
        fftw_execute_dft_r2c(which, in, out);
        break;
    case SUBX_FFT_C2R:
        fftw_execute_dft_c2r(which, in, out);
        break;
    default:
        fftw_execute_dft(which, in, out);
    }
}

const sx_serial sx_serial_fftw3 = {"fftw3", 1, create, execute, free_state};
