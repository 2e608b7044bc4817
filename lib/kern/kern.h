/* kern.h - kernels: functions that read memory in one order and write it in another. They do not call MPI.
 *
 * A run is a sequence of contiguous bytes. A patch is a part of a copy that fits into a cache. A microtile is
 * a small rectangle of elements; most kernels transpose it in registers. A copy has a read side and
 * a write side, and each level of its layout has a read stride (is) and a write stride (os). A copy is
 * permuting if its smallest read stride and its smallest write stride are on different levels, as in a
 * transposition. */
#ifndef SX_KERN_H
#define SX_KERN_H

#include "layout/layout.h"

/* A kernel is a function that copies a layout. Every kernel copies every layout correctly; `suits` tells for
 * which layouts the kernel is the better choice. */
typedef struct sx_kern {
    const char *name;
    int (*suits)(const sx_layout *l);
    void (*copy)(const sx_layout *l, const char *in, char *out);
} sx_kern;

/* All kernels, the preferred ones first, NULL-terminated. The last one, scalar, suits every layout. */
extern const sx_kern *const sx_kern_table[];

/* Get the first kernel that suits a layout. */
const sx_kern *sx_kern_get(const sx_layout *l);

/* Copy a layout by a kernel with at most `threads` threads; with fewer if their pieces would be too small. */
void sx_kern_copy(const sx_kern *kern, const sx_layout *l, const char *in, char *out, int threads);

/* Get the bytes of the second-level cache that one thread can use. */
ptrdiff_t sx_kern_caches_get_level2(void);

/* Get the bytes of the largest copy whose data stays in the caches. */
ptrdiff_t sx_kern_caches_get_keep(void);

/* Query whether a copy of `bytes` bytes should bypass the caches when it writes. */
int sx_kern_caches_exceeded(ptrdiff_t bytes);

static inline ptrdiff_t sx_kern_least(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

/* Get the absolute value of a stride: caches work in both directions alike. */
static inline ptrdiff_t sx_kern_magnitude(ptrdiff_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* The kernels that other files call. */
extern const sx_kern sx_kern_blocked, sx_kern_scalar;

#endif
