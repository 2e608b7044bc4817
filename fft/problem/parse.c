/* parse.c - parse the text of a problem. Every function read_.. moves r->at behind the text that it has read,
 * and returns 1; if the text is wrong, it prints the reason and returns 0. */
#include "problem/problem.h"
#include <string.h>

typedef struct reader {
    const char *at;
    sx_text *why;
} reader;

static int expect(reader *r, const char *what)
{
    sx_base_print(r->why, *r->at ? "expected %s at \"%.40s\"" : "expected %s at the end", what, r->at);
    return 0;
}

static int has_char(reader *r, char c)
{
    if (*r->at != c)
        return 0;
    r->at++;
    return 1;
}

static int read_number(reader *r, const char *what, ptrdiff_t *number)
{
    const char *begin = r->at;
    if (sx_problem_read_number(&r->at, number))
        return 1;
    if (r->at == begin)
        return expect(r, what);
    sx_base_print(r->why, "%.40s is too large", begin);
    return 0;
}

static int read_lengths(reader *r, int *n, ptrdiff_t lengths[])
{
    *n = 0;
    do {
        if (*n == SX_PROBLEM_NDIMS_MAX) {
            sx_base_print(r->why, "there are more than %d axes", SX_PROBLEM_NDIMS_MAX);
            return 0;
        }
        if (!read_number(r, "a length", &lengths[*n]))
            return 0;
        ++*n;
    } while (has_char(r, 'x'));
    return 1;
}

/* The number of entries of a list must be the number of axes. */
static int check_count(reader *r, const char *what, int n, int ndims)
{
    if (n != ndims)
        sx_base_print(r->why, "%d %s%s for %d ax%ss", n, what, n == 1 ? "" : "s", ndims,
                      ndims == 1 ? "i" : "e");
    return n == ndims;
}

/* ---- [ HOWMANY "*" ] kinds [ "." precision ] ":" lengths [ "*" HOWMANY ] */

static int read_fields(reader *r, subx_fft_problem p)
{
    if (*r->at < '0' || *r->at > '9')
        return 1;
    return read_number(r, "a number", &p->howmany) &&
           (has_char(r, '*') || expect(r, "* behind the number of fields"));
}

static int read_kinds(reader *r, int *n, int kinds[])
{
    *n = 0;
    do {
        const int kind = sx_problem_read_kind(&r->at);
        if (kind < 0)
            return expect(r, "a kind such as c2c or r2c");
        if (*n < SX_PROBLEM_NDIMS_MAX)
            kinds[*n] = kind;
        ++*n;
    } while (has_char(r, ','));
    return 1;
}

static int read_precision(reader *r, subx_fft_problem p)
{
    if (!has_char(r, '.'))
        return 1;
    p->precision = sx_problem_read_precision(&r->at);
    return p->precision >= 0 || expect(r, "f32, f64, long or f128");
}

/* The lists are: sizes; modes > sizes; or modes > sizes > points. Modes and points that are not listed equal
 * the sizes. */
static int read_lists(reader *r, subx_fft_problem p)
{
    ptrdiff_t lists[3][SX_PROBLEM_NDIMS_MAX];
    int n = 0, ndims;
    if (!has_char(r, ':'))
        return expect(r, ": and lengths");
    do {
        if (n == 3)
            return expect(r, "at most three lists of lengths, not another one");
        if (!read_lengths(r, &ndims, lists[n]) || (n > 0 && !check_count(r, "length", ndims, p->ndims)))
            return 0;
        p->ndims = ndims;
        n++;
    } while (has_char(r, '>'));
    const size_t bytes = (size_t)ndims * sizeof lists[0][0];
    memcpy(p->modes, lists[0], bytes);
    memcpy(p->sizes, lists[n > 1], bytes);
    memcpy(p->points, lists[n > 1 ? n - 1 : 0], bytes);
    return 1;
}

static int read_components(reader *r, subx_fft_problem p)
{
    if (!has_char(r, '*'))
        return 1;
    if (p->howmany != 1)
        return expect(r, "one number of fields, not another one");
    if (!read_number(r, "a number of components", &p->howmany))
        return 0;
    p->interleaved = p->howmany > 1;
    return 1;
}

/* ---- { "/" option } */

static int read_padded(reader *r, subx_fft_problem p, int side)
{
    (void)r;
    p->storage[side].padded = 1;
    return 1;
}

static int read_order(reader *r, subx_fft_problem p, int side)
{
    p->storage[side].has_order = 1;
    for (int i = 0; i < p->ndims; i++) {
        ptrdiff_t axis;
        if (i > 0 && !has_char(r, ','))
            return expect(r, "a comma and another axis");
        if (!read_number(r, "an axis", &axis))
            return 0;
        p->storage[side].order[i] = sx_base_fit(axis < p->ndims ? axis : p->ndims);
    }
    return 1;
}

static int read_block(reader *r, subx_fft_problem p, int side)
{
    ptrdiff_t block[SX_PROBLEM_NDIMS_MAX];
    int n;
    if (!read_lengths(r, &n, block) || !check_count(r, "block", n, p->ndims))
        return 0;
    memcpy(p->storage[side].block, block, (size_t)n * sizeof *block);
    return 1;
}

static int read_operation(reader *r, subx_fft_problem p, int side)
{
    (void)r;
    (void)side;
    p->has_operation = 1;
    return 1;
}

static const struct option {
    const char *name;
    int side;
    int (*read)(reader *r, subx_fft_problem p, int side);
} options[] = {
    {"/padded", SUBX_FFT_PHYSICAL, read_padded},         {"/physical-order=", SUBX_FFT_PHYSICAL, read_order},
    {"/spectral-order=", SUBX_FFT_SPECTRAL, read_order}, {"/physical-block=", SUBX_FFT_PHYSICAL, read_block},
    {"/spectral-block=", SUBX_FFT_SPECTRAL, read_block}, {"/operation", SUBX_FFT_SPECTRAL, read_operation}};

enum { NOPTIONS = sizeof options / sizeof options[0] };

/* Get the index of the option whose name comes next; NOPTIONS if there is none. */
static int find_option(const reader *r)
{
    int i = 0;
    while (i < NOPTIONS && strncmp(r->at, options[i].name, strlen(options[i].name)) != 0)
        i++;
    return i;
}

static int read_options(reader *r, subx_fft_problem p)
{
    for (unsigned seen = 0; *r->at;) {
        const int i = find_option(r);
        if (i == NOPTIONS)
            return expect(r,
                          "the end, /padded, /physical-order=, /physical-block=, /spectral-.. or /operation");
        if (seen & 1u << i)
            return expect(r, "each option once");
        seen |= 1u << i;
        r->at += strlen(options[i].name);
        if (!options[i].read(r, p, options[i].side))
            return 0;
    }
    return 1;
}

/* ---- all of it */

static int read_problem(reader *r, subx_fft_problem p)
{
    int n, kinds[SX_PROBLEM_NDIMS_MAX];
    if (!read_fields(r, p) || !read_kinds(r, &n, kinds) || !read_precision(r, p) || !read_lists(r, p) ||
        !read_components(r, p) || !read_options(r, p) || (n > 1 && !check_count(r, "kind", n, p->ndims)))
        return 0;
    if (n == 1)
        sx_problem_expand_kind(kinds[0], p->ndims, kinds);
    return !sx_problem_set_kinds(p, kinds, r->why) && !sx_problem_check(p, r->why);
}

int subx_fft_problem_parse(const char *text, subx_fft_problem *problem)
{
    struct subx_fft_problem_s p;
    char why[SX_ERROR_LEN] = "";
    sx_text t = {why, sizeof why, 0};
    if (!problem)
        return subx_error_get_code(SUBX_ERR_ARG);
    *problem = SUBX_FFT_PROBLEM_NULL;
    if (!text)
        return subx_error_get_code(SUBX_ERR_ARG);
    sx_problem_set_defaults(&p, 0);
    sx_base_print(&t, "subx: problem: ");
    if (read_problem(&(reader){text, &t}, &p))
        return sx_problem_create(&p, problem);
    return sx_base_set_error_text(SUBX_ERR_PROBLEM, why);
}
