/* table.c - the table of serial backends that callers can choose. auto and simd leave transforms to makers
 * (auto.c): our kernels, then the backends of this table after simd. */
#include "serial/serial.h"
#include <string.h>
#include <subx_tune.h>

extern const sx_serial sx_serial_fftw3;

const sx_serial *const sx_serial_table[] = {
    &sx_serial_auto, &sx_serial_simd, &sx_serial_fftw3, &sx_serial_naive, NULL,
};

SX_BASE_ASSERT(sizeof sx_serial_table / sizeof *sx_serial_table <= SX_SERIAL_MOST + 1);

const sx_serial *sx_serial_find(const char *name, int precision)
{
    for (int i = 0; sx_serial_table[i]; i++)
        if (strcmp(sx_serial_table[i]->name, name) == 0 && sx_serial_table[i]->serves(precision))
            return sx_serial_table[i];
    return NULL;
}

int sx_serial_query_name(int i, const char **name)
{
    const sx_serial *backend = sx_serial_table[i + 1];
    *name = backend ? backend->name : NULL;
    return MPI_SUCCESS;
}

/* Query whether the library was built with a backend: whether it serves any precision. */
static int is_there(const sx_serial *backend)
{
    int precision = SUBX_FFT_FLOAT;
    while (precision <= SUBX_FFT_QUAD && !backend->serves(precision))
        precision++;
    return precision <= SUBX_FFT_QUAD;
}

int subx_fft_query_serial(int i, const char **name)
{
    int k = 0;
    if (i < 0 || !name)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (; sx_serial_table[k]; k++)
        if (is_there(sx_serial_table[k]) && i-- == 0)
            break;
    *name = sx_serial_table[k] ? sx_serial_table[k]->name : NULL;
    return MPI_SUCCESS;
}
