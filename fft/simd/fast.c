/* fast.c - tells for which transforms the kernels are the best choice, by measured times. */
#include "simd/transform.h"

/* Query whether FFTW is faster for a complex transform. If short lines must be transposed in registers, this
 * takes as long as the transform, and FFTW has a codelet for each short length. AVX2 has half as many
 * registers as AVX-512, and they are shorter. With AVX2, FFTW is faster for lines, except for those that a
 * single step transforms and that are longer than FFTW's codelets; it is also faster for short powers of two,
 * because our butterflies of such lengths need memory on the stack. */
static int is_slow(const sx_simd_set *set, int precision, ptrdiff_t n, int are_lines)
{
    const int is_power = (n & (n - 1)) == 0;
    const int way = sx_simd_across_get_way(set->code[precision], SUBX_FFT_C2C, n);
    const int has_several_steps = way == SX_SIMD_TRANSPOSED || way == SX_SIMD_LONG;
    if (set->code[SUBX_FFT_DOUBLE]->lanes < SX_MANY_LANES)
        return (are_lines && (is_power || n <= SX_FFTW_CODELET || has_several_steps)) ||
               (is_power && n < SX_FFTW_POWER);
    if (!are_lines || n <= SX_FFTW_SHORTEST)
        return are_lines;
    return way == SX_SIMD_TRANSPOSED &&
           ((is_power && n < SX_FFTW_POWER) || n <= SX_FFTW_SHORT || n == SX_FFTW_CODELET);
}

/* Query whether a kind is a real transform, of which FFTW has fast codelets. FFTW has such codelets of no
 * other real-to-real kind. */
static int is_real_transform(int kind)
{
    return kind == SUBX_FFT_R2C || kind == SUBX_FFT_C2R || kind == SUBX_FFT_R2HC || kind == SUBX_FFT_HC2R;
}

/* Query whether FFTW is faster for a kind that is not complex. A kernel for a real transform of odd length
 * takes as long as one for a complex transform. */
static int is_slow_real(int kind, ptrdiff_t n, int are_lines)
{
    return (are_lines && n <= SX_FFTW_REAL) || (is_real_transform(kind) && n % 2 == 1 && n <= SX_FFTW_ODD);
}

int sx_simd_is_fast(int precision, int kind, ptrdiff_t n, int are_lines)
{
    const sx_simd_set *set = sx_simd_get_set(0);
    if (precision > SUBX_FFT_DOUBLE || !set || !set->code[precision] ||
        set->code[SUBX_FFT_DOUBLE]->lanes < SX_SIMD_LEAST_LANES)
        return 0;
    if (n < SX_SIMD_SHORTEST || n > SX_SIMD_LONGEST || kind == SUBX_FFT_NONE)
        return 0;
    return kind == SUBX_FFT_C2C ? !is_slow(set, precision, n, are_lines) : !is_slow_real(kind, n, are_lines);
}

/* Kernels transpose divided lines. Some lengths need no transposition if the lines are whole: a single step
 * transforms them. This step and copies of the parts together take less time than the transposition. */
int sx_simd_is_fast_divided(int precision, int kind, ptrdiff_t n)
{
    const sx_simd_set *set = sx_simd_get_set(0);
    const int is_halved = kind == SUBX_FFT_R2C || kind == SUBX_FFT_C2R;
    if (!set || !set->code[precision] || (is_halved && n % 2 == 1))
        return 1;
    const int way = sx_simd_across_get_way(set->code[precision], kind, is_halved ? n / 2 : n);
    return way == SX_SIMD_TRANSPOSED || way == SX_SIMD_LONG;
}

ptrdiff_t sx_simd_get_row_bytes(int precision, int kind)
{
    const sx_simd_set *set = sx_simd_get_set(0);
    const ptrdiff_t real = precision == SUBX_FFT_DOUBLE ? sizeof(double) : sizeof(float);
    if (!set || !set->code[precision])
        return 0;
    return (kind == SUBX_FFT_C2C || kind == SUBX_FFT_R2C ? 2 : 1) * set->code[precision]->lanes * real;
}

/* A store past the caches must fill a whole cache line. A store to a row of complex numbers writes two
 * registers, which can fill a line. A store to a row of reals writes one register, which is shorter than a
 * line. */
int sx_simd_may_stream(int precision, int kind, int are_lines)
{
    const sx_simd_set *set = sx_simd_get_set(0);
    if (!set || !set->code[precision])
        return 0;
    if (are_lines)
        return set->code[precision]->has_streamed_lines;
    return kind == SUBX_FFT_C2C && sx_simd_get_row_bytes(precision, kind) >= SX_ALIGNMENT;
}
