/* short_real_body.h - whole transforms between short lines of reals and half spectra. Part of the template
 * kernel_body.h.
 *
 * A transform of reals is one of half as many complex numbers, which is split after it, or merged before it,
 * as in fold_body.h. Here a line is one of short_body.h, and all its numbers are in registers. Its radix is a
 * multiple of HALF, or half of HALF (two lines at once), so that each register of results is one of the
 * line's registers.
 *
 * s->roots has two registers of factors for each register of the line. They do not include the factor of the
 * step, which multiplies the complex transform. */

/* Fold a line of m registers. Number 0 of the register `first` is the mirror image of number 0. `mirrored` is
 * minus the conjugate of a mirror image, because joined numbers have the signs of that at hand
 * (joined_body.h). */
INLINE void OF(fold_short)(const V w[], int m, V first, const V z[], V x[])
{
    const V signs = {ALTERNATING};
    UNROLL for (int k = 0; k < m; k++)
    {
        const V mirrored = SHUFFLE(k == 0 ? first : z[m - k], z[m - 1 - k], MIRRORED) * signs;
        const V difference = z[k] + mirrored;
        x[k] =
            z[k] - mirrored + difference * w[2 * k] + SHUFFLE(difference, difference, SWAPPED) * w[2 * k + 1];
    }
}

INLINE void OF(split_short)(const sx_simd_step *s, int m, const V z[], char *to)
{
    const V last = {2 * (z[0][0] - z[0][1]), 0};
    V x[SX_SIMD_RADIX_MAX];
    OF(fold_short)(s->roots, m, z[0], z, x);
    UNROLL for (int k = 0; k < m; k++) OF(store_memory)(to + k * BYTES, x[k]);
    memcpy(to + m * BYTES, &last, (size_t)NUMBER_BYTES);
}

/* The imaginary parts of the first and the last number of the spectrum are taken as 0. */
INLINE void OF(merge_short)(const sx_simd_step *s, int m, const char *from, ptrdiff_t ahead, V x[])
{
    V first = {0}, z[SX_SIMD_RADIX_MAX];
    OF(load_short)(from, m, ahead, z);
    memcpy(&first, from + m * BYTES, sizeof(R));
    z[0][1] = 0;
    OF(fold_short)(s->roots, m, first, z, x);
}

#define TO_REGISTER(i, v) z[(i) / HALF] = v
#define REAL_LINES(name, radix)                                                                              \
    TARGET static void OF(name##s##radix)(const sx_simd_step *s, const sx_simd_group *g)                     \
    {                                                                                                        \
        for (int l = 0; l < LANES; l++)                                                                      \
            if (g->ahead)                                                                                    \
                OF(name##radix)(s, g->from_line[l], g->to_line[l], g->ahead);                                \
            else                                                                                             \
                OF(name##radix)(s, g->from_line[l], g->to_line[l], 0);                                       \
    }
#define SPLIT(radix, last)                                                                                   \
    INLINE void OF(split_line##radix)(const sx_simd_step *s, const char *from, char *to, ptrdiff_t ahead)    \
    {                                                                                                        \
        V x[radix], z[radix];                                                                                \
        OF(load_short)(from, radix, ahead, x);                                                               \
        TRANSFORM_SHORT(radix, joined, last, TO_REGISTER)                                                    \
        OF(split_short)(s, radix, z, to);                                                                    \
    }                                                                                                        \
    REAL_LINES(split_line, radix)
#define MERGE(radix, last)                                                                                   \
    INLINE void OF(merge_line##radix)(const sx_simd_step *s, const char *from, char *to, ptrdiff_t ahead)    \
    {                                                                                                        \
        V x[radix];                                                                                          \
        OF(merge_short)(s, radix, from, ahead, x);                                                           \
        TRANSFORM_SHORT(radix, joined_backward, last, TO_MEMORY)                                             \
    }                                                                                                        \
    REAL_LINES(merge_line, radix)
#define SHORT_REALS(radix) [radix] = {OF(split_lines##radix), OF(merge_lines##radix)}

#ifdef PAIR_RADIX
TARGET static void OF(split_pairs)(const sx_simd_step *s, const sx_simd_group *g)
{
    for (int l = 0; l < LANES; l += 2) {
        V x[HALF];
        UNROLL for (int i = 0; i < 2; i++)
            OF(load_short)(g->from_line[l + i], PAIR_RADIX, g->ahead, x + i * PAIR_RADIX);
        OF(joined_pair)(s, x);
        UNROLL for (int i = 0; i < 2; i++)
            OF(split_short)(s, PAIR_RADIX, x + i * PAIR_RADIX, g->to_line[l + i]);
    }
}

TARGET static void OF(merge_pairs)(const sx_simd_step *s, const sx_simd_group *g)
{
    for (int l = 0; l < LANES; l += 2) {
        V x[HALF];
        UNROLL for (int i = 0; i < 2; i++)
            OF(merge_short)(s, PAIR_RADIX, g->from_line[l + i], g->ahead, x + i * PAIR_RADIX);
        OF(joined_backward_pair)(s, x);
        UNROLL for (int i = 0; i < HALF; i++)
            OF(store_memory)(g->to_line[l + i / PAIR_RADIX] + i % PAIR_RADIX * BYTES, x[i]);
    }
}
#endif

/* ---- table. Where a function is missing, lines are faster if they are split or merged by the functions of
 * across_body.h, by measured times: lines of many numbers need more registers than AVX2 has, and when lines
 * of 8 rows are split here, each operation waits for the one before it. */

#if LANES == 4
SPLIT(4, 2)
MERGE(4, 2)
SPLIT(6, 2)
MERGE(6, 2)
#define SHORT_REALS_ALL SHORT_REALS(4), SHORT_REALS(6)
#elif LANES == 8
SPLIT(4, 4)
MERGE(4, 4)
#ifdef HAS_MANY_REGISTERS
MERGE(8, 4)
SPLIT(12, 4)
MERGE(12, 4)
SPLIT(16, 4)
MERGE(16, 4)
#define SHORT_REALS_ALL                                                                                      \
    [PAIR_RADIX] = {OF(split_pairs), OF(merge_pairs)}, SHORT_REALS(4), [8] = {NULL, OF(merge_lines8)},       \
    SHORT_REALS(12), SHORT_REALS(16)
#else
#define SHORT_REALS_ALL [PAIR_RADIX] = {OF(split_pairs), OF(merge_pairs)}, SHORT_REALS(4)
#endif
#else
MERGE(8, 8)
SPLIT(16, 8)
MERGE(16, 8)
#define SHORT_REALS_ALL                                                                                      \
    [PAIR_RADIX] = {OF(split_pairs), OF(merge_pairs)}, [8] = {NULL, OF(merge_lines8)}, SHORT_REALS(16)
#endif

#undef SPLIT
#undef MERGE
#undef REAL_LINES
#undef TRANSFORM_SHORT
#undef TO_MEMORY
#undef TO_REGISTER
#undef HALF
#undef NUMBER_BYTES
