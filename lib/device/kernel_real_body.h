/* kernel_real_body.h - the bodies of the kernels that compute, in one precision. It is included once per
 * type, after kernel_body.h, with REAL (the type) and NAME(verb) (function names). */

/* ---- copies that change lengths */

/* Find the elements from which the element at index j is computed, by the rules of a map. Returns the index
 * of the first one;
 * -1 for a zero. *other becomes the index of an element to add, or -1. *weight becomes the factor of the
 * sum. */
SX_DEVICE_BODY ptrdiff_t NAME(map_index)(const sx_device_map *m, ptrdiff_t j, REAL *weight, ptrdiff_t *other)
{
    *weight = j == m->edge || j == m->mirror ? (REAL)m->weight : 1;
    *other = j == m->edge ? m->other : -1;
    if (j == m->mirror)
        return m->edge;
    if (j < m->low)
        return j;
    return j >= m->second ? j + m->shift : -1;
}

/* What an element that is written at some index of an axis is made of: the elements that are read at the
 * indices at[0] and other, or, if it is a complex number that a fold makes, its two parts at at[0] and at[1].
 * -1 stands for a zero. They are multiplied by weight[0] and weight[1], then by a complex factor. */
typedef struct NAME(source) {
    ptrdiff_t at[2], other;
    REAL weight[2], re, im;
} NAME(source);

/* Get the root of unity exp(-2 pi i m / n). First m is reduced to the part that is left after the nearest
 * quarter of the circle: a large angle would lose digits when it is rounded to REAL. */
SX_DEVICE_BODY void NAME(compute_root)(ptrdiff_t m, ptrdiff_t n, REAL *re, REAL *im)
{
    const double quarter = 1.57079632679489661923132169163975144;
    const ptrdiff_t q = (8 * m + n) / (2 * n), rest = 4 * m - q * n;
    const REAL angle = (REAL)(quarter * ((double)rest / (double)n));
    const REAL c = COSINE(angle), s = SINE(angle), x = q & 1 ? -s : c, y = q & 1 ? c : s;
    *re = q & 2 ? -x : x;
    *im = q & 2 ? y : -y;
}

/* Get the root by which a fold multiplies y[j]. */
SX_DEVICE_BODY void NAME(get_root)(const sx_device_fold *f, ptrdiff_t j, REAL *re, REAL *im)
{
    *re = 1;
    *im = 0;
    if (f->root[2])
        NAME(compute_root)(f->root[0] * j + f->root[1], f->root[2], re, im);
}

SX_DEVICE_BODY REAL NAME(get_end)(const sx_device_fold *f, ptrdiff_t i)
{
    const REAL sign = f->alternates && i % 2 ? -1 : 1;
    return sign * (i == 0 ? (REAL)f->ends[0] : 1) * (i == f->n - 1 ? (REAL)f->ends[1] : 1);
}

/* The rules of a map, and then those of its fold, in the order of the data: first the axis gets its length,
 * and then the fold makes y[j]. */
SX_DEVICE_BODY void NAME(fold_before)(const sx_device_map *m, ptrdiff_t j, NAME(source) * s)
{
    const sx_device_fold *f = &m->fold;
    ptrdiff_t number[2], none;
    const int sign = sx_device_find_numbers(f, j, number);
    for (int k = 0; k < 2; k++) {
        const ptrdiff_t i = f->is_reversed ? f->n - 1 - number[k] : number[k];
        REAL weight = 0;
        s->at[k] = number[k] < 0 ? -1 : NAME(map_index)(m, i, &weight, &none);
        s->weight[k] = weight * NAME(get_end)(f, i) * (k ? (REAL)f->imaginary : (REAL)sign);
    }
    NAME(get_root)(f, j, &s->re, &s->im);
}

/* Add the factor with which x[i] is made. Returns the index of the number that it is made of. */
SX_DEVICE_BODY ptrdiff_t NAME(add_factor)(const sx_device_fold *f, ptrdiff_t i, REAL weight, NAME(source) * s)
{
    int which, sign;
    REAL re, im;
    const ptrdiff_t j = sx_device_find_place(f, f->is_reversed ? f->n - 1 - i : i, &which, &sign);
    const REAL a = (REAL)f->factor[which][0], b = (REAL)f->factor[which][1];
    NAME(get_root)(f, j, &re, &im);
    weight *= NAME(get_end)(f, i) * (REAL)sign;
    s->re += weight * (a * re - b * im);
    s->im += weight * (a * im + b * re);
    return j;
}

/* The fold makes x with its full length, and the rules of the map cut it. If they add two elements of x, both
 * are made of the same y. */
SX_DEVICE_BODY void NAME(fold_after)(const sx_device_map *m, ptrdiff_t j, NAME(source) * s)
{
    ptrdiff_t other;
    REAL weight;
    const ptrdiff_t i = NAME(map_index)(m, j, &weight, &other);
    s->re = 0;
    s->at[0] = s->at[1] = NAME(add_factor)(&m->fold, i, weight, s);
    if (other >= 0)
        (void)NAME(add_factor)(&m->fold, other, weight, s);
}

SX_DEVICE_BODY void NAME(map_element)(const sx_device_map *m, ptrdiff_t j, int folds, NAME(source) * s)
{
    if (folds && m->fold.rule && m->fold.is_after)
        NAME(fold_after)(m, j, s);
    else if (folds && m->fold.rule)
        NAME(fold_before)(m, j, s);
    else {
        s->at[0] = s->at[1] = NAME(map_index)(m, j, &s->weight[0], &s->other);
        s->weight[1] = s->weight[0];
    }
}

/* Keep the complex factor of a fold until all levels are known. */
SX_DEVICE_BODY void NAME(set_factor)(const sx_device_fold *f, const NAME(source) * s, REAL take[],
                                     REAL make[])
{
    if (f->rule && f->is_after) {
        take[0] = s->re;
        take[1] = s->im;
    } else if (f->rule) {
        make[0] = s->re;
        make[1] = s->im;
    }
}

/* Read a real, or take it from a complex number. `more` is the distance to an element that is added, 0 for
 * none. */
SX_DEVICE_BODY REAL NAME(read_number)(int takes, const REAL *x, ptrdiff_t more, REAL re, REAL im)
{
    const REAL value = more ? x[0] + x[more] : x[0];
    return takes ? re * value - im * x[1] : re * value;
}

/* Write element i. A complex number that is made of two reals has two places to read, else there is one.
 * `folds` is 1 if a map has a fold. Where it is a constant 0, the compiler leaves out all that belongs to
 * folds. Loops over the two places have a constant length, so that their arrays stay in registers. */
SX_DEVICE_BODY void NAME(fix_element)(const sx_device_fix *f, ptrdiff_t i, int folds, const REAL *from,
                                      REAL *to)
{
    const int makes = folds && f->makes, takes = folds && f->takes;
    REAL weight[2] = {(REAL)f->factor, (REAL)f->factor}, take[2] = {1, 0}, make[2] = {1, 0}, x[2];
    ptrdiff_t place[2] = {0, 0}, more = 0;
    int is_zero[2] = {0, 0};
    for (int k = 0; k < f->nlevels; k++) {
        const ptrdiff_t rest = sx_device_get_quotient(i, f->level[k].n), at = i - rest * f->level[k].n;
        NAME(source) s = {{at, at}, -1, {1, 1}, 1, 0};
        for (int m = 0; m < f->nmaps; m++)
            if (f->map[m].level == k) {
                NAME(map_element)(&f->map[m], at, folds, &s);
                if (folds)
                    NAME(set_factor)(&f->map[m].fold, &s, take, make);
            }
        for (int p = 0; p < 2; p++) {
            is_zero[p] |= s.at[p] < 0;
            place[p] += s.at[p] < 0 ? 0 : s.at[p] * f->level[k].is;
            weight[p] *= s.weight[p];
        }
        more += s.other < 0 ? 0 : (s.other - s.at[0]) * f->level[k].is;
        to += at * f->level[k].os;
        i = rest;
    }
    if (!makes) {
        for (int k = 0; k < f->width; k++)
            to[k] = is_zero[0]
                        ? 0
                        : weight[0] * NAME(read_number)(takes, from + place[0] + k, more, take[0], take[1]);
        return;
    }
    for (int p = 0; p < 2; p++)
        x[p] = is_zero[p] ? 0 : weight[p] * NAME(read_number)(takes, from + place[p], more, take[0], take[1]);
    to[0] = x[0] * make[0] - x[1] * make[1];
    to[1] = x[0] * make[1] + x[1] * make[0];
}

/* ---- products */

SX_DEVICE_BODY REAL NAME(raise_number)(REAL x, int power)
{
    REAL y = 1;
    for (int q = power < 0 ? -power : power; q > 0; q--)
        y *= x;
    if (power < 0)
        y = y != 0 ? 1 / y : 0;
    return y;
}

/* Multiply an element by a complex number. */
SX_DEVICE_BODY void NAME(multiply_complex)(REAL *x, REAL re, REAL im)
{
    const REAL real = x[0];
    x[0] = real * re - x[1] * im;
    x[1] = real * im + x[1] * re;
}

SX_DEVICE_BODY void NAME(multiply_waves)(const sx_device_product *p, ptrdiff_t i, const REAL *factors,
                                         REAL *x)
{
    REAL factor = p->what == SX_DEVICE_POWER ? 0 : 1;
    for (int k = 0; k < p->nlevels; k++) {
        const ptrdiff_t rest = sx_device_get_quotient(i, p->n[k]), at = i - rest * p->n[k];
        const REAL entry = factors[p->first[k] + at];
        factor = p->what == SX_DEVICE_POWER ? factor + entry : factor * entry;
        x += at * p->stride[k];
        i = rest;
    }
    if (p->what == SX_DEVICE_POWER)
        factor = NAME(raise_number)(factor, p->power);
    if (p->is_turned)
        NAME(multiply_complex)(x, 0, factor);
    else
        for (int k = 0; k < p->width; k++)
            x[k] *= factor;
}

SX_DEVICE_BODY void NAME(multiply_table)(const sx_device_product *p, ptrdiff_t i, const REAL *factors,
                                         REAL *x)
{
    ptrdiff_t place = 0;
    for (int k = 0; k < p->nlevels; k++) {
        const ptrdiff_t rest = sx_device_get_quotient(i, p->n[k]);
        place += (i - rest * p->n[k]) * p->stride[k];
        i = rest;
    }
    const REAL *f = factors + place;
    if (p->width == 1)
        x[place] *= f[0];
    else
        NAME(multiply_complex)(x + place, f[0], p->is_conjugate ? -f[1] : f[1]);
}

SX_DEVICE_BODY void NAME(multiply_root)(const sx_device_product *p, ptrdiff_t i, REAL *x)
{
    ptrdiff_t m = 1;
    REAL re, im;
    for (int k = 0; k < p->nlevels; k++) {
        const ptrdiff_t rest = sx_device_get_quotient(i, p->n[k]), at = i - rest * p->n[k];
        m *= p->first[k] < 0 ? 1 : p->first[k] + at;
        x += at * p->stride[k];
        i = rest;
    }
    NAME(compute_root)(m, p->circle, &re, &im);
    NAME(multiply_complex)(x, re, p->is_conjugate ? -im : im);
}

/* Multiply element i. */
SX_DEVICE_BODY void NAME(multiply_element)(const sx_device_product *p, ptrdiff_t i, const REAL *factors,
                                           REAL *x)
{
    if (p->what == SX_DEVICE_ROOTS)
        NAME(multiply_root)(p, i, x);
    else if (p->what == SX_DEVICE_TABLE)
        NAME(multiply_table)(p, i, factors, x);
    else
        NAME(multiply_waves)(p, i, factors, x);
}

/* Multiply number i of an array of reals. */
SX_DEVICE_BODY void NAME(scale_number)(REAL *x, ptrdiff_t i, double factor)
{
    x[i] *= (REAL)factor;
}
