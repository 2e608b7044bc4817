/* stream.h - write whole cache lines past the caches.
 *
 * A line that is written through the caches is read first, and pushes out another: a copy that is larger than
 * they are saves a third of its traffic by stores that do neither. */
#ifndef SX_KERN_STREAM_H
#define SX_KERN_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SX_KERN_LINE = 64 };

/* Write lines to where a line begins. */
typedef void sx_kern_lines(char *out, const char *in, ptrdiff_t lines);

/* Get the best that the processor has. */
sx_kern_lines *sx_kern_stream_get(void);

/* Order the lines written before what follows, such as a message that tells of them. */
void sx_kern_stream_end(void);

/* Bytes up to where a line begins, at most n. */
static inline ptrdiff_t sx_kern_stream_head(const char *out, ptrdiff_t n)
{
    ptrdiff_t head = (ptrdiff_t)(-(uintptr_t)out % SX_KERN_LINE);
    return head < n ? head : n;
}

/* Write a run: whole lines past the caches, the parts of lines at its ends through them. */
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
