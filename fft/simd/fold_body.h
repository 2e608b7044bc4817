/* fold_body.h - steps that go through the complex numbers in the buffer: they multiply numbers, compute the
 * second half of a spectrum of reals, or turn a complex transform of half the length into a real one and
 * back. Part of the template kernel_body.h. */

/* Load number k of a spectrum from a couple of rows, or store it (paired.c). The rows are real: row k is the
 * real part of the number times its root, and row m - k is minus the imaginary part. Number 0 is row 0
 * alone. */
INLINE P OF(load_couple)(const sx_simd_step *s, const sx_simd_group *g, ptrdiff_t k)
{
    const R *w = (const R *)s->roots + 2 * k;
    const P a = {.re = OF(load_real)(g, k)};
    return k ? OF(times)((P){a.re, -OF(load_real)(g, s->m - k)}, w[0], -w[1]) : a;
}

INLINE void OF(store_couple)(const sx_simd_step *s, const sx_simd_group *g, ptrdiff_t k, P a)
{
    const R *w = (const R *)s->roots + 2 * k;
    const P b = OF(times)(a, w[0], w[1]);
    if (k)
        OF(store_real)(g, s->m - k, -b.im);
    OF(store_real)(g, k, b.re);
}

/* Load complex number i, or store it. The number is in a row, or at the point of the buffer that the step
 * lists for i. */
INLINE P OF(load_number)(const sx_simd_step *s, const sx_simd_group *g, int from, ptrdiff_t i)
{
    if (from == SX_SIMD_COUPLES)
        return OF(load_couple)(s, g, i);
    return OF(load)(g, from, i, from == SX_SIMD_BUFFER ? OF(locate)(g, s->from_base, s->from, i) : NULL);
}

INLINE void OF(store_number)(const sx_simd_step *s, const sx_simd_group *g, int to, ptrdiff_t i, P a)
{
    if (to == SX_SIMD_COUPLES)
        OF(store_couple)(s, g, i, a);
    else
        OF(store)(g, to, i, to == SX_SIMD_BUFFER ? OF(locate)(g, s->to_base, s->to, i) : NULL, a);
}

/* ---- products */

/* Multiply each number by its own factor, or all numbers by one factor. */
INLINE void OF(multiply)(const sx_simd_step *s, const sx_simd_group *g, int from, int to)
{
    const R *w = s->numbers, f = (R)s->factor;
    for (ptrdiff_t i = 0; i < s->n; i++) {
        const P a = OF(load_number)(s, g, from, i);
        OF(store_number)(s, g, to, i, w ? OF(times)(a, w[2 * i], w[2 * i + 1]) : (P){a.re * f, a.im * f});
    }
    for (ptrdiff_t i = s->n; i < s->m && to == SX_SIMD_BUFFER; i++)
        OF(store_number)(s, g, to, i, (P){.re = {0}});
}

/* Multiply the real part of each number by one real factor, and its imaginary part by another one. */
INLINE void OF(multiply_parts)(const sx_simd_step *s, const sx_simd_group *g, int from, int to)
{
    const R *w = s->numbers;
    for (ptrdiff_t i = 0; i < s->n; i++) {
        const P a = OF(load_number)(s, g, from, i);
        OF(store_number)(s, g, to, i, (P){a.re * w[2 * i], a.im * w[2 * i + 1]});
    }
}

/* ---- spectra of reals, of which only half is stored */

/* Numbers k and n - k of the spectrum of n reals are conjugates: compute the second half from the first
 * half. */
INLINE void OF(mirror)(const sx_simd_step *s, const sx_simd_group *g, int from)
{
    const R f = (R)s->factor;
    for (ptrdiff_t k = 0; 2 * k < s->n; k++) {
        P a = OF(load_number)(s, g, from, k);
        a = k ? (P){a.re * f, a.im * f} : (P){.re = a.re * f};
        OF(store_number)(s, g, SX_SIMD_BUFFER, k, a);
        if (k)
            OF(store_number)(s, g, SX_SIMD_BUFFER, s->n - k, (P){a.re, -a.im});
    }
}

/* Replace a pair a, b by h (a + b*) + t (a - b*) and the conjugate of h (a + b*) - t (a - b*), where t = re +
 * i im, and * is the conjugate. */
INLINE void OF(fold_pair)(P *a, P *b, R h, R re, R im)
{
    const P sum = {a->re + b->re, a->im - b->im};
    const P turned = OF(times)((P){a->re - b->re, a->im + b->im}, re, im);
    *a = (P){sum.re * h + turned.re, sum.im * h + turned.im};
    *b = (P){sum.re * h - turned.re, turned.im - sum.im * h};
}

/* Split: turn the complex transform of length n into the first half of the spectrum of 2 n reals. Merge: the
 * reverse. Numbers 0 and n of the spectrum are real: they are the sum and the difference of the real and the
 * imaginary part of number 0 of the complex transform. */
INLINE void OF(fold)(const sx_simd_step *s, const sx_simd_group *g, int from, int to, int is_split)
{
    const R *w = s->numbers, h = (R)s->factor, f = (R)(is_split ? 2 * s->factor : s->factor);
    P a = OF(load_number)(s, g, from, 0), b = a;
    if (is_split)
        b.re = a.im;
    else
        b = OF(load_number)(s, g, from, s->n);
    const V sum = (a.re + b.re) * f, difference = (a.re - b.re) * f;
    if (is_split) {
        OF(store_number)(s, g, to, 0, (P){.re = sum});
        OF(store_number)(s, g, to, s->n, (P){.re = difference});
    } else
        OF(store_number)(s, g, to, 0, (P){sum, difference});
    for (ptrdiff_t k = 1; 2 * k <= s->n; k++) {
        a = OF(load_number)(s, g, from, k);
        b = OF(load_number)(s, g, from, s->n - k);
        OF(fold_pair)(&a, &b, h, w[2 * k], w[2 * k + 1]);
        OF(store_number)(s, g, to, k, a);
        OF(store_number)(s, g, to, s->n - k, b);
    }
}

/* ---- the functions of the table */

#define PASS(name, call)                                                                                     \
    TARGET static void OF(name)(const sx_simd_step *s, const sx_simd_group *g)                               \
    {                                                                                                        \
        call;                                                                                                \
    }
PASS(multiply_ordered_in, OF(multiply)(s, g, SX_SIMD_ORDERED, SX_SIMD_BUFFER))
PASS(multiply_pairs_in, OF(multiply)(s, g, SX_SIMD_PAIRS, SX_SIMD_BUFFER))
PASS(multiply_reals_in, OF(multiply)(s, g, SX_SIMD_REALS, SX_SIMD_BUFFER))
PASS(multiply_buffer, OF(multiply)(s, g, SX_SIMD_BUFFER, SX_SIMD_BUFFER))
PASS(multiply_ordered_out, OF(multiply)(s, g, SX_SIMD_BUFFER, SX_SIMD_ORDERED))
PASS(multiply_pairs_out, OF(multiply)(s, g, SX_SIMD_BUFFER, SX_SIMD_PAIRS))
PASS(multiply_reals_out, OF(multiply)(s, g, SX_SIMD_BUFFER, SX_SIMD_REALS))
PASS(multiply_couples_out, OF(multiply)(s, g, SX_SIMD_BUFFER, SX_SIMD_COUPLES))
PASS(parts_in, OF(multiply_parts)(s, g, SX_SIMD_PAIRS, SX_SIMD_BUFFER))
PASS(parts_out, OF(multiply_parts)(s, g, SX_SIMD_BUFFER, SX_SIMD_PAIRS))
PASS(mirror_ordered, OF(mirror)(s, g, SX_SIMD_ORDERED))
PASS(mirror_buffer, OF(mirror)(s, g, SX_SIMD_BUFFER))
PASS(mirror_couples, OF(mirror)(s, g, SX_SIMD_COUPLES))
PASS(split_ordered, OF(fold)(s, g, SX_SIMD_BUFFER, SX_SIMD_ORDERED, 1))
PASS(split_buffer, OF(fold)(s, g, SX_SIMD_BUFFER, SX_SIMD_BUFFER, 1))
PASS(split_reals, OF(fold)(s, g, SX_SIMD_BUFFER, SX_SIMD_REALS, 1))
PASS(split_imaginaries, OF(fold)(s, g, SX_SIMD_BUFFER, SX_SIMD_IMAGINARIES, 1))
PASS(split_couples, OF(fold)(s, g, SX_SIMD_BUFFER, SX_SIMD_COUPLES, 1))
PASS(merge_ordered, OF(fold)(s, g, SX_SIMD_ORDERED, SX_SIMD_BUFFER, 0))
PASS(merge_buffer, OF(fold)(s, g, SX_SIMD_BUFFER, SX_SIMD_BUFFER, 0))
PASS(merge_couples, OF(fold)(s, g, SX_SIMD_COUPLES, SX_SIMD_BUFFER, 0))
#undef PASS

#define FOLDS                                                                                                \
    .multiply_in = {[SX_SIMD_ORDERED] = OF(multiply_ordered_in),                                             \
                    [SX_SIMD_PAIRS] = OF(multiply_pairs_in),                                                 \
                    [SX_SIMD_REALS] = OF(multiply_reals_in),                                                 \
                    [SX_SIMD_BUFFER] = OF(multiply_buffer)},                                                 \
    .multiply_out = {[SX_SIMD_ORDERED] = OF(multiply_ordered_out),                                           \
                     [SX_SIMD_PAIRS] = OF(multiply_pairs_out),                                               \
                     [SX_SIMD_REALS] = OF(multiply_reals_out),                                               \
                     [SX_SIMD_COUPLES] = OF(multiply_couples_out),                                           \
                     [SX_SIMD_BUFFER] = OF(multiply_buffer)},                                                \
    .parts_in = OF(parts_in), .parts_out = OF(parts_out),                                                    \
    .mirror = {[SX_SIMD_ORDERED] = OF(mirror_ordered),                                                       \
               [SX_SIMD_BUFFER] = OF(mirror_buffer),                                                         \
               [SX_SIMD_COUPLES] = OF(mirror_couples)},                                                      \
    .split = {[SX_SIMD_ORDERED] = OF(split_ordered),                                                         \
              [SX_SIMD_BUFFER] = OF(split_buffer),                                                           \
              [SX_SIMD_REALS] = OF(split_reals),                                                             \
              [SX_SIMD_IMAGINARIES] = OF(split_imaginaries),                                                 \
              [SX_SIMD_COUPLES] = OF(split_couples)},                                                        \
    .merge = {[SX_SIMD_ORDERED] = OF(merge_ordered),                                                         \
              [SX_SIMD_BUFFER] = OF(merge_buffer),                                                           \
              [SX_SIMD_COUPLES] = OF(merge_couples)}
