/* plane.h - what the permuting kernels share: the two directions that matter, cut into patches that fit into
 * the caches, and the loops around them. */
#ifndef SX_KERN_PLANE_H
#define SX_KERN_PLANE_H

#include "kern/kern.h"

/* Blocks of more bytes use whole lines, and several of them, in any order. */
enum { SX_PLANE_BLOCK = 256 };

/* Levels that follow each other without a gap on one side, so that they are one run of places, `near` bytes
 * apart there; on the other side each level has its own stride. */
typedef struct sx_chain {
    int nd;
    ptrdiff_t n[SUBX_NDIMS_MAX], far[SUBX_NDIMS_MAX];
    ptrdiff_t near, length;
} sx_chain;

/* The levels with the smallest strides written (w) and others with the smallest strides read (r). Whoever
 * walks along one only uses an element a cache line on one of the sides; patches of both use each line whole
 * (the classic blocking of Lam, Rothberg & Wolf 1991). The other levels are loops around. */
typedef struct sx_plane {
    sx_chain w, r;
    int nd;
    sx_dim around[SUBX_NDIMS_MAX];
    ptrdiff_t bytes; /* of an element */
    int streams;     /* the copy is larger than the caches, so that written lines need not go through them */
    int collides;    /* it is not, but columns share so few sets of them that they push each other out */
} sx_plane;

/* ni rows of nj elements, read `is` bytes apart at in + rows[i], become nj columns, written `os` bytes apart
 * at out + cols[j]. */
typedef struct sx_patch {
    const ptrdiff_t *rows, *cols;
    ptrdiff_t ni, nj, is, os, bytes;
} sx_patch;

/* What moves a patch, in tiles of rows x cols elements; a patch has no fewer of either. The last tile of a
 * row or column may overlap with the one before. */
typedef struct sx_mover {
    ptrdiff_t rows, cols;
    void (*move)(const sx_patch *p, const char *in, char *out);
} sx_mover;

/* 1 if a layout has such a pair of levels, elements of at most `most` bytes, and enough of them. */
int sx_kern_plane_suits(const sx_layout *l, ptrdiff_t most);

/* 1 if a layout that suits is written contiguously. */
int sx_kern_plane_writes_contiguously(const sx_layout *l);

/* Get the plane of a layout that suits. */
void sx_kern_plane_get(const sx_layout *l, sx_plane *p);

/* Copy plane by plane. */
void sx_kern_plane_copy(const sx_plane *p, const sx_mover *mover, const char *in, char *out);

/* The mover in plain C. It takes smaller patches than its tiles too, and any strides. */
extern const sx_mover sx_kern_plane_mover;

#endif
