/* quirk.c - what is known against engines with MPIs that people have. Where an engine is wrong it is never used; one that is
 * slow serves a caller who names it. */
#include "exch/exch.h"
#include <stdio.h>
#include <string.h>

typedef struct version {
    int major, minor, patch;
} version;

typedef struct quirk {
    const char *engine, *library; /* the library by how its version text begins */
    version first, last;
    int most_types; /* the quirk needs more datatypes than this */
    int avoided;    /* SX_NEVER or SX_RATHER_NOT */
    const char *why;
} quirk;

static const quirk quirks[] = {
    {"alltoallw",
     "MPICH",
     {4, 0, 0},
     {4, 0, 3},
     512,
     SX_NEVER,
     "more than 512 derived types crash or hang MPI_Alltoallw"},
    {"persistent",
     "Open MPI",
     {5, 0, 0},
     {5, 0, 99},
     0,
     SX_RATHER_NOT,
     "persistent collectives of Open MPI 5 are slower than the others"},
};

/* "Open MPI v4.1.4, ..." and "MPICH Version:\t4.0.2\n...": the first number is the version. */
static version parse(const char *library)
{
    version v = {0, 0, 0};
    sscanf(library + strcspn(library, "0123456789"), "%d.%d.%d", &v.major, &v.minor, &v.patch);
    return v;
}

static int compare(version a, version b)
{
    if (a.major != b.major)
        return a.major - b.major;
    return a.minor != b.minor ? a.minor - b.minor : a.patch - b.patch;
}

int sx_exch_quirk_get(const char *engine, const char *library, int ntypes, const char **why)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    if (!library)
        MPI_Get_library_version(text, &length);
    library = library ? library : text;
    version v = parse(library);
    *why = NULL;
    for (size_t i = 0; i < sizeof quirks / sizeof *quirks; i++) {
        const quirk *q = &quirks[i];
        if (strcmp(engine, q->engine) == 0 && strncmp(library, q->library, strlen(q->library)) == 0 &&
            compare(v, q->first) >= 0 && compare(v, q->last) <= 0 && ntypes > q->most_types) {
            *why = q->why;
            return q->avoided;
        }
    }
    return 0;
}

/* What is slow is so with any number of types. */
int subx_exch_query_warning(const char *engine, const char **warning)
{
    if (!engine || !warning)
        return subx_error_get_code(SUBX_ERR_ARG);
    (void)sx_exch_quirk_get(engine, NULL, 1, warning);
    return MPI_SUCCESS;
}
