/* copy_patches.c - copy a plane (plane.h) patch by patch.
 *
 *     the read side: a patch has                the write side: the same patch has
 *     ni rows of nj elements                    nj columns of ni elements
 *
 *          nj elements ->                            ni elements ->
 *     row +-------+-------+--+                  col +-------+-------+
 *      |  |   1   |   2   | 3|                   |  |   1   |   4   |
 *      v  | . . . .       |  |                   v  | : : : :       |
 *         +-------+-------+--+  a microtile is      +-------+-------+   1 .. 6: microtiles in the order
 *         |   4   |   5   | 6|  transposed in       |   2   |   5   |   in which a patch moves them
 *         |       |       |  |  registers           +-------+-------+
 *         +-------+-------+--+                      |   3   |   6   |
 *                                                   +-------+-------+
 *
 * A copy that stays in the caches usually writes each patch directly to memory. A copy that is larger than
 * the caches, or whose columns collide in the first-level cache (plane.h), first writes each patch to a
 * staging buffer in the second-level cache. From there it writes whole lines to memory, past the caches if it
 * is larger than the caches. Three tasks then alternate, a few lines each, so that memory is always busy:
 * flush the previous patch from its staging buffer to memory; move elements of this patch into the other
 * staging buffer; prefetch the next rows. Software must prefetch these rows, because no processor predicts a
 * jump to another row. */
#include "kern/plane.h"
#include "kern/loop.h"
#include "kern/staging.h"

/* The runs of a patch in a staging buffer. A run is a column; if the columns are coalesced, all of them are
 * one run. Each run is written to contiguous memory. */
typedef struct runs {
    ptrdiff_t *cols; /* for each run, its distance from `out`, bytes */
    char *out, *buffer;
    ptrdiff_t n, bytes, pitch; /* n: number of runs; bytes: length of a run; pitch: distance of two runs in
                                  the buffer, bytes */
    ptrdiff_t run, done;       /* run: number of the run to flush next; done: how many of its bytes are
                                  flushed */
} runs;

typedef struct work {
    const sx_plane *p;
    const sx_microkernel *micro;
    ptrdiff_t *rows, *staged;
    ptrdiff_t ni, nj; /* rows and columns of a patch */
    int is_staged;    /* patches go through staging buffers */
    int coalesces;    /* the columns of a patch are contiguous in memory and form one run */
    sx_kern_lines *lines;
    runs *now, *before; /* the runs of this patch and of the previous patch */
    runs both[2];
} work;

static ptrdiff_t get_most(ptrdiff_t a, ptrdiff_t b)
{
    return a > b ? a : b;
}

/* Get the offset of the i-th element of a chain on the chain's far side (plane.h), bytes. */
static ptrdiff_t get_offset(const sx_chain *c, ptrdiff_t i)
{
    ptrdiff_t at = 0;
    for (int k = 0; k < c->nd; k++) {
        at += i % c->n[k] * c->far[k];
        i /= c->n[k];
    }
    return at;
}

/* List the offsets of the elements i .. i + n - 1 of a chain on the chain's far side (plane.h), bytes. */
static void list(const sx_chain *c, ptrdiff_t i, ptrdiff_t n, ptrdiff_t at[])
{
    for (ptrdiff_t k = 0; k < n;) {
        ptrdiff_t start = get_offset(c, i + k), end = sx_kern_least(n, k + c->n[0] - (i + k) % c->n[0]);
        for (; k < end; k++, start += c->far[0])
            at[k] = start;
    }
}

/* Write lines that should stay in the caches. */
static void write_through(char *out, const char *in, ptrdiff_t lines)
{
    memcpy(out, in, (size_t)(lines * SX_LINE));
}

/* Write about `bytes` more bytes of the previous patch from its staging buffer to memory, up to the end of a
 * line. */
static void flush(const work *k, ptrdiff_t bytes)
{
    runs *r = k->before;
    while (bytes > 0 && r->run < r->n) {
        char *out = r->out + r->cols[r->run] + r->done;
        ptrdiff_t left = r->bytes - r->done, n = sx_kern_least(bytes, left);
        n = sx_kern_least(n + sx_kern_stream_head(out + n, SX_LINE), left);
        sx_kern_stream(k->lines, out, r->buffer + r->run * r->pitch + r->done, n);
        bytes -= n;
        r->done += n;
        if (r->done == r->bytes) {
            r->done = 0;
            r->run++;
        }
    }
}

/* Prefetch `bytes` bytes of n rows: one line every `step` bytes. Inlined, because compilers remove calls of a
 * function that only prefetches. */
static inline __attribute__((always_inline)) void prefetch(const ptrdiff_t rows[], ptrdiff_t n,
                                                           const char *in, ptrdiff_t bytes, ptrdiff_t step)
{
    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t k = 0; k < bytes; k += step)
            __builtin_prefetch(in + rows[i] + k);
}

/* Move a few rows, a few columns at a time, and prefetch the next `ahead` rows of the list. A row that does
 * not begin at the beginning of a line may extend over one line more: the last portion prefetches this line,
 * too. If elements are more than a line apart, only the first line of each element is prefetched. */
static void move_rows(const work *k, const sx_patch *p, const sx_microkernel *micro, ptrdiff_t ahead,
                      const char *in, char *out)
{
    ptrdiff_t piece = get_most(SX_PATCH_PIECE_BYTES / (p->ni * p->bytes) / micro->cols, 1) * micro->cols;
    for (ptrdiff_t j = 0; j < p->nj; j += piece) {
        ptrdiff_t nj = sx_kern_least(piece, p->nj - j);
        if (nj < micro->cols && p->nj >= micro->cols) {
            j = p->nj - micro->cols;
            nj = micro->cols;
        }
        sx_patch part = {p->rows, p->cols + j, p->ni, nj, p->is, p->os, p->bytes};
        const char *from = in + j * p->is;
        if (p->is <= SX_LINE)
            prefetch(p->rows + p->ni, ahead, from, nj * p->is + (j + nj == p->nj ? SX_LINE - 1 : 0), SX_LINE);
        else
            prefetch(p->rows + p->ni, ahead, from, nj * p->is, p->is);
        micro->move(&part, from, out);
        flush(k, p->ni * nj * p->bytes);
    }
}

static void move_to_staging(const work *k, const sx_patch *p, const sx_microkernel *micro, const char *in)
{
    ptrdiff_t least_rows =
        get_most(micro->rows, p->bytes < SX_PATCH_SMALL ? SX_PATCH_MORE_ROWS : SX_PATCH_FEW_ROWS);
    ptrdiff_t rows = get_most(least_rows, SX_PATCH_PIECE_BYTES / (p->nj * p->bytes));
    for (ptrdiff_t i = 0; i < p->ni; i += rows) {
        ptrdiff_t ni = sx_kern_least(rows, p->ni - i);
        if (ni < micro->rows && p->ni >= micro->rows) {
            i = p->ni - micro->rows;
            ni = micro->rows;
        }
        sx_patch part = {p->rows + i, p->cols, ni, p->nj, p->is, p->os, p->bytes};
        move_rows(k, &part, micro, sx_kern_least(ni, p->ni + SX_STAGING_AHEAD - i - ni), in,
                  k->now->buffer + i * p->bytes);
    }
}

/* List the offsets of columns in the staging buffer. The first rows of the next patch are appended to the
 * list of rows: they are prefetched while the last rows of this patch are moved. */
static void list_staged(work *k, const sx_patch *p)
{
    for (ptrdiff_t j = 0; j < p->nj; j++)
        k->staged[j] = j * k->now->pitch;
    for (ptrdiff_t i = 0; i < SX_STAGING_AHEAD; i++)
        k->rows[p->ni + i] = k->rows[i] + p->nj * p->is;
}

/* Move a patch to a staging buffer, and flush the previous patch meanwhile. Columns that are not coalesced
 * are padded by a line in the buffer, so that their distance is no power of two. */
static void copy_staged(work *k, const sx_patch *patch, const sx_microkernel *micro, const char *in,
                        char *out)
{
    sx_patch p = *patch;
    runs *r = k->now;
    ptrdiff_t bytes = p.ni * p.bytes, lines = (bytes + SX_LINE - 1) / SX_LINE;
    p.cols = k->staged;
    r->out = out;
    r->pitch = k->coalesces ? bytes : (lines + 1) * SX_LINE;
    list_staged(k, &p);
    move_to_staging(k, &p, micro, in);
    flush(k, PTRDIFF_MAX);
    r->n = k->coalesces ? 1 : p.nj;
    r->bytes = k->coalesces ? p.nj * bytes : bytes;
    r->run = r->done = 0;
    k->now = k->before;
    k->before = r;
}

/* Move a patch of any size. If it has at least SX_SET_WAYS rows and columns, SX_SET_WAYS rows are read side
 * by side; else the inner loop goes along a row if there are few rows, and along a column if there are few
 * columns. */
static void move(const sx_patch *p, const char *in, char *out)
{
    ptrdiff_t rows = p->nj < SX_SET_WAYS ? p->ni : SX_SET_WAYS;
    if (p->ni < SX_SET_WAYS) {
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

const sx_microkernel sx_kern_plain_microkernel = {SX_SET_WAYS, SX_SET_WAYS, move};

static void copy_plane(work *k, const char *in, char *out)
{
    const sx_chain *w = &k->p->w, *r = &k->p->r;
    for (ptrdiff_t i = 0; i < w->length; i += k->ni) {
        ptrdiff_t ni = sx_kern_least(k->ni, w->length - i);
        list(w, i, ni, k->rows);
        for (ptrdiff_t j = 0; j < r->length; j += k->nj) {
            ptrdiff_t nj = sx_kern_least(k->nj, r->length - j);
            const int is_small = nj < k->micro->cols || ni < k->micro->rows;
            const sx_microkernel *micro = is_small ? &sx_kern_plain_microkernel : k->micro;
            const sx_patch p = {k->rows, k->now->cols, ni, nj, r->near, w->near, k->p->bytes};
            list(r, j, nj, k->now->cols);
            if (k->is_staged)
                copy_staged(k, &p, micro, in + j * r->near, out + i * w->near);
            else
                micro->move(&p, in + j * r->near, out + i * w->near);
        }
    }
}

static void walk(work *k, int level, const char *in, char *out)
{
    if (level < 0) {
        copy_plane(k, in, out);
        return;
    }
    const sx_dim *d = &k->p->around[level];
    for (ptrdiff_t i = 0; i < d->n; i++)
        walk(k, level - 1, in + i * d->is, out + i * d->os);
}

/* Get the number of rows of a patch: the number of elements of b bytes that fit into `run_bytes` bytes of a
 * column, at least 1 and at most SX_STAGING_ROWS. If run_bytes is more than a line, it is first rounded down
 * to whole lines. */
static ptrdiff_t get_rows(ptrdiff_t run_bytes, ptrdiff_t b)
{
    ptrdiff_t whole = run_bytes > SX_LINE ? run_bytes / SX_LINE * SX_LINE : run_bytes;
    return sx_kern_least(SX_STAGING_ROWS, get_most(whole / b, 1));
}

/* Get the length of a staging buffer. If the copy writes past the caches, both staging buffers together take
 * at most half of the second-level cache. */
static ptrdiff_t get_staging_bytes(const sx_plane *p)
{
    return p->streams ? sx_kern_least(SX_STAGING_BYTES, sx_kern_caches_get_level2() / 4) : SX_STAGING_BYTES;
}

/* Set the size of the patches, and whether they go through staging buffers. A patch without a staging buffer
 * has only as many columns as the first-level cache can hold, but at least as many as a microtile. */
static void set_sizes(work *k, int may_stage)
{
    const sx_plane *p = k->p;
    const ptrdiff_t staging_bytes = get_staging_bytes(p), b = p->bytes, all_rows = p->w.length,
                    all_cols = sx_kern_least(p->r.length, SX_STAGING_COLS);
    int has_rows = all_rows >= k->micro->rows, has_cols = all_cols >= k->micro->cols;
    k->is_staged = may_stage && (p->streams || p->collides) && p->w.near == b && has_rows && has_cols;
    ptrdiff_t cols = k->is_staged ? SX_PATCH_READ_BYTES / b : sx_kern_least(SX_PATCH_READ_BYTES / b, p->cols);
    k->nj = sx_kern_least(all_cols, get_most(cols, k->micro->cols));
    k->ni = sx_kern_least(all_rows, get_rows(sx_kern_least(SX_PATCH_RUN_BYTES, staging_bytes / k->nj), b));
    ptrdiff_t column = k->ni * b;
    k->coalesces = k->is_staged && k->ni == all_rows && p->r.nd == 1 && p->r.far[0] == column &&
                   (column % SX_LINE || column < SX_PATCH_COALESCE_BYTES);
    if (k->coalesces)
        k->nj = sx_kern_least(all_cols, staging_bytes / column);
    if (!has_rows)
        k->nj = sx_kern_least(all_cols, get_most(SX_PATCH_SHORT_BYTES / column, 1));
    else if (!has_cols)
        k->ni = sx_kern_least(all_rows, get_rows(SX_PATCH_SHORT_BYTES / all_cols, b));
}

/* Not inlined: otherwise the stack would have room for `rows` and `cols` in all copies, also in those with a
 * staging. */
__attribute__((noinline)) static void copy_unstaged(work *k, const char *in, char *out)
{
    ptrdiff_t rows[SX_STAGING_ROWS + SX_STAGING_AHEAD], cols[SX_STAGING_COLS];
    k->rows = rows;
    k->now->cols = cols;
    walk(k, k->p->nd - 1, in, out);
}

static void copy_with_staging(work *k, sx_staging *own, const char *in, char *out)
{
    k->rows = own->rows;
    k->staged = own->staged;
    for (int i = 0; i < 2; i++) {
        k->both[i].cols = own->cols[i];
        k->both[i].buffer = own->buffer[i];
    }
    walk(k, k->p->nd - 1, in, out);
    flush(k, PTRDIFF_MAX);
    if (k->p->streams)
        sx_kern_stream_complete();
}

void sx_kern_plane_copy(const sx_plane *p, const sx_microkernel *micro, const char *in, char *out)
{
    work k = {.p = p, .micro = micro, .now = &k.both[0], .before = &k.both[1]};
    set_sizes(&k, 1);
    sx_staging *own = k.is_staged ? sx_kern_staging_take() : NULL;
    if (own) {
        k.lines = p->streams ? sx_kern_stream_get() : write_through;
        copy_with_staging(&k, own, in, out);
        sx_kern_staging_give(own);
    } else {
        set_sizes(&k, 0);
        copy_unstaged(&k, in, out);
    }
}
