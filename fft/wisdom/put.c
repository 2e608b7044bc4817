/* put.c - merge entries into a file that other processes change at the same time: lock PATH.lock, read the
 * file, write PATH.tmp.N, call fsync, check that nobody has changed the file since, rename PATH.tmp.N to
 * PATH. Readers need no lock. */
#include "wisdom/inside.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text of the new file */

/* Append the lines of the old file, except for damaged lines, and for entries that `set` replaces or removes.
 * Returns the number of damaged lines. */
static int print_old(const sx_wisdom_file *old, const sx_wisdom_set *set, sx_text *t)
{
    sx_wisdom_line line;
    sx_wisdom_entry e;
    int damaged = 0;
    char *rest = old->body;
    while (sx_wisdom_get_line(&rest, old->end, &line)) {
        int what = sx_wisdom_split(&line, &e);
        if (what == SX_WISDOM_ENTRY && !sx_wisdom_find_entry(set, &e))
            sx_wisdom_join(&e, t);
        if (what == SX_WISDOM_COMMENT) {
            memcpy(t->at + t->used, line.at, line.len);
            t->at[t->used + line.len] = '\n';
            t->used += line.len + 1;
        }
        damaged += what == SX_WISDOM_DAMAGED;
    }
    return damaged;
}

static void print_new(const sx_wisdom_set *set, sx_text *t)
{
    for (ptrdiff_t i = 0; i < set->n; i++)
        if (set->entry[i].value)
            sx_wisdom_join(&set->entry[i], t);
}

/* Compose the text of the new file. Besides the lines, two bytes are needed: an end of line that the last old
 * line may lack, and the terminator of the text. */
static int compose(const sx_wisdom_file *old, const sx_wisdom_set *set, sx_text *t, int *damaged)
{
    sx_text count = {NULL, 0, 0};
    print_new(set, &count);
    *t = (sx_text){.room = sizeof SX_WISDOM_HEADER + (size_t)(old->end - old->body) + count.used + 2};
    t->at = sx_base_alloc((ptrdiff_t)t->room, 1);
    if (!t->at)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    sx_base_print(t, "%s\n", SX_WISDOM_HEADER);
    *damaged = print_old(old, set, t);
    print_new(set, t);
    return MPI_SUCCESS;
}

/* ---- reading, changing, replacing */

static int try_merge(const char *path, const sx_wisdom_set *set, int *done, sx_text *reason)
{
    sx_text text = {NULL, 0, 0};
    sx_wisdom_file old;
    int damaged = 0, rc = sx_wisdom_read(path, &old, reason);
    if (!rc && old.state == SX_WISDOM_UNUSABLE)
        rc = subx_error_get_code(SUBX_ERR_FILE);
    if (!rc)
        rc = compose(&old, set, &text, &damaged);
    if (!rc)
        rc = sx_wisdom_replace(path, &old, &text, done, reason);
    if (!rc && *done && damaged)
        sx_base_print(reason, "%d damaged line%s dropped", damaged, damaged == 1 ? " was" : "s were");
    sx_base_free(text.at);
    sx_base_free(old.text);
    return rc;
}

/* If locks do not work, another writer may have replaced the file since it was read: then begin again. A
 * writer could still replace the file between our last check and our rename, because no system call compares
 * and renames. */
static int merge_locked(const char *path, const sx_wisdom_set *set, sx_text *reason)
{
    int done = 0, rc = MPI_SUCCESS;
    for (int i = 0; i < SX_WISDOM_ATTEMPTS && !done && !rc; i++)
        rc = try_merge(path, set, &done, reason);
    if (rc || done)
        return rc;
    sx_base_print(reason, "others change the file all the time");
    return subx_error_get_code(SUBX_ERR_FILE);
}

/* ---- the file's real name */

/* Create the missing folders of a path. Errors are ignored here: creating the file then fails, too, and gives
 * the reason. */
static void create_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* Resolve symbolic links, because rename would replace the link instead of the file. */
static int resolve(const char *path, char real[], sx_text *reason)
{
    struct stat s;
    if (realpath(path, real))
        return MPI_SUCCESS;
    int error = errno;
    if (error == ENOENT && lstat(path, &s) && strlen(path) < SX_WISDOM_PATH) {
        strcpy(real, path);
        create_folders(real);
        return MPI_SUCCESS;
    }
    sx_base_print(reason, "%s", error == ENOENT ? "it is a symbolic link to nothing" : strerror(error));
    return subx_error_get_code(SUBX_ERR_FILE);
}

int sx_wisdom_merge(const char *path, const sx_wisdom_set *set, sx_text *reason)
{
    char real[SX_WISDOM_NAME];
    if (!*path) {
        sx_base_print(reason, "no file is used");
        return MPI_SUCCESS;
    }
    int rc = resolve(path, real, reason);
    if (rc)
        return rc;
    int lock = sx_wisdom_lock(real);
    rc = merge_locked(real, set, reason);
    if (lock >= 0)
        sx_wisdom_sweep(real);
    sx_wisdom_unlock(lock);
    return rc;
}

/* ---- one entry */

static int is_plain(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            return 0;
    return 1;
}

int sx_wisdom_put(const char *path, const char *kind, const char *key, const char *value, sx_text *reason)
{
    sx_text nobody = {NULL, 0, 0};
    sx_wisdom_entry e = {kind, key, value, 0};
    reason = reason ? reason : &nobody;
    if (!*kind || !*key || !is_plain(kind) || !is_plain(key) || !is_plain(value)) {
        sx_base_print(reason, "a kind or key is empty, or a text has a control character");
        return subx_error_get_code(SUBX_ERR_ARG);
    }
    return sx_wisdom_merge(path, &(sx_wisdom_set){1, &e}, reason);
}
