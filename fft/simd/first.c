/* first.c - DCT-I and DST-I, by a complex transform of length m = n - 1 (DCT-I) or m = n + 1 (DST-I).
 *
 * Let s be the sequence of 2m reals of which the kind is the real transform S: s is even, x0 x1 .. x[n-1] ..
 * x1, in the DCT-I; s is odd, 0 x0 x1 .. x[n-1] 0 -x[n-1] .. -x0, in the DST-I. The results are the first
 * half of S, which is real, or of -Im S.
 *
 * Even m: S is the real transform by pairs of s, as in kinds.c, of which only the real or the imaginary
 * parts are computed. The known method that needs half as many operations divides by sines (Cooley, Lewis &
 * Welch 1970); its error grows as the square root of n.
 *
 * Odd m: 2 and m have no common factor, so that no multiplications are left (Good 1958). Let z[l] = s[2l] + i
 * s[2l+m], with the indices of s modulo 2m. The two parts of z have transforms A and B that are real and even
 * in the DCT-I, imaginary and odd in the DST-I, and S[k] is A[k] + (-1)^k B[k]. Hence number k of the
 * transform of z gives results k and m - k of the DCT-I: the sum and the difference of its real and its
 * imaginary part. In the DST-I the parts change places. */
#include "simd/transform.h"

static int is_sine(const sx_simd_problem *p)
{
    return p->kind == SUBX_FFT_DST1;
}

ptrdiff_t sx_simd_first_get_length(const sx_simd_problem *p)
{
    return is_sine(p) ? p->n + 1 : p->n - 1;
}

/* ---- the sequence s, 0 <= i < 2m */

static ptrdiff_t get_row(const sx_simd_problem *p, ptrdiff_t i)
{
    const ptrdiff_t m = sx_simd_first_get_length(p), j = i < m ? i : 2 * m - i;
    if (!is_sine(p))
        return i == m ? m : j;
    return i == 0 || i == m ? 0 : j - 1;
}

static int get_sign(const sx_simd_problem *p, ptrdiff_t i)
{
    const ptrdiff_t m = sx_simd_first_get_length(p);
    if (is_sine(p) && i % m == 0)
        return 0;
    return is_sine(p) && i > m ? -1 : 1;
}

/* Get the index in s of the real part of z[l] (part 0) or of its imaginary part (part 1). */
static ptrdiff_t get_index(ptrdiff_t m, ptrdiff_t l, ptrdiff_t part)
{
    return m % 2 == 0 ? 2 * l + part : (2 * l + part * m) % (2 * m);
}

static int set_from(sx_simd s)
{
    const ptrdiff_t m = sx_simd_first_get_length(&s->p);
    ptrdiff_t *order = sx_simd_own(s, 2 * m, sizeof *order);
    if (!order)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < 2 * m; i++)
        order[i] = get_row(&s->p, get_index(m, i / 2, i % 2));
    s->order[SX_FROM] = order;
    s->nrows[SX_FROM] = 2 * m;
    return MPI_SUCCESS;
}

/* Set the step that loads z in a DST-I, whose elements have signs. For even m they are the opposite of those
 * of s: the results are then Im S. */
static int set_signs(sx_simd s)
{
    const ptrdiff_t m = sx_simd_first_get_length(&s->p);
    const int sign = m % 2 == 0 ? -1 : 1;
    void *signs = sx_simd_own_numbers(s, m);
    if (!signs)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t l = 0; l < m; l++)
        sx_simd_put(s, signs, l, sign * get_sign(&s->p, get_index(m, l, 0)),
                    sign * get_sign(&s->p, get_index(m, l, 1)));
    s->load = (sx_simd_step){.run = s->code->parts_in, .n = m, .to = s->input, .numbers = signs};
    return MPI_SUCCESS;
}

/* ---- results */

/* Set the step that stores the results if m is even. It also stores numbers 0 and m, which in a DST-I are 0
 * and no results: it stores them first, to a row that it stores again. */
static int set_split(sx_simd s)
{
    const ptrdiff_t m = sx_simd_first_get_length(&s->p);
    ptrdiff_t *order = sx_simd_own(s, m + 1, sizeof *order);
    int rc = order ? sx_simd_halves_set(s, 2 * m, s->p.factor, 1) : subx_error_get_code(SUBX_ERR_NO_MEM);
    if (rc)
        return rc;
    for (ptrdiff_t k = 0; k <= m; k++)
        order[k] = is_sine(&s->p) ? (k % m == 0 ? 0 : k - 1) : k;
    s->order[SX_TO] = order;
    s->nrows[SX_TO] = m + 1;
    s->store = s->half;
    s->store.from = s->output;
    s->store.run = s->code->split[is_sine(&s->p) ? SX_SIMD_IMAGINARIES : SX_SIMD_REALS];
    return MPI_SUCCESS;
}

/* Set the step that stores the results if m is odd. It multiplies numbers by 1 + i: the parts become their
 * difference and their sum. In a DST-I it begins with number 1, and multiplies the odd numbers by -1 - i. */
static int set_sums(sx_simd s)
{
    const ptrdiff_t m = sx_simd_first_get_length(&s->p), begin = is_sine(&s->p), n = s->p.n / 2;
    void *numbers = sx_simd_own_numbers(s, n);
    ptrdiff_t *order = sx_simd_own(s, s->p.n, sizeof *order);
    if (!numbers || !order)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < n; i++) {
        const ptrdiff_t k = begin + i;
        const int is_difference = is_sine(&s->p) ? k % 2 == 0 : k % 2 == 1;
        const double factor = begin && k % 2 ? -s->p.factor : s->p.factor;
        sx_simd_put(s, numbers, i, factor, factor);
        order[2 * i + !is_difference] = k - begin;
        order[2 * i + is_difference] = m - k - begin;
    }
    s->order[SX_TO] = order;
    s->store = (sx_simd_step){.n = n, .from = s->output + begin, .numbers = numbers};
    s->store.run = s->code->multiply_out[SX_SIMD_PAIRS];
    return MPI_SUCCESS;
}

/* ---- the transform */

int sx_simd_first_set(sx_simd s)
{
    s->goes_through[SX_FROM] = s->goes_through[SX_TO] = 1;
    int rc = set_from(s);
    if (!rc && is_sine(&s->p))
        rc = set_signs(s);
    if (!rc)
        rc = sx_simd_first_get_length(&s->p) % 2 == 0 ? set_split(s) : set_sums(s);
    return rc ? rc : sx_simd_own_points_set(s);
}

void sx_simd_first_add(sx_simd s, int from_lines, int to_lines, sx_simd_program *g)
{
    if (from_lines)
        sx_simd_own_lines_read(s, g);
    if (is_sine(&s->p))
        *sx_simd_program_add(g, NULL) = s->load;
    sx_simd_transform_add(s, is_sine(&s->p) ? SX_SIMD_BUFFER : SX_SIMD_PAIRS, SX_SIMD_BUFFER, g);
    *sx_simd_program_add(g, NULL) = s->store;
    if (to_lines)
        sx_simd_own_lines_write(s, g);
}
