/* device.c - memory of a device for users: subx_device_*. The kind "system" is memory of the host; it needs no device. */
#include "device/device.h"
#include <string.h>

struct subx_device_s {
    const sx_device *table; /* NULL for memory of the host */
    void *handle, *stream;
};

/* ---- create and free */

static int refuse(const char *kind)
{
    char text[SX_ERROR_LEN];
    sx_text t = {text, sizeof text, 0};
    sx_base_print(&t, "subx: there is no memory of kind %.40s", kind);
    sx_base_set_error_text(SUBX_ERR_HINT, text);
    return subx_error_get_code(SUBX_ERR_HINT);
}

static int open_device(const char *kind, subx_device d)
{
    char text[SX_ERROR_LEN] = "", why[SX_ERROR_LEN] = "";
    sx_text t = {text, sizeof text, 0}, reason = {why, sizeof why, 0};
    int rc = sx_device_find(kind, &d->table, &reason);
    if (!rc && d->table)
        rc = subx_error_get_code(d->table->open(&d->handle, &reason));
    if (subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE) {
        sx_base_print(&t, "subx: no memory of kind %s: %s", kind, why);
        sx_base_set_error_text(SUBX_ERR_UNAVAILABLE, text);
    }
    if (rc || !d->table)
        return rc;
    return subx_error_get_code(d->table->create_stream(d->handle, &d->stream));
}

int subx_device_free(subx_device *device)
{
    subx_device d = device ? *device : NULL;
    if (!d)
        return MPI_SUCCESS;
    if (d->table && d->handle) {
        d->table->free_stream(d->stream);
        d->table->close(d->handle);
    }
    sx_base_free(d);
    *device = SUBX_DEVICE_NULL;
    return MPI_SUCCESS;
}

int subx_device_create(const char *kind, subx_device *device)
{
    if (!device)
        return subx_error_get_code(SUBX_ERR_ARG);
    *device = SUBX_DEVICE_NULL;
    if (!kind)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (!sx_device_is_kind(kind))
        return refuse(kind);
    subx_device d = sx_base_alloc(1, sizeof *d);
    if (!d)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    const int rc = open_device(kind, d);
    if (rc)
        (void)subx_device_free(&d);
    *device = d;
    return rc;
}

/* ---- use */

int subx_device_print(subx_device device, size_t len, char *text, size_t *needed)
{
    sx_text t = {text, len, 0};
    if (!device || (len > 0 && !text))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (len > 0)
        *text = '\0';
    if (device->table)
        device->table->describe(device->handle, &t);
    else
        sx_base_print(&t, "the host");
    if (needed)
        *needed = t.used;
    return MPI_SUCCESS;
}

int subx_device_alloc_mem(subx_device device, ptrdiff_t bytes, void **mem)
{
    if (mem)
        *mem = NULL;
    if (!device || !mem)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (bytes < 0)
        return subx_error_get_code(SUBX_ERR_SIZE);
    if (device->table)
        return subx_error_get_code(device->table->alloc(device->handle, bytes, mem));
    *mem = sx_base_alloc(bytes, 1);
    return *mem ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

int subx_device_free_mem(subx_device device, void **mem)
{
    if (!device || !mem)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (device->table)
        device->table->free(device->handle, *mem);
    else
        sx_base_free(*mem);
    *mem = NULL;
    return MPI_SUCCESS;
}

/* If `finish` fails, it is called again: the caller may free the memory afterwards, so no copy may be left to do. */
static int copy(subx_device d, void *to, const void *from, ptrdiff_t bytes)
{
    int kind = d->table->copy(d->stream, to, from, bytes);
    if (kind)
        return kind;
    kind = d->table->finish(d->stream);
    if (kind)
        (void)d->table->finish(d->stream);
    return kind;
}

int subx_device_copy_mem(subx_device device, void *to, const void *from, ptrdiff_t bytes)
{
    if (!device || (bytes > 0 && !(to && from)))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (bytes < 0)
        return subx_error_get_code(SUBX_ERR_SIZE);
    if (bytes == 0)
        return MPI_SUCCESS;
    if (!device->table) {
        memcpy(to, from, (size_t)bytes);
        return MPI_SUCCESS;
    }
    return subx_error_get_code(copy(device, to, from, bytes));
}
