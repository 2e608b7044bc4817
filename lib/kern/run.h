/* run.h - the innermost loops of the kernels, inlined into each so that the usual element sizes become plain
 * moves. */
#ifndef SX_KERN_RUN_H
#define SX_KERN_RUN_H

#include <stddef.h>
#include <string.h>

/* memcpy of a constant size is a move or two; of a variable size it is a call. */
#define SX_KERN_LOOP(to, from, size)                                                                         \
    for (ptrdiff_t i = 0; i < n; i++)                                                                        \
    memcpy(to, from, size)

#define SX_KERN_LOOPS(to, from)                                                                              \
    switch (bytes) {                                                                                         \
    case 4:                                                                                                  \
        SX_KERN_LOOP(to, from, 4);                                                                           \
        break;                                                                                               \
    case 8:                                                                                                  \
        SX_KERN_LOOP(to, from, 8);                                                                           \
        break;                                                                                               \
    case 16:                                                                                                 \
        SX_KERN_LOOP(to, from, 16);                                                                          \
        break;                                                                                               \
    case 32:                                                                                                 \
        SX_KERN_LOOP(to, from, 32);                                                                          \
        break;                                                                                               \
    default:                                                                                                 \
        SX_KERN_LOOP(to, from, (size_t)bytes);                                                               \
    }

/* Copy n blocks of `bytes` bytes, `is` bytes apart, to places `os` bytes apart. */
static inline void sx_kern_run(ptrdiff_t n, ptrdiff_t bytes, ptrdiff_t is, ptrdiff_t os, const char *in,
                               char *out)
{
    SX_KERN_LOOPS(out + i * os, in + i * is)
}

/* The same from in + at[i]. */
static inline void sx_kern_gather(ptrdiff_t n, ptrdiff_t bytes, const ptrdiff_t at[], ptrdiff_t os,
                                  const char *in, char *out)
{
    SX_KERN_LOOPS(out + i * os, in + at[i])
}

/* The same to out + at[i]. */
static inline void sx_kern_scatter(ptrdiff_t n, ptrdiff_t bytes, const ptrdiff_t at[], ptrdiff_t is,
                                   const char *in, char *out)
{
    SX_KERN_LOOPS(out + at[i], in + i * is)
}

#undef SX_KERN_LOOP
#undef SX_KERN_LOOPS

#endif
