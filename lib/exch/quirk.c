/* quirk.c - what is known to be wrong with MPIs that people have: engines that must not be used there. */
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
    const char *why;
} quirk;

static const quirk quirks[] = {
    {"alltoallw",
     "MPICH",
     {4, 0, 0},
     {4, 0, 3},
     512,
     "more than 512 derived types crash or hang MPI_Alltoallw"},
    {"persistent", "Open MPI", {5, 0, 0}, {5, 0, 99}, 0, "persistent collectives are slower than the others"},
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

const char *sx_exch_quirk_get(const char *engine, const char *library, int ntypes)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    if (!library)
        MPI_Get_library_version(text, &length);
    library = library ? library : text;
    version v = parse(library);
    for (size_t i = 0; i < sizeof quirks / sizeof *quirks; i++) {
        const quirk *q = &quirks[i];
        if (strcmp(engine, q->engine) == 0 && strncmp(library, q->library, strlen(q->library)) == 0 &&
            compare(v, q->first) >= 0 && compare(v, q->last) <= 0 && ntypes > q->most_types)
            return q->why;
    }
    return NULL;
}
