/* patch.c - walk over a plane by patches that fit into the second-level cache.
 *
 * A copy that stays in the caches writes each patch where it belongs. One that is larger writes it to a
 * stage, from where whole lines go out past the caches. Three things then go on at once, a few lines of each
 * in turn, so that memory is never idle: what was staged before goes out, elements come in, and the rows
 * after these are asked for, since no processor foresees a jump to another row. */
#include "kern/plane.h"
#include "kern/stream.h"
#include <pthread.h>

/* Sizes of a patch: best, or within a few per cent of it, of sweeps by factors of two over 256^3 and 192 x
 * 200 x 210 elements of 4, 8 and 16 bytes. A kibibyte of each row read and up to four of each column written
 * make jumps rare enough, two stages fit into a second-level cache of a mebibyte, and what is copied, asked
 * for and written in turn is about what memory has under way. */
enum { READ_BYTES = 1024, RUN_BYTES = 4096, STAGE_BYTES = 256 << 10, TURN_BYTES = 2048 };

/* Where one side is too short for tiles there is no stage, and a patch stays in the first-level cache. */
enum { SHORT_BYTES = 8192 };

/* Rows asked for in advance: few, since at a power-of-two stride they share the ways of one set; more of them
 * where elements are small, so that columns grow by no less than half a line. */
enum { FEW_ROWS = 4, MORE_ROWS = 8, SMALL = 16 };

/* Room for the places of rows and columns; no tile is wider than SIDE. */
enum { ROWS = 1024, COLS = 512, SIDE = 16 };

/* Columns shorter than this are better joined to one run, if they can be. */
enum { JOIN_BYTES = 512 };

/* What copies by way of a stage need, too much for the stacks that some threads have: each thread allocates
 * it once. */
typedef struct staging {
    ptrdiff_t rows[ROWS + SIDE], staged[COLS], cols[2][COLS];
    char stage[2][STAGE_BYTES + (COLS + 1) * SX_KERN_LINE] __attribute__((aligned(SX_KERN_LINE)));
} staging;

/* Runs of a patch on their way from a stage to memory. */
typedef struct runs {
    ptrdiff_t *cols;
    char *out, *stage;
    ptrdiff_t n, bytes, pitch; /* how many runs, their length, and how far apart on the stage */
    ptrdiff_t run, done;       /* the run at hand, and how much of it is out */
} runs;

typedef struct work {
    const sx_plane *p;
    const sx_mover *mover;
    ptrdiff_t *rows, *staged;
    ptrdiff_t ni, nj; /* rows and columns of a patch */
    int stages;       /* by way of a stage */
    int joins;        /* columns follow each other in memory, so that together they are one run */
    sx_kern_lines *lines;
    runs *now, *before;
    runs both[2];
} work;

static ptrdiff_t most(ptrdiff_t a, ptrdiff_t b)
{
    return a > b ? a : b;
}

static ptrdiff_t get_place(const sx_chain *c, ptrdiff_t i)
{
    ptrdiff_t at = 0;
    for (int k = 0; k < c->nd; k++) {
        at += i % c->n[k] * c->far[k];
        i /= c->n[k];
    }
    return at;
}

/* List places i .. i + n - 1 of a chain. */
static void list(const sx_chain *c, ptrdiff_t i, ptrdiff_t n, ptrdiff_t at[])
{
    for (ptrdiff_t k = 0; k < n;) {
        ptrdiff_t start = get_place(c, i + k), end = sx_kern_least(n, k + c->n[0] - (i + k) % c->n[0]);
        for (; k < end; k++, start += c->far[0])
            at[k] = start;
    }
}

/* Lines that are to be found in the caches again. */
static void write_through(char *out, const char *in, ptrdiff_t lines)
{
    memcpy(out, in, (size_t)(lines * SX_KERN_LINE));
}

/* Write about as many bytes of what is staged, and up to where a line begins. */
static void flush(const work *k, ptrdiff_t bytes)
{
    runs *r = k->before;
    while (bytes > 0 && r->run < r->n) {
        char *out = r->out + r->cols[r->run] + r->done;
        ptrdiff_t left = r->bytes - r->done, n = sx_kern_least(bytes, left);
        n = sx_kern_least(n + sx_kern_stream_head(out + n, SX_KERN_LINE), left);
        sx_kern_stream(k->lines, out, r->stage + r->run * r->pitch + r->done, n);
        bytes -= n;
        r->done += n;
        if (r->done == r->bytes) {
            r->done = 0;
            r->run++;
        }
    }
}

/* Ask for as much of the next rows as is read of these, and of lines that lie between elements for none.
 * Inlined, since compilers drop calls of a function that does nothing but this. */
static inline __attribute__((always_inline)) void ask(const ptrdiff_t rows[], ptrdiff_t n, const char *in,
                                                      ptrdiff_t bytes, ptrdiff_t step)
{
    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t k = 0; k < bytes; k += step)
            __builtin_prefetch(in + rows[i] + k);
}

/* A few rows by all columns. The next `ahead` rows are in the list too; that a row may begin within a line is
 * seen to where it ends. Of elements that are more than a line apart the first line has to do. */
static void move_rows(const work *k, const sx_patch *p, const sx_mover *mover, ptrdiff_t ahead,
                      const char *in, char *out)
{
    ptrdiff_t turn = most(TURN_BYTES / (p->ni * p->bytes) / mover->cols, 1) * mover->cols;
    for (ptrdiff_t j = 0; j < p->nj; j += turn) {
        ptrdiff_t nj = sx_kern_least(turn, p->nj - j);
        if (nj < mover->cols && p->nj >= mover->cols) {
            j = p->nj - mover->cols;
            nj = mover->cols;
        }
        sx_patch part = {p->rows, p->cols + j, p->ni, nj, p->is, p->os, p->bytes};
        const char *from = in + j * p->is;
        if (p->is <= SX_KERN_LINE)
            ask(p->rows + p->ni, ahead, from, nj * p->is + (j + nj == p->nj ? SX_KERN_LINE - 1 : 0),
                SX_KERN_LINE);
        else
            ask(p->rows + p->ni, ahead, from, nj * p->is, p->is);
        mover->move(&part, from, out);
        flush(k, p->ni * nj * p->bytes);
    }
}

static void move_to_stage(const work *k, const sx_patch *p, const sx_mover *mover, const char *in)
{
    ptrdiff_t least_rows = most(mover->rows, p->bytes < SMALL ? MORE_ROWS : FEW_ROWS);
    ptrdiff_t rows = most(least_rows, TURN_BYTES / (p->nj * p->bytes));
    for (ptrdiff_t i = 0; i < p->ni; i += rows) {
        ptrdiff_t ni = sx_kern_least(rows, p->ni - i);
        if (ni < mover->rows && p->ni >= mover->rows) {
            i = p->ni - mover->rows;
            ni = mover->rows;
        }
        sx_patch part = {p->rows + i, p->cols, ni, p->nj, p->is, p->os, p->bytes};
        move_rows(k, &part, mover, sx_kern_least(ni, p->ni + SIDE - i - ni), in,
                  k->now->stage + i * p->bytes);
    }
}

/* List the columns on the stage, and after the rows those that the next patch begins with. */
static void list_staged(work *k, const sx_patch *p)
{
    for (ptrdiff_t j = 0; j < p->nj; j++)
        k->staged[j] = j * k->now->pitch;
    for (ptrdiff_t i = 0; i < SIDE; i++)
        k->rows[p->ni + i] = k->rows[i] + p->nj * p->is;
}

/* Columns on the stage are a line further apart than they are long, so that they are not at a power of two.
 * */
static void copy_staged(work *k, ptrdiff_t ni, ptrdiff_t nj, const char *in, char *out)
{
    const sx_plane *from = k->p;
    sx_patch p = {k->rows, k->staged, ni, nj, from->r.near, from->w.near, from->bytes};
    runs *r = k->now;
    ptrdiff_t bytes = ni * p.bytes, lines = (bytes + SX_KERN_LINE - 1) / SX_KERN_LINE;
    r->out = out;
    r->pitch = k->joins ? bytes : (lines + 1) * SX_KERN_LINE;
    list_staged(k, &p);
    move_to_stage(k, &p, nj < k->mover->cols || ni < k->mover->rows ? &sx_kern_plane_mover : k->mover, in);
    flush(k, PTRDIFF_MAX);
    r->n = k->joins ? 1 : nj;
    r->bytes = k->joins ? nj * bytes : bytes;
    r->run = r->done = 0;
    k->now = k->before;
    k->before = r;
}

static void copy_patch(work *k, ptrdiff_t ni, ptrdiff_t nj, const char *in, char *out)
{
    const sx_mover *mover = nj < k->mover->cols || ni < k->mover->rows ? &sx_kern_plane_mover : k->mover;
    sx_patch p = {k->rows, k->now->cols, ni, nj, k->p->r.near, k->p->w.near, k->p->bytes};
    mover->move(&p, in, out);
}

static void copy_plane(work *k, const char *in, char *out)
{
    const sx_chain *w = &k->p->w, *r = &k->p->r;
    void (*copy)(work *, ptrdiff_t, ptrdiff_t, const char *, char *) = k->stages ? copy_staged : copy_patch;
    for (ptrdiff_t i = 0; i < w->length; i += k->ni) {
        ptrdiff_t ni = sx_kern_least(k->ni, w->length - i);
        list(w, i, ni, k->rows);
        for (ptrdiff_t j = 0; j < r->length; j += k->nj) {
            ptrdiff_t nj = sx_kern_least(k->nj, r->length - j);
            list(r, j, nj, k->now->cols);
            copy(k, ni, nj, in + j * r->near, out + i * w->near);
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

/* Whole lines of columns, if there are as many rows. */
static ptrdiff_t get_rows(ptrdiff_t run_bytes, ptrdiff_t b)
{
    ptrdiff_t whole = run_bytes > SX_KERN_LINE ? run_bytes / SX_KERN_LINE * SX_KERN_LINE : run_bytes;
    return sx_kern_least(ROWS, most(whole / b, 1));
}

/* Two stages take half of the second-level cache. */
static ptrdiff_t get_stage(const sx_plane *p)
{
    return p->streams ? sx_kern_least(STAGE_BYTES, sx_kern_caches_get()->level2 / 4) : STAGE_BYTES;
}

static void set_sizes(work *k, int may_stage)
{
    const sx_plane *p = k->p;
    const ptrdiff_t stage = get_stage(p), b = p->bytes, all_rows = p->w.length,
                    all_cols = sx_kern_least(p->r.length, COLS);
    int has_rows = all_rows >= k->mover->rows, has_cols = all_cols >= k->mover->cols;
    k->stages = may_stage && (p->streams || p->collides) && p->w.near == b && has_rows && has_cols;
    k->nj = sx_kern_least(all_cols, most(READ_BYTES / b, k->mover->cols));
    k->ni = sx_kern_least(all_rows, get_rows(sx_kern_least(RUN_BYTES, stage / k->nj), b));
    ptrdiff_t column = k->ni * b;
    k->joins = k->stages && k->ni == all_rows && p->r.nd == 1 && p->r.far[0] == column &&
               (column % SX_KERN_LINE || column < JOIN_BYTES);
    if (k->joins)
        k->nj = sx_kern_least(all_cols, stage / column);
    if (!has_rows)
        k->nj = sx_kern_least(all_cols, most(SHORT_BYTES / column, 1));
    else if (!has_cols)
        k->ni = sx_kern_least(all_rows, get_rows(SHORT_BYTES / all_cols, b));
}

/* ---- each thread's staging, made when it first needs it and kept until it ends */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int has_key;

static void make_key(void)
{
    has_key = pthread_key_create(&key, sx_base_free) == 0;
}

/* Threads that end after the library is unloaded must not call it; nor does the first thread free what it has
 * when the program ends. */
__attribute__((destructor)) static void forget_key(void)
{
    if (!has_key)
        return;
    sx_base_free(pthread_getspecific(key));
    pthread_key_delete(key);
    has_key = 0;
}

/* NULL if there is none to be had. */
static staging *get_staging(void)
{
    pthread_once(&once, make_key);
    staging *own = has_key ? pthread_getspecific(key) : NULL;
    if (own || !has_key)
        return own;
    own = sx_base_alloc(1, sizeof *own);
    if (own && pthread_setspecific(key, own)) {
        sx_base_free(own);
        own = NULL;
    }
    return own;
}

/* Inlined into nothing, for the others need no such stack. */
__attribute__((noinline)) static void copy_unstaged(work *k, const char *in, char *out)
{
    ptrdiff_t rows[ROWS + SIDE], cols[COLS];
    k->rows = rows;
    k->now->cols = cols;
    walk(k, k->p->nd - 1, in, out);
}

static void copy_by_stages(work *k, staging *own, const char *in, char *out)
{
    k->rows = own->rows;
    k->staged = own->staged;
    for (int i = 0; i < 2; i++) {
        k->both[i].cols = own->cols[i];
        k->both[i].stage = own->stage[i];
    }
    walk(k, k->p->nd - 1, in, out);
    flush(k, PTRDIFF_MAX);
    if (k->p->streams)
        sx_kern_stream_end();
}

void sx_kern_plane_copy(const sx_plane *p, const sx_mover *mover, const char *in, char *out)
{
    work k = {.p = p, .mover = mover, .now = &k.both[0], .before = &k.both[1]};
    set_sizes(&k, 1);
    staging *own = k.stages ? get_staging() : NULL;
    if (own) {
        k.lines = p->streams ? sx_kern_stream_get() : write_through;
        copy_by_stages(&k, own, in, out);
    } else {
        set_sizes(&k, 0);
        copy_unstaged(&k, in, out);
    }
}
