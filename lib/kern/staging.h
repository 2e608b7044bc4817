/* staging.h - a staging: two buffers in the second-level cache, through which large copies go
 * (copy_patches.c). */
#ifndef SX_KERN_STAGING_H
#define SX_KERN_STAGING_H

#include "base/base.h"
#include "kern/stream.h"

/* The memory for one copy: two staging buffers, and lists of offsets in bytes. `rows` tells where the copy
 * reads each row of a patch, and ends with the first rows of the next patch, which are prefetched; no
 * microtile has more rows than these. `staged` tells where each column of the patch lies in the staging
 * buffer. `cols` tells where the copy writes each column, for this patch and the previous one. In a buffer,
 * each column may be padded by a line. */
typedef struct sx_staging {
    char is_taken;
    ptrdiff_t rows[SX_STAGING_ROWS + SX_STAGING_AHEAD], staged[SX_STAGING_COLS], cols[2][SX_STAGING_COLS];
    char buffer[2][SX_STAGING_BYTES + (SX_STAGING_COLS + 1) * SX_LINE] __attribute__((aligned(SX_LINE)));
} sx_staging;

/* take: take a staging for one copy; NULL if all stagings are taken. Any thread may call this function, which
 * neither allocates nor waits. give: give the staging back. */
sx_staging *sx_kern_staging_take(void);
void sx_kern_staging_give(sx_staging *staging);

#endif
