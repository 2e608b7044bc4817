/* field.c - an array with known transforms: u[j0,j1,..] = f0[j0] f1[j1] .., whose transform is the product
 * of the transforms of f0, f1, ..., in both directions. Every rank can fill and check its block without
 * data of other ranks. */
#include "fft/fft.h"

#include <math.h>
#include <stdlib.h>

/* Get the next random number in -0.5 .. 0.5. */
static double get_number(uint64_t *state)
{
    return (double)(sx_perf_time_get_random(state) >> 11) / 9007199254740992.0 - 0.5;
}

/* The transforms of the single sequences are computed by FFTW, in double precision. A real sequence is the
 * real part of a complex one; r2c is then a part of c2c. */
static double complex *create_transform(int kind, int from, ptrdiff_t n, const double complex *value)
{
    const struct sx_perf_fft_fftw *fftw = sx_perf_fft_fftw_get(SUBX_FFT_DOUBLE);
    const int is_r2r = kind >= SUBX_FFT_DCT1, width = is_r2r ? 1 : 2;
    double complex *to = sx_perf_memory_create_small(n, sizeof *to);
    const struct sx_perf_fft_request r = {.from = from,
                                          .width = {width, width},
                                          .naxes = 1,
                                          .kinds = {kind},
                                          .axes = {{n, is_r2r ? 2 : 1, is_r2r ? 2 : 1}},
                                          .in = (void *)(uintptr_t)value,
                                          .out = to,
                                          .flags = FFTW_ESTIMATE | FFTW_PRESERVE_INPUT};
    void *plan = fftw->plan(&r);
    if (!plan)
        sx_perf_program_abort(MPI_SUCCESS, "FFTW makes no plan for %td numbers", n);
    fftw->execute(plan);
    fftw->destroy(plan);
    return to;
}

static double get_largest(ptrdiff_t n, const double complex *value)
{
    double largest = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        largest = fmax(largest, cabs(value[i]));
    return largest;
}

/* Set the numbers of an axis in all states. */
static void set_axis(int kind, ptrdiff_t n, uint64_t *random, int is_complex, double complex *value[])
{
    value[0] = sx_perf_memory_create_small(n, sizeof **value);
    for (ptrdiff_t i = 0; i < n; i++) {
        value[0][i] = get_number(random);
        if (is_complex)
            value[0][i] += I * get_number(random);
    }
    value[1] = create_transform(kind, SX_PERF_FFT_FORWARD, n, value[0]);
    value[2] = create_transform(kind, SX_PERF_FFT_BACKWARD, n, value[1]);
}

void sx_perf_fft_field_create(const struct sx_perf_fft_problem *problem, struct sx_perf_fft_field *field)
{
    const int is_complex = sx_perf_fft_problem_get_width(problem, SUBX_FFT_PHYSICAL) == 2;
    uint64_t random = 0;
    *field = (struct sx_perf_fft_field){
        .ndims = problem->ndims, .precision = problem->precision, .largest = {1, 1, 1}};
    for (int a = 0; a < problem->ndims; a++) {
        const ptrdiff_t n = problem->sizes[a];
        double complex *value[SX_PERF_FFT_NSTATES];
        set_axis(problem->kinds[a], n, &random, is_complex, value);
        for (int k = 0; k < SX_PERF_FFT_NSTATES; k++) {
            field->value[k][a] = value[k];
            field->largest[k] *= get_largest(n, value[k]);
        }
    }
}

void sx_perf_fft_field_free(struct sx_perf_fft_field *field)
{
    for (int a = 0; a < field->ndims; a++)
        for (int k = 0; k < SX_PERF_FFT_NSTATES; k++)
            free(field->value[k][a]);
}

/* ------------------------------------------------------------------------------------ boxes */

/* A walk through all elements of a box: it either writes them to `to`, or compares them with `from` and
 * keeps the largest difference. */
struct walk {
    double complex *const *value;
    const struct sx_perf_fft_box *box;
    int precision;
    void *to;
    const void *from;
    double worst;
};

static double get_real(const struct walk *w, ptrdiff_t at)
{
    return w->precision == SUBX_FFT_FLOAT ? ((const float *)w->from)[at] : ((const double *)w->from)[at];
}

static void set_real(const struct walk *w, ptrdiff_t at, double value)
{
    if (w->precision == SUBX_FFT_FLOAT)
        ((float *)w->to)[at] = (float)value;
    else
        ((double *)w->to)[at] = value;
}

static void visit(struct walk *w, ptrdiff_t offset, double complex expected)
{
    const int is_complex = w->box->width == 2;
    const ptrdiff_t at = offset * w->box->width;
    if (w->to) {
        set_real(w, at, creal(expected));
        if (is_complex)
            set_real(w, at + 1, cimag(expected));
    } else {
        double error =
            hypot(get_real(w, at) - creal(expected), is_complex ? get_real(w, at + 1) - cimag(expected) : 0);
        /* Written so that NaN counts as a difference: comparisons with NaN are false. */
        if (!(error <= w->worst))
            w->worst = isnan(error) ? INFINITY : error;
    }
}

/* Walk axes a, a + 1, ..; `product` is the product of the numbers of axes 0 .. a - 1. */
static void walk_axis(struct walk *w, int a, ptrdiff_t offset, double complex product)
{
    const struct sx_perf_fft_box *b = w->box;
    for (ptrdiff_t i = 0; i < b->len[a]; i++) {
        double complex next = product * w->value[a][b->start[a] + i];
        if (a + 1 < b->ndims)
            walk_axis(w, a + 1, offset + i * b->stride[a], next);
        else
            visit(w, offset + i * b->stride[a], next);
    }
}

void sx_perf_fft_field_export(const struct sx_perf_fft_field *field, int from,
                              const struct sx_perf_fft_box *box, void *memory)
{
    struct walk w = {.value = field->value[from], .box = box, .precision = field->precision, .to = memory};
    walk_axis(&w, 0, 0, 1);
}

double sx_perf_fft_field_query_error(const struct sx_perf_fft_field *field, int from,
                                     const struct sx_perf_fft_box *box, const void *memory)
{
    struct walk w = {
        .value = field->value[from + 1], .box = box, .precision = field->precision, .from = memory};
    walk_axis(&w, 0, 0, 1);
    MPI_Allreduce(MPI_IN_PLACE, &w.worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return w.worst / field->largest[from + 1];
}
