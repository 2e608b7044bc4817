/* on_device_fftw.c - the spectrum of a field by serial FFTW. */
#include "mpi/on_device.h"
#include <stdlib.h>
#ifdef HAVE_FFTW3
#include <fftw3.h>
#endif

#ifdef HAVE_FFTW3
static fftw_plan plan_fftw(const test_field *f, const int n[], double *u, fftw_complex *spectrum)
{
    static const fftw_r2r_kind kinds[] = {
        [SUBX_FFT_DCT1] = FFTW_REDFT00, [SUBX_FFT_DCT2] = FFTW_REDFT10, [SUBX_FFT_DCT3] = FFTW_REDFT01,
        [SUBX_FFT_DCT4] = FFTW_REDFT11, [SUBX_FFT_DST1] = FFTW_RODFT00, [SUBX_FFT_DST2] = FFTW_RODFT10,
        [SUBX_FFT_DST3] = FFTW_RODFT01, [SUBX_FFT_DST4] = FFTW_RODFT11, [SUBX_FFT_DHT] = FFTW_DHT,
        [SUBX_FFT_R2HC] = FFTW_R2HC,    [SUBX_FFT_HC2R] = FFTW_HC2R};
    fftw_r2r_kind all[TEST_FIELD_NDIMS];
    for (int a = 0; a < f->ndims && f->kind > SUBX_FFT_C2R; a++)
        all[a] = kinds[f->kind];
    if (f->kind == SUBX_FFT_C2C)
        return fftw_plan_dft(f->ndims, n, (fftw_complex *)(void *)u, spectrum, FFTW_FORWARD, FFTW_ESTIMATE);
    if (f->kind == SUBX_FFT_R2C)
        return fftw_plan_dft_r2c(f->ndims, n, u, spectrum, FFTW_ESTIMATE);
    return fftw_plan_r2r(f->ndims, n, u, (double *)(void *)spectrum, all, FFTW_ESTIMATE);
}

double complex *test_fftw_transform(const test_field *f)
{
    int n[TEST_FIELD_NDIMS];
    const size_t count = (size_t)f->spectral_count;
    fftw_complex *made = fftw_malloc(sizeof *made * count);
    double *u = fftw_malloc(sizeof *u * 2 * (size_t)f->count);
    double complex *spectrum = malloc(sizeof *spectrum * count);
    for (int a = 0; a < f->ndims; a++)
        n[a] = (int)f->sizes[a];
    for (ptrdiff_t i = 0; i < f->count; i++) {
        u[f->kind == SUBX_FFT_C2C ? 2 * i : i] = creal(f->u[i]);
        if (f->kind == SUBX_FFT_C2C)
            u[2 * i + 1] = cimag(f->u[i]);
    }
    fftw_plan plan = plan_fftw(f, n, u, made);
    fftw_execute(plan);
    for (size_t i = 0; i < count; i++)
        spectrum[i] = f->kind > SUBX_FFT_C2R ? ((double *)(void *)made)[i] : (double complex)made[i];
    fftw_destroy_plan(plan);
    fftw_free(u);
    fftw_free(made);
    return spectrum;
}
#else
double complex *test_fftw_transform(const test_field *f)
{
    (void)f;
    return NULL;
}
#endif
