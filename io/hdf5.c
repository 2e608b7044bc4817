/* hdf5.c - the format hdf5: datasets in HDF5 files, which HDF5's own parallel functions read and write. */
#include "io/io.h"
#include <hdf5.h>
#include <string.h>

enum {
    NAME_MAX_BYTES = 1024,
    OWN_BYTES = 1 << 16 /* for one dataset, HDF5 writes less metadata than this */
};

static const char default_name[] = "data";

/* ---- elements */

static hid_t copy_number_type(char kind, int bytes)
{
    const struct {
        char kind;
        int bytes;
        hid_t type;
    } table[] = {{'f', 4, H5T_NATIVE_FLOAT}, {'f', 8, H5T_NATIVE_DOUBLE}, {'i', 1, H5T_NATIVE_INT8},
                 {'i', 2, H5T_NATIVE_INT16}, {'i', 4, H5T_NATIVE_INT32},  {'i', 8, H5T_NATIVE_INT64},
                 {'u', 1, H5T_NATIVE_UINT8}, {'u', 2, H5T_NATIVE_UINT16}, {'u', 4, H5T_NATIVE_UINT32},
                 {'u', 8, H5T_NATIVE_UINT64}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].kind == kind && table[i].bytes == bytes)
            return H5Tcopy(table[i].type);
    return H5I_INVALID_HID;
}

/* Create HDF5's type of an element; the caller closes it. A complex number is a compound as in h5py. */
static hid_t create_type(const sx_io_elem *elem)
{
    size_t half = (size_t)elem->bytes / 2;
    hid_t number, type;
    if (elem->kind != 'c')
        return copy_number_type(elem->kind, elem->bytes);
    number = copy_number_type('f', elem->bytes / 2);
    type = H5Tcreate(H5T_COMPOUND, 2 * half);
    if (H5Tinsert(type, "r", 0, number) < 0 || H5Tinsert(type, "i", half, number) < 0) {
        H5Tclose(type);
        type = H5I_INVALID_HID;
    }
    H5Tclose(number);
    return type;
}

/* Get the length of a type, bytes; 0 if it is longer than the longest element. */
static int get_bytes(hid_t type)
{
    const size_t bytes = H5Tget_size(type);
    return bytes <= SX_IO_ELEM_MAX ? sx_base_fit((ptrdiff_t)bytes) : 0;
}

/* Get the length of member i of a compound, bytes; 0 if the member is no float, or if its name is not
 * `wanted`. */
static int get_member(hid_t type, unsigned i, const char *wanted)
{
    char *name = H5Tget_member_name(type, i);
    hid_t member = H5Tget_member_type(type, i);
    int bytes = 0;
    if (name && strcmp(name, wanted) == 0 && H5Tget_class(member) == H5T_FLOAT)
        bytes = get_bytes(member);
    H5free_memory(name);
    H5Tclose(member);
    return bytes;
}

/* Get the name of a class of types. bool is an enumeration, as in h5py. */
static const char *get_class_name(hid_t type)
{
    static const char *const names[H5T_NCLASSES] = {
        [H5T_INTEGER] = "integer", [H5T_FLOAT] = "float",         [H5T_TIME] = "time",
        [H5T_STRING] = "string",   [H5T_BITFIELD] = "bit field",  [H5T_OPAQUE] = "opaque",
        [H5T_COMPOUND] = "struct", [H5T_REFERENCE] = "reference", [H5T_ENUM] = "enumeration (or bool)",
        [H5T_VLEN] = "list",       [H5T_ARRAY] = "array"};
    const H5T_class_t class = H5Tget_class(type);
    return class >= 0 && class < H5T_NCLASSES && names[class] ? names[class] : "unknown";
}

static int parse_type(hid_t type, sx_io_elem *elem)
{
    MPI_Datatype known;
    char text[64];
    sx_text t = {.at = text, .room = sizeof text};
    *elem = (sx_io_elem){.kind = 'V', .bytes = get_bytes(type)};
    switch (H5Tget_class(type)) {
    case H5T_FLOAT:
        elem->kind = 'f';
        break;
    case H5T_INTEGER:
        elem->kind = H5Tget_sign(type) == H5T_SGN_NONE ? 'u' : 'i';
        break;
    case H5T_COMPOUND:
        elem->bytes = H5Tget_nmembers(type) == 2 ? 2 * get_member(type, 0, "r") : 0;
        if (elem->bytes && elem->bytes == 2 * get_member(type, 1, "i"))
            elem->kind = 'c';
        break;
    default:
        break;
    }
    if (!sx_io_elem_get_type(elem, &known))
        return MPI_SUCCESS;
    sx_base_print(&t, "HDF5's class %s, %zu bytes long,", get_class_name(type), H5Tget_size(type));
    return sx_io_fail_type(text);
}

/* ---- datasets */

/* Open the only dataset of the root group. SUBX_ERR_FILE_ARRAY if the group has none or several; groups and
 * named types do not count. */
static int open_only(hid_t file, hid_t *only)
{
    H5G_info_t root;
    *only = H5I_INVALID_HID;
    if (H5Gget_info(file, &root) < 0)
        return subx_error_get_code(SUBX_ERR_FILE);
    for (hsize_t i = 0; i < root.nlinks; i++) {
        char name[NAME_MAX_BYTES];
        hid_t set = H5I_INVALID_HID;
        if (H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) >= 0)
            set = H5Dopen2(file, name, H5P_DEFAULT);
        if (set >= 0 && *only >= 0) {
            H5Dclose(set);
            return sx_io_fail(SUBX_ERR_FILE_ARRAY,
                              "the file has several datasets; subx_dataset must name one");
        }
        if (set >= 0)
            *only = set;
    }
    return *only >= 0 ? MPI_SUCCESS
                      : sx_io_fail(SUBX_ERR_FILE_ARRAY,
                                   "the root group of the file has no dataset; subx_dataset must name one");
}

static int open_set(sx_io_file *f)
{
    const char *name = f->choices.dataset;
    if (!*name)
        return open_only(f->hdf5, &f->set);
    f->set = H5Dopen2(f->hdf5, name, H5P_DEFAULT);
    return f->set < 0 ? sx_io_fail(SUBX_ERR_FILE_ARRAY, "the file has no dataset %.60s", name) : MPI_SUCCESS;
}

/* Check that HDF5 can move the elements of a dataset: it has all filters, and the elements are in this file.
 * Parallel HDF5 does not follow a dataset to other files. */
static int check_storage(hid_t set)
{
    hid_t how = H5Dget_create_plist(set);
    int rc = MPI_SUCCESS;
    if (H5Pget_layout(how) == H5D_VIRTUAL || H5Pget_external_count(how) > 0)
        rc = sx_io_fail(
            SUBX_ERR_UNAVAILABLE,
            "the elements of the dataset are in other files (it is virtual or external), where parallel "
            "HDF5 does not find them");
    for (int i = 0; i < H5Pget_nfilters(how) && !rc; i++) {
        char name[64] = "";
        unsigned flags, config;
        size_t n = 0;
        const int filter = H5Pget_filter2(how, (unsigned)i, &flags, &n, NULL, sizeof name, name, &config);
        if (H5Zfilter_avail(filter) <= 0)
            rc = sx_io_fail(
                SUBX_ERR_UNAVAILABLE,
                "the dataset is compressed by the filter %s (number %d), which this HDF5 does not have", name,
                filter);
    }
    H5Pclose(how);
    return rc;
}

static int get_sizes(hid_t space, sx_io_array *array)
{
    hsize_t sizes[H5S_MAX_RANK];
    int ndims = H5Sget_simple_extent_ndims(space);
    if (ndims < 1 || ndims > SUBX_NDIMS_MAX || H5Sget_simple_extent_dims(space, sizes, NULL) < 0)
        return sx_io_fail_ndims(ndims);
    array->ndims = ndims;
    for (int a = 0; a < ndims; a++) {
        if (sizes[a] > PTRDIFF_MAX)
            return subx_error_get_code(SUBX_ERR_TOO_LARGE);
        array->sizes[a] = (ptrdiff_t)sizes[a];
    }
    return MPI_SUCCESS;
}

static int get_array(hid_t set, sx_io_array *array)
{
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    memset(array, 0, sizeof *array);
    int rc = get_sizes(space, array);
    if (!rc)
        rc = parse_type(type, &array->elem);
    H5Sclose(space);
    H5Tclose(type);
    return rc;
}

/* Create a dataset. HDF5 does not fill it: elements that no rank writes need no value, and filling would take
 * as long as writing. */
static int create_set(sx_io_file *f, const char *name)
{
    hsize_t sizes[SUBX_NDIMS_MAX];
    for (int a = 0; a < f->array.ndims; a++)
        sizes[a] = (hsize_t)f->array.sizes[a];
    hid_t space = H5Screate_simple(f->array.ndims, sizes, NULL), type = create_type(&f->array.elem);
    hid_t links = H5Pcreate(H5P_LINK_CREATE), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    f->set = H5Dcreate2(f->hdf5, name, type, space, links, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Pclose(links);
    H5Tclose(type);
    H5Sclose(space);
    return f->set < 0 ? sx_io_fail(SUBX_ERR_FILE_ARRAY,
                                   "HDF5 cannot create the dataset %.60s; a group has this name, "
                                   "or a dataset has the name of a group",
                                   name)
                      : MPI_SUCCESS;
}

static const char *get_name(const sx_io_file *f)
{
    return *f->choices.dataset ? f->choices.dataset : default_name;
}

/* Check that the dataset has the sizes and the type of f->array. */
static int check_same(const sx_io_file *f)
{
    const sx_io_array *want = &f->array;
    sx_io_array have;
    const int rc = get_array(f->set, &have);
    if (!rc && have.ndims == want->ndims && have.elem.kind == want->elem.kind &&
        have.elem.bytes == want->elem.bytes &&
        memcmp(have.sizes, want->sizes, (size_t)have.ndims * sizeof *have.sizes) == 0)
        return MPI_SUCCESS;
    return sx_io_fail_array(&have, want, "; subx_append = replace replaces this dataset");
}

/* Open the dataset, or create it if it does not exist. If it exists and holds another array, it is removed if
 * the caller says so; else SUBX_ERR_FILE_ARRAY. */
static int provide_set(sx_io_file *f, int *is_new)
{
    const char *name = get_name(f);
    f->set = H5Dopen2(f->hdf5, name, H5P_DEFAULT);
    *is_new = f->set < 0;
    if (*is_new)
        return create_set(f, name);
    int rc = check_same(f);
    if (!rc)
        return check_storage(f->set);
    if (f->choices.append != SX_IO_APPEND_REPLACE)
        return rc;
    *is_new = 1;
    H5Dclose(f->set);
    f->set = H5I_INVALID_HID;
    return H5Ldelete(f->hdf5, name, H5P_DEFAULT) < 0 ? rc : create_set(f, name);
}

/* ---- files */

static int create_access(MPI_Comm comm, MPI_Info hints, hid_t *access)
{
    *access = H5Pcreate(H5P_FILE_ACCESS);
    return H5Pset_fapl_mpio(*access, comm, hints) < 0 ? subx_error_get_code(SUBX_ERR_FILE) : MPI_SUCCESS;
}

static int open_file(sx_io_file *f, hid_t access, int side, int existing)
{
    if (existing)
        f->hdf5 = H5Fopen(f->path, side == SX_TO ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
    else
        f->hdf5 = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (f->hdf5 >= 0)
        return MPI_SUCCESS;
    return side == SX_TO && existing
               ? sx_io_fail(SUBX_ERR_FILE,
                            "the older file is no HDF5 file, or is damaged; subx_append = no replaces it")
               : subx_error_get_code(SUBX_ERR_FILE);
}

static int close_ids(sx_io_file *f)
{
    int wrong = f->set >= 0 && H5Dclose(f->set) < 0;
    wrong |= H5Fclose(f->hdf5) < 0;
    return wrong ? MPI_ERR_IO : MPI_SUCCESS;
}

static int look(sx_io_file *f)
{
    ptrdiff_t length;
    hid_t access;
    int rc = sx_io_disk_length(f->path, 0, &length);
    if (rc)
        return rc;
    f->set = H5I_INVALID_HID;
    rc = create_access(MPI_COMM_SELF, MPI_INFO_NULL, &access);
    if (!rc)
        rc = open_file(f, access, SX_FROM, 1);
    H5Pclose(access);
    if (rc)
        return rc;
    rc = open_set(f);
    if (!rc)
        rc = get_array(f->set, &f->array);
    close_ids(f);
    return rc;
}

/* Set *existing to 1 if the file has datasets that must be kept. Reserve disk space for the metadata, because
 * HDF5 1.10 crashes at the end of the program if it cannot write the metadata. In a new file, also reserve
 * disk space for the array. Only rank 0 calls this function. */
static int prepare(sx_io_file *f, int *existing)
{
    ptrdiff_t length, bytes, end;
    int rc = sx_io_disk_length(f->path, 0, &length);
    if (!rc)
        rc = sx_io_array_get_bytes(&f->array, &bytes, &end);
    if (rc)
        return rc;
    *existing = f->choices.append != SX_IO_APPEND_NO && length > 0;
    return sx_io_disk_reserve(f->path, length, (*existing ? 0 : bytes) + OWN_BYTES);
}

/* Reserve disk space for the dataset, on rank 0. Nothing is reserved for a chunked dataset, because it has no
 * fixed position in the file. */
static int reserve(const sx_io_file *f)
{
    ptrdiff_t bytes, end;
    haddr_t offset = H5Dget_offset(f->set);
    if (f->rank != 0)
        return MPI_SUCCESS;
    int rc = sx_io_array_get_bytes(&f->array, &bytes, &end);
    if (rc || offset == HADDR_UNDEF)
        return rc;
    return sx_io_disk_reserve(f->path, (ptrdiff_t)offset, bytes);
}

/* Open or create the dataset, and reserve its disk space. If there is no space, a new dataset is removed from
 * the file, and the other datasets remain. Collective. */
static int provide_room(sx_io_file *f)
{
    int is_new, rc = sx_base_agree(f->comm, provide_set(f, &is_new), NULL);
    if (rc)
        return rc;
    rc = sx_base_agree(f->comm, reserve(f), NULL);
    if (rc && is_new)
        H5Ldelete(f->hdf5, get_name(f), H5P_DEFAULT);
    return rc;
}

static int open_readable(sx_io_file *f)
{
    const int rc = open_set(f);
    return rc ? rc : check_storage(f->set);
}

/* Open the file and the dataset. Collective. If a rank fails before the file is opened, no rank opens the
 * file: opening is collective, so the other ranks would wait for that rank. If only some ranks could open the
 * file, it stays open until the program ends, as in view.c. */
static int open_both(sx_io_file *f)
{
    hid_t access;
    int existing = 1, rc = MPI_SUCCESS;
    if (f->side == SX_TO) {
        existing = 0;
        if (f->rank == 0)
            rc = prepare(f, &existing);
        rc = sx_base_agree_flags(f->comm, rc, NULL, 1, &existing);
    }
    if (rc)
        return rc;
    f->set = H5I_INVALID_HID;
    rc = sx_base_agree(f->comm, create_access(f->comm, f->hints, &access), NULL);
    if (!rc)
        rc = sx_base_agree(f->comm, open_file(f, access, f->side, existing), NULL);
    H5Pclose(access);
    if (rc)
        return rc;
    rc = f->side == SX_TO ? provide_room(f) : sx_base_agree(f->comm, open_readable(f), NULL);
    if (rc)
        close_ids(f);
    return rc;
}

/* ---- elements of a box */

static void set_box(hid_t memory, hid_t space, const sx_io_box *at, ptrdiff_t n)
{
    hsize_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX];
    for (int a = 0; a < at->ndims; a++) {
        start[a] = (hsize_t)at->start[a];
        len[a] = (hsize_t)at->len[a];
    }
    if (n == 0) {
        H5Sselect_none(memory);
        H5Sselect_none(space);
    } else {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, len, NULL);
    }
}

static herr_t copy_words(unsigned i, const H5E_error2_t *error, void *words)
{
    if (i == 0 && error->desc)
        sx_base_print(words, "%s", error->desc);
    return 0;
}

/* HDF5's own words come from the innermost of its functions. The next call of HDF5 loses them. */
static int refuse_data(void)
{
    char text[SX_ERROR_LEN] = "";
    sx_text t = {.at = text, .room = sizeof text};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, copy_words, &t);
    return sx_io_fail(SUBX_ERR_FILE, "HDF5 cannot read the dataset: %s", text);
}

/* Read into `to`, or write from `from` if `to` is NULL. Ranks without elements take part, because the
 * transfer is collective. */
static int transfer(sx_io_file *f, const sx_io_box *at, void *to, const void *from)
{
    ptrdiff_t n = sx_base_get_volume(at->ndims, at->len);
    const hsize_t count = n ? (hsize_t)n : 1;
    hid_t memory = H5Screate_simple(1, &count, NULL), space = H5Dget_space(f->set);
    hid_t type = create_type(&f->array.elem), how = H5Pcreate(H5P_DATASET_XFER);
    set_box(memory, space, at, n);
    H5Pset_dxpl_mpio(how, H5FD_MPIO_COLLECTIVE);
    herr_t result =
        to ? H5Dread(f->set, type, memory, space, how, to) : H5Dwrite(f->set, type, memory, space, how, from);
    const int rc = result >= 0 ? MPI_SUCCESS : to ? refuse_data() : MPI_ERR_IO;
    H5Pclose(how);
    H5Tclose(type);
    H5Sclose(space);
    H5Sclose(memory);
    return rc;
}

/* ---- the functions of the format. QUIETLY keeps HDF5 from printing its errors */

#define QUIETLY(rc, call)                                                                                    \
    H5E_BEGIN_TRY                                                                                            \
    {                                                                                                        \
        (rc) = (call);                                                                                       \
    }                                                                                                        \
    H5E_END_TRY

static int get(sx_io_file *f)
{
    int rc;
    QUIETLY(rc, look(f));
    return rc;
}

static int open_hdf5(sx_io_file *f, const sx_io_box *box)
{
    int rc;
    (void)box;
    QUIETLY(rc, open_both(f));
    return rc;
}

static int read_hdf5(sx_io_file *f, const sx_io_box *at, void *buf)
{
    char nothing;
    int rc;
    QUIETLY(rc, transfer(f, at, buf ? buf : &nothing, NULL));
    return rc;
}

static int write_hdf5(sx_io_file *f, const sx_io_box *at, const void *buf)
{
    char nothing = 0;
    int rc;
    QUIETLY(rc, transfer(f, at, NULL, buf ? buf : &nothing));
    return rc;
}

static int close_hdf5(sx_io_file *f)
{
    int rc;
    QUIETLY(rc, close_ids(f));
    return rc;
}

const sx_io_format sx_io_hdf5 = {"hdf5", get, open_hdf5, read_hdf5, write_hdf5, close_hdf5, 0};
