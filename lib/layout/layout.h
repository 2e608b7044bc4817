/* layout.h - the layout: a nest of loops over blocks of bytes, with strides for reading and strides for
 * writing.
 *
 * The layout that copies a 2 x 3 block of doubles from a C array of 4 x 5 to packed memory, and transposes
 * it:
 *
 *      read                                 written
 *
 *      . .  .  . .      dim[0] ->           a d b e c f
 *      . a  b  c .      n = 3, is = 8       |-|    dim[1]: os = 8
 *      . d  e  f .   |                      |---|  dim[0]: os = 16
 *      . .  .  . .   v  dim[1]
 *                       n = 2, is = 40      block_bytes = 8, nd = 2 */
#ifndef SX_LAYOUT_H
#define SX_LAYOUT_H

#include "base/base.h"

/* A loop nest that copies a block of contiguous bytes in each iteration. The innermost level is dim[0].
 * Strides are in bytes, because the strides of a datatype need not be multiples of its elements. The same
 * struct describes a datatype (its `os` are the strides of its packed form), a pack, an unpack, and a copy
 * from one array to another.
 *
 * A layout is canonical: it has no level of length 1, and no level that only continues the level below it. An
 * empty layout has nd = 0 and block_bytes = 0. Equal copies thus have equal layouts. */
typedef struct sx_layout {
    int nd;
    ptrdiff_t block_bytes;
    ptrdiff_t whole_bytes; /* if this copy is a part of a larger copy: the bytes of the larger copy; else
                              0 */
    sx_dim dim[SUBX_NDIMS_MAX];
} sx_layout;

/* Set a layout to a single block, without levels. */
void sx_layout_set(sx_layout *l, ptrdiff_t block_bytes);

/* Add a level around the others, or fuse it with the outermost level if it continues that level. n = 1 adds
 * nothing; n = 0 makes the layout empty. SUBX_ERR_NOT_STRIDED if the layout already has SUBX_NDIMS_MAX
 * levels. */
int sx_layout_add(sx_layout *l, ptrdiff_t n, ptrdiff_t is, ptrdiff_t os);

/* Add a level that has no gaps where the copy writes. */
int sx_layout_add_packed(sx_layout *l, ptrdiff_t n, ptrdiff_t is);

/* get_bytes: the bytes of all blocks. get_whole_bytes: the bytes of the larger copy if this layout is a part
 * of one, else the bytes of all blocks. */
ptrdiff_t sx_layout_get_bytes(const sx_layout *l);
ptrdiff_t sx_layout_get_whole_bytes(const sx_layout *l);

/* Get the bytes that a layout touches on a side, SX_FROM or SX_TO: from *low to *high - 1, counted from its
 * first block. */
void sx_layout_get_span(const sx_layout *l, int side, ptrdiff_t *low, ptrdiff_t *high);

/* Swap the two sides. */
void sx_layout_swap(sx_layout *l);

/* Sort the levels by their write strides (os), the smallest innermost. A copy may be sorted. A datatype must
 * not be: the order of its levels is the order of its elements. */
void sx_layout_sort(sx_layout *l);

/* Zip two datatypes: get the copy that reads the bytes of `from` and writes the bytes of `to`. The k-th byte
 * of `from` goes to the k-th byte of `to`; each datatype counts its bytes in the order of its own levels,
 * innermost first. The copy reads as `from` (its `is`), and writes as `to` (its `is` become the `os` of the
 * copy). A level is split where the other datatype has a boundary. In this example a level is {n, is}, or {n,
 * is -> os}:
 *
 *      from: every other double        a . b . c . d . e . f      block of 8    level {6, 16}
 *
 *      to:   2 rows of 3 doubles        a b c . .                 block of 24   level {2, 40}
 *            in an array of 2 x 5       d e f . .
 *
 *      both: `from` is split into rows  |a . b . c .|d . e . f    block of 8    levels {3, 16 -> 8}
 *            `to` into single doubles   |a|b|c|. .                                     {2, 48 -> 40}
 *
 * SUBX_ERR_MISMATCH if the two datatypes have different numbers of bytes. SUBX_ERR_NOT_STRIDED if the
 * boundaries of their levels do not nest (3 x 2 blocks and 2 x 3 blocks do not), or if the result has too
 * many levels. */
int sx_layout_zip(const sx_layout *from, const sx_layout *to, sx_layout *both);

/* Get the number of steps of the outermost level. A layout without levels has as many steps as its block has
 * bytes. */
ptrdiff_t sx_layout_get_steps(const sx_layout *l);

/* Get the slice of a layout with the n > 0 steps from step `first` on (see sx_layout_get_steps). Where the
 * copy reads, the slice begins *is bytes after the layout; where the copy writes, *os bytes after the
 * layout. */
void sx_layout_slice(const sx_layout *l, ptrdiff_t first, ptrdiff_t n, sx_layout *slice, ptrdiff_t *is,
                     ptrdiff_t *os);

/* 1 if two layouts are equal in their block and in all levels. */
int sx_layout_is_equal(const sx_layout *a, const sx_layout *b);

#endif
