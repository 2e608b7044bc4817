/* transform.h - a transform of pencils side by side, as its creation and its execution see it. */
#ifndef SX_SIMD_TRANSFORM_H
#define SX_SIMD_TRANSFORM_H

#include "simd/inside.h"

/* A complex transform in the buffer, of a length that is a product of radices. */
typedef struct sx_simd_core {
    ptrdiff_t n;
    int nsteps, radix[SX_SIMD_NSTEPS_MAX];
    sx_simd_step step[SX_SIMD_NSTEPS_MAX]; /* without functions */
    ptrdiff_t *home;   /* [j]: where input j lies in the buffer, in points; home[n] lies behind all others */
    ptrdiff_t *number; /* [position]: which result ends there */
    ptrdiff_t *place;  /* [k]: where result k ends, in points; place[n] is home[n] */
    ptrdiff_t points;  /* of the buffer */
} sx_simd_core;

/* What is executed for each group of pencils. */
typedef struct sx_simd_program {
    int nsteps;
    sx_simd_step step[2 * SX_SIMD_NSTEPS_MAX + 8];
} sx_simd_program;

enum { SX_SIMD_LENGTH_MAX = 1 << 24 };
enum { SX_SIMD_OWNED_MAX = 4 * SX_SIMD_NSTEPS_MAX + 16 };

/* The parts of the work space. Pencils that do not fill a register are copied to rows of our own and back. If they are lines,
 * those that are missing are read from the first one, and written to a line of our own. The tables list the rows that steps
 * see. */
enum {
    SX_SIMD_PART_BUFFER,
    SX_SIMD_PART_ROWS,
    SX_SIMD_PART_LINE,
    SX_SIMD_PART_FROM, /* tables */
    SX_SIMD_PART_TO,
    SX_SIMD_PART_END
};

struct sx_simd_s {
    sx_simd_problem p;
    const sx_simd_code *code;
    ptrdiff_t real_bytes;
    ptrdiff_t length[2], width[2]; /* [side]: elements of a pencil, and reals of an element */
    int pencil[SX_SIMD_LANES_MAX]; /* [lane]: the pencil that it holds */
    sx_simd_core core;             /* of the transform, or of its convolution */
    /* The complex transform, where its numbers lie in the buffer. number is NULL if they are stored in their own order. */
    const ptrdiff_t *home, *place, *number;
    ptrdiff_t points;                     /* of the buffer */
    ptrdiff_t part[SX_SIMD_PART_END + 1]; /* where a part of the work space begins */
    const ptrdiff_t *own_points;
    sx_simd_step half, signs;                      /* of real transforms; of cosine and sine transforms */
    sx_simd_step chirp_in, convolution, chirp_out; /* bluestein.c */
    /* [side][i]: which row belongs at place i of the table of rows that steps see; NULL: row i */
    const ptrdiff_t *order[2];
    int goes_through[2];            /* [side]: steps see rows even of lines: rows of our own */
    sx_simd_program program[2][2];  /* [from lines][to lines] */
    void *owned[SX_SIMD_OWNED_MAX]; /* memory that is freed with the transform */
    int nowned, nusers;
    sx_simd next; /* of all transforms */
};

/* Allocate memory that is freed with the transform. */
void *sx_simd_own(sx_simd s, ptrdiff_t n, size_t size);

/* Allocate n complex numbers of the transform's precision, and set one. */
void *sx_simd_own_numbers(sx_simd s, ptrdiff_t n);
void sx_simd_put(sx_simd s, void *numbers, ptrdiff_t i, long double re, long double im);

/* ---- radices.c */

/* Find the cheapest radices. Returns their cost; a large number, SX_SIMD_NO_TIME, if n is not a product of radices. */
enum { SX_SIMD_NO_TIME = 1 << 20 };
int sx_simd_get_radices(const sx_simd_code *code, ptrdiff_t n, int radix[], int *nsteps);

/* ---- core.c */

/* Set a transform of length n. SUBX_ERR_UNAVAILABLE if n is no product of radices. */
int sx_simd_core_set(sx_simd s, sx_simd_core *core, ptrdiff_t n, int is_backward);

/* Append the steps of a transform. from is SX_SIMD_BUFFER, _ROWS or _PAIRS, to also _STREAM; base is the point where its part
 * of the buffer begins. */
void sx_simd_core_add(sx_simd s, const sx_simd_core *core, int from, int to, ptrdiff_t base,
                      sx_simd_program *g);

/* ---- bluestein.c */

/* Set the complex transform of length n: of radices, or Bluestein's. */
int sx_simd_transform_set(sx_simd s, ptrdiff_t n, int is_backward);

/* Append it to a program, as sx_simd_core_add does. */
void sx_simd_transform_add(sx_simd s, int from, int to, sx_simd_program *g);

/* ---- execute.c */

/* Divide the work space. */
void sx_simd_parts_set(sx_simd s);

/* ---- program.c */

sx_simd_step *sx_simd_program_add(sx_simd_program *g, sx_simd_run *run);

/* Append steps between lines of reals and rows of our own, behind the buffer: other steps see rows. */
int sx_simd_own_points_set(sx_simd s);
void sx_simd_own_lines_read(sx_simd s, sx_simd_program *g);
void sx_simd_own_lines_write(sx_simd s, sx_simd_program *g);

/* Set the step that turns a complex transform of half the length into a real one, or back. */
int sx_simd_halves_set(sx_simd s, double factor, int is_split);

/* Set all that follows from the problem and the code. */
int sx_simd_program_set(sx_simd s);

/* ---- cosine.c */

int sx_simd_cosine_set(sx_simd s);
void sx_simd_cosine_add(sx_simd s, int from_lines, int to_lines, sx_simd_program *g);

#endif
