/* stream.h - write whole cache lines past the caches.
 *
 * An ordinary store first reads the line from memory into a cache and evicts another line. A copy thus moves
 * three lines for every line copied. A store that bypasses the caches does not read the line that it
 * overwrites, which saves a third of the traffic. This pays off for copies that are larger than the
 * caches. */
#ifndef SX_KERN_STREAM_H
#define SX_KERN_STREAM_H

#include "base/limits.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Write whole lines. `out` must be the beginning of a line; `in` may be any address. */
typedef void sx_kern_lines(char *out, const char *in, ptrdiff_t lines);

/* Get the function that writes lines fastest on this processor. */
sx_kern_lines *sx_kern_stream_get(void);

/* Make all written lines visible before any later store, such as a store that tells another thread to read
 * them. */
void sx_kern_stream_complete(void);

/* Get the number of bytes from `out` to the next beginning of a line, at most n. */
static inline ptrdiff_t sx_kern_stream_head(const char *out, ptrdiff_t n)
{
    ptrdiff_t head = (ptrdiff_t)(-(uintptr_t)out % SX_LINE);
    return head < n ? head : n;
}

/* Write a run. Its whole lines bypass the caches; incomplete lines at its two ends do not. */
static inline void sx_kern_stream(sx_kern_lines *lines, char *out, const char *in, ptrdiff_t bytes)
{
    ptrdiff_t head = sx_kern_stream_head(out, bytes), n = (bytes - head) / SX_LINE;
    ptrdiff_t tail = head + n * SX_LINE;
    if (head > 0)
        memcpy(out, in, (size_t)head);
    lines(out + head, in + head, n);
    if (tail < bytes)
        memcpy(out + tail, in + tail, (size_t)(bytes - tail));
}

#endif
