/* definition.c - random data for both sides of a problem, and the results of transforms by the definition. */
#include "random/definition.h"
#include "definition/definition.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- all axes; the number of the field is the first axis */

static void set_axes(const random_problem *p, sx_definition_axis axes[])
{
    axes[0] = (sx_definition_axis){SUBX_FFT_NONE, p->howmany, p->howmany, p->howmany};
    for (int a = 0; a < p->ndims; a++) {
        const int kind = p->kinds[a] == SUBX_FFT_C2R ? SUBX_FFT_R2C : p->kinds[a];
        axes[a + 1] = (sx_definition_axis){kind, p->sizes[a], p->modes[a], p->points[a]};
    }
}

static void transform(const random_problem *p, int direction, random_pair **data)
{
    sx_definition_axis axes[RANDOM_NDIMS + 1];
    long double *pairs = (long double *)*data;
    set_axes(p, axes);
    if (sx_definition_execute(p->ndims + 1, axes, direction,
                              random_problem_has(p, "subx_scaling", "orthonormal"), &pairs))
        abort();
    *data = (random_pair *)pairs;
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
    sx_definition_axis axes[RANDOM_NDIMS + 1];
    set_axes(p, axes);
    return sx_definition_get_factor(p->ndims + 1, axes);
}

long double random_problem_get_scale(const random_problem *p, int action)
{
    const long double n = random_problem_get_volume(p);
    const char *scaling = random_problem_get(p, "subx_scaling");
    if (strcmp(scaling, "symmetric") == 0 || strcmp(scaling, "orthonormal") == 0)
        return action == RANDOM_CONVOLVE ? 1 / n : 1 / sqrtl(n);
    if ((strcmp(scaling, "forward") == 0 && action != RANDOM_BACKWARD) ||
        (strcmp(scaling, "backward") == 0 && action != RANDOM_FORWARD))
        return 1 / n;
    return 1;
}

/* Create random numbers that single precision represents exactly. */
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

/* Get the number to which errors are relative: the largest result, or the norm of the data if the norm is
 * larger. The norm is needed because terms may cancel, but their rounding errors do not. */
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
    random_pair *data = malloc(bytes);
    memcpy(data, f->data[from], bytes);
    if (action != RANDOM_BACKWARD)
        transform(f->p, SUBX_FFT_FORWARD, &data);
    if (operates)
        operate(f, data);
    if (action != RANDOM_FORWARD)
        transform(f->p, SUBX_FFT_BACKWARD, &data);
    return data;
}

/* Rank 0 computes the result for all ranks, because ranks share few cores. */
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
