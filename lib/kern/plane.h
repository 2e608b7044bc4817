/* plane.h - used by all permuting kernels: the two directions of a copy along which its patches extend (the plane), and
 * the loops around them.
 *
 *     read: lines lie along r                     written: lines lie along w
 *
 *          r ->                                        w ->
 *      w  +----+----+----+----+  each patch is     r  +----+----+----+
 *      |  | P1 | P2 | P3 | P4 |  moved by the      |  | P1 | P5 | P9 |
 *      v  +----+----+----+----+  microtiles of     v  +----+----+----+
 *         | P5 | P6 | P7 | P8 |  a kernel, see        | P2 | P6 | .. |
 *         +----+----+----+----+  patch.c              +----+----+----+
 *         | P9 | .. | .. | .. |                       | P3 | .. | .. |
 *         +----+----+----+----+                       +----+----+----+
 *                                                     | P4 | .. | .. |
 *                                                     +----+----+----+ */
#ifndef SX_KERN_PLANE_H
#define SX_KERN_PLANE_H

#include "kern/kern.h"

/* Bytes of the largest element that is moved by patches. A larger block fills whole cache lines by itself, so its copy
 * needs no patches (rows.c). */
enum { SX_PLANE_BLOCK = 256 };

/* Levels that continue each other on one side, the near side: there they are `length` places at one stride. On the far
 * side each level has its own stride. The near side of w is the side written; the near side of r is the side read. */
typedef struct sx_chain {
    int nd;
    ptrdiff_t n[SUBX_NDIMS_MAX], far[SUBX_NDIMS_MAX];
    ptrdiff_t near, length;
} sx_chain;

/* The chain w has the levels with the smallest strides written, the chain r has levels with the smallest strides read.
 * A loop along only one of them would use one element of each cache line on the other side. A patch extends along both
 * and uses whole lines on both sides (the classic blocking of Lam, Rothberg & Wolf 1991). The other levels are loops
 * around the plane. */
typedef struct sx_plane {
    sx_chain w, r;
    int nd;
    sx_dim around[SUBX_NDIMS_MAX];
    ptrdiff_t bytes; /* bytes of an element */
    int streams;     /* the copy is larger than the caches: it writes past the caches */
    ptrdiff_t cols;  /* this many columns fit into the sets of the first-level cache that they share */
    int collides;    /* a patch with only `cols` columns would read less than a line of each row */
} sx_plane;

/* A patch: ni rows of nj elements, read `is` bytes apart at in + rows[i], become nj columns of ni elements, written
 * `os` bytes apart at out + cols[j]. */
typedef struct sx_patch {
    const ptrdiff_t *rows, *cols;
    ptrdiff_t ni, nj, is, os, bytes;
} sx_patch;

/* A mover: a function that moves a patch by microtiles of rows x cols elements. A patch has at least as many rows and
 * columns as a microtile. The last microtile of a row or column may overlap the previous one. */
typedef struct sx_patch_mover {
    ptrdiff_t rows, cols;
    void (*move)(const sx_patch *p, const char *in, char *out);
} sx_patch_mover;

/* 1 if a layout has directions r and w, elements of at most `most` bytes, and enough elements. */
int sx_kern_plane_suits(const sx_layout *l, ptrdiff_t most);

/* For a layout with a plane: 1 if there are no gaps between elements along its smallest stride written. */
int sx_kern_plane_writes_contiguously(const sx_layout *l);

/* Get the plane of a layout that has one (sx_kern_plane_suits). */
void sx_kern_plane_get(const sx_layout *l, sx_plane *p);

/* Copy all planes, one after the other. */
void sx_kern_plane_copy(const sx_plane *p, const sx_patch_mover *mover, const char *in, char *out);

/* The mover in plain C. It also moves patches that are smaller than its microtiles, with any strides. */
extern const sx_patch_mover sx_kern_plane_mover;

#endif
