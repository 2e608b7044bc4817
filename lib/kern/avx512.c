/* avx512.c - permuting copies by transposing tiles in AVX-512 registers: a cache line is read, a cache line
 * is written. */
#include "kern/transpose.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#include <stdint.h>

#define AVX512 __attribute__((target("avx512f,avx512vl")))

enum { LINE = 64 };

AVX512 SX_TRANSPOSE_INLINE void store(char *out, __m512i v, int stream)
{
    if (stream)
        _mm512_stream_si512((__m512i *)out, v);
    else
        _mm512_storeu_si512(out, v);
}

/* Transpose 4 x 4 elements of 16 bytes: lanes of the registers a, in place. */
AVX512 SX_TRANSPOSE_INLINE void transpose_lanes(__m512i a[4])
{
    __m512i t0 = _mm512_shuffle_i64x2(a[0], a[1], 0x44), t1 = _mm512_shuffle_i64x2(a[0], a[1], 0xee);
    __m512i t2 = _mm512_shuffle_i64x2(a[2], a[3], 0x44), t3 = _mm512_shuffle_i64x2(a[2], a[3], 0xee);
    a[0] = _mm512_shuffle_i64x2(t0, t2, 0x88);
    a[1] = _mm512_shuffle_i64x2(t0, t2, 0xdd);
    a[2] = _mm512_shuffle_i64x2(t1, t3, 0x88);
    a[3] = _mm512_shuffle_i64x2(t1, t3, 0xdd);
}

AVX512 SX_TRANSPOSE_INLINE void tile16(const char *in, ptrdiff_t is, char *out, ptrdiff_t os, int stream)
{
    __m512i a[4];
    for (int i = 0; i < 4; i++)
        a[i] = _mm512_loadu_si512(in + i * is);
    transpose_lanes(a);
    for (int i = 0; i < 4; i++)
        store(out + i * os, a[i], stream);
}

/* Pairs of rows interleave to pairs of elements, in lanes of 16 bytes; lanes are then transposed as above,
 * those of the even columns and those of the odd ones. */
AVX512 SX_TRANSPOSE_INLINE void tile8(const char *in, ptrdiff_t is, char *out, ptrdiff_t os, int stream)
{
    __m512i even[4], odd[4];
    for (int i = 0; i < 4; i++) {
        __m512i x = _mm512_loadu_si512(in + 2 * i * is), y = _mm512_loadu_si512(in + (2 * i + 1) * is);
        even[i] = _mm512_unpacklo_epi64(x, y);
        odd[i] = _mm512_unpackhi_epi64(x, y);
    }
    transpose_lanes(even);
    transpose_lanes(odd);
    for (int i = 0; i < 4; i++) {
        store(out + 2 * i * os, even[i], stream);
        store(out + (2 * i + 1) * os, odd[i], stream);
    }
}

/* The same with two steps of interleaving: c[k] collects columns k, k+4, k+8, k+12 of four rows at a time. */
AVX512 SX_TRANSPOSE_INLINE void tile4(const char *in, ptrdiff_t is, char *out, ptrdiff_t os, int stream)
{
    __m512i c[4][4];
    for (int g = 0; g < 4; g++) {
        const char *row = in + 4 * g * is;
        __m512i x0 = _mm512_loadu_si512(row), x1 = _mm512_loadu_si512(row + is);
        __m512i x2 = _mm512_loadu_si512(row + 2 * is), x3 = _mm512_loadu_si512(row + 3 * is);
        __m512i y0 = _mm512_unpacklo_epi32(x0, x1), y1 = _mm512_unpackhi_epi32(x0, x1);
        __m512i y2 = _mm512_unpacklo_epi32(x2, x3), y3 = _mm512_unpackhi_epi32(x2, x3);
        c[0][g] = _mm512_unpacklo_epi64(y0, y2);
        c[1][g] = _mm512_unpackhi_epi64(y0, y2);
        c[2][g] = _mm512_unpacklo_epi64(y1, y3);
        c[3][g] = _mm512_unpackhi_epi64(y1, y3);
    }
    for (int k = 0; k < 4; k++) {
        transpose_lanes(c[k]);
        for (int i = 0; i < 4; i++)
            store(out + (4 * i + k) * os, c[k][i], stream);
    }
}

/* Write a run: whole lines past the caches, the parts of lines at its ends through them. */
AVX512 static void stream_run(char *out, const char *staged, ptrdiff_t bytes)
{
    ptrdiff_t head = (ptrdiff_t)(-(uintptr_t)out % LINE);
    head = head < bytes ? head : bytes;
    memcpy(out, staged, (size_t)head);
    for (; head + LINE <= bytes; head += LINE)
        store(out + head, _mm512_loadu_si512(staged + head), 1);
    memcpy(out + head, staged + head, (size_t)(bytes - head));
}

enum { CACHED, STREAMED, STAGED };

/* Streaming needs whole lines, and a copy that is larger than the caches. */
static int choose(const sx_plane *p, const char *out)
{
    if (!p->streams)
        return CACHED;
    return (uintptr_t)out % LINE == 0 && p->r.os % LINE == 0 ? STREAMED : STAGED;
}

AVX512 SX_TRANSPOSE_INLINE void copy_tiles(const sx_plane *p, ptrdiff_t side, sx_transpose_tile *tile,
                                           const char *in, char *out)
{
    switch (choose(p, out)) {
    case CACHED:
        sx_transpose_plane(p, side, 0, tile, in, out);
        break;
    case STREAMED:
        sx_transpose_plane(p, side, 1, tile, in, out);
        break;
    default:
        sx_transpose_staged(p, side, tile, stream_run, in, out);
    }
}

AVX512 static void copy_plane(const sx_plane *p, const char *in, char *out)
{
    if (p->bytes == 16)
        copy_tiles(p, 4, tile16, in, out);
    else if (p->bytes == 8)
        copy_tiles(p, 8, tile8, in, out);
    else
        copy_tiles(p, 16, tile4, in, out);
}

static int suits(const sx_layout *l)
{
    static const ptrdiff_t sizes[] = {4, 8, 16, 0};
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           sx_transpose_suits(l, sizes, LINE);
}

static void copy(const sx_layout *l, const char *in, char *out)
{
    if (!suits(l)) {
        sx_kern_blocked.copy(l, in, out);
        return;
    }
    sx_kern_plane_copy(l, in, out, copy_plane);
    _mm_sfence(); /* streamed lines are ordered before what follows, such as a message that tells of them */
}

#else

/* Not for this machine. */
static int suits(const sx_layout *l)
{
    (void)l;
    return 0;
}

static void copy(const sx_layout *l, const char *in, char *out)
{
    sx_kern_blocked.copy(l, in, out);
}

#endif

const sx_kern sx_kern_avx512 = {"avx512", suits, copy};
