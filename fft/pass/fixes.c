/* fixes.c - fixes: changes of some elements of pencils, in a tile, before and after the transform of the
 * pencils. Elements that do not exist, because only some points or modes are kept, become zeros (gaps). If
 * the number of modes is even, the two highest frequencies share an entry: forward adds them (folds),
 * backward separates them. Orthonormal transforms have weights at the ends of pencils. */
#include "pass/inside.h"
#include <string.h>

/* ---- which fixes a step has */

static void add_fix(sx_step *step, int when, sx_fix fix)
{
    step->fix[when][step->nfixes[when]++] = fix;
}

static void add_weight(sx_step *step, int when, ptrdiff_t at, double square)
{
    add_fix(step, when, (sx_fix){.what = SX_WEIGH, .at = at, .n = 1, .square = square});
}

static void add_gap(sx_pass pass, int is_spectral, sx_step *step)
{
    const sx_extent *e = &pass->extent[is_spectral][step->axis];
    const ptrdiff_t n = e->n - e->low - e->high;
    if (n > 0)
        add_fix(step, SX_BEFORE, (sx_fix){.what = SX_ZERO, .at = e->low, .n = n});
}

/* After a forward transform, the entry at the edge becomes the sum of two frequencies. Spectra of R2C and
 * R2HC have only one of them, so the entry is doubled: 4 is the square of the weight 2. */
static void add_fold(const sx_extent *e, sx_step *step)
{
    if (e->other >= 0)
        add_fix(step, SX_AFTER, (sx_fix){.what = SX_ADD, .at = e->edge, .n = 1, .other = e->other});
    else
        add_weight(step, SX_AFTER, e->edge, 4);
}

/* Before a backward transform, the entry at the edge is halved, because it is the sum of two frequencies. If
 * the spectrum has an entry for each of them, the half is copied to the other entry. 0.25 is the square of
 * the weight 1/2. */
static void add_unfold(const sx_extent *e, sx_step *step)
{
    add_weight(step, SX_BEFORE, e->edge, 0.25);
    if (e->other >= 0)
        add_fix(step, SX_BEFORE, (sx_fix){.what = SX_COPY, .at = e->other, .n = 1, .other = e->edge});
}

static void add_ends(sx_step *step)
{
    for (int when = SX_BEFORE; when <= SX_AFTER; when++) {
        const sx_weights w = sx_serial_get_weights(step->kind, when == SX_BEFORE ? SX_FROM : SX_TO);
        if (w.first != 1)
            add_weight(step, when, 0, w.first);
        if (w.last != 1)
            add_weight(step, when, step->n - 1, w.last);
    }
}

void sx_pass_fixes_set(sx_pass pass, sx_step *step)
{
    const int forward = step->direction == SUBX_FFT_FORWARD;
    const sx_extent *e = &pass->extent[SUBX_FFT_SPECTRAL][step->axis];
    add_gap(pass, !forward, step);
    if (e->edge >= 0 && forward)
        add_fold(e, step);
    else if (e->edge >= 0)
        add_unfold(e, step);
    if (pass->p.is_orthonormal)
        add_ends(step);
}

/* ---- execution */

/* Change the elements of a row. `other` is the row that is copied or added. */
static void fix_row(sx_pass pass, const sx_fix *fix, ptrdiff_t bytes, char *x, const char *other)
{
    const ptrdiff_t reals = bytes / sx_serial_get_real_bytes(pass->p.precision);
    switch (fix->what) {
    case SX_ZERO:
        memset(x, 0, (size_t)bytes);
        break;
    case SX_COPY:
        memcpy(x, other, (size_t)bytes);
        break;
    case SX_ADD:
        pass->real->add(x, other, reals);
        break;
    default:
        pass->real->weigh(x, reals, fix->square);
    }
}

static void fix_corner(sx_pass pass, const sx_step *step, const sx_fix *fix, int place, sx_corner corner,
                       char *buffer)
{
    const sx_buffer *layout = &pass->buffer[place];
    const ptrdiff_t other = (fix->other - fix->at) * layout->stride[step->axis] * layout->element;
    sx_rows rows;
    corner.lo[step->axis] = fix->at;
    corner.n[step->axis] = fix->n;
    sx_pass_rows_set(layout, pass->p.ndims, corner.lo, corner.n, &rows);
    do {
        char *x = buffer + rows.first * layout->element;
        fix_row(pass, fix, rows.length * layout->element, x, x + other);
    } while (sx_pass_rows_next(&rows));
}

void sx_pass_fixes_execute(sx_pass pass, const sx_step *step, int when, int kind, char *x)
{
    for (int k = 0; k < step->ncorners && step->nfixes[when]; k++) {
        sx_corner corner;
        sx_pass_corner_get(pass, step->nspectral, k, kind, &corner);
        for (int i = 0; i < step->nfixes[when]; i++)
            fix_corner(pass, step, &step->fix[when][i], when == SX_BEFORE ? step->from : step->to, corner, x);
    }
}
