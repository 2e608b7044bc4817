/* naive_body.h - transforms of lines by the definition, in one precision. naive.c includes this file once per
 * precision. REAL is the type of the arrays, WIDE the type of sums, FINE the type in which factors are
 * computed, OF(name) a name of ours. */

typedef REAL OF(stored) __attribute__((aligned(1))); /* arrays may begin at any address */

typedef struct OF(point) {
    WIDE re, im;
} OF(point);

/* ---- roots */

typedef struct OF(root) {
    FINE re, im;
} OF(root);

/* Get cosine and sine of 2 pi k/n. For angles up to an eighth of the circle, 16 terms of their series are
 * exact to 2^-113. Larger angles are reduced by symmetry in integers, which has no rounding errors. */
static OF(root) OF(get_root)(ptrdiff_t k, ptrdiff_t n)
{
    /* The exact sum of these three constants is pi to 160 bits, which is enough for any type FINE. */
    const FINE pi = (FINE)0x1.921fb54442d18p+1 + ((FINE)0x1.1a62633145c07p-53 - (FINE)0x1.f1976b7ed8fbcp-109);
    OF(root) p = {1, 1};
    if (2 * k > n) {
        p = OF(get_root)(n - k, n);
        return (OF(root)){p.re, -p.im};
    }
    if (4 * k > n) {
        p = OF(get_root)(n - 2 * k, 2 * n);
        return (OF(root)){-p.re, p.im};
    }
    if (8 * k > n) {
        p = OF(get_root)(n - 4 * k, 4 * n);
        return (OF(root)){p.im, p.re};
    }
    const FINE angle = 2 * pi * (FINE)k / (FINE)n;
    for (int i = 30; i > 0; i -= 2) {
        p.re = 1 - angle * angle * p.re / (FINE)(i * (i - 1));
        p.im = 1 - angle * angle * p.im / (FINE)(i * (i + 1));
    }
    return (OF(root)){p.re, angle * p.im};
}

static void *OF(create_roots)(ptrdiff_t period, int sign)
{
    OF(point) *root = sx_base_alloc(period, sizeof *root);
    for (ptrdiff_t k = 0; root && k < period; k++) {
        const OF(root) r = OF(get_root)(k, period);
        root[k] = (OF(point)){(WIDE)r.re, (WIDE)(sign * r.im)};
    }
    return root;
}

/* ---- sums of the first line of the work space, which are written to the second line */

static void OF(sum_complex)(const sweep *w, ptrdiff_t n)
{
    const OF(point) *in = w->line, *root = w->root;
    OF(point) *out = (OF(point) *)w->line + n;
    for (ptrdiff_t k = 0; k < n; k++) {
        WIDE re = 0, im = 0;
        for (ptrdiff_t j = 0, jk = 0; j < n; j++) {
            re += in[j].re * root[jk].re - in[j].im * root[jk].im;
            im += in[j].re * root[jk].im + in[j].im * root[jk].re;
            jk += k; /* j k modulo n, without overflow */
            jk -= jk >= n ? n : 0;
        }
        out[k] = (OF(point)){re, im};
    }
}

static void OF(sum_real)(const sweep *w, ptrdiff_t n)
{
    const int kind = w->p.kind;
    const rule *r = &rules[kind];
    const ptrdiff_t period = get_period(kind, n);
    const OF(point) *root = w->root;
    OF(point) *in = w->line, *out = in + n;
    for (ptrdiff_t j = 0; j < n; j++)
        in[j].re *= (WIDE)get_weight(kind, n, j);
    for (ptrdiff_t k = 0; k < n; k++) {
        const ptrdiff_t factor = r->k * k + r->k0, step = r->j * factor % period;
        WIDE sum = 0;
        for (ptrdiff_t j = 0, at = r->j0 * factor % period; j < n; j++) {
            const int parts = get_parts(kind, n, j, k);
            sum += in[j].re * ((parts & COSINE ? root[at].re : 0) + (parts & SINE ? root[at].im : 0));
            at += step;
            at -= at >= period ? period : 0;
        }
        out[k] = (OF(point)){sum, 0};
    }
}

/* ---- lines */

static void OF(load)(const sweep *w, sx_dim d, ptrdiff_t count, const OF(stored) * from)
{
    OF(point) *line = w->line;
    for (ptrdiff_t j = 0; j < count; j++) {
        const OF(stored) *x = from + j * d.is * w->in_width;
        line[j] = (OF(point)){x[0], w->in_width == 2 ? x[1] : 0};
    }
}

static void OF(store)(const sweep *w, sx_dim d, ptrdiff_t count, OF(stored) * to)
{
    const OF(point) *line = (const OF(point) *)w->line + d.n;
    for (ptrdiff_t k = 0; k < count; k++) {
        OF(stored) *x = to + k * d.os * w->out_width;
        x[0] = (REAL)line[k].re;
        if (w->out_width == 2)
            x[1] = (REAL)line[k].im;
    }
}

/* Set the second half of a spectrum of real data to the conjugate of the first half. Such a spectrum has no
 * imaginary parts at 0 and n/2: imaginary parts there are ignored, as in FFTW. */
static void OF(mirror)(const sweep *w, ptrdiff_t n)
{
    OF(point) *line = w->line;
    line[0].im = 0;
    for (ptrdiff_t k = 1; k < sx_serial_get_half(n); k++)
        line[n - k] = (OF(point)){line[k].re, 2 * k == n ? 0 : -line[k].im};
}

static void OF(transform)(const sweep *w, const void *in, void *out)
{
    const sx_dim d = w->p.axis[0];
    const ptrdiff_t n = d.n, half = sx_serial_get_half(n);
    OF(load)(w, d, w->in_width > w->out_width ? half : n, in);
    if (w->in_width > w->out_width)
        OF(mirror)(w, n);
    if (sx_serial_is_r2r(w->p.kind))
        OF(sum_real)(w, n);
    else
        OF(sum_complex)(w, n);
    OF(store)(w, d, w->in_width < w->out_width ? half : n, out);
}

static const lines OF(lines) = {sizeof(OF(point)), OF(create_roots), OF(transform)};

#undef REAL
#undef WIDE
#undef FINE
#undef OF
