/* words.c - values of hints that are words of a table, such as names of engines, or lists of such words. */
#include "base/base.h"
#include <string.h>

/* Query whether a text of n bytes is "auto" or a word of the table. */
static int is_word(const char *at, size_t n, sx_words query)
{
    const char *word = "auto";
    for (int i = 0; word; i++) {
        if (strlen(word) == n && strncmp(word, at, n) == 0)
            return 1;
        if (query(i, &word))
            return 0;
    }
    return 0;
}

int sx_base_is_word(const char *text, sx_words query)
{
    return is_word(text, strlen(text), query);
}

int sx_base_is_list(const char *text, sx_words query)
{
    for (int i = 0; i < SUBX_NDIMS_MAX; i++, text++) {
        const size_t n = strcspn(text, "/");
        if (!is_word(text, n, query))
            return 0;
        text += n;
        if (!*text)
            return 1;
    }
    return 0;
}

int sx_base_has_word(const char *list, const char *word, const char *ends)
{
    const size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ends[0])) {
        at += *at == ends[0];
        if (strncmp(at, word, length) == 0 && strchr(ends, at[length]))
            return 1;
    }
    return 0;
}

void sx_base_print_words(sx_words query, const char *example, sx_text *t)
{
    const char *word = "auto", *next;
    for (int i = 0; word; i++, word = next) {
        if (query(i, &next))
            next = NULL;
        sx_base_print(t, "%s%s", i == 0 ? "" : next || example ? ", " : " or ", word);
    }
    if (example)
        sx_base_print(t, ", or a list such as %s", example);
}
