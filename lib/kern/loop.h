/* loop.h - the innermost loops of the kernels; inlined, so that the compiler sees the size of an element. */
#ifndef SX_KERN_LOOP_H
#define SX_KERN_LOOP_H

#include <stddef.h>
#include <string.h>

/* The usual sizes are constants, so that memcpy becomes one or two instructions. For other sizes memcpy is a
 * call. */
#define SX_KERN_MOVE_EACH(to, from, size)                                                                    \
    for (ptrdiff_t i = 0; i < n; i++)                                                                        \
    memcpy(to, from, size)

#define SX_KERN_MOVE(to, from)                                                                               \
    switch (bytes) {                                                                                         \
    case 4:                                                                                                  \
        SX_KERN_MOVE_EACH(to, from, 4);                                                                      \
        break;                                                                                               \
    case 8:                                                                                                  \
        SX_KERN_MOVE_EACH(to, from, 8);                                                                      \
        break;                                                                                               \
    case 16:                                                                                                 \
        SX_KERN_MOVE_EACH(to, from, 16);                                                                     \
        break;                                                                                               \
    case 32:                                                                                                 \
        SX_KERN_MOVE_EACH(to, from, 32);                                                                     \
        break;                                                                                               \
    default:                                                                                                 \
        SX_KERN_MOVE_EACH(to, from, (size_t)bytes);                                                          \
    }

/* Copy n blocks of `bytes` bytes. They are read `is` bytes apart and written `os` bytes apart. */
static inline void sx_kern_loop(ptrdiff_t n, ptrdiff_t bytes, ptrdiff_t is, ptrdiff_t os, const char *in,
                                char *out)
{
    SX_KERN_MOVE(out + i * os, in + i * is)
}

/* As sx_kern_loop, but block i is read at in + at[i]. */
static inline void sx_kern_gather(ptrdiff_t n, ptrdiff_t bytes, const ptrdiff_t at[], ptrdiff_t os,
                                  const char *in, char *out)
{
    SX_KERN_MOVE(out + i * os, in + at[i])
}

/* As sx_kern_loop, but block i is written at out + at[i]. */
static inline void sx_kern_scatter(ptrdiff_t n, ptrdiff_t bytes, const ptrdiff_t at[], ptrdiff_t is,
                                   const char *in, char *out)
{
    SX_KERN_MOVE(out + at[i], in + i * is)
}

#undef SX_KERN_MOVE_EACH
#undef SX_KERN_MOVE

#endif
