/* device_ways.c - which ways of data between devices work here: what trials have shown, and why the library
 * does not use a way. */
#include "exch/on_device.h"
#include <string.h>

void sx_exch_device_remember(subx_exch ex, const char *way, int is_tried, const char *why)
{
    sx_text names = {ex->dropped, sizeof ex->dropped, strlen(ex->dropped)};
    sx_text reasons = {ex->why, sizeof ex->why, strlen(ex->why)};
    if (is_tried && sx_base_has_word(ex->dropped, way, " "))
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
