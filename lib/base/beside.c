/* beside.c - new files beside older ones, which they replace when they are complete. */
#include "base/base.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* A name has at most 255 bytes. A stem leaves room for .tmp.999, and for what MPI appends to names of its own
 * files: Open MPI 4.1 overflows a buffer if such a name is too long. */
enum { FILES = 1000, LONGEST_STEM = 200 };

/* The stem ends between two characters of UTF-8: bytes 10xxxxxx continue a character. */
int sx_base_get_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0, len = strlen(path);
    if (len - folder > LONGEST_STEM)
        for (len = folder + LONGEST_STEM; len > folder && (path[len] & 0xc0) == 0x80;)
            len--;
    return sx_base_fit((ptrdiff_t)len);
}

int sx_base_create_beside(const char *path, int permissions, char *beside, size_t room)
{
    const int stem = sx_base_get_stem(path);
    int fd = -1;
    errno = EEXIST;
    for (int i = 0; i < FILES && fd < 0 && errno == EEXIST; i++) {
        if (snprintf(beside, room, "%.*s.tmp.%d", stem, path, i) >= sx_base_fit((ptrdiff_t)room))
            errno = ENAMETOOLONG;
        else
            fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    }
    return fd;
}
