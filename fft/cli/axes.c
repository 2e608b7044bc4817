/* axes.c - get the axes of the global arrays of both sides from the problem. */
#include "cli/cli.h"

#include <string.h>

static void set_axis(struct sx_cli_axes *axes, int a, int kind, const ptrdiff_t lengths[3])
{
    axes->axis[a] =
        (sx_definition_axis){.kind = kind, .size = lengths[0], .modes = lengths[1], .points = lengths[2]};
}

static int get_transformed(subx_fft_problem problem, struct sx_cli_axes *axes)
{
    int kinds[SUBX_NDIMS_MAX];
    ptrdiff_t sizes[SUBX_NDIMS_MAX], modes[SUBX_NDIMS_MAX], points[SUBX_NDIMS_MAX];
    int code = subx_fft_problem_get(problem, &axes->ndims, kinds, sizes, modes, points);
    int has_c2c = 0, has_r2c = 0;
    for (int a = 0; a < axes->ndims && code == MPI_SUCCESS; a++) {
        set_axis(axes, a, kinds[a], (ptrdiff_t[]){sizes[a], modes[a], points[a]});
        has_c2c |= kinds[a] == SUBX_FFT_C2C;
        has_r2c |= kinds[a] == SUBX_FFT_R2C;
    }
    axes->reals[SUBX_FFT_PHYSICAL] = has_c2c && !has_r2c ? 2 : 1;
    axes->reals[SUBX_FFT_SPECTRAL] = has_c2c || has_r2c ? 2 : 1;
    return code;
}

/* If the problem has several fields, add an axis for them: the first axis, or the last one if the fields are
 * interleaved. */
static int add_fields(subx_fft_problem problem, struct sx_cli_axes *axes)
{
    ptrdiff_t howmany = 1;
    int interleaved = 0;
    int code = subx_fft_problem_get_batch(problem, &howmany, &interleaved);
    axes->fields = -1;
    if (code != MPI_SUCCESS || howmany == 1)
        return code;
    axes->fields = interleaved ? axes->ndims : 0;
    if (!interleaved)
        memmove(axes->axis + 1, axes->axis, (size_t)axes->ndims * sizeof *axes->axis);
    set_axis(axes, axes->fields, SUBX_FFT_NONE, (ptrdiff_t[]){howmany, howmany, howmany});
    axes->ndims++;
    return code;
}

int sx_cli_axes_get(subx_fft_problem problem, struct sx_cli_axes *axes)
{
    int code = get_transformed(problem, axes);
    if (code == MPI_SUCCESS)
        code = add_fields(problem, axes);
    if (code == MPI_SUCCESS)
        code = subx_fft_problem_get_precision(problem, &axes->precision);
    return code == MPI_SUCCESS ? SX_CLI_OK
                               : sx_cli_fail_set_code(code, "cannot ask the problem for its axes");
}

int sx_cli_axis_query_whole(const sx_definition_axis *axis)
{
    return axis->modes == axis->size && axis->points == axis->size;
}
