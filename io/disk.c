/* disk.c - what rank 0 does with files by the system's calls: their length, their disk space, and the errors. */
#include "io/io.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

int sx_io_disk_length(const char *path, ptrdiff_t least, ptrdiff_t *length)
{
    struct stat known;
    if (stat(path, &known))
        return sx_io_disk_error();
    *length = (ptrdiff_t)known.st_size;
    return *length < least ? subx_error_get(SUBX_ERR_FILE_END) : MPI_SUCCESS;
}

/* Otherwise a full disk might not be noticed: the writes of some MPI libraries succeed on it (Open MPI 4.1 with two or more
 * ranks). If the space cannot be reserved we must trust the writes. */
int sx_io_disk_reserve(const char *path, ptrdiff_t offset, ptrdiff_t bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666), rc = MPI_SUCCESS;
    if (fd < 0)
        return sx_io_disk_error();
    errno = bytes ? posix_fallocate(fd, offset, bytes) : 0;
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
        rc = sx_io_disk_error();
    close(fd);
    return rc;
}
