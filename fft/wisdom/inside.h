/* inside.h - what the files of the room share: entries, lines, whole files; for the files of this folder, and for its tests. */
#ifndef SX_WISDOM_INSIDE_H
#define SX_WISDOM_INSIDE_H

#include "wisdom/wisdom.h"
#include <limits.h>
#include <stdint.h>
#include <sys/stat.h>

#define SX_WISDOM_HEADER "subarray_x wisdom 1"
#define SX_WISDOM_NO_FILE "there is no such file, or it is empty"
enum {
    SX_WISDOM_SUM = 16,             /* hexadecimal digits of a checksum */
    SX_WISDOM_NAME = PATH_MAX + 64, /* room for the real path of a file and of those beside it, bytes */
    SX_WISDOM_NTEMPORARY = 1000     /* three digits: files that killed writers may leave within an hour */
};

/* Texts belong to somebody else. */
typedef struct sx_wisdom_entry {
    const char *kind, *key,
        *value;      /* the value is NULL if the entry was forgotten: it is then removed from files */
    ptrdiff_t order; /* of two entries with the same kind and key, the one with the higher order counts */
} sx_wisdom_entry;

/* Entries in ascending order of kinds and keys, no two with the same kind and key. */
typedef struct sx_wisdom_set {
    ptrdiff_t n;
    sx_wisdom_entry *entry;
} sx_wisdom_set;

/* ---- set.c */

/* Sort entries, and of those with the same kind and key keep the one that counts. */
void sx_wisdom_sort(sx_wisdom_set *set);

/* Find the entry with the kind and the key of another one; NULL if there is none. */
sx_wisdom_entry *sx_wisdom_find_entry(const sx_wisdom_set *set, const sx_wisdom_entry *like);

/* ---- line.c */

/* The sorts of lines. A blank line is a comment. */
enum { SX_WISDOM_COMMENT, SX_WISDOM_ENTRY, SX_WISDOM_DAMAGED };

typedef struct sx_wisdom_line {
    char *at;
    size_t len; /* without its end */
} sx_wisdom_line;

/* Get the line at *rest and move *rest behind it. Returns 0 if *rest is `end`. */
int sx_wisdom_get_line(char **rest, char *end, sx_wisdom_line *line);

/* Split a line. Returns its sort. An entry's texts are terminated in place, so that the line can be split only once; the
 * byte behind the line must be writable. Other lines are left alone. */
int sx_wisdom_split(const sx_wisdom_line *line, sx_wisdom_entry *e);

/* Append an entry as a line with its end; a text of room 0 counts. */
void sx_wisdom_join(const sx_wisdom_entry *e, sx_text *t);

/* ---- file.c */

enum { SX_WISDOM_ABSENT, SX_WISDOM_USABLE, SX_WISDOM_UNUSABLE };

typedef struct sx_wisdom_file {
    int state;        /* absent: none, or empty; unusable: of another version, foreign, or not readable */
    struct stat stat; /* of the file that was read; st_ino is 0 if there is none */
    char *text;       /* freed by the caller with sx_base_free; has one more writable byte behind its end */
    char *body, *end; /* the lines behind the first one; equal unless the file is usable */
} sx_wisdom_file;

/* Read a whole file. If it is unusable, that is no error, and `reason` gets a line. Errors: NO_MEM. */
int sx_wisdom_read(const char *path, sx_wisdom_file *file, sx_text *reason);

/* Query whether a file is no longer the one whose stat it had, or is there although it was not (st_ino is 0), or vice versa. */
int sx_wisdom_has_changed(const char *path, const struct stat *was);

/* Replace a file at once, by a new one that is written beside it. Does nothing, and sets *done to 0, if the file has changed
 * since it was read. Errors: FILE. */
int sx_wisdom_replace(const char *path, const sx_wisdom_file *file, const sx_text *text, int *done,
                      sx_text *reason);

/* Remove the temporary files that killed writers of this user left beside a file more than an hour ago, and no others. */
void sx_wisdom_sweep(const char *path);

/* ---- lock.c */

/* Lock a file against other writers. Returns a descriptor, or -1 if locks do not work here, or if somebody holds the lock and
 * does nothing: wisdom is not worth more than seconds of waiting. */
int sx_wisdom_lock(const char *path);
void sx_wisdom_unlock(int lock);

/* ---- put.c */

/* Merge entries into a file, as sx_wisdom_put does for one. */
int sx_wisdom_merge(const char *path, const sx_wisdom_set *set, sx_text *reason);

#endif
