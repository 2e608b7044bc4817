/* table.c - the only list of serial backends. */
#include "serial/serial.h"
#include <string.h>
#include <subx_tune.h>

const sx_serial *const sx_serial_table[] = {&sx_serial_auto, &sx_serial_simd,
#ifdef HAVE_FFTW3
                                            &sx_serial_fftw3,
#endif
                                            &sx_serial_naive, NULL};

const sx_serial *sx_serial_find(const char *name, int precision)
{
    for (int i = 0; sx_serial_table[i]; i++)
        if (strcmp(sx_serial_table[i]->name, name) == 0 && sx_serial_table[i]->serves(precision))
            return sx_serial_table[i];
    return NULL;
}

#ifndef HAVE_FFTW3
char *sx_serial_export_wisdom(int precision)
{
    (void)precision;
    return NULL;
}

int sx_serial_import_wisdom(int precision, const char *line)
{
    (void)precision, (void)line;
    return MPI_SUCCESS;
}
#endif

int subx_fft_query_serial(int i, const char **name)
{
    int n = 0;
    if (i < 0 || !name)
        return subx_error_get_code(SUBX_ERR_ARG);
    while (sx_serial_table[n])
        n++;
    *name = i < n ? sx_serial_table[i]->name : NULL;
    return MPI_SUCCESS;
}
