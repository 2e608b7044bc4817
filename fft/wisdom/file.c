/* file.c - whole files: read them, and replace them in one step. */
#include "wisdom/inside.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 1 << 28 }; /* bytes; a million entries have less */

/* ---- reading */

static int set_unusable(sx_wisdom_file *file, sx_text *reason, const char *why)
{
    file->state = SX_WISDOM_UNUSABLE;
    sx_base_print(reason, "%s", why);
    return MPI_SUCCESS;
}

/* Check the first line: it tells whether the file is wisdom of this version. */
static int check_header(sx_wisdom_file *file, sx_text *reason)
{
    static const size_t same = sizeof SX_WISDOM_HEADER - 2; /* length of the header without the version */
    sx_wisdom_line line;
    char *rest = file->text;
    if (!sx_wisdom_get_line(&rest, file->end, &line))
        return MPI_SUCCESS;
    if (line.len == same + 1 && memcmp(line.at, SX_WISDOM_HEADER, line.len) == 0) {
        file->state = SX_WISDOM_USABLE;
        file->body = rest;
        return MPI_SUCCESS;
    }
    file->body = file->end;
    if (line.len <= same || memcmp(line.at, SX_WISDOM_HEADER, same) != 0)
        return set_unusable(file, reason, "the file is not wisdom of subarray_x");
    return set_unusable(file, reason, "the file is of another version than \"" SX_WISDOM_HEADER "\"");
}

/* Read as many bytes as the file had when it was opened. */
static int read_text(int fd, sx_wisdom_file *file, sx_text *reason)
{
    size_t len = 0;
    ssize_t got = 1;
    while (len < (size_t)file->stat.st_size && got != 0) {
        got = read(fd, file->text + len, (size_t)file->stat.st_size - len);
        if (got < 0 && errno != EINTR)
            return set_unusable(file, reason, strerror(errno));
        len += got > 0 ? (size_t)got : 0;
    }
    file->body = file->end = file->text + len;
    return check_header(file, reason);
}

/* Get the bytes to allocate for a file's text. A large file gets so many that lib/base asks for huge pages:
 * with small pages, page faults would take several times as long as reading. */
static ptrdiff_t get_room(const struct stat *s)
{
    const ptrdiff_t large = 1 << 19, huge = 1 << 22, room = (ptrdiff_t)s->st_size + 1;
    return room > large && room < huge ? huge : room;
}

static int read_open(int fd, sx_wisdom_file *file, sx_text *reason)
{
    if (fstat(fd, &file->stat))
        return set_unusable(file, reason, strerror(errno));
    if (!S_ISREG(file->stat.st_mode))
        return set_unusable(file, reason, "it is a folder or a device, not a file");
    if (file->stat.st_size > LARGEST)
        return set_unusable(file, reason, "the file is too large to be wisdom");
    file->text = sx_base_alloc_untouched(get_room(&file->stat));
    if (!file->text)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    return read_text(fd, file, reason);
}

/* The file is opened with O_NONBLOCK: if it is a named pipe, open would otherwise wait for a writer. */
int sx_wisdom_read(const char *path, sx_wisdom_file *file, sx_text *reason)
{
    memset(file, 0, sizeof *file);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return MPI_SUCCESS;
    if (fd < 0)
        return set_unusable(file, reason, strerror(errno));
    int rc = read_open(fd, file, reason);
    close(fd);
    return rc;
}

/* A new file can have the same number (st_ino) as the old file, which was removed: therefore compare lengths
 * and times, too. */
int sx_wisdom_has_changed(const char *path, const struct stat *was)
{
    struct stat is;
    if (stat(path, &is))
        return was->st_ino != 0;
    return is.st_dev != was->st_dev || is.st_ino != was->st_ino || is.st_size != was->st_size ||
           is.st_mtim.tv_sec != was->st_mtim.tv_sec || is.st_mtim.tv_nsec != was->st_mtim.tv_nsec;
}

/* ---- replacing */

static int fail(sx_text *reason, const char *what)
{
    sx_base_print(reason, "%s: %s", what, strerror(errno));
    return subx_error_get_code(SUBX_ERR_FILE);
}

static int write_text(int fd, const sx_text *text)
{
    size_t done = 0;
    while (done < text->used) {
        ssize_t n = write(fd, text->at + done, text->used - done);
        if (n < 0 && errno != EINTR)
            return -1;
        done += n > 0 ? (size_t)n : 0;
    }
    return fsync(fd);
}

/* The new file gets the permissions of the old one, which a group that shares the file may have set. */
static int write_beside(int fd, const sx_wisdom_file *file, const sx_text *text)
{
    int failed = write_text(fd, text);
    if (!failed && file->stat.st_ino != 0)
        failed = fchmod(fd, file->stat.st_mode & 0777);
    int error = errno;
    if (close(fd) && !failed)
        return -1;
    errno = error;
    return failed;
}

int sx_wisdom_replace(const char *path, const sx_wisdom_file *file, const sx_text *text, int *done,
                      sx_text *reason)
{
    char name[SX_WISDOM_NAME];
    int rc = MPI_SUCCESS, fd = sx_base_create_beside(path, 0644, name, sizeof name);
    *done = 0;
    if (fd < 0)
        return fail(reason, "no new file can be created");
    if (write_beside(fd, file, text))
        rc = fail(reason, "the new file cannot be written");
    else if (!sx_wisdom_has_changed(path, &file->stat)) {
        *done = rename(name, path) == 0;
        if (!*done)
            rc = fail(reason, "the file cannot be replaced");
    }
    if (!*done)
        unlink(name);
    return rc;
}

/* Query whether `end`, the end of a name, is a number as sx_base_create_beside writes it: at most three
 * digits, no leading zeros. */
static int is_numbered(const char *end)
{
    const size_t digits = strspn(end, "0123456789");
    return digits > 0 && digits <= 3 && !end[digits] && (end[0] != '0' || digits == 1);
}

/* Query whether an open file was left by a killed writer of this user: it is more than an hour old, and its
 * text begins with the header of wisdom, or is only the beginning of this header. An hour is longer than any
 * writer takes, and longer than the clocks of hosts differ. */
static int is_left(int fd)
{
    static const char header[] = SX_WISDOM_HEADER "\n";
    char text[sizeof header - 1];
    struct stat s;
    if (fstat(fd, &s) || !S_ISREG(s.st_mode) || s.st_uid != geteuid() || s.st_nlink != 1 ||
        time(NULL) - s.st_mtime <= 3600)
        return 0;
    const ssize_t n = read(fd, text, sizeof text);
    return n >= 0 && (n == s.st_size || n == (ssize_t)sizeof text) && memcmp(text, header, (size_t)n) == 0;
}

static void remove_old(const char *name)
{
    const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0)
        return;
    if (is_left(fd))
        unlink(name);
    close(fd);
}

void sx_wisdom_sweep(const char *path)
{
    char name[SX_WISDOM_NAME];
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const int folder = sx_base_fit(base - path);
    const size_t len = (size_t)(sx_base_get_stem(path) - folder);
    snprintf(name, sizeof name, "%.*s.", folder, path);
    DIR *d = opendir(name);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (strncmp(e->d_name, base, len) == 0 && strncmp(e->d_name + len, ".tmp.", 5) == 0 &&
            is_numbered(e->d_name + len + 5) &&
            snprintf(name, sizeof name, "%.*s%s", folder, path, e->d_name) < (int)sizeof name)
            remove_old(name);
    if (d)
        closedir(d);
}
