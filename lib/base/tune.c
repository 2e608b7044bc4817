/* tune.c - texts of hints, such as "strategy fused, slices 8": the value of the hint subx_tune, candidates of
 * a search, and entries of wisdom. */
#include "base/base.h"
#include <stdio.h>
#include <string.h>

/* Read the value at the beginning of a text: all up to a comma, without blanks around it. Returns its length
 * with these blanks; 0 if there is no value. */
static size_t read_value(const char *at, char value[])
{
    const size_t blanks = strspn(at, " "), all = strcspn(at, ",");
    size_t n = all > blanks ? all - blanks : 0;
    while (n > 0 && at[blanks + n - 1] == ' ')
        n--;
    if (n >= SX_HINT_LEN)
        n = 0;
    memcpy(value, at + blanks, n);
    value[n] = '\0';
    return n ? all : 0;
}

const char *sx_base_tune_get_first(const char *text, char name[], char value[])
{
    int used = 0;
    size_t n = 0;
    if (sscanf(text, " %31[a-z0-9_]%n", name, &used) == 1 && text[used] == ' ')
        n = read_value(text + used, value);
    text += (size_t)used + n;
    return n == 0 ? NULL : text + (*text == ',');
}

int sx_base_tune_find(const char *text, const char *name, char value[])
{
    const size_t n = strlen(name);
    int is_found = 0;
    char last[SX_HINT_LEN];
    for (const char *at = text; at; at = strchr(at, ',')) {
        at += strspn(at, ", ");
        if (strncmp(at, name, n) != 0 || at[n] != ' ' || read_value(at + n, last) == 0)
            continue;
        strcpy(value, last);
        is_found = 1;
    }
    return is_found;
}

void sx_base_tune_replace(const char *text, const char *name, const char *value, sx_text *t)
{
    char other[SX_HINT_NAME], theirs[SX_HINT_LEN];
    const char *comma = "";
    while (text && *text) {
        text = sx_base_tune_get_first(text, other, theirs);
        if (!text || strcmp(other, name) == 0)
            continue;
        sx_base_print(t, "%s%s %s", comma, other, theirs);
        comma = ", ";
    }
    if (*value)
        sx_base_print(t, "%s%s %s", comma, name, value);
}
