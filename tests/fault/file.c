/* file.c - each allocation, and each MPI call on files, fails on one rank in turn; then the disk fails. All
 * ranks must get the same error, no rank may wait for ever, and the older file must not change. The next file
 * that is written must be right.
 * ranks: 1 2 5 (three and four would repeat five: only the last rank fails) */
#define _GNU_SOURCE 1 /* for RTLD_NEXT */
#include "base/base.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_io.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ATTEMPTS_MAX = 200, ROWS = 9, COLUMNS = 5 };

static char path[128];

/* ---- a disk that fails: these functions replace the system's, also inside MPI. Writes to files then fail */

static int disk_fails;

static int fails(int fd)
{
    struct stat file;
    if (!disk_fails || fstat(fd, &file) || !S_ISREG(file.st_mode))
        return 0;
    errno = EIO;
    return 1;
}

SUBX_EXPORT ssize_t pwrite(int fd, const void *buf, size_t n, off_t at)
{
    return fails(fd) ? -1 : (ssize_t)syscall(SYS_pwrite64, fd, buf, n, at);
}

SUBX_EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t at)
{
    return fails(fd) ? -1 : (ssize_t)syscall(SYS_pwritev, fd, parts, n, at, 0);
}

/* ---- MPI calls that do their work and then return an error */

static long calls_left = -1; /* how many calls succeed before one fails; negative: none fails */

/* The inode number of the file at the path before the test writes; 0: no file. As long as that file exists, a
 * new file has another number. */
static ino_t number_before;

static ino_t get_number(void)
{
    struct stat file;
    return stat(path, &file) ? 0 : file.st_ino;
}

static int spoil(int rc)
{
    return calls_left >= 0 && calls_left-- == 0 ? MPI_ERR_IO : rc;
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void *buf, int count, MPI_Datatype type,
                      MPI_Status *status)
{
    return spoil(PMPI_File_write_at(file, offset, buf, count, type, status));
}

int MPI_File_set_view(MPI_File file, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                      const char *rep, MPI_Info info)
{
    return spoil(PMPI_File_set_view(file, disp, etype, filetype, rep, info));
}

int MPI_File_write_all(MPI_File file, const void *buf, int count, MPI_Datatype type, MPI_Status *status)
{
    /* The program could end here, so the path must still have the older file. */
    EXPECT(get_number() == number_before);
    return spoil(PMPI_File_write_all(file, buf, count, type, status));
}

int MPI_File_read_all(MPI_File file, void *buf, int count, MPI_Datatype type, MPI_Status *status)
{
    return spoil(PMPI_File_read_all(file, buf, count, type, status));
}

int MPI_File_close(MPI_File *file)
{
    return spoil(PMPI_File_close(file));
}

/* ---- HDF5 that cannot use MPI: H5Pset_fapl_mpio does its work and then returns an error */

static int hdf5_fails;

int H5Pset_fapl_mpio(int64_t list, MPI_Comm comm, MPI_Info info);
int H5Pset_fapl_mpio(int64_t list, MPI_Comm comm, MPI_Info info)
{
    int (*own)(int64_t, MPI_Comm, MPI_Info) = NULL;
    void *address = dlsym(RTLD_NEXT, "H5Pset_fapl_mpio");
    memcpy(&own, &address, sizeof own);
    int rc = own(list, comm, info);
    return hdf5_fails && comm != MPI_COMM_SELF ? -1 : rc;
}

/* ---- a file */

static const char *append = "no";

/* Write this rank's rows, or read and compare them. In memory the rows are in Fortran order. */
static int attempt(int writes)
{
    static const int order[] = {0, 1};
    ptrdiff_t sizes[] = {ROWS, COLUMNS}, len[] = {0, COLUMNS}, start[] = {0, 0};
    double buf[ROWS * COLUMNS];
    int rc;
    subx_block_get(ROWS, test_nranks, test_rank, &len[0], &start[0]);
    for (ptrdiff_t i = 0; i < len[0] * COLUMNS; i++)
        buf[i] = writes ? (double)((start[0] + i % len[0]) * COLUMNS + i / len[0]) : -1;
    MPI_Info hints = test_hints("bytes=80 append=%s", append);
    number_before = get_number();
    MPI_Barrier(MPI_COMM_WORLD);
    if (writes)
        rc = subx_file_write(MPI_COMM_WORLD, path, 2, sizes, len, start, order, MPI_DOUBLE, buf, hints);
    else
        rc = subx_file_read(MPI_COMM_WORLD, path, 2, sizes, len, start, order, MPI_DOUBLE, buf, hints);
    MPI_Info_free(&hints);
    for (ptrdiff_t i = 0; i < len[0] * COLUMNS && !rc; i++)
        EXPECT(buf[i] == (double)((start[0] + i % len[0]) * COLUMNS + i / len[0]));
    return rc;
}

/* If writing succeeded, the path must have a new file, otherwise the older file. There must be no temporary
 * file beside it. */
static void check_path(int rc)
{
    char beside[160];
    snprintf(beside, sizeof beside, "%s.tmp.0", path);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT((get_number() == number_before) == (rc != MPI_SUCCESS));
    EXPECT(access(beside, F_OK) != 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Let the first, the second, .. allocation (kind SUBX_ERR_NO_MEM) or MPI call (kind 0) fail on the last rank,
 * until there are no more. All errors must be of this kind, and there must be at least `least` of them. */
static void check(int writes, int kind, int least, const char *what)
{
    const int fails = test_rank == test_nranks - 1;
    int rc = -1;
    long n;
    test_context("%s %s", what, writes ? "while writing" : "while reading");
    for (n = 0; rc && n < ATTEMPTS_MAX; n++) {
        if (fails && kind)
            sx_base_fail_after(n);
        else if (fails)
            calls_left = n;
        rc = attempt(writes);
        sx_base_fail_after(-1);
        calls_left = -1;
        if (writes)
            check_path(rc);
        EXPECT_SAME(rc ? subx_error_get_kind(rc) : -1);
        if (rc)
            EXPECT_EQUAL(subx_error_get_kind(rc), kind);
    }
    EXPECT_OK(rc);
    EXPECT(n - 1 >= least);
    EXPECT_OK(attempt(1));
    EXPECT_OK(attempt(0));
}

/* The library must notice that the disk failed, although MPI_File_write_all of Open MPI 4.1 returns
 * success. */
static void check_disk(const char *suffix)
{
    test_context("the disk fails, %s", suffix);
    strcpy(strrchr(path, '.'), suffix);
    EXPECT_OK(attempt(1));
    disk_fails = 1;
    int rc = attempt(1);
    disk_fails = 0;
    EXPECT(rc != MPI_SUCCESS);
    EXPECT_SAME(subx_error_get_kind(rc));
    check_path(rc);
    EXPECT_OK(attempt(0));
}

/* If HDF5 cannot use MPI on the last rank, no rank may open the file, and the data in the file must not
 * change. */
static void check_hdf5(void)
{
    test_context("HDF5 without MPI");
    strcpy(strrchr(path, '.'), ".h5");
    int rc = attempt(1);
    if (subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE) /* the library was built without HDF5 */
        return;
    EXPECT_OK(rc);
    for (int writes = 0; writes < 2; writes++) {
        hdf5_fails = test_rank == test_nranks - 1;
        append = writes ? "yes" : "no";
        EXPECT_KIND(attempt(writes), SUBX_ERR_FILE);
        hdf5_fails = 0;
        append = "no";
        EXPECT_OK(attempt(0));
    }
}

int main(int argc, char **argv)
{
    const char *where = getenv("TMPDIR");
    long id = (long)getpid();
    test_begin(&argc, &argv);
    MPI_Bcast(&id, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%.80s/subx-fault.%ld.npy", where ? where : "/tmp", id);
    for (int writes = 1; writes >= 0; writes--) {
        check(writes, SUBX_ERR_NO_MEM, 1, "no memory");
        check(writes, 0, 3, "MPI fails");
    }
    check_disk(".npy");
    if (test_rank == 0)
        unlink(path);
    check_disk(".raw");
    if (test_rank == 0)
        unlink(path);
    check_hdf5();
    if (test_rank == 0)
        unlink(path);
    return test_end();
}
