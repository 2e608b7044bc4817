/* view.c - read and write files by MPI-IO. The file view of each rank is its box of the array, in the order
 * of the file, because MPI requires ascending displacements in views. Elements are reordered in memory
 * (move.c). */
#include "io/io.h"

/* Create the type of this rank's box in the file. If the rank has no data, the type is a byte, and no bytes
 * are moved. */
static int create_region(const sx_io_array *array, const sx_io_box *box, MPI_Datatype *region)
{
    MPI_Count sizes[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    MPI_Datatype element;
    if (sx_base_get_volume(box->ndims, box->len) == 0)
        return MPI_Type_dup(MPI_BYTE, region);
    for (int a = 0; a < box->ndims; a++) {
        sizes[a] = array->sizes[a];
        len[a] = box->len[a];
        start[a] = box->start[a];
    }
    int rc = MPI_Type_contiguous(array->elem.bytes, MPI_BYTE, &element);
    if (rc)
        return rc;
    rc = subx_type_create_subarray_c(box->ndims, sizes, len, start, MPI_ORDER_C, NULL, element, region);
    MPI_Type_free(&element);
    return rc;
}

static int set_view(sx_io_file *f, const sx_io_box *box)
{
    MPI_Datatype region = MPI_DATATYPE_NULL;
    int rc = create_region(&f->array, box, &region);
    if (!rc)
        rc = MPI_Type_commit(&region);
    rc = sx_base_agree(f->comm, rc, NULL);
    if (!rc)
        rc = sx_base_agree(
            f->comm, MPI_File_set_view(f->file, f->array.data, MPI_BYTE, region, "native", MPI_INFO_NULL),
            NULL);
    if (region != MPI_DATATYPE_NULL)
        MPI_Type_free(&region);
    return rc;
}

static int write_header(sx_io_file *f, const char *header, int len)
{
    int rc = MPI_SUCCESS;
    if (f->rank == 0 && len)
        rc = MPI_File_write_at(f->file, 0, header, len, MPI_BYTE, MPI_STATUS_IGNORE);
    return sx_base_agree(f->comm, rc, NULL);
}

/* Get the end of this rank's box in the file, bytes. For an empty box, get the end of the header, which has
 * `len` bytes. */
static int64_t get_last(const sx_io_file *f, const sx_io_box *box, int len)
{
    ptrdiff_t at = 0;
    if (sx_base_get_volume(box->ndims, box->len) == 0)
        return len;
    for (int a = 0; a < box->ndims; a++)
        at = at * f->array.sizes[a] + box->start[a] + box->len[a] - 1;
    return f->array.data + (at + 1) * f->array.elem.bytes;
}

/* If only some ranks could open the file, they cannot close it, because closing is collective: the file stays
 * open until the program ends. */
int sx_io_view_open(sx_io_file *f, const sx_io_box *box, const char *header, int len)
{
    ptrdiff_t bytes, end;
    int rc = sx_io_array_get_bytes(&f->array, &bytes, &end);
    if (!rc && f->rank == 0 && f->side == SX_TO)
        rc = sx_io_disk_reserve(f->path, f->array.data, bytes);
    rc = sx_base_agree(f->comm, rc, NULL);
    if (rc)
        return rc;
    rc = MPI_File_open(f->comm, f->path, f->side == SX_TO ? MPI_MODE_WRONLY : MPI_MODE_RDONLY, f->hints,
                       &f->file);
    if (!rc)
        rc = MPI_File_set_errhandler(f->file, MPI_ERRORS_RETURN);
    rc = sx_base_agree(f->comm, rc, NULL);
    if (rc)
        return rc;
    f->last = get_last(f, box, len);
    if (f->side == SX_TO)
        rc = write_header(f, header, len);
    if (!rc)
        rc = set_view(f, box);
    if (rc)
        MPI_File_close(&f->file);
    return rc;
}

/* Get the error code of a transfer: `wrong` if MPI reports success, but the number of bytes in the status is
 * not `bytes`. If the disk is full, or if the file was shortened in the meantime, MPI may show this only in
 * the status. */
static int check(int rc, const MPI_Status *status, int bytes, int wrong)
{
    int done = 0;
    if (!rc && bytes)
        rc = MPI_Get_count(status, MPI_BYTE, &done);
    return !rc && done != bytes ? wrong : rc;
}

static int get_bytes(const sx_io_file *f, const sx_io_box *at)
{
    return sx_base_fit(sx_base_get_volume(at->ndims, at->len) * f->array.elem.bytes);
}

int sx_io_view_read(sx_io_file *f, const sx_io_box *at, void *buf)
{
    MPI_Status status;
    int bytes = get_bytes(f, at);
    int rc = MPI_File_read_all(f->file, buf, bytes, MPI_BYTE, &status);
    return check(rc, &status, bytes, subx_error_get_code(SUBX_ERR_FILE_END));
}

int sx_io_view_write(sx_io_file *f, const sx_io_box *at, const void *buf)
{
    MPI_Status status;
    int bytes = get_bytes(f, at);
    int rc = MPI_File_write_all(f->file, buf, bytes, MPI_BYTE, &status);
    return check(rc, &status, bytes, MPI_ERR_IO);
}

/* Set the length of the file, on rank 0. `last` is the end of the written data. If the file is shorter,
 * writing has failed, even if MPI has reported success, which Open MPI 4.1 can do. Bytes behind the array are
 * cut off unless they must be kept. */
static int set_length(const sx_io_file *f, int64_t last)
{
    ptrdiff_t bytes, end;
    int rc = sx_io_array_get_bytes(&f->array, &bytes, &end);
    if (rc || f->rank != 0)
        return rc;
    return sx_io_disk_set_length(f->path, (ptrdiff_t)last, end,
                                 f->format->has_one_array || f->choices.append <= SX_IO_APPEND_NO);
}

int sx_io_view_close(sx_io_file *f)
{
    int64_t last = 0;
    int rc = MPI_File_close(&f->file), failed;
    if (f->side == SX_FROM)
        return rc;
    failed = MPI_Allreduce(&f->last, &last, 1, MPI_INT64_T, MPI_MAX, f->comm);
    if (!failed)
        failed = set_length(f, last);
    return rc ? rc : failed;
}
