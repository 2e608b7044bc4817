/* factored_axis.c - the factors between the two transforms of a factored axis of length N (Bailey 1990).
 * Entry k of axis 0 and element j of axis 1 have the factor w^m, with w = exp(-2 pi i/N) and m = k j. It is
 * the product of two numbers from tables of about sqrt(N) entries: w^m = w^(m - m mod S) w^(m mod S). */
#include "fused/fused.h"
#include <complex.h>
#include <math.h>

typedef struct table {
    ptrdiff_t step;            /* S, a power of two */
    long double complex *low;  /* [m], m < S: w^m, for arrays of long double */
    long double complex *high; /* [m]: w^(mS) */
    double complex *low_double, *high_double;
} table;

static ptrdiff_t get_step(ptrdiff_t n)
{
    ptrdiff_t step = 1;
    while (step < n / step)
        step *= 2;
    return step;
}

static long double complex get_root(ptrdiff_t m, ptrdiff_t n)
{
    const long double angle = -2 * acosl(-1.0L) * (long double)m / (long double)n;
    return cosl(angle) + sinl(angle) * I;
}

static void fill(table *t, ptrdiff_t n, ptrdiff_t nhigh)
{
    for (ptrdiff_t m = 0; m < t->step; m++)
        t->low_double[m] = (double complex)(t->low[m] = get_root(m, n));
    for (ptrdiff_t m = 0; m < nhigh; m++)
        t->high_double[m] = (double complex)(t->high[m] = get_root(m * t->step, n));
}

/* Allocate and fill the tables, in one piece of memory with the struct. The tables of long double come first,
 * because they need a larger alignment than the tables of double. */
static table *create(ptrdiff_t n)
{
    const ptrdiff_t step = get_step(n), nhigh = n / step + 1, both = step + nhigh;
    const ptrdiff_t head = (ptrdiff_t)(sizeof(table) / sizeof(long double complex) + 1);
    table *t = sx_base_alloc(head + both + (both + 1) / 2 + 1, sizeof(long double complex));
    if (!t)
        return NULL;
    t->step = step;
    t->low = (long double complex *)(void *)t + head;
    t->high = t->low + step;
    t->low_double = (double complex *)(void *)(t->high + nhigh);
    t->high_double = t->low_double + step;
    fill(t, n, nhigh);
    return t;
}

int sx_fused_create_twiddles(subx_fft_plan plan)
{
    const sx_array *a = &plan->choice.array;
    sx_fused *f = plan->state;
    int rc = MPI_SUCCESS;
    if (!a->factored)
        return MPI_SUCCESS;
    if (a->precision == SUBX_FFT_QUAD)
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    f->twiddles = create(a->axis[0].n * a->axis[1].n);
    rc = f->twiddles ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    return sx_base_agree(plan->all, rc, NULL);
}

/* A box that is multiplied: its first indices k and j; its lengths and strides along axis 0, axis 1, and the
 * axis of the fields. */
typedef struct box {
    ptrdiff_t k, j, n[3], stride[3];
    int is_backward;
} box;

#define MULTIPLY(name, element, factor, lows, highs, conjugate)                                              \
    static void name(const table *t, const box *b, element *data)                                            \
    {                                                                                                        \
        for (ptrdiff_t k = 0; k < b->n[0]; k++)                                                              \
            for (ptrdiff_t j = 0; j < b->n[1]; j++) {                                                        \
                const ptrdiff_t m = (b->k + k) * (b->j + j);                                                 \
                factor w = t->highs[m / t->step] * t->lows[m & (t->step - 1)];                               \
                w = b->is_backward ? conjugate(w) : w;                                                       \
                element *x = data + k * b->stride[0] + j * b->stride[1];                                     \
                for (ptrdiff_t i = 0; i < b->n[2]; i++)                                                      \
                    x[i * b->stride[2]] = (element)(x[i * b->stride[2]] * w);                                \
            }                                                                                                \
    }
MULTIPLY(multiply_float, float complex, double complex, low_double, high_double, conj)
MULTIPLY(multiply_double, double complex, double complex, low_double, high_double, conj)
MULTIPLY(multiply_long, long double complex, long double complex, low, high, conjl)

void sx_fused_multiply_twiddles(void *context, int thread, int ndims, const ptrdiff_t lo[],
                                const ptrdiff_t n[], const ptrdiff_t stride[], void *data)
{
    const sx_fused_call *c = context;
    const table *t = ((sx_fused *)c->plan->state)->twiddles;
    const sx_box *at = &c->plan->stage[c->step->i].to;
    const box b = {lo[0] + at->start[0],
                   lo[1] + at->start[1],
                   {n[0], n[1], ndims > 2 ? n[2] : 1},
                   {stride[0], stride[1], ndims > 2 ? stride[2] : 0},
                   c->step->d == SX_BACKWARD};
    (void)thread;
    if (c->plan->choice.array.precision == SUBX_FFT_FLOAT)
        multiply_float(t, &b, data);
    else if (c->plan->choice.array.precision == SUBX_FFT_DOUBLE)
        multiply_double(t, &b, data);
    else
        multiply_long(t, &b, data);
}
