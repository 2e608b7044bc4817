/* threads.c - a copy divided between threads of one rank, by OpenMP where it is there, else one piece after
 * the other. */
#include "kern/kern.h"

/* A piece that is worth waking a thread for. */
enum { PIECE_BYTES = 64 << 10 };

/* A layout cut along one level, or along its only block. */
typedef struct cut {
    const sx_kern *kern;
    const sx_layout *l;
    int level; /* -1: the block */
    ptrdiff_t length, pieces;
} cut;

/* Get the level that is written in the longest steps of those with enough places for all pieces, so that each
 * thread writes a part of memory of its own; else the longest. */
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

static void copy_part_of_block(const cut *c, ptrdiff_t start, ptrdiff_t n, const char *in, char *out)
{
    sx_layout part;
    sx_layout_set(&part, n);
    c->kern->copy(&part, in + start, out + start);
}

/* Levels are added anew, for one of a single place is none. There never are more than there were. */
static void copy_part_of_level(const cut *c, ptrdiff_t start, ptrdiff_t n, const char *in, char *out)
{
    const sx_layout *l = c->l;
    sx_layout part;
    sx_layout_set(&part, l->block_bytes);
    part.whole_bytes = sx_layout_get_whole_bytes(l);
    for (int i = 0; i < l->nd; i++)
        (void)sx_layout_add(&part, i == c->level ? n : l->dim[i].n, l->dim[i].is, l->dim[i].os);
    c->kern->copy(&part, in + start * l->dim[c->level].is, out + start * l->dim[c->level].os);
}

static void copy_piece(const cut *c, ptrdiff_t k, const char *in, char *out)
{
    ptrdiff_t n = c->length / c->pieces, longer = c->length % c->pieces;
    ptrdiff_t start = n * k + (k < longer ? k : longer);
    n += k < longer;
    if (c->level < 0)
        copy_part_of_block(c, start, n, in, out);
    else
        copy_part_of_level(c, start, n, in, out);
}

static void copy_pieces(const cut *c, const char *in, char *out)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads((int)c->pieces) schedule(static)
#endif
    for (ptrdiff_t k = 0; k < c->pieces; k++)
        copy_piece(c, k, in, out);
}

void sx_kern_copy(const sx_kern *kern, const sx_layout *l, const char *in, char *out, int threads)
{
    ptrdiff_t pieces = threads > 1 ? sx_layout_get_bytes(l) / PIECE_BYTES : 1;
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
