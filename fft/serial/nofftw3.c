/* nofftw3.c - the backend fftw3 of a library that is built without FFTW: its name is known, but it serves no
 * precision. */
#include "serial/serial.h"

extern const sx_serial sx_serial_fftw3;

static int serves(int precision)
{
    (void)precision;
    return 0;
}

static int suits(const sx_serial_problem *p)
{
    (void)p;
    return 0;
}

static int create(const sx_serial_problem *p, int effort, void *in, void *out, void **state)
{
    (void)p, (void)effort, (void)in, (void)out, (void)state;
    return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
}

/* The other functions are never called, because create makes no state. */
const sx_serial sx_serial_fftw3 = {"fftw3", serves, suits, create, NULL, NULL, NULL};

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

void sx_serial_print_fftw(int precision, sx_text *t)
{
    (void)precision, (void)t;
}
