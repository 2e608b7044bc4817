/* short_body.h - whole transforms of short lines of joined numbers (joined_body.h), by the four-step method
 * (Bailey 1990, "FFTs in external or hierarchical memory"). Part of the template kernel_body.h.
 *
 * A line is m rows of HALF numbers; m is a radix, so that a line is in registers. With HALF = 4:
 *
 *      0  1  2  3      1. each column is transformed    3. squares of HALF rows are transposed
 *      4  5  6  7      2. numbers are multiplied by     4. what was a row is transformed; a register of
 *      8  9 10 11         twiddle factors                  results has adjacent numbers of the line
 *     12 13 14 15
 *
 * If the last square is not full, it overlaps the square before it, and stores the same results once more. */

#define HALF (LANES / 2)
#define NUMBER_BYTES (2 * (ptrdiff_t)sizeof(R))

/* A step of the transposition of x[register][number]: swap a bit of the register's index with a bit of the
 * number's index, as in line_body.h. d is the value of the register's bit. */
INLINE void OF(exchange_numbers)(V x[], int d)
{
    UNROLL for (int i = 0; i < HALF; i++)
    {
        const V a = x[i], b = x[i | d];
        if (i & d)
            continue;
        x[i] = d * NUMBER_BYTES < 16 ? SHUFFLE(a, b, PAIR_EVEN) : SHUFFLE(a, b, BLOCK_EVEN);
        x[i | d] = d * NUMBER_BYTES < 16 ? SHUFFLE(a, b, PAIR_ODD) : SHUFFLE(a, b, BLOCK_ODD);
    }
}

INLINE void OF(transpose_numbers)(V x[])
{
    UNROLL for (int bit = 0; bit < 3; bit++) if (1 << bit < HALF) OF(exchange_numbers)(x, 1 << bit);
}

/* Multiply each row by its twiddle factors. They include the factor of the step, except in row 0, which has
 * no twiddle factors. */
INLINE void OF(multiply_rows)(const sx_simd_step *s, int radix, V x[])
{
    const V *w = s->numbers;
    x[0] *= (R)s->factor;
    UNROLL for (int j = 1; j < radix; j++) x[j] =
        x[j] * w[2 * j - 2] + SHUFFLE(x[j], x[j], SWAPPED) * w[2 * j - 1];
}

/* Load the rows of a line, and prefetch those of the line that is `ahead` bytes later. */
INLINE void OF(load_short)(const char *from, int radix, ptrdiff_t ahead, V x[])
{
    UNROLL for (int j = 0; j < radix; j++)
    {
        if (ahead)
            __builtin_prefetch(from + j * BYTES + ahead);
        x[j] = OF(load_memory)(from + j * BYTES);
    }
}

/* Transform the line x. `result(i, v)` takes each register of results: v has number i of the line and the
 * HALF - 1 numbers after it. Macros make the names of the transforms, as in step_body.h. `form` is joined, or
 * joined_backward. */
#define TRANSFORM_SHORT(radix, form, last, result)                                                           \
    OF(form##_transform##radix)(x);                                                                          \
    OF(multiply_rows)(s, radix, x);                                                                          \
    UNROLL for (int b = 0; b < radix; b += HALF)                                                             \
    {                                                                                                        \
        const int row = b + HALF <= radix ? b : radix - HALF;                                                \
        V y[HALF];                                                                                           \
        UNROLL for (int i = 0; i < HALF; i++) y[i] = x[row + i];                                             \
        OF(transpose_numbers)(y);                                                                            \
        OF(form##_transform##last)(y);                                                                       \
        UNROLL for (int k = 0; k < HALF; k++) result(row + k * radix, y[k]);                                 \
    }
#define TO_MEMORY(i, v) OF(store_memory)(to + (i)*NUMBER_BYTES, v)

#define LINE(radix, form, last)                                                                              \
    INLINE void OF(form##_line##radix)(const sx_simd_step *s, const char *from, char *to, ptrdiff_t ahead)   \
    {                                                                                                        \
        V x[radix];                                                                                          \
        OF(load_short)(from, radix, ahead, x);                                                               \
        TRANSFORM_SHORT(radix, form, last, TO_MEMORY)                                                        \
    }                                                                                                        \
    TARGET static void OF(form##_lines##radix)(const sx_simd_step *s, const sx_simd_group *g)                \
    {                                                                                                        \
        const int from_own = s->is_inside[SX_SIMD_FROM], to_own = s->is_inside[SX_SIMD_TO];                  \
        for (int l = 0; l < LANES; l++) {                                                                    \
            char *own = g->buffer + l * radix * BYTES;                                                       \
            const char *from = from_own ? own : g->from_line[l];                                             \
            char *to = to_own ? own : g->to_line[l];                                                         \
            /* There are two calls, because branches in the loop over rows would slow it down. */            \
            if (g->ahead && !from_own)                                                                       \
                OF(form##_line##radix)(s, from, to, g->ahead);                                               \
            else                                                                                             \
                OF(form##_line##radix)(s, from, to, 0);                                                      \
        }                                                                                                    \
    }
#if LANES == 4
#define LINES(radix) LINE(radix, joined, 2) LINE(radix, joined_backward, 2)
#elif LANES == 8
#define LINES(radix) LINE(radix, joined, 4) LINE(radix, joined_backward, 4)
#else
#define LINES(radix) LINE(radix, joined, 8) LINE(radix, joined_backward, 8)
#endif
#define SHORT_LINES(radix) [radix] = {OF(joined_lines##radix), OF(joined_backward_lines##radix)}

LINES(8)
LINES(10)
LINES(12)
LINES(14)
LINES(15)
LINES(16)
#if LANES <= 8
LINES(4)
LINES(5)
LINES(6)
LINES(7)
LINES(9)
#endif

/* ---- two lines at once. If a line has HALF / 2 rows, the square has the rows of two lines. A register of
 * its results has numbers of both. */

/* Transform two lines. x has their rows; afterwards it has the registers of the first line, and then those of
 * the second one. */
#define PAIR(radix, form, last)                                                                              \
    INLINE void OF(form##_pair)(const sx_simd_step *s, V x[])                                                \
    {                                                                                                        \
        V y[HALF];                                                                                           \
        UNROLL for (int i = 0; i < HALF; i += radix)                                                         \
        {                                                                                                    \
            OF(form##_transform##radix)(x + i);                                                              \
            OF(multiply_rows)(s, radix, x + i);                                                              \
        }                                                                                                    \
        OF(transpose_numbers)(x);                                                                            \
        OF(form##_transform##last)(x);                                                                       \
        UNROLL for (int r = 0; r < radix; r++)                                                               \
        {                                                                                                    \
            y[r] = SHUFFLE(x[2 * r], x[2 * r + 1], LOW_HALVES);                                              \
            y[radix + r] = SHUFFLE(x[2 * r], x[2 * r + 1], HIGH_HALVES);                                     \
        }                                                                                                    \
        UNROLL for (int r = 0; r < HALF; r++) x[r] = y[r];                                                   \
    }                                                                                                        \
    TARGET static void OF(form##_pairs)(const sx_simd_step *s, const sx_simd_group *g)                       \
    {                                                                                                        \
        for (int l = 0; l < LANES; l += 2) {                                                                 \
            V x[HALF];                                                                                       \
            UNROLL for (int i = 0; i < 2; i++)                                                               \
                OF(load_short)(g->from_line[l + i], radix, g->ahead, x + i * radix);                         \
            OF(form##_pair)(s, x);                                                                           \
            UNROLL for (int i = 0; i < HALF; i++)                                                            \
                OF(store_memory)(g->to_line[l + i / radix] + i % radix * BYTES, x[i]);                       \
        }                                                                                                    \
    }
#if LANES == 8
#define PAIR_RADIX 2
PAIR(2, joined, 4)
PAIR(2, joined_backward, 4)
#elif LANES == 16
#define PAIR_RADIX 4
PAIR(4, joined, 8)
PAIR(4, joined_backward, 8)
#endif

/* ---- table */

#if LANES == 4
#define SHORT_ALL                                                                                            \
    SHORT_LINES(4), SHORT_LINES(5), SHORT_LINES(6), SHORT_LINES(7), SHORT_LINES(8), SHORT_LINES(9),          \
        SHORT_LINES(10), SHORT_LINES(12), SHORT_LINES(14), SHORT_LINES(15), SHORT_LINES(16)
#elif LANES == 8
#define SHORT_ALL                                                                                            \
    [PAIR_RADIX] = {OF(joined_pairs), OF(joined_backward_pairs)}, SHORT_LINES(4), SHORT_LINES(5),            \
    SHORT_LINES(6), SHORT_LINES(7), SHORT_LINES(8), SHORT_LINES(9), SHORT_LINES(10), SHORT_LINES(12),        \
    SHORT_LINES(14), SHORT_LINES(15), SHORT_LINES(16)
#else
#define SHORT_ALL                                                                                            \
    [PAIR_RADIX] = {OF(joined_pairs), OF(joined_backward_pairs)}, SHORT_LINES(8), SHORT_LINES(10),           \
    SHORT_LINES(12), SHORT_LINES(14), SHORT_LINES(15), SHORT_LINES(16)
#endif

#undef LINE
#undef LINES
#undef PAIR
