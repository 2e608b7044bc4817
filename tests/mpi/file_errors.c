/* file_errors.c - damaged and missing files, and wrong arguments: all ranks get the same kind of error. */
#include "common/verdict.h"
#include "mpi/file_help.h"
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_io.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Expect that a call fails on all ranks with the same kind of error, or, if kind is 0, with the same error
 * class of MPI. */
static void expect_failure(int rc, int kind)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(rc, &class);
    EXPECT(rc != MPI_SUCCESS);
    EXPECT_EQUAL(subx_error_get_kind(rc), kind);
    EXPECT_SAME(kind ? kind : class);
}

static int read_doubles(int ndims, ptrdiff_t n)
{
    const ptrdiff_t sizes[] = {n, 3}, zero[] = {0, 0};
    double buf[64];
    return subx_file_read(MPI_COMM_WORLD, file_path, ndims, sizes, sizes, zero, NULL, MPI_DOUBLE, buf,
                          MPI_INFO_NULL);
}

/* Write a .npy file of version 1.0 with this header and `bytes` bytes of data. */
static void write_npy(const char *header, size_t bytes)
{
    char all[512] = "\x93NUMPY\1\0\166\0";
    snprintf(all + 10, sizeof all - 10, "%-117s\n", header);
    file_write_serially(all, 128 + bytes);
}

#define DICT(type, shape) "{'descr': '" type "', 'fortran_order': False, 'shape': " shape ", }"

static void check_npy_errors(void)
{
    static const struct {
        const char *header;
        size_t bytes;
        int kind;
    } bad[] = {{DICT("<f8", "(4, 3)"), 95, SUBX_ERR_FILE_END},
               {DICT("<f8", "(4, 3, 1)"), 96, SUBX_ERR_FILE_ARRAY},
               {DICT("<f8", "(3, 4)"), 96, SUBX_ERR_FILE_ARRAY},
               {DICT("<c16", "(4, 3)"), 192, SUBX_ERR_FILE_ARRAY},
               {DICT("<i8", "(4, 3)"), 96, SUBX_ERR_FILE_ARRAY},
               {DICT("<U3", "(4, 3)"), 150, SUBX_ERR_TYPE},
               {DICT("<f2", "(4, 3)"), 96, SUBX_ERR_TYPE},
               {DICT("?f8", "(4, 3)"), 96, SUBX_ERR_FILE},
               {DICT("<f8", "()"), 96, SUBX_ERR_NDIMS},
               {DICT("<f8", "(4, -3)"), 96, SUBX_ERR_FILE},
               {DICT("<f8", "(4 3)"), 96, SUBX_ERR_FILE},
               {DICT("<f8", "(9223372036854775807, 3)"), 96, SUBX_ERR_FILE},
               {DICT("<f8", "(9223372036854775808, 3)"), 96, SUBX_ERR_FILE},
               {"{'descr': '<f8', 'shape': (4, 3), }", 96, SUBX_ERR_FILE},
               {"{'descr': '<f8', 'fortran_order': Maybe, 'shape': (4, 3), }", 96, SUBX_ERR_FILE},
               {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (4, 3), }", 96, SUBX_ERR_TYPE},
               {"[4, 3]", 96, SUBX_ERR_FILE}};
    file_set_path("bad", "npy");
    write_npy(DICT("<f8", "(4, 3)"), 96);
    test_context("good header");
    EXPECT_OK(read_doubles(2, 4));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        test_context("%s", bad[i].header);
        write_npy(bad[i].header, bad[i].bytes);
        expect_failure(read_doubles(2, 4), bad[i].kind);
    }
    test_context("short and foreign files");
    file_write_serially("this is no array", 16);
    expect_failure(read_doubles(2, 4), SUBX_ERR_FILE);
    file_write_serially("", 0);
    expect_failure(read_doubles(2, 4), SUBX_ERR_FILE);
    file_write_serially("\x93NUMPY\1\0\166\0{'descr", 17);
    expect_failure(read_doubles(2, 4), SUBX_ERR_FILE_END);
}

/* Files that are not HDF5, and HDF5 files whose end was cut off. */
static void check_hdf5_errors(void)
{
    size_t len = 0;
    char *bytes = NULL;
    test_context("damaged HDF5 files");
    file_set_path("bad", "h5");
    file_write_serially("this is no array", 16);
    expect_failure(read_doubles(2, 4), SUBX_ERR_FILE);
    EXPECT_KIND(file_write_numbers("subx_dataset", "u", "yes", 4, 20), SUBX_ERR_FILE);
    EXPECT_OK(file_write_numbers("subx_dataset", "u", "no", 4, 20));
    expect_failure(read_doubles(1, 4), SUBX_ERR_FILE_ARRAY);
    bytes = file_read_serially(&len);
    MPI_Barrier(MPI_COMM_WORLD);
    file_write_serially(bytes, len - 8);
    expect_failure(file_read_numbers("subx_dataset", "u", 4, 20), SUBX_ERR_FILE);
    free(bytes);
}

static void check_places(const char *suffix)
{
    test_context("missing folders, %s", suffix);
    file_set_path("nowhere/u", suffix);
    expect_failure(read_doubles(2, 4), 0);
    expect_failure(file_write_numbers("subx_dataset", "u", "no", 4, 20), 0);
    file_set_path("absent", suffix);
    expect_failure(read_doubles(2, 4), 0);
    expect_failure(subx_file_get(MPI_COMM_WORLD, file_path, MPI_INFO_NULL, 0, NULL, NULL, NULL, NULL), 0);
}

/* A pipe, a folder or a device must be neither read nor written. Opening a pipe would wait for the process at
 * its other end. */
static void check_kind(void)
{
    EXPECT_KIND(subx_file_get(MPI_COMM_WORLD, file_path, MPI_INFO_NULL, 0, NULL, NULL, NULL, NULL),
                SUBX_ERR_FILE_KIND);
    expect_failure(read_doubles(2, 4), SUBX_ERR_FILE_KIND);
    expect_failure(file_write_numbers("subx_dataset", "u", "no", 4, 20), SUBX_ERR_FILE_KIND);
    expect_failure(subx_file_query_writable(MPI_COMM_WORLD, file_path, MPI_INFO_NULL), SUBX_ERR_FILE_KIND);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void check_kinds(const char *suffix)
{
    test_context("no files, %s", suffix);
    file_set_path("bad", suffix);
    if (test_rank == 0)
        EXPECT(mkfifo(file_path, 0666) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    check_kind();
    if (test_rank == 0)
        EXPECT(unlink(file_path) == 0 && mkdir(file_path, 0777) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    check_kind();
    if (test_rank == 0)
        EXPECT(rmdir(file_path) == 0);
    snprintf(file_path, sizeof file_path, "/dev/null");
    check_kind();
}

/* Count the files in the folder, except hidden ones. Also sets the path to "bad". */
static int count_files(const char *suffix)
{
    int n = 0;
    file_set_path("", suffix);
    file_path[strlen(file_path) - strlen(suffix) - 1] = '\0';
    DIR *folder = opendir(file_path);
    for (struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder))
        n += e->d_name[0] != '.';
    closedir(folder);
    file_set_path("bad", suffix);
    return n;
}

/* Write a file that is longer than the system permits. */
static int write_too_much(void)
{
    enum { ROWS = 64, COLUMNS = 1024 };
    const struct rlimit small = {1 << 14, RLIM_INFINITY};
    ptrdiff_t sizes[] = {ROWS, COLUMNS}, len[] = {0, COLUMNS}, start[] = {0, 0};
    double *buf = calloc(ROWS * COLUMNS, sizeof *buf);
    struct rlimit usual;
    subx_block_get(ROWS, test_nranks, test_rank, &len[0], &start[0]);
    getrlimit(RLIMIT_FSIZE, &usual);
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    EXPECT(setrlimit(RLIMIT_FSIZE, &small) == 0);
    int rc = subx_file_write(MPI_COMM_WORLD, file_path, 2, sizes, len, start, NULL, MPI_DOUBLE, buf,
                             MPI_INFO_NULL);
    EXPECT(setrlimit(RLIMIT_FSIZE, &usual) == 0);
    signal(SIGXFSZ, before);
    free(buf);
    MPI_Barrier(MPI_COMM_WORLD);
    return rc;
}

/* If a file cannot be written completely, it must not exist afterwards. An older file of this name must not
 * change. */
static void check_full(const char *suffix)
{
    int before = count_files(suffix);
    test_context("a full disk, %s", suffix);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_failure(write_too_much(), 0);
    if (test_rank == 0)
        EXPECT_EQUAL(count_files(suffix), before);
    EXPECT_OK(subx_file_query_writable(MPI_COMM_WORLD, file_path, MPI_INFO_NULL));
    if (test_rank == 0)
        EXPECT_EQUAL(count_files(suffix), before);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_OK(file_write_numbers("subx_dataset", "u", "no", 4, 20));
    expect_failure(write_too_much(), 0);
    EXPECT_OK(file_read_numbers("subx_dataset", "u", 4, 20));
    if (test_rank == 0)
        EXPECT(count_files(suffix) == before + 1 && unlink(file_path) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* If one rank has wrong arguments, all ranks get the error, and an existing file must not change. */
static void check_arguments(void)
{
    const int last = test_rank == test_nranks - 1, order[] = {0, last ? 0 : 1};
    const ptrdiff_t n[] = {4, 3}, zero[] = {0, 0}, far[] = {last ? 1 : 0, 0}, other[] = {4, last ? 4 : 3};
    double buf[12] = {0};
    MPI_Info hints = file_create_hints("subx_format", "tape");
    test_context("arguments");
    file_set_path("bad", "npy");
    write_npy(DICT("<f8", "(4, 3)"), 96);
    const struct {
        const char *path;
        int ndims;
        const ptrdiff_t *sizes, *start;
        const int *order;
        MPI_Datatype type;
        const void *buf;
        MPI_Info hints;
        int kind;
    } w[] = {
        {file_path, 2, n, far, NULL, MPI_DOUBLE, buf, MPI_INFO_NULL, SUBX_ERR_SIZE},
        {file_path, 2, n, zero, order, MPI_DOUBLE, buf, MPI_INFO_NULL, SUBX_ERR_ORDER},
        {file_path, 0, n, zero, NULL, MPI_DOUBLE, buf, MPI_INFO_NULL, SUBX_ERR_NDIMS},
        {file_path, SUBX_NDIMS_MAX + 1, n, zero, NULL, MPI_DOUBLE, buf, MPI_INFO_NULL, SUBX_ERR_NDIMS},
        {file_path, 2, n, zero, NULL, MPI_LONG_DOUBLE, buf, MPI_INFO_NULL, SUBX_ERR_TYPE},
        {file_path, 2, n, zero, NULL, MPI_DATATYPE_NULL, buf, MPI_INFO_NULL, SUBX_ERR_TYPE},
        {file_path, 2, n, zero, NULL, MPI_DOUBLE, NULL, MPI_INFO_NULL, SUBX_ERR_ARG},
        {NULL, 2, n, zero, NULL, MPI_DOUBLE, buf, MPI_INFO_NULL, SUBX_ERR_ARG},
        {file_path, 2, NULL, zero, NULL, MPI_DOUBLE, buf, MPI_INFO_NULL, SUBX_ERR_ARG},
        {file_path, 2, n, zero, NULL, MPI_DOUBLE, buf, hints, SUBX_ERR_HINT},
        {file_path, 2, other, zero, NULL, MPI_DOUBLE, buf, MPI_INFO_NULL, SUBX_ERR_DIFFERS},
        {file_path, 2, n, zero, NULL, last ? MPI_FLOAT : MPI_DOUBLE, buf, MPI_INFO_NULL, SUBX_ERR_DIFFERS}};
    const int count = (int)(sizeof w / sizeof *w) - (test_nranks > 1 ? 0 : 2);
    for (int i = 0; i < count; i++)
        expect_failure(subx_file_write(MPI_COMM_WORLD, w[i].path, w[i].ndims, w[i].sizes, n, w[i].start,
                                       w[i].order, w[i].type, w[i].buf, w[i].hints),
                       w[i].kind);
    EXPECT_KIND(
        subx_file_write(MPI_COMM_NULL, file_path, 2, n, n, zero, NULL, MPI_DOUBLE, buf, MPI_INFO_NULL),
        SUBX_ERR_COMM);
    expect_failure(
        subx_file_get(MPI_COMM_WORLD, file_path, MPI_INFO_NULL, 1, NULL, (ptrdiff_t[1]){0}, NULL, NULL),
        SUBX_ERR_TRUNCATE);
    EXPECT_OK(read_doubles(2, 4));
    MPI_Info_free(&hints);
}

void file_check_errors(int nformats)
{
    for (int format = 0; format < nformats; format++) {
        check_places(file_suffixes[format]);
        check_kinds(file_suffixes[format]);
        check_full(file_suffixes[format]);
    }
    check_npy_errors();
    check_arguments();
    if (nformats == FILE_FORMATS) {
        check_hdf5_errors();
        return;
    }
    file_set_path("bad", "h5");
    expect_failure(file_write_numbers("subx_dataset", "u", "no", 4, 20), SUBX_ERR_UNAVAILABLE);
}
