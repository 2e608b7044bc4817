/* cosine.c - DCT-II, DCT-III, DST-II and DST-III by real transforms of reordered elements (Makhoul 1980).
 *
 * Let v = x0 x2 x4 .. x5 x3 x1, V its real transform, and re + i im = V[k] exp(-i pi k/2n). In the DCT-II of x,
 * result k is 2 re, and result n - k is -2 im. A DST-II is the DCT-II of x0 -x1 x2 -x3 .., with the results in
 * reverse order. DCT-III and DST-III take the inverse steps in reverse order. If the length is odd, a complex
 * transform takes the place of the real one, as in program.c, and half of its spectrum is used. */
#include "simd/transform.h"

static int is_sine(sx_simd s)
{
    return s->p.kind == SUBX_FFT_DST2 || s->p.kind == SUBX_FFT_DST3;
}

static int is_odd(sx_simd s)
{
    return s->p.n % 2 != 0;
}

/* Query whether butterflies load or store pairs of rows of the caller's array, where one row has the real parts of
 * complex numbers, and the other row their imaginary parts. This is so if the length is even and no row changes its
 * sign. */
static int has_pairs(sx_simd s)
{
    return !is_odd(s) && !is_sine(s);
}

static int is_second(sx_simd s)
{
    return s->p.kind == SUBX_FFT_DCT2 || s->p.kind == SUBX_FFT_DST2;
}

/* Get the index in x of the element that is v[j]. */
static ptrdiff_t get_element(ptrdiff_t n, ptrdiff_t j)
{
    return 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1;
}

/* Set the orders in which steps use rows: `elements` for the side of x, `modes` for the side of the spectrum. */
static int set_orders(sx_simd s)
{
    const ptrdiff_t n = s->p.n, *number = is_second(s) || is_sine(s) || is_odd(s) ? NULL : s->number;
    ptrdiff_t *elements = sx_simd_own(s, n, sizeof *elements), *modes = sx_simd_own(s, n, sizeof *modes);
    if (!elements || !modes)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < n; i++) {
        elements[i] = get_element(n, number ? 2 * number[i / 2] + i % 2 : i);
        modes[i] = is_sine(s) ? n - 1 - i : i;
    }
    s->order[is_second(s) ? SX_FROM : SX_TO] = elements;
    s->order[is_second(s) ? SX_TO : SX_FROM] = modes;
    return MPI_SUCCESS;
}

static int set_roots(sx_simd s)
{
    void *roots = sx_simd_own_numbers(s, s->p.n / 2 + 1);
    if (!roots)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t k = 0; k <= s->p.n / 2; k++) {
        long double re, im;
        sx_simd_get_root(k, 4 * s->p.n, &re, &im);
        sx_simd_put(s, roots, k, re, im);
    }
    s->half.roots = roots;
    return MPI_SUCCESS;
}

static int get_sign(sx_simd s, ptrdiff_t j)
{
    return is_sine(s) && get_element(s->p.n, j) % 2 ? -1 : 1;
}

/* Set the step that loads v from x, or stores v to x (see the first comment). In a sine transform this step changes
 * the sign of odd elements of x. */
static int set_signs(sx_simd s)
{
    const ptrdiff_t n = is_odd(s) ? s->p.n : s->p.n / 2;
    void *signs = sx_simd_own_numbers(s, n);
    if (!signs)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < n; i++)
        if (is_odd(s))
            sx_simd_put(s, signs, i, get_sign(s, i), 0);
        else
            sx_simd_put(s, signs, i, get_sign(s, 2 * i), get_sign(s, 2 * i + 1));
    s->signs = (sx_simd_step){.n = n, .from = s->place, .to = s->home, .numbers = signs};
    if (is_odd(s))
        s->signs.run =
            is_second(s) ? s->code->multiply_in[SX_SIMD_REALS] : s->code->multiply_out[SX_SIMD_REALS];
    else
        s->signs.run = is_second(s) ? s->code->parts_in : s->code->parts_out;
    return MPI_SUCCESS;
}

/* Set the step at the spectral end, which stores the spectrum (types II) or loads it (types III). */
static int set_modes(sx_simd s)
{
    const double factor = is_second(s) ? 2 * s->p.factor : s->p.factor;
    if (!is_odd(s))
        return sx_simd_halves_set(s, factor, is_second(s));
    s->half.n = is_second(s) ? s->p.n / 2 + 1 : s->p.n;
    s->half.factor = factor;
    return MPI_SUCCESS;
}

int sx_simd_cosine_set(sx_simd s)
{
    s->goes_through[SX_FROM] = s->goes_through[SX_TO] = 1;
    int rc = set_modes(s);
    s->half.m = s->p.n;
    if (!rc)
        rc = set_roots(s);
    if (!rc)
        rc = set_orders(s);
    if (!rc && !has_pairs(s))
        rc = set_signs(s);
    return rc ? rc : sx_simd_own_points_set(s);
}

static void add_modes(sx_simd s, sx_simd_program *g)
{
    const sx_simd_code *code = s->code;
    sx_simd_step *step = sx_simd_program_add(g, NULL);
    *step = s->half;
    if (is_second(s))
        step->run = is_odd(s) ? code->multiply_out[SX_SIMD_COSINES] : code->split[SX_SIMD_COSINES];
    else
        step->run = is_odd(s) ? code->mirror[SX_SIMD_COSINES] : code->merge[SX_SIMD_COSINES];
    step->from = s->place;
    step->to = s->home;
}

static void add_second(sx_simd s, sx_simd_program *g)
{
    if (!has_pairs(s))
        *sx_simd_program_add(g, NULL) = s->signs;
    sx_simd_transform_add(s, has_pairs(s) ? SX_SIMD_PAIRS : SX_SIMD_BUFFER, SX_SIMD_BUFFER, g);
    add_modes(s, g);
}

static void add_third(sx_simd s, sx_simd_program *g)
{
    add_modes(s, g);
    sx_simd_transform_add(s, SX_SIMD_BUFFER, has_pairs(s) ? SX_SIMD_PAIRS : SX_SIMD_BUFFER, g);
    if (!has_pairs(s))
        *sx_simd_program_add(g, NULL) = s->signs;
}

void sx_simd_cosine_add(sx_simd s, int from_lines, int to_lines, sx_simd_program *g)
{
    if (from_lines)
        sx_simd_own_lines_read(s, g);
    if (is_second(s))
        add_second(s, g);
    else
        add_third(s, g);
    if (to_lines)
        sx_simd_own_lines_write(s, g);
}
