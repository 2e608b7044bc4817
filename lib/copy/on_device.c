/* on_device.c - copies in the memory of a device, such as a GPU. */
#include "copy/copy.h"

struct sx_copy_on_device {
    const sx_device *device;
    void *handle, *stream;
    void *caller;   /* a stream of the caller; NULL for none */
    void *event[2]; /* the caller's stream, or this stream, has ended its work so far */
};

/* ---- creation */

void sx_copy_free_on_device(struct sx_copy_on_device *d)
{
    if (d && d->handle) {
        d->device->free_stream(d->stream);
        for (int i = 0; i < 2; i++)
            d->device->free_event(d->event[i]);
        d->device->close(d->handle);
    }
    sx_base_free(d);
}

static int open_device(struct sx_copy_on_device *d, sx_text *why)
{
    int kind = d->device->open(&d->handle, why);
    kind = kind ? kind : d->device->create_stream(d->handle, &d->stream);
    for (int i = 0; i < 2 && !kind; i++)
        kind = d->device->create_event(d->handle, &d->event[i]);
    return subx_error_get_code(kind);
}

static int refuse(const char *kind, const char *why)
{
    char text[SX_ERROR_LEN];
    sx_text t = {text, sizeof text, 0};
    sx_base_print(&t, "subx: memory of kind %s: %s", kind, why);
    return sx_base_set_error_text(SUBX_ERR_UNAVAILABLE, text);
}

int subx_copy_set_memory(subx_copy copy, const char *kind, void *stream)
{
    char text[SX_ERROR_LEN] = "";
    sx_text why = {text, sizeof text, 0};
    const sx_device *device = NULL;
    struct sx_copy_on_device *d = NULL;
    if (!copy || !kind || !sx_device_is_kind(kind))
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = sx_device_find(kind, &device, &why);
    if (!rc && device) {
        d = sx_base_alloc(1, sizeof *d);
        if (!d)
            return subx_error_get_code(SUBX_ERR_NO_MEM);
        *d = (struct sx_copy_on_device){.device = device, .caller = stream};
        rc = open_device(d, &why);
    }
    if (rc) {
        sx_copy_free_on_device(d);
        return subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE ? refuse(kind, text) : rc;
    }
    sx_copy_free_on_device(copy->on_device);
    copy->on_device = d;
    return MPI_SUCCESS;
}

/* ---- execution */

/* Query whether all bytes that the copy touches on a side are in the device's memory. `first` is the address
 * of the first block. */
static int has_side(const struct sx_copy_on_device *d, const sx_layout *l, int side, const char *first)
{
    ptrdiff_t low, high;
    sx_layout_get_span(l, side, &low, &high);
    return d->device->has(d->handle, first + low, high - low);
}

/* Add to the stream `to` a wait for the work that is in the stream `from` now. */
static int follow(const struct sx_copy_on_device *d, void *from, void *event, void *to)
{
    const int kind = d->device->record(from, event);
    return kind ? kind : d->device->await(to, event);
}

/* With a stream of the caller, the copy begins after the work that is in this stream, and later work of this
 * stream begins after the copy. Without one, the host waits for the copy; if this fails, the wait is repeated
 * once, because the caller may free the memory next. */
int sx_copy_execute_on_device(subx_copy copy, const char *from, char *to)
{
    const struct sx_copy_on_device *d = copy->on_device;
    const sx_device_nest nest = sx_copy_get_nest(&copy->layout, SX_DEVICE_SAME, from, to);
    if (!has_side(d, &copy->layout, SX_FROM, from) || !has_side(d, &copy->layout, SX_TO, to))
        return subx_error_get_code(SUBX_ERR_ARG);
    int kind = d->caller ? follow(d, d->caller, d->event[0], d->stream) : SUBX_ERR_NONE;
    kind = kind ? kind : d->device->permute(d->stream, &nest, from, to);
    if (!kind && d->caller)
        kind = follow(d, d->stream, d->event[1], d->caller);
    if (kind || !d->caller) {
        const int failed = d->device->finish(d->stream);
        if (failed)
            (void)d->device->finish(d->stream);
        kind = kind ? kind : failed;
    }
    return subx_error_get_code(kind);
}
