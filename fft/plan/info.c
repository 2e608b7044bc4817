/* info.c - the hints of a plan as they took effect. */
#include "plan/plan.h"
#include <stdio.h>
#include <string.h>

sx_choice sx_plan_get_effective(subx_fft_plan plan)
{
    sx_choice c = plan->choice;
    sx_hints *h = &c.hints;
    strcpy(h->engine, plan->engine);
    h->threads = plan->threads;
    if (!plan->is_idle && sx_plan_get_wire(plan).exchanges == 0)
        h->wire = SX_WIRE_FULL;
    if (strcmp(h->ranks, "auto") == 0)
        snprintf(h->ranks, sizeof h->ranks, "%d", c.nranks_used);
    if (strcmp(h->sequence, "auto") == 0 && c.is_reused[SUBX_FFT_PHYSICAL])
        sx_array_print_sequence(&c.array, &(sx_text){h->sequence, sizeof h->sequence, 0});
    return c;
}

static int fill(subx_fft_plan plan, MPI_Info info)
{
    char lost[SX_HINT_LEN] = "";
    sx_text t = {lost, sizeof lost, 0};
    const sx_choice c = sx_plan_get_effective(plan);
    int rc = sx_hints_export(&c.hints, info);
    sx_plan_print_lost(plan, &t);
    if (!rc && *lost)
        rc = MPI_Info_set(info, "subx_lost", lost);
    return rc;
}

int subx_fft_plan_get_info(subx_fft_plan plan, MPI_Info *info)
{
    if (!plan || !info)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = MPI_Info_create(info);
    if (rc)
        return rc;
    rc = fill(plan, *info);
    if (rc)
        MPI_Info_free(info);
    return rc;
}
