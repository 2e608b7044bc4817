/* whole_body.h - whole transforms from rows to rows, in a single step. Part of the template kernel_body.h.
 *
 * Numbers are joined (joined_body.h). So a row of LANES numbers takes two registers, which are transformed
 * one after the other, and a transform of n numbers needs n registers. With numbers in parts (parts_body.h)
 * it would need 2 n registers. So these transforms can be longer than the butterflies of step_body.h. */

/* The function copies what it needs of the group, so that the compiler knows that stores do not change it. */
#define WHOLE_STEP(name, length, is_scaled)                                                                  \
    TARGET static void OF(name##length)(const sx_simd_step *s, const sx_simd_group *g)                       \
    {                                                                                                        \
        char *const *const from = g->from, *const *const to = g->to;                                         \
        const ptrdiff_t from_offset = g->from_offset, to_offset = g->to_offset;                              \
        const R factor = (R)s->factor;                                                                       \
        for (ptrdiff_t half = 0; half < 2 * BYTES; half += BYTES) {                                          \
            V x[length];                                                                                     \
            UNROLL for (int j = 0; j < length; j++) x[j] = OF(load_memory)(from[j] + from_offset + half);    \
            OF(joined_transform##length)(x);                                                                 \
            UNROLL for (int j = 0; j < length; j++)                                                          \
                OF(store_memory)(to[j] + to_offset + half, is_scaled ? x[j] * factor : x[j]);                \
        }                                                                                                    \
    }
#define WHOLE(length) WHOLE_STEP(whole, length, 0) WHOLE_STEP(whole_scaled, length, 1)

/* Primes above SX_SIMD_FACTOR_MAX have too many numbers for registers; step_body.h keeps them in memory. */
TARGET static void OF(whole0)(const sx_simd_step *s, const sx_simd_group *g)
{
    OF(step_of_prime)(s, g, SX_SIMD_ROWS, SX_SIMD_ROWS, OF(PLAIN));
}

TARGET static void OF(whole_scaled0)(const sx_simd_step *s, const sx_simd_group *g)
{
    OF(step_of_prime)(s, g, SX_SIMD_ROWS, SX_SIMD_ROWS, OF(SCALED));
}

WHOLE(1)
WHOLE(2)
WHOLE(3)
WHOLE(4)
WHOLE(5)
WHOLE(6)
WHOLE(7)
WHOLE(8)
WHOLE(9)
WHOLE(10)
WHOLE(11)
WHOLE(12)
WHOLE(13)
WHOLE(14)
WHOLE(15)
WHOLE(16)
WHOLE(18)
WHOLE(20)
WHOLE(21)
WHOLE(22)
WHOLE(24)
WHOLE(25)
WHOLE(26)
WHOLE(27)
WHOLE(28)
WHOLE(30)
WHOLE(32)

/* ---- table */

#define WHOLE_RUNS(length) [length] = {OF(whole##length), OF(whole_scaled##length)}
#define WHOLE_ALL                                                                                            \
    WHOLE_RUNS(0), WHOLE_RUNS(1), WHOLE_RUNS(2), WHOLE_RUNS(3), WHOLE_RUNS(4), WHOLE_RUNS(5), WHOLE_RUNS(6), \
        WHOLE_RUNS(7), WHOLE_RUNS(8), WHOLE_RUNS(9), WHOLE_RUNS(10), WHOLE_RUNS(11), WHOLE_RUNS(12),         \
        WHOLE_RUNS(13), WHOLE_RUNS(14), WHOLE_RUNS(15), WHOLE_RUNS(16), WHOLE_RUNS(18), WHOLE_RUNS(20),      \
        WHOLE_RUNS(21), WHOLE_RUNS(22), WHOLE_RUNS(24), WHOLE_RUNS(25), WHOLE_RUNS(26), WHOLE_RUNS(27),      \
        WHOLE_RUNS(28), WHOLE_RUNS(30), WHOLE_RUNS(32)

#undef WHOLE_STEP
#undef WHOLE
