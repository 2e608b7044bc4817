/* fake.c - the table of the fake device: its memory, and the calls that put work into streams. */
#include "device/fake.h"
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- the device */

sx_fake *sx_device_fake_create(unsigned long long seed)
{
    sx_fake *f = sx_base_alloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->random = seed;
    f->fails_after = -1;
    return f;
}

int sx_device_fake_free(sx_fake **fake)
{
    const int left = *fake ? (*fake)->nobjects : 0;
    sx_base_free(*fake);
    *fake = NULL;
    return left;
}

static int open_device(void **self, sx_text *why)
{
    sx_fake *f = sx_base_knobs.fake;
    *self = NULL;
    if (!f || sx_device_fake_has_failed(f)) {
        sx_base_print(why, "there is no device");
        return SUBX_ERR_UNAVAILABLE;
    }
    f->nobjects++;
    f->ncreated++;
    *self = f;
    return SUBX_ERR_NONE;
}

static void close_device(void *self)
{
    if (self)
        ((sx_fake *)self)->nobjects--;
}

static void describe(void *self, sx_text *text)
{
    (void)self;
    sx_base_print(text, "a fake device, version %s", PACKAGE_VERSION);
}

/* Allocate a zeroed object, and count it in nobjects; NULL if this call must fail. */
static void *create_object(sx_fake *f, size_t bytes)
{
    void *object = sx_device_fake_has_failed(f) ? NULL : sx_base_alloc(1, bytes);
    f->nobjects += object != NULL;
    f->ncreated += object != NULL;
    return object;
}

static void free_object(sx_fake *f, void *object)
{
    f->nobjects--;
    sx_base_free(object);
}

/* ---- memory */

typedef sx_fake_memory memory;

static int create_file(size_t length)
{
#if defined __linux__ && defined HAVE_MEMFD_CREATE
    const int file = memfd_create("subx-fake", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, (off_t)length) == 0)
        return file;
    if (file >= 0)
        close(file);
#else
    (void)length;
#endif
    return -1;
}

/* Map the pages of a piece, closed, and put the piece on the list. */
static int map_memory(sx_fake *f, memory *m)
{
    const int flags = m->file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    m->pages = mmap(NULL, m->length, PROT_NONE, flags, m->file, 0);
    if (m->pages == MAP_FAILED) {
        if (m->file >= 0)
            close(m->file);
        free_object(f, m);
        return SUBX_ERR_NO_MEM;
    }
    m->data = m->pages + m->length - sx_device_fake_get_page() - sx_base_round_up(m->bytes);
    m->next = f->memory;
    f->memory = m;
    return SUBX_ERR_NONE;
}

static int alloc_memory(void *self, ptrdiff_t bytes, void **address)
{
    sx_fake *f = self;
    const size_t page = sx_device_fake_get_page(),
                 room = ((size_t)sx_base_round_up(bytes) + page - 1) / page * page;
    memory *m = create_object(f, sizeof *m);
    *address = NULL;
    if (!m)
        return SUBX_ERR_NO_MEM;
    m->bytes = bytes;
    m->length = room + page;
    m->file = create_file(m->length);
    const int kind = map_memory(f, m);
    if (!kind)
        *address = m->data;
    return kind;
}

static void free_memory(void *self, void *address)
{
    sx_fake *f = self;
    memory *m = address ? sx_device_fake_find(f, address) : NULL, **at;
    if (!m)
        return;
    for (at = &f->memory; *at != m;)
        at = &(*at)->next;
    *at = m->next;
    munmap(m->pages, m->length);
    if (m->file >= 0)
        close(m->file);
    free_object(f, m);
}

static int has_memory(void *self, const void *address, ptrdiff_t bytes)
{
    const memory *m = sx_device_fake_find(self, address);
    return m && (const char *)address + bytes <= m->data + m->bytes;
}

static int is_current(void *self, const void *address)
{
    sx_fake *f = self;
    return !sx_device_fake_has_failed(f) && !f->is_away && sx_device_fake_find(f, address);
}

/* ---- memory of other processes */

/* What a ticket has: the descriptor of the file in the process that exports it. */
typedef struct offer {
    int pid, file;
    size_t length;
    ptrdiff_t bytes;
} offer;

SX_BASE_ASSERT(sizeof(offer) <= sizeof(sx_device_ticket));

static int export_memory(void *self, void *address, sx_device_ticket *ticket)
{
    const memory *m = sx_device_fake_find(self, address);
    if (!m || m->is_imported || address != m->data)
        return SUBX_ERR_ARG;
    if (sx_device_fake_has_failed(self) || m->file < 0)
        return SUBX_ERR_DEVICE;
    const offer o = {getpid(), m->file, m->length, m->bytes};
    *ticket = (sx_device_ticket){{0}};
    memcpy(ticket, &o, sizeof o);
    return SUBX_ERR_NONE;
}

/* Imported memory is open for reading only, and closed as all other memory while no work reads it. */
static int import_memory(void *self, const sx_device_ticket *ticket, void **address)
{
    char path[64];
    sx_text t = {path, sizeof path, 0};
    offer o;
    memory *m = create_object(self, sizeof *m);
    *address = NULL;
    if (!m)
        return SUBX_ERR_NO_MEM;
    memcpy(&o, ticket, sizeof o);
    sx_base_print(&t, "/proc/%d/fd/%d", o.pid, o.file);
    *m = (memory){
        .bytes = o.bytes, .length = o.length, .file = open(path, O_RDONLY | O_CLOEXEC), .is_imported = 1};
    if (m->file < 0) {
        free_object(self, m);
        return SUBX_ERR_DEVICE;
    }
    const int kind = map_memory(self, m);
    if (!kind)
        *address = m->data;
    return kind;
}

/* ---- messages */

static int takes_messages(void)
{
    return sx_base_knobs.fake->messages != SX_FAKE_REFUSES_MESSAGES;
}

/* If MPI spoils messages, all bytes are inverted when the memory is taken back. */
static void lend(void *self, void *address, int is_lent)
{
    sx_fake *f = self;
    memory *m = sx_device_fake_find(f, address);
    if (!m)
        return;
    for (ptrdiff_t i = 0; f->messages == SX_FAKE_SPOILS_MESSAGES && !is_lent && i < m->bytes; i++)
        m->data[i] = (char)~m->data[i];
    m->nlent += is_lent ? 1 : -1;
    if (is_lent)
        sx_device_fake_wait(f, SX_FAKE_LENT);
    (void)sx_device_fake_open(f, address, PROT_NONE);
}

/* Pinning does nothing here. It counts as an object, so that tests find memory that nobody unpins. */
static int pin(void *self, void *host, ptrdiff_t bytes)
{
    (void)host, (void)bytes;
    if (sx_device_fake_has_failed(self))
        return SUBX_ERR_NO_MEM;
    ((sx_fake *)self)->nobjects++;
    ((sx_fake *)self)->ncreated++;
    return SUBX_ERR_NONE;
}

static void unpin(void *self, void *host)
{
    ((sx_fake *)self)->nobjects -= host != NULL;
}

/* ---- streams and events */

static int create_stream(void *self, void **stream)
{
    sx_fake *f = self;
    sx_fake_stream *s = create_object(f, sizeof *s);
    *stream = s;
    if (!s)
        return SUBX_ERR_NO_MEM;
    s->fake = f;
    s->last = &s->first;
    s->next = f->stream;
    f->stream = s;
    return SUBX_ERR_NONE;
}

static void free_stream(void *stream)
{
    sx_fake_stream *s = stream, **at;
    if (!s)
        return;
    (void)sx_device_fake_wait_stream(s);
    for (at = &s->fake->stream; *at != s;)
        at = &(*at)->next;
    *at = s->next;
    free_object(s->fake, s);
}

static int create_event(void *self, void **event)
{
    sx_fake_event *e = create_object(self, sizeof *e);
    *event = e;
    if (!e)
        return SUBX_ERR_NO_MEM;
    e->fake = self;
    return SUBX_ERR_NONE;
}

/* The caller may free an event while work in streams still refers to it. */
static void free_event(void *event)
{
    sx_fake_event *e = event;
    if (!e)
        return;
    (void)sx_device_fake_wait_event(e, e->recorded);
    sx_device_fake_drop_event(e);
    free_object(e->fake, e);
}

/* Query whether a stream exists. A caller may have destroyed it. */
static int has_stream(const sx_fake *f, const void *stream)
{
    const sx_fake_stream *s = f->stream;
    while (s && s != stream)
        s = s->next;
    return s != NULL;
}

static int record(void *stream, void *event)
{
    sx_fake_event *e = event;
    if (!has_stream(e->fake, stream))
        return SUBX_ERR_DEVICE;
    const sx_fake_work w = {.what = SX_FAKE_RECORD, .event = e, .number = ++e->recorded};
    const int kind = sx_device_fake_put(stream, &w);
    e->recorded -= kind != SUBX_ERR_NONE;
    return kind;
}

static int await(void *stream, void *event)
{
    sx_fake_event *e = event;
    if (!has_stream(e->fake, stream))
        return SUBX_ERR_DEVICE;
    const sx_fake_work w = {.what = SX_FAKE_AWAIT, .event = e, .number = e->recorded};
    return sx_device_fake_put(stream, &w);
}

/* As with CUDA, a call that waits returns the error of any work that has run. An error is returned once. */
static int get_outcome(sx_fake *f, int kind)
{
    kind = kind ? kind : f->error;
    f->error = SUBX_ERR_NONE;
    return kind;
}

static int wait_event(void *event)
{
    const sx_fake_event *e = event;
    if (sx_device_fake_has_failed(e->fake))
        return SUBX_ERR_DEVICE;
    return get_outcome(e->fake, sx_device_fake_wait_event(e, e->recorded));
}

static int finish(void *stream)
{
    const sx_fake_stream *s = stream;
    if (sx_device_fake_has_failed(s->fake))
        return SUBX_ERR_DEVICE;
    return get_outcome(s->fake, sx_device_fake_wait_stream(s));
}

/* ---- work */

static int copy(void *stream, void *to, const void *from, ptrdiff_t bytes)
{
    return sx_device_fake_put(stream,
                              &(sx_fake_work){.what = SX_FAKE_COPY, .from = from, .to = to, .n = bytes});
}

/* Rows must not overlap, and lie in the device's memory. */
static int copy_rows(void *stream, const sx_device_rows *r, const void *from, void *to)
{
    sx_fake *f = ((sx_fake_stream *)stream)->fake;
    const ptrdiff_t read =
        (r->level[1].n - 1) * r->level[1].is + (r->level[0].n - 1) * r->level[0].is + r->bytes;
    const ptrdiff_t written =
        (r->level[1].n - 1) * r->level[1].os + (r->level[0].n - 1) * r->level[0].os + r->bytes;
    const int is_right = r->level[0].is >= r->bytes && r->level[0].os >= r->bytes;
    if (!is_right || !has_memory(f, from, read) || !has_memory(f, to, written))
        return SUBX_ERR_ARG;
    f->nrows++;
    return sx_device_fake_put(stream,
                              &(sx_fake_work){.what = SX_FAKE_ROWS, .from = from, .to = to, .rows = *r});
}

/* Query whether all bytes that a nest touches on a side are in the device's memory. */
static int has_nest(const sx_fake *f, const sx_device_nest *nest, int side, const char *address)
{
    const memory *m = sx_device_fake_find(f, address);
    const ptrdiff_t bytes = sx_device_nest_get_bytes(nest, side);
    for (ptrdiff_t i = nest->first; m && i < nest->first + nest->count; i++) {
        ptrdiff_t rest = i, at = address - m->data - nest->skip[side];
        for (int k = 0; k < nest->nlevels; rest /= nest->level[k++].n)
            at += rest % nest->level[k].n * sx_base_get_stride(nest->level[k], side);
        if (at < 0 || at + bytes > m->bytes)
            return 0;
    }
    return m != NULL;
}

static int permute(void *stream, const sx_device_nest *nest, const void *from, void *to)
{
    const sx_fake_stream *s = stream;
    if (nest->count == 0)
        return SUBX_ERR_NONE;
    if (!has_nest(s->fake, nest, SX_FROM, from) || !has_nest(s->fake, nest, SX_TO, to))
        return SUBX_ERR_ARG;
    const sx_fake_work w = {.what = SX_FAKE_PERMUTE, .from = from, .to = to, .n = nest->count, .nest = *nest};
    return sx_device_fake_put(stream, &w);
}

/* Only the extent of `to` is checked: a read beyond `from` touches a closed page, and so raises a signal. */
static int fix(void *stream, const sx_device_fix *fix, const void *from, void *to)
{
    const sx_fake_stream *s = stream;
    const sx_fake_work w = {.what = SX_FAKE_FIX,
                            .from = from,
                            .to = to,
                            .n = fix->count,
                            .real_bytes = fix->real_bytes,
                            .fix = *fix};
    ptrdiff_t reals = fix->makes ? 2 : fix->width;
    if (fix->count == 0)
        return SUBX_ERR_NONE;
    for (int k = 0; k < fix->nlevels; k++)
        reals += (fix->level[k].n - 1) * fix->level[k].os;
    if (!sx_device_fake_find(s->fake, from) || !has_memory(s->fake, to, reals * fix->real_bytes))
        return SUBX_ERR_ARG;
    return sx_device_fake_put(stream, &w);
}

static int multiply(void *stream, const sx_device_product *p, const void *factors, void *x)
{
    const sx_fake_stream *s = stream;
    const sx_fake_work w = {.what = SX_FAKE_MULTIPLY,
                            .from = factors,
                            .to = x,
                            .n = p->count,
                            .real_bytes = p->real_bytes,
                            .product = *p};
    if (p->count == 0)
        return SUBX_ERR_NONE;
    if ((p->what != SX_DEVICE_ROOTS && !sx_device_fake_find(s->fake, factors)) ||
        !sx_device_fake_find(s->fake, x))
        return SUBX_ERR_ARG;
    return sx_device_fake_put(stream, &w);
}

static int scale(void *stream, int real_bytes, void *x, ptrdiff_t n, double factor)
{
    const sx_fake_work w = {
        .what = SX_FAKE_SCALE, .to = x, .n = n, .real_bytes = real_bytes, .factor = factor};
    if (!has_memory(((sx_fake_stream *)stream)->fake, x, n * real_bytes))
        return SUBX_ERR_ARG;
    return sx_device_fake_put(stream, &w);
}

/* ---- transforms */

static void free_transform(void *transform)
{
    sx_fake_transform *t = transform;
    if (!t)
        return;
    sx_base_free(t->root);
    sx_base_free(t->block);
    sx_base_free(t->pencil);
    free_object(t->fake, t);
}

/* Fill in the n roots of unity of one axis. */
static void set_roots(double root[], ptrdiff_t n, int sign)
{
    const double circle = 6.283185307179586476925286766559;
    for (ptrdiff_t k = 0; k < n; k++) {
        root[2 * k] = cos(circle * (double)k / (double)n);
        root[2 * k + 1] = sign * sin(circle * (double)k / (double)n);
    }
}

static int alloc_transform(sx_fake_transform *t)
{
    const sx_device_fft *f = &t->fft;
    ptrdiff_t roots = 0, volume = 1;
    for (int k = 0; k < f->naxes; k++) {
        roots += f->axis[k].n;
        volume *= f->axis[k].n;
    }
    t->root = sx_base_alloc(2 * roots, sizeof *t->root);
    t->block = sx_base_alloc(2 * volume, sizeof *t->block);
    t->pencil = sx_base_alloc(2 * roots, sizeof *t->pencil);
    return t->root && t->block && t->pencil ? SUBX_ERR_NONE : SUBX_ERR_NO_MEM;
}

static int create_transform(void *self, const sx_device_fft *fft, int is_in_place, void **transform)
{
    sx_fake_transform *t = create_object(self, sizeof *t);
    *transform = NULL;
    if (!t)
        return SUBX_ERR_NO_MEM;
    *t = (sx_fake_transform){.fake = self, .fft = *fft, .is_in_place = is_in_place};
    if (alloc_transform(t)) {
        free_transform(t);
        return SUBX_ERR_NO_MEM;
    }
    double *root = t->root;
    for (int k = 0; k < fft->naxes; root += 2 * fft->axis[k++].n)
        set_roots(root, fft->axis[k].n, fft->sign);
    *transform = t;
    return SUBX_ERR_NONE;
}

/* As with cuFFT, each call begins at an address that is aligned as complex numbers are. The loops other than
 * the first one are calls. */
static int is_aligned(const sx_device_fft *f, int side, const void *address)
{
    if ((size_t)address % (size_t)(2 * f->real_bytes) != 0)
        return 0;
    for (int l = 1; l < f->nloops && f->width[side] == 1; l++)
        if ((side == SX_FROM ? f->loop[l].is : f->loop[l].os) % 2 != 0)
            return 0;
    return 1;
}

static int transform(void *stream, void *transform, void *in, void *out)
{
    const sx_fake *f = ((sx_fake_stream *)stream)->fake;
    const sx_device_fft *fft = &((const sx_fake_transform *)transform)->fft;
    if (!is_aligned(fft, SX_FROM, in) || !is_aligned(fft, SX_TO, out))
        return SUBX_ERR_DEVICE;
    const sx_fake_work w = {.what = SX_FAKE_TRANSFORM, .from = in, .to = out, .transform = transform};
    return sx_device_fake_find(f, in) && sx_device_fake_find(f, out) ? sx_device_fake_put(stream, &w)
                                                                     : SUBX_ERR_ARG;
}

const sx_device sx_device_fake = {.name = "fake",
                                  .version = PACKAGE_VERSION,
                                  .open = open_device,
                                  .close = close_device,
                                  .describe = describe,
                                  .alloc = alloc_memory,
                                  .free = free_memory,
                                  .has = has_memory,
                                  .is_current = is_current,
                                  .pin = pin,
                                  .unpin = unpin,
                                  .export_unit = 1,
                                  .export_memory = export_memory,
                                  .import_memory = import_memory,
                                  .drop_memory = free_memory,
                                  .takes_messages = takes_messages,
                                  .lend = lend,
                                  .create_stream = create_stream,
                                  .free_stream = free_stream,
                                  .create_event = create_event,
                                  .free_event = free_event,
                                  .record = record,
                                  .await = await,
                                  .wait = wait_event,
                                  .finish = finish,
                                  .copy = copy,
                                  .copy_rows = copy_rows,
                                  .permute = permute,
                                  .fix = fix,
                                  .multiply = multiply,
                                  .scale = scale,
                                  .create_transform = create_transform,
                                  .free_transform = free_transform,
                                  .transform = transform};
