/* info.c - what is known of an exchange, as an MPI_Info. */
#include "exch/exch.h"

static int set_number(MPI_Info info, const char *key, long long value)
{
    char text[SX_HINT_LEN];
    sx_text t = {text, sizeof text, 0};
    sx_base_print(&t, "%lld", value);
    return MPI_Info_set(info, key, text);
}

static int fill(const subx_exch ex, MPI_Info info)
{
    static const char *const checks[] = {"auto", "yes", "no"};
    const sx_choices *c = &ex->choices;
    const struct {
        const char *key, *value;
    } words[] = {{"subx_engine", ex->engine->name},
                 {"subx_between", c->between},
                 {"subx_work", c->callers_work ? "caller" : "engine"},
                 {"subx_check", checks[c->check]}};
    const struct {
        const char *key;
        long long value;
    } numbers[] = {{"subx_window", c->window},
                   {"subx_tile", c->tile_bytes},
                   {"subx_radix", c->radix},
                   {"subx_threads", c->threads},
                   {"subx_node_ranks", c->node_ranks}};
    int rc = MPI_SUCCESS;
    for (size_t i = 0; i < sizeof words / sizeof *words && !rc; i++)
        rc = MPI_Info_set(info, words[i].key, words[i].value);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !rc; i++)
        rc = set_number(info, numbers[i].key, numbers[i].value);
    /* MPI has no empty values. */
    if (!rc && *ex->dropped)
        rc = MPI_Info_set(info, "subx_dropped", ex->dropped);
    return rc;
}

int subx_exch_get_info(subx_exch ex, MPI_Info *info)
{
    if (!ex || !info)
        return subx_error_get(SUBX_ERR_ARG);
    *info = MPI_INFO_NULL;
    MPI_Info made;
    int rc = MPI_Info_create(&made);
    if (rc)
        return rc;
    rc = fill(ex, made);
    if (rc)
        MPI_Info_free(&made);
    else
        *info = made;
    return rc;
}
