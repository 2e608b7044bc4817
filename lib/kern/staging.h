/* staging.h - the memory of copies that go through staging buffers (patch.c). */
#ifndef SX_KERN_STAGING_H
#define SX_KERN_STAGING_H

#include "base/base.h"
#include "kern/stream.h"

/* The most bytes of a patch in a staging buffer, and the most rows and columns of any patch. SX_STAGING_AHEAD: how
 * many rows of the next patch are listed behind the rows of a patch; no microtile has more rows than this. */
enum { SX_STAGING_BYTES = 256 << 10, SX_STAGING_ROWS = 1024, SX_STAGING_COLS = 512, SX_STAGING_AHEAD = 16 };

/* So many copies can have a staging at the same time. Further copies work without a staging, more slowly. */
enum { SX_STAGING_COUNT = 64 };

/* The memory for one copy: two staging buffers, and lists of offsets in bytes. rows: of the rows of a patch, where
 * the copy reads. staged: of the columns in a staging buffer. cols: of the columns of two patches, this one and the
 * previous one, where the copy writes. In a buffer, each column may be padded by a line. */
typedef struct sx_staging {
    char is_taken;
    ptrdiff_t rows[SX_STAGING_ROWS + SX_STAGING_AHEAD], staged[SX_STAGING_COLS], cols[2][SX_STAGING_COLS];
    char buffer[2][SX_STAGING_BYTES + (SX_STAGING_COLS + 1) * SX_KERN_LINE]
        __attribute__((aligned(SX_KERN_LINE)));
} sx_staging;

/* take: take a staging for one copy; NULL if all stagings are taken. Any thread may call this function, which neither
 * allocates nor waits. give: give the staging back. */
sx_staging *sx_kern_staging_take(void);
void sx_kern_staging_give(sx_staging *staging);

#endif
