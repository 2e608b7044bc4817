/* find.c - find an entry without parsing the other lines. */
#include "wisdom/inside.h"
#include <string.h>

/* Create the bytes to search for: the entry's kind and key. Only lines that contain these bytes are checked,
 * because checking the checksums of all lines would take several times as long as reading the file. */
static char *create_needle(const char *kind, const char *key, size_t *len)
{
    char *needle = sx_base_alloc((ptrdiff_t)(strlen(kind) + strlen(key) + 4), 1);
    sx_text t = {needle, strlen(kind) + strlen(key) + 4, 0};
    if (needle)
        sx_base_print(&t, "\t%s\t%s\t", kind, key);
    *len = t.used;
    return needle;
}

/* Split the line in which the needle was found at `at`. If the needle is the kind and the key of the line,
 * the line's checksum precedes it. A newline precedes the checksum, or a NUL if the previous line has been
 * split. Otherwise the needle is part of a value: then the result is SX_WISDOM_COMMENT, and the caller
 * searches on. */
static int split_at(const sx_wisdom_file *file, char *at, sx_wisdom_entry *e)
{
    sx_wisdom_line line;
    char *rest = at - SX_WISDOM_SUM;
    if (at - file->body < SX_WISDOM_SUM || (rest[-1] != '\n' && rest[-1] != '\0'))
        return SX_WISDOM_COMMENT;
    sx_wisdom_get_line(&rest, file->end, &line);
    return sx_wisdom_split(&line, e);
}

/* Get the value from the last undamaged line of the entry. *damaged becomes 1 if a later line of the entry is
 * damaged. */
static const char *search(const sx_wisdom_file *file, const char *needle, size_t len, int *damaged)
{
    const char *value = NULL;
    sx_wisdom_entry e;
    char *at = file->body;
    *damaged = 0;
    while ((at = memmem(at, (size_t)(file->end - at), needle, len))) {
        int what = split_at(file, at, &e);
        if (what == SX_WISDOM_ENTRY)
            value = e.value;
        if (what != SX_WISDOM_COMMENT)
            *damaged = what == SX_WISDOM_DAMAGED;
        at += len - 1;
    }
    return value;
}

static int copy(const char *text, char **copied)
{
    *copied = sx_base_alloc((ptrdiff_t)strlen(text) + 1, 1);
    if (!*copied)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    strcpy(*copied, text);
    return MPI_SUCCESS;
}

static int find(const sx_wisdom_file *file, const char *kind, const char *key, char **value, sx_text *reason)
{
    size_t len;
    int damaged, rc = MPI_SUCCESS;
    char *needle = create_needle(kind, key, &len);
    if (!needle)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    const char *found = search(file, needle, len, &damaged);
    if (damaged)
        sx_base_print(reason, found ? "the last line of this entry is damaged, an earlier one counts"
                                    : "the line of this entry is damaged");
    else if (!found)
        sx_base_print(reason, "the file has no such entry");
    if (found)
        rc = copy(found, value);
    sx_base_free(needle);
    return rc;
}

int sx_wisdom_find(const char *path, const char *kind, const char *key, char **value, sx_text *reason)
{
    sx_text nobody = {NULL, 0, 0};
    sx_wisdom_file file;
    *value = NULL;
    reason = reason ? reason : &nobody;
    if (!*path) {
        sx_base_print(reason, "no file is used");
        return MPI_SUCCESS;
    }
    int rc = sx_wisdom_read(path, &file, reason);
    if (!rc && file.state == SX_WISDOM_ABSENT)
        sx_base_print(reason, SX_WISDOM_NO_FILE);
    if (!rc && file.state == SX_WISDOM_USABLE)
        rc = find(&file, kind, key, value, reason);
    sx_base_free(file.text);
    return rc;
}
