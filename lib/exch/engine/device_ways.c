/* device_ways.c - which ways of data between devices work here: what trials have shown, and why the library
 * does not use a way. */
#include "exch/on_device.h"
#include <string.h>

/* Query whether a list of names, joined by blanks, has a name. */
static int has_name(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, name, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return 1;
    }
    return 0;
}

void sx_exch_device_remember(subx_exch ex, const char *way, int is_tried, const char *why)
{
    sx_text names = {ex->dropped, sizeof ex->dropped, strlen(ex->dropped)};
    sx_text reasons = {ex->why, sizeof ex->why, strlen(ex->why)};
    if (is_tried && has_name(ex->dropped, way))
        return;
    if (is_tried)
        sx_base_print(&names, "%s%s", names.used ? " " : "", way);
    sx_base_print(&reasons, "%s%s: %s", reasons.used ? "; " : "", way, why);
}

sx_device_trials *sx_exch_device_get_trials(subx_exch ex)
{
    sx_device_trials *t = &ex->comm->trials;
    if (t->device != ex->device || t->node_ranks != ex->hints.node_ranks)
        t->sharing = SX_TRIAL_NONE;
    if (t->device != ex->device)
        t->messages = SX_TRIAL_NONE;
    t->device = ex->device;
    t->node_ranks = ex->hints.node_ranks;
    return t;
}
