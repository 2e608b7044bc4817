/* step.h - the steps of a transform, and the functions of an instruction set. Files of instruction sets
 * include this header and no header of MPI, so that they are compiled alike with every MPI. */
#ifndef SX_SIMD_STEP_H
#define SX_SIMD_STEP_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "limits/limits.h"
#include "simd/prefetch.h"
#include <stddef.h>
#include <string.h>

/* Precisions, as SUBX_FFT_FLOAT and SUBX_FFT_DOUBLE. */
enum { SX_SIMD_FLOAT = 1, SX_SIMD_DOUBLE = 2 };

/* Where a step loads from, and where it stores to. */
enum {
    SX_SIMD_ROWS,        /* rows of complex numbers; in registers the pencils have any order */
    SX_SIMD_ORDERED,     /* rows of complex numbers; in registers the pencils are in the order of the row */
    SX_SIMD_PAIRS,       /* two rows of reals: one is the real part, the other one the imaginary part */
    SX_SIMD_REALS,       /* a row of reals: real parts; imaginary parts are loaded as 0, and not stored */
    SX_SIMD_IMAGINARIES, /* a row of reals: imaginary parts are stored, real parts are not */
    SX_SIMD_COUPLES,     /* two rows of n reals: rows k and n - k are one complex number (paired.c) */
    SX_SIMD_BUFFER,
    SX_SIMD_STREAM, /* rows that are written past the caches, if they are aligned */
    SX_SIMD_NKINDS
};

/* The roles of a step with butterflies. Steps that store to the buffer multiply by twiddle factors, except
 * LAST_INNER. */
enum {
    SX_SIMD_FIRST,         /* rows to buffer */
    SX_SIMD_FIRST_REAL,    /* pairs to buffer */
    SX_SIMD_INNER,         /* buffer to buffer */
    SX_SIMD_LAST_INNER,    /* buffer to buffer */
    SX_SIMD_LAST,          /* buffer to rows */
    SX_SIMD_LAST_REAL,     /* buffer to pairs */
    SX_SIMD_LAST_SCALED,   /* as LAST; the results are scaled */
    SX_SIMD_LAST_STREAMED, /* as LAST; the results are scaled, and stored past the caches */
    SX_SIMD_NROLES
};

/* The sides of a step, as SX_FROM and SX_TO. */
enum { SX_SIMD_FROM, SX_SIMD_TO };

/* The rows that a square of across_body.h has of one line: the largest power of 2 that divides the radix, at
 * most `lanes`. */
#define SX_SIMD_CHUNK(radix, lanes) (((radix) & -(radix)) < (lanes) ? (radix) & -(radix) : (lanes))

/* Each radix up to RADIX_MAX has its own functions; FACTOR_MAX is the largest prime among these radices. All
 * larger primes up to PRIME_MAX share the functions of radix 0. */
enum {
    SX_SIMD_RADIX_MAX = 16,
    SX_SIMD_WHOLE_MAX = 32, /* the longest transform of whole_body.h */
    SX_SIMD_FACTOR_MAX = 13,
    SX_SIMD_PRIME_MAX = 113,
    SX_SIMD_NSTEPS_MAX = 26,
    SX_SIMD_LANES_MAX = 16
};

typedef struct sx_simd_step sx_simd_step;
typedef struct sx_simd_group sx_simd_group;
typedef void sx_simd_run(const sx_simd_step *step, const sx_simd_group *g);

/* A step. Which members it has, and what they mean, depends on what the step does:
 *
 *                 n                   m                  numbers                  factor multiplies
 *   butterflies   transforms          length / radix     twiddles [m][radix - 1]  scaled results
 *   lines         reals of a line                                                 in store_lines[1], [2]
 *   multiply      points              n .. m-1 become 0  [n], complex; or NULL    if numbers is NULL
 *   parts         points                                 [n], two reals
 *   mirror        reals                                                           the results
 *   split, merge  half of the length                     [n/2 + 1], complex       sums
 *   across                                               twiddles, by registers   results
 *   joined                                               twiddles, by registers   results
 *   finish_line                       rows               twiddles, by registers   results
 *   .._lines      half of the length                     as split, merge; by registers
 *   with SX_SIMD_COUPLES: m is the number of rows; the other members are as above. */
struct sx_simd_step {
    sx_simd_run *run;
    ptrdiff_t n, m;
    /* Complex number i is at point from[i] of the buffer before the step, and at point to[i] after it.
     * Butterflies: transform b begins at point from[b]. */
    const ptrdiff_t *from, *to;
    ptrdiff_t from_base, to_base; /* from_base is added to each from[i], to_base to each to[i] */
    ptrdiff_t apart;              /* butterflies: points from an input to the next one, m numbers later */
    const void *numbers;
    const void *roots; /* SX_SIMD_COUPLES: [k], multiplies number k that is stored; a number that is loaded is
                          multiplied by the conjugate. Radix 0: roots of unity [k - 1][j - 1], exp(2 pi i
                          jk/prime). Joined lines of reals: factors that split or merge, by registers
                          (short_real_body.h) */
    double factor;
    int is_inside[2]; /* [side], across_body.h: 1 if the lines of this side are in the buffer */
    int prime;        /* length of a butterfly of radix 0 */
};

/* A group: the pencils of one register, or a single line. */
struct sx_simd_group {
    char *buffer;
    char *const *from, *const *to;           /* addresses of rows, in the order in which steps use the rows */
    ptrdiff_t from_offset, to_offset;        /* bytes from the first pencil of a row to this group */
    char *const *from_line, *const *to_line; /* [lane]: address of the lane's line */
    int nlines;                              /* number of lines: LANES, or 1 if the group is a single line */
    /* load_lines and store_lines handle reals lo .. hi - 1 of each line, or all reals if hi is 0. */
    ptrdiff_t lo, hi;
    ptrdiff_t ahead; /* bytes from the lines that are loaded to those that are prefetched; 0 if none are */
    sx_simd_prefetch *prefetch; /* as in sx_simd_side */
    size_t kept, kept_bytes;    /* sx_simd_side.kept, as a number */
};

/* The functions of an instruction set for one precision. */
typedef struct sx_simd_code {
    int lanes;
    const int *cost; /* [radix]: relative time of a step per point; for a prime p above 13 the time is
                        cost[0] * p */
    int primes;      /* if the sum of the prime factors above 13 is larger than this, a convolution is
                        faster */
    /* The list EVEN of vector.h: after a load from SX_SIMD_ROWS, lane l has real order[l] of the row. A
     * pencil has two reals in the row, so lane l has pencil order[l] / 2. */
    int order[SX_SIMD_LANES_MAX];
    sx_simd_run *step[SX_SIMD_RADIX_MAX + 1][SX_SIMD_NROLES]; /* [radix][role] */
    /* [n][is_scaled]: transforms rows of n complex numbers to rows, in a single step; NULL if there is no
     * such function. whole[0] serves all primes above FACTOR_MAX. */
    sx_simd_run *whole[SX_SIMD_WHOLE_MAX + 1][2];
    sx_simd_run *load_lines, *store_lines[3]; /* store_lines: plain; scaled; scaled and past the caches */
    /* Lines are transformed, split and merged without being transposed (across_body.h).
     * across[radix][is_backward] transforms lines of radix * lanes complex numbers; it is NULL if there is no
     * such function. joined[radix][is_backward] does the same with lines of radix * lanes / 2 (short_body.h).
     * reals[radix][is_merged] does so between such lines and lines of reals: it splits lines after the
     * transform, or merges them before it. finish_line[streams][is_backward] ends the transform of a longer
     * line. */
    sx_simd_run *joined[SX_SIMD_RADIX_MAX + 1][2], *reals[SX_SIMD_RADIX_MAX + 1][2];
    sx_simd_run *across[SX_SIMD_RADIX_MAX + 1][2], *finish_line[2][2], *split_lines, *merge_lines;
    int has_streamed_lines; /* 1 if store_lines[2] bypasses the caches */

    /* The index of multiply_in, mirror and merge tells where the step loads from, such as SX_SIMD_ORDERED;
     * the step stores to the buffer. The index of multiply_out and split tells where the step stores to; the
     * step loads from the buffer. parts_in loads pairs of rows into the buffer, parts_out stores the buffer
     * to pairs of rows. */
    sx_simd_run *multiply_in[SX_SIMD_NKINDS], *multiply_out[SX_SIMD_NKINDS];
    sx_simd_run *parts_in, *parts_out;
    sx_simd_run *mirror[SX_SIMD_NKINDS];
    sx_simd_run *split[SX_SIMD_NKINDS], *merge[SX_SIMD_NKINDS];
} sx_simd_code;

/* An instruction set. */
typedef struct sx_simd_set {
    const char *name;
    int (*is_there)(void);
    const sx_simd_code *code[SX_SIMD_DOUBLE + 1]; /* [precision] */
} sx_simd_set;

#endif
