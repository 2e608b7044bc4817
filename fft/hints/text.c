/* text.c - hints as a text such as "grid 2x2, strategy fused, slices 8". Candidates and entries of wisdom are such
 * texts. */
#include "hints/hints.h"
#include <stdio.h>
#include <string.h>

int sx_hints_find(const char *text, const char *name, char value[])
{
    const size_t n = strlen(name);
    int is_found = 0;
    for (const char *at = text; at; at = strchr(at, ',')) {
        at += strspn(at, ", ");
        if (strncmp(at, name, n) == 0 && at[n] == ' ')
            is_found |= sscanf(at + n, " %1023[^,]", value) == 1;
    }
    return is_found;
}

const char *sx_hints_get_first(const char *text, char name[], char value[])
{
    int used = 0;
    if (sscanf(text, " %31[a-z_] %1023[^,]%n", name, value, &used) < 2)
        return NULL;
    return text + used + (text[used] == ',');
}
