/* file.c - read a side of a plan from a .npy file, and write one. Between the file's view and the local
 * array there is a staging buffer in the file's order. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------ conversion */

static void swap_bytes(unsigned char *bytes, int width)
{
    for (int i = 0; i < width / 2; i++) {
        unsigned char other = bytes[width - 1 - i];
        bytes[width - 1 - i] = bytes[i];
        bytes[i] = other;
    }
}

/* Get one number of the file's type. */
static double get_number(const unsigned char *bytes, const struct sx_cli_npy *npy)
{
    unsigned char native[sizeof(double)];
    float narrow;
    double wide;
    memcpy(native, bytes, (size_t)npy->width);
    if (npy->swap)
        swap_bytes(native, npy->width);
    memcpy(&wide, native, sizeof wide);
    memcpy(&narrow, native, sizeof narrow);
    return npy->width == 4 ? (double)narrow : wide;
}

/* Convert the file's elements into doubles within one buffer, at whose end they lie. An element is never
 * wider in the file than here, so that a write never overtakes the reads. */
static void convert(double *buffer, ptrdiff_t count, int reals, const struct sx_cli_npy *npy)
{
    int element_bytes = npy->width * npy->reals;
    const unsigned char *in = (unsigned char *)(buffer + count * reals) - count * element_bytes;
    for (ptrdiff_t i = 0; i < count; i++, in += element_bytes, buffer += reals) {
        double re = get_number(in, npy);
        double im = npy->reals == 2 ? get_number(in + npy->width, npy) : 0;
        buffer[0] = re;
        if (reals == 2)
            buffer[1] = im;
    }
}

/* ------------------------------------------------------------------------ import and export */

/* The axes in the file's order, innermost first. */
static int file_axis(const struct sx_cli_box *box, int fortran, int i)
{
    return fortran ? i : box->ndims - 1 - i;
}

/* Create the type of the local array, which walks it in the file's order. Seen as a Fortran-ordered array
 * whose j-th dimension is axis order[j], an array in any storage order is a plain array to the type. */
static int create_local_type(const struct sx_cli_box *box, int fortran, MPI_Datatype *type)
{
    MPI_Count sizes[SUBX_NDIMS_MAX], starts[SUBX_NDIMS_MAX];
    int place[SUBX_NDIMS_MAX], order[SUBX_NDIMS_MAX];
    int code;
    for (int j = 0; j < box->ndims; j++) {
        place[box->order[j]] = j;
        sizes[j] = box->shape[box->order[j]];
        starts[j] = 0;
    }
    for (int i = 0; i < box->ndims; i++)
        order[i] = place[file_axis(box, fortran, i)];
    code = subx_type_create_subarray_c(box->ndims, sizes, sizes, starts, MPI_ORDER_FORTRAN, order,
                                       box->reals == 1 ? MPI_DOUBLE : MPI_C_DOUBLE_COMPLEX, type);
    return code == MPI_SUCCESS ? MPI_Type_commit(type) : code;
}

static int unpack_local(const struct sx_cli_box *box, int fortran, const double *staging, double *array)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Count bytes = box->count * box->reals * (ptrdiff_t)sizeof(double), position = 0;
    int code = box->count ? create_local_type(box, fortran, &type) : MPI_SUCCESS;
    if (code == MPI_SUCCESS && box->count)
        code = subx_type_unpack(staging, bytes, &position, array, 1, type);
    sx_cli_view_free_type(&type);
    return code;
}

static int pack_local(const struct sx_cli_box *box, const double *array, double *staging)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Count bytes = box->count * box->reals * (ptrdiff_t)sizeof(double), position = 0;
    int code = box->count ? create_local_type(box, 0, &type) : MPI_SUCCESS;
    if (code == MPI_SUCCESS && box->count)
        code = subx_type_pack(array, 1, type, staging, bytes, &position);
    sx_cli_view_free_type(&type);
    return code;
}

static int agree(const struct sx_cli_job *job, int code, const char *path)
{
    int rc = code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "%s", path);
    return sx_cli_fail_agree(job->comm, rc);
}

static int read_data(const struct sx_cli_job *job, const struct sx_cli_box *box, double *staging)
{
    ptrdiff_t bytes = box->count * job->input.width * job->input.reals;
    struct sx_cli_view view;
    int rc = sx_cli_view_create(job->comm, job->opt.input, MPI_MODE_RDONLY, &view);
    if (rc != SX_CLI_OK)
        return rc;
    rc = sx_cli_view_set(&view, box, &job->input);
    if (rc == SX_CLI_OK)
        rc = sx_cli_view_import(&view, (unsigned char *)(staging + box->count * box->reals) - bytes);
    return sx_cli_view_free(&view, rc);
}

int sx_cli_file_import(const struct sx_cli_job *job, int side)
{
    const struct sx_cli_box *box = &job->box[side];
    double *staging = sx_cli_memory_create(box->count, box->reals * (ptrdiff_t)sizeof(double));
    int rc = sx_cli_fail_agree(job->comm, staging ? SX_CLI_OK : SX_CLI_ERROR);
    if (rc == SX_CLI_OK)
        rc = read_data(job, box, staging);
    if (rc == SX_CLI_OK) {
        convert(staging, box->count, box->reals, &job->input);
        rc = agree(job, unpack_local(box, job->input.fortran, staging, job->array[side]), job->opt.input);
    }
    free(staging);
    return rc;
}

/* Set the file's length, which also cuts an older and longer one, and write its header. */
static int write_header(const struct sx_cli_job *job, const struct sx_cli_view *view, const char *header,
                        const struct sx_cli_npy *npy, ptrdiff_t bytes)
{
    int code = MPI_SUCCESS, rc = sx_cli_view_agree(view, MPI_File_set_size(view->file, bytes));
    if (rc != SX_CLI_OK)
        return rc;
    if (job->rank == 0)
        code = MPI_File_write_at(view->file, 0, header, (int)npy->data, MPI_BYTE, MPI_STATUS_IGNORE);
    return sx_cli_view_agree(view, code);
}

static int write_data(const struct sx_cli_job *job, const struct sx_cli_box *box, struct sx_cli_npy *npy,
                      const double *staging)
{
    char header[SX_CLI_NPY_EXPORT_MAX];
    ptrdiff_t bytes = npy->width * npy->reals * sx_cli_box_volume(npy->ndims, npy->shape);
    struct sx_cli_view view;
    int rc;
    npy->data = (ptrdiff_t)sx_cli_npy_print(npy, header);
    bytes += npy->data;
    rc = sx_cli_file_set_space(job, bytes);
    if (rc == SX_CLI_OK)
        rc = sx_cli_view_create(job->comm, job->opt.output, MPI_MODE_CREATE | MPI_MODE_WRONLY, &view);
    if (rc != SX_CLI_OK)
        return rc;
    rc = write_header(job, &view, header, npy, bytes);
    if (rc == SX_CLI_OK)
        rc = sx_cli_view_set(&view, box, npy);
    if (rc == SX_CLI_OK)
        rc = sx_cli_view_export(&view, staging);
    return sx_cli_view_free(&view, rc);
}

int sx_cli_file_export(const struct sx_cli_job *job, int side)
{
    const struct sx_cli_box *box = &job->box[side];
    struct sx_cli_npy npy = {.width = sizeof(double), .reals = box->reals, .ndims = box->ndims};
    double *staging = sx_cli_memory_create(box->count, box->reals * (ptrdiff_t)sizeof(double));
    int rc = sx_cli_fail_agree(job->comm, staging ? SX_CLI_OK : SX_CLI_ERROR);
    memcpy(npy.shape, box->n, sizeof npy.shape);
    if (rc == SX_CLI_OK)
        rc = agree(job, pack_local(box, job->array[side], staging), job->opt.output);
    if (rc == SX_CLI_OK)
        rc = write_data(job, box, &npy, staging);
    free(staging);
    return rc;
}
