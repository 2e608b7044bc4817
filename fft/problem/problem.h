/* problem.h - a problem: what is transformed, and how both sides are stored. The text of a problem is its
 * name in all output, and a part of its keys in wisdom. */
#ifndef SX_PROBLEM_H
#define SX_PROBLEM_H

#include "base/base.h"
#include <subx_fft.h>

/* Most axes of a problem. A plan may add two axes: the fields, and the parts of a complex number. */
enum { SX_PROBLEM_NDIMS_MAX = SUBX_NDIMS_MAX - 2 };

/* Room for the text of any problem, bytes. The text has up to eight lists with an entry per axis. */
enum { SX_PROBLEM_TEXT = 4096 };

/* The boxes that the caller set on this rank. */
typedef struct sx_problem_boxes {
    int n; /* number of boxes; -1 if the caller set no boxes: then the library distributes the array */
    subx_boxes list;    /* SUBX_BOXES_NULL if n is -1 */
    int is_strided;     /* 1 if the caller gave strides and offset of each box */
    ptrdiff_t distance; /* elements between fields if is_strided, else 0 */
} sx_problem_boxes;

/* How a side is stored. If it has no order, no strides and no boxes, the plan chooses the order. */
typedef struct sx_problem_storage {
    int has_order, order[SX_PROBLEM_NDIMS_MAX]; /* innermost first */
    int padded; /* only for the physical side of R2C: the halved axis has room for 2 * (n / 2 + 1) reals,
                   as in FFTW */
    int has_strides;
    ptrdiff_t strides[SX_PROBLEM_NDIMS_MAX]; /* strides of this rank's array, in elements of this side */
    ptrdiff_t distance;                      /* elements between two fields; used if howmany > 1 */

    /* For each axis of length n, the length b of its blocks: coordinate r of the grid dimension that divides
     * the axis has the elements [r*b, min((r+1)*b, n)). 0: the blocks are balanced (subx_block_get). */
    ptrdiff_t block[SX_PROBLEM_NDIMS_MAX];
    sx_problem_boxes boxes;
} sx_problem_storage;

/* `kinds` never has C2R: it is stored as R2C, with is_backward = 1. */
struct subx_fft_problem_s {
    int ndims, kinds[SX_PROBLEM_NDIMS_MAX], precision, is_backward;
    ptrdiff_t sizes[SX_PROBLEM_NDIMS_MAX];  /* lengths of the transforms */
    ptrdiff_t modes[SX_PROBLEM_NDIMS_MAX];  /* modes; an axis of R2C stores modes/2 + 1 entries */
    ptrdiff_t points[SX_PROBLEM_NDIMS_MAX]; /* points on the physical side */
    ptrdiff_t howmany;
    int interleaved; /* 1 if the howmany components of each element are adjacent in memory; 0 if howmany is
                        1 */
    sx_problem_storage storage[2]; /* SUBX_FFT_PHYSICAL, SUBX_FFT_SPECTRAL */
    int has_operation;
};

/* Print the reason of an error into `why`, a text of the caller. The value of the macro is the code of the
 * error. */
#define SX_REFUSE(kind, ...) (sx_base_print(why, __VA_ARGS__), subx_error_get_code(kind))

/* ---- create.c */

/* Set all members to the defaults for ndims axes of C2C. The sizes, modes and points are 0. */
void sx_problem_set_defaults(subx_fft_problem p, int ndims);

/* Set the kinds. C2R is stored as R2C, and makes the problem backward. SUBX_ERR_ARG if a kind is unknown, or
 * if the kinds cannot be combined; `why` gets the reason. */
int sx_problem_set_kinds(subx_fft_problem p, const int kinds[], sx_text *why);

/* Set the text of the error rc to a reason; the error keeps its text if the reason is empty. Returns rc. */
int sx_problem_explain(int rc, const char *why);

/* Create a copy of a valid problem, boxes included. SUBX_ERR_NO_MEM. */
int sx_problem_create(const struct subx_fft_problem_s *from, subx_fft_problem *problem);

/* ---- boxes.c: copy boxes, which may be SUBX_BOXES_NULL, into memory of a problem; free the copy.
 * SUBX_ERR_NO_MEM. */
int sx_problem_copy_boxes(subx_boxes list, ptrdiff_t distance, sx_problem_boxes *copy);
void sx_problem_free_boxes(sx_problem_boxes *b);

/* ---- check.c */

/* Check everything except the kinds. If a member is wrong, returns the same error as the setter of this
 * member. `why` gets the reason, except for wrong strides, blocks and boxes. */
int sx_problem_check(const struct subx_fft_problem_s *p, sx_text *why);

/* Get the reals per element of a side: 1, or 2 for complex elements. */
int sx_problem_get_reals(const struct subx_fft_problem_s *p, int side);

/* Get the global length of an axis on a side, elements. */
ptrdiff_t sx_problem_get_length(const struct subx_fft_problem_s *p, int side, int axis);

/* ---- names.c */

/* Get the name of a kind, and of a precision. The value must be a valid one. */
const char *sx_problem_get_kind_name(int kind);
const char *sx_problem_get_precision_name(int precision);

/* Read a kind, a precision or a number at *at, and move *at behind it. read_kind and read_precision return
 * the value, or -1 if there is none. read_number returns 1, or 0 if there is no number. It also returns 0 if
 * the number is too large; then *at moves behind the number nevertheless. */
int sx_problem_read_kind(const char **at);
int sx_problem_read_precision(const char **at);
int sx_problem_read_number(const char **at, ptrdiff_t *number);

/* Parse up to max lengths that are joined by x. Returns 1 if the whole text has this form. */
int sx_problem_parse_lengths(const char *text, int max, int *n, ptrdiff_t lengths[]);

/* ---- print.c */

/* Append the canonical text. */
void sx_problem_print(const struct subx_fft_problem_s *p, sx_text *t);

/* Set the kinds of all axes from a single kind: R2C applies to the last axis, and the others are C2C; any
 * other kind applies to all axes. */
void sx_problem_expand_kind(int kind, int ndims, int kinds[]);

#endif
