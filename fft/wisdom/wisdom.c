/* wisdom.c - the public handle: the entries of files, in memory. */
#include "wisdom/inside.h"
#include <string.h>

/* The text of a file, which is kept because entries point into it. */
struct text {
    struct text *next;
    char *text;
};

struct subx_fft_wisdom_s {
    sx_wisdom_set set;
    struct text *texts;
    char reasons[4096]; /* a line per file that could not be used completely: why */
    size_t nreasons;    /* bytes */
};

int subx_fft_wisdom_create(subx_fft_wisdom *wisdom)
{
    if (!wisdom)
        return subx_error_get_code(SUBX_ERR_ARG);
    *wisdom = sx_base_alloc(1, sizeof **wisdom);
    return *wisdom ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

int subx_fft_wisdom_free(subx_fft_wisdom *wisdom)
{
    if (!wisdom || !*wisdom)
        return MPI_SUCCESS;
    for (struct text *t = (*wisdom)->texts, *next; t; t = next) {
        next = t->next;
        sx_base_free(t->text);
        sx_base_free(t);
    }
    sx_base_free((*wisdom)->set.entry);
    sx_base_free(*wisdom);
    *wisdom = SUBX_FFT_WISDOM_NULL;
    return MPI_SUCCESS;
}

int subx_fft_wisdom_get_path(const char *hint, size_t len, char *path, size_t *needed)
{
    char whole[SX_WISDOM_PATH];
    sx_text t = {path, len, 0};
    if (!hint || (!path && len > 0))
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = sx_wisdom_get_path(hint, whole);
    sx_base_print(&t, "%s", whole);
    if (needed)
        *needed = t.used;
    return rc;
}

/* Add the line that tells why a file could not be used. A line that does not fit is left out. */
static void add_reason(subx_fft_wisdom w, const char *path, const char *reason)
{
    sx_text t = {w->reasons + w->nreasons, sizeof w->reasons - w->nreasons, 0};
    sx_base_print(&t, "# %s: %s\n", path, reason);
    if (t.used < t.room)
        w->nreasons += t.used;
    else
        w->reasons[w->nreasons] = '\0';
}

/* ---- import */

/* The last line may have no end of line. */
static ptrdiff_t count_lines(const sx_wisdom_file *file)
{
    ptrdiff_t n = 1;
    for (const char *c = file->body; (c = memchr(c, '\n', (size_t)(file->end - c))); c++)
        n++;
    return n;
}

static void split_lines(const sx_wisdom_file *file, sx_wisdom_set *set, int *damaged)
{
    sx_wisdom_line line;
    char *rest = file->body;
    while (sx_wisdom_get_line(&rest, file->end, &line)) {
        sx_wisdom_entry *e = &set->entry[set->n];
        int what = sx_wisdom_split(&line, e);
        *damaged += what == SX_WISDOM_DAMAGED;
        if (what == SX_WISDOM_ENTRY)
            e->order = set->n++;
    }
}

/* Take over the text of a file. Either all its entries are added, or nothing changes. */
static int add_file(subx_fft_wisdom w, sx_wisdom_file *file, int *damaged)
{
    sx_wisdom_set set = {w->set.n, sx_base_alloc(w->set.n + count_lines(file), sizeof *set.entry)};
    struct text *text = sx_base_alloc(1, sizeof *text);
    if (!set.entry || !text) {
        sx_base_free(set.entry);
        sx_base_free(text);
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    if (set.n > 0)
        memcpy(set.entry, w->set.entry, (size_t)set.n * sizeof *set.entry);
    *text = (struct text){w->texts, file->text};
    file->text = NULL;
    split_lines(file, &set, damaged);
    sx_wisdom_sort(&set);
    sx_base_free(w->set.entry);
    w->set = set;
    w->texts = text;
    return MPI_SUCCESS;
}

static int import(subx_fft_wisdom w, const char *path, int *damaged, sx_text *reason)
{
    sx_wisdom_file file;
    int rc = sx_wisdom_read(path, &file, reason);
    if (!rc && file.state == SX_WISDOM_ABSENT)
        sx_base_print(reason, SX_WISDOM_NO_FILE);
    if (!rc && file.state != SX_WISDOM_USABLE)
        rc = subx_error_get_code(SUBX_ERR_FILE);
    if (!rc)
        rc = add_file(w, &file, damaged);
    if (!rc && *damaged)
        sx_base_print(reason, "%d damaged line%s ignored", *damaged, *damaged == 1 ? " is" : "s are");
    sx_base_free(file.text);
    return rc;
}

int subx_fft_wisdom_import(subx_fft_wisdom wisdom, const char *hint, int *ignored)
{
    char path[SX_WISDOM_PATH], why[256] = "";
    sx_text reason = {why, sizeof why, 0};
    int damaged = 0;
    if (!wisdom || !hint)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = sx_wisdom_get_path(hint, path);
    if (!rc && *path)
        rc = import(wisdom, path, &damaged, &reason);
    if (*why)
        add_reason(wisdom, path, why);
    if (ignored)
        *ignored = damaged;
    return rc;
}

/* ---- export, forget, print */

int subx_fft_wisdom_export(subx_fft_wisdom wisdom, const char *hint)
{
    char path[SX_WISDOM_PATH], why[256] = "";
    sx_text reason = {why, sizeof why, 0};
    if (!wisdom || !hint)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = sx_wisdom_get_path(hint, path);
    if (!rc && *path)
        rc = sx_wisdom_merge(path, &wisdom->set, &reason);
    if (*why)
        add_reason(wisdom, path, why);
    return rc;
}

/* Forgotten entries stay in the list, with value NULL, so that an export removes them from the file. */
int subx_fft_wisdom_forget(subx_fft_wisdom wisdom, const char *text, int *count)
{
    int n = 0;
    if (!wisdom || !text)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (ptrdiff_t i = 0; i < wisdom->set.n; i++) {
        sx_wisdom_entry *e = &wisdom->set.entry[i];
        if (e->value && (strstr(e->kind, text) || strstr(e->key, text))) {
            e->value = NULL;
            n++;
        }
    }
    if (count)
        *count = n;
    return MPI_SUCCESS;
}

int subx_fft_wisdom_print(subx_fft_wisdom wisdom, size_t len, char *text, size_t *needed)
{
    sx_text t = {text, len, 0};
    if (!wisdom || (!text && len > 0))
        return subx_error_get_code(SUBX_ERR_ARG);
    for (ptrdiff_t i = 0; i < wisdom->set.n; i++) {
        const sx_wisdom_entry *e = &wisdom->set.entry[i];
        if (e->value)
            sx_base_print(&t, "%s\t%s\t%s\n", e->kind, e->key, e->value);
    }
    sx_base_print(&t, "%s", wisdom->reasons);
    if (needed)
        *needed = t.used;
    return MPI_SUCCESS;
}
