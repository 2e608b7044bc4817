/* layout.c - build, fuse, reorder, zip and slice layouts. */
#include "layout/layout.h"
#include <stdlib.h>

void sx_layout_set(sx_layout *l, ptrdiff_t block_bytes)
{
    l->nd = 0;
    l->block_bytes = block_bytes;
    l->whole_bytes = 0;
}

/* Fuse a new level with the outermost level, or with the block if there is no level. This is possible if, on
 * both sides, each iteration of the new level begins where the previous one ends. Returns 1 if the level was
 * fused, else 0. */
static int fuse(sx_layout *l, ptrdiff_t n, ptrdiff_t is, ptrdiff_t os)
{
    if (l->nd == 0) {
        if (is != l->block_bytes || os != l->block_bytes)
            return 0;
        l->block_bytes *= n;
        return 1;
    }
    sx_dim *d = &l->dim[l->nd - 1];
    if (is != d->n * d->is || os != d->n * d->os)
        return 0;
    d->n *= n;
    return 1;
}

/* Adding a level to an empty layout leaves the layout empty. */
int sx_layout_add(sx_layout *l, ptrdiff_t n, ptrdiff_t is, ptrdiff_t os)
{
    if (n == 0)
        sx_layout_set(l, 0);
    if (n <= 1 || l->block_bytes == 0 || fuse(l, n, is, os))
        return MPI_SUCCESS;
    if (l->nd == SUBX_NDIMS_MAX)
        return subx_error_get_code(SUBX_ERR_NOT_STRIDED);
    l->dim[l->nd++] = (sx_dim){n, is, os};
    return MPI_SUCCESS;
}

int sx_layout_add_packed(sx_layout *l, ptrdiff_t n, ptrdiff_t is)
{
    return sx_layout_add(l, n, is, sx_layout_get_bytes(l));
}

ptrdiff_t sx_layout_get_bytes(const sx_layout *l)
{
    ptrdiff_t bytes = l->block_bytes;
    for (int i = 0; i < l->nd; i++)
        bytes *= l->dim[i].n;
    return bytes;
}

ptrdiff_t sx_layout_get_whole_bytes(const sx_layout *l)
{
    ptrdiff_t bytes = sx_layout_get_bytes(l);
    return bytes > l->whole_bytes ? bytes : l->whole_bytes;
}

void sx_layout_get_span(const sx_layout *l, int side, ptrdiff_t *low, ptrdiff_t *high)
{
    *low = 0;
    *high = l->block_bytes;
    for (int k = 0; k < l->nd; k++) {
        const ptrdiff_t last = (l->dim[k].n - 1) * sx_base_get_stride(l->dim[k], side);
        *low += last < 0 ? last : 0;
        *high += last > 0 ? last : 0;
    }
}

/* After a swap, a canonical layout is still canonical, because fusing treats both sides alike. */
void sx_layout_swap(sx_layout *l)
{
    for (int i = 0; i < l->nd; i++) {
        ptrdiff_t is = l->dim[i].is;
        l->dim[i].is = l->dim[i].os;
        l->dim[i].os = is;
    }
}

/* Compare by magnitude: the sign of a stride does not matter for locality. */
static int compare_os(const void *a, const void *b)
{
    const sx_dim *x = a, *y = b;
    ptrdiff_t s = x->os < 0 ? -x->os : x->os, t = y->os < 0 ? -y->os : y->os;
    return (s > t) - (s < t);
}

void sx_layout_sort(sx_layout *l)
{
    qsort(l->dim, (size_t)l->nd, sizeof l->dim[0], compare_os);
}

/* The part of a layout that is not zipped yet: n iterations of the current level, `stride` bytes apart, and
 * the levels from `next` on. */
typedef struct cursor {
    const sx_layout *l;
    int next;
    ptrdiff_t n, stride;
} cursor;

/* Begin to zip a layout; block_bytes is the length of a block of the result. If the layout has longer blocks,
 * each of them is treated as a level of blocks of the result. */
static cursor begin(const sx_layout *l, ptrdiff_t block_bytes)
{
    return (cursor){l, 0, l->block_bytes / block_bytes, block_bytes};
}

/* If the current level has only one iteration, go to the next level. Behind the last level, n stays 1. */
static void settle(cursor *c)
{
    if (c->n > 1 || c->next == c->l->nd)
        return;
    c->n = c->l->dim[c->next].n;
    c->stride = c->l->dim[c->next].is;
    c->next++;
}

/* Remove n iterations from the current level, because the result has got a level of n iterations. Each n
 * iterations of the current level become one, so the stride becomes n times as long. n divides the number of
 * iterations. */
static void take(cursor *c, ptrdiff_t n)
{
    c->n /= n;
    c->stride *= n;
    settle(c);
}

/* 1 if one of two lengths divides the other. */
static int nests(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? b % a == 0 : a % b == 0;
}

/* Compare the current levels of both layouts, add a level of the shorter length to the result, remove this
 * length from both layouts, and go on until nothing is left. */
static int zip(cursor from, cursor to, sx_layout *both)
{
    settle(&from);
    settle(&to);
    while (from.n > 1 || to.n > 1) {
        ptrdiff_t n = from.n < to.n ? from.n : to.n;
        if (!nests(from.n, to.n))
            return subx_error_get_code(SUBX_ERR_NOT_STRIDED);
        int code = sx_layout_add(both, n, from.stride, to.stride);
        if (code != MPI_SUCCESS)
            return code;
        take(&from, n);
        take(&to, n);
    }
    return MPI_SUCCESS;
}

int sx_layout_zip(const sx_layout *from, const sx_layout *to, sx_layout *both)
{
    ptrdiff_t a = from->block_bytes, b = to->block_bytes, least = a < b ? a : b;
    if (sx_layout_get_bytes(from) != sx_layout_get_bytes(to))
        return subx_error_get_code(SUBX_ERR_MISMATCH);
    sx_layout_set(both, least);
    if (least == 0)
        return MPI_SUCCESS;
    if (!nests(a, b))
        return subx_error_get_code(SUBX_ERR_NOT_STRIDED);
    return zip(begin(from, least), begin(to, least), both);
}

ptrdiff_t sx_layout_get_steps(const sx_layout *l)
{
    return l->nd > 0 ? l->dim[l->nd - 1].n : l->block_bytes;
}

/* Changing the outermost length keeps a layout canonical, except that a level of length 1 must be removed. */
void sx_layout_slice(const sx_layout *l, ptrdiff_t first, ptrdiff_t n, sx_layout *slice, ptrdiff_t *is,
                     ptrdiff_t *os)
{
    *slice = *l;
    if (l->nd == 0) {
        slice->block_bytes = n;
        *is = *os = first;
        return;
    }
    sx_dim *d = &slice->dim[l->nd - 1];
    *is = first * d->is;
    *os = first * d->os;
    d->n = n;
    slice->nd -= n == 1;
}

/* Not memcmp: entries of dim beyond nd are undefined. */
int sx_layout_is_equal(const sx_layout *a, const sx_layout *b)
{
    if (a->nd != b->nd || a->block_bytes != b->block_bytes)
        return 0;
    for (int i = 0; i < a->nd; i++)
        if (a->dim[i].n != b->dim[i].n || a->dim[i].is != b->dim[i].is || a->dim[i].os != b->dim[i].os)
            return 0;
    return 1;
}
