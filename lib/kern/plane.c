/* plane.c - find the two levels that a permuting copy should tile, and loop over the others. */
#include "kern/plane.h"

/* Beyond this many bytes a copy leaves nothing in the caches that anybody would find there again. */
enum { STREAM_BYTES = 4 << 20 };

/* A step backwards is as far as one forwards. */
static ptrdiff_t magnitude(ptrdiff_t a)
{
    return a < 0 ? -a : a;
}

/* Get the level from `first` on that has the smallest stride on the side read. */
static int get_smallest_read(const sx_layout *l, int first)
{
    int best = first;
    for (int i = first + 1; i < l->nd; i++)
        if (magnitude(l->dim[i].is) < magnitude(l->dim[best].is))
            best = i;
    return best;
}

static int get_smallest_written(const sx_layout *l)
{
    int best = 0;
    for (int i = 1; i < l->nd; i++)
        if (magnitude(l->dim[i].os) < magnitude(l->dim[best].os))
            best = i;
    return best;
}

/* If both sides have their smallest stride in the same level, running along it uses whole lines on both. */
int sx_kern_plane_suits(const sx_layout *l, ptrdiff_t most)
{
    return l->nd >= 2 && l->block_bytes <= most && get_smallest_read(l, 0) != get_smallest_written(l);
}

static void move_to(sx_layout *l, int from, int to)
{
    sx_dim d = l->dim[from];
    for (; from > to; from--)
        l->dim[from] = l->dim[from - 1];
    l->dim[to] = d;
}

/* Levels may be taken in any order, for a copy has no order of elements to keep: the plane's two innermost,
 * the others so that what is written advances slowly. */
static sx_layout arrange(const sx_layout *l)
{
    sx_layout m = *l;
    sx_layout_sort(&m);
    move_to(&m, get_smallest_read(&m, 1), 1);
    return m;
}

sx_plane sx_kern_plane_get(const sx_layout *l)
{
    sx_layout m = arrange(l);
    return (sx_plane){m.dim[0], m.dim[1], m.block_bytes, sx_layout_get_bytes(&m) > STREAM_BYTES};
}

typedef struct nest {
    const sx_layout *l;
    sx_plane p;
    void (*copy)(const sx_plane *p, const char *in, char *out);
} nest;

static void walk(const nest *n, int level, const char *in, char *out)
{
    if (level == 1) {
        n->copy(&n->p, in, out);
        return;
    }
    const sx_dim *d = &n->l->dim[level];
    for (ptrdiff_t i = 0; i < d->n; i++)
        walk(n, level - 1, in + i * d->is, out + i * d->os);
}

void sx_kern_plane_copy(const sx_layout *l, const char *in, char *out,
                        void (*copy)(const sx_plane *p, const char *in, char *out))
{
    sx_layout m = arrange(l);
    nest n = {&m, sx_kern_plane_get(l), copy};
    walk(&n, m.nd - 1, in, out);
}
