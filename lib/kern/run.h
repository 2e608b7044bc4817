/* run.h - the innermost loop of the kernels, inlined into each so that the usual element sizes become plain
 * moves. */
#ifndef SX_KERN_RUN_H
#define SX_KERN_RUN_H

#include <stddef.h>
#include <string.h>

/* memcpy of a constant size is a move or two; of a variable size it is a call. */
#define SX_KERN_RUN(size)                                                                                    \
    for (ptrdiff_t i = 0; i < n; i++)                                                                        \
    memcpy(out + i * os, in + i * is, size)

/* Copy n blocks of `bytes` bytes, `is` bytes apart, to places `os` bytes apart. */
static inline void sx_kern_run(ptrdiff_t n, ptrdiff_t bytes, ptrdiff_t is, ptrdiff_t os, const char *in,
                               char *out)
{
    switch (bytes) {
    case 4:
        SX_KERN_RUN(4);
        break;
    case 8:
        SX_KERN_RUN(8);
        break;
    case 16:
        SX_KERN_RUN(16);
        break;
    case 32:
        SX_KERN_RUN(32);
        break;
    default:
        SX_KERN_RUN((size_t)bytes);
    }
}

#undef SX_KERN_RUN

#endif
