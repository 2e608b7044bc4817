/* disk.c - system calls about files, for rank 0: kind, length, disk space, errors. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fallocate */
#endif
#include "io/io.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int sx_io_disk_error(void)
{
    switch (errno) {
    case ENOENT:
    case ENOTDIR:
        return MPI_ERR_NO_SUCH_FILE;
    case EACCES:
    case EPERM:
        return MPI_ERR_ACCESS;
    case EROFS:
        return MPI_ERR_READ_ONLY;
    case ENOSPC:
    case EFBIG:
        return MPI_ERR_NO_SPACE;
    case EDQUOT:
        return MPI_ERR_QUOTA;
    case EISDIR:
    case ENAMETOOLONG:
    case ELOOP:
        return MPI_ERR_BAD_FILE;
    default:
        return MPI_ERR_IO;
    }
}

int sx_io_disk_check(const char *path)
{
    struct stat known;
    if (stat(path, &known))
        return sx_io_disk_error();
    return S_ISREG(known.st_mode) ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_FILE_KIND);
}

int sx_io_disk_length(const char *path, ptrdiff_t least, ptrdiff_t *length)
{
    struct stat known;
    if (stat(path, &known))
        return sx_io_disk_error();
    *length = (ptrdiff_t)known.st_size;
    if (*length >= least)
        return MPI_SUCCESS;
    return sx_io_fail(SUBX_ERR_FILE_END, "the file has %td bytes; its array ends after %td", *length, least);
}

/* Space is reserved because Open MPI 4.1 with two or more ranks can report that a write succeeded although
 * the disk is full. If the file system cannot reserve space, this function succeeds, and a full disk may go
 * unnoticed. The length of the file does not change here: after a write, the length shows whether the end of
 * the data was written. */
int sx_io_disk_reserve(const char *path, ptrdiff_t offset, ptrdiff_t bytes)
{
    struct rlimit limit;
    int fd = open(path, O_WRONLY | O_CLOEXEC), rc = MPI_SUCCESS;
    if (fd < 0)
        return sx_io_disk_error();
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < (rlim_t)(offset + bytes))
        rc = MPI_ERR_NO_SPACE; /* fallocate would not check this limit */
    else if (bytes && fallocate(fd, FALLOC_FL_KEEP_SIZE, offset, bytes) &&
             (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
        rc = sx_io_disk_error();
    close(fd);
    return rc;
}

int sx_io_disk_set_length(const char *path, ptrdiff_t least, ptrdiff_t end, int cuts)
{
    struct stat known;
    int fd = open(path, O_WRONLY | O_CLOEXEC), rc = MPI_SUCCESS;
    if (fd < 0)
        return sx_io_disk_error();
    if (fstat(fd, &known))
        rc = sx_io_disk_error();
    else if (known.st_size < least)
        rc = MPI_ERR_IO;
    else if ((known.st_size < end || cuts) && ftruncate(fd, end))
        rc = sx_io_disk_error();
    if (close(fd) && !rc)
        rc = sx_io_disk_error();
    return rc;
}
