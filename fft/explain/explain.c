/* explain.c - explain a plan: collect the facts about its choice and its stages, and print them in one of two
 * formats. */
#include "explain/explain.h"
#include "model/model.h"
#include <string.h>
#include <subx_tune.h>

/* Query whether the machine has measured parameters: for a plan on a device, those of devices. */
static int is_calibrated(const sx_choice *c)
{
    const sx_machine *m = c->shared.machine;
    sx_machine standard;
    sx_machine_set_default(&standard);
    if (!c->device)
        return memcmp(&standard, m, sizeof standard) != 0;
    return standard.device_memory != m->device_memory || standard.device_launch != m->device_launch ||
           standard.device_host != m->device_host || standard.device_link != m->device_link;
}

static void set_prices(sx_explanation *e)
{
    sx_price price[SX_NSTAGES_MAX];
    int n = 0;
    e->predicted = NAN;
    if (!e->choice.shared.machine || !e->choice.shared.placement)
        return;
    e->is_calibrated = is_calibrated(&e->choice);
    e->predicted = sx_model_get_price(&e->choice, price, &n);
    for (int i = 0; i < n && i < e->nstages; i++) {
        const int is_exchange = sx_stage_is_exchange(e->stage[i].stage);
        e->stage[i].predicted = price[i].seconds;
        e->stage[i].memory = is_exchange ? NAN : price[i].memory_bytes;
        for (int k = 0; k < 2 && is_exchange; k++)
            e->stage[i].bytes[k] = price[i].load.bytes[k];
    }
}

/* Not called on idle ranks: there the strategy has no state. */
static int set_traffic(sx_explanation *e, int i)
{
    sx_traffic traffic;
    int rc = e->choice.strategy->get_traffic(e->plan, i, &traffic);
    if (rc)
        return rc;
    e->stage[i].engine = traffic.engine;
    e->stage[i].nslices = traffic.nslices;
    e->stage[i].sent = (double)traffic.sent;
    return MPI_SUCCESS;
}

static int set_stages(sx_explanation *e)
{
    const sx_stage *s;
    double total = 0;
    int rc = MPI_SUCCESS;
    for (int i = 0; (s = sx_plan_get_stage(e->plan, SX_FORWARD, i)) && !rc; i++) {
        e->stage[e->nstages++] = (sx_explained_stage){
            .stage = s, .bytes = {NAN, NAN}, .sent = NAN, .memory = NAN, .predicted = NAN, .last = NAN};
        total += s->total[SX_FORWARD];
        if (sx_stage_is_exchange(s) && e->plan->state)
            rc = set_traffic(e, i);
    }
    e->last = total > 0 ? 0 : NAN;
    for (int i = 0; i < e->nstages && total > 0; i++)
        e->last += e->stage[i].last = e->stage[i].stage->last[SX_FORWARD];
    return rc;
}

static int collect(subx_fft_plan plan, sx_explanation *e)
{
    sx_text problem = {e->problem, sizeof e->problem, 0}, layout = {e->layout, sizeof e->layout, 0};
    sx_text lost = {e->lost, sizeof e->lost, 0}, unused = {e->unused, sizeof e->unused, 0};
    e->plan = plan;
    e->choice = sx_plan_get_effective(plan);
    sx_problem_print(e->choice.problem, &problem);
    if (e->choice.shared.placement)
        sx_placement_print(e->choice.shared.placement, &layout);
    sx_text wire = {e->wire, sizeof e->wire, 0};
    sx_plan_print_wire(plan, &wire);
    sx_plan_print_lost(plan, &lost);
    sx_plan_print_unused(plan, &unused);
    int rc = set_stages(e);
    set_prices(e);
    return rc ? rc : subx_fft_plan_get_work(plan, &e->work);
}

int subx_fft_plan_explain(subx_fft_plan plan, int format, size_t len, char *text, size_t *needed)
{
    sx_explanation e = {0};
    sx_text t = {text, len, 0};
    if (!plan || (!text && len > 0) || (format != SUBX_FFT_TEXT && format != SUBX_FFT_JSON))
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = collect(plan, &e);
    if (!rc && format == SUBX_FFT_JSON)
        rc = sx_explain_print_json(&e, &t);
    else if (!rc)
        sx_explain_print_text(&e, &t);
    if (!rc && needed)
        *needed = t.used;
    return rc;
}
