/* engines.c - read lists of engines such as "node/kway", the values of the hint subx_engine and of the word
 * between. */
#include "hints/hints.h"
#include <string.h>
#include <subx_lowlevel.h>

void sx_hints_get_word(const char *list, int k, char word[])
{
    for (const char *next; k > 0 && (next = strchr(list, '/')); k--)
        list = next + 1;
    const size_t n = strcspn(list, "/");
    memcpy(word, list, n);
    word[n] = 0;
}

/* "auto" has the trait SUBX_ENGINE_LOCAL, because it may choose an engine that reads the memory of local
 * partners. */
int sx_hints_get_traits(const char *list, int k)
{
    char word[SX_HINT_LEN];
    int traits = SUBX_ENGINE_LOCAL;
    sx_hints_get_word(list, k, word);
    if (strcmp(word, "auto") != 0 && subx_exch_query_traits(word, &traits))
        traits = 0;
    return traits;
}

int sx_hints_has_trait(const char *list, int trait)
{
    while (!(sx_hints_get_traits(list, 0) & trait) && (list = strchr(list, '/')))
        list++;
    return list != NULL;
}

const char *sx_hints_get_engine(sx_words query, int e)
{
    const char *name;
    for (int i = 0; !query(i, &name) && name; i++)
        if (!(sx_hints_get_traits(name, 0) & SUBX_ENGINE_LOCAL) && e-- == 0)
            return name;
    return NULL;
}

int sx_hints_set_engine(const char *engines, const char *between, int k, MPI_Info info)
{
    char word[SX_HINT_LEN];
    sx_hints_get_word(engines, k, word);
    int rc = MPI_Info_set(info, "subx_engine", word);
    sx_hints_get_word(between, k, word);
    return rc || !*word ? rc : sx_base_hint_set(info, "between", word);
}

int sx_hints_query_carrier(int i, const char **name)
{
    *name = sx_hints_get_engine(subx_pipe_query_engine, i);
    return MPI_SUCCESS;
}
