/* print.c - a plan as text for people, and as an MPI_Info. (The explanation of a plan:
 * fft/explain/text.c.) */
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

static int print_traffic(subx_fft_plan plan, int i, sx_text *t)
{
    sx_traffic traffic;
    int rc = plan->choice.strategy->get_traffic(plan, i, &traffic);
    if (!rc)
        sx_base_print(t, ", engine %s, %d slice%s, %lld bytes%s from this rank", traffic.engine,
                      traffic.nslices, traffic.nslices == 1 ? "" : "s", (long long)traffic.sent,
                      traffic.is_narrow ? " of floats" : "");
    return rc;
}

static int print_stages(subx_fft_plan plan, sx_text *t)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages && !rc; i++) {
        sx_base_print(t, "  %d. %s, stored ", i + 1, plan->stage[i].name);
        sx_stage_print_orders(&plan->stage[i], t);
        if (sx_stage_is_exchange(&plan->stage[i]) && !plan->is_idle)
            rc = print_traffic(plan, i, t);
        sx_base_print(t, "\n");
    }
    return rc;
}

static void print_choice(const sx_report *r, sx_text *t)
{
    if (r->n == 0)
        return;
    const sx_candidate *c = &r->list[r->chosen];
    sx_base_print(t, "  %s: %s, %.3g s, of %d candidate%s\n",
                  r->source == SX_SOURCE_WISDOM ? "wisdom" : "measured", c->name, c->trial.seconds, r->n,
                  r->n == 1 ? "" : "s");
}

/* Print remarks: what is rounded, missing, slow, or without effect. */
static void print_remarks(subx_fft_plan plan, sx_text *t)
{
    char unused[SX_HINT_LEN] = "", wire[256] = "";
    sx_text u = {unused, sizeof unused, 0}, w = {wire, sizeof wire, 0};
    const char *warning;
    sx_plan_print_wire(plan, &w);
    if (*wire)
        sx_base_print(t, "  wire: %s\n", wire);
    if (plan->lost) {
        sx_base_print(t, "  lost: ");
        sx_plan_print_lost(plan, t);
        sx_base_print(t, "\n");
    }
    for (int i = 0; (warning = sx_plan_get_warning(plan, &i));)
        sx_base_print(t, "  warning: %s\n", warning);
    sx_plan_print_unused(plan, &u);
    if (*unused)
        sx_base_print(t, "  has no effect here: %s\n", unused);
}

int subx_fft_plan_print(subx_fft_plan plan, size_t len, char *text, size_t *needed)
{
    sx_text t = {text, len, 0};
    if (!plan || (!text && len > 0))
        return subx_error_get_code(SUBX_ERR_ARG);
    const sx_choice c = sx_plan_get_effective(plan);
    sx_choice_print(&c, &t);
    print_choice(&plan->report, &t);
    if (c.strategy->print_device && !plan->is_idle) {
        sx_base_print(&t, "  device: ");
        c.strategy->print_device(plan, &t);
        sx_base_print(&t, "\n");
    }
    int rc = print_stages(plan, &t);
    sx_base_print(&t, "  work space of this rank: ");
    if (plan->is_idle)
        sx_base_print(&t, "none, because it is idle");
    else
        c.strategy->print_work(plan, &t);
    sx_base_print(&t, "\n");
    print_remarks(plan, &t);
    if (!rc && needed)
        *needed = t.used;
    return rc;
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
