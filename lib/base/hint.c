/* hint.c - reads hints from an MPI_Info or from the environment, one by one or by a table, and prints and exports their
 * values. Also refuses hints that nobody knows, and checks that MPI supports the number of threads of a hint. */
#include "base/base.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- where a value is found */

enum { NAME = 64 };

/* Get the name of a key's environment variable: the key in capitals. toupper is not used, because its result
 * depends on the locale. */
static void get_variable(const char *key, char name[NAME])
{
    size_t i = 0;
    for (; key[i] && i + 1 < NAME; i++)
        name[i] = key[i] >= 'a' && key[i] <= 'z' ? (char)(key[i] - 'a' + 'A') : key[i];
    name[i] = '\0';
}

/* Get a value, and where it was found; "" if it was found nowhere. The MPI_Info wins over the environment, because the
 * MPI_Info is for this object alone. `value` has room for SX_HINT_LEN bytes; a longer value is cut, and the error is
 * MPI_ERR_INFO_VALUE. */
static int find(MPI_Info info, const char *key, int has_variable, char *value, int *source)
{
    char name[NAME];
    int length = 0, found = 0;
    sx_text t = {value, SX_HINT_LEN, 0};
    *value = '\0';
    *source = SX_SAID_NOWHERE;
    int rc = info == MPI_INFO_NULL ? MPI_SUCCESS : MPI_Info_get_valuelen(info, key, &length, &found);
    if (rc)
        return rc;
    if (found) {
        *source = SX_SAID_INFO;
        rc = MPI_Info_get(info, key, SX_HINT_LEN - 1, value, &found);
        return rc || length < SX_HINT_LEN ? rc : MPI_ERR_INFO_VALUE;
    }
    get_variable(key, name);
    const char *text = has_variable ? getenv(name) : NULL;
    if (!text || !*text)
        return MPI_SUCCESS;
    *source = SX_SAID_VARIABLE;
    sx_base_print(&t, "%s", text);
    return t.used < t.room ? MPI_SUCCESS : MPI_ERR_INFO_VALUE;
}

/* ---- texts of errors */

/* Quote a value on one line; a long value is cut. */
static void print_quoted(const char *value, sx_text *t)
{
    enum { SHOWN = 60 };
    char shown[SHOWN + 1] = "";
    for (int i = 0; i < SHOWN && value[i]; i++)
        shown[i] = iscntrl((unsigned char)value[i]) ? '?' : value[i];
    sx_base_print(t, "\"%s%s\"", shown, strlen(value) > SHOWN ? ".." : "");
}

int sx_base_hint_refuse(MPI_Info info, const char *key, int kind, const char *why)
{
    char value[SX_HINT_LEN], name[NAME], text[SX_ERROR_LEN];
    sx_text t = {text, sizeof text, 0};
    int source;
    (void)find(info, key, 1, value, &source);
    get_variable(key, name);
    sx_base_print(&t, source == SX_SAID_VARIABLE ? "subx: environment variable %s" : "subx: hint %s",
                  source == SX_SAID_VARIABLE ? name : key);
    if (source != SX_SAID_NOWHERE) {
        sx_base_print(&t, " is ");
        print_quoted(value, &t);
    }
    sx_base_print(&t, source == SX_SAID_NOWHERE ? ": %s" : "; %s", why);
    return sx_base_set_error_text(kind, text);
}

static int refuse_length(MPI_Info info, const char *key)
{
    char why[64];
    sx_text t = {why, sizeof why, 0};
    sx_base_print(&t, "it must have at most %d bytes", SX_HINT_LEN - 1);
    return sx_base_hint_refuse(info, key, SUBX_ERR_HINT, why);
}

void sx_base_hint_print_right(const sx_hint *h, sx_text *t)
{
    for (int i = 0; h->type == SX_HINT_WORD && h->words[i]; i++)
        sx_base_print(t, "%s%s", i == 0 ? "" : h->words[i + 1] ? ", " : " or ", h->words[i]);
    if (h->query)
        sx_base_print_words(h->query, h->list, t);
    else if (h->type == SX_HINT_TEXT)
        sx_base_print(t, "%s", h->right ? h->right : "any text");
    else if (h->type != SX_HINT_WORD && h->most >= INT_MAX)
        sx_base_print(t, "a number, at least %td", h->least);
    else if (h->type != SX_HINT_WORD)
        sx_base_print(t, "a number from %td to %td", h->least, h->most);
}

void sx_base_hint_print_default(const sx_hint *h, sx_text *t)
{
    if (h->type == SX_HINT_TEXT || h->type == SX_HINT_WORD)
        sx_base_print(t, "%s", h->type == SX_HINT_TEXT ? h->text : h->words[0]);
    else
        sx_base_print(t, "%td", h->otherwise);
}

static int refuse(const sx_hint *h, MPI_Info info)
{
    char why[SX_ERROR_LEN];
    sx_text t = {why, sizeof why, 0};
    sx_base_print(&t, "it must be ");
    sx_base_hint_print_right(h, &t);
    return sx_base_hint_refuse(info, h->key, SUBX_ERR_HINT, why);
}

/* ---- texts and values */

static int parse_number(const char *text, ptrdiff_t least, ptrdiff_t most, ptrdiff_t *value)
{
    char *end;
    errno = 0;
    const long long a = strtoll(text, &end, 10);
    if (end == text || errno || *end || a < least || a > most)
        return 0;
    *value = (ptrdiff_t)a;
    return 1;
}

int sx_base_is_number(const char *text, ptrdiff_t least, ptrdiff_t most)
{
    ptrdiff_t value;
    return parse_number(text, least, most, &value);
}

/* Get the index of a word; -1 if it is not in the list. */
static int find_word(const sx_hint *h, const char *text)
{
    for (int i = 0; h->words[i]; i++)
        if (strcmp(text, h->words[i]) == 0)
            return i;
    return -1;
}

static int is_right(const sx_hint *h, const char *text)
{
    if (h->type == SX_HINT_WORD)
        return find_word(h, text) >= 0;
    if (h->query)
        return h->list ? sx_base_is_list(text, h->query) : sx_base_is_word(text, h->query);
    if (h->type == SX_HINT_TEXT)
        return !h->is_right || h->is_right(text);
    return sx_base_is_number(text, h->least, h->most);
}

static void set(const sx_hint *h, const char *text, void *value)
{
    ptrdiff_t number = 0;
    if (h->type == SX_HINT_TEXT)
        strcpy(value, text);
    else if (h->type == SX_HINT_WORD)
        *(int *)value = find_word(h, text);
    else if (parse_number(text, h->least, h->most, &number) && h->type == SX_HINT_LENGTH)
        *(ptrdiff_t *)value = number;
    else
        *(int *)value = sx_base_fit(number);
}

void sx_base_hint_set_default(const sx_hint *h, void *values)
{
    void *value = (char *)values + h->offset;
    if (h->type == SX_HINT_TEXT)
        strcpy(value, h->text);
    else if (h->type == SX_HINT_WORD)
        *(int *)value = 0;
    else if (h->type == SX_HINT_LENGTH)
        *(ptrdiff_t *)value = h->otherwise;
    else
        *(int *)value = sx_base_fit(h->otherwise);
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
        return *(const int *)value == h->otherwise;
    }
}

/* ---- names */

static const char prefix[] = "subx_";
enum { PREFIX = sizeof prefix - 1 };

static void print_nearest(const char *name, int is_variable, sx_text *t)
{
    const char *nearest = sx_base_find_name(name);
    char key[NAME] = "", variable[NAME];
    sx_text k = {key, sizeof key, 0};
    sx_base_print(&k, "%s%s", prefix, nearest ? nearest : "");
    get_variable(key, variable);
    if (nearest)
        sx_base_print(t, "; did you mean %s?", is_variable ? variable : key);
}

/* Refuse a key that no object of the library knows: probably it is misspelt. */
static int check_names(MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY + 1], why[SX_ERROR_LEN];
    sx_text t = {why, sizeof why, 0};
    int n = 0, rc = info == MPI_INFO_NULL ? MPI_SUCCESS : MPI_Info_get_nkeys(info, &n);
    for (int i = 0; i < n && !rc; i++) {
        rc = MPI_Info_get_nthkey(info, i, key);
        if (rc || strncmp(key, prefix, PREFIX) != 0 || sx_base_is_name(key + PREFIX))
            continue;
        sx_base_print(&t, "there is no such hint");
        print_nearest(key + PREFIX, 0, &t);
        return sx_base_hint_refuse(info, key, SUBX_ERR_HINT, why);
    }
    return rc;
}

/* Get the name of the hint whose variable this is ("SUBX_GRID=2x2"); 0 if the variable is none of ours. */
static int get_name(const char *variable, char name[NAME])
{
    size_t i = 0;
    if (strncmp(variable, "SUBX_", PREFIX) != 0)
        return 0;
    for (const char *at = variable + PREFIX; *at && *at != '=' && i + 1 < NAME; at++)
        name[i++] = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    name[i] = '\0';
    return 1;
}

extern char **environ;

int sx_base_print_unknown_variable(int i, sx_text *t)
{
    char name[NAME];
    for (char **variable = environ; variable && *variable; variable++) {
        if (!get_name(*variable, name) || sx_base_is_name(name) || i-- > 0)
            continue;
        sx_base_print(t, "environment variable %.*s: nothing reads it",
                      sx_base_fit((ptrdiff_t)strcspn(*variable, "=")), *variable);
        print_nearest(name, 1, t);
        return 1;
    }
    return 0;
}

/* ---- reading */

/* Query whether another kind of object accepts a value that this kind refuses. */
static int is_known(const sx_hint *h, const char *text)
{
    if (h->known)
        return sx_base_is_list(text, h->known);
    return h->most_known > 0 && sx_base_is_number(text, h->least, h->most_known);
}

static int is_in_vain(const sx_hint *h, int source, const char *text)
{
    return source == SX_SAID_VARIABLE && !is_right(h, text) && is_known(h, text);
}

int sx_base_hint_get_source(const sx_hint *h, MPI_Info info)
{
    char text[SX_HINT_LEN];
    int source;
    (void)find(info, h->key, !h->is_of_program, text, &source);
    return is_in_vain(h, source, text) ? SX_SAID_IN_VAIN : source;
}

/* Every system allows so many threads. Only larger numbers are compared with the limits of the system. */
enum { FEW_THREADS = 16 };

static int check_threads(const sx_hint *h, MPI_Info info, int threads)
{
    int level;
    int rc = MPI_Query_thread(&level);
    if (!rc && threads > 1 && level < MPI_THREAD_FUNNELED)
        rc = sx_base_hint_refuse(info, h->key, SUBX_ERR_UNAVAILABLE,
                                 "several threads need MPI_Init_thread with MPI_THREAD_FUNNELED or more");
    if (!rc && threads > FEW_THREADS && threads > sx_base_get_free_threads())
        rc = sx_base_hint_refuse(info, h->key, SUBX_ERR_NO_MEM, "the system cannot start so many");
    return rc;
}

static int parse(const sx_hint *h, MPI_Info info, void *values)
{
    char text[SX_HINT_LEN];
    int source, *threads = (void *)((char *)values + h->offset);
    int rc = find(info, h->key, !h->is_of_program, text, &source);
    if (rc)
        return rc == MPI_ERR_INFO_VALUE ? refuse_length(info, h->key) : rc;
    if (source == SX_SAID_NOWHERE || is_in_vain(h, source, text))
        sx_base_hint_set_default(h, values);
    else if (is_right(h, text))
        set(h, text, (char *)values + h->offset);
    else
        return refuse(h, info);
    return h->type == SX_HINT_THREADS ? check_threads(h, info, *threads) : MPI_SUCCESS;
}

int sx_base_hints_parse(const sx_hint table[], int n, MPI_Info info, void *values)
{
    int rc = check_names(info);
    for (int i = 0; i < n && !rc; i++)
        rc = parse(&table[i], info, values);
    return rc;
}

int sx_base_hint(MPI_Info info, const char *key, const char *otherwise, char *value)
{
    const sx_hint h = {.key = key, .type = SX_HINT_TEXT, .text = otherwise};
    return parse(&h, info, value);
}

int sx_base_hint_word(MPI_Info info, const char *key, const char *const words[], int *which)
{
    const sx_hint h = {.key = key, .type = SX_HINT_WORD, .words = words};
    return parse(&h, info, which);
}

int sx_base_hint_int(MPI_Info info, const char *key, int otherwise, int least, int most, int *value)
{
    const sx_hint h = {.key = key, .type = SX_HINT_INT, .otherwise = otherwise, .least = least, .most = most};
    return parse(&h, info, value);
}

/* ---- printing */

/* Get the text of a value. `text` has room for SX_HINT_LEN bytes. */
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
        if (*text && strlen(text) < MPI_MAX_INFO_VAL)
            rc = MPI_Info_set(info, table[i].key, text);
    }
    return rc;
}
