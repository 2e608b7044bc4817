/* kernel_fold_body.h - the index arithmetic of folds (device.h), for both precisions. */

SX_DEVICE_HOST int sx_device_has_folds(const sx_device_fix *f)
{
    for (int m = 0; m < f->nmaps; m++)
        if (f->map[m].fold.rule)
            return 1;
    return 0;
}

/* ---- the rule ODD: DCT-IV of odd length n by a real transform of length n (Chan and Ho 1990).
 *
 * Output k of a DCT-IV is the sum over i of 2 x[i] cos(2 pi a b / 8n), where a = 2i+1 and b = 2k+1. In place
 * of a one may take -a; or a + 4n and -a + 4n, if x changes its sign. The same is true for b. One of these
 * four numbers is 1 modulo 8, because n is odd; it is known if it is known modulo n. So let a = j and b = 8s
 * modulo n. Then a b = n^2 + 8js modulo 8n, because both sides are equal modulo 8 and modulo n. So the cosine
 * is that of 2 pi n/8 + 2 pi js/n, and output k is a sum of the real and the imaginary part of output s of
 * the Fourier transform of x in the order of j. */

/* Find the index i for a given j, and the sign of x[i]. */
SX_DEVICE_BODY ptrdiff_t sx_device_find_odd_number(ptrdiff_t n, ptrdiff_t j, int *sign)
{
    ptrdiff_t a = j + n * ((n & 7) * (1 + 7 * (j & 7)) & 7);
    a = a > 4 * n ? 8 * n - a : a;
    *sign = a > 2 * n ? -1 : 1;
    a = a > 2 * n ? 4 * n - a : a;
    return (a - 1) / 2;
}

/* Find s for output i, and the sign of this output. */
SX_DEVICE_BODY ptrdiff_t sx_device_find_odd_place(ptrdiff_t n, ptrdiff_t i, int *sign)
{
    const ptrdiff_t rest = (2 * i + 1) & 7, is_negative = rest == 3 || rest == 7;
    ptrdiff_t b = is_negative ? 8 * n - 2 * i - 1 : 2 * i + 1;
    *sign = rest == 3 || rest == 5 ? -1 : 1;
    b = (*sign < 0 ? b + 4 * n : b) % n;
    return (b + n * (7 * (b & 7) * (n & 7) & 7)) / 8;
}

/* ---- all rules */

/* Find the numbers x[i] from which a fold before a transform makes y[j]: i[1] is for an imaginary part, and
 * -1 stands for a zero. Returns the sign of x[i[0]]. */
SX_DEVICE_BODY int sx_device_find_numbers(const sx_device_fold *f, ptrdiff_t j, ptrdiff_t i[2])
{
    const ptrdiff_t n = f->n, middle = n - 1 + 2 * f->shift;
    int sign = 1;
    i[0] = j;
    i[1] = -1;
    if (f->rule == SX_FOLD_EVENS)
        i[0] = 2 * j < n ? 2 * j : 2 * (n - j) - 1;
    else if (f->rule == SX_FOLD_LINE) {
        sign = j > middle && f->shift ? -1 : 1;
        i[0] = (j > middle ? 2 * middle - j : j) - f->shift;
        i[0] = i[0] < n ? i[0] : -1;
    } else if (f->rule == SX_FOLD_HALF)
        i[1] = j == 0 || (2 * j == n && !f->root[2]) ? -1 : n - j;
    else if (f->rule == SX_FOLD_QUARTER) {
        i[0] = 2 * j;
        i[1] = n - 1 - 2 * j;
    } else
        i[0] = sx_device_find_odd_number(n, j, &sign);
    return sign;
}

/* Find the number y[j] from which a fold after a transform makes x[i]. *which becomes the index of its
 * factor, *sign a sign. Returns j. */
SX_DEVICE_BODY ptrdiff_t sx_device_find_place(const sx_device_fold *f, ptrdiff_t i, int *which, int *sign)
{
    const ptrdiff_t n = f->n;
    ptrdiff_t j = i;
    *sign = 1;
    if (f->rule == SX_FOLD_ODD)
        j = sx_device_find_odd_place(n, i, sign);
    *which = f->rule == SX_FOLD_HALF || f->rule == SX_FOLD_ODD ? 2 * j > n : i % 2 != 0;
    switch (f->rule) {
    case SX_FOLD_EVENS:
        return *which ? n - (i + 1) / 2 : i / 2;
    case SX_FOLD_QUARTER:
        return (*which ? n - 1 - i : i) / 2;
    case SX_FOLD_LINE:
        *which = 0;
        return i + f->shift;
    default:
        return *which ? n - j : j;
    }
}
