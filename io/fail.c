/* fail.c - errors whose texts tell what the file has and what was asked for. */
#include "io/io.h"
#include <stdarg.h>
#include <stdio.h>

int sx_io_fail(int kind, const char *format, ...)
{
    char why[SX_ERROR_LEN], text[SX_ERROR_LEN];
    sx_text t = {.at = text, .room = sizeof text};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    sx_base_print(&t, "subx: %s", why);
    return sx_base_set_error_text(kind, text);
}

int sx_io_fail_type(const char *type)
{
    return sx_io_fail(
        SUBX_ERR_TYPE,
        "elements of %.60s are not supported here; float32, float64, complex64, complex128 and integers of "
        "8 to 64 bits are",
        type);
}

int sx_io_fail_ndims(int ndims)
{
    return sx_io_fail(SUBX_ERR_NDIMS,
                      "the array in the file has %s%d axes; arrays of 1 to %d axes can be read",
                      ndims > SUBX_NDIMS_MAX ? "at least " : "", ndims, SUBX_NDIMS_MAX);
}

static void print_array(const sx_io_array *array, sx_text *t)
{
    static const struct {
        char kind;
        const char *name;
    } names[] = {{'f', "float"}, {'c', "complex"}, {'i', "int"}, {'u', "uint"}};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        name = names[i].kind == array->elem.kind ? names[i].name : name;
    sx_base_print_sizes(t, array->ndims, array->sizes);
    sx_base_print(t, " elements of ");
    if (name)
        sx_base_print(t, "%s%d", name, 8 * array->elem.bytes);
    else
        sx_base_print(t, "another type");
}

int sx_io_fail_array(const sx_io_array *have, const sx_io_array *want, const char *cure)
{
    char text[SX_ERROR_LEN];
    sx_text t = {.at = text, .room = sizeof text};
    print_array(have, &t);
    sx_base_print(&t, ", not ");
    print_array(want, &t);
    return sx_io_fail(SUBX_ERR_FILE_ARRAY, "the file has %s%s", text, cure);
}
