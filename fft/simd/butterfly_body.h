/* butterfly_body.h - butterflies: transforms of r complex numbers in place: x[k] = sum of x[j] exp(-2 pi i jk/r). Part of the
 * template kernel_body.h, which includes it once for each form of complex numbers (parts_body.h, joined_body.h).
 *
 * All loops have constant bounds and are unrolled, so that all x are registers. */

/* ---- 1, 2, 4, 8, 16 */

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

INLINE void NUMBERS(transform16)(P x[])
{
    const R c = (R)0.92387953251128675612818318939678828682L,
            s = (R)0.38268343236508977172845998403039886676L;
    P a[4][4];
    UNROLL for (int j = 0; j < 4; j++)
    {
        UNROLL for (int k = 0; k < 4; k++) a[j][k] = x[j + 4 * k];
        NUMBERS(transform4)(a[j]);
    }
    a[1][1] = NUMBERS(times)(a[1][1], c, -s);
    a[1][2] = NUMBERS(eighth)(a[1][2]);
    a[1][3] = NUMBERS(times)(a[1][3], s, -c);
    a[2][1] = NUMBERS(eighth)(a[2][1]);
    a[2][2] = NUMBERS(turn)(a[2][2]);
    a[2][3] = NUMBERS(three_eighths)(a[2][3]);
    a[3][1] = NUMBERS(times)(a[3][1], s, -c);
    a[3][2] = NUMBERS(three_eighths)(a[3][2]);
    a[3][3] = NUMBERS(times)(a[3][3], -c, s);
    UNROLL for (int k = 0; k < 4; k++)
    {
        P b[4] = {a[0][k], a[1][k], a[2][k], a[3][k]};
        NUMBERS(transform4)(b);
        UNROLL for (int l = 0; l < 4; l++) x[k + 4 * l] = b[l];
    }
}

/* ---- odd primes */

/* Transform p inputs. Inputs j and p - j have equal cosines and opposite sines. So only their sum is multiplied by the
 * cosine, and only their difference by the sine. */
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

INLINE void NUMBERS(transform9)(P x[])
{
    static const R c[5] = {1, (R)0.76604444311897803520239265055541667394L,
                           (R)0.17364817766693034885171662676931479600L, 0,
                           (R)-0.93969262078590838405410927732473146994L};
    static const R s[5] = {0, (R)-0.64278760968653932632264340990726343291L,
                           (R)-0.98480775301220805936674302458952301367L, 0,
                           (R)-0.34202014332566873304409961468225958076L};
    P a[3][3];
    UNROLL for (int j = 0; j < 3; j++)
    {
        UNROLL for (int k = 0; k < 3; k++) a[j][k] = x[j + 3 * k];
        NUMBERS(transform3)(a[j]);
        UNROLL for (int k = 1; k < 3 && j > 0; k++) a[j][k] = NUMBERS(times)(a[j][k], c[j * k], s[j * k]);
    }
    UNROLL for (int k = 0; k < 3; k++)
    {
        P b[3] = {a[0][k], a[1][k], a[2][k]};
        NUMBERS(transform3)(b);
        UNROLL for (int l = 0; l < 3; l++) x[k + 3 * l] = b[l];
    }
}

/* A transform of length n = a b, where a and b have no common divisor. Inputs and results are reordered such that no
 * twiddle factors are needed (Good 1958). ca is b times the inverse of b modulo a, cb is a times the inverse of a
 * modulo b. */
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

#undef COPRIME
