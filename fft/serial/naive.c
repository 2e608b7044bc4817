/* naive.c - transforms by their definition, with n^2 operations per line: always built, and the oracle for the fast
 * backends. */
#include "serial/serial.h"

typedef struct lines lines;

typedef struct state {
    sx_serial_problem p;
    const lines *lines;         /* the functions of the precision */
    void *root[SUBX_NDIMS_MAX]; /* of axis a: cosine and sine of 2 pi k/period, k = 0 .. period-1 */
    void *line; /* two lines of the longest axis, of complex numbers: the input, then the output */
    ptrdiff_t longest;
} state;

/* A sweep transforms all lines along an axis: from the input to the output, or in place on one of them. */
enum { ACROSS, ON_INPUT, ON_OUTPUT };

typedef struct sweep {
    const state *s;
    int a, place, nloops;
    int in_width, out_width; /* reals per element: 1 on a real side, 2 on a complex one */
    sx_serial_dim loop[SUBX_NDIMS_MAX];
} sweep;

/* ---- kinds */

/* Output k is the sum over input j of cosines, sines or both, of the angle 2 pi (j' j + j0) (k' k + k0)/period,
 * where period = scale (n + more). The definitions of real-to-real kinds are those in FFTW's manual, section 4.8. */
typedef struct rule {
    int j, j0, k, k0, scale, more;
} rule;

static const rule rules[] = {[SUBX_FFT_C2C] = {1, 0, 1, 0, 1, 0},   [SUBX_FFT_R2C] = {1, 0, 1, 0, 1, 0},
                             [SUBX_FFT_C2R] = {1, 0, 1, 0, 1, 0},   [SUBX_FFT_DHT] = {1, 0, 1, 0, 1, 0},
                             [SUBX_FFT_R2HC] = {1, 0, 1, 0, 1, 0},  [SUBX_FFT_HC2R] = {1, 0, 1, 0, 1, 0},
                             [SUBX_FFT_DCT1] = {1, 0, 1, 0, 2, -1}, [SUBX_FFT_DST1] = {1, 1, 1, 1, 2, 1},
                             [SUBX_FFT_DCT2] = {2, 1, 1, 0, 4, 0},  [SUBX_FFT_DST2] = {2, 1, 1, 1, 4, 0},
                             [SUBX_FFT_DCT3] = {1, 0, 2, 1, 4, 0},  [SUBX_FFT_DST3] = {1, 1, 2, 1, 4, 0},
                             [SUBX_FFT_DCT4] = {2, 1, 2, 1, 8, 0},  [SUBX_FFT_DST4] = {2, 1, 2, 1, 8, 0}};

/* 0 if the kind has no transform of this length. */
static ptrdiff_t get_period(int kind, ptrdiff_t n)
{
    return rules[kind].scale * (n + rules[kind].more);
}

enum { COSINE = 1, SINE = 2 };

/* Half-complex lines have the real parts first, then the imaginary parts from the last to the first. The sine of
 * the opposite frequency has the sign that makes one formula of both. */
static int get_parts(int kind, ptrdiff_t n, ptrdiff_t j, ptrdiff_t k)
{
    switch (kind) {
    case SUBX_FFT_DHT:
        return COSINE | SINE;
    case SUBX_FFT_R2HC:
        return k <= n / 2 ? COSINE : SINE;
    case SUBX_FFT_HC2R:
        return j <= n / 2 ? COSINE : SINE;
    default:
        return kind >= SUBX_FFT_DST1 ? SINE : COSINE;
    }
}

/* An input counts twice, unless it is its own mirror image. */
static int get_weight(int kind, ptrdiff_t n, ptrdiff_t j)
{
    const int is_first = j == 0, is_last = j == n - 1;
    switch (kind) {
    case SUBX_FFT_DHT:
    case SUBX_FFT_R2HC:
        return 1;
    case SUBX_FFT_HC2R:
        return is_first || 2 * j == n ? 1 : 2;
    case SUBX_FFT_DCT1:
        return is_first || is_last ? 1 : 2;
    case SUBX_FFT_DCT3:
        return is_first ? 1 : 2;
    case SUBX_FFT_DST3:
        return is_last ? 1 : 2;
    default:
        return 2;
    }
}

/* ---- lines, per precision */

struct lines {
    size_t point_bytes;
    void *(*create_roots)(ptrdiff_t period, int sign);
    void (*transform)(const sweep *w, sx_serial_dim d, const void *in, void *out);
};

/* Sums and their factors have more digits than the arrays where that costs little, since an oracle should add no
 * errors of its own. A sum in long double takes three times as long as one in double. */
#define REAL float
#define WIDE double
#define FINE double
#define OF(name) name##_float
#include "serial/naive_body.h"

#define REAL double
#define WIDE double
#define FINE long double
#define OF(name) name##_double
#include "serial/naive_body.h"

#define REAL long double
#define WIDE long double
#define FINE long double
#define OF(name) name##_long_double
#include "serial/naive_body.h"

#ifdef HAVE_FLOAT128
#define REAL __float128
#define WIDE __float128
#define FINE __float128
#define OF(name) name##_quad
#include "serial/naive_body.h"
#endif

static const lines *const precisions[SUBX_FFT_QUAD + 1] = {
#ifdef HAVE_FLOAT128
    [SUBX_FFT_QUAD] = &lines_quad,
#endif
    [SUBX_FFT_FLOAT] = &lines_float,
    [SUBX_FFT_DOUBLE] = &lines_double,
    [SUBX_FFT_LONG_DOUBLE] = &lines_long_double};

static int serves(int precision)
{
    return precisions[precision] != NULL;
}

/* ---- one axis */

static sx_serial_dim on_side(sx_serial_dim d, int place)
{
    if (place == ON_INPUT)
        d.os = d.is;
    if (place == ON_OUTPUT)
        d.is = d.os;
    return d;
}

static int is_halved(const sx_serial_problem *p, int a)
{
    return (p->kind == SUBX_FFT_R2C || p->kind == SUBX_FFT_C2R) && a == p->naxes - 1;
}

static void set_loops(sweep *w)
{
    const sx_serial_problem *p = &w->s->p;
    for (int i = 0; i < p->nloops; i++)
        w->loop[w->nloops++] = on_side(p->loop[i], w->place);
    for (int i = 0; i < p->naxes; i++) {
        sx_serial_dim d = on_side(p->axis[i], w->place);
        if (i == w->a)
            continue;
        /* The halved axis is complex whenever another axis is transformed. */
        if (is_halved(p, i))
            d.n = sx_serial_get_half(d.n);
        w->loop[w->nloops++] = d;
    }
}

static void walk(const sweep *w, int level, char *in, char *out)
{
    const sx_serial_problem *p = &w->s->p;
    const ptrdiff_t bytes = sx_serial_get_real_bytes(p->precision);
    if (level == w->nloops) {
        w->s->lines->transform(w, on_side(p->axis[w->a], w->place), in, out);
        return;
    }
    const sx_serial_dim *d = &w->loop[level];
    for (ptrdiff_t i = 0; i < d->n; i++)
        walk(w, level + 1, in + i * d->is * w->in_width * bytes, out + i * d->os * w->out_width * bytes);
}

static void do_sweep(const state *s, int a, int place, void *in, void *out)
{
    const int kind = s->p.kind, is_r2r = sx_serial_is_r2r(kind), halved = is_halved(&s->p, a);
    sweep w = {.s = s,
               .a = a,
               .place = place,
               .in_width = is_r2r || (halved && kind == SUBX_FFT_R2C) ? 1 : 2,
               .out_width = is_r2r || (halved && kind == SUBX_FFT_C2R) ? 1 : 2};
    set_loops(&w);
    walk(&w, 0, in, out);
}

/* The halved axis is transformed first if the input is real, and last if the output is real: all other axes
 * are transformed in complex form. The input of a complex-to-real transform may be overwritten. */
static void execute(void *opaque, void *in, void *out)
{
    const state *s = opaque;
    int last = s->p.naxes - 1;
    if (s->p.kind == SUBX_FFT_C2R) {
        for (int a = 0; a < last; a++)
            do_sweep(s, a, ON_INPUT, in, in);
        do_sweep(s, last, ACROSS, in, out);
        return;
    }
    do_sweep(s, last, ACROSS, in, out);
    for (int a = last - 1; a >= 0; a--)
        do_sweep(s, a, ON_OUTPUT, out, out);
}

/* ---- creation */

static void free_state(void *opaque)
{
    state *s = opaque;
    if (!s)
        return;
    for (int a = 0; a < s->p.naxes; a++)
        sx_base_free(s->root[a]);
    sx_base_free(s->line);
    sx_base_free(s);
}

/* The sign of the exponent; 1 for real-to-real kinds, whose definitions have cosines and sines as they are. */
static int get_sign(const sx_serial_problem *p)
{
    if (p->kind == SUBX_FFT_R2C)
        return SUBX_FFT_FORWARD;
    return p->kind == SUBX_FFT_C2C ? p->direction : 1;
}

static int allocate(state *s)
{
    int ok = 1;
    for (int a = 0; a < s->p.naxes; a++) {
        const ptrdiff_t n = s->p.axis[a].n;
        s->root[a] = s->lines->create_roots(get_period(s->p.kind, n), get_sign(&s->p));
        ok = ok && s->root[a];
        s->longest = n > s->longest ? n : s->longest;
    }
    s->line = sx_base_alloc(2 * s->longest, s->lines->point_bytes);
    return ok && s->line ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

static int create(const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    (void)effort, (void)in, (void)out;
    for (int a = 0; a < p->naxes; a++)
        if (get_period(p->kind, p->axis[a].n) == 0)
            return subx_error_get(SUBX_ERR_SERIAL);
    state *s = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get(SUBX_ERR_NO_MEM);
    s->p = *p;
    s->lines = precisions[p->precision];
    int rc = allocate(s);
    if (rc) {
        free_state(s);
        return rc;
    }
    *opaque = s;
    return MPI_SUCCESS;
}

const sx_serial sx_serial_naive = {"naive", 0, serves, create, execute, free_state};
