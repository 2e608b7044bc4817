/* layout.h - the one vocabulary type: where elements lie, on the side they are read from and on the one they
 * go to. */
#ifndef SX_LAYOUT_H
#define SX_LAYOUT_H

#include "base/base.h"

/* A level of a loop nest: n places, `is` bytes apart where they are read and `os` bytes apart where they are
 * written. */
typedef struct sx_dim {
    ptrdiff_t n, is, os;
} sx_dim;

/* Blocks of contiguous bytes at every place of a loop nest, dim[0] innermost. Strides are in bytes, not
 * elements, because a datatype's strides need not be multiples of anything. The same struct describes a
 * datatype (os then are the strides of its packed form), a pack, an unpack, and a copy from one array into
 * another. Kept canonical: no level of length 1, none that continues the one below, and nd = 0, block_bytes =
 * 0 if empty. */
typedef struct sx_layout {
    int nd;
    ptrdiff_t block_bytes;
    ptrdiff_t whole_bytes; /* of all that is copied together with this, or less if that is only this */
    sx_dim dim[SUBX_NDIMS_MAX];
} sx_layout;

/* Set to one block without levels. */
void sx_layout_set(sx_layout *l, ptrdiff_t block_bytes);

/* Add a level around all that is there, fusing it with the outermost where it continues that.
 * SUBX_ERR_NOT_STRIDED if there is no room for another level. */
int sx_layout_add(sx_layout *l, ptrdiff_t n, ptrdiff_t is, ptrdiff_t os);

/* Add a level whose packed form simply follows what is there. */
int sx_layout_add_packed(sx_layout *l, ptrdiff_t n, ptrdiff_t is);

/* Get all bytes of all blocks, and those of all that is copied together with them. */
ptrdiff_t sx_layout_get_bytes(const sx_layout *l);
ptrdiff_t sx_layout_get_whole_bytes(const sx_layout *l);

/* Exchange the sides: what was written is read. */
void sx_layout_swap(sx_layout *l);

/* Reorder the levels so that the side written has its smallest stride innermost. Copies may; types may not,
 * since their order of levels is the order of their elements. */
void sx_layout_sort(sx_layout *l);

/* Join two datatypes that are traversed in the same order, innermost level first, into the copy from the
 * places of the first to those of the second: `is` is the first's `is`, `os` the second's `is`.
 * SUBX_ERR_MISMATCH if they have different amounts of bytes, SUBX_ERR_NOT_STRIDED if the boundaries of their
 * levels do not nest or if that takes more levels than there is room for. */
int sx_layout_zip(const sx_layout *from, const sx_layout *to, sx_layout *both);

/* Get the steps of the outermost level, which a layout without levels has in the bytes of its block. */
ptrdiff_t sx_layout_get_steps(const sx_layout *l);

/* Get n > 0 of these steps from the one numbered `first` on; *is and *os are how far its beginning is from
 * that of the whole, bytes, on either side. */
void sx_layout_slice(const sx_layout *l, ptrdiff_t first, ptrdiff_t n, sx_layout *slice, ptrdiff_t *is,
                     ptrdiff_t *os);

/* 1 if both are the same, level by level. */
int sx_layout_is_equal(const sx_layout *a, const sx_layout *b);

#endif
