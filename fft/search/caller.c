/* caller.c - entries of wisdom that callers make about a plan. */
#include "search/search.h"
#include "wisdom/wisdom.h"
#include <string.h>

/* The library's own entries are not for callers. */
static int is_own(const char *kind)
{
    return strcmp(kind, SX_WISDOM_PLAN) == 0 || strcmp(kind, SX_WISDOM_MACHINE) == 0 ||
           strcmp(kind, SX_WISDOM_FFTW) == 0;
}

/* Get the path of the plan's file, empty if there is none, and the key of the entry: the key of the plan's
 * own entry, followed by `what`. A key that is cut would be the key of several entries. */
static int find_place(subx_fft_plan plan, const char *kind, const char *what, char path[SX_WISDOM_PATH],
                      char key[SX_WISDOM_KEY])
{
    sx_text k = {key, SX_WISDOM_KEY, 0};
    if (!plan || !kind || !what || is_own(kind))
        return subx_error_get_code(SUBX_ERR_ARG);
    sx_search_print_plan_key(&plan->choice, &k);
    sx_base_print(&k, ", %s", what);
    if (k.used >= k.room)
        return subx_error_get_code(SUBX_ERR_ARG);
    return sx_wisdom_get_path(plan->choice.hints.wisdom, path);
}

int subx_fft_plan_get_wisdom(subx_fft_plan plan, const char *kind, const char *what, size_t len, char *value,
                             size_t *needed)
{
    char path[SX_WISDOM_PATH], key[SX_WISDOM_KEY], *found = NULL;
    sx_text t = {value, len, 0};
    if (!value && len > 0)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = find_place(plan, kind, what, path, key);
    if (!rc && *path)
        rc = sx_wisdom_find(path, kind, key, &found, NULL);
    if (rc)
        return rc;
    sx_base_print(&t, "%s", found ? found : "");
    sx_base_free(found);
    if (needed)
        *needed = t.used;
    return MPI_SUCCESS;
}

int subx_fft_plan_set_wisdom(subx_fft_plan plan, const char *kind, const char *what, const char *value)
{
    char path[SX_WISDOM_PATH], key[SX_WISDOM_KEY];
    if (!value)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = find_place(plan, kind, what, path, key);
    return rc ? rc : sx_wisdom_put(path, kind, key, value, NULL);
}
