/* naive.c - the transform by its definition, with n^2 operations per line: always built, and the oracle for
 * the fast backends. */
#include "serial/serial.h"
#include <complex.h>
#include <math.h>

typedef double complex cplx;

typedef struct state {
    sx_serial_problem p;
    cplx *root[SUBX_NDIMS_MAX]; /* of axis a: exp(sign 2 pi i k/n), k = 0 .. n-1 */
    cplx *line;                 /* two lines of the longest axis: the input, then the output */
    ptrdiff_t longest;
} state;

/* ---- one line: from s->line to s->line + s->longest */

static void transform_line(const state *s, int a, ptrdiff_t n)
{
    const cplx *in = s->line, *root = s->root[a];
    cplx *out = s->line + s->longest;
    for (ptrdiff_t k = 0; k < n; k++) {
        cplx sum = 0;
        for (ptrdiff_t j = 0, jk = 0; j < n; j++) {
            sum += in[j] * root[jk];
            jk += k; /* j k modulo n, without overflow */
            jk -= jk >= n ? n : 0;
        }
        out[k] = sum;
    }
}

static void do_c2c(const state *s, int a, ptrdiff_t is, ptrdiff_t os, const cplx *in, cplx *out)
{
    ptrdiff_t n = s->p.axis[a].n;
    for (ptrdiff_t j = 0; j < n; j++)
        s->line[j] = in[j * is];
    transform_line(s, a, n);
    for (ptrdiff_t k = 0; k < n; k++)
        out[k * os] = s->line[s->longest + k];
}

static void do_r2c(const state *s, int a, const double *in, cplx *out)
{
    sx_serial_dim d = s->p.axis[a];
    for (ptrdiff_t j = 0; j < d.n; j++)
        s->line[j] = in[j * d.is];
    transform_line(s, a, d.n);
    for (ptrdiff_t k = 0; k < sx_serial_get_half(d.n); k++)
        out[k * d.os] = s->line[s->longest + k];
}

/* The second half of a line is the conjugate of the first. The spectrum of a real line has no imaginary parts
 * at 0 and n/2; they are ignored, as FFTW does. */
static void do_c2r(const state *s, int a, const cplx *in, double *out)
{
    sx_serial_dim d = s->p.axis[a];
    for (ptrdiff_t k = 0; k < sx_serial_get_half(d.n); k++) {
        s->line[k] = in[k * d.is];
        if (k > 0)
            s->line[d.n - k] = conj(in[k * d.is]);
    }
    s->line[0] = creal(s->line[0]);
    if (d.n % 2 == 0)
        s->line[d.n / 2] = creal(in[d.n / 2 * d.is]);
    transform_line(s, a, d.n);
    for (ptrdiff_t j = 0; j < d.n; j++)
        out[j * d.os] = creal(s->line[s->longest + j]);
}

/* ---- one axis */

/* A sweep transforms all lines along an axis: from the input to the output, or in place on one of them. */

enum { ACROSS, ON_INPUT, ON_OUTPUT };

typedef struct sweep {
    const state *s;
    int a, place, nloops;
    sx_serial_dim loop[SUBX_NDIMS_MAX];
} sweep;

static sx_serial_dim on_side(sx_serial_dim d, int place)
{
    if (place == ON_INPUT)
        d.os = d.is;
    if (place == ON_OUTPUT)
        d.is = d.os;
    return d;
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
        if (p->kind != SUBX_FFT_C2C && i == p->naxes - 1)
            d.n = sx_serial_get_half(d.n);
        w->loop[w->nloops++] = d;
    }
}

/* An element is 1 double on the real side (its width), and 2 on the complex side. */
static void walk(const sweep *w, int level, double *in, double *out, int in_width, int out_width)
{
    if (level < w->nloops) {
        const sx_serial_dim *d = &w->loop[level];
        for (ptrdiff_t i = 0; i < d->n; i++)
            walk(w, level + 1, in + i * d->is * in_width, out + i * d->os * out_width, in_width, out_width);
        return;
    }
    sx_serial_dim d = on_side(w->s->p.axis[w->a], w->place);
    if (in_width == 1)
        do_r2c(w->s, w->a, in, (cplx *)out);
    else if (out_width == 1)
        do_c2r(w->s, w->a, (const cplx *)in, out);
    else
        do_c2c(w->s, w->a, d.is, d.os, (const cplx *)in, (cplx *)out);
}

static void do_sweep(const state *s, int a, int place, void *in, void *out)
{
    sweep w = {.s = s, .a = a, .place = place};
    int halved = s->p.kind != SUBX_FFT_C2C && a == s->p.naxes - 1;
    set_loops(&w);
    walk(&w, 0, in, out, halved && s->p.kind == SUBX_FFT_R2C ? 1 : 2,
         halved && s->p.kind == SUBX_FFT_C2R ? 1 : 2);
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

/* In long double, since an oracle should add no errors of its own. */
static cplx *create_roots(ptrdiff_t n, int direction)
{
    const long double two_pi = 2 * acosl(-1.0L);
    cplx *root = sx_base_alloc(n, sizeof *root);
    for (ptrdiff_t k = 0; root && k < n; k++) {
        long double angle = two_pi * (long double)k / (long double)n;
        root[k] = (double)cosl(angle) + direction * (double)sinl(angle) * I;
    }
    return root;
}

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

static int create(const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    (void)effort, (void)in, (void)out;
    state *s = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get(SUBX_ERR_NO_MEM);
    s->p = *p;
    int ok = 1;
    for (int a = 0; a < p->naxes; a++) {
        s->root[a] = create_roots(p->axis[a].n, p->direction);
        ok = ok && s->root[a];
        s->longest = p->axis[a].n > s->longest ? p->axis[a].n : s->longest;
    }
    s->line = sx_base_alloc(2 * s->longest, sizeof *s->line);
    if (!ok || !s->line) {
        free_state(s);
        return subx_error_get(SUBX_ERR_NO_MEM);
    }
    *opaque = s;
    return MPI_SUCCESS;
}

const sx_serial sx_serial_naive = {"naive", 0, create, execute, free_state};
