/* replace.c - write to a new file in the folder of the caller's path. When the new file is complete, it
 * replaces the file at the path. If the program is interrupted, the older file is unchanged, and no
 * incomplete file is at the path. */
#include "io/io.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most symbolic links that follow one another, as on Linux. */
enum { LINKS = 40 };

/* Query whether data of the older file must be kept. If so, the older file itself is written. */
static int keeps(const sx_io_file *f, const struct stat *old)
{
    const int is_raw = f->format == &sx_io_raw;
    const int append = f->choices.append;
    return !f->format->has_one_array && old->st_size > 0 &&
           (is_raw ? append > SX_IO_APPEND_NO || f->choices.offset > 0 : append != SX_IO_APPEND_NO);
}

static int create(sx_io_file *f, const struct stat *old)
{
    int fd = sx_base_create_beside(f->target, 0666, f->beside, SX_IO_PATH);
    if (fd < 0)
        return sx_io_disk_error();
    /* The new file gets the permissions of the older file, because a group that shares the file may have set
     * them. An error is ignored: the new file is usable without them. */
    if (old)
        (void)!fchmod(fd, old->st_mode & 0777);
    close(fd);
    return MPI_SUCCESS;
}

/* Get the path at the end of the symbolic links that begin at f->path. There may be no file at this path
 * yet. */
static int follow(sx_io_file *f)
{
    char link[SX_IO_PATH], *to = f->target;
    if (snprintf(to, SX_IO_PATH, "%s", f->path) >= SX_IO_PATH)
        return MPI_ERR_BAD_FILE;
    for (int i = 0; i <= LINKS; i++) {
        const ssize_t n = readlink(to, link, sizeof link - 1);
        if (n < 0)
            return MPI_SUCCESS;
        link[n] = '\0';
        char *slash = strrchr(to, '/'), *at = slash && link[0] != '/' ? slash + 1 : to;
        const ptrdiff_t room = SX_IO_PATH - (at - to);
        if (snprintf(at, (size_t)room, "%s", link) >= room)
            return MPI_ERR_BAD_FILE;
    }
    errno = ELOOP;
    return sx_io_disk_error();
}

/* Create the new file, on rank 0. If the path is a symbolic link, the new file is in the folder of the link's
 * target, because rename would replace the link. */
static int open_beside(sx_io_file *f)
{
    struct stat old;
    const int is_new = stat(f->path, &old) != 0;
    if (is_new && errno != ENOENT)
        return sx_io_disk_error();
    int rc = is_new ? MPI_SUCCESS : sx_io_disk_check(f->path);
    if (!rc)
        rc = follow(f);
    if (rc || is_new)
        return rc ? rc : create(f, NULL);
    if (access(f->path, W_OK))
        return sx_io_disk_error();
    return keeps(f, &old) ? MPI_SUCCESS : create(f, &old);
}

int sx_io_beside_open(sx_io_file *f)
{
    int rc = sx_base_agree(f->comm, f->rank == 0 ? open_beside(f) : MPI_SUCCESS, NULL);
    if (rc)
        return rc;
    rc = MPI_Bcast(f->beside, SX_IO_PATH, MPI_CHAR, 0, f->comm);
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
