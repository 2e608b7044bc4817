/* path.c - the path of the file of wisdom. */
#include "wisdom/wisdom.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Query whether an absolute path has a folder. */
static int is_folder(const char *path)
{
    struct stat s;
    return path[0] == '/' && stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* A relative XDG_CACHE_HOME must be ignored (XDG Base Directory Specification). A home folder that does not
 * exist must not be created: accounts of services, for example, have no home folder on purpose. */
static void print_auto(sx_text *t)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        sx_base_print(t, "%s/subarray_x/wisdom", cache);
    else if (home && is_folder(home))
        sx_base_print(t, "%s/.cache/subarray_x/wisdom", home);
}

int sx_wisdom_get_path(const char *hint, char path[SX_WISDOM_PATH])
{
    sx_text t = {path, SX_WISDOM_PATH, 0};
    path[0] = '\0';
    if (strcmp(hint, "auto") == 0)
        print_auto(&t);
    else if (strcmp(hint, "none") != 0)
        sx_base_print(&t, "%s", hint);
    if (t.used < t.room)
        return MPI_SUCCESS;
    path[0] = '\0';
    return subx_error_get_code(SUBX_ERR_HINT);
}
