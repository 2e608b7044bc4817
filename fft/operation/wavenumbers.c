/* wavenumbers.c - derivatives and powers of the Laplacian: they multiply by wavenumbers, which are in a table
 * per axis. */
#include "operation/operation.h"
#include <math.h>

/* ---- tables */

static ptrdiff_t get_longest(const sx_array *a)
{
    ptrdiff_t longest = 0;
    for (int i = 0; i < a->ndims; i++)
        longest = a->axis[i].spectral > longest ? a->axis[i].spectral : longest;
    return longest;
}

/* Allocate the struct and behind it the tables, in one piece of memory. */
static sx_waves *create(const sx_array *a)
{
    ptrdiff_t count = 0;
    for (int i = 0; i < a->ndims; i++)
        count += a->axis[i].spectral;
    const ptrdiff_t head = sx_base_round_up(sizeof(sx_waves));
    sx_waves *w = sx_base_alloc(head + count * a->real_bytes, 1);
    if (!w)
        return NULL;
    w->ndims = a->ndims;
    w->width = a->width[SUBX_FFT_SPECTRAL];
    w->element = w->width * a->real_bytes;
    w->real = sx_operation_real_get(a->precision);
    w->table = (char *)w + head;
    for (int i = 1; i < a->ndims; i++)
        w->first[i] = w->first[i - 1] + a->axis[i - 1].spectral;
    return w;
}

/* Query whether a kind has Fourier series, whose frequencies count whole periods. Series of cosines or sines
 * count half periods. */
static int is_periodic(int kind)
{
    return kind == SUBX_FFT_C2C || kind == SUBX_FFT_R2C || kind == SUBX_FFT_DHT || kind == SUBX_FFT_R2HC;
}

/* If the number of modes is even, an odd derivative sets entry modes/2 to 0: the terms of +modes/2 and
 * -modes/2 cancel. */
static void drop_highest(const sx_axis *x, int order, ptrdiff_t frequency[])
{
    for (ptrdiff_t i = 0; i < x->spectral; i++)
        if (order % 2 && 2 * frequency[i] == x->modes)
            frequency[i] = 0;
}

/* Fill the table of an axis. `length` is one period of a Fourier series, or half a period of a series of
 * cosines or sines. */
static void fill(const sx_array *a, int axis, double length, int order, int sign, ptrdiff_t frequency[],
                 sx_waves *w)
{
    const sx_axis *x = &a->axis[axis];
    (void)sx_array_get_frequencies(x->kind, x->modes, 0, x->spectral, frequency);
    drop_highest(x, order, frequency);
    w->real->fill(w, axis, x->spectral, frequency, is_periodic(x->kind) ? 2 : 1, length, order, sign);
}

/* ---- arguments */

/* Refuse derivatives of odd order of a series of cosines or sines. The derivative of a series of cosines is a
 * series of sines, which the plan cannot transform back; the second derivative is a series of cosines
 * again. */
static int check_order(const sx_axis *x, int order)
{
    const int has_odd = x->kind == SUBX_FFT_C2C || x->kind == SUBX_FFT_R2C;
    if (order < 0 || (order > 0 && x->kind == SUBX_FFT_NONE))
        return subx_error_get_code(SUBX_ERR_ARG);
    return order % 2 && !has_odd ? subx_error_get_code(SUBX_ERR_UNAVAILABLE) : MPI_SUCCESS;
}

static int check_lengths(const subx_fft_problem p, const double lengths[])
{
    for (int i = 0; i < p->ndims; i++) {
        if (sx_array_get_frequencies(p->kinds[i], p->modes[i], 0, 0, NULL))
            return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
        if (lengths && p->kinds[i] != SUBX_FFT_NONE && !(lengths[i] > 0 && lengths[i] < HUGE_VAL))
            return subx_error_get_code(SUBX_ERR_ARG);
    }
    return MPI_SUCCESS;
}

static int check(subx_fft_plan plan, const double lengths[], const subx_fft_operation *operation)
{
    const int rc = operation ? sx_plan_check_operation(plan) : subx_error_get_code(SUBX_ERR_ARG);
    return rc ? rc : check_lengths(plan->choice.problem, lengths);
}

/* ---- derivatives */

static void derive(const void *waves, const sx_operation_row *row)
{
    const sx_waves *w = waves;
    w->real->derive(w, row);
}

static void call_derivative(const void *waves, const sx_operation_box *box)
{
    sx_operation_visit(box, ((const sx_waves *)waves)->element, NULL, derive, waves);
}

/* The factor of an element is the product of (i k)^order over all axes. This is a real number times a power
 * of i, whose exponent is the sum of all orders. */
static void fill_derivative(const sx_array *a, const double lengths[], const int orders[],
                            ptrdiff_t frequency[], sx_waves *w)
{
    int turns = 0;
    for (int i = 0; i < a->ndims; i++)
        turns += i == a->fields ? 0 : orders[i] % 4;
    w->is_turned = turns % 2;
    for (int i = 0; i < a->ndims; i++)
        fill(a, i, lengths && i != a->fields ? lengths[i] : 0, i == a->fields ? 0 : orders[i],
             i == 0 && turns % 4 >= 2 ? -1 : 1, frequency, w);
}

int subx_fft_operation_create_derivative(subx_fft_plan plan, const double lengths[], const int orders[],
                                         subx_fft_operation *operation)
{
    if (operation)
        *operation = SUBX_FFT_OPERATION_NULL;
    int rc = orders ? check(plan, lengths, operation) : subx_error_get_code(SUBX_ERR_ARG);
    if (rc)
        return rc;
    const sx_array *a = &plan->choice.array;
    for (int i = 0; i < plan->choice.problem->ndims && !rc; i++)
        rc = check_order(&a->axis[i], orders[i]);
    if (rc)
        return rc;
    ptrdiff_t *frequency = sx_base_alloc(get_longest(a), sizeof *frequency);
    sx_waves *w = frequency ? create(a) : NULL;
    if (w)
        fill_derivative(a, lengths, orders, frequency, w);
    sx_base_free(frequency);
    return sx_operation_create(SX_OPERATION_DERIVATIVE, call_derivative, w, operation);
}

/* ---- Laplacians */

static void apply_laplacian(const void *waves, const sx_operation_row *row)
{
    const sx_waves *w = waves;
    w->real->laplace(w, row);
}

static void call_laplacian(const void *waves, const sx_operation_box *box)
{
    sx_operation_visit(box, ((const sx_waves *)waves)->element, NULL, apply_laplacian, waves);
}

/* The axis of the fields has no wavenumber: its table is 0. */
static void fill_laplacian(const sx_array *a, const double lengths[], ptrdiff_t frequency[], sx_waves *w)
{
    for (int i = 0; i < a->ndims; i++)
        if (i != a->fields)
            fill(a, i, lengths ? lengths[i] : 0, 2, -1, frequency, w);
}

int subx_fft_operation_create_laplacian(subx_fft_plan plan, const double lengths[], int power,
                                        subx_fft_operation *operation)
{
    if (operation)
        *operation = SUBX_FFT_OPERATION_NULL;
    int rc = check(plan, lengths, operation);
    if (rc)
        return rc;
    const sx_array *a = &plan->choice.array;
    ptrdiff_t *frequency = sx_base_alloc(get_longest(a), sizeof *frequency);
    sx_waves *w = frequency ? create(a) : NULL;
    if (w) {
        fill_laplacian(a, lengths, frequency, w);
        w->power = power;
    }
    sx_base_free(frequency);
    return sx_operation_create(SX_OPERATION_LAPLACIAN, call_laplacian, w, operation);
}
