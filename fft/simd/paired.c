/* paired.c - real-to-real transforms by a real transform of the same length: elements are reordered before
 * it, and pairs of rows have its spectrum.
 *
 * Row k has the real part of number k of the spectrum, multiplied by a root of unity; row n - k has minus its
 * imaginary part; row 0 is number 0 alone. A pairing tells the orders, the signs and the roots of a kind. If
 * the length is odd, a complex transform takes the place of the real one, as in kinds.c, and half of its
 * spectrum is used. */
#include "simd/transform.h"

static int is_odd(sx_simd s)
{
    return s->p.n % 2 != 0;
}

/* Query whether butterflies load or store pairs of rows of the caller's array, where one row has the real
 * parts of complex numbers, and the other row their imaginary parts. This is so if the length is even and no
 * row changes its sign. */
static int has_pairs(sx_simd s)
{
    return !is_odd(s) && !s->pairing->get_sign;
}

/* Set the orders in which steps use rows: `elements` for the side of the elements, `modes` for the side of
 * the spectrum. */
static int set_orders(sx_simd s)
{
    const sx_simd_pairing *how = s->pairing;
    const ptrdiff_t n = s->p.n, *number = how->is_forward || !has_pairs(s) ? NULL : s->number;
    ptrdiff_t *elements = sx_simd_own(s, n, sizeof *elements), *modes = sx_simd_own(s, n, sizeof *modes);
    if (!elements || !modes)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < n; i++) {
        elements[i] = how->get_element(&s->p, number ? 2 * number[i / 2] + i % 2 : i);
        modes[i] = how->get_mode(&s->p, i);
    }
    s->order[how->is_forward ? SX_FROM : SX_TO] = elements;
    s->order[how->is_forward ? SX_TO : SX_FROM] = modes;
    return MPI_SUCCESS;
}

static int set_roots(sx_simd s)
{
    void *roots = sx_simd_own_numbers(s, s->p.n / 2 + 1);
    if (!roots)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t k = 0; k <= s->p.n / 2; k++) {
        long double re, im;
        s->pairing->get_root(&s->p, k, &re, &im);
        sx_simd_put(s, roots, k, re, im);
    }
    s->half.roots = roots;
    return MPI_SUCCESS;
}

static int get_sign(sx_simd s, ptrdiff_t j)
{
    return s->pairing->get_sign ? s->pairing->get_sign(&s->p, j) : 1;
}

/* Set the step that loads the elements or stores them, and changes their signs. */
static int set_signs(sx_simd s)
{
    const int is_forward = s->pairing->is_forward;
    const ptrdiff_t n = is_odd(s) ? s->p.n : s->p.n / 2;
    void *signs = sx_simd_own_numbers(s, n);
    if (!signs)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < n; i++)
        if (is_odd(s))
            sx_simd_put(s, signs, i, get_sign(s, i), 0);
        else
            sx_simd_put(s, signs, i, get_sign(s, 2 * i), get_sign(s, 2 * i + 1));
    s->signs = (sx_simd_step){.n = n, .from = s->output, .to = s->input, .numbers = signs};
    if (is_odd(s))
        s->signs.run =
            is_forward ? s->code->multiply_in[SX_SIMD_REALS] : s->code->multiply_out[SX_SIMD_REALS];
    else
        s->signs.run = is_forward ? s->code->parts_in : s->code->parts_out;
    return MPI_SUCCESS;
}

/* Set the step at the spectral end: a forward pairing stores the spectrum, any other loads it. */
static int set_modes(sx_simd s)
{
    const int is_forward = s->pairing->is_forward;
    const double factor = s->pairing->factor * s->p.factor;
    if (!is_odd(s))
        return sx_simd_halves_set(s, s->p.n, factor, is_forward);
    s->half.n = is_forward ? s->p.n / 2 + 1 : s->p.n;
    s->half.factor = factor;
    return MPI_SUCCESS;
}

int sx_simd_paired_set(sx_simd s, const sx_simd_pairing *how)
{
    s->pairing = how;
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
    if (s->pairing->is_forward)
        step->run = is_odd(s) ? code->multiply_out[SX_SIMD_COUPLES] : code->split[SX_SIMD_COUPLES];
    else
        step->run = is_odd(s) ? code->mirror[SX_SIMD_COUPLES] : code->merge[SX_SIMD_COUPLES];
    step->from = s->output;
    step->to = s->input;
}

static void add_forward(sx_simd s, sx_simd_program *g)
{
    if (!has_pairs(s))
        *sx_simd_program_add(g, NULL) = s->signs;
    sx_simd_transform_add(s, has_pairs(s) ? SX_SIMD_PAIRS : SX_SIMD_BUFFER, SX_SIMD_BUFFER, g);
    add_modes(s, g);
}

static void add_backward(sx_simd s, sx_simd_program *g)
{
    add_modes(s, g);
    sx_simd_transform_add(s, SX_SIMD_BUFFER, has_pairs(s) ? SX_SIMD_PAIRS : SX_SIMD_BUFFER, g);
    if (!has_pairs(s))
        *sx_simd_program_add(g, NULL) = s->signs;
}

void sx_simd_paired_add(sx_simd s, int from_lines, int to_lines, sx_simd_program *g)
{
    if (from_lines)
        sx_simd_own_lines_read(s, g);
    if (s->pairing->is_forward)
        add_forward(s, g);
    else
        add_backward(s, g);
    if (to_lines)
        sx_simd_own_lines_write(s, g);
}
