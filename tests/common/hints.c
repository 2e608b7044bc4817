/* hints.c - create hints from a line of text; set and get hints, and words of the hint subx_tune. */
#include "common/hints.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const test_hint_words[] = {"strategy", "overlap",        "slices",        "window", "radix",
                                       "between",  "node_ranks",     "reorder",       "width",  "pencils",
                                       "cache",    "progress",       "serial",        "rigor",  "permute",
                                       "check",    "device_carrier", "device_reader", NULL};

static int is_word(const char *name)
{
    int i = 0;
    while (test_hint_words[i] && strcmp(test_hint_words[i], name) != 0)
        i++;
    return test_hint_words[i] != NULL;
}

/* Calls PMPI functions, because some tests make MPI functions fail. */
void test_hint_set(MPI_Info hints, const char *key, const char *value)
{
    char text[2 * MPI_MAX_INFO_VAL] = "";
    int found = 0;
    if (strncmp(key, "subx_", 5) == 0) {
        PMPI_Info_set(hints, key, value);
        return;
    }
    PMPI_Info_get(hints, "subx_tune", MPI_MAX_INFO_VAL, text, &found);
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s %s", found ? ", " : "", key, value);
    PMPI_Info_set(hints, "subx_tune", text);
}

void test_hint_get(MPI_Info hints, const char *key, char value[], int *found)
{
    char text[MPI_MAX_INFO_VAL + 1] = "";
    const size_t len = strlen(key);
    *found = 0;
    if (strncmp(key, "subx_", 5) == 0) {
        PMPI_Info_get(hints, key, MPI_MAX_INFO_VAL, value, found);
        return;
    }
    PMPI_Info_get(hints, "subx_tune", MPI_MAX_INFO_VAL, text, found);
    for (char *word = strtok(text, ","); word && *found; word = strtok(NULL, ",")) {
        word += strspn(word, " ");
        if (strncmp(word, key, len) == 0 && word[len] == ' ') {
            strcpy(value, word + len + 1);
            return;
        }
    }
    *found = 0;
}

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
        char *equals = strchr(word, '='), *value = equals + 1;
        *equals = '\0';
        end = value + strcspn(value, " ");
        if (*end)
            *end++ = '\0';
        snprintf(key, sizeof key, "%s%s", is_word(word) ? "" : "subx_", word);
        test_hint_set(hints, key, value);
    }
    return hints;
}
