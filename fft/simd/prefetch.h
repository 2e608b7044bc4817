/* prefetch.h - memory that kernels prefetch while they transform other data. No header of MPI in here, as in
 * step.h. */
#ifndef SX_SIMD_PREFETCH_H
#define SX_SIMD_PREFETCH_H

#include "base/limits.h"
#include <stddef.h>

#ifdef __GNUC__
#define SX_SIMD_PREFETCH(at) __builtin_prefetch(at, 0, 2)
#else
#define SX_SIMD_PREFETCH(at) (void)(at)
#endif

/* A row of memory, from at to the byte before end. */
typedef struct sx_simd_row {
    const char *at, *end;
} sx_simd_row;

/* Rows that a thread reads after a transform. The kernel prefetches a few cache lines after each butterfly of
 * a large radix (SX_SIMD_RADIX_PREFETCH). If all lines were prefetched at once, they would fill the queues of
 * the caches, and the loads of the transform would wait behind them. */
typedef struct sx_simd_prefetch {
    sx_simd_row row;         /* what is left of the present row */
    const sx_simd_row *next; /* the rows behind it; an entry whose `at` is NULL ends the list */
    ptrdiff_t lines;         /* cache lines per butterfly; 0 if there are no rows, or none are left */
    ptrdiff_t butterflies;   /* counts these butterflies */
} sx_simd_prefetch;

/* Prefetch the lines that are due after a butterfly; p may be NULL. Kernels have this in their loops. It
 * calls no function, because kernels would have to save their registers around a call. */
static inline void sx_simd_prefetch_some(sx_simd_prefetch *p)
{
    if (!p)
        return;
    const char *at = p->row.at;
    p->butterflies++;
    for (ptrdiff_t i = 0; i < p->lines; i++) {
        SX_SIMD_PREFETCH(at);
        at += SX_LINE;
        if (at < p->row.end)
            continue;
        p->row = *p->next++;
        at = p->row.at;
        p->lines = at ? p->lines : 0;
    }
    p->row.at = at;
}

#endif
