/* floats.c - if the regions of a side have floats, copies read or write a second tile, which has floats. Here
 * tiles are converted between their buffer and this tile of floats. Both are in the caches, so a conversion
 * costs no traffic to memory. Elements that do not exist are not converted, because their memory may have any
 * bits. */
#include "pass/inside.h"

static void convert_corner(sx_pass pass, int side, int thread, const sx_corner *corner)
{
    const sx_buffer *buffer = sx_pass_get_layout(pass, side);
    const ptrdiff_t width = buffer->element / sx_serial_get_real_bytes(pass->p.precision);
    char *const all_reals = sx_pass_get_buffer(pass, thread, pass->is_spectral[side]);
    float *const all_floats = (float *)(void *)sx_pass_get_copied(pass, side, thread);
    sx_rows rows;
    sx_pass_rows_set(buffer, pass->p.ndims, corner->lo, corner->n, &rows);
    do {
        char *reals = all_reals + rows.first * buffer->element;
        float *floats = all_floats + rows.first * width;
        if (side == SX_FROM)
            pass->real->widen(reals, floats, rows.length * width);
        else
            pass->real->narrow(floats, reals, rows.length * width);
    } while (sx_pass_rows_next(&rows));
}

static void convert(sx_pass pass, int side, int thread, int kind)
{
    const int nspectral = pass->is_spectral[side] ? pass->p.naxes : 0;
    for (int k = 0; k < sx_pass_corners_count(pass, nspectral); k++) {
        sx_corner corner;
        sx_pass_corner_get(pass, nspectral, k, kind, &corner);
        convert_corner(pass, side, thread, &corner);
    }
}

ptrdiff_t sx_pass_floats_get_bytes(sx_pass pass)
{
    ptrdiff_t most = 0;
    for (int side = 0; side < 2; side++) {
        const sx_buffer *buffer = sx_pass_get_layout(pass, side);
        const ptrdiff_t bytes = buffer->bytes / buffer->element * sx_pass_get_element(pass, side);
        if (pass->p.side[side].is_narrow && bytes > most)
            most = bytes;
    }
    return sx_base_round_up(most);
}

void sx_pass_floats_import(sx_pass pass, int thread, int kind)
{
    convert(pass, SX_FROM, thread, kind);
}

void sx_pass_floats_export(sx_pass pass, int thread, int kind)
{
    convert(pass, SX_TO, thread, kind);
}
