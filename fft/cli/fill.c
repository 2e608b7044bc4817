/* fill.c - test signals: pseudo-random numbers that depend only on the global index and the seed. Every rank
 * can compute any part of them, shifted or not, on any process grid. */
#include "cli/cli.h"

#include <string.h>

static int is_fourier(int kind)
{
    return kind == SUBX_FFT_C2C || kind == SUBX_FFT_R2C;
}

void sx_cli_signal_set(struct sx_cli_signal *signal, const struct sx_cli_job *job, int side, int purpose)
{
    const struct sx_cli_axes *axes = &job->axes;
    memset(signal, 0, sizeof *signal);
    signal->ndims = axes->ndims;
    signal->reals = axes->reals[side];
    signal->hermitian = axes->reals[side] > axes->reals[SUBX_FFT_PHYSICAL];
    signal->seed = job->opt.seed;
    signal->stream = (uint64_t)(2 * purpose);
    signal->sign = 1;
    for (int a = 0; a < axes->ndims; a++) {
        signal->n[a] = side == SUBX_FFT_PHYSICAL ? axes->axis[a].points : axes->axis[a].modes;
        signal->opposite[a] = is_fourier(axes->axis[a].kind) ? -1 : 1;
    }
}

/* A bijection of 64 bits in which each output bit depends on all input bits: the mixer of SplitMix
 * (Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, section 6). */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Get a number in [-0.5, 0.5), uniformly distributed, from the upper 53 bits of a hash. */
static double draw(uint64_t seed, uint64_t stream, uint64_t place, uint64_t part)
{
    uint64_t key = mix(seed + UINT64_C(0x9e3779b97f4a7c15)) ^ (2 * stream + part);
    return (double)(mix(mix(key) + place) >> 11) * 0x1p-53 - 0.5;
}

static void get_random(const struct sx_cli_signal *s, uint64_t place, long double value[2])
{
    value[0] = s->sign * draw(s->seed, s->stream, place, 0);
    value[1] = s->reals == 1 ? 0 : s->sign * draw(s->seed, s->stream, place, 1);
}

static ptrdiff_t modulo(ptrdiff_t i, ptrdiff_t n)
{
    return (i % n + n) % n;
}

/* Get the position in C order of the index `index - shift`. If is_opposite, the index is `-index - shift` on
 * Fourier axes. Indices are periodic. */
static uint64_t place_of(const struct sx_cli_signal *s, const ptrdiff_t index[], int is_opposite)
{
    ptrdiff_t moved[SUBX_NDIMS_MAX];
    for (int a = 0; a < s->ndims; a++)
        moved[a] = modulo((is_opposite ? s->opposite[a] : 1) * index[a] - s->shift[a], s->n[a]);
    return (uint64_t)sx_cli_box_linear(s->ndims, s->n, moved);
}

static int is_impulse(const struct sx_cli_signal *s, const ptrdiff_t index[])
{
    for (int a = 0; a < s->ndims; a++)
        if (index[a] != s->impulse[a])
            return 0;
    return 1;
}

/* Get an entry of the spectrum Z of a real field: Z(k) = (H(k) + conj H(-k)) / 2, where H(k) are random
 * numbers. */
static void get_hermitian(const struct sx_cli_signal *s, const ptrdiff_t index[], long double value[2])
{
    long double here[2], there[2];
    get_random(s, place_of(s, index, 0), here);
    get_random(s, place_of(s, index, 1), there);
    value[0] = (here[0] + there[0]) / 2;
    value[1] = (here[1] - there[1]) / 2;
}

void sx_cli_signal_get(const struct sx_cli_signal *s, const ptrdiff_t index[], long double value[2])
{
    if (s->hermitian)
        get_hermitian(s, index, value);
    else
        get_random(s, place_of(s, index, 0), value);
    for (int i = 0; i < 2 && is_impulse(s, index); i++)
        value[i] += s->amplitude[i];
}

void sx_cli_signal_export(const struct sx_cli_signal *signal, const struct sx_cli_box *box, void *array)
{
    struct sx_cli_cursor c;
    for (int more = sx_cli_box_start(box, &c); more; more = sx_cli_box_next(box, &c)) {
        long double value[2];
        sx_cli_signal_get(signal, c.index, value);
        sx_cli_box_set_value(box, array, c.at, value);
    }
}
