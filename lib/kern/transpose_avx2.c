/* transpose_avx2.c - a kernel for permuting copies (kern.h): transposes microtiles in AVX2 registers, each of
 * which has half a cache line. */
#include "kern/transpose.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

AVX2 SX_TRANSPOSE_INLINE __m256i load(const char *in)
{
    return _mm256_loadu_si256((const __m256i *)in);
}

AVX2 SX_TRANSPOSE_INLINE void store(char *out, __m256i v)
{
    _mm256_storeu_si256((__m256i *)out, v);
}

AVX2 SX_TRANSPOSE_INLINE void microtile32(const char *in, const ptrdiff_t rows[], char *out,
                                          const ptrdiff_t cols[])
{
    store(out + cols[0], load(in + rows[0]));
}

/* Write two columns: column `lower` from the lower lanes of both registers, column `upper` from the upper
 * lanes. */
AVX2 SX_TRANSPOSE_INLINE void store_lanes(char *out, ptrdiff_t lower, ptrdiff_t upper, __m256i a, __m256i b)
{
    store(out + lower, _mm256_permute2x128_si256(a, b, 0x20));
    store(out + upper, _mm256_permute2x128_si256(a, b, 0x31));
}

AVX2 SX_TRANSPOSE_INLINE void microtile16(const char *in, const ptrdiff_t rows[], char *out,
                                          const ptrdiff_t cols[])
{
    store_lanes(out, cols[0], cols[1], load(in + rows[0]), load(in + rows[1]));
}

AVX2 SX_TRANSPOSE_INLINE void microtile8(const char *in, const ptrdiff_t rows[], char *out,
                                         const ptrdiff_t cols[])
{
    __m256i a = load(in + rows[0]), b = load(in + rows[1]), c = load(in + rows[2]), d = load(in + rows[3]);
    store_lanes(out, cols[0], cols[2], _mm256_unpacklo_epi64(a, b), _mm256_unpacklo_epi64(c, d));
    store_lanes(out, cols[1], cols[3], _mm256_unpackhi_epi64(a, b), _mm256_unpackhi_epi64(c, d));
}

/* Interleave four rows in two steps: v[k] gets columns k and k + 4, one per lane. */
AVX2 SX_TRANSPOSE_INLINE void interleave4(const char *in, const ptrdiff_t rows[], __m256i v[4])
{
    __m256i x0 = load(in + rows[0]), x1 = load(in + rows[1]);
    __m256i x2 = load(in + rows[2]), x3 = load(in + rows[3]);
    __m256i y0 = _mm256_unpacklo_epi32(x0, x1), y1 = _mm256_unpackhi_epi32(x0, x1);
    __m256i y2 = _mm256_unpacklo_epi32(x2, x3), y3 = _mm256_unpackhi_epi32(x2, x3);
    v[0] = _mm256_unpacklo_epi64(y0, y2);
    v[1] = _mm256_unpackhi_epi64(y0, y2);
    v[2] = _mm256_unpacklo_epi64(y1, y3);
    v[3] = _mm256_unpackhi_epi64(y1, y3);
}

AVX2 SX_TRANSPOSE_INLINE void microtile4(const char *in, const ptrdiff_t rows[], char *out,
                                         const ptrdiff_t cols[])
{
    __m256i a[4], b[4];
    interleave4(in, rows, a);
    interleave4(in, rows + 4, b);
    store_lanes(out, cols[0], cols[4], a[0], b[0]);
    store_lanes(out, cols[1], cols[5], a[1], b[1]);
    store_lanes(out, cols[2], cols[6], a[2], b[2]);
    store_lanes(out, cols[3], cols[7], a[3], b[3]);
}

AVX2 static void move32(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 1, 1, 32, microtile32, in, out);
}

AVX2 static void move16(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 2, 2, 16, microtile16, in, out);
}

AVX2 static void move8(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 4, 4, 8, microtile8, in, out);
}

AVX2 void sx_transpose_avx2_move4(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 8, 8, 4, microtile4, in, out);
}

static const sx_transposer microkernels[] = {{4, {8, 8, sx_transpose_avx2_move4}},
                                             {8, {4, 4, move8}},
                                             {16, {2, 2, move16}},
                                             {32, {1, 1, move32}},
                                             {0, {0, 0, NULL}}};

static const sx_transposer *get_microkernels(void)
{
    return __builtin_cpu_supports("avx2") ? microkernels : NULL;
}

#else

/* This build is for processors without AVX2: the kernel has no microkernels. */
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

extern const sx_kern sx_kern_avx2;
const sx_kern sx_kern_avx2 = {"avx2", suits, copy};
