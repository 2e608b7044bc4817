/* kernel_real_body.h - the bodies of the kernels that compute, in one precision. It is included once per type, after
 * kernel_body.h, with REAL (the type) and NAME(verb) (function names). */

/* ---- copies that change lengths */

/* Find the elements from which the element at index j is computed, by the rules of a map. Returns the index of the first one;
 * -1 for a zero. *other becomes the index of an element to add, or -1. *weight becomes the factor of the sum. */
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

/* Write element i. `more` is the distance, in reals, from the element that is read to an element that is added; 0 if none is
 * added. */
SX_DEVICE_BODY void NAME(fix_element)(const sx_device_fix *f, ptrdiff_t i, const REAL *from, REAL *to)
{
    REAL weight = (REAL)f->factor;
    ptrdiff_t more = 0;
    int is_zero = 0;
    for (int k = 0; k < f->nlevels; k++) {
        const ptrdiff_t rest = i / f->n[k], at = i - rest * f->n[k];
        ptrdiff_t source = at, other = -1;
        for (int m = 0; m < f->nmaps; m++)
            if (f->map[m].level == k) {
                REAL w;
                source = NAME(map_index)(&f->map[m], at, &w, &other);
                weight *= w;
            }
        is_zero |= source < 0;
        from += source < 0 ? 0 : source * f->from[k];
        more += other < 0 ? 0 : (other - source) * f->from[k];
        to += at * f->to[k];
        i = rest;
    }
    for (int k = 0; k < f->width; k++)
        to[k] = is_zero ? 0 : weight * (more ? from[k] + from[more + k] : from[k]);
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
        const ptrdiff_t rest = i / p->n[k], at = i - rest * p->n[k];
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

/* Multiply element i. */
SX_DEVICE_BODY void NAME(multiply_element)(const sx_device_product *p, ptrdiff_t i, const REAL *factors,
                                           REAL *x)
{
    const REAL *f = factors + i * p->width;
    if (p->what != SX_DEVICE_TABLE)
        NAME(multiply_waves)(p, i, factors, x);
    else if (p->width == 1)
        x[i] *= f[0];
    else
        NAME(multiply_complex)(x + 2 * i, f[0], p->is_conjugate ? -f[1] : f[1]);
}

/* Multiply number i of an array of reals. */
SX_DEVICE_BODY void NAME(scale_number)(REAL *x, ptrdiff_t i, double factor)
{
    x[i] *= (REAL)factor;
}
