/* plane.h - the permuting kernels share this: the plane of the two directions that matter, which is copied by
 * patches that fit into the caches, and the loops around it.
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

/* The largest element. Larger blocks use several whole lines each, in any order of the blocks. */
enum { SX_PLANE_BLOCK = 256 };

/* Levels that continue each other on one side, the near one: there they are `length` places at one stride. On
 * the far side each level has a stride of its own. The near side of w is the side written, that of r the side
 * read. */
typedef struct sx_chain {
    int nd;
    ptrdiff_t n[SUBX_NDIMS_MAX], far[SUBX_NDIMS_MAX];
    ptrdiff_t near, length;
} sx_chain;

/* The levels with the smallest strides written (w), and others with the smallest strides read (r). A loop
 * along only one of them uses one element per cache line on one of the sides. A patch extends along both and
 * uses each line as a whole (the classic blocking of Lam, Rothberg & Wolf 1991). The other levels are loops
 * around it. */
typedef struct sx_plane {
    sx_chain w, r;
    int nd;
    sx_dim around[SUBX_NDIMS_MAX];
    ptrdiff_t bytes; /* of an element */
    int streams;     /* the copy is larger than the caches: lines written bypass them */
    ptrdiff_t cols;  /* as many columns fit into the sets of the first-level cache that they share */
    int collides;    /* a patch of so few columns would read less than a line of each row */
} sx_plane;

/* ni rows of nj elements, read `is` bytes apart at in + rows[i], become nj columns, written `os` bytes apart
 * at out + cols[j]. */
typedef struct sx_patch {
    const ptrdiff_t *rows, *cols;
    ptrdiff_t ni, nj, is, os, bytes;
} sx_patch;

/* A function that moves a patch by microtiles of rows x cols elements. A patch has at least that many rows
 * and columns. The last microtile of a row or column may overlap with the one before it. */
typedef struct sx_patch_mover {
    ptrdiff_t rows, cols;
    void (*move)(const sx_patch *p, const char *in, char *out);
} sx_patch_mover;

/* 1 if a layout has two such directions, elements of at most `most` bytes, and enough of them. */
int sx_kern_plane_suits(const sx_layout *l, ptrdiff_t most);

/* 1 if a layout that suits has no gaps between elements along its smallest stride written. */
int sx_kern_plane_writes_contiguously(const sx_layout *l);

/* Get the plane of a layout that suits. */
void sx_kern_plane_get(const sx_layout *l, sx_plane *p);

/* Copy all planes, one after the other. */
void sx_kern_plane_copy(const sx_plane *p, const sx_patch_mover *mover, const char *in, char *out);

/* The mover in plain C. It also takes patches that are smaller than its microtiles, and any strides. */
extern const sx_patch_mover sx_kern_plane_mover;

#endif
