/* stream.h - write whole cache lines without the caches.
 *
 * An ordinary store reads the line from memory into a cache first, and evicts another line there. A copy thus
 * moves three lines for every line copied. Stores that bypass the caches save the one that is only read to be
 * overwritten, a third of the traffic. This pays off for copies that are larger than the caches. */
#ifndef SX_KERN_STREAM_H
#define SX_KERN_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SX_KERN_LINE = 64 };

/* Write whole lines. `out` is the beginning of a line; `in` need not be. */
typedef void sx_kern_lines(char *out, const char *in, ptrdiff_t lines);

/* Get the function that writes lines fastest on this processor. */
sx_kern_lines *sx_kern_stream_get(void);

/* Make all lines visible before any later store, such as one that tells another thread that they are
 * there. */
void sx_kern_stream_complete(void);

/* Get the bytes up to the next beginning of a line, at most n. */
static inline ptrdiff_t sx_kern_stream_head(const char *out, ptrdiff_t n)
{
    ptrdiff_t head = (ptrdiff_t)(-(uintptr_t)out % SX_KERN_LINE);
    return head < n ? head : n;
}

/* Write a run. Its whole lines bypass the caches; the incomplete lines at its two ends do not. */
static inline void sx_kern_stream(sx_kern_lines *lines, char *out, const char *in, ptrdiff_t bytes)
{
    ptrdiff_t head = sx_kern_stream_head(out, bytes), n = (bytes - head) / SX_KERN_LINE;
    ptrdiff_t tail = head + n * SX_KERN_LINE;
    if (head > 0)
        memcpy(out, in, (size_t)head);
    lines(out + head, in + head, n);
    if (tail < bytes)
        memcpy(out + tail, in + tail, (size_t)(bytes - tail));
}

#endif
