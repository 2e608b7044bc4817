/* butterfly_body.h - butterflies: transforms of r complex numbers in place: x[k] = sum of x[j] exp(-2 pi i
 * jk/r). Part of the template kernel_body.h, which includes it once for each form of complex numbers
 * (parts_body.h, joined_body.h).
 *
 * All loops have constant bounds and are unrolled, so that all x are registers. */

/* ---- 1, 2, 4, 8 */

INLINE void NUMBERS(transform1)(P x[])
{
    (void)x;
}

INLINE void NUMBERS(transform2)(P x[])
{
    const P a = x[0];
    x[0] = NUMBERS(add)(a, x[1]);
    x[1] = NUMBERS(subtract)(a, x[1]);
}

INLINE void NUMBERS(transform4)(P x[])
{
    const P a = NUMBERS(add)(x[0], x[2]), b = NUMBERS(subtract)(x[0], x[2]);
    const P c = NUMBERS(add)(x[1], x[3]), d = NUMBERS(subtract)(x[1], x[3]);
    x[0] = NUMBERS(add)(a, c);
    x[1] = NUMBERS(add_turned)(b, d);
    x[2] = NUMBERS(subtract)(a, c);
    x[3] = NUMBERS(subtract_turned)(b, d);
}

/* eighth: multiply by w = exp(-2 pi i/8). three_eighths: multiply by the third power of w. */
INLINE P NUMBERS(eighth)(P a)
{
    const R s = (R)0.70710678118654752440084436210484903928L;
    return NUMBERS(scale)(NUMBERS(add_turned)(a, a), s);
}

INLINE P NUMBERS(three_eighths)(P a)
{
    const R s = (R)0.70710678118654752440084436210484903928L;
    return NUMBERS(scale)(NUMBERS(subtract_turned)(a, a), -s);
}

INLINE void NUMBERS(transform8)(P x[])
{
    P a[4] = {x[0], x[2], x[4], x[6]}, b[4] = {x[1], x[3], x[5], x[7]};
    NUMBERS(transform4)(a);
    NUMBERS(transform4)(b);
    const P b1 = NUMBERS(eighth)(b[1]), b3 = NUMBERS(three_eighths)(b[3]);
    x[0] = NUMBERS(add)(a[0], b[0]);
    x[4] = NUMBERS(subtract)(a[0], b[0]);
    x[1] = NUMBERS(add)(a[1], b1);
    x[5] = NUMBERS(subtract)(a[1], b1);
    x[2] = NUMBERS(add_turned)(a[2], b[2]);
    x[6] = NUMBERS(subtract_turned)(a[2], b[2]);
    x[3] = NUMBERS(add)(a[3], b3);
    x[7] = NUMBERS(subtract)(a[3], b3);
}

/* ---- odd primes */

/* Transform p inputs. Inputs j and p - j have equal cosines and opposite sines. So only their sum is
 * multiplied by the cosine, and only their difference by the sine. */
INLINE void NUMBERS(transform_prime)(int p, const R c[], const R s[], P x[])
{
    P sum[SX_SIMD_RADIX_MAX / 2], difference[SX_SIMD_RADIX_MAX / 2];
    const P x0 = x[0];
    const int h = p / 2;
    UNROLL for (int j = 1; j <= h; j++)
    {
        sum[j] = NUMBERS(add)(x[j], x[p - j]);
        difference[j] = NUMBERS(subtract)(x[j], x[p - j]);
        x[0] = NUMBERS(add)(x[0], sum[j]);
    }
    UNROLL for (int k = 1; k <= h; k++)
    {
        P a = x0, b = NUMBERS(scale)(difference[1], s[k]);
        UNROLL for (int j = 1; j <= h; j++) a = NUMBERS(add_scaled)(a, sum[j], c[j * k % p]);
        UNROLL for (int j = 2; j <= h; j++) b = NUMBERS(add_scaled)(b, difference[j], s[j * k % p]);
        x[k] = NUMBERS(add_turned)(a, b);
        x[p - k] = NUMBERS(subtract_turned)(a, b);
    }
}

INLINE void NUMBERS(transform3)(P x[])
{
    const R s = (R)0.86602540378443864676372317075293618347L;
    const P sum = NUMBERS(add)(x[1], x[2]), difference = NUMBERS(subtract)(x[1], x[2]);
    const P a = NUMBERS(add_scaled)(x[0], sum, (R)-0.5);
    x[0] = NUMBERS(add)(x[0], sum);
    x[1] = NUMBERS(add_turned_scaled)(a, difference, s);
    x[2] = NUMBERS(add_turned_scaled)(a, difference, -s);
}

INLINE void NUMBERS(transform5)(P x[])
{
    static const R c[5] = COSINES5, s[5] = SINES5;
    NUMBERS(transform_prime)(5, c, s, x);
}

INLINE void NUMBERS(transform7)(P x[])
{
    static const R c[7] = COSINES7, s[7] = SINES7;
    NUMBERS(transform_prime)(7, c, s, x);
}

INLINE void NUMBERS(transform11)(P x[])
{
    static const R c[11] = COSINES11, s[11] = SINES11;
    NUMBERS(transform_prime)(11, c, s, x);
}

INLINE void NUMBERS(transform13)(P x[])
{
    static const R c[13] = COSINES13, s[13] = SINES13;
    NUMBERS(transform_prime)(13, c, s, x);
}

/* ---- products */

/* Multiply by exp(-2 pi i k/n). Multiples of an eighth of a circle take fewer operations. c[k] is cos(2 pi
 * k/n), s[k] the sine. */
INLINE P NUMBERS(times_root)(P a, int k, int n, const R c[], const R s[])
{
    if (k == 0)
        return a;
    if (4 * k == n)
        return NUMBERS(rotate)(a);
    if (8 * k == n)
        return NUMBERS(eighth)(a);
    if (8 * k == 3 * n)
        return NUMBERS(three_eighths)(a);
    return NUMBERS(times)(a, c[k], -s[k]);
}

/* A transform of length n = a b, with twiddle factors (Cooley & Tukey 1965). */
#define PRODUCT(n, a, b)                                                                                     \
    INLINE void NUMBERS(transform##n)(P x[])                                                                 \
    {                                                                                                        \
        static const R c[n] = COSINES##n, s[n] = SINES##n;                                                   \
        P t[a][b];                                                                                           \
        UNROLL for (int j = 0; j < a; j++)                                                                   \
        {                                                                                                    \
            UNROLL for (int k = 0; k < b; k++) t[j][k] = x[j + a * k];                                       \
            NUMBERS(transform##b)(t[j]);                                                                     \
            UNROLL for (int k = 0; k < b; k++) t[j][k] = NUMBERS(times_root)(t[j][k], j * k, n, c, s);       \
        }                                                                                                    \
        UNROLL for (int k = 0; k < b; k++)                                                                   \
        {                                                                                                    \
            P u[a];                                                                                          \
            UNROLL for (int j = 0; j < a; j++) u[j] = t[j][k];                                               \
            NUMBERS(transform##a)(u);                                                                        \
            UNROLL for (int l = 0; l < a; l++) x[k + b * l] = u[l];                                          \
        }                                                                                                    \
    }

PRODUCT(9, 3, 3)
PRODUCT(16, 4, 4)

/* A transform of length n = a b, where a and b have no common divisor. Inputs and results are reordered such
 * that no twiddle factors are needed (Good 1958). ca is b times the inverse of b modulo a, cb is a times the
 * inverse of a modulo b. */
#define COPRIME(n, a, b, ca, cb)                                                                             \
    INLINE void NUMBERS(transform##n)(P x[])                                                                 \
    {                                                                                                        \
        P t[b][a];                                                                                           \
        UNROLL for (int j = 0; j < b; j++)                                                                   \
        {                                                                                                    \
            UNROLL for (int i = 0; i < a; i++) t[j][i] = x[(i * b + j * a) % n];                             \
            NUMBERS(transform##a)(t[j]);                                                                     \
        }                                                                                                    \
        UNROLL for (int i = 0; i < a; i++)                                                                   \
        {                                                                                                    \
            P u[b];                                                                                          \
            UNROLL for (int j = 0; j < b; j++) u[j] = t[j][i];                                               \
            NUMBERS(transform##b)(u);                                                                        \
            UNROLL for (int j = 0; j < b; j++) x[(i * ca + j * cb) % n] = u[j];                              \
        }                                                                                                    \
    }

COPRIME(6, 2, 3, 3, 4)
COPRIME(10, 2, 5, 5, 6)
COPRIME(12, 3, 4, 4, 9)
COPRIME(14, 2, 7, 7, 8)
COPRIME(15, 3, 5, 10, 6)
COPRIME(18, 2, 9, 9, 10)
COPRIME(20, 5, 4, 16, 5)
COPRIME(21, 3, 7, 7, 15)
COPRIME(22, 2, 11, 11, 12)
COPRIME(24, 3, 8, 16, 9)
PRODUCT(25, 5, 5)
COPRIME(26, 2, 13, 13, 14)
PRODUCT(27, 9, 3)
COPRIME(28, 7, 4, 8, 21)
COPRIME(30, 5, 6, 6, 25)
PRODUCT(32, 16, 2)

#undef PRODUCT
#undef COPRIME
