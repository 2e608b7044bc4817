/* values.c - values of options: counts, sizes, texts, shapes, and lists of them. */
#include "common/perf.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Parse a whole number from 1 to max, without sign and blanks. *end becomes the address of the first
 * character after its digits. Returns 0 if there is no such number. */
static int parse_whole(const char *text, long long max, long long *number, const char **end)
{
    char *stop = NULL;
    errno = 0;
    if (!isdigit((unsigned char)*text))
        return 0;
    *number = strtoll(text, &stop, 10);
    *end = stop;
    return errno == 0 && *number >= 1 && *number <= max;
}

int sx_perf_values_parse_count(const char *text, void *target)
{
    long long number;
    const char *end;
    if (!parse_whole(text, INT_MAX, &number, &end) || *end)
        return sx_perf_options_refuse("not a whole number from 1 to %d", INT_MAX);
    *(int *)target = (int)number;
    return 0;
}

int sx_perf_values_parse_bytes(const char *text, void *target)
{
    static const char units[] = "KMG";
    long long number;
    const char *end, *unit = NULL;
    int ok = parse_whole(text, (long long)1 << 32, &number, &end);
    if (ok && *end)
        unit = strchr(units, *end++);
    if (!ok || *end || (end[-1] && !isdigit((unsigned char)end[-1]) && !unit))
        return sx_perf_options_refuse("not a number of bytes such as 65536, 64K, 16M or 2G");
    *(ptrdiff_t *)target = (ptrdiff_t)number << (unit ? 10 * (unit - units + 1) : 0);
    return 0;
}

int sx_perf_values_parse_text(const char *text, void *target)
{
    if (strlen(text) >= SX_PERF_TEXT_MAX)
        return sx_perf_options_refuse("longer than %d characters", SX_PERF_TEXT_MAX - 1);
    strcpy(target, text);
    return 0;
}

/* Parse lengths joined by x, up to any other character. Returns the address of this character, or NULL if
 * the lengths are wrong. */
static const char *parse_lengths(const char *text, struct sx_perf_shape *shape)
{
    long long number, volume = 1;
    shape->ndims = 0;
    for (;; text++) {
        if (shape->ndims == SUBX_NDIMS_MAX || !parse_whole(text, INT_MAX, &number, &text))
            return NULL;
        if (number > ((long long)1 << 56) / volume)
            return NULL;
        volume *= number;
        shape->n[shape->ndims++] = (ptrdiff_t)number;
        if (*text != 'x')
            return text;
    }
}

int sx_perf_values_parse_shape(const char *text, void *target)
{
    const char *end = parse_lengths(text, target);
    if (!end || *end)
        return sx_perf_options_refuse("not lengths joined by x, such as 256x256x256");
    return 0;
}

static int add_name(struct sx_perf_names *names, const char *text, size_t len)
{
    if (len == 0 || len >= SX_PERF_TEXT_MAX || names->n == SX_PERF_NNAMES)
        return sx_perf_options_refuse("not at most %d names joined by commas", SX_PERF_NNAMES);
    memcpy(names->name[names->n], text, len);
    names->name[names->n++][len] = '\0';
    return 0;
}

int sx_perf_values_parse_names(const char *text, void *target)
{
    struct sx_perf_names *names = target;
    names->n = 0;
    for (;; text++) {
        size_t len = strcspn(text, ",");
        if (add_name(names, text, len))
            return 1;
        text += len;
        if (!*text)
            return 0;
    }
}

void sx_perf_values_print_words(const char *const words[], size_t len, char *text)
{
    size_t used = 0;
    for (int i = 0; words[i] && used < len; i++)
        used += (size_t)snprintf(text + used, len - used, "%s%s", i ? ", " : "", words[i]);
}

int sx_perf_values_parse_word(const char *text, const char *const words[], int *which)
{
    char known[SX_PERF_TEXT_MAX];
    for (int i = 0; words[i]; i++)
        if (strcmp(text, words[i]) == 0) {
            *which = i;
            return 0;
        }
    sx_perf_values_print_words(words, sizeof known, known);
    return sx_perf_options_refuse("%.40s is not among %s", text, known);
}

int sx_perf_values_parse_flags(const char *text, const char *const words[], int flags[])
{
    const int is_all = strcmp(text, "all") == 0;
    struct sx_perf_names names;
    if (!is_all && sx_perf_values_parse_names(text, &names))
        return 1;
    for (int i = 0; words[i]; i++)
        flags[i] = is_all;
    for (int i = 0; !is_all && i < names.n; i++) {
        int which = 0;
        if (sx_perf_values_parse_word(names.name[i], words, &which))
            return 1;
        flags[which] = 1;
    }
    return 0;
}

static int is_engine(const char *text)
{
    const char *name = NULL;
    if (strcmp(text, "auto") == 0)
        return 1;
    for (int i = 0; subx_exch_query_engine(i, &name) == MPI_SUCCESS && name; i++)
        if (strcmp(text, name) == 0)
            return 1;
    return 0;
}

int sx_perf_values_parse_engines(const char *text, void *target)
{
    struct sx_perf_names *names = target;
    const char *name = NULL;
    if (strcmp(text, "all") == 0) {
        names->n = 0;
        for (int i = 0; subx_exch_query_engine(i, &name) == MPI_SUCCESS && name; i++)
            add_name(names, name, strlen(name));
        return 0;
    }
    if (sx_perf_values_parse_names(text, target))
        return 1;
    for (int i = 0; i < names->n; i++)
        if (!is_engine(names->name[i]))
            return sx_perf_options_refuse("there is no engine %.40s", names->name[i]);
    return 0;
}

void sx_perf_values_print_shape(const struct sx_perf_shape *shape, size_t len, char *text)
{
    size_t used = 0;
    for (int a = 0; a < shape->ndims && used < len; a++)
        used += (size_t)snprintf(text + used, len - used, "%s%td", a ? "x" : "", shape->n[a]);
}

ptrdiff_t sx_perf_values_get_volume(const struct sx_perf_shape *shape)
{
    ptrdiff_t volume = 1;
    for (int a = 0; a < shape->ndims; a++)
        volume *= shape->n[a];
    return volume;
}

/* -------------------------------------------------------------------------------- problems */

/* Query whether the text after a comma begins a new problem, which may begin with a number of fields, as
 * in "3*c2c:8x8". Otherwise it is a part of the same problem, as in "order=0,1". */
static int is_problem(const char *text)
{
    const char *rest = text + strspn(text, "0123456789");
    return rest == text || *rest == '*';
}

/* Get the length of the first problem's text in a list. The text ends before a blank, a semicolon, or a
 * comma that is followed by another problem. Commas before a problem's colon separate its kinds. */
static size_t get_problem_length(const char *text)
{
    const size_t end = strcspn(text, " ;");
    size_t len = strcspn(text, ": ;");
    while (len < end && !(text[len] == ',' && is_problem(text + len + 1)))
        len++;
    return len;
}

int sx_perf_values_parse_problems(const char *text, void *target)
{
    struct sx_perf_names *names = target;
    names->n = 0;
    for (;; text++) {
        const size_t len = get_problem_length(text);
        if (add_name(names, text, len))
            return 1;
        text += len;
        if (!*text)
            return 0;
    }
}

/* ---------------------------------------------------------------------------------- orders */

int sx_perf_orders_get(int ndims, int k, int order[])
{
    int count = 1, rest[SUBX_NDIMS_MAX], left = ndims;
    for (int a = 0; a < ndims; a++) {
        count *= a + 1;
        rest[a] = a;
    }
    /* Each digit of k, in the factorial number system, selects one of the remaining axes. */
    for (int i = 0, place = count; i < ndims; i++) {
        place /= left;
        int which = k / place % left;
        order[i] = rest[which];
        left--;
        for (int j = which; j < left; j++)
            rest[j] = rest[j + 1];
    }
    return count;
}

void sx_perf_orders_print(int ndims, const int order[], size_t len, char *text)
{
    size_t used = 0;
    for (int i = 0; i < ndims && used < len; i++)
        used += (size_t)snprintf(text + used, len - used, "%s%d", i ? "-" : "", order[i]);
}

int sx_perf_orders_parse(const char *text, int ndims, int order[])
{
    unsigned seen = 0;
    for (int i = 0; i < ndims; i++) {
        order[i] = text[i] - '0';
        if (order[i] < 0 || order[i] >= ndims || seen >> order[i] & 1)
            return 0;
        seen |= 1U << order[i];
    }
    return ndims;
}
