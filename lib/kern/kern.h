/* kern.h - read memory in one order and write it in another. No MPI in here. */
#ifndef SX_KERN_H
#define SX_KERN_H

#include "layout/layout.h"

/* A kernel copies a layout. Every kernel serves every layout correctly; `suits` says where it is the better
 * choice. */
typedef struct sx_kern {
    const char *name;
    int (*suits)(const sx_layout *l);
    void (*copy)(const sx_layout *l, const char *in, char *out);
} sx_kern;

/* All kernels, best first; the last is the scalar twin of them all and suits everything. NULL-terminated. */
extern const sx_kern *const sx_kern_table[];

/* Get the first kernel that suits a layout. */
const sx_kern *sx_kern_get(const sx_layout *l);

/* Copy by a kernel in up to `threads` threads, of which each gets a piece that is worth it. */
void sx_kern_copy(const sx_kern *kern, const sx_layout *l, const char *in, char *out, int threads);

/* What one thread may count on, in bytes: caches of its own, and its share of those that it has with others.
 * */
typedef struct sx_kern_caches {
    ptrdiff_t level2;
    ptrdiff_t keep; /* a copy of more than this leaves nothing behind that anybody would find there again */
} sx_kern_caches;

const sx_kern_caches *sx_kern_caches_get(void);

/* 1 if a copy of so many bytes should go past the caches. */
int sx_kern_caches_exceeded(ptrdiff_t bytes);

/* Let copies of more than so many bytes go past the caches. For tests. */
void sx_kern_caches_set_keep(ptrdiff_t bytes);

static inline ptrdiff_t sx_kern_least(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

/* A step backwards is as far as one forwards. */
static inline ptrdiff_t sx_kern_magnitude(ptrdiff_t stride)
{
    return stride < 0 ? -stride : stride;
}

extern const sx_kern sx_kern_avx512, sx_kern_avx2, sx_kern_neon, sx_kern_rows, sx_kern_blocked,
    sx_kern_scalar;

#endif
