/* names.c - the words of kinds of transforms and of precisions, and the numbers of a problem's text. */
#include "problem/problem.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* These names must never change: the keys in files of wisdom contain them. */
static const char *const kinds[] = {
    [SUBX_FFT_NONE] = "-",    [SUBX_FFT_C2C] = "c2c",   [SUBX_FFT_R2C] = "r2c",   [SUBX_FFT_C2R] = "c2r",
    [SUBX_FFT_DCT1] = "dct1", [SUBX_FFT_DCT2] = "dct2", [SUBX_FFT_DCT3] = "dct3", [SUBX_FFT_DCT4] = "dct4",
    [SUBX_FFT_DST1] = "dst1", [SUBX_FFT_DST2] = "dst2", [SUBX_FFT_DST3] = "dst3", [SUBX_FFT_DST4] = "dst4",
    [SUBX_FFT_DHT] = "dht",   [SUBX_FFT_R2HC] = "r2hc", [SUBX_FFT_HC2R] = "hc2r"};

static const char *const precisions[] = {[SUBX_FFT_FLOAT] = "f32",
                                         [SUBX_FFT_DOUBLE] = "f64",
                                         [SUBX_FFT_LONG_DOUBLE] = "long",
                                         [SUBX_FFT_QUAD] = "f128"};

const char *sx_problem_get_kind_name(int kind)
{
    return kinds[kind];
}

const char *sx_problem_get_precision_name(int precision)
{
    return precisions[precision];
}

/* A name ends where letters and digits end, so that dct12 is not read as dct1. */
static int read_name(const char **at, const char *const names[], int first, int last)
{
    for (int i = first; i <= last; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(*at, names[i], n) == 0 && !isalnum((unsigned char)(*at)[n])) {
            *at += n;
            return i;
        }
    }
    return -1;
}

int sx_problem_read_kind(const char **at)
{
    return read_name(at, kinds, SUBX_FFT_NONE, SUBX_FFT_HC2R);
}

int sx_problem_read_precision(const char **at)
{
    return read_name(at, precisions, SUBX_FFT_FLOAT, SUBX_FFT_QUAD);
}

/* strtol alone would also accept blanks and signs. */
int sx_problem_read_number(const char **at, ptrdiff_t *number)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return 0;
    errno = 0;
    *number = strtol(*at, &end, 10);
    *at = end;
    return errno == 0;
}

int sx_problem_parse_lengths(const char *text, int max, int *n, ptrdiff_t lengths[])
{
    for (*n = 0; *n < max; text++) {
        if (!sx_problem_read_number(&text, &lengths[(*n)++]))
            return 0;
        if (*text != 'x')
            return !*text;
    }
    return 0;
}
