/* device_stream.c - the streams of an exchange on a device: their end, a copy, and the memory that MPI may
 * access. */
#include "exch/on_device.h"

int sx_exch_device_wait(const subx_exch ex)
{
    const sx_on_device *s = ex->state;
    int first = SUBX_ERR_NONE;
    for (int side = 0; side < 2; side++) {
        const int kind = ex->device->finish(s->stream[side]);
        first = first ? first : kind;
        if (kind)
            (void)ex->device->finish(s->stream[side]);
    }
    return first;
}

int sx_exch_device_copy(const subx_exch ex, void *to, const void *from, ptrdiff_t bytes)
{
    const sx_on_device *s = ex->state;
    int kind = bytes > 0 ? ex->device->copy(s->stream[SX_TO], to, from, bytes) : SUBX_ERR_NONE;
    const int failed = sx_exch_device_wait(ex);
    return subx_error_get_code(kind ? kind : failed);
}

void sx_exch_device_open_areas(subx_exch ex, int is_lent)
{
    sx_on_device *s = ex->state;
    if (s->area_bytes == 0 || s->is_lent == is_lent || !ex->device->lend)
        return;
    ex->device->lend(ex->handle, ex->device_work, is_lent);
    s->is_lent = is_lent;
}
