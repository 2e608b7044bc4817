/* fftw3.c - the backend fftw3: serial transforms by FFTW 3 (Frigo & Johnson 2005) and its 64-bit guru
 * interface, in all precisions for which FFTW was found. */
#include "serial/serial.h"
#include <ctype.h>
#include <fftw3.h>
#include <pthread.h>

/* FFTW's planner and fftw_destroy_plan are not thread-safe; fftw_execute is. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* ---- FFTW's functions, per precision */

typedef struct calls {
    void *(*plan)(const sx_serial_problem *p, const fftw_iodim64 axis[], const fftw_iodim64 loop[], void *in,
                  void *out, unsigned flags);
    void (*execute)(int kind, void *plan, void *in, void *out);
    int (*get_alignment)(void *array);
    void (*destroy)(void *plan);
    void (*export_wisdom)(void (*write)(char c, void *context), void *context);
    int (*import_wisdom)(const char *line); /* returns 1 if FFTW has accepted the line */
    void (*set_limit)(double seconds);
    const char *version;
} calls;

static const fftw_r2r_kind r2r[] = {
    [SUBX_FFT_DCT1] = FFTW_REDFT00, [SUBX_FFT_DCT2] = FFTW_REDFT10, [SUBX_FFT_DCT3] = FFTW_REDFT01,
    [SUBX_FFT_DCT4] = FFTW_REDFT11, [SUBX_FFT_DST1] = FFTW_RODFT00, [SUBX_FFT_DST2] = FFTW_RODFT10,
    [SUBX_FFT_DST3] = FFTW_RODFT01, [SUBX_FFT_DST4] = FFTW_RODFT11, [SUBX_FFT_DHT] = FFTW_DHT,
    [SUBX_FFT_R2HC] = FFTW_R2HC,    [SUBX_FFT_HC2R] = FFTW_HC2R};

#ifdef HAVE_FFTW3F
#define X(name) fftwf_##name
#define OF(name) name##_float
#include "serial/fftw3_body.h"
#endif

#define X(name) fftw_##name
#define OF(name) name##_double
#include "serial/fftw3_body.h"

#ifdef HAVE_FFTW3L
#define X(name) fftwl_##name
#define OF(name) name##_long_double
#include "serial/fftw3_body.h"
#endif

#ifdef HAVE_FFTW3Q
#define X(name) fftwq_##name
#define OF(name) name##_quad
#include "serial/fftw3_body.h"
#endif

static const calls *const precisions[SUBX_FFT_QUAD + 1] = {
#ifdef HAVE_FFTW3F
    [SUBX_FFT_FLOAT] = &calls_float,
#endif
#ifdef HAVE_FFTW3L
    [SUBX_FFT_LONG_DOUBLE] = &calls_long_double,
#endif
#ifdef HAVE_FFTW3Q
    [SUBX_FFT_QUAD] = &calls_quad,
#endif
    [SUBX_FFT_DOUBLE] = &calls_double};

static int serves(int precision)
{
    return precisions[precision] != NULL;
}

static int suits(const sx_serial_problem *p)
{
    (void)p;
    return 1;
}

/* ---- the backend */

typedef struct state {
    const calls *calls;
    int kind;
    void *aligned; /* plan for arrays with the alignments in_alignment and out_alignment */
    int in_alignment, out_alignment;
    void *unaligned; /* plan for arrays with other alignments; NULL if any_alignment is not set */
} state;

static void convert(int n, const sx_dim from[], fftw_iodim64 to[])
{
    for (int i = 0; i < n; i++)
        to[i] = (fftw_iodim64){.n = from[i].n, .is = from[i].is, .os = from[i].os};
}

static void free_state(void *opaque)
{
    state *s = opaque;
    if (!s)
        return;
    pthread_mutex_lock(&planner);
    s->calls->destroy(s->aligned);
    s->calls->destroy(s->unaligned);
    pthread_mutex_unlock(&planner);
    sx_base_free(s);
}

/* Query whether FFTW 3.3.10 may crash. It crashes in float on machines with AVX if it reads lines side by
 * side, and writes contiguous lines that are an odd number of elements apart: its codelets n2fv and n2bv use
 * instructions that need an alignment of 16 bytes. These codelets have even lengths only. */
static int is_fatal(const sx_serial_problem *p)
{
    int is_contiguous = 0, is_odd = 0;
    for (int i = 0; i < p->naxes + p->nloops; i++) {
        const sx_dim d = i < p->naxes ? p->axis[i] : p->loop[i - p->naxes];
        is_contiguous |= i < p->naxes && d.os == 1 && d.n % 2 == 0;
        is_odd |= d.is == 1 && d.os > 1 && d.os % 2 == 1;
    }
    return p->precision == SUBX_FFT_FLOAT && p->kind == SUBX_FFT_C2C && is_contiguous && is_odd;
}

/* Plan a transform. If the notes are closed, nothing may be measured. FFTW_ESTIMATE measures nothing, but
 * uses wisdom of any effort. */
static void plan(state *s, const sx_serial_problem *p, int effort, void *in, void *out)
{
    static const unsigned efforts[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT, FFTW_EXHAUSTIVE};
    unsigned input = p->keep_input ? FFTW_PRESERVE_INPUT : FFTW_DESTROY_INPUT;
    if (sx_serial_notes_are_closed(p->notes))
        effort = SX_EFFORT_ESTIMATE;
    /* If FFTW is given an output that is aligned to 8 bytes only, it plans other codelets, which work for all
     * outputs. FFTW_ESTIMATE does not touch the arrays. */
    if (is_fatal(p)) {
        effort = SX_EFFORT_ESTIMATE;
        out = (char *)out + (s->out_alignment == 0 ? 8 : 0);
    }
    fftw_iodim64 axis[SUBX_NDIMS_MAX], loop[SUBX_NDIMS_MAX];
    convert(p->naxes, p->axis, axis);
    convert(p->nloops, p->loop, loop);
    const double limit = sx_serial_notes_get_limit(p->notes);
    pthread_mutex_lock(&planner);
    if (limit > 0)
        s->calls->set_limit(limit);
    s->aligned = s->calls->plan(p, axis, loop, in, out, efforts[effort] | input);
    if (limit > 0)
        s->calls->set_limit(FFTW_NO_TIMELIMIT);
    /* The plan for other alignments is rarely used, because malloc aligns to 16 bytes. A search for the
     * fastest such plan would not pay. */
    if (p->any_alignment)
        s->unaligned = s->calls->plan(p, axis, loop, in, out, FFTW_ESTIMATE | FFTW_UNALIGNED | input);
    pthread_mutex_unlock(&planner);
}

static int create(const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    state *s = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    s->calls = precisions[p->precision];
    s->kind = p->kind;
    s->in_alignment = s->calls->get_alignment(in);
    s->out_alignment = s->calls->get_alignment(out);
    plan(s, p, effort, in, out);
    if (!s->aligned || (p->any_alignment && !s->unaligned)) {
        free_state(s);
        return subx_error_get_code(SUBX_ERR_SERIAL);
    }
    *opaque = s;
    return MPI_SUCCESS;
}

static ptrdiff_t get_bytes(const void *opaque)
{
    (void)opaque;
    return 0;
}

static void execute(const void *opaque, void *in, void *out, void *work)
{
    const state *s = opaque;
    (void)work;
    int aligned = !s->unaligned || (s->calls->get_alignment(in) == s->in_alignment &&
                                    s->calls->get_alignment(out) == s->out_alignment);
    s->calls->execute(s->kind, aligned ? s->aligned : s->unaligned, in, out);
}

extern const sx_serial sx_serial_fftw3;
const sx_serial sx_serial_fftw3 = {"fftw3", serves, suits, create, get_bytes, execute, free_state};

/* ---- wisdom */

/* A line of text. If `at` is NULL, the bytes are only counted. */
typedef struct line {
    char *at;
    ptrdiff_t used;
    int nopen; /* number of open parentheses */
} line;

static void write_char(char c, void *context)
{
    line *l = context;
    if (l->at)
        l->at[l->used] = c;
    if (l->at && isspace((unsigned char)c))
        l->at[l->used] = ' ';
    l->used++;
    l->nopen += c == '(';
}

/* FFTW's wisdom has a pair of parentheses around all entries, and a pair around each entry. So wisdom with
 * one pair is empty. */
char *sx_serial_export_wisdom(int precision)
{
    const calls *c = precisions[precision];
    line counted = {0}, written = {0};
    if (!c)
        return NULL;
    pthread_mutex_lock(&planner);
    c->export_wisdom(write_char, &counted);
    if (counted.nopen > 1)
        written.at = sx_base_alloc(counted.used + 1, 1);
    if (written.at)
        c->export_wisdom(write_char, &written);
    pthread_mutex_unlock(&planner);
    return written.at;
}

int sx_serial_import_wisdom(int precision, const char *text)
{
    const calls *c = precisions[precision];
    if (!c)
        return MPI_SUCCESS;
    pthread_mutex_lock(&planner);
    const int is_taken = c->import_wisdom(text);
    pthread_mutex_unlock(&planner);
    return is_taken ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_SERIAL);
}

/* A program that uses fftw_version itself has a copy of it, of the length of the version that the program was
 * linked with. If a longer version is loaded, its copy has no final 0. So the version also ends at a byte
 * that cannot be printed. */
void sx_serial_print_fftw(int precision, sx_text *t)
{
    enum { LONGEST = 80 };
    const calls *c = precisions[precision];
    int n = 0;
    while (c && n < LONGEST && isprint((unsigned char)c->version[n]))
        n++;
    if (n > 0)
        sx_base_print(t, ", %.*s", n, c->version);
}
