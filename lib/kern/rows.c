/* rows.c - copies of long blocks that are larger than the caches: whole lines are written past them, and the
 * next block is asked for while this one is copied. */
#include "kern/plane.h"
#include "kern/stream.h"

/* Blocks of less have more ends than middle. */
enum { SHORTEST = 64 };

/* Bytes asked for in turn with what is copied, and how far ahead: so many rows that it is the first at least,
 * but not beyond the second. Best of sweeps by factors of two over rows of 1 KiB to 4 MiB. */
enum { TURN_BYTES = 256, AHEAD_BYTES = 4096, FARTHEST_BYTES = 16384 };

static int suits(const sx_layout *l)
{
    return l->nd > 0 && l->block_bytes >= SHORTEST && sx_kern_caches_exceeded(sx_layout_get_whole_bytes(l));
}

/* Bytes that go to one place after the other. The last part of a line waits, at most until bytes come that do
 * not follow it, so that what is contiguous in pieces is nevertheless written by whole lines. */
typedef struct writer {
    char *at; /* where the next byte goes; `held` bytes before it are still in `line` */
    ptrdiff_t held;
    sx_kern_lines *lines;
    char line[SX_KERN_LINE] __attribute__((aligned(SX_KERN_LINE)));
} writer;

static void let_go(writer *w)
{
    if (w->held == SX_KERN_LINE)
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
        let_go(w);
        w->at = out;
    }
    ptrdiff_t head = sx_kern_stream_head(w->at, bytes);
    if (head > 0) {
        hold(w, in, head);
        if ((uintptr_t)w->at % SX_KERN_LINE == 0)
            let_go(w);
    }
    ptrdiff_t lines = (bytes - head) / SX_KERN_LINE;
    w->lines(w->at, in + head, lines);
    head += lines * SX_KERN_LINE;
    w->at += lines * SX_KERN_LINE;
    if (head < bytes)
        hold(w, in + head, bytes - head);
}

/* Inlined, since compilers drop calls of a function that does nothing but this. */
static inline __attribute__((always_inline)) void ask(const char *in, ptrdiff_t bytes)
{
    for (ptrdiff_t k = 0; k < bytes; k += SX_KERN_LINE)
        __builtin_prefetch(in + k);
}

/* A place in a loop nest. */
typedef struct place {
    ptrdiff_t at[SUBX_NDIMS_MAX], in, out;
} place;

/* Go to the next place; past the last comes the first. Returns 0 there. */
static int step(const sx_layout *l, place *p)
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

/* Parts of lines go through the caches, and stores are done in order: one that had to wait for its line would
 * hold up all lines after it. */
static inline __attribute__((always_inline)) void ask_for_ends(char *out, ptrdiff_t bytes)
{
    if ((uintptr_t)out % SX_KERN_LINE)
        __builtin_prefetch(out, 1);
    if ((uintptr_t)(out + bytes) % SX_KERN_LINE)
        __builtin_prefetch(out + bytes - 1, 1);
}

/* Each turn ends where a line does, and asks for what is `ahead` bytes further on in this row or, beyond its
 * end, in the next: lines of a long row that are asked for a whole row ahead would be gone again. */
static void copy_row(writer *w, ptrdiff_t bytes, const char *in, const char *next, char *out)
{
    ptrdiff_t ahead = sx_kern_least(FARTHEST_BYTES, bytes), last = bytes - ahead;
    for (ptrdiff_t k = 0, n; k < bytes; k += n) {
        n = sx_kern_least(TURN_BYTES - (ptrdiff_t)((uintptr_t)(out + k) % SX_KERN_LINE), bytes - k);
        ptrdiff_t here = sx_kern_least(n, last > k ? last - k : 0);
        ask(in + k + ahead, here);
        ask(next + k + here - last, n - here);
        write_bytes(w, out + k, in + k, n);
    }
}

/* The next row to ask for is so many rows on that it is at least AHEAD_BYTES. */
static void copy_rows(const sx_layout *l, const char *in, char *out)
{
    place p = {{0}, 0, 0}, next = p;
    writer w = {.at = out, .lines = sx_kern_stream_get()};
    int more, joins = l->dim[0].os == l->block_bytes;
    for (ptrdiff_t k = 0; k < AHEAD_BYTES; k += l->block_bytes)
        step(l, &next);
    do {
        ptrdiff_t from = p.in, to = p.out;
        if (!joins)
            ask_for_ends(out + next.out, l->block_bytes);
        copy_row(&w, l->block_bytes, in + from, in + next.in, out + to);
        more = step(l, &p);
        step(l, &next);
    } while (more);
    let_go(&w);
    sx_kern_stream_end();
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

const sx_kern sx_kern_rows = {"rows", suits, copy};
