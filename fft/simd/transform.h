/* transform.h - what a transform consists of, and the functions that create its parts. */
#ifndef SX_SIMD_TRANSFORM_H
#define SX_SIMD_TRANSFORM_H

#include "simd/inside.h"

/* A complex transform whose length is a product of radices. */
typedef struct sx_simd_core {
    ptrdiff_t n;
    int nsteps, radix[SX_SIMD_NSTEPS_MAX];
    sx_simd_step step[SX_SIMD_NSTEPS_MAX]; /* the steps, without their functions */
    ptrdiff_t *input;  /* [j]: the point (simd.h) of input j in the buffer; input[n] is a spare point behind
                          the others */
    ptrdiff_t *number; /* [j]: index of the result that the last step stores as number j */
    ptrdiff_t *output; /* [k]: the point of result k after the last step; output[n] is input[n] */
    ptrdiff_t points;  /* length of the buffer in points */
} sx_simd_core;

/* The steps that transform a group of pencils. */
typedef struct sx_simd_program {
    int nsteps;
    int npencils;   /* pencils of a group: as many as lanes, or 1 if the group is a single line */
    int is_divided; /* 1 for divided lines: the program begins with load_lines and ends with store_lines */
    /* Steps use the caller's rows in an order of their own: the i-th row that steps use is row order[side][i]
     * of the caller, or row i if order[side] is NULL. */
    const ptrdiff_t *order[2];
    sx_simd_step step[2 * SX_SIMD_NSTEPS_MAX + 8];
} sx_simd_program;

enum { SX_SIMD_LENGTH_MAX = 1 << 24 };
enum { SX_SIMD_OWNED_MAX = 4 * SX_SIMD_NSTEPS_MAX + 16 };

/* The parts of the work space. If the pencils of a group do not fill a register, rows are copied to rows in
 * the work space and back. If the pencils are lines, other lines stand in for the missing ones: the first
 * line for reads, a line in the work space for writes. */
enum {
    SX_SIMD_PART_BUFFER,
    SX_SIMD_PART_ROWS,
    SX_SIMD_PART_LINE, /* takes the writes to missing lines */
    SX_SIMD_PART_FROM, /* the addresses of the rows that steps read */
    SX_SIMD_PART_TO,   /* the addresses of the rows that steps write */
    SX_SIMD_PART_END
};

struct sx_simd_s {
    sx_simd_problem p;
    const sx_simd_code *code;
    ptrdiff_t real_bytes;
    ptrdiff_t length[2], width[2]; /* for each side: elements of a pencil, reals of an element */
    int pencil[SX_SIMD_LANES_MAX]; /* for each lane: its pencil */
    sx_simd_core core;             /* the complex transform, or the transforms of its convolution */
    /* input, output and number of the complex transform, as in sx_simd_core. If the complex transform is a
     * convolution, number is NULL: its last step stores the results in the order 0, 1, 2 .. */
    const ptrdiff_t *input, *output, *number;
    ptrdiff_t points;                     /* length of the buffer in points */
    ptrdiff_t part[SX_SIMD_PART_END + 1]; /* for each part of the work space: where it begins */
    const ptrdiff_t *reversed; /* order[SX_TO] of whole transforms (whole_body.h); NULL if they are forward */
    const ptrdiff_t *own_points;           /* see sx_simd_own_points_set */
    const struct sx_simd_pairing *pairing; /* paired.c; NULL for kinds that have none */
    sx_simd_step half, signs; /* half: stores or loads half a spectrum; signs: changes signs (paired.c) */
    sx_simd_step load, store; /* load elements, store results (first.c, fourth.c) */
    /* across: transforms lines; its `run` is NULL if lines are transposed instead. half_lines: splits or
     * merges lines (across.c). */
    sx_simd_step across, half_lines;
    sx_simd_core columns; /* transforms the columns of a long line (across.c); columns.n is 0 if lines are
                             not long */
    sx_simd_step chirp_in, convolution, chirp_out; /* bluestein.c */
    const ptrdiff_t *order[2]; /* the order of all programs but those of whole transforms */
    ptrdiff_t nrows[2];        /* [side]: number of rows in this order; a row may be there more than once */
    int goes_through[2]; /* [side]: 1 if steps always use rows; then lines are copied to, or from, rows in
                            the work space */
    sx_simd_program program[2][2];  /* [from lines][to lines] */
    sx_simd_program divided;        /* from lines to lines, if the lines of a side are divided into parts */
    void *owned[SX_SIMD_OWNED_MAX]; /* memory that is freed with the transform */
    int nowned, nusers;
    sx_simd next; /* next in the list of all transforms */
};

/* ---- radices.c */

/* Find the radices of n that cost least. Returns their cost. Returns SX_SIMD_NO_TIME, which is a large
 * number, if a prime factor of n has no step, or if a convolution is faster. */
enum { SX_SIMD_NO_TIME = 1 << 20 };
int sx_simd_get_radices(const sx_simd_code *code, ptrdiff_t n, int radix[], int *nsteps);

/* ---- twiddles.c */

/* twiddles: set the twiddle factors of a step. roots: set the cosines and sines of a prime p, for each pair
 * of results k and p - k and each pair of inputs j and p - j. The two members of a pair have equal cosines
 * and opposite sines. */
int sx_simd_twiddles_set(sx_simd s, int radix, sx_simd_step *step);
int sx_simd_roots_set(sx_simd s, int prime, sx_simd_step *step);

/* For a real transform of length n: if is_split is 1, set the step that turns a complex transform of half the
 * length into the real transform; else set the step that turns the real transform into a complex one of half
 * the length. */
int sx_simd_halves_set(sx_simd s, ptrdiff_t n, double factor, int is_split);

/* ---- core.c */

/* Set the members of a transform of length n. SUBX_ERR_UNAVAILABLE if sx_simd_get_radices returns
 * SX_SIMD_NO_TIME. */
int sx_simd_core_set(sx_simd s, sx_simd_core *core, ptrdiff_t n, int is_backward);

/* Append the steps of a transform to a program. `from` is SX_SIMD_BUFFER, _ROWS or _PAIRS; `to` is one of
 * these, or _STREAM. `base` is the point of the buffer where the transform's points begin. */
void sx_simd_core_add(sx_simd s, const sx_simd_core *core, int from, int to, ptrdiff_t base,
                      sx_simd_program *g);

/* ---- bluestein.c */

/* Set the complex transform of length n: by radices, or by Bluestein's convolution. */
int sx_simd_transform_set(sx_simd s, ptrdiff_t n, int is_backward);

/* Append the complex transform to a program, as sx_simd_core_add does. */
void sx_simd_transform_add(sx_simd s, int from, int to, sx_simd_program *g);

/* ---- across.c */

/* Get the fastest way to transform lines of n complex numbers for c2c, or for a real transform of 2 n reals:
 * lines are transposed; or not transposed, and transformed in a single step (joined or short lines) or in
 * several steps (long lines). */
enum { SX_SIMD_TRANSPOSED, SX_SIMD_JOINED, SX_SIMD_SHORT, SX_SIMD_LONG };
int sx_simd_across_get_way(const sx_simd_code *code, int kind, ptrdiff_t n);

/* Set the steps that transform lines without transposing them, if there are such steps for the kind, which is
 * c2c, r2c or c2r, and for the length. Append them to a program; sx_simd_across_add returns 0 if there are
 * none. */
int sx_simd_across_set(sx_simd s);
int sx_simd_across_add(sx_simd s, sx_simd_program *g);

/* ---- execute.c */

/* Compute where the parts of the work space begin. */
void sx_simd_parts_set(sx_simd s);

/* ---- program.c */

/* Allocate memory that is freed with the transform. */
void *sx_simd_own(sx_simd s, ptrdiff_t n, size_t size);

/* Allocate n complex numbers of the transform's precision. Set one of them. */
void *sx_simd_own_numbers(sx_simd s, ptrdiff_t n);
void sx_simd_put(sx_simd s, void *numbers, ptrdiff_t i, long double re, long double im);

/* Append a step to a program, and return it. */
sx_simd_step *sx_simd_program_add(sx_simd_program *g, sx_simd_run *run);

/* Append the step that loads lines of n reals to the points that `to` lists, or stores lines from points. */
void sx_simd_lines_read(sx_simd s, ptrdiff_t n, const ptrdiff_t to[], sx_simd_program *g);
void sx_simd_lines_write(sx_simd s, ptrdiff_t n, const ptrdiff_t from[], double factor, sx_simd_program *g);

/* If steps need rows, but the pencils are lines of reals, the lines are copied to or from rows in the work
 * space, behind the buffer's points. own_lines_read: append the step that copies lines to these rows.
 * own_lines_write: append the step that copies these rows to lines. own_points_set: set the list of points
 * that both steps need; SUBX_ERR_NO_MEM. */
int sx_simd_own_points_set(sx_simd s);
void sx_simd_own_lines_read(sx_simd s, sx_simd_program *g);
void sx_simd_own_lines_write(sx_simd s, sx_simd_program *g);

/* ---- paired.c */

/* How a real-to-real kind is a real transform whose spectrum is in pairs of rows. */
typedef struct sx_simd_pairing {
    int is_forward; /* 1: from elements to the spectrum; 0: from the spectrum to elements */
    double factor;  /* multiplies the results */
    ptrdiff_t (*get_element)(const sx_simd_problem *p,
                             ptrdiff_t j); /* the row of element j of the real transform */
    ptrdiff_t (*get_mode)(const sx_simd_problem *p, ptrdiff_t i); /* the row that is row i of the spectrum */
    int (*get_sign)(const sx_simd_problem *p, ptrdiff_t j); /* the sign of element j; NULL if all are 1 */
    /* The number by which number k of the spectrum is multiplied; a backward transform divides by it. */
    void (*get_root)(const sx_simd_problem *p, ptrdiff_t k, long double *re, long double *im);
} sx_simd_pairing;

/* Set the members of a transform, append its steps to a program. */
int sx_simd_paired_set(sx_simd s, const sx_simd_pairing *how);
void sx_simd_paired_add(sx_simd s, int from_lines, int to_lines, sx_simd_program *g);

/* ---- kinds: kinds.c, cosine.c, hartley.c, first.c, fourth.c */

/* Set all members of a transform except p, code and real_bytes, which the caller has set. */
int sx_simd_kinds_set(sx_simd s);

/* Get entry j of the order 0 2 4 .. 5 3 1 of n elements. */
ptrdiff_t sx_simd_get_folded(ptrdiff_t n, ptrdiff_t j);

/* Set the members of a transform of a kind whose steps are those of paired.c. */
int sx_simd_cosine_set(sx_simd s);
int sx_simd_hartley_set(sx_simd s);

/* The same for kinds that have steps of their own, and append these. Get the length of the complex
 * transform. */
ptrdiff_t sx_simd_first_get_length(const sx_simd_problem *p);
int sx_simd_first_set(sx_simd s);
void sx_simd_first_add(sx_simd s, int from_lines, int to_lines, sx_simd_program *g);
int sx_simd_fourth_set(sx_simd s);
void sx_simd_fourth_add(sx_simd s, int from_lines, int to_lines, sx_simd_program *g);

#endif
