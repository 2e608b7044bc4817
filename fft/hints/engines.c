/* engines.c - the engines that the hints ask for, one per dimension of the grid: "node/kway". */
#include "hints/hints.h"
#include <string.h>

void sx_hints_get_word(const char *list, int k, char word[])
{
    for (const char *next; k > 0 && (next = strchr(list, '/')); k--)
        list = next + 1;
    const size_t n = strcspn(list, "/");
    memcpy(word, list, n);
    word[n] = 0;
}

static int is_known(const char *name, int (*query)(int i, const char **name))
{
    const char *known = "auto";
    for (int i = 0; known && strcmp(name, known) != 0; i++)
        if (query(i, &known))
            return 0;
    return known != NULL;
}

int sx_hints_is_engine(const char *list, int (*query)(int i, const char **name))
{
    char word[SX_HINT_LEN];
    int n = 1, is_right = 1;
    for (const char *at = list; (at = strchr(at, '/')); at++)
        n++;
    for (int k = 0; k < n && is_right; k++) {
        sx_hints_get_word(list, k, word);
        is_right = is_known(word, query);
    }
    return is_right && n <= SUBX_NDIMS_MAX;
}

int sx_hints_is_direct(const char *list, int k)
{
    char word[SX_HINT_LEN];
    sx_hints_get_word(list, k, word);
    return strcmp(word, "auto") == 0 || strcmp(word, "shm") == 0 || strcmp(word, "node") == 0;
}

const char *sx_hints_get_engine(int (*query)(int i, const char **name), int e)
{
    const char *name;
    for (int i = 0; !query(i, &name) && name; i++)
        if (!sx_hints_is_direct(name, 0) && e-- == 0)
            return name;
    return NULL;
}

int sx_hints_set_engine(const char *engines, const char *between, int k, MPI_Info info)
{
    char word[SX_HINT_LEN];
    sx_hints_get_word(engines, k, word);
    int rc = MPI_Info_set(info, "subx_engine", word);
    sx_hints_get_word(between, k, word);
    return rc || !*word ? rc : MPI_Info_set(info, "subx_between", word);
}
