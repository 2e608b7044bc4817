/* hint.c - reads hints from an MPI_Info or from the environment, one by one or by a table, and prints and
 * exports their values. Also refuses hints that nobody knows, and checks that MPI supports the number of
 * threads of a hint. */
#include "base/base.h"
#include <ctype.h>
#include <errno.h>
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

static const char prefix[] = "subx_", tune[] = "subx_tune";
enum { PREFIX = sizeof prefix - 1 };

/* Query whether a key is a word of subx_tune. */
static int is_tune(const char *key)
{
    return strncmp(key, prefix, PREFIX) != 0;
}

const char *sx_base_hint_get_name(const char *key)
{
    return is_tune(key) ? key : key + PREFIX;
}

/* Get the text of a hint, and where it was found; "" if it was found nowhere. The MPI_Info wins over the
 * environment, because the MPI_Info is for this object alone. `value` has room for SX_HINT_LEN bytes; a
 * longer value is cut, and the error is MPI_ERR_INFO_VALUE. */
static int get_text(MPI_Info info, const char *key, int has_variable, char *value, int *source)
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

/* As get_text, also for words of subx_tune. */
static int find(MPI_Info info, const char *key, int has_variable, char *value, int *source)
{
    char text[SX_HINT_LEN];
    if (!is_tune(key))
        return get_text(info, key, has_variable, value, source);
    int rc = get_text(info, tune, 0, text, source);
    if (rc || sx_base_tune_find(text, key, value))
        return rc;
    rc = get_text(MPI_INFO_NULL, tune, has_variable, text, source);
    if (rc || sx_base_tune_find(text, key, value))
        return rc;
    *value = '\0';
    *source = SX_SAID_NOWHERE;
    return MPI_SUCCESS;
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
    get_variable(is_tune(key) ? tune : key, name);
    sx_base_print(&t, source == SX_SAID_VARIABLE ? "subx: environment variable %s" : "subx: hint %s",
                  source == SX_SAID_VARIABLE ? name
                  : is_tune(key)             ? tune
                                             : key);
    if (is_tune(key))
        sx_base_print(&t, ": %s", key);
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
    return sx_base_hint_refuse(info, is_tune(key) ? tune : key, SUBX_ERR_HINT, why);
}

void sx_base_hint_print_right(const sx_hint *h, sx_text *t)
{
    for (int i = 0; h->words && h->words[i]; i++)
        sx_base_print(t, "%s%s", i == 0 ? "" : h->words[i + 1] ? ", " : " or ", h->words[i]);
    if (h->query)
        sx_base_print_words(h->query, h->list, t);
    else if (h->most >= INT_MAX)
        sx_base_print(t, "a number, at least %td", h->least);
    else if (h->most > 0)
        sx_base_print(t, "a number from %td to %td", h->least, h->most);
    else if (!h->words)
        sx_base_print(t, "%s", h->right ? h->right : "any text");
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
    if (h->words)
        return find_word(h, text) >= 0;
    if (h->query)
        return h->list ? sx_base_is_list(text, h->query) : sx_base_is_word(text, h->query);
    if (h->most > 0)
        return sx_base_is_number(text, h->least, h->most);
    return !h->is_right || h->is_right(text);
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

/* Print what a name that nobody knows may mean: another hint, or a word of subx_tune. */
static void print_nearest(const char *name, int is_variable, sx_text *t)
{
    const char *nearest = sx_base_find_name(name);
    const int is_word = nearest && sx_base_is_tune(nearest);
    char key[NAME] = "", variable[NAME];
    sx_text k = {key, sizeof key, 0};
    sx_base_print(&k, "%s%s", prefix, is_word || !nearest ? "tune" : nearest);
    get_variable(key, variable);
    if (nearest && strcmp(nearest, name) != 0)
        sx_base_print(t, "; did you mean %s%s%s?", is_word ? nearest : "", is_word ? " in " : "",
                      is_variable ? variable : key);
    else if (nearest)
        sx_base_print(t,
                      is_word ? "; it is a word of %s, such as \"%s ..\"" : "; it is a hint of its own, %s",
                      is_variable ? variable : key, nearest);
}

/* Refuse a key that no object of the library knows: probably it is misspelt. */
static int check_names(MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY + 1], why[SX_ERROR_LEN];
    sx_text t = {why, sizeof why, 0};
    int n = 0, rc = info == MPI_INFO_NULL ? MPI_SUCCESS : MPI_Info_get_nkeys(info, &n);
    for (int i = 0; i < n && !rc; i++) {
        rc = MPI_Info_get_nthkey(info, i, key);
        if (rc || is_tune(key) || sx_base_is_name(key + PREFIX))
            continue;
        sx_base_print(&t, "there is no such hint");
        print_nearest(key + PREFIX, 0, &t);
        return sx_base_hint_refuse(info, key, SUBX_ERR_HINT, why);
    }
    return rc;
}

/* Refuse a word of subx_tune that no object of the library knows; of SUBX_TUNE if info is MPI_INFO_NULL. */
static int check_words(MPI_Info info)
{
    char text[SX_HINT_LEN], name[SX_HINT_NAME], value[SX_HINT_LEN], why[SX_ERROR_LEN];
    sx_text t = {why, sizeof why, 0};
    const char *at = text;
    int source, rc = get_text(info, tune, info == MPI_INFO_NULL, text, &source);
    if (rc)
        return rc == MPI_ERR_INFO_VALUE ? refuse_length(info, tune) : rc;
    while (*at) {
        at = sx_base_tune_get_first(at, name, value);
        if (at && sx_base_is_tune(name))
            continue;
        if (!at)
            sx_base_print(&t, "it must be words and their values, such as \"overlap both, slices 8\"");
        else
            sx_base_print(&t, "there is no word %s", name);
        if (at)
            print_nearest(name, info == MPI_INFO_NULL, &t);
        return sx_base_hint_refuse(info, tune, SUBX_ERR_HINT, why);
    }
    return MPI_SUCCESS;
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

/* Query whether a variable has a list of words, and this object reads one word only. */
static int is_in_vain(const sx_hint *h, int source, const char *text)
{
    return source == SX_SAID_VARIABLE && !is_right(h, text) && h->query && sx_base_is_list(text, h->query);
}

int sx_base_hint_get_source(const sx_hint *h, MPI_Info info)
{
    char text[SX_HINT_LEN];
    int source;
    (void)find(info, h->key, !h->is_of_program, text, &source);
    return is_in_vain(h, source, text) ? SX_SAID_IN_VAIN : source;
}

static int check_threads(const sx_hint *h, MPI_Info info, int threads)
{
    int level;
    int rc = MPI_Query_thread(&level);
    if (!rc && threads > 1 && level < MPI_THREAD_FUNNELED)
        rc = sx_base_hint_refuse(info, h->key, SUBX_ERR_UNAVAILABLE,
                                 "several threads need MPI_Init_thread with MPI_THREAD_FUNNELED or more");
    if (!rc && threads > SX_BASE_FEW_THREADS && threads > sx_base_get_free_threads())
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
    if (!rc && info != MPI_INFO_NULL)
        rc = check_words(info);
    if (!rc)
        rc = check_words(MPI_INFO_NULL);
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
        sx_base_print(t, "%s%s %s", comma, sx_base_hint_get_name(table[i].key), text);
        comma = ", ";
    }
}

/* ---- setting */

int sx_base_hint_set(MPI_Info info, const char *key, const char *value)
{
    char old[SX_HINT_LEN], text[MPI_MAX_INFO_VAL];
    sx_text t = {text, sizeof text, 0};
    int source, rc;
    if (!is_tune(key))
        return MPI_Info_set(info, key, value);
    rc = get_text(info, tune, 0, old, &source);
    if (rc)
        return rc == MPI_ERR_INFO_VALUE ? refuse_length(info, tune) : rc;
    sx_base_tune_replace(old, key, value, &t);
    if (t.used >= t.room)
        return sx_base_hint_refuse(info, tune, SUBX_ERR_HINT,
                                   "with the words that the library adds it is too long");
    if (t.used > 0)
        return MPI_Info_set(info, tune, text);
    return source == SX_SAID_INFO ? MPI_Info_delete(info, tune) : MPI_SUCCESS;
}

/* Query whether an object that reads a hint from an MPI_Info without it gets the default. */
static int is_implied(const sx_hint *h, const void *values)
{
    char text[SX_HINT_LEN];
    int source;
    return is_tune(h->key) && sx_base_hint_is_default(h, values) &&
           !find(MPI_INFO_NULL, h->key, 1, text, &source) && source == SX_SAID_NOWHERE;
}

int sx_base_hints_export(const sx_hint table[], int n, const void *values, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < n && !rc; i++) {
        char text[SX_HINT_LEN];
        print_value(&table[i], values, text);
        if (is_implied(&table[i], values))
            rc = sx_base_hint_set(info, table[i].key, "");
        else if (*text && strlen(text) < MPI_MAX_INFO_VAL)
            rc = sx_base_hint_set(info, table[i].key, text);
    }
    return rc;
}
