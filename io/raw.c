/* raw.c - files that contain only the elements, from a given byte on. */
#include "io/io.h"

/* If f->array is not set, the array is all bytes of the file from subx_offset on. */
static int get(sx_io_file *f)
{
    ptrdiff_t bytes, end, length;
    int rc = MPI_SUCCESS, known = f->array.ndims > 0;
    f->array.data = f->choices.offset;
    if (!known)
        f->array = (sx_io_array){.elem = {.kind = 'u', .bytes = 1}, .ndims = 1, .data = f->choices.offset};
    rc = sx_io_array_get_bytes(&f->array, &bytes, &end);
    if (!rc)
        rc = sx_io_disk_length(f->path, end, &length);
    if (!rc && !known)
        f->array.sizes[0] = length - end;
    return rc;
}

static int open_view(sx_io_file *f, const sx_io_box *box)
{
    f->array.data = f->choices.offset;
    return sx_io_view_open(f, box, NULL, 0);
}

const sx_io_format sx_io_raw = {"raw", get, open_view, sx_io_view_read, sx_io_view_write, sx_io_view_close,
                                0};
