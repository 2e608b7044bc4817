/* inside.h - what a transform consists of, and what an instruction set offers; for the files of this folder.
 *
 * n = r0 r1 .. r(s-1). Step 0 reads the rows and makes r0 transforms of length n/r0 of them, in a buffer; step 1
 * divides each of these; the last step writes rows (decimation in frequency, Gentleman & Sande 1966). The buffer holds
 * the pencils of one register, and fits into the first-level cache for usual lengths. Each step leaves its results
 * where it found its input, so that results end at other positions than in the rows they belong to. The last step
 * writes each one to its own row, wherever that lies: no step of reordering is needed.
 *
 *     rows              buffer                            buffer                           rows
 *     0 1 .. 11  --r0 = 3-->  | 0..3 | 4..7 | 8..11 |  --r1 = 2-->  | | | | | | |  --r2 = 2-->  in any order
 *
 * Backward is forward with the rows of its results reversed: row k becomes row -k.
 *
 * Other transforms are programs with more steps, which go through the buffer once:
 *
 *     lines                  load_lines, steps of the complex transform, store_lines
 *     r2c                    steps, split: half the spectrum from a complex transform of half the length
 *     c2r                    merge, steps
 *     lengths with a large   multiply, steps of a longer length, multiply, steps, multiply (bluestein.c)
 *       prime factor
 *     DCT, DST               r2c or c2r of reordered rows (cosine.c) */
#ifndef SX_SIMD_INSIDE_H
#define SX_SIMD_INSIDE_H

#include "simd/simd.h"

/* From where a step loads, and to where it stores. */
enum {
    SX_SIMD_ROWS,    /* complex numbers, of pencils in any order */
    SX_SIMD_ORDERED, /* complex numbers, of pencils in their order */
    SX_SIMD_PAIRS,   /* two rows of reals: real and imaginary parts */
    SX_SIMD_REALS,   /* a row of reals: real parts; imaginary parts are 0, or not stored */
    SX_SIMD_COSINES, /* two rows of a DCT: rows k and n - k */
    SX_SIMD_BUFFER,
    SX_SIMD_STREAM, /* rows that are written past the caches, if they are aligned */
    SX_SIMD_NKINDS
};

/* What a step with butterflies does. Those that go to the buffer multiply by twiddle factors, but LAST_INNER does not. */
enum {
    SX_SIMD_ONLY,       /* rows to rows */
    SX_SIMD_FIRST,      /* rows to buffer */
    SX_SIMD_FIRST_REAL, /* pairs to buffer */
    SX_SIMD_INNER,      /* buffer to buffer */
    SX_SIMD_LAST_INNER, /* buffer to buffer */
    SX_SIMD_LAST,       /* buffer to rows */
    SX_SIMD_LAST_REAL,  /* buffer to pairs */
    SX_SIMD_ONLY_SCALED,
    SX_SIMD_LAST_SCALED,
    SX_SIMD_LAST_STREAMED, /* scaled, too, and past the caches */
    SX_SIMD_NROLES
};

/* Radices up to RADIX_MAX have functions of their own, and so have all primes up to FACTOR_MAX. Other primes up to PRIME_MAX
 * share the functions of radix 0. */
enum {
    SX_SIMD_RADIX_MAX = 16,
    SX_SIMD_FACTOR_MAX = 13,
    SX_SIMD_PRIME_MAX = 113,
    SX_SIMD_NSTEPS_MAX = 26,
    SX_SIMD_LANES_MAX = 16
};

typedef struct sx_simd_step sx_simd_step;
typedef struct sx_simd_group sx_simd_group;
typedef void sx_simd_run(const sx_simd_step *step, const sx_simd_group *g);

/* A step, whose kind says which of the fields it has.
 *
 *                 n                   m                numbers                       factor
 *   butterflies   transforms          length / radix   twiddles [m][radix - 1]       of SCALED
 *   lines         reals of a line                                                    of store_lines[1], [2]
 *   multiply      points              fills up to m    [n], complex                  zeros are filled in
 *   parts         points                               [n], two reals
 *   mirror        reals                                                              of the results
 *   split, merge  length of half                       [n/2 + 1], complex            of sums
 *   .. COSINES    as above            reals */
struct sx_simd_step {
    sx_simd_run *run;
    ptrdiff_t n, m;
    /* Points of the buffer: where number i lies; butterflies: from[b] is where transform b begins. */
    const ptrdiff_t *from, *to;
    ptrdiff_t from_base, to_base; /* which are added to them */
    ptrdiff_t apart;              /* butterflies: points between inputs that are m numbers apart */
    const void *numbers;
    const void *turns; /* of COSINES: exp(-i pi k/2n); of radix 0: [k - 1][j - 1], exp(2 pi i jk/prime) */
    double factor;
    int prime; /* of radix 0 only */
};

/* The pencils of one register. */
struct sx_simd_group {
    char *buffer;
    char *const *from, *const *to;    /* rows, in the order in which steps use them */
    ptrdiff_t from_offset, to_offset; /* bytes from the first pencil of a row to this group */
    char **from_line, **to_line;      /* [lane] */
};

/* The code of one precision for one instruction set. */
typedef struct sx_simd_code {
    int lanes;
    const int *cost; /* [radix]: time per point of a step, relative to each other; [0]: times the prime */
    int primes;      /* a convolution is faster if the prime factors above 13 have a larger sum */
    int order[SX_SIMD_LANES_MAX]; /* half of order[l] is the pencil in lane l of SX_SIMD_ROWS */
    sx_simd_run *step[SX_SIMD_RADIX_MAX + 1][SX_SIMD_NROLES]; /* [radix][role] */
    sx_simd_run *load_lines, *store_lines[3];                 /* plain; scaled; scaled, past the caches */
    sx_simd_run *multiply_in[SX_SIMD_NKINDS], *multiply_out[SX_SIMD_NKINDS];
    sx_simd_run *parts_in, *parts_out; /* pairs to buffer, buffer to pairs */
    sx_simd_run *mirror[SX_SIMD_NKINDS];
    sx_simd_run *split[SX_SIMD_NKINDS], *merge[SX_SIMD_NKINDS]; /* from and to the buffer */
} sx_simd_code;

/* An instruction set. */
typedef struct sx_simd_set {
    const char *name;
    int (*is_there)(void);
    const sx_simd_code *code[SUBX_FFT_DOUBLE + 1]; /* [precision] */
} sx_simd_set;

extern const sx_simd_set sx_simd_avx512, sx_simd_avx2, sx_simd_vector128;

/* Get the set that transforms are created with (table.c). */
const sx_simd_set *sx_simd_get_set(void);

/* Get exp(-2 pi i k/n), rounded once (root.c). */
void sx_simd_get_root(ptrdiff_t k, ptrdiff_t n, long double *re, long double *im);

#endif
