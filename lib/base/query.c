/* query.c - public functions that tell about the library: its version, and the hints that it does not
 * know. */
#include "base/base.h"

int subx_hint_query_unknown(int i, size_t len, char *text, size_t *needed)
{
    sx_text t = {text, len, 0};
    if (i < 0 || (!text && len > 0))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (len > 0)
        *text = '\0';
    (void)sx_base_print_unknown_variable(i, &t);
    if (needed)
        *needed = t.used;
    return MPI_SUCCESS;
}

int subx_version_get(int *major, int *minor, int *patch)
{
    if (!major || !minor || !patch)
        return subx_error_get_code(SUBX_ERR_ARG);
    *major = SUBX_VERSION_MAJOR;
    *minor = SUBX_VERSION_MINOR;
    *patch = SUBX_VERSION_PATCH;
    return MPI_SUCCESS;
}
