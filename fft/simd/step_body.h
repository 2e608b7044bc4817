/* step_body.h - steps with butterflies, one function per radix and role. Part of the template
 * kernel_body.h. */

/* What a step does with its results before it stores them. STREAMED, which line_body.h uses: the step scales
 * the results, and stores them past the caches. */
enum { OF(PLAIN), OF(TWIDDLED), OF(SCALED), OF(STREAMED) };

/* ---- any odd prime */

/* One butterfly of p inputs. sum[j] and difference[j] are the sum and the difference of the inputs j and p -
 * j, as in transform_prime. */
typedef struct OF(butterfly) {
    const sx_simd_step *s;
    const sx_simd_group *g;
    ptrdiff_t row, apart; /* row: the row of the first input; apart: bytes between adjacent inputs in the
                             buffer */
    char *at;
    const R *twiddle;
    P x0, sum[SX_SIMD_PRIME_MAX / 2 + 1], difference[SX_SIMD_PRIME_MAX / 2 + 1];
} OF(butterfly);

#define BUTTERFLY OF(butterfly)

INLINE P OF(take)(const BUTTERFLY *f, int from, ptrdiff_t j)
{
    return OF(load)(f->g, from, f->row + j * f->s->m, f->at + j * f->apart);
}

INLINE void OF(give)(const BUTTERFLY *f, int to, int after, ptrdiff_t k, P a)
{
    const R *w = f->twiddle + 2 * k, factor = (R)f->s->factor;
    if (after == OF(TWIDDLED) && k > 0)
        a = OF(times)(a, w[-2], w[-1]);
    if (after == OF(SCALED))
        a = (P){a.re * factor, a.im * factor};
    OF(store)(f->g, to, f->row + k * f->s->m, f->at + k * f->apart, a);
}

INLINE void OF(take_all)(BUTTERFLY *f, int from, int to, int after)
{
    const int p = f->s->prime;
    P total = f->x0 = OF(take)(f, from, 0);
    for (int j = 1; j <= p / 2; j++) {
        const P a = OF(take)(f, from, j), b = OF(take)(f, from, p - j);
        f->sum[j] = OF(add)(a, b);
        f->difference[j] = OF(subtract)(a, b);
        total = OF(add)(total, f->sum[j]);
    }
    OF(give)(f, to, after, 0, total);
}

/* Add terms to the sums of n pairs of results, for j from `begin` to `end` - 1: sum[j] times a cosine is
 * added to even[], difference[j] times a sine to odd[]. `w` has the cosines and sines of the first pair. The
 * compiler knows n, and unrolls the loop over the pairs: it loads sum[j] and difference[j] once for all n
 * pairs. */
INLINE void OF(add_terms)(const BUTTERFLY *f, const R *w, int begin, int end, int n, P even[], P odd[])
{
    const int h = f->s->prime / 2;
    for (int j = begin; j < end; j++) {
        const P sum = f->sum[j], difference = f->difference[j];
        UNROLL for (int l = 0; l < n; l++)
        {
            const R *cs = w + 2 * (h * l + j - 1);
            even[l].re += sum.re * cs[0];
            even[l].im += sum.im * cs[0];
            odd[l].re += difference.re * cs[1];
            odd[l].im += difference.im * cs[1];
        }
    }
}

INLINE void OF(clear)(int n, P a[])
{
    UNROLL for (int l = 0; l < n; l++) a[l] = (P){.re = {0}};
}

/* Compute n pairs of results: k and p - k, k + 1 and p - k - 1, and so on. Partial sums of TERMS terms have
 * smaller rounding errors than one long sum. */
INLINE void OF(give_some)(const BUTTERFLY *f, int to, int after, int k, int n)
{
    enum { TERMS = 16 };
    const int h = f->s->prime / 2;
    const R *w = (const R *)f->s->roots + (ptrdiff_t)2 * h * (k - 1);
    P even[4], odd[4], more_even[4], more_odd[4];
    UNROLL for (int l = 0; l < n; l++) even[l] = f->x0;
    OF(clear)(n, odd);
    OF(add_terms)(f, w, 1, h < TERMS ? h + 1 : TERMS + 1, n, even, odd);
    for (int j = TERMS + 1; j <= h; j += TERMS) {
        OF(clear)(n, more_even);
        OF(clear)(n, more_odd);
        OF(add_terms)(f, w, j, j + TERMS <= h ? j + TERMS : h + 1, n, more_even, more_odd);
        UNROLL for (int l = 0; l < n; l++)
        {
            even[l] = OF(add)(even[l], more_even[l]);
            odd[l] = OF(add)(odd[l], more_odd[l]);
        }
    }
    UNROLL for (int l = 0; l < n; l++)
    {
        OF(give)(f, to, after, k + l, OF(add_turned)(even[l], odd[l]));
        OF(give)(f, to, after, f->s->prime - k - l, OF(subtract_turned)(even[l], odd[l]));
    }
}

/* Compute all results of a butterfly of prime length. Four pairs at a time need 16 registers, which only
 * instruction sets with long registers can spare. */
INLINE void OF(transform_any)(BUTTERFLY *f, int from, int to, int after)
{
    const int h = f->s->prime / 2;
    int k = 1;
    OF(take_all)(f, from, to, after);
    for (; k + 3 <= h && BYTES >= SX_LINE; k += 4)
        OF(give_some)(f, to, after, k, 4);
    for (; k + 1 <= h; k += 2)
        OF(give_some)(f, to, after, k, 2);
    if (k == h)
        OF(give_some)(f, to, after, k, 1);
}

INLINE void OF(step_of_prime)(const sx_simd_step *s, const sx_simd_group *group, int from, int to, int after)
{
    BUTTERFLY f;
    f.s = s;
    f.g = group;
    f.apart = s->apart * 2 * BYTES;
    for (ptrdiff_t b = 0; b < s->n; b++) {
        f.twiddle = s->numbers;
        f.at = group->buffer + (s->from_base + s->from[b]) * 2 * BYTES;
        for (ptrdiff_t i = 0; i < s->m; i++) {
            f.row = b * s->prime * s->m + i;
            OF(transform_any)(&f, from, to, after);
            f.at += 2 * BYTES;
            f.twiddle += 2 * (s->prime - 1);
        }
    }
}

#undef BUTTERFLY

/* ---- short butterflies */

/* Load the inputs of a butterfly: from the rows i, i + m .. of the group, or from the buffer at `at`, `apart`
 * bytes from each other. */
INLINE void OF(take_short)(const sx_simd_group *g, int radix, int from, ptrdiff_t i, ptrdiff_t m,
                           const char *at, ptrdiff_t apart, P x[])
{
    UNROLL for (int j = 0; j < radix; j++)
    {
        x[j] = OF(load)(g, from, i, at + j * apart);
        i += m;
        if (!__builtin_constant_p(m))
            FORGET(i);
    }
}

/* Store the results where take_short finds inputs: in the rows i, i + m .., or in the buffer at `at`, `apart`
 * bytes from each other. */
INLINE void OF(give_short)(const sx_simd_group *g, int radix, int to, ptrdiff_t i, ptrdiff_t m, char *at,
                           ptrdiff_t apart, const P x[])
{
    UNROLL for (int j = 0; j < radix; j++) OF(store)(g, to, i + j * m, at + j * apart, x[j]);
}

/* Multiply the results by twiddle factors, or by `factor`, or by nothing: `after` says which. w has radix - 1
 * twiddle factors, for all results but the first. */
INLINE void OF(finish)(int radix, int after, const R *w, R factor, P x[])
{
    UNROLL for (int j = 1; j < radix && after == OF(TWIDDLED); j++) x[j] =
        OF(times)(x[j], w[2 * j - 2], w[2 * j - 1]);
    UNROLL for (int j = 0; j < radix && after == OF(SCALED); j++) x[j] =
        (P){x[j].re * factor, x[j].im * factor};
}

/* A step of one radix. A macro makes the name of the transform from the radix: if a function chose the
 * transform, all of them would be inlined into each step, and compiling would take several times as long. The
 * step copies the group, so that the compiler knows that stores do not change it.
 *
 * The first step has a single transform, and the transforms of the last step are single butterflies.
 * Constants say so where the step's role does, because the compiler then keeps fewer addresses in
 * registers. */
#define STEP(name, radix, source, target, after)                                                             \
    TARGET static void OF(name##radix)(const sx_simd_step *s, const sx_simd_group *group)                    \
    {                                                                                                        \
        enum { FROM = SX_SIMD_##source, TO = SX_SIMD_##target, IS_LAST = OF(after) != OF(TWIDDLED) };        \
        const sx_simd_group copy = *group, *g = &copy;                                                       \
        const ptrdiff_t n = (int)FROM == SX_SIMD_BUFFER ? s->n : 1, m = IS_LAST ? 1 : s->m;                  \
        const ptrdiff_t apart = (IS_LAST ? 1 : s->apart) * 2 * BYTES, *begin = s->from;                      \
        const R factor = (R)s->factor, *twiddle = s->numbers;                                                \
        char *const buffer = g->buffer + s->from_base * 2 * BYTES;                                           \
        sx_simd_prefetch *const prefetch = g->prefetch;                                                      \
        for (ptrdiff_t b = 0; b < n; b++) {                                                                  \
            const R *w = twiddle;                                                                            \
            char *at = buffer + begin[b] * 2 * BYTES;                                                        \
            for (ptrdiff_t i = 0; i < m; i++) {                                                              \
                P x[SX_SIMD_RADIX_MAX];                                                                      \
                OF(take_short)(g, radix, FROM, b * radix + i, m, at, apart, x);                              \
                OF(transform##radix)(x);                                                                     \
                OF(finish)(radix, OF(after), w, factor, x);                                                  \
                OF(give_short)(g, radix, TO, b * radix + i, m, at, apart, x);                                \
                if (radix >= SX_SIMD_RADIX_PREFETCH)                                                         \
                    sx_simd_prefetch_some(prefetch);                                                         \
                at += 2 * BYTES;                                                                             \
                w += 2 * (radix - 1);                                                                        \
            }                                                                                                \
        }                                                                                                    \
    }
#define STEP_OF_PRIME(name, radix, source, target, after)                                                    \
    TARGET static void OF(name##radix)(const sx_simd_step *s, const sx_simd_group *g)                        \
    {                                                                                                        \
        OF(step_of_prime)(s, g, SX_SIMD_##source, SX_SIMD_##target, OF(after));                              \
    }
#define STEPS(STEP, radix)                                                                                   \
    STEP(first, radix, ROWS, BUFFER, TWIDDLED)                                                               \
    STEP(first_real, radix, PAIRS, BUFFER, TWIDDLED)                                                         \
    STEP(inner, radix, BUFFER, BUFFER, TWIDDLED)                                                             \
    STEP(last_inner, radix, BUFFER, BUFFER, PLAIN)                                                           \
    STEP(last, radix, BUFFER, ROWS, PLAIN)                                                                   \
    STEP(last_scaled, radix, BUFFER, ROWS, SCALED)                                                           \
    STEP(last_streamed, radix, BUFFER, STREAM, SCALED)                                                       \
    STEP(last_real, radix, BUFFER, PAIRS, PLAIN)

STEPS(STEP_OF_PRIME, 0)
STEPS(STEP, 1)
STEPS(STEP, 2)
STEPS(STEP, 3)
STEPS(STEP, 4)
STEPS(STEP, 5)
STEPS(STEP, 6)
STEPS(STEP, 7)
STEPS(STEP, 8)
STEPS(STEP, 9)
STEPS(STEP, 10)
STEPS(STEP, 11)
STEPS(STEP, 12)
STEPS(STEP, 13)
STEPS(STEP, 14)
STEPS(STEP, 15)
STEPS(STEP, 16)

#undef STEP
#undef STEP_OF_PRIME
#undef STEPS
