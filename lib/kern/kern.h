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

extern const sx_kern sx_kern_avx512, sx_kern_blocked, sx_kern_scalar;

#endif
