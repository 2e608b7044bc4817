/* plane.h - what the permuting kernels share: the two levels that matter, and the loops around them. */
#ifndef SX_KERN_PLANE_H
#define SX_KERN_PLANE_H

#include "kern/kern.h"

/* The level with the smallest stride written (w) and another one with the smallest stride read (r). Whoever
 * walks along one only uses an element a cache line on one of the sides; tiles of both use each line whole
 * (the classic blocking of Lam, Rothberg & Wolf 1991). */
typedef struct sx_plane {
    sx_dim w, r;
    ptrdiff_t bytes; /* of an element */
    int streams;     /* the copy is larger than the caches, so that written lines need not go through them */
} sx_plane;

/* 1 if a layout has such a pair of levels, with elements of at most `most` bytes. */
int sx_kern_plane_suits(const sx_layout *l, ptrdiff_t most);

/* Get the pair of a layout that suits. */
sx_plane sx_kern_plane_get(const sx_layout *l);

/* Copy a layout plane by plane; all other levels are loops around. */
void sx_kern_plane_copy(const sx_layout *l, const char *in, char *out,
                        void (*copy)(const sx_plane *p, const char *in, char *out));

#endif
