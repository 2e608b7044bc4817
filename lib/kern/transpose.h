/* transpose.h - the loops that move a patch by microtiles, for kernels that transpose microtiles in
 * registers.
 *
 * Each of these kernels includes this header, so that its microtile function is inlined into loops that are
 * compiled for the same instruction set. */
#ifndef SX_KERN_TRANSPOSE_H
#define SX_KERN_TRANSPOSE_H

#include "kern/plane.h"

#define SX_TRANSPOSE_INLINE static inline __attribute__((always_inline))

/* Move one microtile: read its rows at in + rows[i], write its columns at out + cols[j]. */
typedef void sx_transpose_microtile(const char *in, const ptrdiff_t rows[], char *out,
                                    const ptrdiff_t cols[]);

/* Get the index at which the next microtile begins, after the microtile at i; microtiles are `side` long, and
 * the patch is n long. The last microtile has full size, too: it overlaps the previous one, and copies some
 * elements again. */
SX_TRANSPOSE_INLINE ptrdiff_t sx_transpose_next(ptrdiff_t i, ptrdiff_t side, ptrdiff_t n)
{
    ptrdiff_t last = n - side;
    return i < last && i + side > last ? last : i + side;
}

/* Move a patch by microtiles of rows x cols elements. The inner loop goes along the rows, so that a line that
 * was read is used completely before another line can evict it. */
SX_TRANSPOSE_INLINE void sx_transpose(const sx_patch *p, ptrdiff_t rows, ptrdiff_t cols, ptrdiff_t bytes,
                                      sx_transpose_microtile *microtile, const char *in, char *out)
{
    for (ptrdiff_t i = 0; i < p->ni; i = sx_transpose_next(i, rows, p->ni))
        for (ptrdiff_t j = 0; j < p->nj; j = sx_transpose_next(j, cols, p->nj))
            microtile(in + j * bytes, p->rows + i, out + i * bytes, p->cols + j);
}

/* A kernel's microkernel (plane.h) for elements of `bytes` bytes. A list of microkernels ends with bytes =
 * 0. */
typedef struct sx_transposer {
    ptrdiff_t bytes;
    sx_microkernel micro;
} sx_transposer;

/* The AVX2 kernel's microkernel for elements of 4 bytes: its microtiles are 8 x 8. The AVX-512 kernel calls
 * it, too. Only on x86-64. */
void sx_transpose_avx2_move4(const sx_patch *p, const char *in, char *out);

/* Query whether transposing kernels suit a layout: there must be no gaps between the elements that are
 * written. There may be gaps between the elements that are read: the staging buffer makes the copy faster
 * even then. */
static inline int sx_transpose_suits(const sx_layout *l)
{
    return sx_kern_plane_suits(l, SX_PLANE_BLOCK) && sx_kern_plane_writes_contiguously(l);
}

/* Copy by the microkernel for the size of an element. If the list has none or is NULL, or if there are gaps
 * between the elements of a row or of a column, copy in plain C. */
static inline void sx_transpose_copy(const sx_layout *l, const sx_transposer microkernels[], const char *in,
                                     char *out)
{
    sx_plane p;
    if (!sx_kern_plane_suits(l, SX_PLANE_BLOCK)) {
        sx_kern_scalar.copy(l, in, out);
        return;
    }
    sx_kern_plane_get(l, &p);
    const sx_microkernel *micro = &sx_kern_plain_microkernel;
    if (microkernels && p.r.near == p.bytes && p.w.near == p.bytes)
        for (int i = 0; microkernels[i].bytes; i++)
            if (microkernels[i].bytes == p.bytes)
                micro = &microkernels[i].micro;
    sx_kern_plane_copy(&p, micro, in, out);
}

#endif
