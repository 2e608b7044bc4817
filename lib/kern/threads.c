/* threads.c - divide a copy between the threads of a rank, by OpenMP. Without OpenMP the pieces are copied
 * one after the other. */
#include "kern/kern.h"

/* A layout cut into pieces along one level, or along the bytes of its block if it has no level. */
typedef struct cut {
    const sx_kern *kern;
    const sx_layout *l;
    int level; /* -1: the block */
    ptrdiff_t length, pieces;
} cut;

/* Get the level to cut. Of the levels that are long enough for all pieces, take the level with the largest
 * write stride, so that each thread writes to memory of its own. If no level is long enough, take the longest
 * one. */
static int get_level(const sx_layout *l, ptrdiff_t pieces)
{
    int best = 0;
    for (int i = 1; i < l->nd; i++) {
        ptrdiff_t n = l->dim[i].n, m = l->dim[best].n;
        int farther = sx_kern_magnitude(l->dim[i].os) > sx_kern_magnitude(l->dim[best].os);
        if (n >= pieces ? m < pieces || farther : n > m)
            best = i;
    }
    return best;
}

static void copy_piece_of_block(const cut *c, ptrdiff_t start, ptrdiff_t n, const char *in, char *out)
{
    sx_layout piece;
    sx_layout_set(&piece, n);
    piece.whole_bytes = sx_layout_get_whole_bytes(c->l);
    c->kern->copy(&piece, in + start, out + start);
}

/* Copy n iterations of the level that is cut, from iteration `start` on. The levels of the layout are added
 * again one by one, because a level of length 1 must be removed. This cannot fail: the number of levels
 * cannot grow. */
static void copy_piece_of_level(const cut *c, ptrdiff_t start, ptrdiff_t n, const char *in, char *out)
{
    const sx_layout *l = c->l;
    sx_layout piece;
    sx_layout_set(&piece, l->block_bytes);
    piece.whole_bytes = sx_layout_get_whole_bytes(l);
    for (int i = 0; i < l->nd; i++)
        (void)sx_layout_add(&piece, i == c->level ? n : l->dim[i].n, l->dim[i].is, l->dim[i].os);
    c->kern->copy(&piece, in + start * l->dim[c->level].is, out + start * l->dim[c->level].os);
}

static void copy_piece(const cut *c, ptrdiff_t k, const char *in, char *out)
{
    ptrdiff_t n = c->length / c->pieces, longer = c->length % c->pieces;
    ptrdiff_t start = n * k + (k < longer ? k : longer);
    n += k < longer;
    if (c->level < 0)
        copy_piece_of_block(c, start, n, in, out);
    else
        copy_piece_of_level(c, start, n, in, out);
}

static void copy_pieces(const cut *c, const char *in, char *out)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(sx_base_fit(c->pieces)) schedule(static)
#endif
    for (ptrdiff_t k = 0; k < c->pieces; k++)
        copy_piece(c, k, in, out);
}

void sx_kern_copy(const sx_kern *kern, const sx_layout *l, const char *in, char *out, int threads)
{
    ptrdiff_t pieces = threads > 1 ? sx_layout_get_bytes(l) / SX_KERN_PIECE_BYTES : 1;
    if (pieces <= 1) {
        kern->copy(l, in, out);
        return;
    }
    pieces = pieces < threads ? pieces : threads;
    int level = l->nd > 0 ? get_level(l, pieces) : -1;
    ptrdiff_t length = level < 0 ? l->block_bytes : l->dim[level].n;
    cut c = {kern, l, level, length, pieces < length ? pieces : length};
    copy_pieces(&c, in, out);
}
