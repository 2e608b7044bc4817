/* check.c - check a plan: its backward transform must be the inverse of its forward transform, except for a factor. */
#include "tune/tune.h"

#include <math.h>
#include <string.h>

/* Rounding errors are far below this value, wrong results far above. */
static const double tolerance = 1e-10;

static ptrdiff_t get_bytes(const struct sx_perf_tune_plan *plan, int side)
{
    ptrdiff_t bytes = 0;
    subx_fft_plan_get_local(plan->plan, side, NULL, NULL, NULL, &bytes);
    return bytes;
}

/* Numbers in -0.5 .. 0.5 that repeat only after many elements, and differ between ranks. */
static double get_number(ptrdiff_t i)
{
    const uint64_t k = (uint64_t)i + ((uint64_t)sx_perf_program_get_rank() << 40);
    return (double)((k * 0x9e3779b97f4a7c15U) >> 11) / 9007199254740992.0 - 0.5;
}

/* Get the largest value of all ranks; infinity if a value is NaN. */
static double get_largest(double value)
{
    value = isnan(value) ? HUGE_VAL : value;
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return value;
}

/* Query whether the arrays of all ranks hold the numbers of get_number, all multiplied by the same factor. The
 * factor must be at least 1. The factor that fits best is the quotient of two scalar products. */
static int is_multiple(ptrdiff_t n, const double *array)
{
    double product[2] = {0, 0}, error = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        product[0] += array[i] * get_number(i);
        product[1] += get_number(i) * get_number(i);
    }
    MPI_Allreduce(MPI_IN_PLACE, product, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double factor = product[0] / product[1];
    for (ptrdiff_t i = 0; i < n; i++) {
        const double difference = fabs(array[i] / factor - get_number(i));
        error = difference <= error ? error : difference;
    }
    return factor >= 1 && get_largest(error) < tolerance;
}

int sx_perf_tune_check_query(const struct sx_perf_tune_plan *plan)
{
    const ptrdiff_t n = get_bytes(plan, SUBX_FFT_PHYSICAL) / (ptrdiff_t)sizeof(double);
    double *physical = plan->array[SUBX_FFT_PHYSICAL];
    void *spectral = plan->array[SUBX_FFT_SPECTRAL];
    for (ptrdiff_t i = 0; i < n; i++)
        physical[i] = get_number(i);
    int code = subx_fft_execute(plan->plan, SUBX_FFT_FORWARD, physical, spectral);
    memset(physical, 0, (size_t)n * sizeof *physical);
    int failed = subx_fft_execute(plan->plan, SUBX_FFT_BACKWARD, spectral, physical);
    if (code != MPI_SUCCESS || failed != MPI_SUCCESS)
        sx_perf_program_abort(code != MPI_SUCCESS ? code : failed, "an execution failed");
    const int is_right = is_multiple(n, physical);
    /* Set the arrays to 0: transforms of zeros remain zeros, other numbers would overflow. */
    memset(physical, 0, (size_t)n * sizeof *physical);
    memset(spectral, 0, (size_t)get_bytes(plan, SUBX_FFT_SPECTRAL));
    return is_right;
}
