/* replace.c - write to a new file in the folder of the caller's path. When the new file is complete, it replaces the file
 * at the path. If the program is interrupted, the older file is unchanged, and no incomplete file is at the path. */
#include "io/io.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES = 1000 };

/* Query whether data of the older file must be kept. If so, the older file itself is written. */
static int keeps(const sx_io_file *f, const struct stat *old)
{
    const int is_raw = f->format == &sx_io_raw;
    const int append = f->choices.append;
    return f->format != &sx_io_npy && old->st_size > 0 &&
           (is_raw ? append > SX_IO_APPEND_NO || f->choices.offset > 0 : append != SX_IO_APPEND_NO);
}

/* Create <path>.tmp.<number>. O_EXCL makes sure that no other process, on any host, writes to the same file. */
static int create(sx_io_file *f, const struct stat *old)
{
    int fd = -1;
    errno = EEXIST;
    for (int i = 0; i < NAMES && fd < 0 && errno == EEXIST; i++) {
        if (snprintf(f->beside, SX_IO_PATH, "%s.tmp.%d", f->target, i) >= SX_IO_PATH)
            errno = ENAMETOOLONG;
        else
            fd = open(f->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (fd < 0)
        return sx_io_disk_error();
    /* The new file gets the permissions of the older file, because a group that shares the file may have set them. An
     * error is ignored: the new file is usable without them. */
    if (old)
        (void)!fchmod(fd, old->st_mode & 0777);
    close(fd);
    return MPI_SUCCESS;
}

/* Create the new file, on rank 0. If the path is a symbolic link, the new file is in the folder of the link's
 * target. */
static int open_beside(sx_io_file *f)
{
    struct stat old;
    if (stat(f->path, &old)) {
        if (errno != ENOENT)
            return sx_io_disk_error();
        if (snprintf(f->target, SX_IO_PATH, "%s", f->path) >= SX_IO_PATH)
            return MPI_ERR_BAD_FILE;
        return create(f, NULL);
    }
    int rc = sx_io_disk_check(f->path);
    if (rc)
        return rc;
    if (access(f->path, W_OK) || !realpath(f->path, f->target))
        return sx_io_disk_error();
    return keeps(f, &old) ? MPI_SUCCESS : create(f, &old);
}

int sx_io_beside_open(sx_io_file *f)
{
    int rc = sx_base_agree(f->comm, f->rank == 0 ? open_beside(f) : MPI_SUCCESS, NULL);
    if (rc)
        return rc;
    SX_JOIN(rc, MPI_Ibcast(f->beside, SX_IO_PATH, MPI_CHAR, 0, f->comm, &request));
    if (!rc && f->beside[0])
        f->path = f->beside;
    return sx_base_agree(f->comm, rc, NULL);
}

static int close_beside(const sx_io_file *f, int is_whole)
{
    int rc = MPI_SUCCESS;
    if (is_whole && rename(f->beside, f->target) == 0)
        return MPI_SUCCESS;
    if (is_whole)
        rc = sx_io_disk_error();
    unlink(f->beside);
    return rc;
}

int sx_io_beside_close(sx_io_file *f, int is_whole)
{
    int rc = f->rank == 0 && f->beside[0] ? close_beside(f, is_whole) : MPI_SUCCESS;
    return sx_base_agree(f->comm, rc, NULL);
}
