/* line_body.h - load lines into the buffer and store them: squares of LANES lines and LANES reals are
 * transposed in registers. Part of the template kernel_body.h. */

#define WITHIN (16 / (int)sizeof(R))

/* A step of the transposition of x[register][lane]: swap a bit of the register's index with a bit of the
 * lane's index. d is the value of the register's bit: 1, 2, 4 or 8. */
INLINE void OF(exchange)(V x[], int d)
{
    UNROLL for (int i = 0; i < LANES; i++)
    {
        const V a = x[i], b = x[i | d];
        if (i & d)
            continue;
        x[i] = d < WITHIN ? SHUFFLE(a, b, EVEN) : SHUFFLE(a, b, BLOCK_EVEN);
        x[i | d] = d < WITHIN ? SHUFFLE(a, b, ODD) : SHUFFLE(a, b, BLOCK_ODD);
    }
}

INLINE void OF(transpose)(V x[])
{
    UNROLL for (int bit = 0; bit < 4; bit++) if (1 << bit < LANES) OF(exchange)(x, 1 << bit);
}

/* Store columns. They may bypass the caches if `streams` is 1, and if each store writes a whole cache
 * line. */
INLINE void OF(store_columns)(const sx_simd_group *g, ptrdiff_t offset, const V x[], int streams)
{
    V y[LANES];
    UNROLL for (int i = 0; i < LANES; i++) y[i] = x[i];
    OF(transpose)(y);
    UNROLL for (int l = 0; l < LANES; l++)
    {
        char *at = g->to_line[l] + offset;
        if (streams && BYTES >= SX_LINE && OF(may_stream)(g, at))
            STREAM((M *)(void *)at, y[l]);
        else
            OF(store_memory)(at, y[l]);
    }
}

#ifdef JOIN

/* Half a register. Lines are loaded by halves, which saves one step of the transposition, exchange(x,
 * WITHIN): instead, a register takes a half of line l and a half of line l + WITHIN. But this swaps the bits
 * WITHIN and 2 * WITHIN of the index of a column: COLUMN(i) is the register that has column i. Lines are not
 * stored by halves, because that takes twice as many stores. */
typedef R OF(half) __attribute__((vector_size(LANES * sizeof(R) / 2), aligned(1), may_alias));
#define COLUMN(i) (((i) & ~(3 * WITHIN)) | ((i)&WITHIN) << 1 | ((i) >> 1 & WITHIN))

INLINE void OF(exchange_within)(V x[])
{
    UNROLL for (int bit = 0; bit < 2; bit++) if (1 << bit < WITHIN) OF(exchange)(x, 1 << bit);
}

INLINE void OF(load_columns)(const sx_simd_group *g, ptrdiff_t offset, V x[])
{
    V y[LANES];
    UNROLL for (int l = 0; l < LANES; l++) if (!(l & WITHIN))
    {
        const OF(half) *a = (const void *)(g->from_line[l] + offset);
        const OF(half) *b = (const void *)(g->from_line[l | WITHIN] + offset);
        y[l] = __builtin_shufflevector(a[0], b[0], JOIN);
        y[l | WITHIN] = __builtin_shufflevector(a[1], b[1], JOIN);
    }
    OF(exchange_within)(y);
    OF(exchange)(y, 2 * WITHIN);
    UNROLL for (int i = 0; i < LANES; i++) x[i] = y[COLUMN(i)];
}

#undef COLUMN
#else

INLINE void OF(load_columns)(const sx_simd_group *g, ptrdiff_t offset, V x[])
{
    UNROLL for (int l = 0; l < LANES; l++) x[l] = OF(load_memory)(g->from_line[l] + offset);
    OF(transpose)(x);
}

#endif
#undef WITHIN

/* Prefetch reals i .. i + LANES - 1 of the next group's lines. Square by square, prefetches and loads take
 * turns; many prefetches at once would keep loads waiting. */
INLINE void OF(prefetch_square)(const sx_simd_group *g, ptrdiff_t i)
{
    if (g->ahead)
        UNROLL for (int l = 0; l < LANES; l++)
            __builtin_prefetch(g->from_line[l] + g->ahead + (i - g->lo) * (ptrdiff_t)sizeof(R));
}

/* Load reals i .. i + LANES - 1 of all lines, where i is even. In the buffer two adjacent reals of a line are
 * one complex number: reals i and i + 1 are number i/2. */
INLINE void OF(load_square)(const sx_simd_step *s, const sx_simd_group *g, ptrdiff_t i)
{
    V x[LANES];
    OF(load_columns)(g, (i - g->lo) * (ptrdiff_t)sizeof(R), x);
    UNROLL for (int k = 0; k < LANES / 2; k++)
        OF(store_buffer)(OF(locate)(g, s->to_base, s->to, i / 2 + k), (P){x[2 * k], x[2 * k + 1]});
}

INLINE void OF(store_square)(const sx_simd_step *s, const sx_simd_group *g, ptrdiff_t i, int after)
{
    const R factor = (R)s->factor;
    V x[LANES];
    UNROLL for (int k = 0; k < LANES / 2; k++)
    {
        const P a = OF(load_buffer)(OF(locate)(g, s->from_base, s->from, i / 2 + k));
        x[2 * k] = after != OF(PLAIN) ? a.re * factor : a.re;
        x[2 * k + 1] = after != OF(PLAIN) ? a.im * factor : a.im;
    }
    OF(store_columns)(g, (i - g->lo) * (ptrdiff_t)sizeof(R), x, after == OF(STREAMED));
}

/* Load real i of all lines. */
INLINE void OF(load_column)(const sx_simd_step *s, const sx_simd_group *g, ptrdiff_t i)
{
    R *x = (R *)(void *)(OF(locate)(g, s->to_base, s->to, i / 2) + i % 2 * BYTES);
    for (int l = 0; l < LANES; l++)
        x[l] = ((const OF(real) *)(const void *)g->from_line[l])[i - g->lo];
}

INLINE void OF(store_column)(const sx_simd_step *s, const sx_simd_group *g, ptrdiff_t i, int after)
{
    const R *x = (const R *)(const void *)(OF(locate)(g, s->from_base, s->from, i / 2) + i % 2 * BYTES);
    for (int l = 0; l < LANES; l++)
        ((OF(real) *)(void *)g->to_line[l])[i - g->lo] = after != OF(PLAIN) ? x[l] * (R)s->factor : x[l];
}

/* Load a part of the lines, or all of them. If its length is no multiple of LANES, the last square overlaps
 * the square before it. The last real of an odd length is loaded alone. Parts that are shorter than a square
 * are loaded real by real. */
TARGET static void OF(load_lines)(const sx_simd_step *s, const sx_simd_group *group)
{
    const sx_simd_group copy = *group, *g = &copy;
    const ptrdiff_t hi = g->hi ? g->hi : s->n, even = hi / 2 * 2;
    ptrdiff_t i = g->lo;
    for (; i + LANES <= hi; i += LANES) {
        OF(prefetch_square)(g, i);
        OF(load_square)(s, g, i);
    }
    if (i < even && even - g->lo >= LANES) {
        OF(load_square)(s, g, even - LANES);
        i = even;
    }
    for (; i < hi; i++)
        OF(load_column)(s, g, i);
}

INLINE void OF(store_lines_any)(const sx_simd_step *s, const sx_simd_group *group, int after)
{
    const sx_simd_group copy = *group, *g = &copy;
    const ptrdiff_t hi = g->hi ? g->hi : s->n, even = hi / 2 * 2;
    ptrdiff_t i = g->lo;
    for (; i + LANES <= hi; i += LANES)
        OF(store_square)(s, g, i, after);
    if (i < even && even - g->lo >= LANES) {
        OF(store_square)(s, g, even - LANES, after);
        i = even;
    }
    for (; i < hi; i++)
        OF(store_column)(s, g, i, after);
}

TARGET static void OF(store_lines)(const sx_simd_step *s, const sx_simd_group *g)
{
    OF(store_lines_any)(s, g, OF(PLAIN));
}

TARGET static void OF(store_lines_scaled)(const sx_simd_step *s, const sx_simd_group *g)
{
    OF(store_lines_any)(s, g, OF(SCALED));
}

TARGET static void OF(store_lines_streamed)(const sx_simd_step *s, const sx_simd_group *g)
{
    OF(store_lines_any)(s, g, OF(STREAMED));
}
