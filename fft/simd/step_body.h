/* step_body.h - the steps of a transform: butterflies and twiddle factors. Part of the template kernel_body.h. */

INLINE void OF(transform)(int radix, P x[])
{
    switch (radix) {
    case 1:
        break;
    case 2:
        OF(transform2)(x);
        break;
    case 3:
        OF(transform3)(x);
        break;
    case 4:
        OF(transform4)(x);
        break;
    case 5:
        OF(transform5)(x);
        break;
    case 6:
        OF(transform6)(x);
        break;
    case 7:
        OF(transform7)(x);
        break;
    case 8:
        OF(transform8)(x);
        break;
    case 9:
        OF(transform9)(x);
        break;
    case 10:
        OF(transform10)(x);
        break;
    case 11:
        OF(transform11)(x);
        break;
    case 12:
        OF(transform12)(x);
        break;
    case 13:
        OF(transform13)(x);
        break;
    case 14:
        OF(transform14)(x);
        break;
    case 15:
        OF(transform15)(x);
        break;
    default:
        OF(transform16)(x);
    }
}

/* What a step does with its results. */
enum { OF(PLAIN), OF(TWIDDLED), OF(SCALED), OF(STREAMED) };

/* `radix`, `from`, `to`, `after` are constants where this is inlined. A copy of the group tells the compiler that stores do
 * not change it, which pays if there are several transforms. */
INLINE void OF(step)(const sx_simd_step *s, const sx_simd_group *group, int radix, int from, int to,
                     int after)
{
    const sx_simd_group copy = *group, *g = from == SX_SIMD_ROWS && to == SX_SIMD_ROWS ? group : &copy;
    const ptrdiff_t n = s->n, m = s->m, apart = s->apart * 2 * BYTES, *begin = s->from;
    const R factor = (R)s->factor, *twiddle = s->numbers;
    char *const buffer = g->buffer + s->from_base * 2 * BYTES;
    for (ptrdiff_t b = 0; b < n; b++) {
        const R *w = twiddle;
        char *at = buffer + begin[b] * 2 * BYTES;
        for (ptrdiff_t i = 0; i < m; i++) {
            P x[SX_SIMD_RADIX_MAX];
            UNROLL for (int j = 0; j < radix; j++) x[j] =
                OF(load)(g, from, b * radix + i + j * m, at + j * apart);
            OF(transform)(radix, x);
            UNROLL for (int j = 1; j < radix && after == OF(TWIDDLED); j++) x[j] =
                OF(times)(x[j], w[2 * j - 2], w[2 * j - 1]);
            UNROLL for (int j = 0; j < radix && after == OF(SCALED); j++) x[j] =
                (P){x[j].re * factor, x[j].im * factor};
            UNROLL for (int j = 0; j < radix; j++)
                OF(store)(g, to, b * radix + i + j * m, at + j * apart, x[j]);
            at += 2 * BYTES;
            w += 2 * (radix - 1);
        }
    }
}

#define STEP(name, radix, from, to, after)                                                                   \
    TARGET static void OF(name##radix)(const sx_simd_step *s, const sx_simd_group *g)                        \
    {                                                                                                        \
        OF(step)(s, g, radix, SX_SIMD_##from, SX_SIMD_##to, OF(after));                                      \
    }
#define STEPS(radix)                                                                                         \
    STEP(only, radix, ROWS, ROWS, PLAIN)                                                                     \
    STEP(only_scaled, radix, ROWS, ROWS, SCALED)                                                             \
    STEP(first, radix, ROWS, BUFFER, TWIDDLED)                                                               \
    STEP(first_real, radix, PAIRS, BUFFER, TWIDDLED)                                                         \
    STEP(inner, radix, BUFFER, BUFFER, TWIDDLED)                                                             \
    STEP(last_inner, radix, BUFFER, BUFFER, PLAIN)                                                           \
    STEP(last, radix, BUFFER, ROWS, PLAIN)                                                                   \
    STEP(last_scaled, radix, BUFFER, ROWS, SCALED)                                                           \
    STEP(last_streamed, radix, BUFFER, STREAM, SCALED)                                                       \
    STEP(last_real, radix, BUFFER, PAIRS, PLAIN)

STEPS(1)
STEPS(2)
STEPS(3)
STEPS(4)
STEPS(5)
STEPS(6)
STEPS(7)
STEPS(8)
STEPS(9)
STEPS(10)
STEPS(11)
STEPS(12)
STEPS(13)
STEPS(14)
STEPS(15)
STEPS(16)

#undef STEP
#undef STEPS
