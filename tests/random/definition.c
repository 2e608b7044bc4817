/* definition.c - transforms of all axes, one after the other, in long double; knows nothing of the library. */
#include "random/definition.h"
#include "random/matrix.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- all axes of all fields */

static random_axis get_axis(const random_problem *p, int a)
{
    return (random_axis){.kind = p->kinds[a] == SUBX_FFT_C2R ? SUBX_FFT_R2C : p->kinds[a],
                         .is_orthonormal = random_problem_has(p, "subx_scaling", "orthonormal"),
                         .n = p->sizes[a],
                         .modes = p->modes[a],
                         .points = p->points[a],
                         .spectral = random_problem_get_length(p, SUBX_FFT_SPECTRAL, a)};
}

typedef struct array {
    int ndims;
    ptrdiff_t howmany, len[RANDOM_NDIMS];
    random_pair *data;
} array;

static random_pair get_sum(ptrdiff_t n, ptrdiff_t stride, const random_pair in[], const random_pair row[])
{
    random_pair sum = {0, 0};
    for (ptrdiff_t j = 0; j < n; j++) {
        const random_pair u = in[j * stride], w = row[j];
        sum.re += u.re * w.re - u.im * w.im;
        sum.im += u.re * w.im + u.im * w.re;
    }
    return sum;
}

/* Multiply all lines along an axis by a matrix of n rows. */
static void multiply(array *x, int a, ptrdiff_t n, const random_pair matrix[])
{
    const ptrdiff_t old = x->len[a];
    ptrdiff_t outer = x->howmany, inner = 1;
    for (int i = 0; i < x->ndims; i++)
        *(i < a ? &outer : &inner) *= i == a ? 1 : x->len[i];
    random_pair *out = malloc((size_t)(outer * n * inner) * sizeof *out);
    for (ptrdiff_t o = 0; o < outer; o++)
        for (ptrdiff_t k = 0; k < n; k++)
            for (ptrdiff_t i = 0; i < inner; i++)
                out[(o * n + k) * inner + i] =
                    get_sum(old, inner, x->data + o * old * inner + i, matrix + k * old);
    free(x->data);
    x->data = out;
    x->len[a] = n;
}

static void transform_axis(const random_problem *p, int action, int a, array *x)
{
    const random_axis of = get_axis(p, a);
    const ptrdiff_t rows = action == RANDOM_FORWARD ? of.spectral : of.points, columns = x->len[a];
    random_pair *matrix = malloc((size_t)(rows * columns) * sizeof *matrix);
    for (ptrdiff_t i = 0; i < rows * columns; i++)
        matrix[i] = action == RANDOM_FORWARD ? random_matrix_get_forward(&of, i / columns, i % columns)
                                             : random_matrix_get_backward(&of, i % columns, i / columns);
    if (of.kind != SUBX_FFT_NONE)
        multiply(x, a, rows, matrix);
    free(matrix);
}

static ptrdiff_t get_count(const array *x)
{
    ptrdiff_t count = x->howmany;
    for (int a = 0; a < x->ndims; a++)
        count *= x->len[a];
    return count;
}

/* The halved axis comes first forward, where its data is real, and last backward, where it becomes real. */
static void transform(const random_problem *p, int action, array *x)
{
    const int halved = random_problem_get_halved(p);
    if (halved >= 0 && action == RANDOM_FORWARD)
        transform_axis(p, action, halved, x);
    for (int a = 0; a < p->ndims; a++)
        if (a != halved)
            transform_axis(p, action, a, x);
    if (halved >= 0 && action == RANDOM_BACKWARD) {
        transform_axis(p, action, halved, x);
        for (ptrdiff_t i = 0; i < get_count(x); i++)
            x->data[i].im = 0;
    }
}

/* ---- the operation */

random_pair random_operation_get(const random_problem *p, ptrdiff_t global, ptrdiff_t field)
{
    const long double re = 1 + (long double)((7 * global + 3 * field) % 11) / 8;
    const long double im = (long double)((5 * global + field) % 7) / 8;
    return (random_pair){re, random_problem_get_width(p, SUBX_FFT_SPECTRAL) == 2 ? im : 0};
}

static void operate(const random_field *f, random_pair data[])
{
    const ptrdiff_t count = f->count[SUBX_FFT_SPECTRAL];
    for (ptrdiff_t i = 0; i < count * f->p->howmany; i++) {
        const random_pair w = random_operation_get(f->p, i % count, i / count), u = data[i];
        data[i] = (random_pair){u.re * w.re - u.im * w.im, u.re * w.im + u.im * w.re};
    }
}

/* ---- fields */

int random_action_get_side(int action, int is_end)
{
    if (action == RANDOM_CONVOLVE)
        return SUBX_FFT_PHYSICAL;
    return (action == RANDOM_FORWARD) == is_end ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL;
}

long double random_problem_get_volume(const random_problem *p)
{
    long double volume = 1;
    for (int a = 0; a < p->ndims; a++) {
        const long double n = (long double)p->sizes[a];
        const int kind = p->kinds[a];
        if (kind == SUBX_FFT_DCT1 || kind == SUBX_FFT_DST1)
            volume *= 2 * (kind == SUBX_FFT_DCT1 ? n - 1 : n + 1);
        else if (kind != SUBX_FFT_NONE)
            volume *= kind > SUBX_FFT_DCT1 && kind < SUBX_FFT_DHT ? 2 * n : n;
    }
    return volume;
}

/* Numbers that are exact in every precision. */
static random_pair *create_data(const random_field *f, int side)
{
    test_random r = random_problem_get_stream(f->p, RANDOM_STREAM_DATA - side);
    const ptrdiff_t count = f->count[side] * f->p->howmany;
    random_pair *data = malloc((size_t)count * sizeof *data);
    for (ptrdiff_t i = 0; i < count; i++) {
        data[i].re = (float)test_random_double(&r);
        data[i].im = random_problem_get_width(f->p, side) == 2 ? (float)test_random_double(&r) : 0;
    }
    return data;
}

random_field random_field_create(const random_problem *p, MPI_Comm comm)
{
    random_field f = {.p = p, .comm = comm, .count = {1, 1}};
    for (int side = 0; side < 2; side++) {
        for (int a = 0; a < p->ndims; a++)
            f.count[side] *= random_problem_get_length(p, side, a);
        f.data[side] = create_data(&f, side);
    }
    return f;
}

void random_field_free(random_field *f)
{
    for (int i = 0; i < 2 * RANDOM_ACTIONS; i++)
        free(f->result[i / 2][i % 2]);
    for (int side = 0; side < 2; side++)
        free(f->data[side]);
}

/* Where terms cancel, errors are as large as the terms: not less than the norm of the data. */
static long double get_largest(const random_field *f, int action, const random_pair *result)
{
    const ptrdiff_t from = f->count[random_action_get_side(action, 0)] * f->p->howmany;
    const ptrdiff_t to = f->count[random_action_get_side(action, 1)] * f->p->howmany;
    const random_pair *data = f->data[random_action_get_side(action, 0)];
    long double squares = 0, largest = 0;
    for (ptrdiff_t i = 0; i < from; i++)
        squares += data[i].re * data[i].re + data[i].im * data[i].im;
    for (ptrdiff_t i = 0; i < to; i++)
        largest = fmaxl(largest, hypotl(result[i].re, result[i].im));
    const long double norm = sqrtl(squares / (long double)f->p->howmany);
    return fmaxl(largest, action == RANDOM_CONVOLVE ? norm * sqrtl(random_problem_get_volume(f->p)) : norm);
}

static random_pair *compute(const random_field *f, int action, int operates)
{
    const int from = random_action_get_side(action, 0);
    const size_t bytes = (size_t)(f->count[from] * f->p->howmany) * sizeof(random_pair);
    array x = {.ndims = f->p->ndims, .howmany = f->p->howmany, .data = malloc(bytes)};
    memcpy(x.data, f->data[from], bytes);
    for (int a = 0; a < x.ndims; a++)
        x.len[a] = random_problem_get_length(f->p, from, a);
    if (action != RANDOM_BACKWARD)
        transform(f->p, RANDOM_FORWARD, &x);
    if (operates)
        operate(f, x.data);
    if (action != RANDOM_FORWARD)
        transform(f->p, RANDOM_BACKWARD, &x);
    return x.data;
}

/* The ranks share few cores: one of them works for all. */
const random_pair *random_field_get(random_field *f, int action, int operates)
{
    random_pair **result = &f->result[action][operates];
    const size_t bytes =
        (size_t)(f->count[random_action_get_side(action, 1)] * f->p->howmany) * sizeof **result;
    int rank;
    if (*result)
        return *result;
    MPI_Comm_rank(f->comm, &rank);
    *result = rank == 0 ? compute(f, action, operates) : malloc(bytes);
    MPI_Bcast(*result, (int)bytes, MPI_BYTE, 0, f->comm);
    f->largest[action][operates] = get_largest(f, action, *result);
    return *result;
}
