/* quirk.c - known weaknesses of engines with common MPIs. An engine that moves wrong data is never used. An
 * engine that is slow is tried last, unless the caller names it. */
#include "exch/exch.h"
#include <stdio.h>
#include <string.h>

typedef struct version {
    int major, minor, patch;
} version;

typedef struct quirk {
    const char *engine, *library; /* library: how the version text of the MPI library begins */
    version first, last;
    int most_types; /* the weakness appears only with more datatypes than this */
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

/* Parse the version, which is the first number of a text such as "Open MPI v4.1.4, .." or "MPICH
 * Version:\t4.0.2 ..". */
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

/* The warning is only about engines that are slow with any number of types. So ask for one type, which leaves
 * out the weaknesses that need many types. */
int subx_exch_query_warning(const char *engine, const char **warning)
{
    if (!engine || !warning)
        return subx_error_get_code(SUBX_ERR_ARG);
    (void)sx_exch_quirk_get(engine, NULL, 1, warning);
    return MPI_SUCCESS;
}
