/* inside.h - how a transform works. Only the files of this folder include this header.
 *
 * A length is a product of radices, n = r0 r1 .. r(s-1). Each radix has a step. Step 0 reads the rows, and
 * leaves r0 transforms of length n/r0 in the buffer; step 1 divides each of these in the same way; the last
 * step writes rows (decimation in frequency, Gentleman & Sande 1966). The buffer has the pencils of one
 * register. For usual lengths it fits into the first-level cache. In the buffer each step stores its results
 * in place of its inputs; so numbers in the buffer are not in the order of the rows. The last step writes
 * each result directly to its row, so that no further step must reorder them.
 *
 *     rows              buffer                            buffer                           rows
 *     0 1 .. 11  --r0 = 3-->  | 0..3 | 4..7 | 8..11 |  --r1 = 2-->  | | | | | | |  --r2 = 2-->  in any order
 *
 * Rows need no buffer if the length is at most 16, or one of most composite lengths up to 32: a single step
 * transforms them (whole_body.h).
 *
 * A backward transform is a forward one that writes its results in reverse: result k goes to row n - k (0 to
 * row 0).
 *
 * Other transforms have further steps. Each goes once through the buffer:
 *
 *     c2c of lines           load_lines, steps of the transform, store_lines; or without transposition
 *                              (across.c): a single step, or steps for the columns of a line and a step for
 *                              its rows
 *     r2c                    steps of half the length, split: they give half the spectrum
 *     c2r                    merge, steps of half the length
 *     lengths with a large   multiply, steps of a longer length, multiply, steps, multiply (bluestein.c)
 *       prime factor
 *     DHT, half-complex,     r2c or c2r of reordered rows (paired.c, hartley.c, cosine.c, fourth.c)
 *       DCT and DST II, III,
 *       odd lengths of IV
 *     even lengths of IV     multiply, steps of half the length, multiply (fourth.c)
 *     DCT and DST I          steps of length n - 1 or n + 1, split or multiply (first.c) */
#ifndef SX_SIMD_INSIDE_H
#define SX_SIMD_INSIDE_H

#include "simd/simd.h"
#include "simd/step.h"

SX_BASE_ASSERT((int)SX_SIMD_FROM == (int)SX_FROM && (int)SX_SIMD_TO == (int)SX_TO);
SX_BASE_ASSERT((int)SX_SIMD_FLOAT == (int)SUBX_FFT_FLOAT && (int)SX_SIMD_DOUBLE == (int)SUBX_FFT_DOUBLE);

/* Get the i-th instruction set that this machine has, the best one first; NULL after the last one
 * (table.c). */
const sx_simd_set *sx_simd_get_set(int i);

/* Get exp(-2 pi i k/n), accurate to the last bit of a double (twiddles.c). */
void sx_simd_get_root(ptrdiff_t k, ptrdiff_t n, long double *re, long double *im);

#endif
