/* memory_body.h - load registers from rows or from the buffer, and store them there. Part of the template
 * kernel_body.h. */

INLINE P OF(load_buffer)(const char *at)
{
    const V *v = (const V *)(const void *)at;
    return (P){v[0], v[1]};
}

INLINE void OF(store_buffer)(char *at, P a)
{
    V *v = (V *)(void *)at;
    v[0] = a.re;
    v[1] = a.im;
}

/* Load and store a row: a complex number of each of LANES pencils. The order of the pencils in registers may
 * differ from their order in the row. */
INLINE P OF(load_row)(const char *at)
{
    const M *v = (const M *)(const void *)at;
    const V a = v[0], b = v[1];
    return (P){SHUFFLE(a, b, EVEN), SHUFFLE(a, b, ODD)};
}

INLINE void OF(store_row)(char *at, P a)
{
    M *v = (M *)(void *)at;
    v[0] = SHUFFLE(a.re, a.im, LOW);
    v[1] = SHUFFLE(a.re, a.im, HIGH);
}

/* Query whether results at this address may bypass the caches: at the beginning of a cache line, and not in
 * the kept bytes. */
INLINE int OF(may_stream)(const sx_simd_group *g, const char *at)
{
    return (size_t)at % SX_LINE == 0 && (size_t)at - g->kept >= g->kept_bytes;
}

/* Store past the caches if the address may do so and two registers are at least a cache line; else as
 * store_row does. */
INLINE void OF(stream_row)(const sx_simd_group *g, char *at, P a)
{
    M *v = (M *)(void *)at;
    if (2 * BYTES < SX_LINE || !OF(may_stream)(g, at)) {
        OF(store_row)(at, a);
        return;
    }
    STREAM(v, SHUFFLE(a.re, a.im, LOW));
    STREAM(v + 1, SHUFFLE(a.re, a.im, HIGH));
}

/* Load and store a row as load_row and store_row do, but the pencils in registers have the same order as in
 * the row. */
INLINE P OF(load_ordered)(const char *at)
{
    const M *v = (const M *)(const void *)at;
    const V a = v[0], b = v[1];
    return (P){SHUFFLE(a, b, ORDERED_EVEN), SHUFFLE(a, b, ORDERED_ODD)};
}

INLINE void OF(store_ordered)(char *at, P a)
{
    M *v = (M *)(void *)at;
    v[0] = SHUFFLE(a.re, a.im, ORDERED_LOW);
    v[1] = SHUFFLE(a.re, a.im, ORDERED_HIGH);
}

/* Load and store the reals of LANES pencils. */
INLINE V OF(load_memory)(const char *at)
{
    return *(const M *)(const void *)at;
}

INLINE void OF(store_memory)(char *at, V a)
{
    *(M *)(void *)at = a;
}

INLINE V OF(load_real)(const sx_simd_group *g, ptrdiff_t i)
{
    return OF(load_memory)(g->from[i] + g->from_offset);
}

INLINE void OF(store_real)(const sx_simd_group *g, ptrdiff_t i, V a)
{
    OF(store_memory)(g->to[i] + g->to_offset, a);
}

INLINE P OF(load)(const sx_simd_group *g, int what, ptrdiff_t i, const char *at)
{
    switch (what) {
    case SX_SIMD_BUFFER:
        return OF(load_buffer)(at);
    case SX_SIMD_ROWS:
        return OF(load_row)(g->from[i] + g->from_offset);
    case SX_SIMD_ORDERED:
        return OF(load_ordered)(g->from[i] + g->from_offset);
    case SX_SIMD_PAIRS:
        return (P){OF(load_real)(g, 2 * i), OF(load_real)(g, 2 * i + 1)};
    default:
        return (P){.re = OF(load_real)(g, i)};
    }
}

INLINE void OF(store)(const sx_simd_group *g, int what, ptrdiff_t i, char *at, P a)
{
    switch (what) {
    case SX_SIMD_BUFFER:
        OF(store_buffer)(at, a);
        break;
    case SX_SIMD_ROWS:
        OF(store_row)(g->to[i] + g->to_offset, a);
        break;
    case SX_SIMD_STREAM:
        OF(stream_row)(g, g->to[i] + g->to_offset, a);
        break;
    case SX_SIMD_ORDERED:
        OF(store_ordered)(g->to[i] + g->to_offset, a);
        break;
    case SX_SIMD_PAIRS:
        OF(store_real)(g, 2 * i, a.re);
        OF(store_real)(g, 2 * i + 1, a.im);
        break;
    case SX_SIMD_IMAGINARIES:
        OF(store_real)(g, i, a.im);
        break;
    default:
        OF(store_real)(g, i, a.re);
    }
}

/* Get the address of number i in the buffer: at[i] is its point. */
INLINE char *OF(locate)(const sx_simd_group *g, ptrdiff_t base, const ptrdiff_t at[], ptrdiff_t i)
{
    return g->buffer + (base + at[i]) * 2 * BYTES;
}
