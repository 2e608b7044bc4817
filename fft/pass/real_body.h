/* real_body.h - scale, add, and convert from and to float, in one precision. real.c includes this file once
 * per precision; REAL is the type, NAME(verb) a function's name. */

/* Get a square root in the type REAL, for which the system may have no function: Newton's iteration, from the
 * root in double. */
static REAL NAME(get_root)(double square)
{
    REAL root = (REAL)sqrt(square);
    for (int k = 0; k < 2; k++)
        root = (root + (REAL)square / root) / 2;
    return root;
}

typedef REAL NAME(stored) __attribute__((aligned(1))); /* arrays may begin at any address */

static void NAME(multiply)(NAME(stored) * a, ptrdiff_t n, REAL factor)
{
    for (ptrdiff_t i = 0; i < n; i++)
        a[i] *= factor;
}

static void NAME(scale)(void *x, ptrdiff_t n, double volume, int roots)
{
    NAME(multiply)(x, n, 1 / (roots == 2 ? (REAL)volume : NAME(get_root)(volume)));
}

static void NAME(weigh)(void *x, ptrdiff_t n, double square)
{
    NAME(multiply)(x, n, NAME(get_root)(square));
}

static void NAME(add)(void *x, const void *y, ptrdiff_t n)
{
    REAL *a = x;
    const REAL *b = y;
    for (ptrdiff_t i = 0; i < n; i++)
        a[i] += b[i];
}

/* The conversions have inner loops of length 8: with the usual option -O2, GCC vectorizes only loops of a
 * known length. */
static void NAME(widen)(void *restrict x, const float *restrict y, ptrdiff_t n)
{
    REAL *a = x;
    ptrdiff_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            a[i + k] = y[i + k];
    for (; i < n; i++)
        a[i] = y[i];
}

static void NAME(narrow)(float *restrict y, const void *restrict x, ptrdiff_t n)
{
    const REAL *a = x;
    ptrdiff_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            y[i + k] = (float)a[i + k];
    for (; i < n; i++)
        y[i] = (float)a[i];
}
