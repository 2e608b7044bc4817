/* simd.h - transforms of pencils side by side: each lane of a vector register holds a pencil. No MPI in here.
 *
 * Pencils are usually given as rows: row j has element j of all pencils, adjacent in memory. A register that
 * is loaded from a row has the same element of several pencils, and the arithmetic is the same as for a
 * single pencil.
 *
 *     row 0   a0 b0 c0 d0 ..      pencil a is a0 a1 a2 ..
 *     row 1   a1 b1 c1 d1 ..
 *     row 2   a2 b2 c2 d2 ..      the rows may lie anywhere, each in memory of its own
 *
 * Pencils may also be given as lines: a line is a pencil whose elements are adjacent. For many lengths,
 * kernels load and store lines by squares, which they transpose in registers. A square has as many lines as a
 * register has lanes, and as many reals of each line.
 *
 * A group is the set of pencils in one register, or a single line (across_body.h). Groups are transformed one
 * after the other, in a buffer. A point is the part of the buffer for one complex number of each pencil of a
 * group. A program is the list of steps for a group. */
#ifndef SX_SIMD_H
#define SX_SIMD_H

#include "base/base.h"
#include "simd/prefetch.h"
#include <subx_fft.h>

/* A transform of one length, for any number of pencils. It is never changed, so all threads may share it. */
typedef struct sx_simd_s *sx_simd;

typedef struct sx_simd_problem {
    int precision;       /* SUBX_FFT_FLOAT or SUBX_FFT_DOUBLE */
    int kind, direction; /* as in sx_serial_problem: SUBX_FFT_C2C, _R2C, _C2R, or a real-to-real kind */
    ptrdiff_t n;         /* number of elements; for real transforms, of reals */
    double factor;       /* results are multiplied by this factor */
    int streams; /* 1 if results bypass the caches if possible: they are not read again soon, or not by this
                    processor */
    int set;     /* index of the instruction set (sx_simd_get_name): 0, the best one, except in tests */
} sx_simd_problem;

/* Create a transform, or share an equal one that exists. There are kernels for all kinds, of up to 2^24
 * elements, in single and double precision. SUBX_ERR_UNAVAILABLE for other precisions and lengths, for a
 * DCT-I of one element, and if the compiler has no vector types. */
int sx_simd_create(const sx_simd_problem *p, sx_simd *simd);
void sx_simd_free(sx_simd *simd);

/* Query whether the kernels are known to be faster than other libraries for many pencils of length n.
 * are_lines: 1 if the pencils are lines on both sides, 0 if they are rows on both sides. */
int sx_simd_is_fast(int precision, int kind, ptrdiff_t n, int are_lines);

/* Query what is faster if parts of lines lie apart in memory, and both sides have lines. 1: the kernel uses
 * the parts (sx_simd_side).
 * 0: the kernel uses whole lines, and the caller copies the parts. */
int sx_simd_is_fast_divided(int precision, int kind, ptrdiff_t n);

/* Query whether results can bypass the caches if they are written as rows, or as lines. */
int sx_simd_may_stream(int precision, int kind, int are_lines);

/* Get the bytes of a row that are written at a time: one element of each pencil of a register. */
ptrdiff_t sx_simd_get_row_bytes(int precision, int kind);

/* A part of pencils: elements lo .. hi - 1. `first` and `stride` are for sweeps only (below). */
typedef struct sx_simd_part {
    ptrdiff_t lo, hi;
    char *first;             /* address of element lo of the first pencil */
    const ptrdiff_t *stride; /* [axis]: elements */
} sx_simd_part;

/* The pencils of one side. Rows: at[j] is the address of element j of the first pencil; element j of the
 * other pencils follows. Lines: at[i] is the address of pencil i, whose elements follow each other. Addresses
 * need only the natural alignment of an element.
 *
 * Lines of complex numbers may be divided into several parts, which lie anywhere: at[k * n + i] is the
 * address of part k of pencil i, and n is the number of pencils of a batch. The parts have each element once,
 * in any order, and none is empty. */
typedef struct sx_simd_side {
    int are_lines;
    int part_count;           /* parts of each line; 0 or 1 if the lines are not divided */
    const sx_simd_part *part; /* [part_count] */
    char *const *at;
    ptrdiff_t step; /* bytes from the pencils of a batch to those of the next batch */
    int is_far;     /* SX_FROM only: 1 if the lines are in no cache; then the lines of the next group are
                   prefetched */
    sx_simd_prefetch *prefetch; /* SX_FROM only: what to prefetch meanwhile; NULL for nothing */

    /* SX_TO only, for transforms that stream: results in the kept_bytes bytes from this address on do not
     * bypass the caches. */
    const char *kept;
    ptrdiff_t kept_bytes;
} sx_simd_side;

/* Get the number of elements that a pencil has on a side, SX_FROM or SX_TO. Get the bytes of work space that
 * an execution needs. Get the number of pencils that fill a register. */
ptrdiff_t sx_simd_get_length(sx_simd simd, int side);
ptrdiff_t sx_simd_get_bytes(sx_simd simd);
int sx_simd_get_lanes(sx_simd simd);

/* Transform `count` batches of n pencils. The addresses of a side are those of the first batch. In place,
 * every row (or line) has the same address on both sides. Out of place, the sides must not overlap, and the
 * input is left unchanged. A transform between reals and complex numbers can be in place only if both sides
 * are lines. Before a thread tells another thread to read results that bypass the caches, it must call
 * sx_simd_complete.
 *   work  sx_simd_get_bytes bytes, aligned to SX_ALIGNMENT */
void sx_simd_execute(sx_simd simd, ptrdiff_t n, ptrdiff_t count, const sx_simd_side *from,
                     const sx_simd_side *to, void *work);

/* Make all results visible before any later store. Stores that bypass the caches are not ordered without
 * this. */
void sx_simd_complete(void);

/* ---- sweeps (sweep.c) */

enum { SX_SIMD_SWEEP_NDIMS = SUBX_NDIMS_MAX + 1 };

/* A sweep: the transforms of all pencils of a box with n[a] indices along axis a. The pencils extend along
 * `axis`, and are side by side along the axis `along`. On each side, they have one part or several, each in
 * memory of its own. In a part, elements follow each other along `along` if the pencils are rows, and along
 * `axis` if they are lines. If along == axis, pencils are transformed one by one, as rows, and n[axis] must
 * be 1. The caller sets all members but at, part and work, and in side[] all but at, part, part_count and
 * step. */
typedef struct sx_simd_sweep {
    sx_simd simd;
    int ndims, axis, along;
    const ptrdiff_t *n; /* [axis] */
    sx_simd_side side[2];
    int part_count[2];
    sx_simd_part *part[2];
    char **at[2];
    void *work;
} sx_simd_sweep;

/* set_work: set where the parts of the work space lie, with room for part_count[] parts. Returns the bytes of
 * the work space, which is aligned to SX_ALIGNMENT. After the call, the caller lists the parts in part[].
 * execute: transform all pencils. */
ptrdiff_t sx_simd_sweep_set_work(sx_simd_sweep *w, char *work);
void sx_simd_sweep_execute(sx_simd_sweep *w);

/* ---- instruction sets (table.c) */

/* Get the name of the i-th instruction set that this machine has, the best one first; NULL after the last
 * one. */
const char *sx_simd_get_name(int i);

#endif
