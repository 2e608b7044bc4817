/* file.c - the public functions: they check the arguments, compare them between ranks, and call the functions
 * of a format. */
#include "io/io.h"
#include <string.h>

static const char *const formats[] = {
    [SX_IO_AUTO] = "auto", [SX_IO_NPY] = "npy", [SX_IO_RAW] = "raw", [SX_IO_HDF5] = "hdf5", NULL};
static const char *const appends[] = {"auto", "no", "yes", "replace", NULL};

#define AT(field) offsetof(sx_io_choices, field)
static const sx_hint hints_table[] = {
    {.key = "subx_format", .type = SX_HINT_WORD, .offset = AT(format), .words = formats},
    {.key = "subx_dataset", .type = SX_HINT_TEXT, .offset = AT(dataset), .text = ""},
    {.key = "subx_offset", .type = SX_HINT_LENGTH, .offset = AT(offset), .most = PTRDIFF_MAX},
    {.key = "subx_append", .type = SX_HINT_WORD, .offset = AT(append), .words = appends},
    {.key = "subx_bytes",
     .type = SX_HINT_LENGTH,
     .offset = AT(bytes),
     .otherwise = 1 << 26,
     .least = 1,
     .most = 1 << 30},
};
enum { NHINTS = sizeof hints_table / sizeof *hints_table };

/* ---- the file */

static int duplicate(MPI_Comm comm, MPI_Comm *ours)
{
    int inter = 1;
    *ours = MPI_COMM_NULL;
    if (comm == MPI_COMM_NULL || MPI_Comm_test_inter(comm, &inter) || inter)
        return subx_error_get_code(SUBX_ERR_COMM);
    const int rc = MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, ours);
    return rc ? rc : MPI_Comm_set_errhandler(*ours, MPI_ERRORS_RETURN);
}

static int is_bytes(const char *text)
{
    return sx_base_is_number(text, 0, PTRDIFF_MAX);
}

/* subx_append was called subx_keep up to version 0.8.0. Plans have another hint of this name. */
static int refuse_old(MPI_Info info)
{
    static const sx_hint old = {.key = "subx_keep",
                                .type = SX_HINT_TEXT,
                                .text = "0",
                                .is_right = is_bytes,
                                .right =
                                    "a number of bytes, for plans; for files the hint is called subx_append",
                                .is_of_program = 1};
    char value[SX_HINT_LEN];
    return sx_base_hints_parse(&old, 1, info, value);
}

/* Read the hints, and find the format. */
static int choose(sx_io_file *f)
{
    int rc = refuse_old(f->hints);
    if (!rc)
        rc = sx_base_hints_parse(hints_table, NHINTS, f->hints, &f->choices);
    if (!rc && !f->path)
        rc = subx_error_get_code(SUBX_ERR_ARG);
    if (rc)
        return rc;
    f->format = sx_io_format_get(f->choices.format, f->path);
    return f->format ? MPI_SUCCESS : sx_io_fail(SUBX_ERR_UNAVAILABLE, "the library was built without HDF5");
}

/* Agree that all ranks give the same hints, file and array, and that no rank has an error. */
static int agree(const sx_io_file *f, int rc)
{
    char text[8192];
    sx_text key = {.at = text, .room = sizeof text};
    if (!rc) {
        sx_base_hints_print(hints_table, NHINTS, &f->choices, &key);
        sx_base_print(&key, " %d%c ", f->array.elem.bytes, f->array.elem.kind ? f->array.elem.kind : ' ');
        sx_base_print_sizes(&key, f->array.ndims, f->array.sizes);
        sx_base_print(&key, " %s", f->path);
    }
    return sx_base_agree(f->comm, rc, rc ? NULL : text);
}

static void finish(sx_io_file *f)
{
    MPI_Comm_free(&f->comm);
}

/* Rank 0 reads the description of the array in the file, and sends it to all ranks. Collective. */
static int look(sx_io_file *f)
{
    int rc = f->rank == 0 ? sx_io_disk_check(f->path) : MPI_SUCCESS;
    if (!rc && f->rank == 0)
        rc = f->format->get(f);
    rc = sx_base_agree(f->comm, rc, NULL);
    if (rc)
        return rc;
    rc = MPI_Bcast(&f->array, (int)sizeof f->array, MPI_BYTE, 0, f->comm);
    return sx_base_agree(f->comm, rc, NULL);
}

/* ---- the array and this rank's box of it */

static int set_box(int ndims, const ptrdiff_t sizes[], const ptrdiff_t subsizes[], const ptrdiff_t starts[],
                   const int order[], sx_io_box *box)
{
    if (order && !sx_base_is_permutation(ndims, order))
        return subx_error_get_code(SUBX_ERR_ORDER);
    box->ndims = ndims;
    for (int a = 0; a < ndims; a++) {
        if (sizes[a] < 0 || subsizes[a] < 0 || subsizes[a] > sizes[a] || starts[a] < 0 ||
            starts[a] > sizes[a] - subsizes[a])
            return subx_error_get_code(SUBX_ERR_SIZE);
        box->len[a] = subsizes[a];
        box->start[a] = starts[a];
        box->order[a] = order ? order[a] : ndims - 1 - a;
    }
    return MPI_SUCCESS;
}

static int set_array(sx_io_file *f, int ndims, const ptrdiff_t sizes[], MPI_Datatype elemtype)
{
    ptrdiff_t bytes, end;
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length, rc = sx_io_elem_parse(elemtype, &f->array.elem);
    if (!rc && f->array.elem.kind == 'V' && f->format != &sx_io_raw) {
        (void)MPI_Type_get_name(elemtype, name, &length);
        rc = sx_io_fail_type(name);
    }
    if (rc)
        return rc;
    f->array.ndims = ndims;
    f->array.data = f->choices.offset;
    memcpy(f->array.sizes, sizes, (size_t)ndims * sizeof *sizes);
    return sx_io_array_get_bytes(&f->array, &bytes, &end);
}

/* The arguments of a read or write: the file to be opened, and this rank's box. */
typedef struct request {
    sx_io_file f;
    sx_io_box box;
} request;

static int begin(request *r, MPI_Comm comm, const char *path, MPI_Info hints)
{
    memset(r, 0, sizeof *r);
    r->f.path = path;
    r->f.hints = hints;
    int rc = duplicate(comm, &r->f.comm);
    if (!rc)
        MPI_Comm_rank(r->f.comm, &r->f.rank);
    return rc;
}

static int set(request *r, int ndims, const ptrdiff_t sizes[], const ptrdiff_t subsizes[],
               const ptrdiff_t starts[], const int order[], MPI_Datatype elemtype, const void *buf)
{
    int rc = choose(&r->f);
    if (rc)
        return rc;
    if (ndims < 1 || ndims > SUBX_NDIMS_MAX)
        return subx_error_get_code(SUBX_ERR_NDIMS);
    if (!sizes || !subsizes || !starts)
        return subx_error_get_code(SUBX_ERR_ARG);
    rc = set_box(ndims, sizes, subsizes, starts, order, &r->box);
    if (!rc)
        rc = set_array(&r->f, ndims, sizes, elemtype);
    if (!rc && !buf && sx_base_get_volume(ndims, r->box.len) > 0)
        rc = subx_error_get_code(SUBX_ERR_ARG);
    return rc;
}

/* ---- writing */

/* Compare the array in the file with the array that is asked for: SUBX_ERR_FILE_ARRAY if they have different
 * sizes, or elements that cannot be converted. */
static int compare(const sx_io_array *have, const sx_io_array *want)
{
    int same = have->ndims == want->ndims && sx_io_elem_converts(&have->elem, &want->elem);
    for (int a = 0; a < want->ndims && same; a++)
        same = have->sizes[a] == want->sizes[a];
    return same ? MPI_SUCCESS : sx_io_fail_array(have, want, "");
}

static int close_file(sx_io_file *f, int rc)
{
    int closed = sx_base_agree(f->comm, f->format->close(f), NULL);
    return rc ? rc : closed;
}

/* Check that the new file on the disk describes the array: Open MPI 4.1 can report success although the
 * system could not write. Collective. */
static int check_written(sx_io_file *f)
{
    const sx_io_array want = f->array;
    int rc = f->rank == 0 && f->beside[0] ? f->format->get(f) : MPI_SUCCESS;
    if (!rc)
        rc = compare(&f->array, &want);
    if (rc && subx_error_get_kind(rc) != SUBX_ERR_NO_MEM)
        rc = MPI_ERR_IO;
    return sx_base_agree(f->comm, rc, NULL);
}

static int write_file(request *r, const void *buf)
{
    r->f.side = SX_TO;
    int rc = sx_io_beside_open(&r->f), closed;
    if (rc)
        return rc;
    rc = r->f.format->open(&r->f, &r->box);
    if (!rc)
        rc = close_file(&r->f, sx_io_write(&r->f, &r->box, buf));
    if (!rc)
        rc = check_written(&r->f);
    closed = sx_io_beside_close(&r->f, rc == MPI_SUCCESS);
    return rc ? rc : closed;
}

int subx_file_write(MPI_Comm comm, const char *path, int ndims, const ptrdiff_t sizes[],
                    const ptrdiff_t subsizes[], const ptrdiff_t starts[], const int order[],
                    MPI_Datatype elemtype, const void *buf, MPI_Info hints)
{
    request r;
    int rc = begin(&r, comm, path, hints);
    if (rc)
        return rc;
    rc = agree(&r.f, set(&r, ndims, sizes, subsizes, starts, order, elemtype, buf));
    if (!rc)
        rc = write_file(&r, buf);
    finish(&r.f);
    return rc;
}

int subx_file_query_writable(MPI_Comm comm, const char *path, MPI_Info hints)
{
    request r;
    int rc = begin(&r, comm, path, hints);
    if (rc)
        return rc;
    rc = agree(&r.f, choose(&r.f));
    if (!rc)
        rc = sx_io_beside_open(&r.f);
    if (!rc)
        rc = sx_io_beside_close(&r.f, 0);
    finish(&r.f);
    return rc;
}

/* ---- reading */

static int read_file(request *r, void *buf)
{
    const sx_io_array want = r->f.array;
    int rc = look(&r->f);
    if (!rc)
        rc = compare(&r->f.array, &want);
    if (rc)
        return rc;
    if (r->f.array.fortran)
        sx_io_reverse(&r->f.array, &r->box);
    rc = r->f.format->open(&r->f, &r->box);
    return rc ? rc : close_file(&r->f, sx_io_read(&r->f, &r->box, &want.elem, buf));
}

int subx_file_read(MPI_Comm comm, const char *path, int ndims, const ptrdiff_t sizes[],
                   const ptrdiff_t subsizes[], const ptrdiff_t starts[], const int order[],
                   MPI_Datatype elemtype, void *buf, MPI_Info hints)
{
    request r;
    int rc = begin(&r, comm, path, hints);
    if (rc)
        return rc;
    rc = agree(&r.f, set(&r, ndims, sizes, subsizes, starts, order, elemtype, buf));
    if (!rc)
        rc = read_file(&r, buf);
    finish(&r.f);
    return rc;
}

static int export(const sx_io_array *array, int maxdims, int *ndims, ptrdiff_t sizes[], int *storage,
                  MPI_Datatype *elemtype)
{
    MPI_Datatype type = MPI_BYTE;
    int rc = MPI_SUCCESS, is_bytes = array->elem.kind == 'u' && array->elem.bytes == 1;
    if (sizes && maxdims < array->ndims)
        return subx_error_get_code(SUBX_ERR_TRUNCATE);
    if (!is_bytes)
        rc = sx_io_elem_get_type(&array->elem, &type);
    if (rc)
        return rc;
    if (ndims)
        *ndims = array->ndims;
    if (sizes)
        memcpy(sizes, array->sizes, (size_t)array->ndims * sizeof *sizes);
    if (storage)
        *storage = array->fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C;
    if (elemtype)
        *elemtype = type;
    return MPI_SUCCESS;
}

int subx_file_get(MPI_Comm comm, const char *path, MPI_Info hints, int maxdims, int *ndims, ptrdiff_t sizes[],
                  int *storage, MPI_Datatype *elemtype)
{
    request r;
    int rc = begin(&r, comm, path, hints);
    if (rc)
        return rc;
    rc = agree(&r.f, choose(&r.f));
    if (!rc)
        rc = look(&r.f);
    if (!rc)
        rc = sx_base_agree(r.f.comm, export(&r.f.array, maxdims, ndims, sizes, storage, elemtype), NULL);
    finish(&r.f);
    return rc;
}
