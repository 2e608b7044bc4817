/* explain.c - describe a plan by facts: its choice, its stages, the search, the machine, remarks. */
#include "explain/explain.h"
#include "facts/facts.h"
#include "model/model.h"
#include <math.h>
#include <string.h>
#include <subx_tune.h>

static const char *get_plural(int n)
{
    return n == 1 ? "" : "s";
}

/* ---- the choice */

static void add_hint(sx_facts *f, MPI_Info info, const char *key)
{
    char value[SX_HINT_LEN];
    int found = 0;
    if (!MPI_Info_get(info, key, sizeof value - 1, value, &found) && found)
        sx_facts_add_text(f, key + strlen("subx_"), value);
}

/* Add all hints of the plan. The keys are the names of the hints without subx_. */
static int add_hints(sx_facts *f, subx_fft_plan plan)
{
    MPI_Info info;
    const sx_hint *h;
    int group, rc = subx_fft_plan_get_info(plan, &info);
    if (rc)
        return rc;
    sx_facts_add(f, SX_FACT_OBJECT, "hints");
    for (int i = 0; (h = sx_hints_get(i, &group)); i++)
        if (strncmp(h->key, "subx_", strlen("subx_")) == 0)
            add_hint(f, info, h->key);
    add_hint(f, info, "subx_tune");
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
    return MPI_Info_free(&info);
}

static int add_choice(sx_facts *f, subx_fft_plan plan, const sx_choice *c)
{
    const sx_placement *p = c->shared.placement;
    const int nranks = sx_choice_get_nranks(c);
    sx_problem_print(c->problem, sx_facts_write(f, SX_FACT_TEXT, "problem"));
    sx_facts_add_number(f, "ranks", nranks);
    sx_facts_add_number(f, "nodes", p ? (double)p->nnodes : NAN);
    sx_facts_add_text(f, "grid", c->hints.grid);
    sx_facts_add_text(f, "strategy", c->strategy->name);
    sx_text *t = sx_facts_write(f, SX_FACT_SENTENCE, "plan");
    sx_problem_print(c->problem, t);
    sx_base_print(t, " on %d rank%s, grid %s, strategy %s", nranks, get_plural(nranks), c->hints.grid,
                  c->strategy->name);
    return add_hints(f, plan);
}

/* For people, add the hints that the strategy reads, and the device. */
static void add_settings(sx_facts *f, subx_fft_plan plan, const sx_choice *c)
{
    for (int i = SX_HINTS_COMMON; i <= SX_HINTS_PIPES; i++)
        if (sx_hints_is_read(c->strategy->hints, i))
            sx_hints_print(&c->hints, i, sx_facts_write(f, SX_FACT_SENTENCE, "hints"));
    if (c->strategy->print_device && !plan->is_idle)
        c->strategy->print_device(plan, sx_facts_write(f, SX_FACT_SENTENCE, "device"));
}

/* ---- who chose */

static void add_planning(sx_facts *f, const sx_report *r)
{
    static const char *const sources[][2] = {[SX_SOURCE_HINTS] = {"hints", "by the caller's hints"},
                                             [SX_SOURCE_MODEL] = {"model", "by the cost model"},
                                             [SX_SOURCE_MEASURED] = {"measured", "by measurement"},
                                             [SX_SOURCE_WISDOM] = {"wisdom", "by wisdom"}};
    int nexecuted = 0;
    sx_facts_add_text(f, "source", sources[r->source][0]);
    sx_facts_add(f, SX_FACT_OBJECT, "planning");
    sx_facts_add_number(f, "seconds", r->seconds);
    sx_facts_add_number(f, "executions", r->nexecutions);
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
    sx_text *t = sx_facts_write(f, SX_FACT_SENTENCE, "chosen");
    sx_base_print(t, "%s", sources[r->source][1]);
    for (int i = 0; i < r->n; i++)
        nexecuted += r->list[i].trial.executions > 0;
    if (r->n == 0)
        return;
    sx_base_print(t, ": %s; %d candidate%s, %d of them executed, in ", r->list[r->chosen].name, r->n,
                  get_plural(r->n), nexecuted);
    sx_facts_print_seconds(r->seconds, t);
    sx_base_print(t, " and %d execution%s", r->nexecutions, get_plural(r->nexecutions));
}

static void add_candidate(sx_facts *f, const sx_candidate *c, int is_chosen)
{
    static const char *const outcomes[] = {[SX_TUNE_UNTRIED] = "untried",
                                           [SX_TUNE_MEASURED] = "measured",
                                           [SX_TUNE_STOPPED] = "stopped",
                                           [SX_TUNE_FAILED] = "failed",
                                           [SX_TUNE_UNCONFIRMED] = "unconfirmed"};
    const int is_measured = c->trial.outcome == SX_TUNE_MEASURED || c->trial.outcome == SX_TUNE_STOPPED;
    sx_facts_add(f, SX_FACT_OBJECT, NULL);
    sx_facts_add_text(f, "name", c->name);
    sx_facts_add_number(f, "predicted_s", c->price > 0 ? c->price : NAN);
    sx_facts_add_number(f, "measured_s", is_measured ? c->trial.seconds : NAN);
    sx_facts_add_number(f, "ratio", is_measured ? c->trial.ratio : NAN);
    sx_facts_add_text(f, "outcome", outcomes[c->trial.outcome]);
    sx_facts_add_number(f, "executions", c->trial.executions);
    sx_facts_add_flag(f, "chosen", is_chosen);
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
}

static void add_candidates(sx_facts *f, const sx_report *r)
{
    static const sx_column table[] = {{"chosen", "", SX_UNIT_ROW, 4},
                                      {"name", "candidate", SX_UNIT_TEXT, 51},
                                      {"predicted_s", "predicted", SX_UNIT_SECONDS, 9},
                                      {"measured_s", "measured", SX_UNIT_SECONDS, 9},
                                      {"ratio", "ratio", SX_UNIT_NUMBER, 6},
                                      {"executions", "executed", SX_UNIT_COUNT, 8},
                                      {"outcome", "outcome", SX_UNIT_TEXT, 11},
                                      {NULL, NULL, 0, 0}};
    sx_facts_add_table(f, "candidates", table);
    for (int i = 0; i < r->n; i++)
        add_candidate(f, &r->list[i], i == r->chosen);
    sx_facts_add(f, SX_FACT_ARRAY_END, NULL);
}

/* ---- stages */

static void add_axes(sx_facts *f, const char *key, int n, const int axes[])
{
    sx_facts_add(f, SX_FACT_ARRAY, key);
    for (int i = 0; i < n; i++)
        sx_facts_add_number(f, NULL, axes[i]);
    sx_facts_add(f, SX_FACT_ARRAY_END, NULL);
}

static void add_what(sx_facts *f, const sx_stage *s)
{
    static const char *const kinds[] = {[SUBX_FFT_STAGE_SERIAL] = "serial",
                                        [SUBX_FFT_STAGE_EXCHANGE] = "exchange",
                                        [SUBX_FFT_STAGE_SCALE] = "scale"};
    const int both[2] = {s->whole_before, s->divided_before}, is_exchange = sx_stage_is_exchange(s);
    sx_facts_add_text(f, "name", s->name);
    sx_facts_add_text(f, "kind", kinds[s->kind]);
    add_axes(f, "axes", is_exchange ? (s->dim < 0 ? 0 : 2) : s->naxes, is_exchange ? both : s->axes);
    add_axes(f, "from_order", s->edge[SX_FROM] ? 0 : s->from.ndims, s->from.order);
    add_axes(f, "to_order", s->edge[SX_TO] ? 0 : s->to.ndims, s->to.order);
    sx_text *t = sx_facts_write(f, SX_FACT_SENTENCE, "stored");
    if (s->edge[SX_FROM] || s->edge[SX_TO])
        sx_base_print(t, "the caller's boxes");
    else if (s->from.ndims > 0)
        sx_stage_print_orders(s, t);
}

/* Add a number that is NAN if it is not known, and null where it does not apply. */
static void add_number_if(sx_facts *f, const char *key, int applies, double number)
{
    if (applies)
        sx_facts_add_number(f, key, number);
    else
        sx_facts_add(f, SX_FACT_NULL, key);
}

/* Add stage i of forward, with its price; NULL if there is none. An idle rank has no state of the strategy,
 * and so no traffic. */
static int add_stage(sx_facts *f, subx_fft_plan plan, int i, const sx_price *price, double last)
{
    const sx_stage *s = sx_plan_get_stage(plan, SX_FORWARD, i);
    const int is_exchange = sx_stage_is_exchange(s), has_traffic = is_exchange && plan->state;
    sx_traffic traffic = {.engine = NULL};
    const int rc = has_traffic ? plan->choice.strategy->get_traffic(plan, i, &traffic) : MPI_SUCCESS;
    sx_facts_add(f, SX_FACT_OBJECT, NULL);
    add_what(f, s);
    sx_facts_add_text(f, "engine", traffic.engine);
    add_number_if(f, "slices", has_traffic, traffic.nslices);
    add_number_if(f, "bytes_inside", is_exchange, price ? price->load.bytes[SX_INSIDE] : NAN);
    add_number_if(f, "bytes_between", is_exchange, price ? price->load.bytes[SX_BETWEEN] : NAN);
    add_number_if(f, "bytes_sent", has_traffic, (double)traffic.sent);
    if (has_traffic)
        sx_base_print(sx_facts_write(f, SX_FACT_SENTENCE, "sent"), "%lld bytes%s", (long long)traffic.sent,
                      traffic.is_narrow ? " of floats" : "");
    add_number_if(f, "memory_bytes", !is_exchange, price ? price->memory_bytes : NAN);
    sx_facts_add_number(f, "predicted_s", price ? price->seconds : NAN);
    sx_facts_add_number(f, "last_s", last);
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
    return rc;
}

static void add_work(sx_facts *f, subx_fft_plan plan)
{
    const double work = (double)sx_plan_get_work(plan);
    sx_facts_add_number(f, "work_bytes", work);
    sx_text *t = sx_facts_write(f, SX_FACT_SENTENCE, "memory");
    sx_facts_print_bytes(work, t);
    sx_base_print(t, " of work space on this rank: ");
    if (plan->is_idle)
        sx_base_print(t, "it is idle");
    else
        plan->choice.strategy->print_work(plan, t);
}

static void add_sums(sx_facts *f, double predicted, double last)
{
    sx_facts_add_number(f, "predicted_s", predicted);
    sx_facts_add_number(f, "last_s", last);
    sx_text *t = sx_facts_write(f, SX_FACT_SENTENCE, "sum");
    sx_base_print(t,
                  isnan(predicted) ? "there is no prediction of forward" : "forward is predicted to take ");
    if (!isnan(predicted))
        sx_facts_print_seconds(predicted, t);
    sx_base_print(t, isnan(last) ? "; it was not executed yet" : "; its last execution took this rank ");
    if (!isnan(last))
        sx_facts_print_seconds(last, t);
}

static int add_stages(sx_facts *f, subx_fft_plan plan, const sx_choice *c, int is_whole)
{
    static const sx_column whole[] = {{"chosen", "", SX_UNIT_ROW, 2},
                                      {"name", "stage", SX_UNIT_TEXT, 33},
                                      {"stored", "stored", SX_UNIT_TEXT, 18},
                                      {"engine", "engine", SX_UNIT_TEXT, 10},
                                      {"slices", "slices", SX_UNIT_COUNT, 6},
                                      {"bytes_inside", "inside", SX_UNIT_BYTES, 8},
                                      {"bytes_between", "between", SX_UNIT_BYTES, 8},
                                      {"memory_bytes", "memory", SX_UNIT_BYTES, 8},
                                      {"predicted_s", "predicted", SX_UNIT_SECONDS, 9},
                                      {"last_s", "last", SX_UNIT_SECONDS, 8},
                                      {NULL, NULL, 0, 0}};
    static const sx_column brief[] = {{"chosen", "", SX_UNIT_ROW, 2},
                                      {"name", "stage", SX_UNIT_TEXT, 40},
                                      {"stored", "stored", SX_UNIT_TEXT, 24},
                                      {"engine", "engine", SX_UNIT_TEXT, 10},
                                      {"slices", "slices", SX_UNIT_COUNT, 6},
                                      {"sent", "sent by this rank", SX_UNIT_TEXT, 30},
                                      {NULL, NULL, 0, 0}};
    sx_price price[SX_NSTAGES_MAX];
    const sx_stage *s;
    const int has_model = is_whole && c->shared.machine && c->shared.placement;
    int n = 0, rc = MPI_SUCCESS;
    double predicted = has_model ? sx_model_get_price(c, price, &n) : NAN, total = 0, last = 0;
    for (int i = 0; (s = sx_plan_get_stage(plan, SX_FORWARD, i)); i++) {
        total += s->total[SX_FORWARD];
        last += s->last[SX_FORWARD];
    }
    sx_facts_add_table(f, "stages", is_whole ? whole : brief);
    for (int i = 0; (s = sx_plan_get_stage(plan, SX_FORWARD, i)) && !rc; i++)
        rc = add_stage(f, plan, i, i < n ? &price[i] : NULL, total > 0 ? s->last[SX_FORWARD] : NAN);
    sx_facts_add(f, SX_FACT_ARRAY_END, NULL);
    if (is_whole)
        add_sums(f, predicted, total > 0 ? last : NAN);
    add_work(f, plan);
    return rc;
}

/* ---- what executions do */

/* Add the first events of a direction: for people in a few lines, for programs as one text. */
static void add_list(sx_facts *f, const sx_list *list, const char *label)
{
    enum { COLUMNS = 100, LINES = 4 };
    int i = 0;
    (void)sx_list_print(list, 0, LINES * COLUMNS, sx_facts_write(f, SX_FACT_TEXT, label));
    for (int line = 0; line < LINES && i < list->n; line++)
        i = sx_list_print(list, i, COLUMNS, sx_facts_write(f, SX_FACT_SENTENCE, line ? "" : label));
    if (i < list->n)
        sx_base_print(sx_facts_write(f, SX_FACT_SENTENCE, ""), "and %d more", list->n - i);
}

static void add_lists(sx_facts *f, const subx_fft_plan plan)
{
    sx_facts_add(f, SX_FACT_OBJECT, "events");
    add_list(f, &plan->list[SX_FORWARD], "forward");
    add_list(f, &plan->list[SX_BACKWARD], "backward");
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
}

/* ---- the machine and the ranks */

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

static void add_machine(sx_facts *f, const sx_choice *c)
{
    const sx_machine *m = c->shared.machine;
    const char *name;
    double value;
    sx_facts_add(f, SX_FACT_OBJECT, "machine");
    if (m) {
        sx_facts_add_flag(f, "calibrated", is_calibrated(c));
        for (int i = 0; (name = sx_machine_get(m, c->device != NULL, i, &value)); i++)
            sx_facts_add_number(f, name, value);
        sx_text *t = sx_facts_write(f, SX_FACT_SENTENCE, "machine");
        sx_base_print(t, is_calibrated(c) ? "calibrated: " : "not calibrated, default values: ");
        sx_machine_print(m, c->device != NULL, t);
    }
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
}

static void add_ranks(sx_facts *f, const sx_choice *c)
{
    const sx_placement *p = c->shared.placement;
    const int nranks = sx_choice_get_nranks(c);
    if (!p) {
        sx_facts_add(f, SX_FACT_NULL, "layout");
        return;
    }
    sx_placement_print(p, sx_facts_write(f, SX_FACT_TEXT, "layout"));
    sx_text *t = sx_facts_write(f, SX_FACT_SENTENCE, "ranks");
    sx_base_print(t, "%d on %d node%s", p->nranks, p->nnodes, get_plural(p->nnodes));
    if (p->nnodes > 1)
        sx_base_print(t, ": ");
    if (p->nnodes > 1)
        sx_placement_print(p, t);
    if (p->ndomains > 1)
        sx_base_print(t, "; NUMA domains per node: %d", p->ndomains);
    if (nranks < p->nranks)
        sx_base_print(t, "; %d of them %s data", nranks, nranks == 1 ? "has" : "have");
}

/* ---- remarks */

static void add_wire(sx_facts *f, subx_fft_plan plan)
{
    const sx_wire bound = sx_plan_get_wire(plan);
    sx_facts_add(f, SX_FACT_OBJECT, "wire");
    sx_facts_add_number(f, "exchanges", bound.exchanges);
    sx_facts_add_number(f, "forward", bound.relative[SX_FORWARD]);
    sx_facts_add_number(f, "forward_least", bound.least[SX_FORWARD]);
    sx_facts_add_number(f, "backward", bound.relative[SX_BACKWARD]);
    sx_facts_add_number(f, "backward_least", bound.least[SX_BACKWARD]);
    if (bound.exchanges > 0)
        sx_plan_print_wire(plan, sx_facts_write(f, SX_FACT_SENTENCE, "wire"));
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
}

/* Add a remark: a fact for programs, and a paragraph for people if the remark is not empty. */
static void add_remark(sx_facts *f, const char *key, const char *label, const char *intro, const char *text)
{
    sx_facts_add_text(f, key, text);
    if (*text)
        sx_base_print(sx_facts_write(f, SX_FACT_SENTENCE, label), "%s%s", intro, text);
}

static void add_remarks(sx_facts *f, subx_fft_plan plan)
{
    const sx_report *r = &plan->report;
    const char *warning;
    char lost[SX_HINT_LEN] = "", unused[SX_HINT_LEN] = "";
    sx_facts_add(f, SX_FACT_ARRAY, "warnings");
    for (int flag = 1; flag <= r->warnings; flag *= 2)
        if (r->warnings & flag)
            add_remark(f, NULL, "warning", "", sx_machine_get_warning(flag));
    for (int i = 0; (warning = sx_plan_get_warning(plan, &i));)
        add_remark(f, NULL, "warning", "", warning);
    sx_facts_add(f, SX_FACT_ARRAY_END, NULL);
    add_wire(f, plan);
    sx_plan_print_unused(plan, &(sx_text){unused, sizeof unused, 0});
    sx_plan_print_lost(plan, &(sx_text){lost, sizeof lost, 0});
    add_remark(f, "no_effect", "hints", "has no effect here: ", unused);
    add_remark(f, "lost", "lost", "", lost);
    sx_facts_add(f, SX_FACT_ARRAY, "wisdom");
    for (int i = 0; i < 2; i++)
        if (*r->wisdom[i])
            add_remark(f, NULL, "wisdom", "", r->wisdom[i]);
    sx_facts_add(f, SX_FACT_ARRAY_END, NULL);
}

/* ---- all of it */

/* Describe the plan as it was chosen; if is_whole, also what is known of other candidates and of times. */
static int describe(subx_fft_plan plan, int is_whole, int format, sx_text *t)
{
    sx_facts f = {.to = t, .format = format};
    const sx_choice c = sx_plan_get_effective(plan);
    sx_facts_add(&f, SX_FACT_OBJECT, NULL);
    int rc = add_choice(&f, plan, &c);
    add_planning(&f, &plan->report);
    if (!is_whole)
        add_settings(&f, plan, &c);
    if (!rc)
        rc = add_stages(&f, plan, &c, is_whole);
    if (is_whole) {
        add_lists(&f, plan);
        add_candidates(&f, &plan->report);
        add_machine(&f, &c);
        add_ranks(&f, &c);
    }
    add_remarks(&f, plan);
    sx_facts_add(&f, SX_FACT_OBJECT_END, NULL);
    return rc;
}

int subx_fft_plan_print(subx_fft_plan plan, size_t len, char *text, size_t *needed)
{
    sx_text t = {text, len, 0};
    if (!plan || (!text && len > 0))
        return subx_error_get_code(SUBX_ERR_ARG);
    const int rc = describe(plan, 0, SUBX_FFT_TEXT, &t);
    if (!rc && needed)
        *needed = t.used;
    return rc;
}

int subx_fft_plan_explain(subx_fft_plan plan, int format, size_t len, char *text, size_t *needed)
{
    sx_text t = {text, len, 0};
    if (!plan || (!text && len > 0) || (format != SUBX_FFT_TEXT && format != SUBX_FFT_JSON))
        return subx_error_get_code(SUBX_ERR_ARG);
    const int rc = describe(plan, 1, format, &t);
    if (!rc && needed)
        *needed = t.used;
    return rc;
}
