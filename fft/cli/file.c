/* file.c - read the array of a side of a plan from a file, or write it into a file. */
#include "cli/cli.h"
#include <subx_io.h>

#include <stdlib.h>
#include <string.h>

static MPI_Info create_hints(void)
{
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_append", "no");
    return hints;
}

/* Free the hints, and note the error of a code, which is the same on all ranks. */
static int finish(int code, const char *path, MPI_Info *hints)
{
    MPI_Info_free(hints);
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "%s", path);
}

/* ------------------------------------------------------------------------------------ types */

/* Elements of files have at most double precision. */
static int get_file_precision(int precision)
{
    return precision == SUBX_FFT_FLOAT ? SUBX_FFT_FLOAT : SUBX_FFT_DOUBLE;
}

const char *sx_cli_file_query_type(int precision, int reals)
{
    if (precision == SUBX_FFT_FLOAT)
        return reals == 1 ? "float32" : "complex64";
    return reals == 1 ? "float64" : "complex128";
}

int sx_cli_file_query_bytes(int precision)
{
    return precision == SUBX_FFT_FLOAT ? sizeof(float) : sizeof(double);
}

static MPI_Datatype get_type(const struct sx_cli_box *box)
{
    if (box->precision == SUBX_FFT_FLOAT)
        return box->reals == 1 ? MPI_FLOAT : MPI_C_FLOAT_COMPLEX;
    return box->reals == 1 ? MPI_DOUBLE : MPI_C_DOUBLE_COMPLEX;
}

/* ------------------------------------------------------------------------------------ input */

/* Check that the array can be transformed. */
static int check_array(const char *path, const struct sx_cli_input *in, MPI_Datatype type)
{
    for (int a = 0; a < in->ndims; a++)
        if (in->shape[a] == 0)
            return sx_cli_fail_set("%s: axis %d has length 0", path, a);
    if (in->reals == 1 && type != MPI_FLOAT && type != MPI_DOUBLE)
        return sx_cli_fail_set(
            "%s: its elements are integers; float32, float64, complex64 or complex128 can be read", path);
    return SX_CLI_OK;
}

int sx_cli_file_get(MPI_Comm comm, const char *path, struct sx_cli_input *in)
{
    MPI_Info hints = create_hints();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int storage = 0;
    int rc = finish(subx_file_get(comm, path, hints, SUBX_NDIMS_MAX, &in->ndims, in->shape, &storage, &type),
                    path, &hints);
    if (rc != SX_CLI_OK)
        return rc;
    in->is_raw = type == MPI_BYTE;
    in->reals = type == MPI_C_FLOAT_COMPLEX || type == MPI_C_DOUBLE_COMPLEX ? 2 : 1;
    in->fortran = storage == MPI_ORDER_FORTRAN;
    MPI_Type_size(type, &in->bytes);
    return in->is_raw ? SX_CLI_OK : check_array(path, in, type);
}

static int check_order(const struct sx_cli_box *box, const char *path)
{
    if (box->scrambled < 0)
        return SX_CLI_OK;
    return sx_cli_fail_set(
        "%s: with --output-order transposed a spectrum of one axis is scrambled, and has no file", path);
}

int sx_cli_file_query_writable(const struct sx_cli_job *job)
{
    const char *path = job->opt.output;
    int rc = check_order(&job->box[sx_cli_job_get_to(job)], path);
    if (rc != SX_CLI_OK)
        return rc;
    MPI_Info hints = create_hints();
    return finish(subx_file_query_writable(job->comm, path, hints), path, &hints);
}

/* ------------------------------------------------------------------------------------- data */

/* The elements of a box as in files: in storage order, without gaps, at most double precision. */
struct packed {
    struct sx_cli_box box;
    void *array;
    int is_copy;
};

static int create_packed(const struct sx_cli_job *job, int side, struct packed *packed)
{
    const struct sx_cli_box *box = &job->box[side];
    *packed = (struct packed){.box = *box, .array = job->array[side]};
    packed->box.precision = get_file_precision(box->precision);
    packed->is_copy = box->has_gaps || packed->box.precision != box->precision;
    if (packed->is_copy)
        packed->array =
            sx_cli_memory_create(box->count, box->reals * sx_cli_file_query_bytes(box->precision));
    return sx_cli_fail_agree(job->comm, packed->array ? SX_CLI_OK : SX_CLI_ERROR);
}

static void free_packed(struct packed *packed)
{
    if (packed->is_copy)
        free(packed->array);
}

/* Copy elements into the box (is_import), or out of it. */
static void copy(const struct packed *packed, const struct sx_cli_box *box, void *array, int is_import)
{
    struct sx_cli_cursor c;
    ptrdiff_t i = 0;
    for (int more = sx_cli_box_start(box, &c); more && packed->is_copy;
         more = sx_cli_box_next(box, &c), i++) {
        long double value[2];
        sx_cli_box_get_value(is_import ? &packed->box : box, is_import ? packed->array : array,
                             is_import ? i : c.at, value);
        sx_cli_box_set_value(is_import ? box : &packed->box, is_import ? array : packed->array,
                             is_import ? c.at : i, value);
    }
}

int sx_cli_file_import(const struct sx_cli_job *job, int side)
{
    const struct sx_cli_box *box = &job->box[side];
    const char *path = job->opt.input;
    struct packed packed;
    int rc = check_order(box, path);
    if (rc == SX_CLI_OK)
        rc = create_packed(job, side, &packed);
    if (rc != SX_CLI_OK)
        return rc;
    MPI_Info hints = create_hints();
    rc = finish(subx_file_read(job->comm, path, box->ndims, box->n, box->shape, box->start, box->order,
                               get_type(box), packed.array, hints),
                path, &hints);
    copy(&packed, box, job->array[side], 1);
    free_packed(&packed);
    return rc;
}

int sx_cli_file_export(const struct sx_cli_job *job, int side)
{
    const struct sx_cli_box *box = &job->box[side];
    const char *path = job->opt.output;
    struct packed packed;
    int rc = create_packed(job, side, &packed);
    if (rc != SX_CLI_OK)
        return rc;
    MPI_Info hints = create_hints();
    copy(&packed, box, job->array[side], 0);
    rc = finish(subx_file_write(job->comm, path, box->ndims, box->n, box->shape, box->start, box->order,
                                get_type(box), packed.array, hints),
                path, &hints);
    free_packed(&packed);
    return rc;
}
