/* axes.c - make the axes of a plan's array from the axes of a problem. If a problem's single axis is divided
 * between ranks, it becomes two axes (Bailey's six steps). The axis of R2C is halved: on the spectral side it
 * has modes/2+1 entries, which is n/2+1 if all modes are kept (sx_serial_get_half in fft/serial/serial.h). */
#include "array/array.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- axes */

static sx_axis get_axis(const subx_fft_problem p, int i)
{
    sx_axis axis = {.kind = p->kinds[i], .n = p->sizes[i], .points = p->points[i], .modes = p->modes[i]};
    axis.spectral = axis.kind == SUBX_FFT_R2C ? sx_serial_get_half(axis.modes) : axis.modes;
    return axis;
}

static sx_axis get_plain(int kind, ptrdiff_t n)
{
    return (sx_axis){.kind = kind, .n = n, .points = n, .modes = n, .spectral = n};
}

static int has_kind(const sx_array *a, int kind)
{
    for (int i = 0; i < a->ndims; i++)
        if (a->axis[i].kind == kind)
            return 1;
    return 0;
}

/* Set the reals per element of both sides. Real-to-real kinds transform real or complex data, and do not
 * change the width. */
static void set_widths(sx_array *a)
{
    a->halved = -1;
    for (int i = 0; i < a->ndims; i++)
        if (a->axis[i].kind == SUBX_FFT_R2C)
            a->halved = i;
    a->width[SUBX_FFT_PHYSICAL] = a->halved < 0 && has_kind(a, SUBX_FFT_C2C) ? 2 : 1;
    a->width[SUBX_FFT_SPECTRAL] = a->halved < 0 ? a->width[SUBX_FFT_PHYSICAL] : 2;
}

/* Replace the single axis by two axes. Its first * second elements are a matrix of `first` rows and `second`
 * columns, stored row by row. So a block of rows is a block of the axis. The spectrum is the transposed
 * matrix (Bailey 1990, the six-step algorithm). */
static int factor_axis(sx_array *a, const subx_fft_problem p)
{
    ptrdiff_t first, second;
    if (p->kinds[0] != SUBX_FFT_C2C || p->modes[0] != p->sizes[0] || p->points[0] != p->sizes[0] ||
        p->has_operation)
        return sx_base_set_error_text(
            SUBX_ERR_UNAVAILABLE,
            "subx: a problem of one axis is divided only if it is c2c, with all points and modes, and "
            "without operation; others need subx_ranks = 1");
    if (!sx_array_factor(p->sizes[0], &first, &second))
        return subx_error_get_code(SUBX_ERR_FACTOR);
    a->ndims = 2;
    a->factored = 1;
    a->axis[0] = get_plain(SUBX_FFT_C2C, first);
    a->axis[1] = get_plain(SUBX_FFT_C2C, second);
    return MPI_SUCCESS;
}

static int set_axes(sx_array *a, const subx_fft_problem p, int nranks)
{
    int rc = MPI_SUCCESS;
    a->ndims = p->ndims;
    a->fields = -1;
    if (p->ndims == 1 && nranks > 1 && p->kinds[0] != SUBX_FFT_NONE)
        rc = factor_axis(a, p);
    for (int i = 0; i < a->ndims && !a->factored; i++)
        a->axis[i] = get_axis(p, i);
    if (p->howmany > 1) {
        a->fields = a->ndims++;
        a->axis[a->fields] = get_plain(SUBX_FFT_NONE, p->howmany);
    }
    return rc;
}

/* ---- storage */

/* Set the storage order of a side. The axis of the fields is outermost, or innermost if the fields are
 * interleaved. */
static void set_order(sx_array *a, const subx_fft_problem p, int side)
{
    const int naxes = a->fields < 0 ? a->ndims : a->fields,
              has_order = p->storage[side].has_order && !a->factored;
    const int is_inner = a->fields >= 0 && p->interleaved;
    int *order = a->order[side] + is_inner;
    for (int i = 0; i < naxes; i++)
        order[i] = has_order ? p->storage[side].order[i] : naxes - 1 - i;
    if (a->fields >= 0)
        a->order[side][is_inner ? 0 : naxes] = a->fields;
}

/* ---- the sequence */

static void add(sx_array *a, int axis)
{
    a->sequence[a->nsequence++] = axis;
}

static int is_transformed(const sx_array *a, int axis)
{
    return a->axis[axis].kind != SUBX_FFT_NONE;
}

/* Parse a text such as "2,0,1". Returns 0 unless it has every transformed axis once, and no other axis. */
static int parse_order(const sx_array *a, const char *text, int *n, int order[])
{
    char seen[SUBX_NDIMS_MAX] = {0};
    *n = 0;
    do {
        char *end;
        const long axis = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : -1;
        if (axis < 0 || axis >= a->ndims || seen[axis] || !is_transformed(a, sx_base_fit(axis)))
            return 0;
        seen[axis] = 1;
        order[(*n)++] = sx_base_fit(axis);
        text = end;
    } while (*text++ == ',');
    for (int i = 0; i < a->ndims; i++)
        if (is_transformed(a, i) && !seen[i])
            return 0;
    return !text[-1];
}

/* The halved axis is transformed first. The other axes follow in descending order. */
static void choose_order(const sx_array *a, int *n, int order[])
{
    *n = 0;
    if (a->halved >= 0)
        order[(*n)++] = a->halved;
    for (int i = a->ndims - 1; i >= 0; i--)
        if (is_transformed(a, i) && i != a->halved)
            order[(*n)++] = i;
}

static int set_sequence(sx_array *a, const char *text)
{
    int order[SUBX_NDIMS_MAX], n = 0;
    if (strcmp(text, "auto") == 0)
        choose_order(a, &n, order);
    else if (!parse_order(a, text, &n, order) || (a->halved >= 0 && order[0] != a->halved))
        return subx_error_get_code(SUBX_ERR_HINT);
    for (int i = 0; i < a->ndims; i++)
        if (!is_transformed(a, i) && i != a->fields)
            add(a, i);
    a->nfixed = a->nsequence;
    while (n > 0)
        add(a, order[--n]);
    return MPI_SUCCESS;
}

void sx_array_print_sequence(const sx_array *a, sx_text *t)
{
    const char *comma = "";
    for (int i = a->nsequence - 1; i >= 0; i--) {
        if (!is_transformed(a, a->sequence[i]))
            continue;
        sx_base_print(t, "%s%d", comma, a->sequence[i]);
        comma = ",";
    }
}

/* ---- all */

int sx_array_set(sx_array *a, const subx_fft_problem p, int nranks, const char *sequence)
{
    *a = (sx_array){.precision = p->precision, .real_bytes = sx_serial_get_real_bytes(p->precision)};
    int rc = set_axes(a, p, nranks);
    if (rc)
        return rc;
    set_widths(a);
    set_order(a, p, SUBX_FFT_PHYSICAL);
    set_order(a, p, SUBX_FFT_SPECTRAL);
    for (int i = 0; i < p->ndims && !a->factored; i++)
        for (int side = 0; side < 2; side++)
            a->block[side][i] = p->storage[side].block[i];
    a->is_padded = p->storage[SUBX_FFT_PHYSICAL].padded;
    /* The caller knows one axis, not its two factors. So the hint must name axis 0 only. */
    if (a->factored && strcmp(sequence, "0") != 0 && strcmp(sequence, "auto") != 0)
        return subx_error_get_code(SUBX_ERR_HINT);
    return set_sequence(a, a->factored ? "auto" : sequence);
}

double sx_array_get_volume(const sx_array *a)
{
    double volume = 1;
    for (int i = 0; i < a->ndims; i++)
        volume *= (double)a->axis[i].spectral;
    return volume;
}
