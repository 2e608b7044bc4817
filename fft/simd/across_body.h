/* across_body.h - whole transforms of lines of m * LANES complex numbers, in parts, by the four-step method
 * (Bailey 1990, "FFTs in external or hierarchical memory"). Part of the template kernel_body.h.
 *
 * Here a register has parts of LANES adjacent numbers of one line. So lines need not be transposed before the
 * transform and after it:
 *
 *     line             1. each lane transforms its column   3. squares of LANES rows are transposed
 *      0  1  ..  7     2. numbers are multiplied by         4. each lane transforms what was its row; a
 *      8  9  .. 15        twiddle factors                      register of results has adjacent numbers
 *     ..
 *     56 57  .. 63
 *
 * Lines of one step: m is a radix, and all columns of a line are in registers. A square may have rows of
 * several lines. These lines are a set. A chunk is what a square has of one line: CHUNK rows, and so CHUNK
 * adjacent numbers of each result. Shorter lines are in short_body.h.
 *
 * Long lines: the steps of a transform of length m (core.c) do step 1, for one line after the other. For them
 * a line is m rows of LANES pencils. Then the columns of a line are in the buffer, which is short enough for
 * the first-level cache, and a further step does the rest, square by square.
 *
 * A transform of reals is one of half as many complex numbers. Lines are merged before it, or split after it,
 * as in fold_body.h. In between, all lines of a group are in the buffer. A load must wait if a store just
 * before it has written only a part of the same bytes; so a short line is not read again at once. A long line
 * is a group of its own.
 *
 * A backward transform is a forward one of numbers whose real and imaginary parts are swapped. */

#if LANES == 4
#define LAST OF(transform4)
#elif LANES == 8
#define LAST OF(transform8)
#elif LANES == 16
#define LAST OF(transform16)
#endif

#define POINT_BYTES (2 * (ptrdiff_t)sizeof(R))

INLINE P OF(swap)(P a, int is_swapped)
{
    return is_swapped ? (P){a.im, a.re} : a;
}

/* Transpose a square: x[i] has row i, and its lanes have the columns in the order of load_row. Afterwards
 * x[i] has column i, and its lanes have the rows in that order. */
INLINE void OF(turn_square)(P x[])
{
    static const int order[LANES] = {EVEN};
    V re[LANES], im[LANES];
    UNROLL for (int l = 0; l < LANES; l++)
    {
        re[l] = x[order[l] / 2].re;
        im[l] = x[order[l] / 2].im;
    }
    OF(transpose)(re);
    OF(transpose)(im);
    UNROLL for (int l = 0; l < LANES; l++) x[order[l] / 2] = (P){re[l], im[l]};
}

/* Store the numbers of one line: chunk c of the result a. A whole register may bypass the caches if `streams`
 * is the group, and not if it is NULL. */
INLINE void OF(store_chunk)(char *at, int chunk, int c, const sx_simd_group *streams, P a)
{
    const V low = SHUFFLE(a.re, a.im, LOW), high = SHUFFLE(a.re, a.im, HIGH);
    const V part = c < LANES / chunk / 2 ? low : high;
    if (chunk == LANES && streams && OF(may_stream)(streams, at)) {
        STREAM((M *)(void *)at, low);
        STREAM((M *)(void *)(at + BYTES), high);
    } else if (chunk == LANES) {
        OF(store_memory)(at, low);
        OF(store_memory)(at + BYTES, high);
    } else if (chunk == LANES / 2)
        OF(store_memory)(at, part);
    else
        memcpy(at, (const char *)&part + c % 2 * (BYTES / 2), (size_t)(BYTES / 2));
}

/* Do steps 2 to 4 for square b of a set. `w` has the twiddle factors of the square. */
INLINE void OF(finish_square)(const V w[], R factor, ptrdiff_t radix, int chunk, int b, int is_backward,
                              const sx_simd_group *streams, P x[], char *const to[])
{
    OF(turn_square)(x);
    x[0] = (P){x[0].re * factor, x[0].im * factor};
    UNROLL for (int j = 1; j < LANES; j++)
    {
        const V re = w[2 * j - 2], im = w[2 * j - 1];
        x[j] = (P){x[j].re * re - x[j].im * im, x[j].im * re + x[j].re * im};
    }
    LAST(x);
    UNROLL for (int k = 0; k < LANES; k++)
    {
        UNROLL for (int c = 0; c < LANES / chunk; c++)
        {
            const int row = b * LANES + c * chunk;
            char *at = to[row / radix] + (row % radix + k * radix) * POINT_BYTES;
            OF(store_chunk)(at, chunk, c, streams, OF(swap)(x[k], is_backward));
        }
    }
}

/* ---- complex */

/* Get the line of a lane that lies in the buffer. */
INLINE char *OF(get_own_line)(const sx_simd_group *g, int l, ptrdiff_t n)
{
    return g->buffer + l * n * POINT_BYTES;
}

/* Prefetch what load_row loads. */
INLINE void OF(prefetch_row)(const char *at)
{
    __builtin_prefetch(at);
    if (BYTES >= SX_LINE)
        __builtin_prefetch(at + BYTES);
}

/* Lines of a set: `from` and `to` list their addresses. A macro makes the name of the transform, as in
 * step_body.h. */
#define SET(radix)                                                                                           \
    INLINE void OF(transform_set##radix)(const sx_simd_step *s, int is_backward, char *const from[],         \
                                         char *const to[], ptrdiff_t ahead)                                  \
    {                                                                                                        \
        enum { CHUNK = SX_SIMD_CHUNK(radix, LANES), LINES = LANES / CHUNK };                                 \
        const V *w = s->numbers;                                                                             \
        P x[LINES * radix];                                                                                  \
        UNROLL for (int i = 0; i < LINES; i++)                                                               \
        {                                                                                                    \
            P *y = x + i * radix;                                                                            \
            UNROLL for (int j = 0; j < radix; j++)                                                           \
            {                                                                                                \
                const char *at = from[i] + j * 2 * BYTES;                                                    \
                if (ahead)                                                                                   \
                    OF(prefetch_row)(at + ahead);                                                            \
                y[j] = OF(swap)(OF(load_row)(at), is_backward);                                              \
            }                                                                                                \
            OF(transform##radix)(y);                                                                         \
        }                                                                                                    \
        UNROLL for (int b = 0; b < radix / CHUNK; b++) OF(finish_square)(                                    \
            w + b * 2 * (LANES - 1), (R)s->factor, radix, CHUNK, b, is_backward, NULL, x + b * LANES, to);   \
    }
#define ACROSS(name, radix, is_backward)                                                                     \
    TARGET static void OF(name##radix)(const sx_simd_step *s, const sx_simd_group *g)                        \
    {                                                                                                        \
        enum { LINES = LANES / SX_SIMD_CHUNK(radix, LANES), N = radix * LANES };                             \
        for (int l = 0; l < LANES; l += LINES) {                                                             \
            char *from[LINES], *to[LINES];                                                                   \
            for (int i = 0; i < LINES; i++) {                                                                \
                from[i] = s->is_inside[SX_SIMD_FROM] ? OF(get_own_line)(g, l + i, N) : g->from_line[l + i];  \
                to[i] = s->is_inside[SX_SIMD_TO] ? OF(get_own_line)(g, l + i, N) : g->to_line[l + i];        \
            }                                                                                                \
            /* There are two calls, because branches in the loop over rows would slow it down. */            \
            if (g->ahead && !s->is_inside[SX_SIMD_FROM])                                                     \
                OF(transform_set##radix)(s, is_backward, from, to, g->ahead);                                \
            else                                                                                             \
                OF(transform_set##radix)(s, is_backward, from, to, 0);                                       \
        }                                                                                                    \
    }
#define ACROSS_BOTH(radix)                                                                                   \
    SET(radix)                                                                                               \
    ACROSS(across_forward, radix, 0)                                                                         \
    ACROSS(across_backward, radix, 1)
#define ACROSS_RUNS(radix) [radix] = {OF(across_forward##radix), OF(across_backward##radix)}

ACROSS_BOTH(16)
#if LANES <= 8
ACROSS_BOTH(10)
ACROSS_BOTH(12)
ACROSS_BOTH(14)
#define ACROSS_ALL ACROSS_RUNS(10), ACROSS_RUNS(12), ACROSS_RUNS(14), ACROSS_RUNS(16)
#else
#define ACROSS_ALL ACROSS_RUNS(16)
#endif

#undef SET
#undef ACROSS
#undef ACROSS_BOTH
#undef LAST

/* ---- long lines */

/* Prefetch what the next line has in place of `LANES` rows of this line, from `row` on. */
INLINE void OF(prefetch_rows)(const sx_simd_group *g, ptrdiff_t row)
{
    UNROLL for (int i = 0; i < LANES; i++)
        OF(prefetch_row)(g->from_line[0] + g->ahead + (row + i) * 2 * BYTES);
}

/* Do steps 2 to 4 for a line whose columns are transformed, in the buffer: row i is at point from[i]. If the
 * last square is not full, it overlaps the square before it. */
INLINE void OF(finish_line)(const sx_simd_step *s, const sx_simd_group *group, int is_backward, int streams)
{
    const sx_simd_group copy = *group, *g = &copy;
    char *const line = s->is_inside[SX_SIMD_TO] ? g->buffer : g->to_line[0];
    const int is_ahead = g->ahead && !s->is_inside[SX_SIMD_FROM];
    const V *w = s->numbers;
    for (ptrdiff_t done = 0; done < s->m; done += LANES, w += 2 * (LANES - 1)) {
        const ptrdiff_t row = done + LANES <= s->m ? done : s->m - LANES;
        char *const to[1] = {line + row * POINT_BYTES};
        P x[LANES];
        if (is_ahead)
            OF(prefetch_rows)(g, row);
        UNROLL for (int i = 0; i < LANES; i++) x[i] =
            OF(swap)(OF(load_buffer)(OF(locate)(g, s->from_base, s->from, row + i)), is_backward);
        OF(finish_square)(w, (R)s->factor, s->m, LANES, 0, is_backward, streams ? g : NULL, x, to);
    }
}

#define FINISH_LINE(name, is_backward, streams)                                                              \
    TARGET static void OF(name)(const sx_simd_step *s, const sx_simd_group *g)                               \
    {                                                                                                        \
        OF(finish_line)(s, g, is_backward, streams);                                                         \
    }
FINISH_LINE(finish_forward, 0, 0)
FINISH_LINE(finish_backward, 1, 0)
FINISH_LINE(finish_forward_streamed, 0, BYTES >= SX_LINE)
FINISH_LINE(finish_backward_streamed, 1, BYTES >= SX_LINE)
#undef FINISH_LINE

/* ---- reals */

INLINE P OF(reverse)(P a)
{
    return (P){SHUFFLE(a.re, a.re, REVERSED), SHUFFLE(a.im, a.im, REVERSED)};
}

/* Do for numbers 1 to n - 1 of a line what fold of fold_body.h does for rows. Lane l has numbers k + l and n
 * - k - l. `w` has two registers of factors for each k. */
INLINE void OF(fold_line)(const V w[], R h, ptrdiff_t n, ptrdiff_t ahead, const char *from, char *to)
{
    for (ptrdiff_t k = 1; 2 * k <= n; k += LANES, w += 2) {
        const ptrdiff_t low = k * POINT_BYTES, high = (n - k - LANES + 1) * POINT_BYTES;
        const P a = OF(load_row)(from + low), b = OF(reverse)(OF(load_row)(from + high));
        if (ahead) {
            OF(prefetch_row)(from + low + ahead);
            OF(prefetch_row)(from + high + ahead);
        }
        const P sum = {a.re + b.re, a.im - b.im}, difference = {a.re - b.re, a.im + b.im};
        const P turned = {difference.re * w[0] - difference.im * w[1],
                          difference.im * w[0] + difference.re * w[1]};
        OF(store_row)(to + low, (P){sum.re * h + turned.re, sum.im * h + turned.im});
        OF(store_row)(to + high, OF(reverse)((P){sum.re * h - turned.re, turned.im - sum.im * h}));
    }
}

INLINE void OF(split_line)(const sx_simd_step *s, const char *from, char *to)
{
    const R f = (R)(2 * s->factor), *a = (const R *)(const void *)from;
    OF(real) *b = (OF(real) *)(void *)to;
    OF(fold_line)(s->numbers, (R)s->factor, s->n, 0, from, to);
    b[0] = (a[0] + a[1]) * f;
    b[2 * s->n] = (a[0] - a[1]) * f;
    b[1] = b[2 * s->n + 1] = 0;
}

INLINE void OF(merge_line)(const sx_simd_step *s, ptrdiff_t ahead, const char *from, char *to)
{
    const R f = (R)s->factor;
    const OF(real) *a = (const OF(real) *)(const void *)from;
    R *b = (R *)(void *)to;
    OF(fold_line)(s->numbers, f, s->n, ahead, from, to);
    b[0] = (a[0] + a[2 * s->n]) * f;
    b[1] = (a[0] - a[2 * s->n]) * f;
}

TARGET static void OF(split_lines)(const sx_simd_step *s, const sx_simd_group *g)
{
    for (int l = 0; l < g->nlines; l++)
        OF(split_line)(s, OF(get_own_line)(g, l, s->n), g->to_line[l]);
}

TARGET static void OF(merge_lines)(const sx_simd_step *s, const sx_simd_group *g)
{
    for (int l = 0; l < g->nlines; l++)
        OF(merge_line)(s, g->ahead, g->from_line[l], OF(get_own_line)(g, l, s->n));
}

#undef POINT_BYTES
