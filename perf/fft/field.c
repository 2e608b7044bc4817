/* field.c - an array with a known transform: u[j0,j1,..] = f0[j0] f1[j1] .., whose transform is the product of the
 * transforms of f0, f1, ... Every rank can fill and check its block without data of other ranks. */
#include "fft/fft.h"

#include <math.h>
#include <stdlib.h>

/* Get a pseudo-random number in -0.5 .. 0.5, by splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom
 * number generators"). */
static double get_number(uint64_t n)
{
    uint64_t z = (n + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0 - 0.5;
}

/* The transforms of the single sequences are computed by FFTW. */
static double complex *create_transform(ptrdiff_t n, const double complex *value)
{
    double complex *to = sx_perf_memory_create_small(n, sizeof *to);
    fftw_plan plan =
        fftw_plan_dft_1d((int)n, (fftw_complex *)(uintptr_t)value, to, FFTW_FORWARD, FFTW_ESTIMATE);
    if (!plan)
        sx_perf_program_abort(MPI_SUCCESS, "FFTW makes no plan for %td numbers", n);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    return to;
}

static double get_largest(ptrdiff_t n, const double complex *value)
{
    double largest = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        largest = fmax(largest, cabs(value[i]));
    return largest;
}

void sx_perf_fft_field_create(const struct sx_perf_fft_problem *problem, struct sx_perf_fft_field *field)
{
    uint64_t used = 0;
    field->ndims = problem->ndims;
    field->largest = 1;
    for (int a = 0; a < problem->ndims; a++) {
        ptrdiff_t n = problem->sizes[a];
        double complex *value = sx_perf_memory_create_small(n, sizeof *value);
        for (ptrdiff_t i = 0; i < n; i++, used += 2)
            value[i] = get_number(used) + (problem->kind == SUBX_FFT_C2C ? I * get_number(used + 1) : 0);
        field->value[SUBX_FFT_PHYSICAL][a] = value;
        field->value[SUBX_FFT_SPECTRAL][a] = create_transform(n, value);
        field->largest *= get_largest(n, field->value[SUBX_FFT_SPECTRAL][a]);
    }
}

void sx_perf_fft_field_free(struct sx_perf_fft_field *field)
{
    for (int a = 0; a < field->ndims; a++)
        for (int side = 0; side < 2; side++)
            free(field->value[side][a]);
}

/* ------------------------------------------------------------------------------------ boxes */

/* A walk through all elements of a box: it either writes them to `to`, or compares them with `from` and keeps the
 * largest difference. */
struct walk {
    double complex *const *value;
    const struct sx_perf_fft_box *box;
    double *to;
    const double *from;
    double worst;
};

static void visit(struct walk *w, ptrdiff_t offset, double complex expected)
{
    ptrdiff_t at = offset * w->box->width;
    if (w->to) {
        w->to[at] = creal(expected);
        if (w->box->width == 2)
            w->to[at + 1] = cimag(expected);
    } else {
        double error = hypot(w->from[at] - creal(expected), w->from[at + 1] - cimag(expected));
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

void sx_perf_fft_field_export(const struct sx_perf_fft_field *field, const struct sx_perf_fft_box *box,
                              void *memory)
{
    struct walk w = {.value = field->value[SUBX_FFT_PHYSICAL], .box = box, .to = memory};
    walk_axis(&w, 0, 0, 1);
}

double sx_perf_fft_field_query_error(const struct sx_perf_fft_field *field, const struct sx_perf_fft_box *box,
                                     const void *memory)
{
    struct walk w = {.value = field->value[SUBX_FFT_SPECTRAL], .box = box, .from = memory};
    walk_axis(&w, 0, 0, 1);
    MPI_Allreduce(MPI_IN_PLACE, &w.worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return w.worst / field->largest;
}
