/* across.c - the tables of the transforms of lines in across_body.h. */
#include "simd/transform.h"

/* Put two registers: the real and the imaginary parts of the factors of all lanes. */
static void put_lane(sx_simd s, void *numbers, ptrdiff_t pair, int lane, long double re, long double im)
{
    const int lanes = s->code->lanes;
    const ptrdiff_t i = 2 * lanes * pair + lane;
    if (s->p.precision == SUBX_FFT_DOUBLE) {
        ((double *)numbers)[i] = (double)re;
        ((double *)numbers)[i + lanes] = (double)im;
    } else {
        ((float *)numbers)[i] = (float)re;
        ((float *)numbers)[i + lanes] = (float)im;
    }
}

/* Set the twiddle factors: after the transform of columns, result k of column j is multiplied by exp(-2 pi i jk/n). The rows of
 * the squares of a set are the results of all its lines, one after the other. */
static int set_twiddles(sx_simd s, int radix, sx_simd_step *step)
{
    const int lanes = s->code->lanes, nsquares = radix / SX_SIMD_CHUNK(radix, lanes);
    void *numbers = sx_simd_own_numbers(s, (ptrdiff_t)nsquares * (lanes - 1) * lanes);
    if (!numbers)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int b = 0; b < nsquares; b++)
        for (int j = 1; j < lanes; j++)
            for (int l = 0; l < lanes; l++) {
                long double re, im;
                const int row = b * lanes + s->code->order[l] / 2;
                sx_simd_get_root((ptrdiff_t)j * (row % radix), (ptrdiff_t)radix * lanes, &re, &im);
                put_lane(s, numbers, (ptrdiff_t)b * (lanes - 1) + j - 1, l, re * step->factor,
                         im * step->factor);
            }
    step->numbers = numbers;
    return MPI_SUCCESS;
}

/* Set the step that splits or merges lines. Its factors are those of sx_simd_halves_set. */
static int set_half_lines(sx_simd s, int is_split)
{
    sx_simd_step *step = &s->half_lines;
    const int lanes = s->code->lanes;
    const ptrdiff_t npairs = (s->half.n / 2 + lanes - 1) / lanes;
    void *numbers = sx_simd_own_numbers(s, npairs * lanes);
    if (!numbers)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    *step = (sx_simd_step){.run = is_split ? s->code->split_lines : s->code->merge_lines,
                           .n = s->half.n,
                           .numbers = numbers,
                           .factor = s->half.factor};
    for (ptrdiff_t i = 0; i < npairs * lanes; i++) {
        long double re, im;
        const int lane = (int)(i % lanes);
        sx_simd_get_root(1 + i - lane + s->code->order[lane] / 2, s->p.n, &re, &im);
        put_lane(s, numbers, i / lanes, lane, im * step->factor, (is_split ? -re : re) * step->factor);
    }
    step->is_inside[is_split ? SX_FROM : SX_TO] = s->across.is_inside[is_split ? SX_TO : SX_FROM] = 1;
    return MPI_SUCCESS;
}

sx_simd_run *sx_simd_across_find(const sx_simd_code *code, int kind, ptrdiff_t n, int is_backward)
{
    const ptrdiff_t radix = n / code->lanes, least_chunk = kind == SUBX_FFT_C2C ? 1 : code->lanes / 2;
    if (n % code->lanes || radix > SX_SIMD_RADIX_MAX || SX_SIMD_CHUNK(radix, code->lanes) < least_chunk)
        return NULL;
    return code->across[radix][is_backward];
}

int sx_simd_across_set(sx_simd s)
{
    const int is_complex = s->p.kind == SUBX_FFT_C2C, is_split = s->p.kind == SUBX_FFT_R2C;
    const ptrdiff_t n = is_complex ? s->p.n : s->half.n;
    s->across.factor = is_complex ? s->p.factor : 1;
    if (!s->p.streams)
        s->across.run = sx_simd_across_find(s->code, s->p.kind, n,
                                            is_complex ? s->p.direction == SUBX_FFT_BACKWARD : !is_split);
    if (!s->across.run)
        return MPI_SUCCESS;
    int rc = set_twiddles(s, (int)(n / s->code->lanes), &s->across);
    return rc || is_complex ? rc : set_half_lines(s, is_split);
}

int sx_simd_across_add(sx_simd s, sx_simd_program *g)
{
    const sx_simd_step *half = &s->half_lines;
    if (!s->across.run)
        return 0;
    if (half->run && half->is_inside[SX_TO])
        *sx_simd_program_add(g, NULL) = *half;
    *sx_simd_program_add(g, NULL) = s->across;
    if (half->run && half->is_inside[SX_FROM])
        *sx_simd_program_add(g, NULL) = *half;
    return 1;
}
