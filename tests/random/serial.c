/* serial.c - random transforms by serial FFTW, one field after the other. Each axis is one call of FFTW's
 * guru interface. */
#include "random/serial.h"
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_FFTW3
#include <fftw3.h>
#include <math.h>

static int is_served(const random_problem *p)
{
    for (int a = 0; a < p->ndims; a++)
        if (p->modes[a] != p->sizes[a] || p->points[a] != p->sizes[a] ||
            (p->kinds[a] != SUBX_FFT_NONE && p->kinds[a] != SUBX_FFT_C2C && p->kinds[a] != SUBX_FFT_R2C &&
             p->kinds[a] != SUBX_FFT_C2R))
            return 0;
    return p->precision == SUBX_FFT_DOUBLE;
}

static double get_scale(const random_problem *p, int direction)
{
    const double n = (double)random_problem_get_volume(p);
    const char *scaling = random_problem_get(p, "subx_scaling");
    if (strcmp(scaling, "symmetric") == 0 || strcmp(scaling, "orthonormal") == 0)
        return 1 / sqrt(n);
    return strcmp(scaling, direction == RANDOM_FORWARD ? "forward" : "backward") == 0 ? 1 / n : 1;
}

/* Transform along an axis of complex data. All axes before it and after it are loops. */
static void transform_axis(const ptrdiff_t n[], int ndims, int axis, int sign, fftw_complex *data)
{
    int inner = 1, outer = 1;
    for (int a = 0; a < ndims; a++)
        *(a < axis ? &outer : &inner) *= a == axis ? 1 : (int)n[a];
    const int len = (int)n[axis];
    const fftw_iodim dim = {len, inner, inner}, loops[] = {{outer, len * inner, len * inner}, {inner, 1, 1}};
    fftw_plan plan = fftw_plan_guru_dft(1, &dim, 2, loops, data, data, sign, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
}

/* Transform along the halved axis, from `data` to `to`. One side is real: its numbers are the real parts of
 * pairs. */
static void halve_axis(const random_problem *p, int axis, int direction, fftw_complex *data, fftw_complex *to)
{
    int inner = 1, outer = 1;
    for (int a = 0; a < p->ndims; a++)
        *(a < axis ? &outer : &inner) *= a == axis ? 1 : (int)p->sizes[a];
    const int n = (int)p->sizes[axis], half = n / 2 + 1;
    fftw_plan plan;
    if (direction == RANDOM_FORWARD) {
        const fftw_iodim dim = {n, 2 * inner, inner},
                         loops[] = {{outer, 2 * n * inner, half * inner}, {inner, 2, 1}};
        plan = fftw_plan_guru_dft_r2c(1, &dim, 2, loops, (double *)data, to, FFTW_ESTIMATE);
    } else {
        const fftw_iodim dim = {n, inner, 2 * inner},
                         loops[] = {{outer, half * inner, 2 * n * inner}, {inner, 1, 2}};
        plan = fftw_plan_guru_dft_c2r(1, &dim, 2, loops, data, (double *)to, FFTW_ESTIMATE);
    }
    fftw_execute(plan);
    fftw_destroy_plan(plan);
}

/* Transform along all axes. Forward begins with the halved axis, backward ends with it. The result is in
 * `data` or in `other`: returns the one that has it. */
static fftw_complex *transform(const random_problem *p, int direction, fftw_complex *data,
                               fftw_complex *other)
{
    const int halved = random_problem_get_halved(p), forward = direction == RANDOM_FORWARD;
    ptrdiff_t n[RANDOM_NDIMS];
    if (halved >= 0 && forward)
        halve_axis(p, halved, direction, data, other);
    fftw_complex *now = halved >= 0 && forward ? other : data;
    for (int a = 0; a < p->ndims; a++)
        n[a] = random_problem_get_length(p, SUBX_FFT_SPECTRAL, a);
    for (int a = 0; a < p->ndims; a++)
        if (p->kinds[a] == SUBX_FFT_C2C)
            transform_axis(n, p->ndims, a, forward ? FFTW_FORWARD : FFTW_BACKWARD, now);
    if (halved < 0 || forward)
        return now;
    halve_axis(p, halved, direction, data, other);
    return other;
}

long double *random_serial_transform(const random_problem *p, const random_field *f, int direction)
{
    const int from = random_action_get_side(direction, 0), to = !from;
    const size_t count[2] = {(size_t)f->count[0], (size_t)f->count[1]};
    const size_t room = count[0] > count[1] ? count[0] : count[1];
    const double scale = get_scale(p, direction);
    if (!is_served(p))
        return NULL;
    long double *result = malloc(2 * count[to] * (size_t)p->howmany * sizeof *result);
    fftw_complex *data = fftw_malloc(2 * room * sizeof *data), *other = data + room;
    for (size_t k = 0; k < (size_t)p->howmany; k++) {
        memset(data, 0, 2 * room * sizeof *data);
        for (size_t i = 0; i < count[from]; i++) {
            data[i][0] = (double)f->data[from][k * count[from] + i].re;
            data[i][1] = (double)f->data[from][k * count[from] + i].im;
        }
        const fftw_complex *done = (const fftw_complex *)transform(p, direction, data, other);
        for (size_t i = 0; i < 2 * count[to]; i++)
            result[2 * k * count[to] + i] = scale * ((const double *)done)[i];
    }
    fftw_free(data);
    return result;
}
#else
long double *random_serial_transform(const random_problem *p, const random_field *f, int direction)
{
    (void)p, (void)f, (void)direction;
    return NULL;
}
#endif
