/* check.c - check the transform of a tile. The input is random data. The result is compared with a
 * transform in long double by FFTW, or by the definition if FFTW has no long double. */
#include "serial/pencils.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------- reals */

static long double get(const struct sx_perf_serial_tile *tile, const void *array, ptrdiff_t i)
{
    if (tile->problem.precision == SUBX_FFT_FLOAT)
        return ((const float *)array)[i];
    return (long double)((const double *)array)[i];
}

static void set(const struct sx_perf_serial_tile *tile, void *array, ptrdiff_t i, double value)
{
    if (tile->problem.precision == SUBX_FFT_FLOAT)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

static ptrdiff_t get_count(const struct sx_perf_serial_tile *tile, int side)
{
    return tile->bytes[side] / sx_serial_get_real_bytes(tile->problem.precision);
}

/* ------------------------------------------------------------------------------------ data */

/* The spectrum of real data has no imaginary parts at 0 and n/2. They are set to 0, because backends may
 * treat them differently. */
static void set_real_ends(const struct sx_perf_serial_tile *tile, void *input)
{
    const sx_dim *axis = tile->problem.axis, *loop = tile->problem.loop;
    for (ptrdiff_t p = 0; p < tile->npencils; p++) {
        set(tile, input, 2 * p * loop->is + 1, 0);
        if (tile->n % 2 == 0)
            set(tile, input, 2 * (p * loop->is + tile->n / 2 * axis->is) + 1, 0);
    }
}

static void *create_input(const struct sx_perf_serial_tile *tile)
{
    uint64_t state = (uint64_t)tile->n;
    void *input = sx_perf_memory_create_small(tile->bytes[SX_FROM], 1);
    for (ptrdiff_t i = 0; i < get_count(tile, SX_FROM); i++)
        set(tile, input, i, (double)(sx_perf_time_get_random(&state) >> 11) * 0x1p-52 - 1); /* -1 .. 1 */
    if (tile->problem.kind == SUBX_FFT_C2R)
        set_real_ends(tile, input);
    return input;
}

/* ------------------------------------------------------------------------------- reference */

/* Compute the reference transform. Its arrays have the strides of the tile, but it is always out of place. */
static void transform(const struct sx_perf_serial_tile *tile, long double *in, long double *out,
                      const void *input)
{
    const sx_serial *backend = sx_serial_find("fftw3", SUBX_FFT_LONG_DOUBLE);
    sx_serial_problem p = tile->problem;
    void *state = NULL;
    p.precision = SUBX_FFT_LONG_DOUBLE;
    if (!backend)
        backend = sx_serial_find("naive", SUBX_FFT_LONG_DOUBLE);
    int code = backend->create(&p, SX_EFFORT_ESTIMATE, in, out, &state);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "no reference of length %td", tile->n);
    for (ptrdiff_t i = 0; i < get_count(tile, SX_FROM); i++)
        in[i] = get(tile, input, i);
    void *work = sx_base_alloc(backend->get_bytes(state), 1);
    if (!work)
        sx_perf_program_abort(subx_error_get_code(SUBX_ERR_NO_MEM), "work space");
    backend->execute(state, in, out, work);
    sx_base_free(work);
    backend->free(state);
}

void sx_perf_serial_check_create(const struct sx_perf_serial_tile *tile, struct sx_perf_serial_check *check)
{
    long double *in = sx_perf_memory_create_small(get_count(tile, SX_FROM), sizeof *in);
    check->input = create_input(tile);
    check->expected = sx_perf_memory_create_small(get_count(tile, SX_TO), sizeof *in);
    transform(tile, in, check->expected, check->input);
    free(in);
}

void sx_perf_serial_check_free(struct sx_perf_serial_check *check)
{
    free(check->input);
    free(check->expected);
}

void sx_perf_serial_check_export(const struct sx_perf_serial_check *check,
                                 const struct sx_perf_serial_tile *tile)
{
    memset(tile->out, 0xff, (size_t)tile->bytes[SX_TO]);
    memcpy(tile->in, check->input, (size_t)tile->bytes[SX_FROM]);
}

double sx_perf_serial_check_query_error(const struct sx_perf_serial_check *check,
                                        const struct sx_perf_serial_tile *tile)
{
    const sx_serial_problem *p = &tile->problem;
    const ptrdiff_t length = p->kind == SUBX_FFT_R2C ? sx_serial_get_half(tile->n) : tile->n,
                    width = sx_serial_get_width(p->kind, SX_TO);
    const double epsilon = p->precision == SUBX_FFT_FLOAT ? FLT_EPSILON : DBL_EPSILON;
    long double wrong = 0, whole = 0;
    for (ptrdiff_t i = 0; i < tile->npencils * length * width; i++) {
        const ptrdiff_t pencil = i / width / length, k = i / width % length;
        const ptrdiff_t at = (pencil * p->loop->os + k * p->axis->os) * width + i % width;
        const long double expected = check->expected[at], found = get(tile, tile->out, at);
        wrong += (found - expected) * (found - expected);
        whole += expected * expected;
    }
    return (double)(sqrtl(wrong / whole) / (long double)epsilon);
}
