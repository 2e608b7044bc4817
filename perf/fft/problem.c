/* problem.c - the problems that are timed. */
#include "fft/fft.h"

#include <string.h>

/* Query whether a problem is timed. Its text must have no options: no padding, orders, blocks, fields,
 * modes or points. */
static int is_timed(const struct sx_perf_fft_problem *p)
{
    const int last = sx_perf_fft_problem_get_kind(p), is_r2r = last >= SUBX_FFT_DCT1;
    int ok =
        p->precision <= SUBX_FFT_DOUBLE && p->ndims > 1 && !strpbrk(p->name, "/>*") && last > SUBX_FFT_NONE;
    for (int a = 0; a < p->ndims - 1; a++)
        ok = ok && (is_r2r ? p->kinds[a] >= SUBX_FFT_DCT1 : p->kinds[a] == SUBX_FFT_C2C);
    return ok;
}

/* Read what a problem of the library says. Returns the direction that its text names. */
static int import(subx_fft_problem parsed, const char *text, struct sx_perf_fft_problem *problem)
{
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    int kinds[SUBX_NDIMS_MAX], direction = 0;
    subx_fft_problem_get(parsed, &problem->ndims, kinds, sizes, NULL, NULL);
    subx_fft_problem_get_precision(parsed, &problem->precision);
    subx_fft_problem_get_direction(parsed, &direction);
    if (problem->ndims > SX_PERF_FFT_NDIMS_MAX)
        sx_perf_program_exit(MPI_SUCCESS, "--problems %.60s: more than %d axes", text, SX_PERF_FFT_NDIMS_MAX);
    memcpy(problem->kinds, kinds, (size_t)problem->ndims * sizeof *kinds);
    memcpy(problem->sizes, sizes, (size_t)problem->ndims * sizeof *sizes);
    return direction;
}

void sx_perf_fft_problem_parse(const char *text, struct sx_perf_fft_problem *problem)
{
    subx_fft_problem parsed;
    size_t needed = 0;
    int code = subx_fft_problem_parse(text, &parsed);
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "--problems %.60s", text);
    const int direction = import(parsed, text, problem);
    subx_fft_problem_print(parsed, sizeof problem->name, problem->name, &needed);
    subx_fft_problem_free(&parsed);
    if (direction == SUBX_FFT_BACKWARD)
        sx_perf_program_exit(MPI_SUCCESS, "--problems %.60s: c2r is r2c with --direction backward", text);
    if (needed >= sizeof problem->name || !is_timed(problem))
        sx_perf_program_exit(
            MPI_SUCCESS,
            "--problems %.60s: only transforms of two axes and more, c2c, r2c and real-to-real, in f32 and "
            "f64, without options, are timed",
            text);
}

void sx_perf_fft_problem_get_spectral(const struct sx_perf_fft_problem *problem, ptrdiff_t sizes[])
{
    const int last = problem->ndims - 1;
    memcpy(sizes, problem->sizes, sizeof problem->sizes);
    if (problem->kinds[last] == SUBX_FFT_R2C)
        sizes[last] = sizes[last] / 2 + 1;
}

int sx_perf_fft_problem_get_kind(const struct sx_perf_fft_problem *problem)
{
    return problem->kinds[problem->ndims - 1];
}

int sx_perf_fft_problem_get_width(const struct sx_perf_fft_problem *problem, int side)
{
    const int kind = sx_perf_fft_problem_get_kind(problem);
    return kind == SUBX_FFT_C2C || (kind == SUBX_FFT_R2C && side == SUBX_FFT_SPECTRAL) ? 2 : 1;
}

ptrdiff_t sx_perf_fft_problem_get_real_bytes(const struct sx_perf_fft_problem *problem)
{
    return problem->precision == SUBX_FFT_FLOAT ? sizeof(float) : sizeof(double);
}

/* Rounding errors are far below these values, wrong results far above. */
double sx_perf_fft_problem_get_tolerance(const struct sx_perf_fft_problem *problem)
{
    return problem->precision == SUBX_FFT_FLOAT ? 1e-4 : 1e-10;
}
