/* choose.c - for what our kernels are the best choice. */
#include "simd/plan.h"

static int is_served(int kind)
{
    return kind == SUBX_FFT_C2C || kind == SUBX_FFT_R2C || kind == SUBX_FFT_C2R || kind == SUBX_FFT_DCT2 ||
           kind == SUBX_FFT_DCT3 || kind == SUBX_FFT_DST2 || kind == SUBX_FFT_DST3;
}

/* Longer transforms leave the second-level cache. Primes need three times the work. Short lines of powers of two take as
 * long to be transposed in registers as to be transformed. AVX2 has half the registers, where long butterflies spill. */
int sx_simd_is_fast(int precision, int kind, ptrdiff_t n, int are_lines)
{
    enum { LONGEST = 2048, SHORTEST = 4, SHORTEST_LINES = 96, LEAST_LANES = 4, MANY_LANES = 8 };
    int radix[SX_SIMD_NSTEPS_MAX], nsteps;
    const sx_simd_set *set = sx_simd_get_set();
    if (precision > SUBX_FFT_DOUBLE || !set || !set->code[precision] ||
        set->code[SUBX_FFT_DOUBLE]->lanes < LEAST_LANES)
        return 0;
    if (n < SHORTEST || n > LONGEST || (kind != SUBX_FFT_C2C && n % 2) || !is_served(kind))
        return 0;
    const int is_power = (n & (n - 1)) == 0,
              has_few_registers = set->code[SUBX_FFT_DOUBLE]->lanes < MANY_LANES;
    if (kind == SUBX_FFT_C2C && are_lines && (has_few_registers || (is_power && n < SHORTEST_LINES)))
        return 0;
    if (kind == SUBX_FFT_C2C && has_few_registers && is_power && n < SHORTEST_LINES)
        return 0;
    return sx_simd_get_radices(set->code[precision], kind == SUBX_FFT_C2C ? n : n / 2, radix, &nsteps) !=
           SX_SIMD_NO_TIME;
}

/* Rows are written as whole cache lines by all sets whose two registers are one; lines where a register is. Real rows have
 * no such stores. */
int sx_simd_may_stream(int precision, int kind, int are_lines)
{
    const sx_simd_set *set = sx_simd_get_set();
    const ptrdiff_t real = precision == SUBX_FFT_DOUBLE ? sizeof(double) : sizeof(float);
    if (!set || !set->code[precision])
        return 0;
    return (are_lines || kind == SUBX_FFT_C2C) &&
           (are_lines ? 1 : 2) * set->code[precision]->lanes * real >= SX_ALIGNMENT;
}
