/* simd.h - transforms of pencils side by side: each lane of a vector register holds a pencil. No MPI in here.
 *
 * Pencils are given as rows: row j has the elements j of all pencils, which are adjacent in memory. So a register
 * that is loaded from a row has the same element of several pencils, and all arithmetic is that of a single pencil.
 *
 *     row 0   a0 b0 c0 d0 ..      pencil a is a0 a1 a2 ..
 *     row 1   a1 b1 c1 d1 ..
 *     row 2   a2 b2 c2 d2 ..      the rows may lie anywhere, each in memory of its own
 *
 * A line is one pencil whose elements are adjacent: squares of lines are transposed in registers. A group is the pencils of one
 * register, a point the room of one complex number of a group, and a program the steps that a group goes through. */
#ifndef SX_SIMD_H
#define SX_SIMD_H

#include "base/base.h"
#include <subx_fft.h>

/* A transform of one length, for any number of pencils. It never changes, and all threads share it. */
typedef struct sx_simd_s *sx_simd;

typedef struct sx_simd_problem {
    int precision;       /* SUBX_FFT_FLOAT or SUBX_FFT_DOUBLE */
    int kind, direction; /* as in sx_serial_problem: SUBX_FFT_C2C, _R2C, _C2R, or a real-to-real kind */
    ptrdiff_t n;         /* of real transforms on the real side */
    double factor;       /* results are multiplied by it */
    int streams;         /* results are not read again soon, and bypass the caches where they can */
} sx_simd_problem;

/* Create a transform, or share one that exists. Served are c2c, r2c, c2r, DCT-II, DCT-III, DST-II and DST-III of up to 2^24
 * elements in single and double precision. SUBX_ERR_UNAVAILABLE for others, and where the compiler knows no vectors. */
int sx_simd_create(const sx_simd_problem *p, sx_simd *simd);
void sx_simd_free(sx_simd *simd);

/* Query whether the kernels are known to be faster than other libraries for a length, given enough pencils: as rows, or as
 * lines on both sides. */
int sx_simd_is_fast(int precision, int kind, ptrdiff_t n, int are_lines);

/* Query whether results can bypass the caches, written as rows or as lines. */
int sx_simd_may_stream(int precision, int kind, int are_lines);

/* How the pencils lie on one side. As rows: at[j] is the address of element j of the first pencil, and the same element of
 * the other pencils follows it. As lines: at[i] is the address of pencil i, whose elements follow each other. Addresses
 * are those of elements, of which nothing but their natural alignment is known. */
typedef struct sx_simd_side {
    int are_lines;
    char *const *at;
} sx_simd_side;

/* Get the elements of a pencil on one side, SX_FROM or SX_TO; the work space of an execution in bytes; the number of
 * pencils that fill a register. */
ptrdiff_t sx_simd_get_length(sx_simd simd, int side);
ptrdiff_t sx_simd_get_bytes(sx_simd simd);
int sx_simd_get_lanes(sx_simd simd);

/* Transform n pencils. Either each row or line has the same address on both sides, or the sides do not overlap. The input
 * is not changed otherwise. Rows of reals and rows of complex numbers are never the same; lines of them may be.
 *   work  sx_simd_get_bytes bytes, aligned to SX_ALIGNMENT */
void sx_simd_execute(sx_simd simd, ptrdiff_t n, const sx_simd_side *from, const sx_simd_side *to, void *work);

/* ---- instruction sets (table.c) */

/* Get the name of the i-th instruction set that this machine has, the best one first; NULL behind the last one. */
const char *sx_simd_get_name(int i);

/* Let transforms that are created from now on use only the i-th instruction set. For tests. */
void sx_simd_use(int i);

#endif
