/* file.c - arrays of every format, type and distribution are written by some ranks and read by others. The
 * bytes on the disk must be those that a serial program writes.
 * ranks: 1 2 3 5 7 (on five and seven, some arrays are written or read by four of the ranks) */
#include "common/random.h"
#include "common/verdict.h"
#include "mpi/file_help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_io.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NDIMS = 4, LONGEST = 7, CASES = 60, ELEMENT_MAX = 32 };

static int nformats; /* npy, raw, and hdf5 if the library was built with it */

/* ---- arrays and their division */

typedef struct array {
    int ndims, bytes;
    MPI_Datatype type;
    ptrdiff_t sizes[NDIMS];
} array;

typedef struct box {
    ptrdiff_t len[NDIMS], start[NDIMS], count;
    int order[NDIMS];
} box;

static ptrdiff_t volume(int ndims, const ptrdiff_t len[])
{
    ptrdiff_t n = 1;
    for (int a = 0; a < ndims; a++)
        n *= len[a];
    return n;
}

/* Set an element to bytes that depend on its index in C order (`place`). No element is a NaN, because
 * conversions may change the bits of a NaN. */
static void set_element(const array *a, ptrdiff_t place, char *bytes)
{
    test_random r = test_random_stream(17, (uint64_t)place);
    double number = test_random_double(&r), other = test_random_double(&r);
    if (a->type == MPI_DOUBLE || a->type == MPI_C_DOUBLE_COMPLEX)
        memcpy(bytes, (double[]){number, other}, (size_t)a->bytes);
    else if (a->type == MPI_FLOAT || a->type == MPI_C_FLOAT_COMPLEX)
        memcpy(bytes, (float[]){(float)number, (float)other}, (size_t)a->bytes);
    else
        test_random_fill(&r, bytes, (size_t)a->bytes);
}

/* Get the index, in the array in C order, of the i-th element of a box in memory. */
static ptrdiff_t get_place(const array *a, const box *b, ptrdiff_t i)
{
    ptrdiff_t at[NDIMS], place = 0;
    for (int j = 0; j < a->ndims; j++) {
        int axis = b->order[j];
        at[axis] = b->start[axis] + i % b->len[axis];
        i /= b->len[axis];
    }
    for (int axis = 0; axis < a->ndims; axis++)
        place = place * a->sizes[axis] + at[axis];
    return place;
}

/* Cut an axis into p uneven blocks, of which some may be empty. Return block r. */
static void cut_axis(test_random *random, ptrdiff_t n, int p, int r, ptrdiff_t *len, ptrdiff_t *start)
{
    ptrdiff_t at = 0;
    for (int q = 0; q < p; q++) {
        ptrdiff_t part = q == p - 1 ? n - at : test_random_int(random, 0, (int)(n - at));
        if (q == r) {
            *len = part;
            *start = at;
        }
        at += part;
    }
}

/* Divide an array on p ranks by a random grid. All ranks must draw the same numbers. */
static box divide(test_random *random, const array *a, int p, int r)
{
    box b;
    int left = p;
    for (int axis = 0; axis < a->ndims; axis++) {
        int q = axis == a->ndims - 1 ? left : test_random_int(random, 1, left);
        while (left % q)
            q--;
        cut_axis(random, a->sizes[axis], q, r % q, &b.len[axis], &b.start[axis]);
        r /= q;
        left /= q;
    }
    test_random_permutation(random, a->ndims, b.order);
    b.count = volume(a->ndims, b.len);
    return b;
}

static char *fill(const array *a, const box *b)
{
    char *buf = malloc((size_t)(b->count * a->bytes + 1));
    for (ptrdiff_t i = 0; i < b->count; i++)
        set_element(a, get_place(a, b, i), buf + i * a->bytes);
    return buf;
}

static ptrdiff_t count_wrong(const array *a, const box *b, const char *buf)
{
    ptrdiff_t wrong = 0;
    char element[ELEMENT_MAX];
    for (ptrdiff_t i = 0; i < b->count; i++) {
        set_element(a, get_place(a, b, i), element);
        wrong += memcmp(buf + i * a->bytes, element, (size_t)a->bytes) != 0;
    }
    return wrong;
}

static array draw_array(test_random *random, int raw)
{
    const MPI_Datatype types[] = {
        MPI_FLOAT, MPI_DOUBLE,     MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_INT8_T,   MPI_INT16_T,
        MPI_INT,   MPI_LONG_LONG,  MPI_UINT8_T,         MPI_UINT16_T,         MPI_UNSIGNED, MPI_UINT64_T,
        MPI_BYTE,  MPI_LONG_DOUBLE};
    array a = {.ndims = test_random_int(random, 1, NDIMS)};
    a.type = types[test_random_int(random, 0, (int)(sizeof types / sizeof *types) - (raw ? 1 : 2))];
    MPI_Type_size(a.type, &a.bytes);
    for (int axis = 0; axis < a.ndims; axis++)
        a.sizes[axis] = test_random_int(random, test_random_int(random, 0, 19) > 0, LONGEST);
    return a;
}

/* ---- files */

/* Check that the file has all elements, one after the other in C order: at the end of a .npy file, from the
 * offset on in a raw file, anywhere in an HDF5 file. */
static void check_bytes(const array *a, int format, ptrdiff_t offset)
{
    const box whole = {.count = volume(a->ndims, a->sizes)};
    size_t len, bytes = (size_t)(whole.count * a->bytes), found = 0;
    char *have = file_read_serially(&len), *want = malloc(bytes + 1);
    for (ptrdiff_t i = 0; i < whole.count; i++)
        set_element(a, i, want + i * a->bytes);
    if (EXPECT(have && len >= bytes) && format < 2) {
        EXPECT_EQUAL(format == 0 ? (ptrdiff_t)(len - bytes) % 64 : (ptrdiff_t)(len - bytes),
                     format == 0 ? 0 : offset);
        EXPECT(memcmp(have + len - bytes, want, bytes) == 0);
    } else if (have && len >= bytes) {
        while (found < len - bytes && memcmp(have + found, want, bytes) != 0)
            found++;
        EXPECT(memcmp(have + found, want, bytes) == 0);
    }
    free(have);
    free(want);
}

static void write_box(MPI_Comm comm, const array *a, const box *b, MPI_Info hints)
{
    char *buf = fill(a, b);
    EXPECT_OK(subx_file_write(comm, file_path, a->ndims, a->sizes, b->len, b->start, b->order, a->type,
                              b->count ? buf : NULL, hints));
    free(buf);
}

static void read_box(MPI_Comm comm, const array *a, const box *b, MPI_Info hints)
{
    char *buf = calloc((size_t)(b->count * a->bytes + 1), 1);
    EXPECT_OK(subx_file_read(comm, file_path, a->ndims, a->sizes, b->len, b->start, b->order, a->type,
                             b->count ? buf : NULL, hints));
    EXPECT_EQUAL(count_wrong(a, b, buf), 0);
    free(buf);
}

/* subx_file_get must return the properties of the file. */
static void check_get(MPI_Comm comm, const array *a, int format, MPI_Info hints)
{
    int ndims = -1, storage = -1, bytes = 0;
    ptrdiff_t sizes[NDIMS] = {-1};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    EXPECT_OK(subx_file_get(comm, file_path, hints, NDIMS, &ndims, sizes, &storage, &type));
    EXPECT(storage == MPI_ORDER_C);
    EXPECT_EQUAL(ndims, format == 1 ? 1 : a->ndims);
    if (format == 1)
        EXPECT_EQUAL(sizes[0], volume(a->ndims, a->sizes) * a->bytes);
    for (int axis = 0; axis < a->ndims && format != 1; axis++)
        EXPECT_EQUAL(sizes[axis], a->sizes[axis]);
    MPI_Type_size(type, &bytes);
    EXPECT_EQUAL(bytes, format == 1 ? 1 : a->bytes);
}

/* A function that runs on the first p ranks. comm has only these ranks. */
typedef void action(MPI_Comm comm, const array *a, const box *b, MPI_Info hints);

static void run_on(int p, test_random *random, const array *a, MPI_Info hints, action *act)
{
    MPI_Comm comm;
    box b = divide(random, a, p, test_rank % p);
    MPI_Comm_split(MPI_COMM_WORLD, test_rank < p ? 0 : MPI_UNDEFINED, 0, &comm);
    if (comm != MPI_COMM_NULL) {
        act(comm, a, &b, hints);
        MPI_Comm_free(&comm);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void check_random(int number)
{
    test_random random = test_random_stream(test_seed(), (uint64_t)number);
    const int format = number % nformats, p = test_random_int(&random, 1, test_nranks);
    const int q = test_random_int(&random, 1, test_nranks),
              offset = format == 1 ? test_random_int(&random, 0, 99) : 0;
    array a = draw_array(&random, format == 1);
    char text[32];
    snprintf(text, sizeof text, "%d",
             test_random_int(&random, 0, 3) ? test_random_int(&random, 1, 999) : 1 << 20);
    MPI_Info hints = file_create_hints("subx_bytes", text);
    snprintf(text, sizeof text, "%d", offset);
    MPI_Info_set(hints, "subx_offset", text);
    file_set_path("random", file_suffixes[format]);
    test_context("case %d, format %s, %d axes of %d bytes, %d ranks write and %d read", number,
                 file_suffixes[format], a.ndims, a.bytes, p, q);
    if (test_rank == 0)
        unlink(file_path);
    MPI_Barrier(MPI_COMM_WORLD);
    run_on(p, &random, &a, hints, write_box);
    if (test_rank == 0)
        check_bytes(&a, format, offset);
    run_on(q, &random, &a, hints, read_box);
    check_get(MPI_COMM_WORLD, &a, format, hints);
    MPI_Info_free(&hints);
}

/* ---- conversions */

/* Read a file in Fortran order, with the byte order of other machines. */
static void check_foreign_order(void)
{
    static const ptrdiff_t sizes[] = {5, 4, 3};
    char bytes[128 + 2 * 60], header[] = "{'fortran_order': True, 'shape': (5L, 4, 3L,), \"descr\": '>i2'}";
    test_random random = test_random_stream(test_seed(), 1000);
    array a = {.ndims = 3, .bytes = 2, .type = MPI_INT16_T, .sizes = {5, 4, 3}};
    box b = divide(&random, &a, test_nranks, test_rank);
    int16_t got[60], wrong = 0;
    int storage = -1;
    MPI_Datatype type;
    test_context("Fortran order, bytes swapped");
    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, "\x93NUMPY\2\0\164\0\0\0", 12);
    memcpy(bytes + 12, header, sizeof header - 1);
    for (int i = 0; i < 60; i++) {
        int place = (i % 5 * 4 + i / 5 % 4) * 3 + i / 20;
        bytes[128 + 2 * i] = (char)(place * 5);
        bytes[129 + 2 * i] = (char)place;
    }
    file_set_path("foreign", "npy");
    file_write_serially(bytes, sizeof bytes);
    EXPECT_OK(subx_file_get(MPI_COMM_WORLD, file_path, MPI_INFO_NULL, 0, NULL, NULL, &storage, &type));
    EXPECT(storage == MPI_ORDER_FORTRAN && type == MPI_INT16_T);
    EXPECT_OK(subx_file_read(MPI_COMM_WORLD, file_path, 3, sizes, b.len, b.start, b.order, MPI_INT16_T, got,
                             MPI_INFO_NULL));
    for (ptrdiff_t i = 0; i < b.count; i++) {
        ptrdiff_t place = get_place(&a, &b, i);
        wrong = (int16_t)(wrong + (got[i] != (int16_t)((place * 5 % 256) * 256 + place)));
    }
    EXPECT_EQUAL(wrong, 0);
}

/* Write numbers of one type, and read them as another type. The numbers have few bits, so they are not
 * rounded. */
static void check_conversion(int format, MPI_Datatype from, MPI_Datatype to, int in, int out)
{
    const ptrdiff_t n = 50, zero = 0;
    ptrdiff_t len, start;
    float narrow[100];
    double wide[100];
    file_set_path("convert", file_suffixes[format]);
    test_context("conversion of %d to %d numbers, %s", in, out, file_suffixes[format]);
    for (int i = 0; i < 100; i++)
        wide[i] = narrow[i] = (float)(i - 20) / 4;
    const int rank0 = test_rank == 0;
    MPI_Info hints = file_create_hints("subx_append", "replace");
    EXPECT_OK(subx_file_write(MPI_COMM_WORLD, file_path, 1, &n, rank0 ? &n : &zero, &zero, NULL, from,
                              from == MPI_FLOAT || from == MPI_C_FLOAT_COMPLEX ? (void *)narrow : wide,
                              hints));
    MPI_Info_free(&hints);
    subx_block_get(n, test_nranks, test_rank, &len, &start);
    memset(narrow, 1, sizeof narrow);
    memset(wide, 1, sizeof wide);
    const int small = to == MPI_FLOAT || to == MPI_C_FLOAT_COMPLEX;
    EXPECT_OK(subx_file_read(MPI_COMM_WORLD, file_path, 1, &n, &len, &start, NULL, to,
                             small ? (void *)narrow : wide, MPI_INFO_NULL));
    for (int i = 0; i < (int)len * out; i++) {
        int part = i % out;
        double want = part < in ? (double)(((int)start + i / out) * in + part - 20) / 4 : 0;
        EXPECT((small ? (double)narrow[i] : wide[i]) == want);
    }
}

static void check_conversions(int format)
{
    check_conversion(format, MPI_FLOAT, MPI_DOUBLE, 1, 1);
    check_conversion(format, MPI_DOUBLE, MPI_FLOAT, 1, 1);
    check_conversion(format, MPI_FLOAT, MPI_C_DOUBLE_COMPLEX, 1, 2);
    check_conversion(format, MPI_DOUBLE, MPI_C_FLOAT_COMPLEX, 1, 2);
    check_conversion(format, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, 2, 2);
    check_conversion(format, MPI_C_DOUBLE_COMPLEX, MPI_C_FLOAT_COMPLEX, 2, 2);
}

/* ---- what writing must not change in an existing file */

static void check_kept_raw(void)
{
    test_context("what raw files keep");
    file_set_path("kept", "bin");
    EXPECT_OK(file_write_numbers("subx_offset", "0", "no", 12, 100));
    EXPECT_OK(file_write_numbers("subx_offset", "16", "yes", 2, 500));
    EXPECT_OK(file_read_numbers("subx_offset", "0", 4, 100));
    EXPECT_OK(file_read_numbers("subx_offset", "16", 2, 500));
    EXPECT_OK(file_read_numbers("subx_offset", "24", 6, 106));
    EXPECT_OK(file_write_numbers("subx_offset", "16", "auto", 2, 700));
    EXPECT_OK(file_read_numbers("subx_offset", "0", 4, 100));
    EXPECT_OK(file_read_numbers("subx_offset", "16", 2, 700));
    EXPECT_KIND(file_read_numbers("subx_offset", "16", 3, 700), SUBX_ERR_FILE_END);
}

static void check_kept_hdf5(void)
{
    test_context("what HDF5 files keep");
    file_set_path("kept", "h5");
    EXPECT_OK(file_write_numbers("subx_dataset", "", "no", 3, 1));
    EXPECT_OK(file_read_numbers("subx_dataset", "", 3, 1));
    EXPECT_OK(file_write_numbers("subx_dataset", "/step1/u", "auto", 4, 10));
    EXPECT_OK(file_read_numbers("subx_dataset", "", 3, 1));
    EXPECT_OK(file_write_numbers("subx_dataset", "u", "yes", 5, 20));
    EXPECT_OK(file_write_numbers("subx_dataset", "step1/u", "auto", 4, 30));
    EXPECT_KIND(file_write_numbers("subx_dataset", "u", "auto", 4, 20), SUBX_ERR_FILE_ARRAY);
    EXPECT_KIND(file_write_numbers("subx_dataset", "u", "yes", 4, 20), SUBX_ERR_FILE_ARRAY);
    EXPECT_KIND(file_write_numbers("subx_dataset", "step1", "yes", 4, 20), SUBX_ERR_FILE_ARRAY);
    EXPECT_OK(file_read_numbers("subx_dataset", "data", 3, 1));
    EXPECT_OK(file_read_numbers("subx_dataset", "u", 5, 20));
    EXPECT_OK(file_read_numbers("subx_dataset", "step1/u", 4, 30));
    EXPECT_KIND(file_read_numbers("subx_dataset", "", 3, 1),
                SUBX_ERR_FILE_ARRAY); /* the root group has two datasets */
    EXPECT_KIND(file_read_numbers("subx_dataset", "v", 3, 1), SUBX_ERR_FILE_ARRAY);
    EXPECT_OK(file_write_numbers("subx_dataset", "u", "replace", 4, 50));
    EXPECT_OK(file_read_numbers("subx_dataset", "u", 4, 50));
    EXPECT_OK(file_read_numbers("subx_dataset", "step1/u", 4, 30));
    EXPECT_KIND(file_write_numbers("subx_dataset", "step1", "replace", 4, 20), SUBX_ERR_FILE_ARRAY);
    EXPECT_OK(file_write_numbers("subx_dataset", "v", "no", 2, 40));
    EXPECT_OK(file_read_numbers("subx_dataset", "", 2, 40));
    char longest[256] = "";
    memset(longest, 'n', 255);
    EXPECT_OK(file_write_numbers("subx_dataset", longest, "no", 2, 50));
    EXPECT_OK(file_read_numbers("subx_dataset", longest, 2, 50));
}

/* ---- symbolic links, and long names */

/* Writing follows symbolic links, even if there is no file at their end yet. `target` is the file's path. */
static void check_link(const char *target, const char *suffix, int first)
{
    struct stat s;
    for (int i = 0; i < 2; i++) {
        file_set_path(i ? "foreign" : "convert", suffix);
        EXPECT(lstat(file_path, &s) == 0 && S_ISLNK(s.st_mode));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_OK(file_write_numbers("subx_dataset", "u", "no", 4, first));
    EXPECT_OK(file_read_numbers("subx_dataset", "u", 4, first));
    EXPECT(lstat(file_path, &s) == 0 && S_ISLNK(s.st_mode));
    EXPECT(lstat(target, &s) == 0 && S_ISREG(s.st_mode));
}

static void check_links(const char *suffix)
{
    char target[sizeof file_path], inside[64];
    test_context("symbolic links, %s", suffix);
    file_set_path("kept", suffix);
    memcpy(target, file_path, sizeof target);
    snprintf(inside, sizeof inside, "convert.%s", suffix);
    for (int i = 0; i < 2 && test_rank == 0; i++) {
        file_set_path(i ? "foreign" : "convert", suffix);
        unlink(file_path);
        EXPECT(symlink(i ? inside : target, file_path) == 0);
    }
    if (test_rank == 0)
        unlink(target);
    MPI_Barrier(MPI_COMM_WORLD);
    check_link(target, suffix, 60);
    check_link(target, suffix, 70);
}

/* Names of up to 255 bytes are valid. The name of the new file beside such a file is cut, but not within a
 * character. The files are read under another name, because Open MPI 4.1 overflows a buffer when it opens a
 * file with a long name. */
static void check_names(const char *suffix)
{
    char name[256], path[sizeof file_path];
    for (int len = 246; len <= 255; len += 3) {
        const int stem = len - (int)strlen(suffix) - 1;
        test_context("a name of %d bytes, %s", len, suffix);
        memset(name, 'n', sizeof name);
        for (int i = 0; i + 1 < stem; i += 2)
            memcpy(name + i, "\xc3\xbc", 2);
        name[stem] = '\0';
        file_set_path(name, suffix);
        EXPECT_OK(file_write_numbers("subx_dataset", "u", "no", 4, len));
        memcpy(path, file_path, sizeof path);
        file_set_path("kept", suffix);
        if (test_rank == 0)
            EXPECT(rename(path, file_path) == 0);
        MPI_Barrier(MPI_COMM_WORLD);
        EXPECT_OK(file_read_numbers("subx_dataset", "u", 4, len));
    }
}

/* ---- main */

int main(int argc, char **argv)
{
    const char *name = "";
    test_begin(&argc, &argv);
    file_create_folder();
    while (subx_file_query_format(nformats, &name) == MPI_SUCCESS && name)
        nformats++;
    EXPECT(nformats == FILE_FORMATS - 1 || nformats == FILE_FORMATS);
    EXPECT_KIND(subx_file_query_format(-1, &name), SUBX_ERR_ARG);
    for (int number = 0; number < CASES; number++)
        check_random(number);
    check_foreign_order();
    for (int format = 0; format < nformats; format++)
        if (format != 1)
            check_conversions(format);
    check_kept_raw();
    if (nformats == FILE_FORMATS)
        check_kept_hdf5();
    for (int format = 0; format < nformats; format++) {
        check_links(file_suffixes[format]);
        check_names(file_suffixes[format]);
    }
    file_check_errors(nformats);
    file_remove_folder();
    return test_end();
}
