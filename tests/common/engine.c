/* engine.c - list the engines to be tested, and create random hints for them. */
#include "common/engine.h"
#include "common/hints.h"
#include <stdio.h>
#include <string.h>
#include <subx_lowlevel.h>

int test_engine_count(void)
{
    const char *name;
    int n = 0;
    while (subx_exch_query_engine(n, &name) == MPI_SUCCESS && name)
        n++;
    return n + 1;
}

const char *test_engine_get(int k)
{
    const char *name = NULL;
    subx_exch_query_engine(k % test_engine_count(), &name);
    return name ? name : "auto";
}

int test_engine_may_lack(const char *engine)
{
    static const char *const lacking[] = {"persistent", "shm", "node"};
    for (int i = 0; i < 3; i++)
        if (strcmp(engine, lacking[i]) == 0)
            return 1;
    return 0;
}

int test_engine_is_here(const char *engine)
{
    const ptrdiff_t none[64] = {0};
    subx_pipe pipe = SUBX_PIPE_NULL;
    MPI_Info hints = test_hints("engine=%s", engine);
    const int rc = subx_pipe_create(MPI_COMM_WORLD, 1, none, none, hints, &pipe);
    MPI_Info_free(&hints);
    subx_pipe_free(&pipe);
    return !test_engine_may_lack(engine) || subx_error_get_kind(rc) != SUBX_ERR_UNAVAILABLE;
}

static void set_number(MPI_Info hints, const char *key, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    test_hint_set(hints, key, text);
}

MPI_Info test_engine_hints(test_random *r, const char *engine, char text[64])
{
    const int window = test_random_int(r, 1, 5), radix = test_random_int(r, 2, 5);
    const int slices = test_random_int(r, 0, 9);
    snprintf(text, 64, "%s, window %d, slices %d, radix %d", engine, window, slices, radix);
    MPI_Info hints = test_hints("engine=%s", engine);
    set_number(hints, "window", window);
    set_number(hints, "radix", radix);
    set_number(hints, "slices", slices);
    /* The check at creation would refuse an engine that moves wrong data. Without the check, the test sees
     * the wrong data. */
    test_hint_set(hints, "check", "no");
    if (strcmp(engine, "node") == 0)
        test_hint_set(hints, "node_ranks", "2");
    return hints;
}
