/* step.h - the steps of a transform, and the functions of an instruction set. Files of instruction sets include this
 * header and no header of MPI, so that they are compiled alike with every MPI. */
#ifndef SX_SIMD_STEP_H
#define SX_SIMD_STEP_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <stddef.h>

/* Precisions, as SUBX_FFT_FLOAT and SUBX_FFT_DOUBLE. */
enum { SX_SIMD_FLOAT = 1, SX_SIMD_DOUBLE = 2 };

enum { SX_SIMD_LINE_BYTES = 64 }; /* a cache line; stores past the caches write whole lines */

/* Where a step loads from, and where it stores to. */
enum {
    SX_SIMD_ROWS,    /* rows of complex numbers; the pencils in any order */
    SX_SIMD_ORDERED, /* rows of complex numbers; the pencils in their order */
    SX_SIMD_PAIRS,   /* two rows of reals, which are real and imaginary parts */
    SX_SIMD_REALS,   /* a row of reals, which are real parts; imaginary parts are 0, or not stored */
    SX_SIMD_COSINES, /* two rows of a DCT: rows k and n - k */
    SX_SIMD_BUFFER,
    SX_SIMD_STREAM, /* rows that are written past the caches, if they are aligned */
    SX_SIMD_NKINDS
};

/* The roles of a step with butterflies. Steps that store to the buffer multiply by twiddle factors, except
 * LAST_INNER. */
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
    SX_SIMD_LAST_STREAMED, /* results are scaled and stored past the caches */
    SX_SIMD_NROLES
};

/* Each radix up to RADIX_MAX, and each prime up to FACTOR_MAX, has its own functions. Other primes up to PRIME_MAX
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
 *   multiply      points              zeros up to m    [n], complex; or NULL         used if numbers is NULL
 *   parts         points                               [n], two reals
 *   mirror        reals                                                              of the results
 *   split, merge  length of half                       [n/2 + 1], complex            of sums
 *   .. COSINES    as above            reals */
struct sx_simd_step {
    sx_simd_run *run;
    ptrdiff_t n, m;
    /* Points of the buffer: the place of number i. For butterflies, from[b] is where transform b begins. */
    const ptrdiff_t *from, *to;
    ptrdiff_t from_base, to_base; /* added to all places of from, and of to */
    ptrdiff_t apart;              /* butterflies: distance, in points, of inputs that are m numbers apart */
    const void *numbers;
    const void *turns; /* COSINES: exp(-i pi k/2m); radix 0: [k - 1][j - 1], exp(2 pi i jk/prime) */
    double factor;
    int prime; /* for radix 0 only */
};

/* The pencils of one register. */
struct sx_simd_group {
    char *buffer;
    char *const *from, *const *to;    /* rows, in the order in which steps use them */
    ptrdiff_t from_offset, to_offset; /* bytes from the first pencil of a row to this group */
    char **from_line, **to_line;      /* [lane] */
};

/* The functions of an instruction set for one precision. */
typedef struct sx_simd_code {
    int lanes;
    const int *cost; /* [radix]: relative time of a step per point; for a prime p above 13 the time is
                        cost[0] * p */
    int primes;      /* if the sum of the prime factors above 13 is larger than this, a convolution is
                        faster */
    /* The shuffle EVEN of reals. A pencil has two reals, so lane l of SX_SIMD_ROWS has pencil order[l] / 2. */
    int order[SX_SIMD_LANES_MAX];
    sx_simd_run *step[SX_SIMD_RADIX_MAX + 1][SX_SIMD_NROLES]; /* [radix][role] */
    sx_simd_run *load_lines, *store_lines[3];                 /* plain; scaled; scaled, past the caches */
    int has_streamed_lines; /* 0: store_lines[2] does not bypass the caches */
    sx_simd_run *multiply_in[SX_SIMD_NKINDS], *multiply_out[SX_SIMD_NKINDS];
    sx_simd_run *parts_in, *parts_out; /* pairs to buffer, buffer to pairs */
    sx_simd_run *mirror[SX_SIMD_NKINDS];
    sx_simd_run *split[SX_SIMD_NKINDS], *merge[SX_SIMD_NKINDS]; /* [to], from the buffer; [from], to it */
} sx_simd_code;

/* An instruction set. */
typedef struct sx_simd_set {
    const char *name;
    int (*is_there)(void);
    const sx_simd_code *code[SX_SIMD_DOUBLE + 1]; /* [precision] */
} sx_simd_set;

#endif
