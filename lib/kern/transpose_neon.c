/* transpose_neon.c - a kernel for permuting copies (kern.h): transposes microtiles in NEON registers, each of
 * which has a quarter of a cache line. */
#include "kern/transpose.h"

#if defined(__aarch64__) && defined(__ARM_NEON) && defined(__GNUC__)
#include <arm_neon.h>

SX_TRANSPOSE_INLINE uint32x4_t load4(const char *in)
{
    return vreinterpretq_u32_u8(vld1q_u8((const uint8_t *)in));
}

SX_TRANSPOSE_INLINE uint64x2_t load8(const char *in)
{
    return vreinterpretq_u64_u8(vld1q_u8((const uint8_t *)in));
}

SX_TRANSPOSE_INLINE void store8(char *out, uint64x2_t v)
{
    vst1q_u8((uint8_t *)out, vreinterpretq_u8_u64(v));
}

SX_TRANSPOSE_INLINE void microtile32(const char *in, const ptrdiff_t rows[], char *out,
                                     const ptrdiff_t cols[])
{
    store8(out + cols[0], load8(in + rows[0]));
    store8(out + cols[0] + 16, load8(in + rows[0] + 16));
}

SX_TRANSPOSE_INLINE void microtile16(const char *in, const ptrdiff_t rows[], char *out,
                                     const ptrdiff_t cols[])
{
    store8(out + cols[0], load8(in + rows[0]));
}

SX_TRANSPOSE_INLINE void microtile8(const char *in, const ptrdiff_t rows[], char *out, const ptrdiff_t cols[])
{
    uint64x2_t a = load8(in + rows[0]), b = load8(in + rows[1]);
    store8(out + cols[0], vtrn1q_u64(a, b));
    store8(out + cols[1], vtrn2q_u64(a, b));
}

/* Transpose in two steps: first single elements within each pair of rows, then pairs of elements between the
 * two pairs of rows. */
SX_TRANSPOSE_INLINE void microtile4(const char *in, const ptrdiff_t rows[], char *out, const ptrdiff_t cols[])
{
    uint32x4_t a = load4(in + rows[0]), b = load4(in + rows[1]), c = load4(in + rows[2]),
               d = load4(in + rows[3]);
    uint64x2_t ab1 = vreinterpretq_u64_u32(vtrn1q_u32(a, b)), ab2 = vreinterpretq_u64_u32(vtrn2q_u32(a, b));
    uint64x2_t cd1 = vreinterpretq_u64_u32(vtrn1q_u32(c, d)), cd2 = vreinterpretq_u64_u32(vtrn2q_u32(c, d));
    store8(out + cols[0], vtrn1q_u64(ab1, cd1));
    store8(out + cols[1], vtrn1q_u64(ab2, cd2));
    store8(out + cols[2], vtrn2q_u64(ab1, cd1));
    store8(out + cols[3], vtrn2q_u64(ab2, cd2));
}

static void move32(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 1, 1, 32, microtile32, in, out);
}

static void move16(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 1, 1, 16, microtile16, in, out);
}

static void move8(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 2, 2, 8, microtile8, in, out);
}

static void move4(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, 4, 4, 4, microtile4, in, out);
}

static const sx_transposer microkernels[] = {
    {4, {4, 4, move4}}, {8, {2, 2, move8}}, {16, {1, 1, move16}}, {32, {1, 1, move32}}, {0, {0, 0, NULL}}};

static const sx_transposer *get_microkernels(void)
{
    return microkernels;
}

#else

/* This build is for processors without NEON: the kernel has no microkernels. */
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

extern const sx_kern sx_kern_neon;
const sx_kern sx_kern_neon = {"neon", suits, copy};
