/* hints.c - create hints from a line of text. */
#include "common/hints.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Calls PMPI functions, because some tests make MPI functions fail. */
MPI_Info test_hints(const char *format, ...)
{
    char text[4096], key[MPI_MAX_INFO_KEY];
    MPI_Info hints;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    PMPI_Info_create(&hints);
    for (char *word = text, *end; *(word += strspn(word, " ")); word = end) {
        const size_t len = strcspn(word, "=");
        char *value = word + len + 1;
        end = value + strcspn(value, " ");
        if (*end)
            *end++ = '\0';
        snprintf(key, sizeof key, "subx_%.*s", (int)len, word);
        PMPI_Info_set(hints, key, value);
    }
    return hints;
}
