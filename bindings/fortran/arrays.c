/* arrays.c - arrays as Fortran describes them: their addresses, whether they fit a plan, and new arrays for a plan. */
#include "fortran.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int error(int kind)
{
    return subx_error_get_code(kind);
}

static const char *const sides[] = {[SUBX_FFT_PHYSICAL] = "physical", [SUBX_FFT_SPECTRAL] = "spectral"};

/* Set the text of a kind of error; returns the code of the kind. */
__attribute__((format(printf, 2, 3))) static int refuse(int kind, const char *format, ...)
{
    const int code = error(kind);
    char text[256]; /* the smallest MPI_MAX_ERROR_STRING of all MPIs */
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    MPI_Add_error_string(code, text);
    return code;
}

void *subx_f_address(const CFI_cdesc_t *array)
{
    return array->rank == 0 || CFI_is_contiguous(array) ? array->base_addr : NULL;
}

/* ---------------------------------------------------------------------------------- elements */

static int is_real(subx_fft_problem problem, int side)
{
    int ndims, kinds[SUBX_NDIMS_MAX], has_r2c = 0, has_c2c = 0;

    subx_fft_problem_get(problem, &ndims, kinds, NULL, NULL, NULL);
    for (int i = 0; i < ndims; i++) {
        has_r2c |= kinds[i] == SUBX_FFT_R2C;
        has_c2c |= kinds[i] == SUBX_FFT_C2C;
    }
    return has_r2c ? side == SUBX_FFT_PHYSICAL : !has_c2c;
}

/* Get the type of the elements of a side, and the number of fields. The functions that make arrays
 * (subx_f_allocate_*, subx_f_get_*) exist for float and double only: with long double and quad, they refuse every
 * array. */
int subx_f_element_get(subx_fft_plan plan, int side, struct subx_f_element *element)
{
    static const struct {
        CFI_type_t real, complex;
        size_t bytes;
    } types[] = {
        [SUBX_FFT_FLOAT] = {CFI_type_float, CFI_type_float_Complex, sizeof(float)},
        [SUBX_FFT_DOUBLE] = {CFI_type_double, CFI_type_double_Complex, sizeof(double)},
        [SUBX_FFT_LONG_DOUBLE] = {CFI_type_long_double, CFI_type_long_double_Complex, sizeof(long double)},
        [SUBX_FFT_QUAD] = {CFI_type_other, CFI_type_other, 16}};
    subx_fft_problem problem;
    int precision, code = subx_fft_plan_get(plan, &problem, NULL, NULL);

    if (code != MPI_SUCCESS)
        return code;
    if (side != SUBX_FFT_PHYSICAL && side != SUBX_FFT_SPECTRAL)
        return refuse(SUBX_ERR_ARG,
                      "subx: the side is %d, it must be %d (SUBX_FFT_PHYSICAL) or %d (SUBX_FFT_SPECTRAL)",
                      side, SUBX_FFT_PHYSICAL, SUBX_FFT_SPECTRAL);
    subx_fft_problem_get_precision(problem, &precision);
    subx_fft_problem_get_batch(problem, &element->howmany, &element->interleaved);
    element->type = is_real(problem, side) ? types[precision].real : types[precision].complex;
    element->bytes = types[precision].bytes * (is_real(problem, side) ? 1 : 2);
    return MPI_SUCCESS;
}

/* -------------------------------------------------------------------------------- shapes */

/* Add a dimension behind the existing ones, which are faster. `stored` is its length in memory, with padding. *stride is its stride,
 * and becomes the stride of the next dimension. */
static void add_dimension(struct subx_f_shape *shape, ptrdiff_t lower, ptrdiff_t extent, ptrdiff_t *stride,
                          ptrdiff_t stored)
{
    const int k = shape->rank++;

    shape->lower[k] = lower;
    shape->extent[k] = extent;
    shape->stride[k] = *stride;
    *stride *= stored;
}

/* Query whether the text of a plan's problem has an option. */
static int has_option(subx_fft_problem problem, const char *option)
{
    char text[4096]; /* 30 axes have a few hundred bytes */

    return subx_fft_problem_print(problem, sizeof text, text, NULL) == MPI_SUCCESS && strstr(text, option);
}

/* Get the length of an axis in memory. The innermost axis of a padded side has 2 (n / 2 + 1) reals. */
static ptrdiff_t get_stored(subx_fft_problem problem, int side, int level, ptrdiff_t n)
{
    return level == 0 && side == SUBX_FFT_PHYSICAL && has_option(problem, "/padded") ? 2 * (n / 2 + 1) : n;
}

/* Get the shape of an array of a side. SUBX_ERR_UNAVAILABLE if the problem sets strides or several boxes for the
 * side, or if the array has more dimensions than Fortran allows. */
static int get_shape(subx_fft_plan plan, int side, struct subx_f_shape *shape)
{
    ptrdiff_t n[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX], alloc_bytes, stride, count;
    int ndims, order[SUBX_NDIMS_MAX];
    struct subx_f_element element;
    subx_fft_problem problem;
    int code = subx_f_element_get(plan, side, &element);

    if (code == MPI_SUCCESS)
        code = subx_fft_plan_get_local(plan, side, n, start, order, &alloc_bytes);
    if (code != MPI_SUCCESS)
        return code;
    subx_fft_plan_get(plan, &problem, NULL, NULL);
    subx_fft_problem_get(problem, &ndims, NULL, NULL, NULL, NULL);
    if (ndims + (element.howmany > 1) > CFI_MAX_RANK)
        return error(SUBX_ERR_UNAVAILABLE);
    *shape = (struct subx_f_shape){.type = element.type, .elem_bytes = element.bytes};
    stride = (ptrdiff_t)element.bytes;
    count = element.howmany;
    if (element.howmany > 1 && element.interleaved)
        add_dimension(shape, 1, element.howmany, &stride, element.howmany);
    for (int level = 0; level < ndims; level++) {
        const int axis = order[level];
        count *= n[axis];
        add_dimension(shape, start[axis] + 1, n[axis], &stride, get_stored(problem, side, level, n[axis]));
    }
    if (element.howmany > 1 && !element.interleaved)
        add_dimension(shape, 1, element.howmany, &stride, element.howmany);
    shape->is_contiguous = stride == count * (ptrdiff_t)element.bytes;
    return count == 0 || stride == alloc_bytes ? MPI_SUCCESS : error(SUBX_ERR_UNAVAILABLE);
}

/* ------------------------------------------------------------------------------ callers' arrays */

/* Print a type of Fortran, such as complex(8): its kind is the number of bytes of a real. */
static const char *describe(CFI_type_t type, size_t bytes, char text[32])
{
    const int is_real = type == CFI_type_float || type == CFI_type_double || type == CFI_type_long_double;
    const int is_complex = type == CFI_type_float_Complex || type == CFI_type_double_Complex ||
                           type == CFI_type_long_double_Complex;

    if (is_real || is_complex)
        snprintf(text, 32, "%s(%zu)", is_real ? "real" : "complex", is_real ? bytes : bytes / 2);
    else
        snprintf(text, 32, "elements of %zu bytes", bytes);
    return text;
}

static int refuse_length(subx_fft_plan plan, int side, const CFI_cdesc_t *array, ptrdiff_t bytes,
                         ptrdiff_t needed)
{
    struct subx_f_element element;
    char theirs[32], ours[32];
    const int code = subx_f_element_get(plan, side, &element);

    return code != MPI_SUCCESS
               ? code
               : refuse(SUBX_ERR_TRUNCATE,
                        "subx: the array of the %s side has %td bytes (%s), it must have %td (%s)",
                        sides[side], bytes, describe(array->type, array->elem_len, theirs), needed,
                        describe(element.type, element.bytes, ours));
}

/* Query whether this rank has elements on a side. */
static int has_data(subx_fft_plan plan, int side)
{
    ptrdiff_t n[SUBX_NDIMS_MAX];
    int ndims;
    subx_fft_problem problem;

    subx_fft_plan_get(plan, &problem, NULL, NULL);
    subx_fft_problem_get(problem, &ndims, NULL, NULL, NULL, NULL);
    subx_fft_plan_get_local(plan, side, n, NULL, NULL, NULL);
    for (int i = 0; i < ndims; i++)
        if (n[i] == 0)
            return 0;
    return 1;
}

/* Query whether an array with gaps has the shape of an array that subx_f_get_* makes. */
static int is_own(subx_fft_plan plan, int side, const CFI_cdesc_t *array)
{
    struct subx_f_shape shape;

    if (get_shape(plan, side, &shape) != MPI_SUCCESS || array->rank != shape.rank)
        return 0;
    for (int k = 0; k < shape.rank; k++)
        if (array->dim[k].extent != shape.extent[k] || array->dim[k].sm != shape.stride[k])
            return 0;
    return 1;
}

/* A scalar, such as u(1,1,1), and an assumed-size array do not tell their length: they are not checked. */
void subx_f_check_array(subx_fft_plan plan, int side, const CFI_cdesc_t *array, int *code)
{
    ptrdiff_t alloc_bytes, bytes = (ptrdiff_t)array->elem_len;

    if (*code == MPI_SUCCESS)
        *code = subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &alloc_bytes);
    if (*code != MPI_SUCCESS || array->rank == 0 || array->dim[array->rank - 1].extent < 0 ||
        !has_data(plan, side))
        return;
    for (int k = 0; k < array->rank; k++)
        bytes *= array->dim[k].extent;
    if (!CFI_is_contiguous(array) && !is_own(plan, side, array))
        *code = refuse(SUBX_ERR_ARG, "subx: the array of the %s side has gaps, it must be contiguous",
                       sides[side]);
    else if (CFI_is_contiguous(array) && bytes < alloc_bytes)
        *code = refuse_length(plan, side, array, bytes, alloc_bytes);
}

/* --------------------------------------------------------------------------------- new arrays */

/* End a procedure of Fortran, as finish of subx_support.f90 does. */
static void finish(int code, int *ierror)
{
    if (ierror)
        *ierror = code;
    else if (code != MPI_SUCCESS)
        subx_f_raise(code, NULL);
}

void subx_f_allocate_memory(subx_fft_plan plan, void **memory, int *ierror)
{
    ptrdiff_t bytes, most = 0;
    int code = MPI_SUCCESS;

    *memory = NULL;
    for (int side = 0; side < 2 && code == MPI_SUCCESS; side++) {
        code = subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &bytes);
        most = code == MPI_SUCCESS && bytes > most ? bytes : most;
    }
    if (code == MPI_SUCCESS && posix_memalign(memory, 64, (size_t)most))
        code = error(SUBX_ERR_NO_MEM);
    finish(code, ierror);
}

static int get_shape_for(subx_fft_plan plan, int side, const CFI_cdesc_t *array, struct subx_f_shape *shape)
{
    char theirs[32], ours[32];
    int code = get_shape(plan, side, shape);

    if (code == MPI_SUCCESS && (array->type != shape->type || array->rank != shape->rank))
        code = refuse(SUBX_ERR_ARG, "subx: the array is %s of rank %d, the %s side needs %s of rank %d",
                      describe(array->type, array->elem_len, theirs), array->rank, sides[side],
                      describe(shape->type, shape->elem_bytes, ours), shape->rank);
    return code;
}

static int allocate(subx_fft_plan plan, int side, CFI_cdesc_t *array)
{
    struct subx_f_shape shape;
    CFI_index_t upper[CFI_MAX_RANK];
    int code = get_shape_for(plan, side, array, &shape);

    if (array->base_addr)
        CFI_deallocate(array);
    if (code != MPI_SUCCESS)
        return code;
    if (!shape.is_contiguous)
        return error(SUBX_ERR_UNAVAILABLE);
    for (int k = 0; k < shape.rank; k++)
        upper[k] = shape.lower[k] + shape.extent[k] - 1;
    return CFI_allocate(array, shape.lower, upper, shape.elem_bytes) == CFI_SUCCESS ? MPI_SUCCESS
                                                                                    : error(SUBX_ERR_NO_MEM);
}

static int get_array(subx_fft_plan plan, int side, void *memory, CFI_cdesc_t *array)
{
    struct subx_f_shape shape;
    CFI_CDESC_T(CFI_MAX_RANK) room;
    CFI_cdesc_t *source = (CFI_cdesc_t *)&room;
    int code = get_shape_for(plan, side, array, &shape);

    if (code != MPI_SUCCESS)
        return code;
    if (!memory)
        return error(SUBX_ERR_ARG);
    CFI_establish(source, memory, CFI_attribute_pointer, shape.type, shape.elem_bytes, (CFI_rank_t)shape.rank,
                  shape.extent);
    for (int k = 0; k < shape.rank; k++)
        source->dim[k].sm = shape.stride[k];
    return CFI_setpointer(array, source, shape.lower) == CFI_SUCCESS ? MPI_SUCCESS : error(SUBX_ERR_ARG);
}

/* Fortran has an interface for each type: the names of the functions distinguish the types. */
#define ARRAYS(type)                                                                                         \
    void subx_f_allocate_##type(subx_fft_plan plan, int side, CFI_cdesc_t *array, int *ierror)               \
    {                                                                                                        \
        finish(allocate(plan, side, array), ierror);                                                         \
    }                                                                                                        \
    void subx_f_get_##type(subx_fft_plan plan, int side, void *memory, CFI_cdesc_t *array, int *ierror)      \
    {                                                                                                        \
        finish(get_array(plan, side, memory, array), ierror);                                                \
    }
ARRAYS(real32)
ARRAYS(real64)
ARRAYS(complex32)
ARRAYS(complex64)
