/* view.c - a .npy file that all ranks have open, each with a view of its own box. The view is an ordinary
 * subarray, whose displacements only grow; reordering happens in memory. */
#include "cli/cli.h"

/* Create the type of this rank's box of the file. A rank without data uses the element instead: it reads
 * and writes none, but all views need an element of the same extent. */
static int create_region(const struct sx_cli_box *box, int fortran, MPI_Datatype element, MPI_Datatype *type)
{
    MPI_Count n[SUBX_NDIMS_MAX], shape[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    if (box->count == 0)
        return MPI_Type_dup(element, type);
    for (int a = 0; a < box->ndims; a++) {
        n[a] = box->n[a];
        shape[a] = box->shape[a];
        start[a] = box->start[a];
    }
    return subx_type_create_subarray_c(box->ndims, n, shape, start, fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C,
                                       NULL, element, type);
}

/* Create the type of `count` contiguous elements: the count of an MPI call is an int, that of a type is
 * not. */
static int create_row(ptrdiff_t count, MPI_Datatype element, MPI_Datatype *type)
{
    MPI_Count n = count, start = 0;
    if (count == 0)
        return MPI_Type_dup(element, type);
    return subx_type_create_subarray_c(1, &n, &n, &start, MPI_ORDER_C, NULL, element, type);
}

void sx_cli_view_free_type(MPI_Datatype *type)
{
    if (*type != MPI_DATATYPE_NULL)
        MPI_Type_free(type);
}

int sx_cli_view_agree(const struct sx_cli_view *view, int code)
{
    int rc = code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "%s", view->path);
    return sx_cli_fail_agree(view->comm, rc);
}

/* Closing is collective. If only some ranks could open the file it cannot be closed; it stays open until
 * the program ends. */
int sx_cli_view_create(MPI_Comm comm, const char *path, int mode, struct sx_cli_view *view)
{
    *view = (struct sx_cli_view){.comm = comm, .path = path};
    view->element = view->region = view->memory = MPI_DATATYPE_NULL;
    return sx_cli_view_agree(view, MPI_File_open(comm, path, mode, MPI_INFO_NULL, &view->file));
}

int sx_cli_view_free(struct sx_cli_view *view, int rc)
{
    int code = MPI_File_close(&view->file);
    sx_cli_view_free_type(&view->memory);
    sx_cli_view_free_type(&view->region);
    sx_cli_view_free_type(&view->element);
    return rc == SX_CLI_OK ? sx_cli_view_agree(view, code) : rc;
}

static int create_types(struct sx_cli_view *view, const struct sx_cli_box *box, const struct sx_cli_npy *npy)
{
    int code = MPI_Type_contiguous(npy->width * npy->reals, MPI_BYTE, &view->element);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&view->element);
    if (code == MPI_SUCCESS)
        code = create_region(box, npy->fortran, view->element, &view->region);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&view->region);
    if (code == MPI_SUCCESS)
        code = create_row(box->count, view->element, &view->memory);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&view->memory);
    return code;
}

int sx_cli_view_set(struct sx_cli_view *view, const struct sx_cli_box *box, const struct sx_cli_npy *npy)
{
    int rc = sx_cli_view_agree(view, create_types(view, box, npy));
    if (rc != SX_CLI_OK)
        return rc;
    view->bytes = box->count * npy->width * npy->reals;
    return sx_cli_view_agree(
        view, MPI_File_set_view(view->file, npy->data, view->element, view->region, "native", MPI_INFO_NULL));
}

/* Agree whether all bytes were transferred. A full disk, or a file that was cut meanwhile, may show only
 * in the status. */
static int agree_access(const struct sx_cli_view *view, int code, const MPI_Status *status)
{
    MPI_Count done = 0;
    if (code == MPI_SUCCESS && view->bytes)
        code = MPI_Get_elements_x(status, view->memory, &done);
    if (code == MPI_SUCCESS && done != view->bytes)
        return sx_cli_fail_agree(view->comm, sx_cli_fail_set("%s: %lld of %td bytes went through", view->path,
                                                             (long long)done, view->bytes));
    return sx_cli_view_agree(view, code);
}

int sx_cli_view_import(const struct sx_cli_view *view, void *buffer)
{
    MPI_Status status;
    int code = MPI_File_read_all(view->file, buffer, view->bytes > 0, view->memory, &status);
    return agree_access(view, code, &status);
}

int sx_cli_view_export(const struct sx_cli_view *view, const void *buffer)
{
    MPI_Status status;
    int code = MPI_File_write_all(view->file, buffer, view->bytes > 0, view->memory, &status);
    return agree_access(view, code, &status);
}
