/* plane.h - planes, for all kernels that move patches. The plane of a copy is the two directions along which
 * its patches extend; the other levels of the copy are loops around the plane.
 *
 *     read: lines lie along r                     written: lines lie along w
 *
 *          r ->                                        w ->
 *      w  +----+----+----+----+  each patch is     r  +----+----+----+
 *      |  | P1 | P2 | P3 | P4 |  moved by the      |  | P1 | P5 | P9 |
 *      v  +----+----+----+----+  microtiles of     v  +----+----+----+
 *         | P5 | P6 | P7 | P8 |  a kernel, see        | P2 | P6 | .. |
 *         +----+----+----+----+  copy_patches.c       +----+----+----+
 *         | P9 | .. | .. | .. |                       | P3 | .. | .. |
 *         +----+----+----+----+                       +----+----+----+
 *                                                     | P4 | .. | .. |
 *                                                     +----+----+----+ */
#ifndef SX_KERN_PLANE_H
#define SX_KERN_PLANE_H

#include "kern/kern.h"

/* A chain is a list of levels of a layout. One side of the copy is the near side of the chain: there the
 * levels continue each other, and all levels together are `length` elements, `near` bytes apart. On the far
 * side of the chain, level k has the stride far[k]. The near side of the chain w is the write side; the near
 * side of the chain r is the read side. */
typedef struct sx_chain {
    int nd;
    ptrdiff_t n[SUBX_NDIMS_MAX], far[SUBX_NDIMS_MAX];
    ptrdiff_t near, length;
} sx_chain;

/* The chain w begins with the level that has the smallest write stride. The chain r begins with the level
 * that has the smallest read stride. Other levels may continue either chain. A loop along one chain alone
 * would use one element of each cache line on the other side. A patch extends along both chains and uses
 * whole lines on both sides (the classic blocking of Lam, Rothberg & Wolf 1991). The levels that are in no
 * chain (around) are loops around the plane. */
typedef struct sx_plane {
    sx_chain w, r;
    int nd;
    sx_dim around[SUBX_NDIMS_MAX];
    ptrdiff_t bytes; /* bytes of an element */
    int streams;     /* 1 if the copy is larger than the caches, and so writes past the caches */
    ptrdiff_t cols;  /* how many columns of this layout the first-level cache can hold at once */
    int collides;    /* 1 if so few columns fit (cols) that a patch of them would read less than a cache
                        line of each row */
} sx_plane;

/* A patch: ni rows of nj elements, read `is` bytes apart at in + rows[i], become nj columns of ni elements,
 * written `os` bytes apart at out + cols[j]. */
typedef struct sx_patch {
    const ptrdiff_t *rows, *cols;
    ptrdiff_t ni, nj, is, os, bytes;
} sx_patch;

/* A microkernel: a function that moves a patch by microtiles of rows x cols elements. A patch has at least as
 * many rows and columns as a microtile. The last microtile of a row or column may overlap the previous
 * one. */
typedef struct sx_microkernel {
    ptrdiff_t rows, cols;
    void (*move)(const sx_patch *p, const char *in, char *out);
} sx_microkernel;

/* Query whether a layout has a plane: its smallest read stride and its smallest write stride are on different
 * levels, its blocks have at most `most` bytes, and there are enough blocks. */
int sx_kern_plane_suits(const sx_layout *l, ptrdiff_t most);

/* For a layout with a plane: query whether there are no gaps between elements along the smallest write
 * stride. */
int sx_kern_plane_writes_contiguously(const sx_layout *l);

/* Get the plane of a layout that has one (sx_kern_plane_suits). */
void sx_kern_plane_get(const sx_layout *l, sx_plane *p);

/* Copy the layout whose plane is p. Patches are moved by `micro`; patches that are smaller than its microtile
 * are moved by sx_kern_plain_microkernel. */
void sx_kern_plane_copy(const sx_plane *p, const sx_microkernel *micro, const char *in, char *out);

/* The microkernel in plain C. It moves patches of any size, with any strides. */
extern const sx_microkernel sx_kern_plain_microkernel;

#endif
