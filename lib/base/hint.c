/* hint.c - hints from an MPI_Info or else from the environment, one by one or by a table. */
#include "base/base.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *get_environment(const char *key)
{
    char name[64];
    size_t n = strlen(key);
    if (n >= sizeof name)
        return NULL;
    /* Not toupper, which in some locales knows other capitals. */
    for (size_t i = 0; i <= n; i++)
        name[i] = key[i] >= 'a' && key[i] <= 'z' ? (char)(key[i] - 'a' + 'A') : key[i];
    return getenv(name);
}

/* A hint that is given wins over the environment, since it is closer to the code that needs it. */
int sx_base_hint(MPI_Info info, const char *key, const char *otherwise, char *value)
{
    int length = 0, found = 0;
    if (info != MPI_INFO_NULL) {
        int rc = MPI_Info_get_valuelen(info, key, &length, &found);
        if (rc)
            return rc;
    }
    if (found) {
        if (length >= SX_HINT_LEN)
            return subx_error_get(SUBX_ERR_HINT);
        return MPI_Info_get(info, key, SX_HINT_LEN - 1, value, &found);
    }
    const char *text = get_environment(key);
    if (!text || !*text)
        text = otherwise;
    if (strlen(text) >= SX_HINT_LEN)
        return subx_error_get(SUBX_ERR_HINT);
    strcpy(value, text);
    return MPI_SUCCESS;
}

int sx_base_hint_word(MPI_Info info, const char *key, const char *const words[], int *which)
{
    char value[SX_HINT_LEN];
    int rc = sx_base_hint(info, key, words[0], value);
    if (rc)
        return rc;
    for (int i = 0; words[i]; i++) {
        if (strcmp(value, words[i]) == 0) {
            *which = i;
            return MPI_SUCCESS;
        }
    }
    return subx_error_get(SUBX_ERR_HINT);
}

int sx_base_hint_number(MPI_Info info, const char *key, ptrdiff_t otherwise, ptrdiff_t least, ptrdiff_t most,
                        ptrdiff_t *value)
{
    char text[SX_HINT_LEN], *end = text;
    int rc = sx_base_hint(info, key, "", text);
    if (rc)
        return rc;
    *value = otherwise;
    if (!*text)
        return MPI_SUCCESS;
    errno = 0;
    long long a = strtoll(text, &end, 10);
    if (errno || *end || a < least || a > most)
        return subx_error_get(SUBX_ERR_HINT);
    *value = (ptrdiff_t)a;
    return MPI_SUCCESS;
}

int sx_base_hint_int(MPI_Info info, const char *key, int otherwise, int least, int most, int *value)
{
    ptrdiff_t a = 0;
    int rc = sx_base_hint_number(info, key, otherwise, least, most, &a);
    return rc ? rc : sx_base_int(a, value);
}

/* No system has room for fewer threads. */
enum { FEW_THREADS = 16 };

int sx_base_hint_threads(MPI_Info info, int *threads)
{
    int level;
    int rc = sx_base_hint_int(info, "subx_threads", 1, 1, INT_MAX, threads);
    if (!rc)
        rc = MPI_Query_thread(&level);
    if (!rc && *threads > 1 && level < MPI_THREAD_FUNNELED)
        rc = subx_error_get(SUBX_ERR_UNAVAILABLE);
    if (!rc && *threads > FEW_THREADS && *threads > sx_base_get_free_threads())
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    return rc;
}

/* ---- tables of hints */

static int parse(const sx_hint *h, MPI_Info info, void *value)
{
    switch (h->type) {
    case SX_HINT_WORD:
        return sx_base_hint_word(info, h->key, h->words, value);
    case SX_HINT_INT:
        return sx_base_hint_int(info, h->key, (int)h->otherwise, (int)h->least, (int)h->most, value);
    case SX_HINT_LENGTH:
        return sx_base_hint_number(info, h->key, h->otherwise, h->least, h->most, value);
    case SX_HINT_THREADS:
        return sx_base_hint_threads(info, value);
    default:
        return sx_base_hint(info, h->key, h->text, value);
    }
}

int sx_base_hints_parse(const sx_hint table[], int n, MPI_Info info, void *values)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < n && !rc; i++)
        rc = parse(&table[i], info, (char *)values + table[i].offset);
    return rc;
}

/* The text of a value, in room for SX_HINT_LEN bytes. */
static void print_value(const sx_hint *h, const void *values, char *text)
{
    const void *value = (const char *)values + h->offset;
    sx_text t = {text, SX_HINT_LEN, 0};
    if (h->type == SX_HINT_TEXT)
        sx_base_print(&t, "%s", (const char *)value);
    else if (h->type == SX_HINT_WORD)
        sx_base_print(&t, "%s", h->words[*(const int *)value]);
    else if (h->type == SX_HINT_LENGTH)
        sx_base_print(&t, "%td", *(const ptrdiff_t *)value);
    else
        sx_base_print(&t, "%d", *(const int *)value);
}

int sx_base_hint_is_default(const sx_hint *h, const void *values)
{
    const void *value = (const char *)values + h->offset;
    switch (h->type) {
    case SX_HINT_TEXT:
        return strcmp(value, h->text) == 0;
    case SX_HINT_WORD:
        return *(const int *)value == 0;
    case SX_HINT_LENGTH:
        return *(const ptrdiff_t *)value == h->otherwise;
    default:
        return *(const int *)value == (int)h->otherwise;
    }
}

void sx_base_hints_print(const sx_hint table[], int n, const void *values, sx_text *t)
{
    const char *comma = "";
    for (int i = 0; i < n; i++) {
        char text[SX_HINT_LEN];
        print_value(&table[i], values, text);
        if (!*text)
            continue;
        sx_base_print(t, "%s%s %s", comma, table[i].key + strlen("subx_"), text);
        comma = ", ";
    }
}

int sx_base_hints_export(const sx_hint table[], int n, const void *values, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < n && !rc; i++) {
        char text[SX_HINT_LEN];
        print_value(&table[i], values, text);
        if (*text)
            rc = MPI_Info_set(info, table[i].key, text);
    }
    return rc;
}
