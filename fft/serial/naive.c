/* naive.c - the backend naive: transforms by their definition, with n^2 operations per line. It is always
 * built, and is the reference for the fast backends. */
#include "serial/serial.h"

typedef struct lines lines;

/* A sweep: the transforms of all lines along an axis. */
typedef struct sweep {
    sx_serial_problem p; /* the problem of one axis */
    int place;
    int in_width, out_width; /* reals per element: 1 on a real side, 2 on a complex one */
    void *root;              /* cosine and sign * sine (get_sign) of 2 pi k/period, k = 0 .. period-1 */
    void *line;              /* two lines of complex numbers: the input, then the output */
} sweep;

typedef struct state {
    const lines *lines; /* functions for the precision */
    int nsweeps;
    sweep sweep[SUBX_NDIMS_MAX];
    ptrdiff_t bytes;
} state;

/* ---- kinds */

/* The definition of a kind. Output k is a sum over the inputs j. The factor of an input is the cosine, the
 * sine, or the sum of both, of the angle 2 pi (r.j * j + r.j0) * (r.k * k + r.k0) / period, where r is the
 * rule of the kind, and the period is r.scale * (n + r.more). The definitions of real-to-real kinds are in
 * FFTW's manual, section 4.8. */
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

/* Get the period of the roots; 0 if the kind has no transform of length n. */
static ptrdiff_t get_period(int kind, ptrdiff_t n)
{
    return rules[kind].scale * (n + rules[kind].more);
}

enum { COSINE = 1, SINE = 2 };

/* Get the factor of input j in output k: the cosine, the sine, or the sum of both. Half-complex lines have
 * the real parts first, then the imaginary parts from the last to the first: entry n-k is the imaginary part
 * of frequency k. The rule serves these entries, too, because the sines of the frequencies n-k and k differ
 * in sign only. */
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

/* Get how often an input counts. The inputs are a part of a longer, symmetric line: an input counts twice if
 * its mirror image in this line is left out. */
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
    void (*transform)(const sweep *w, const void *in, void *out);
};

/* Sums have the type WIDE, factors are computed in the type FINE. Both have more digits than the arrays,
 * because a reference should add no errors of its own. There are two exceptions. Sums of double are double,
 * because sums in long double take three times as long. For long double and quad there is no cheap type with
 * more digits. */
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

static int suits(const sx_serial_problem *p)
{
    (void)p;
    return 1;
}

/* ---- execution */

static void walk(const struct lines *code, const sweep *w, int level, char *in, char *out)
{
    const ptrdiff_t bytes = sx_serial_get_real_bytes(w->p.precision);
    if (level == w->p.nloops) {
        code->transform(w, in, out);
        return;
    }
    const sx_dim *d = &w->p.loop[level];
    for (ptrdiff_t i = 0; i < d->n; i++)
        walk(code, w, level + 1, in + i * d->is * w->in_width * bytes,
             out + i * d->os * w->out_width * bytes);
}

static void execute(const void *opaque, void *in, void *out, void *work)
{
    const state *s = opaque;
    for (int i = 0; i < s->nsweeps; i++) {
        sweep w = s->sweep[i];
        w.line = work;
        walk(s->lines, &w, 0, w.place == SX_SERIAL_ON_OUTPUT ? out : in,
             w.place == SX_SERIAL_ON_INPUT ? in : out);
    }
}

static ptrdiff_t get_bytes(const void *opaque)
{
    return ((const state *)opaque)->bytes;
}

/* ---- creation */

static void free_state(void *opaque)
{
    state *s = opaque;
    if (!s)
        return;
    for (int i = 0; i < s->nsweeps; i++)
        sx_base_free(s->sweep[i].root);
    sx_base_free(s);
}

/* Get the sign of the exponent; 1 for real-to-real kinds, which have none. */
static int get_sign(const sx_serial_problem *p)
{
    if (p->kind == SUBX_FFT_R2C)
        return SUBX_FFT_FORWARD;
    return p->kind == SUBX_FFT_C2C ? p->direction : 1;
}

static int add_sweep(state *s, const sx_serial_problem *p)
{
    sweep *w = &s->sweep[s->nsweeps];
    w->place = sx_serial_get_axis(p, s->nsweeps++, &w->p);
    const ptrdiff_t n = w->p.axis[0].n, bytes = 2 * n * (ptrdiff_t)s->lines->point_bytes;
    w->in_width = sx_serial_get_width(w->p.kind, SX_FROM);
    w->out_width = sx_serial_get_width(w->p.kind, SX_TO);
    w->root = s->lines->create_roots(get_period(w->p.kind, n), get_sign(&w->p));
    s->bytes = bytes > s->bytes ? bytes : s->bytes;
    return w->root ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static int create(const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    int rc = MPI_SUCCESS;
    (void)effort, (void)in, (void)out;
    for (int a = 0; a < p->naxes; a++)
        if (get_period(p->kind, p->axis[a].n) == 0)
            return subx_error_get_code(SUBX_ERR_SERIAL);
    state *s = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    s->lines = precisions[p->precision];
    for (int i = 0; i < p->naxes && !rc; i++)
        rc = add_sweep(s, p);
    if (rc)
        free_state(s);
    else
        *opaque = s;
    return rc;
}

const sx_serial sx_serial_naive = {"naive", serves, suits, create, get_bytes, execute, free_state};
