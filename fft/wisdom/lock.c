/* lock.c - allow only one writer at a time, if the file system supports locks. */
#include "wisdom/inside.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static double get_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The classic POSIX locks are not used: they belong to a process, and do not exclude its other threads. */
static int try_lock(int fd)
{
#ifdef F_OFD_SETLK
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_SETLK, &whole);
#else
    return flock(fd, LOCK_EX | LOCK_NB);
#endif
}

static int is_busy(int error)
{
    return error == EAGAIN || error == EACCES || error == EWOULDBLOCK || error == EINTR;
}

static void look(const char *path, struct stat *seen)
{
    if (stat(path, seen))
        memset(seen, 0, sizeof *seen);
}

/* A blocking lock has no time limit, so we poll. Returns 1 if the lock was taken. */
static int wait_for(int fd, const char *path)
{
    const struct timespec pause = {0, 1000000};
    const double patience = sx_base_knobs.patience > 0 ? sx_base_knobs.patience : SX_WISDOM_PATIENCE;
    double latest = get_time(), waited = 0, last = 0;
    struct stat seen;
    look(path, &seen);
    while (try_lock(fd)) {
        const double now = get_time();
        if (!is_busy(errno))
            return 0;
        waited += fmin(now - latest, SX_WISDOM_LONGEST_PAUSE);
        latest = now;
        if (sx_wisdom_has_changed(path, &seen)) {
            look(path, &seen);
            last = waited;
        }
        if (waited - last > patience || waited > SX_WISDOM_MOST_PATIENCE)
            return 0;
        nanosleep(&pause, NULL);
    }
    return 1;
}

static int is_file(int fd)
{
    struct stat s;
    return fstat(fd, &s) == 0 && S_ISREG(s.st_mode);
}

/* A writer replaces the file of wisdom by a new one, so the lock is on a second file, PATH.lock. PATH.lock is
 * never removed: if it were, a waiting writer could lock the removed file while another writer locks a new
 * one. Another user may have put a symbolic link in the place of PATH.lock: a link is not opened, and nothing
 * is locked. */
int sx_wisdom_lock(const char *path)
{
    char name[SX_WISDOM_NAME];
    if (snprintf(name, sizeof name, "%.*s.lock", sx_base_get_stem(path), path) >= (int)sizeof name)
        return -1;
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666);
    if (fd >= 0 && (!is_file(fd) || !wait_for(fd, path))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

void sx_wisdom_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}
