/* grammar.c - values of hints that some object understands, and another one of the same key does not. A plan takes lists of
 * engines, of which a pipe takes one, and an exchange has engines that a pipe does not have. Values of all other keys are right for
 * every object that reads them, or for none. */
#include "base/base.h"
#include <string.h>

static const char *const engines[] = {"auto", "shm",        "node",  "alltoallv", "pairwise",
                                      "kway", "persistent", "types", "alltoallw", NULL};
static const char *const carriers[] = {"auto", "alltoallv", "pairwise", "kway", "persistent", NULL};

static int is_word(const char *const words[], const char *at, size_t n)
{
    for (int i = 0; words[i]; i++)
        if (strlen(words[i]) == n && strncmp(words[i], at, n) == 0)
            return 1;
    return 0;
}

/* Query whether a text is a list such as "node/kway". */
static int is_list(const char *const words[], const char *text)
{
    for (;; text++) {
        const size_t n = strcspn(text, "/");
        if (!is_word(words, text, n))
            return 0;
        text += n;
        if (!*text)
            return 1;
    }
}

int sx_base_hint_is_known(const char *key, const char *value)
{
    enum { MOST_SLICES = 1 << 16 };
    if (strcmp(key, "subx_engine") == 0)
        return is_list(engines, value);
    if (strcmp(key, "subx_between") == 0)
        return is_list(carriers, value);
    return strcmp(key, "subx_slices") == 0 && sx_base_is_number(value, 0, MOST_SLICES);
}
