/* inside.h - functions for entries, lines and whole files of wisdom. Private to this room and its tests. */
#ifndef SX_WISDOM_INSIDE_H
#define SX_WISDOM_INSIDE_H

#include "wisdom/wisdom.h"
#include "limits/limits.h"
#include <limits.h>
#include <stdint.h>
#include <sys/stat.h>

#define SX_WISDOM_HEADER "subarray_x wisdom 1"
#define SX_WISDOM_NO_FILE "there is no such file, or it is empty"
enum {
    SX_WISDOM_SUM = 16,       /* hexadecimal digits of a checksum */
    SX_WISDOM_NAME = PATH_MAX /* room for the real path of a file, or of a file beside it */
};

/* An entry does not own its texts. */
typedef struct sx_wisdom_entry {
    const char *kind, *key, *value; /* a value of NULL: the entry was forgotten, and is removed from files */
    ptrdiff_t order; /* if two entries have the same kind and key, the one with the higher order is kept */
} sx_wisdom_entry;

/* Entries in ascending order of kinds and keys. No two entries have the same kind and key. */
typedef struct sx_wisdom_set {
    ptrdiff_t n;
    sx_wisdom_entry *entry;
} sx_wisdom_set;

/* ---- set.c */

/* Sort entries; of entries with the same kind and key keep the one with the highest order. */
void sx_wisdom_sort(sx_wisdom_set *set);

/* Find the entry with the same kind and key as another entry; NULL if there is none. */
sx_wisdom_entry *sx_wisdom_find_entry(const sx_wisdom_set *set, const sx_wisdom_entry *like);

/* ---- line.c */

/* The kinds of lines. A comment is an empty line, or begins with #. */
enum { SX_WISDOM_COMMENT, SX_WISDOM_ENTRY, SX_WISDOM_DAMAGED };

typedef struct sx_wisdom_line {
    char *at;
    size_t len; /* without the end of line */
} sx_wisdom_line;

/* Get the line at *rest, and move *rest to the next line. Returns 0 if *rest is `end`. */
int sx_wisdom_get_line(char **rest, char *end, sx_wisdom_line *line);

/* Split a line. Returns the kind of the line. The texts of an entry are terminated in place, so a line can be
 * split only once, and the byte behind the line must be writable. Lines that are no entries are not
 * changed. */
int sx_wisdom_split(const sx_wisdom_line *line, sx_wisdom_entry *e);

/* Append an entry as a line with its end of line. If the text has no room, the bytes are only counted. */
void sx_wisdom_join(const sx_wisdom_entry *e, sx_text *t);

/* ---- file.c */

enum { SX_WISDOM_ABSENT, SX_WISDOM_USABLE, SX_WISDOM_UNUSABLE };

typedef struct sx_wisdom_file {
    int state;        /* absent: there is no file, or it is empty; unusable: another version, no wisdom, or
                         not readable */
    struct stat stat; /* what stat() gave when the file was read; st_ino is 0 if there was no file */
    char *text;       /* the caller frees it with sx_base_free; the byte behind its end is writable */
    char *body, *end; /* the lines after the header; body == end unless the file is usable */
} sx_wisdom_file;

/* Read a whole file. An unusable file is no error; `reason` then gets a line. Errors: NO_MEM. */
int sx_wisdom_read(const char *path, sx_wisdom_file *file, sx_text *reason);

/* Query whether a file has been changed, created or removed since an earlier stat, `was`. If there was no
 * file then, was->st_ino is 0. */
int sx_wisdom_has_changed(const char *path, const struct stat *was);

/* Write a new file beside the old one and rename it to the old one's name. Does nothing, and sets *done to 0,
 * if the old file has changed since it was read. Errors: FILE. */
int sx_wisdom_replace(const char *path, const sx_wisdom_file *file, const sx_text *text, int *done,
                      sx_text *reason);

/* Remove the temporary files that killed writers of this user left beside a file more than an hour ago. No
 * other files are removed. */
void sx_wisdom_sweep(const char *path);

/* ---- lock.c */

/* Lock a file against other writers. Returns a descriptor. Returns -1 if locks do not work here, or if the
 * wait is too long: ten seconds without a change of the file, or 60 seconds in all. */
int sx_wisdom_lock(const char *path);
void sx_wisdom_unlock(int lock);

/* ---- put.c */

/* Merge entries into a file; like sx_wisdom_put, but for several entries. */
int sx_wisdom_merge(const char *path, const sx_wisdom_set *set, sx_text *reason);

#endif
