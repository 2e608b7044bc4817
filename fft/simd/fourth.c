/* fourth.c - DCT-IV and DST-IV.
 *
 * Even length n: a complex transform of half the length, between two multiplications (Duhamel, Mahieux &
 * Petit 1991). Let z[j] = x[2j] + i x[n-1-2j], and
 *
 *     c[k] = exp(-i pi k/n)  sum over j of  (exp(-i pi (4j+1)/4n) z[j]) exp(-2 pi i jk/(n/2)).
 *
 * These exponents are those of the product (2j + 1/2) (2k + 1/2). In the DCT-IV, result 2k is 2 Re c[k], and
 * result n-1-2k is
 * -2 Im c[k].
 *
 * Odd length n: a real transform of the same length that needs no multiplications but by sqrt 2 (Chan & Ho
 * 1990). The angle of the DCT-IV is 2 pi pq/8n with the odd numbers p = 2j + 1 and q = 2k + 1. 8 and n have
 * no common factor, so this angle is pi a/4 + 2 pi b/n with a = npq mod 8 and b = pq/8 mod n. Now cos(pi a/4)
 * is c(a)/sqrt 2 and sin(pi a/4) is s(a)/sqrt 2, where c is 1 for 1 and 7 and s is 1 for 1 and 3, else -1
 * (modulo 8). Both c and s are multiplicative, and s(p) is c(p) times 1 or -1 for p = 1 or 3 mod 4. The sign
 * can go to p itself, for cos is even and sin is odd: p' = p or -p, so that p' = 1 mod 4. Then the p' of all
 * elements are 4m + 1 for n successive m, in the order x0 x2 x4 .. x5 x3 x1 from m = 0, cyclically. With u =
 * m + 1/4 and v = 2l + 1/2 for q' = 4l + 1 (modulo n), uv is b: the real transform G of the elements c(p) x,
 * at places u, has the spectrum from which result k is
 *
 *     sqrt 2 c(q) (c(n) Re G[v] + s(n) Im G[v]).
 *
 * Result k of a DST-IV is (-1)^k times result k of the DCT-IV of the elements in reverse order. */
#include "simd/transform.h"

static int is_sine(const sx_simd_problem *p)
{
    return p->kind == SUBX_FFT_DST4;
}

/* ---- odd length */

/* Get c(a) and s(a) of an odd number a. */
static int get_c(ptrdiff_t a)
{
    return a % 8 == 1 || a % 8 == 7 ? 1 : -1;
}

static int get_s(ptrdiff_t a)
{
    return a % 8 == 1 || a % 8 == 3 ? 1 : -1;
}

/* Get a/4 modulo n. */
static ptrdiff_t get_quarter(ptrdiff_t a, ptrdiff_t n)
{
    const ptrdiff_t quarter = n % 4 == 1 ? (3 * n + 1) / 4 : (n + 1) / 4;
    return (ptrdiff_t)((long long)a * quarter % n);
}

/* Get the number j of the element at place u, as the DCT-IV counts elements. */
static ptrdiff_t get_number(ptrdiff_t n, ptrdiff_t u)
{
    return sx_simd_get_folded(n, (u + n - get_quarter(1, n)) % n);
}

static ptrdiff_t get_element(const sx_simd_problem *p, ptrdiff_t u)
{
    const ptrdiff_t j = get_number(p->n, u);
    return is_sine(p) ? p->n - 1 - j : j;
}

static int get_sign(const sx_simd_problem *p, ptrdiff_t u)
{
    return get_c(2 * get_number(p->n, u) + 1);
}

/* Get the result that number v of the spectrum gives, and its sign. */
static ptrdiff_t get_result(ptrdiff_t n, ptrdiff_t v)
{
    return sx_simd_get_folded(n, get_quarter((2 * v + n - 1) % n, n));
}

static int get_result_sign(const sx_simd_problem *p, ptrdiff_t v)
{
    const ptrdiff_t k = get_result(p->n, v);
    return get_c(2 * k + 1) * (is_sine(p) && k % 2 ? -1 : 1);
}

/* Numbers k and n - k of the spectrum are conjugates, and step multiply_out makes the results of both from
 * one of them. This function tells which: a pairing has minus the imaginary part in the second row, and the
 * signs of the two results fit this for one of the two numbers only. */
static int is_swapped(const sx_simd_problem *p, ptrdiff_t k)
{
    return get_result_sign(p, k) * get_result_sign(p, p->n - k) != get_c(p->n) * get_s(p->n);
}

static ptrdiff_t get_mode(const sx_simd_problem *p, ptrdiff_t i)
{
    const ptrdiff_t k = 2 * i < p->n ? i : p->n - i;
    return get_result(p->n, k > 0 && is_swapped(p, k) ? p->n - i : i);
}

static void get_root(const sx_simd_problem *p, ptrdiff_t k, long double *re, long double *im)
{
    const long double root = 1.41421356237309504880168872420969808L;
    const int swaps = k > 0 && is_swapped(p, k), sign = get_result_sign(p, swaps ? p->n - k : k);
    *re = root * sign * get_c(p->n);
    *im = k > 0 ? root * sign * get_s(p->n) * (swaps ? 1 : -1) : 0;
}

/* ---- even length */

static int set_orders(sx_simd s)
{
    const ptrdiff_t n = s->p.n;
    const int sine = is_sine(&s->p);
    ptrdiff_t *from = sx_simd_own(s, n, sizeof *from), *to = sx_simd_own(s, n, sizeof *to);
    if (!from || !to)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < n; i += 2) {
        from[i + sine] = to[i + !sine] = i;
        from[i + !sine] = to[i + sine] = n - 1 - i;
    }
    s->order[SX_FROM] = from;
    s->order[SX_TO] = to;
    return MPI_SUCCESS;
}

/* Set the two multiplications. The results of a DCT-IV are the imaginary and the real part of 2 i c[k], the
 * results of a DST-IV are those of 2 c[k] in the opposite order. */
static int set_even(sx_simd s)
{
    const ptrdiff_t n = s->p.n;
    const long double factor = 2 * (long double)s->p.factor;
    void *in = sx_simd_own_numbers(s, n / 2), *out = sx_simd_own_numbers(s, n / 2);
    if (!in || !out)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t k = 0; k < n / 2; k++) {
        long double re, im;
        sx_simd_get_root(4 * k + 1, 8 * n, &re, &im);
        sx_simd_put(s, in, k, re, im);
        sx_simd_get_root(k, 2 * n, &re, &im);
        if (is_sine(&s->p))
            sx_simd_put(s, out, k, factor * re, factor * im);
        else
            sx_simd_put(s, out, k, -factor * im, factor * re);
    }
    s->load = (sx_simd_step){.n = n / 2, .m = n / 2, .to = s->input, .numbers = in};
    s->load.run = s->code->multiply_in[SX_SIMD_PAIRS];
    s->store = (sx_simd_step){.n = n / 2, .from = s->output, .numbers = out};
    s->store.run = s->code->multiply_out[SX_SIMD_PAIRS];
    return set_orders(s);
}

int sx_simd_fourth_set(sx_simd s)
{
    static const sx_simd_pairing odd = {1, 1, get_element, get_mode, get_sign, get_root};
    if (s->p.n % 2)
        return sx_simd_paired_set(s, &odd);
    s->goes_through[SX_FROM] = s->goes_through[SX_TO] = 1;
    int rc = set_even(s);
    return rc ? rc : sx_simd_own_points_set(s);
}

void sx_simd_fourth_add(sx_simd s, int from_lines, int to_lines, sx_simd_program *g)
{
    if (s->p.n % 2) {
        sx_simd_paired_add(s, from_lines, to_lines, g);
        return;
    }
    if (from_lines)
        sx_simd_own_lines_read(s, g);
    *sx_simd_program_add(g, NULL) = s->load;
    sx_simd_transform_add(s, SX_SIMD_BUFFER, SX_SIMD_BUFFER, g);
    *sx_simd_program_add(g, NULL) = s->store;
    if (to_lines)
        sx_simd_own_lines_write(s, g);
}
