/* parse.c - a problem from its text. Every reader moves *at behind what it read, and returns 1 if it understood
 * it. */
#include "problem/problem.h"
#include <string.h>

static int read_char(const char **at, char c)
{
    if (**at != c)
        return 0;
    ++*at;
    return 1;
}

/* ---- [ HOWMANY "*" ] kinds [ "." precision ] ":" lengths [ "*" HOWMANY ] */

static int read_fields(const char **at, subx_fft_problem p)
{
    if (**at < '0' || **at > '9')
        return 1;
    return sx_problem_read_number(at, &p->howmany) && read_char(at, '*');
}

static int read_kinds(const char **at, int *n, int kinds[])
{
    *n = 0;
    do {
        if (*n == SX_PROBLEM_NDIMS_MAX || (kinds[*n] = sx_problem_read_kind(at)) < 0)
            return 0;
        ++*n;
    } while (read_char(at, ','));
    return 1;
}

static int read_precision(const char **at, subx_fft_problem p)
{
    if (!read_char(at, '.'))
        return 1;
    p->precision = sx_problem_read_precision(at);
    return p->precision >= 0;
}

/* One list is the sizes; with a second one, the modes come first. */
static int read_lists(const char **at, subx_fft_problem p)
{
    ptrdiff_t lists[3][SX_PROBLEM_NDIMS_MAX];
    int n = 0, ndims;
    do {
        if (n == 3 || !sx_problem_read_lengths(at, SX_PROBLEM_NDIMS_MAX, &ndims, lists[n]) ||
            (n > 0 && ndims != p->ndims))
            return 0;
        p->ndims = ndims;
        n++;
    } while (read_char(at, '>'));
    const size_t bytes = (size_t)ndims * sizeof lists[0][0];
    memcpy(p->modes, lists[0], bytes);
    memcpy(p->sizes, lists[n > 1], bytes);
    memcpy(p->points, lists[n > 1 ? n - 1 : 0], bytes);
    return 1;
}

static int read_components(const char **at, subx_fft_problem p)
{
    if (!read_char(at, '*'))
        return 1;
    if (p->howmany != 1 || !sx_problem_read_number(at, &p->howmany))
        return 0;
    p->interleaved = p->howmany > 1;
    return 1;
}

/* ---- { "/" option } */

static int read_padded(const char **at, subx_fft_problem p, int side)
{
    (void)at;
    p->storage[side].padded = 1;
    return 1;
}

static int read_order(const char **at, subx_fft_problem p, int side)
{
    p->storage[side].has_order = 1;
    for (int i = 0; i < p->ndims; i++) {
        ptrdiff_t axis;
        if ((i > 0 && !read_char(at, ',')) || !sx_problem_read_number(at, &axis) || axis >= p->ndims)
            return 0;
        p->storage[side].order[i] = (int)axis;
    }
    return 1;
}

static int read_block(const char **at, subx_fft_problem p, int side)
{
    int n;
    return sx_problem_read_lengths(at, p->ndims, &n, p->storage[side].block) && n == p->ndims;
}

static int read_operation(const char **at, subx_fft_problem p, int side)
{
    (void)at;
    (void)side;
    p->has_operation = 1;
    return 1;
}

static const struct option {
    const char *name;
    int side;
    int (*read)(const char **at, subx_fft_problem p, int side);
} options[] = {
    {"/padded", SUBX_FFT_PHYSICAL, read_padded},         {"/physical-order=", SUBX_FFT_PHYSICAL, read_order},
    {"/spectral-order=", SUBX_FFT_SPECTRAL, read_order}, {"/physical-block=", SUBX_FFT_PHYSICAL, read_block},
    {"/spectral-block=", SUBX_FFT_SPECTRAL, read_block}, {"/operation", SUBX_FFT_SPECTRAL, read_operation}};

enum { NOPTIONS = sizeof options / sizeof options[0] };

static int read_options(const char **at, subx_fft_problem p)
{
    for (unsigned seen = 0; **at;) {
        int i = 0;
        while (i < NOPTIONS && strncmp(*at, options[i].name, strlen(options[i].name)) != 0)
            i++;
        if (i == NOPTIONS || (seen & 1u << i))
            return 0;
        seen |= 1u << i;
        *at += strlen(options[i].name);
        if (!options[i].read(at, p, options[i].side))
            return 0;
    }
    return 1;
}

/* ---- all of it */

static int read_problem(const char *at, subx_fft_problem p, int *nkinds, int kinds[])
{
    return read_fields(&at, p) && read_kinds(&at, nkinds, kinds) && read_precision(&at, p) &&
           read_char(&at, ':') && read_lists(&at, p) && read_components(&at, p) && read_options(&at, p);
}

int subx_fft_problem_parse(const char *text, subx_fft_problem *problem)
{
    struct subx_fft_problem_s p;
    int nkinds, kinds[SX_PROBLEM_NDIMS_MAX];
    if (!problem)
        return subx_error_get(SUBX_ERR_ARG);
    *problem = SUBX_FFT_PROBLEM_NULL;
    if (!text)
        return subx_error_get(SUBX_ERR_ARG);
    sx_problem_set_defaults(&p, 0);
    if (!read_problem(text, &p, &nkinds, kinds) || (nkinds > 1 && nkinds != p.ndims))
        return subx_error_get(SUBX_ERR_PROBLEM);
    if (nkinds == 1)
        sx_problem_expand_kind(kinds[0], p.ndims, kinds);
    int rc = sx_problem_set_kinds(&p, kinds);
    if (!rc)
        rc = sx_problem_check(&p);
    return rc ? rc : sx_problem_create(&p, problem);
}
