/* fake_stream.c - the streams of the fake device. Work is queued. It runs when somebody waits, or by chance
 * when more work is added. Each step runs the next work of a random stream. A program that misses an event
 * may see work in a wrong order, and so fails with some seeds. */
#include "device/fake.h"
#include "device/kernel_body.h"
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* A linear congruential generator (Knuth's MMIX); the upper bits are the random ones. */
static int get_random(sx_fake *f, int n)
{
    f->random = f->random * 6364136223846793005ull + 1442695040888963407ull;
    return sx_base_fit((ptrdiff_t)((f->random >> 33) % (unsigned)n));
}

/* ---- one piece of work */

/* Do what thread i of a kernel does on a device. */
static void run_thread_float(const sx_fake_work *w, ptrdiff_t i)
{
    if (w->what == SX_FAKE_FIX)
        sx_device_fix_element_float(&w->fix, i, sx_device_has_folds(&w->fix), w->from, w->to);
    else if (w->what == SX_FAKE_MULTIPLY)
        sx_device_multiply_element_float(&w->product, i, w->from, w->to);
    else
        sx_device_scale_number_float(w->to, i, w->factor);
}

static void run_thread_double(const sx_fake_work *w, ptrdiff_t i)
{
    if (w->what == SX_FAKE_FIX)
        sx_device_fix_element_double(&w->fix, i, sx_device_has_folds(&w->fix), w->from, w->to);
    else if (w->what == SX_FAKE_MULTIPLY)
        sx_device_multiply_element_double(&w->product, i, w->from, w->to);
    else
        sx_device_scale_number_double(w->to, i, w->factor);
}

/* Do what a block of threads does with a tile. */
static void run_tile(const sx_device_nest *nest, ptrdiff_t number, const char *from, char *to)
{
    sx_device_pair shared[SX_TILE_WORDS];
    const sx_device_tile tile = sx_device_find_tile(nest, number, from, to);
    for (int i = 0; i < SX_TILE; i++)
        for (int j = 0; j < SX_TILE; j++)
            if (sx_device_is_in_tile(&tile, i, j))
                sx_device_copy_words(nest->element, sx_device_get_read(nest, &tile, i, j),
                                     (char *)shared + sx_device_get_place(i, j) * nest->element);
    for (int i = 0; i < SX_TILE; i++)
        for (int j = 0; j < SX_TILE; j++)
            if (sx_device_is_in_tile(&tile, i, j))
                sx_device_copy_words(nest->element,
                                     (char *)shared + sx_device_get_place(i, j) * nest->element,
                                     sx_device_get_written(nest, &tile, i, j));
}

/* The threads of a device run in any order: here they run upwards or downwards. */
static void run_permute(sx_fake *f, const sx_fake_work *w)
{
    const int is_downwards = get_random(f, 2);
    sx_device_nest words = sx_device_get_words(&w->nest, w->from, w->to);
    const ptrdiff_t ntiles = sx_device_get_tiles(&words), n = ntiles ? ntiles : words.count;
    if (!ntiles)
        sx_device_gather_reads(&words);
    for (ptrdiff_t k = 0; k < n; k++) {
        const ptrdiff_t i = is_downwards ? n - 1 - k : k;
        if (ntiles)
            run_tile(&words, i, w->from, w->to);
        else if (words.converts)
            sx_device_convert_element(&words, i, w->from, w->to);
        else
            sx_device_copy_element(&words, i, w->from, w->to);
    }
}

static void run_kernel(sx_fake *f, const sx_fake_work *w)
{
    const int is_downwards = get_random(f, 2);
    for (ptrdiff_t k = 0; k < w->n; k++) {
        const ptrdiff_t i = is_downwards ? w->n - 1 - k : k;
        if (w->real_bytes == sizeof(float))
            run_thread_float(w, i);
        else
            run_thread_double(w, i);
    }
}

static void run_rows(const sx_device_rows *r, const char *from, char *to)
{
    for (ptrdiff_t j = 0; j < r->level[1].n; j++)
        for (ptrdiff_t i = 0; i < r->level[0].n; i++)
            memcpy(to + j * r->level[1].os + i * r->level[0].os,
                   from + j * r->level[1].is + i * r->level[0].is, (size_t)r->bytes);
}

void sx_device_fake_wait(const sx_fake *f, int which)
{
    const int us = f->delay[which];
    const struct timespec delay = {us / 1000000, us % 1000000 * 1000L};
    if (us > 0)
        (void)nanosleep(&delay, NULL);
}

static void run_open(sx_fake *f, const sx_fake_work *w)
{
    const sx_device_fft *fft = w->what == SX_FAKE_TRANSFORM ? &w->transform->fft : NULL;
    const sx_dim *pencil = fft ? &fft->axis[fft->naxes - 1] : NULL;
    if (pencil)
        sx_device_fake_wait(f, pencil->is != 1 && pencil->os != 1 ? SX_FAKE_STRIDED : SX_FAKE_CONTIGUOUS);
    if (w->what == SX_FAKE_PERMUTE)
        sx_device_fake_wait(f, SX_FAKE_PERMUTED);
    if (w->what == SX_FAKE_COPY)
        memcpy(w->to, w->from, (size_t)w->n);
    else if (w->what == SX_FAKE_ROWS)
        run_rows(&w->rows, w->from, w->to);
    else if (w->what == SX_FAKE_TRANSFORM)
        sx_device_fake_transform(w->transform, w->from, w->to);
    else if (w->what == SX_FAKE_PERMUTE)
        run_permute(f, w);
    else
        run_kernel(f, w);
}

/* Set the access to the memory of both sides. Returns 0 if the program has freed memory of the device since
 * the work was added. */
static int open_sides(const sx_fake *f, const sx_fake_work *w, int from, int to)
{
    const int reads = !w->is_here[SX_FROM] || sx_device_fake_open(f, w->from, from);
    const int writes = !w->is_here[SX_TO] || sx_device_fake_open(f, w->to, to);
    return reads && writes;
}

static void run(sx_fake *f, const sx_fake_work *w)
{
    const int both = PROT_READ | PROT_WRITE;
    const int destroys = w->what == SX_FAKE_TRANSFORM && !w->transform->fft.keep_input;
    if (w->what == SX_FAKE_RECORD)
        w->event->reached = w->number;
    if (w->what == SX_FAKE_RECORD || w->what == SX_FAKE_AWAIT)
        return;
    if (open_sides(f, w, destroys ? both : PROT_READ, both))
        run_open(f, w);
    else
        f->error = SUBX_ERR_DEVICE;
    (void)open_sides(f, w, PROT_NONE, PROT_NONE);
}

/* ---- the scheduler */

static int is_ready(const sx_fake_stream *s)
{
    const sx_fake_work *w = s->first;
    return w && (w->what != SX_FAKE_AWAIT || !w->event || w->event->reached >= w->number);
}

/* Run the next work of a random stream. Returns 0 if no
 * stream can go on. */
static int step(sx_fake *f)
{
    int n = 0;
    sx_fake_stream *s;
    for (s = f->stream; s; s = s->next)
        n += is_ready(s);
    if (n == 0)
        return 0;
    int left = get_random(f, n);
    for (s = f->stream; !is_ready(s) || left-- > 0;)
        s = s->next;
    sx_fake_work *w = s->first;
    s->first = w->next;
    if (!s->first)
        s->last = &s->first;
    run(f, w);
    sx_base_free(w);
    return 1;
}

int sx_device_fake_put(sx_fake_stream *s, const sx_fake_work *w)
{
    enum { LATE = 3, MOST = 4 };
    if (sx_device_fake_has_failed(s->fake))
        return SUBX_ERR_DEVICE;
    sx_fake_work *copy = sx_base_alloc(1, sizeof *copy);
    if (!copy)
        return SUBX_ERR_NO_MEM;
    *copy = *w;
    copy->next = NULL;
    copy->is_here[SX_FROM] = sx_device_fake_has(s->fake, w->from);
    copy->is_here[SX_TO] = sx_device_fake_has(s->fake, w->to);
    *s->last = copy;
    s->last = &copy->next;
    /* Mostly no work runs before the program waits for it. At random some work runs here, as on a fast
     * device. */
    for (int k = get_random(s->fake, LATE) ? 0 : get_random(s->fake, MOST); k > 0; k--)
        (void)step(s->fake);
    return SUBX_ERR_NONE;
}

int sx_device_fake_wait_event(const sx_fake_event *e, long number)
{
    while (e->reached < number)
        if (!step(e->fake))
            return SUBX_ERR_DEVICE;
    return SUBX_ERR_NONE;
}

int sx_device_fake_wait_stream(const sx_fake_stream *s)
{
    while (s->first)
        if (!step(s->fake))
            return SUBX_ERR_DEVICE;
    return SUBX_ERR_NONE;
}

void sx_device_fake_drop_event(const sx_fake_event *e)
{
    for (sx_fake_stream *s = e->fake->stream; s; s = s->next)
        for (sx_fake_work *w = s->first; w; w = w->next)
            w->event = w->event == e ? NULL : w->event;
}
