/* transpose_avx512.c - a kernel for permuting copies (kern.h): transposes microtiles in AVX-512 registers,
 * each of which has a whole cache line. */
#include "kern/transpose.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512vl")))

AVX512 SX_TRANSPOSE_INLINE __m512i load(const char *in)
{
    return _mm512_loadu_si512(in);
}

AVX512 SX_TRANSPOSE_INLINE void store(char *out, __m512i v)
{
    _mm512_storeu_si512(out, v);
}

AVX512 SX_TRANSPOSE_INLINE void microtile32(const char *in, const ptrdiff_t rows[], char *out,
                                            const ptrdiff_t cols[])
{
    __m512i a = load(in + rows[0]), b = load(in + rows[1]);
    store(out + cols[0], _mm512_shuffle_i64x2(a, b, 0x44));
    store(out + cols[1], _mm512_shuffle_i64x2(a, b, 0xee));
}

/* Transpose 4 x 4 elements of 16 bytes in place; each is a lane of a register. */
AVX512 SX_TRANSPOSE_INLINE void transpose_lanes(__m512i a[4])
{
    __m512i t0 = _mm512_shuffle_i64x2(a[0], a[1], 0x44), t1 = _mm512_shuffle_i64x2(a[0], a[1], 0xee);
    __m512i t2 = _mm512_shuffle_i64x2(a[2], a[3], 0x44), t3 = _mm512_shuffle_i64x2(a[2], a[3], 0xee);
    a[0] = _mm512_shuffle_i64x2(t0, t2, 0x88);
    a[1] = _mm512_shuffle_i64x2(t0, t2, 0xdd);
    a[2] = _mm512_shuffle_i64x2(t1, t3, 0x88);
    a[3] = _mm512_shuffle_i64x2(t1, t3, 0xdd);
}

AVX512 SX_TRANSPOSE_INLINE void store4(char *out, const ptrdiff_t cols[], ptrdiff_t step, const __m512i a[4])
{
    store(out + cols[0], a[0]);
    store(out + cols[step], a[1]);
    store(out + cols[2 * step], a[2]);
    store(out + cols[3 * step], a[3]);
}

AVX512 SX_TRANSPOSE_INLINE void microtile16(const char *in, const ptrdiff_t rows[], char *out,
                                            const ptrdiff_t cols[])
{
    __m512i a[4] = {load(in + rows[0]), load(in + rows[1]), load(in + rows[2]), load(in + rows[3])};
    transpose_lanes(a);
    store4(out, cols, 1, a);
}

/* Interleave two rows into pairs of elements: `even` gets the pairs of the even columns, `odd` gets the pairs
 * of the odd columns. */
AVX512 SX_TRANSPOSE_INLINE void interleave8(const char *in, const ptrdiff_t rows[], __m512i *even,
                                            __m512i *odd)
{
    __m512i x = load(in + rows[0]), y = load(in + rows[1]);
    *even = _mm512_unpacklo_epi64(x, y);
    *odd = _mm512_unpackhi_epi64(x, y);
}

AVX512 SX_TRANSPOSE_INLINE void microtile8(const char *in, const ptrdiff_t rows[], char *out,
                                           const ptrdiff_t cols[])
{
    __m512i even[4], odd[4];
    interleave8(in, rows, &even[0], &odd[0]);
    interleave8(in, rows + 2, &even[1], &odd[1]);
    interleave8(in, rows + 4, &even[2], &odd[2]);
    interleave8(in, rows + 6, &even[3], &odd[3]);
    transpose_lanes(even);
    transpose_lanes(odd);
    store4(out, cols, 2, even);
    store4(out, cols + 1, 2, odd);
}

AVX512 static void move32(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 2, 2, 32, microtile32, in, out);
}

AVX512 static void move16(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 4, 4, 16, microtile16, in, out);
}

AVX512 static void move8(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 8, 8, 8, microtile8, in, out);
}

/* For elements of 4 bytes, the AVX2 code is as fast as AVX-512 code, and faster if rows are not aligned to
 * lines. */
static const sx_transposer microkernels[] = {{4, {8, 8, sx_transpose_avx2_move4}},
                                             {8, {8, 8, move8}},
                                             {16, {4, 4, move16}},
                                             {32, {2, 2, move32}},
                                             {0, {0, 0, NULL}}};

static const sx_transposer *get_microkernels(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") ? microkernels : NULL;
}

#else

/* This build is for processors without AVX-512: the kernel has no microkernels. */
static const sx_transposer *get_microkernels(void)
{
    return NULL;
}

#endif

static int suits(const sx_layout *l)
{
    return get_microkernels() && sx_transpose_suits(l);
}

static void copy(const sx_layout *l, const char *in, char *out)
{
    sx_transpose_copy(l, get_microkernels(), in, out);
}

extern const sx_kern sx_kern_avx512;
const sx_kern sx_kern_avx512 = {"avx512", suits, copy};
