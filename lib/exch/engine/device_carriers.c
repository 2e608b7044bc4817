/* device_carriers.c - the only list of device carriers, and the choice among them. All ranks of an exchange
 * have the same. */
#include "exch/on_device.h"
#include <string.h>

/* This carrier always works. */
const sx_device_carrier sx_exch_staged = {.name = "staged", .value = SX_CARRIER_STAGED};

/* In the order in which "auto" tries them. */
static const sx_device_carrier *const carriers[] = {&sx_exch_messages, &sx_exch_staged};
enum { CARRIERS = sizeof carriers / sizeof *carriers };
SX_BASE_ASSERT(CARRIERS <= SX_FLAGS_MAX);

static int is_wanted(const subx_exch ex, int i)
{
    return ex->hints.device_carrier == SX_CARRIER_AUTO || ex->hints.device_carrier == carriers[i]->value;
}

int sx_exch_device_find_carriers(subx_exch ex, sx_text *why)
{
    for (int i = 0; i < CARRIERS; i++) {
        char text[SX_ERROR_LEN] = "";
        sx_text t = {text, sizeof text, 0};
        ex->avoided[i] = is_wanted(ex, i) ? 0 : SX_NEVER;
        if (ex->avoided[i] || !carriers[i]->serves || carriers[i]->serves(ex, &t))
            continue;
        ex->avoided[i] = SX_NEVER;
        sx_exch_device_remember(ex, carriers[i]->name, 0, text);
        sx_base_print(why, "%s", text);
    }
    return ex->hints.device_carrier != SX_CARRIER_AUTO && why->used
               ? subx_error_get_code(SUBX_ERR_UNAVAILABLE)
               : MPI_SUCCESS;
}

/* If another rank cannot have a carrier, this rank does not know the reason. */
static void remember_others(subx_exch ex, const char *name)
{
    if (!strstr(ex->why, name))
        sx_exch_device_remember(ex, name, 0, "another rank cannot have it");
}

/* The caller wants a carrier that does not work: let the error say why. */
static void explain(const subx_exch ex, int rc)
{
    char text[SX_ERROR_LEN];
    sx_text t = {text, sizeof text, 0};
    if (ex->hints.device_carrier == SX_CARRIER_AUTO || !*ex->why ||
        subx_error_get_kind(rc) != SUBX_ERR_UNAVAILABLE)
        return;
    sx_base_print(&t, "subx: hint subx_tune: device_carrier: %s", ex->why);
    sx_base_set_error_text(SUBX_ERR_UNAVAILABLE, text);
}

/* A carrier that fails may have set hints to the values in effect. The next carrier gets the caller's
 * hints. */
int sx_exch_device_choose(subx_exch ex, int (*use)(subx_exch ex))
{
    const sx_pipe_hints asked = ex->hints;
    int rc = subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    for (int i = 0; i < CARRIERS && sx_exch_may_go_on(rc); i++) {
        if (!is_wanted(ex, i))
            continue;
        if (ex->avoided[i]) {
            remember_others(ex, carriers[i]->name);
            continue;
        }
        ex->carrier = carriers[i];
        rc = use(ex);
        if (rc && !ex->carrier) /* no carrier is needed, so another one would fail in the same way */
            break;
        if (!sx_exch_may_go_on(rc))
            break;
        ex->hints = asked;
        ex->avoided[i] = SX_NEVER;
        sx_exch_device_remember(ex, carriers[i]->name, 1, "it could not serve, or moved wrong data");
    }
    explain(ex, rc);
    return rc;
}

void sx_exch_device_print_carriers(const subx_exch ex, sx_text *t)
{
    for (int i = 0; i < CARRIERS && ex->device; i++)
        if (ex->avoided[i] != SX_NEVER)
            sx_base_print(t, "%s%s", t->used ? " " : "", carriers[i]->name);
}
