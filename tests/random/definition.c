/* definition.c - the discrete Fourier transform as sums along one axis after the other, in long double; knows
 * nothing of the library. */
#include "random/definition.h"
#include <math.h>
#include <stdlib.h>

typedef struct pair {
    long double re, im;
} pair;

/* exp(-2 pi i m / n) */
static void set_roots(ptrdiff_t n, pair root[])
{
    const long double pi = 3.14159265358979323846264338327950288L;
    for (ptrdiff_t m = 0; m < n; m++) {
        const long double angle = 2 * pi * (long double)m / (long double)n;
        root[m] = (pair){cosl(angle), -sinl(angle)};
    }
}

static pair get_sum(ptrdiff_t n, ptrdiff_t k, const pair line[], const pair root[])
{
    pair sum = {0, 0};
    for (ptrdiff_t j = 0, jk = 0; j < n; j++) {
        const pair w = root[jk], u = line[j];
        sum.re += u.re * w.re - u.im * w.im;
        sum.im += u.re * w.im + u.im * w.re;
        jk += k - (jk + k >= n ? n : 0); /* j k modulo n */
    }
    return sum;
}

/* All lines of length n whose elements are `stride` apart. */
static void transform_axis(ptrdiff_t count, ptrdiff_t n, ptrdiff_t stride, pair array[])
{
    pair *root = malloc(2 * (size_t)n * sizeof *root), *line = root + n;
    set_roots(n, root);
    for (ptrdiff_t i = 0; i < count; i++) {
        if (i / stride % n)
            continue;
        for (ptrdiff_t j = 0; j < n; j++)
            line[j] = array[i + j * stride];
        for (ptrdiff_t k = 0; k < n; k++)
            array[i + k * stride] = get_sum(n, k, line, root);
    }
    free(root);
}

static void set_spectrum(test_field *f)
{
    const ptrdiff_t n = f->sizes[f->ndims - 1], half = f->spectral[f->ndims - 1];
    pair *array = malloc((size_t)f->count * sizeof *array);
    for (ptrdiff_t i = 0; i < f->count; i++)
        array[i] = (pair){creal(f->u[i]), cimag(f->u[i])};
    ptrdiff_t stride = 1;
    for (int a = f->ndims - 1; a >= 0; a--) {
        transform_axis(f->count, f->sizes[a], stride, array);
        stride *= f->sizes[a];
    }
    for (ptrdiff_t i = 0; i < f->spectral_count; i++) {
        const pair value = array[i / half * n + i % half];
        f->spectrum[i] = (double)value.re + I * (double)value.im;
    }
    free(array);
}

static void set_lengths(test_field *f, const random_problem *p)
{
    for (int a = 0; a < p->ndims; a++) {
        f->sizes[a] = p->sizes[a];
        f->spectral[a] = p->kind != SUBX_FFT_C2C && a == p->ndims - 1 ? p->sizes[a] / 2 + 1 : p->sizes[a];
        f->count *= f->sizes[a];
        f->spectral_count *= f->spectral[a];
    }
}

test_field random_definition_create(const random_problem *p, MPI_Comm comm)
{
    test_field f = {.kind = p->kind, .ndims = p->ndims, .count = 1, .spectral_count = 1};
    test_random r = test_random_stream(p->seed, 1000 * p->number + 998);
    int rank;
    MPI_Comm_rank(comm, &rank);
    set_lengths(&f, p);
    f.u = malloc((size_t)f.count * sizeof *f.u);
    f.spectrum = malloc((size_t)f.spectral_count * sizeof *f.spectrum);
    for (ptrdiff_t i = 0; i < f.count; i++) {
        f.u[i] = test_random_double(&r);
        if (p->kind == SUBX_FFT_C2C)
            f.u[i] += I * test_random_double(&r);
    }
    /* The ranks share few cores: one of them works for all. */
    if (rank == 0)
        set_spectrum(&f);
    MPI_Bcast(f.spectrum, (int)f.spectral_count, MPI_C_DOUBLE_COMPLEX, 0, comm);
    return f;
}
