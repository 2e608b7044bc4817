/* problem.c - the spelling of a problem, which is parsed and printed here and nowhere else. */
#include "plan/plan.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

static const char *const kinds[] = {[SUBX_FFT_C2C] = "c2c", [SUBX_FFT_R2C] = "r2c", [SUBX_FFT_C2R] = "c2r"};

static int parse_kind(const char *text)
{
    for (int kind = SUBX_FFT_C2C; kind <= SUBX_FFT_C2R; kind++)
        if (strncmp(text, kinds[kind], 3) == 0 && text[3] == ':')
            return kind;
    return 0;
}

/* strtol alone would accept blanks and signs as well. */
int sx_plan_parse_lengths(const char *text, int max, int *n, ptrdiff_t lengths[])
{
    *n = 0;
    for (;; text++) {
        char *end;
        if (*n == max || !isdigit((unsigned char)*text))
            return 0;
        errno = 0;
        lengths[(*n)++] = strtol(text, &end, 10);
        if (errno)
            return 0;
        text = end;
        if (!*text)
            return 1;
        if (*text != 'x')
            return 0;
    }
}

int sx_plan_check_problem(int kind, int ndims, const ptrdiff_t sizes[])
{
    if (kind < SUBX_FFT_C2C || kind > SUBX_FFT_C2R || !sizes)
        return subx_error_get(SUBX_ERR_ARG);
    if (ndims < 2 || ndims > SUBX_NDIMS_MAX)
        return subx_error_get(SUBX_ERR_NDIMS);
    for (int i = 0; i < ndims; i++)
        if (sizes[i] <= 0)
            return subx_error_get(SUBX_ERR_SIZE);
    return MPI_SUCCESS;
}

int subx_fft_problem_parse(const char *text, int *kind, int *ndims, ptrdiff_t sizes[])
{
    int n;
    ptrdiff_t lengths[SUBX_NDIMS_MAX];
    if (!text || !kind || !ndims || !sizes)
        return subx_error_get(SUBX_ERR_ARG);
    int k = parse_kind(text);
    if (!k || !sx_plan_parse_lengths(text + 4, SUBX_NDIMS_MAX, &n, lengths) ||
        sx_plan_check_problem(k, n, lengths))
        return subx_error_get(SUBX_ERR_PROBLEM);
    *kind = k;
    *ndims = n;
    memcpy(sizes, lengths, (size_t)n * sizeof sizes[0]);
    return MPI_SUCCESS;
}

int subx_fft_problem_print(int kind, int ndims, const ptrdiff_t sizes[], size_t len, char *text,
                           size_t *needed)
{
    sx_text t = {text, len, 0};
    if (!sizes || (!text && len > 0))
        return subx_error_get(SUBX_ERR_ARG);
    if (sx_plan_check_problem(kind, ndims, sizes))
        return subx_error_get(SUBX_ERR_PROBLEM);
    sx_base_print(&t, "%s:", kinds[kind]);
    sx_base_print_sizes(&t, ndims, sizes);
    if (needed)
        *needed = t.used;
    return MPI_SUCCESS;
}
