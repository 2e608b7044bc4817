/* floats.c - if the regions of a side have floats, copies read or write a second tile, which has floats. Here
 * tiles are converted between their buffer and this tile of floats. Both are in the caches, so a conversion
 * costs no traffic to memory. Elements that do not exist are not converted, because their memory may have any
 * bits. */
#include "pass/inside.h"

/* A loop nest over the elements of a corner. Elements along the axis `row` follow each other in memory; `row`
 * is -1 if no axis has such elements. */
typedef struct nest {
    const sx_pass pass;
    const sx_buffer *buffer;
    int row, is_widened;
    ptrdiff_t n[SUBX_NDIMS_MAX];
    ptrdiff_t nreals; /* of a row */
    char *reals;
    float *floats;
} nest;

/* Convert the row that begins `element` elements after the beginning of the tile. */
static void convert_row(const nest *b, ptrdiff_t element)
{
    char *reals = b->reals + element * b->buffer->element;
    float *floats = b->floats + element * b->buffer->element / sx_serial_get_real_bytes(b->pass->p.precision);
    if (b->is_widened)
        b->pass->real->widen(reals, floats, b->nreals);
    else
        b->pass->real->narrow(floats, reals, b->nreals);
}

static void convert_rows(const nest *b, int axis, ptrdiff_t element)
{
    if (axis == b->pass->p.ndims) {
        convert_row(b, element);
        return;
    }
    const ptrdiff_t n = axis == b->row ? 1 : b->n[axis];
    for (ptrdiff_t i = 0; i < n; i++)
        convert_rows(b, axis + 1, element + i * b->buffer->stride[axis]);
}

/* Find an axis with several elements and stride 1. */
static int find_row(const nest *b)
{
    for (int a = 0; a < b->pass->p.ndims; a++)
        if (b->buffer->stride[a] == 1 && b->n[a] > 1)
            return a;
    return -1;
}

static void convert_corner(sx_pass pass, int side, int thread, const sx_corner *corner)
{
    const sx_buffer *buffer = sx_pass_get_layout(pass, side);
    const ptrdiff_t width = buffer->element / sx_serial_get_real_bytes(pass->p.precision);
    ptrdiff_t first = 0;
    nest b = {.pass = pass,
              .buffer = buffer,
              .is_widened = side == SX_FROM,
              .reals = sx_pass_get_buffer(pass, thread, pass->is_spectral[side]),
              .floats = (float *)(void *)sx_pass_get_copied(pass, side, thread)};
    for (int a = 0; a < pass->p.ndims; a++) {
        b.n[a] = corner->n[a];
        first += corner->lo[a] * buffer->stride[a];
    }
    b.row = find_row(&b);
    b.nreals = width * (b.row < 0 ? 1 : b.n[b.row]);
    convert_rows(&b, 0, first);
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
