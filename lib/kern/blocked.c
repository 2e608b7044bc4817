/* blocked.c - permuting copies patch by patch in plain C, for elements of any size and any strides. */
#include "kern/plane.h"
#include "kern/loop.h"

/* The number of rows that are read side by side. Rows at a power-of-two stride share one cache set, so that
 * there must be fewer of them than the set has ways. */
enum { ROWS = 8 };

static int suits(const sx_layout *l)
{
    return sx_kern_plane_suits(l, SX_PLANE_BLOCK);
}

/* The longer of the two loops is the inner one. */
static void move(const sx_patch *p, const char *in, char *out)
{
    ptrdiff_t rows = p->nj < ROWS ? p->ni : ROWS;
    if (p->ni < ROWS) {
        for (ptrdiff_t i = 0; i < p->ni; i++)
            sx_kern_scatter(p->nj, p->bytes, p->cols, p->is, in + p->rows[i], out + i * p->os);
        return;
    }
    for (ptrdiff_t i = 0; i < p->ni; i += rows) {
        ptrdiff_t n = p->ni - i < rows ? p->ni - i : rows;
        for (ptrdiff_t j = 0; j < p->nj; j++)
            sx_kern_gather(n, p->bytes, p->rows + i, p->os, in + j * p->is, out + p->cols[j] + i * p->os);
    }
}

const sx_mover sx_kern_plane_mover = {ROWS, ROWS, move};

/* The scalar kernel copies the layouts that do not suit, since every kernel must copy every layout. */
static void copy(const sx_layout *l, const char *in, char *out)
{
    sx_plane p;
    if (!suits(l)) {
        sx_kern_scalar.copy(l, in, out);
        return;
    }
    sx_kern_plane_get(l, &p);
    sx_kern_plane_copy(&p, &sx_kern_plane_mover, in, out);
}

const sx_kern sx_kern_blocked = {"blocked", suits, copy};
