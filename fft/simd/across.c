/* across.c - tables for the transforms of lines (short_body.h, short_real_body.h, across_body.h), and which
 * of them are faster. */
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

/* Set the twiddle factors of square b, whose first row is `first`: after the transform of columns, of m rows,
 * result k of column j is multiplied by exp(-2 pi i jk/n). */
static void put_square(sx_simd s, ptrdiff_t m, ptrdiff_t b, ptrdiff_t first, double factor, void *numbers)
{
    const int lanes = s->code->lanes;
    for (int j = 1; j < lanes; j++)
        for (int l = 0; l < lanes; l++) {
            long double re, im;
            const ptrdiff_t k = (first + s->code->order[l] / 2) % m;
            sx_simd_get_root(j * k, m * lanes, &re, &im);
            put_lane(s, numbers, b * (lanes - 1) + j - 1, l, re * factor, im * factor);
        }
}

/* Set the twiddle factors of all squares. Short lines: the rows of the squares of a set are the results of
 * all its lines, one after the other. Long lines: the last square may overlap the square before it. */
static int set_twiddles(sx_simd s, ptrdiff_t m, int is_long, sx_simd_step *step)
{
    const int lanes = s->code->lanes;
    const ptrdiff_t nsquares = is_long ? (m + lanes - 1) / lanes : m / SX_SIMD_CHUNK(m, lanes);
    void *numbers = sx_simd_own_numbers(s, nsquares * (lanes - 1) * lanes);
    if (!numbers)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t b = 0; b < nsquares; b++) {
        const ptrdiff_t first = b * lanes, is_over = is_long && first + lanes > m;
        put_square(s, m, b, is_over ? m - lanes : first, step->factor, numbers);
    }
    step->numbers = numbers;
    return MPI_SUCCESS;
}

/* Set the twiddle factors of joined lines: after the transform of columns, result k of column j is multiplied
 * by exp(-2 pi i jk/n). For each row but the first, there is a register of real parts, each twice, and one of
 * imaginary parts with the signs that joined_body.h needs. */
static int set_joined_twiddles(sx_simd s, ptrdiff_t m, int is_backward, sx_simd_step *step)
{
    const ptrdiff_t half = s->code->lanes / 2;
    void *numbers = sx_simd_own_numbers(s, 2 * half * (m - 1));
    if (!numbers)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t k = 1; k < m; k++)
        for (ptrdiff_t j = 0; j < half; j++) {
            long double re, im;
            sx_simd_get_root(j * k, m * half, &re, &im);
            re *= step->factor;
            im *= is_backward ? -step->factor : step->factor;
            sx_simd_put(s, numbers, 2 * half * (k - 1) + j, re, re);
            sx_simd_put(s, numbers, 2 * half * (k - 1) + half + j, -im, im);
        }
    step->numbers = numbers;
    return MPI_SUCCESS;
}

/* Set the factors that split or merge joined lines, in registers as those of set_joined_twiddles. They are
 * those of sx_simd_halves_set without the factor of the step. */
static int set_joined_roots(sx_simd s, ptrdiff_t m, int is_split, sx_simd_step *step)
{
    const ptrdiff_t half = s->code->lanes / 2;
    void *roots = sx_simd_own_numbers(s, 2 * half * m);
    if (!roots)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t k = 0; k < m * half; k++) {
        const ptrdiff_t at = 2 * half * (k / half) + k % half;
        long double re, im;
        sx_simd_get_root(k, s->p.n, &re, &im);
        sx_simd_put(s, roots, at, im, im);
        sx_simd_put(s, roots, at + half, is_split ? re : -re, is_split ? -re : re);
    }
    step->roots = roots;
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

/* ---- which lines */

/* Query whether there is a function for short lines of m rows. Real transforms do not make up for the many
 * stores of small chunks. */
static int is_short(const sx_simd_code *code, int kind, ptrdiff_t m)
{
    const ptrdiff_t least_chunk = kind == SUBX_FFT_C2C ? 1 : code->lanes / 2;
    return m <= SX_SIMD_RADIX_MAX && code->across[m][0] && SX_SIMD_CHUNK(m, code->lanes) >= least_chunk;
}

/* Query whether long lines of m rows are faster than transposed lines. Most lines of few rows are not, and
 * real transforms take one more step for each line. */
static int is_worth(const sx_simd_code *code, int kind, ptrdiff_t m)
{
    const int has_long = code->has_streamed_lines; /* registers are as long as a cache line */
    if (kind == SUBX_FFT_C2C)
        return (m >= SX_SIMD_LINE_ROWS && m % 4 == 0) || (m >= SX_SIMD_LINE_MANY_ROWS && has_long);
    return (m >= SX_SIMD_LINE_REAL_ROWS && m % 16 == 0) ||
           (m >= SX_SIMD_LINE_MANY_ROWS && m * code->lanes >= SX_SIMD_LINE_LONG_REALS && has_long);
}

/* Query whether lines of m rows are transformed as long lines. The last square must not overlap the one
 * before it by much. */
static int is_long(const sx_simd_code *code, int kind, ptrdiff_t m)
{
    int radix[SX_SIMD_NSTEPS_MAX], nsteps;
    const ptrdiff_t lanes = code->lanes, done = (m + lanes - 1) / lanes * lanes;
    return code->finish_line[0][0] && m <= SX_SIMD_LINE_MOST_ROWS && 8 * done <= 9 * m &&
           is_worth(code, kind, m) && sx_simd_get_radices(code, m, radix, &nsteps) != SX_SIMD_NO_TIME;
}

/* Query whether there is a function for short lines of joined numbers, and whether it is the fastest one, by
 * measured times. Real transforms that are split or merged by another function do not make up for a last
 * square with a single new row. */
static int is_joined(const sx_simd_code *code, int kind, ptrdiff_t n)
{
    const ptrdiff_t half = code->lanes / 2, m = n / half;
    if (n % half != 0 || m > SX_SIMD_RADIX_MAX || !code->joined[m][0])
        return 0;
    return kind == SUBX_FFT_C2C || code->reals[m][kind == SUBX_FFT_C2R] || (m - 1) % half != 0;
}

int sx_simd_across_get_way(const sx_simd_code *code, int kind, ptrdiff_t n)
{
    const ptrdiff_t m = n / code->lanes;
    if (is_joined(code, kind, n))
        return SX_SIMD_JOINED;
    if (n % code->lanes != 0)
        return SX_SIMD_TRANSPOSED;
    if (is_short(code, kind, m))
        return SX_SIMD_SHORT;
    return is_long(code, kind, m) ? SX_SIMD_LONG : SX_SIMD_TRANSPOSED;
}

/* Query whether results can bypass the caches: each store must write whole cache lines. */
static int may_stream(sx_simd s, int way, ptrdiff_t m)
{
    return way == SX_SIMD_LONG && s->p.kind != SUBX_FFT_R2C && m % s->code->lanes == 0 &&
           s->code->has_streamed_lines;
}

/* ---- steps */

/* Set the transform of the columns of long lines, and the step after it. If lines are split or merged, the
 * buffer begins with such a line. */
static int set_long(sx_simd s, ptrdiff_t m, int is_backward)
{
    int rc = sx_simd_core_set(s, &s->columns, m, is_backward);
    s->across.run = s->code->finish_line[s->p.streams][is_backward];
    s->across.m = m;
    s->across.from = s->columns.output;
    s->across.from_base = s->p.kind == SUBX_FFT_C2C ? 0 : m;
    return rc ? rc : set_twiddles(s, m, 1, &s->across);
}

/* Set the transform of lines of one step. */
static int set_short(sx_simd s, ptrdiff_t m, int is_backward)
{
    s->across.run = s->code->across[m][is_backward];
    return set_twiddles(s, m, 0, &s->across);
}

/* If a function splits or merges as well, it does all of a real transform. */
static int set_joined(sx_simd s, ptrdiff_t m, int is_backward)
{
    sx_simd_run *const reals = s->p.kind == SUBX_FFT_C2C ? NULL : s->code->reals[m][is_backward];
    int rc = MPI_SUCCESS;
    if (reals) {
        s->across.factor = s->half.factor;
        rc = set_joined_roots(s, m, !is_backward, &s->across);
    }
    s->across.run = reals ? reals : s->code->joined[m][is_backward];
    return rc ? rc : set_joined_twiddles(s, m, is_backward, &s->across);
}

int sx_simd_across_set(sx_simd s)
{
    const int is_complex = s->p.kind == SUBX_FFT_C2C, is_split = s->p.kind == SUBX_FFT_R2C;
    const int is_backward = is_complex ? s->p.direction == SUBX_FFT_BACKWARD : !is_split;
    const ptrdiff_t n = is_complex ? s->p.n : s->half.n, m = n / s->code->lanes;
    const int way = sx_simd_across_get_way(s->code, s->p.kind, n);
    int rc;
    if (way == SX_SIMD_TRANSPOSED || (s->p.streams && !may_stream(s, way, m)))
        return MPI_SUCCESS;
    s->across.factor = is_complex ? s->p.factor : 1;
    if (way == SX_SIMD_JOINED)
        rc = set_joined(s, 2 * n / s->code->lanes, is_backward);
    else if (way == SX_SIMD_SHORT)
        rc = set_short(s, m, is_backward);
    else
        rc = set_long(s, m, is_backward);
    return rc || is_complex || s->across.roots ? rc : set_half_lines(s, is_split);
}

int sx_simd_across_add(sx_simd s, sx_simd_program *g)
{
    const sx_simd_step *half = &s->half_lines;
    if (!s->across.run || g->is_divided) /* only load_lines and store_lines can handle parts of lines */
        return 0;
    if (half->run && half->is_inside[SX_TO])
        *sx_simd_program_add(g, NULL) = *half;
    if (s->columns.n) {
        g->npencils = 1;
        sx_simd_core_add(s, &s->columns, SX_SIMD_ROWS, SX_SIMD_BUFFER, s->across.from_base, g);
    }
    *sx_simd_program_add(g, NULL) = s->across;
    if (half->run && half->is_inside[SX_FROM])
        *sx_simd_program_add(g, NULL) = *half;
    return 1;
}
