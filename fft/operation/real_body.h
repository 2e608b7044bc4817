/* real_body.h - multiply rows by tables and wavenumbers, in one precision. real.c includes this file once per
 * precision; REAL is the type, NAME(verb) a function's name. */

typedef REAL NAME(stored)
    __attribute__((aligned(1))); /* arrays and tables of the caller may begin at any address */

/* ---- tables */

/* Get the unit of wavenumbers: pis * pi / length, or 1 if the length is 0. The exact sum of the three
 * constants has more correct digits of pi than a quad can hold. */
static REAL NAME(get_unit)(int pis, double length)
{
    const REAL pi = (REAL)3.141592653589793 + (REAL)1.2246467991473532e-16 + (REAL)-2.9947698097183397e-33;
    return length > 0 ? (REAL)pis * pi / (REAL)length : 1;
}

static void NAME(fill)(sx_waves *w, int axis, ptrdiff_t n, const ptrdiff_t frequency[], int pis,
                       double length, int order, int sign)
{
    REAL *table = (REAL *)w->table + w->first[axis];
    const REAL unit = NAME(get_unit)(pis, length);
    for (ptrdiff_t i = 0; i < n; i++) {
        table[i] = (REAL)sign;
        for (int k = 0; k < order; k++)
            table[i] *= unit * (REAL)frequency[i];
    }
}

static const REAL *NAME(get_table)(const sx_waves *w, const sx_operation_row *row, int axis)
{
    return (const REAL *)w->table + w->first[axis] + row->at[axis];
}

/* ---- products of a row and the entries of all axes; factors are computed for a few elements at a time */

static inline void NAME(scale_strided)(NAME(stored) *restrict x, ptrdiff_t n, ptrdiff_t stride, int width,
                                       const REAL *restrict factor)
{
    for (ptrdiff_t i = 0; i < n; i++)
        for (int k = 0; k < width; k++)
            x[i * stride + k] *= factor[i];
}

/* Multiply by i * factor. */
static void NAME(rotate)(NAME(stored) * x, ptrdiff_t n, ptrdiff_t stride, const REAL *factor)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        const REAL re = x[i * stride];
        x[i * stride] = -factor[i] * x[i * stride + 1];
        x[i * stride + 1] = factor[i] * re;
    }
}

/* Multiply elements i .. i+n-1 of a row. The usual strides are passed as constants: compilers produce faster
 * code for them. */
static void NAME(scale)(const sx_waves *w, const sx_operation_row *row, ptrdiff_t i, ptrdiff_t n,
                        const REAL *factor)
{
    const ptrdiff_t stride = row->stride * w->width;
    NAME(stored) *x = (NAME(stored) *)row->data + i * stride;
    if (w->is_turned)
        NAME(rotate)(x, n, stride, factor);
    else if (stride == 2 && w->width == 2)
        NAME(scale_strided)(x, n, 2, 2, factor);
    else if (stride == 1)
        NAME(scale_strided)(x, n, 1, 1, factor);
    else
        NAME(scale_strided)(x, n, stride, w->width, factor);
}

static void NAME(derive)(const sx_waves *w, const sx_operation_row *row)
{
    const REAL *along = NAME(get_table)(w, row, row->axis);
    REAL common = 1, factor[SX_OPERATION_PIECE];
    for (int a = 0; a < row->ndims; a++)
        common *= a == row->axis ? 1 : *NAME(get_table)(w, row, a);
    for (ptrdiff_t i = 0; i < row->n; i += SX_OPERATION_PIECE) {
        const ptrdiff_t n = row->n - i < SX_OPERATION_PIECE ? row->n - i : SX_OPERATION_PIECE;
        for (ptrdiff_t k = 0; k < n; k++)
            factor[k] = common * along[i + k];
        NAME(scale)(w, row, i, n, factor);
    }
}

/* Set each y to x^power. A negative power of 0 is 0. */
static void NAME(raise)(const REAL *restrict x, ptrdiff_t n, int power, REAL *restrict y)
{
    for (ptrdiff_t k = 0; k < n; k++)
        y[k] = power ? x[k] : 1;
    for (int q = power < 0 ? -power : power; q > 1; q--)
        for (ptrdiff_t k = 0; k < n; k++)
            y[k] *= x[k];
    for (ptrdiff_t k = 0; k < n && power < 0; k++)
        y[k] = y[k] != 0 ? 1 / y[k] : 0;
}

static void NAME(laplace)(const sx_waves *w, const sx_operation_row *row)
{
    const REAL *along = NAME(get_table)(w, row, row->axis);
    REAL common = 0, sum[SX_OPERATION_PIECE], factor[SX_OPERATION_PIECE];
    for (int a = 0; a < row->ndims; a++)
        common += a == row->axis ? 0 : *NAME(get_table)(w, row, a);
    for (ptrdiff_t i = 0; i < row->n; i += SX_OPERATION_PIECE) {
        const ptrdiff_t n = row->n - i < SX_OPERATION_PIECE ? row->n - i : SX_OPERATION_PIECE;
        for (ptrdiff_t k = 0; k < n; k++)
            sum[k] = common + along[i + k];
        NAME(raise)(sum, n, w->power, factor);
        NAME(scale)(w, row, i, n, factor);
    }
}

/* ---- products of a row and a row of factors */

static inline void NAME(multiply_complex)(NAME(stored) *restrict x, ptrdiff_t xs,
                                          const NAME(stored) *restrict y, ptrdiff_t ys, ptrdiff_t n,
                                          REAL sign)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        const REAL re = x[i * xs], im = x[i * xs + 1], yre = y[i * ys], yim = sign * y[i * ys + 1];
        x[i * xs] = re * yre - im * yim;
        x[i * xs + 1] = re * yim + im * yre;
    }
}

static void NAME(multiply_real)(NAME(stored) *restrict x, ptrdiff_t xs, const NAME(stored) *restrict y,
                                ptrdiff_t ys, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++)
        x[i * xs] *= y[i * ys];
}

static void NAME(multiply)(const sx_operation_row *row, int width, int is_conjugate)
{
    const REAL sign = is_conjugate ? -1 : 1;
    const NAME(stored) *factor = (const NAME(stored) *)(const void *)row->factor;
    if (width == 1)
        NAME(multiply_real)(row->data, row->stride, factor, row->factor_stride, row->n);
    else if (row->stride == 1 && row->factor_stride == 1)
        NAME(multiply_complex)(row->data, 2, factor, 2, row->n, sign);
    else
        NAME(multiply_complex)(row->data, 2 * row->stride, factor, 2 * row->factor_stride, row->n, sign);
}

static const sx_operation_real NAME(real) = {NAME(fill), NAME(derive), NAME(laplace), NAME(multiply)};
