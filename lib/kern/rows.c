/* rows.c - large copies of long blocks, which are called rows here. Whole lines are written past the caches,
 * and the next rows are prefetched while one row is copied. */
#include "kern/plane.h"
#include "kern/stream.h"

/* Shorter blocks would consist mostly of incomplete lines, which cannot be written past the caches. */
static int suits(const sx_layout *l)
{
    return l->block_bytes >= SX_LINE && sx_kern_caches_exceeded(sx_layout_get_whole_bytes(l));
}

/* A writer writes pieces of data by whole lines. It holds back an incomplete line at the end of a piece. If
 * the next piece continues this line, the line becomes complete; else the incomplete line is written through
 * the caches. */
typedef struct writer {
    char *at; /* where the next byte of data belongs; the `held` bytes before it are not written yet: they
                 are in `line` */
    ptrdiff_t held;
    sx_kern_lines *lines;
    char line[SX_LINE] __attribute__((aligned(SX_LINE)));
} writer;

static void release(writer *w)
{
    if (w->held == SX_LINE)
        w->lines(w->at - w->held, w->line, 1);
    else
        memcpy(w->at - w->held, w->line, (size_t)w->held);
    w->held = 0;
}

static void hold(writer *w, const char *in, ptrdiff_t bytes)
{
    memcpy(w->line + w->held, in, (size_t)bytes);
    w->held += bytes;
    w->at += bytes;
}

static void write_bytes(writer *w, char *out, const char *in, ptrdiff_t bytes)
{
    if (out != w->at) {
        release(w);
        w->at = out;
    }
    ptrdiff_t head = sx_kern_stream_head(w->at, bytes);
    if (head > 0) {
        hold(w, in, head);
        if ((uintptr_t)w->at % SX_LINE == 0)
            release(w);
    }
    ptrdiff_t lines = (bytes - head) / SX_LINE;
    w->lines(w->at, in + head, lines);
    head += lines * SX_LINE;
    w->at += lines * SX_LINE;
    if (head < bytes)
        hold(w, in + head, bytes - head);
}

/* Prefetch bytes that will be read. Inlined, because compilers remove calls of a function that only
 * prefetches. */
static inline __attribute__((always_inline)) void prefetch(const char *in, ptrdiff_t bytes)
{
    for (ptrdiff_t k = 0; k < bytes; k += SX_LINE)
        __builtin_prefetch(in + k);
}

/* A position in a loop nest: the index of each level, and the offsets where the copy reads (in) and writes
 * (out), bytes. */
typedef struct position {
    ptrdiff_t at[SUBX_NDIMS_MAX], in, out;
} position;

/* Go to the next position and return 1; from the last position, go back to the first one and return 0. */
static int step(const sx_layout *l, position *p)
{
    for (int i = 0; i < l->nd; i++) {
        const sx_dim *d = &l->dim[i];
        p->in += d->is;
        p->out += d->os;
        if (++p->at[i] < d->n)
            return 1;
        p->at[i] = 0;
        p->in -= d->n * d->is;
        p->out -= d->n * d->os;
    }
    return 0;
}

/* Prefetch, for writing, the two ends of a row that are incomplete lines. A store to such a line needs the
 * line in a cache. Stores complete in order, so a miss would delay all later stores. */
static inline __attribute__((always_inline)) void prefetch_ends(char *out, ptrdiff_t bytes)
{
    if ((uintptr_t)out % SX_LINE)
        __builtin_prefetch(out, 1);
    if ((uintptr_t)(out + bytes) % SX_LINE)
        __builtin_prefetch(out + bytes - 1, 1);
}

/* Copy a row in portions, each of which ends at the end of a cache line in `out`. Each portion also
 * prefetches bytes that are `ahead` bytes further on: in this row, or, behind the end of this row, in the row
 * `next`. In long rows, a whole row ahead would be too far: lines would be evicted before they are used. */
static void copy_row(writer *w, ptrdiff_t bytes, const char *in, const char *next, char *out)
{
    ptrdiff_t ahead = sx_kern_least(SX_ROWS_FARTHEST_BYTES, bytes), last = bytes - ahead;
    for (ptrdiff_t k = 0, n; k < bytes; k += n) {
        n = sx_kern_least(SX_ROWS_PIECE_BYTES - (ptrdiff_t)((uintptr_t)(out + k) % SX_LINE), bytes - k);
        ptrdiff_t here = sx_kern_least(n, last > k ? last - k : 0);
        prefetch(in + k + ahead, here);
        prefetch(next + k + here - last, n - here);
        write_bytes(w, out + k, in + k, n);
    }
}

/* Copy row after row. `next` is the row to prefetch meanwhile: the nearest row that begins at least
 * SX_ROWS_AHEAD_BYTES bytes of data later. */
static void copy_rows(const sx_layout *l, const char *in, char *out)
{
    position p = {{0}, 0, 0}, next = p;
    writer w = {.at = out, .lines = sx_kern_stream_get()};
    int more, is_contiguous = l->nd > 0 && l->dim[0].os == l->block_bytes;
    for (ptrdiff_t k = 0; k < SX_ROWS_AHEAD_BYTES; k += l->block_bytes)
        step(l, &next);
    do {
        ptrdiff_t from = p.in, to = p.out;
        if (!is_contiguous)
            prefetch_ends(out + next.out, l->block_bytes);
        copy_row(&w, l->block_bytes, in + from, in + next.in, out + to);
        more = step(l, &p);
        step(l, &next);
    } while (more);
    release(&w);
    sx_kern_stream_complete();
}

static void copy(const sx_layout *l, const char *in, char *out)
{
    sx_layout m = *l;
    if (!suits(l)) {
        sx_kern_blocked.copy(l, in, out);
        return;
    }
    sx_layout_sort(&m);
    copy_rows(&m, in, out);
}

extern const sx_kern sx_kern_rows;
const sx_kern sx_kern_rows = {"rows", suits, copy};
