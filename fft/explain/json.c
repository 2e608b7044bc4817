/* json.c - an explanation as one JSON object (RFC 8259), whose keys subx_tune.h lists. */
#include "explain/explain.h"
#include <string.h>

/* ---- values */

/* Get the bytes of the UTF-8 character at s; 0 if the bytes there are no such character. JSON must be UTF-8,
 * but paths may have any bytes. */
static int get_length(const char *s)
{
    const unsigned char a = (unsigned char)s[0], b = a ? (unsigned char)s[1] : 0;
    int n = 0;
    if (a < 0x80)
        return 1;
    if (a >= 0xc2 && a < 0xe0)
        n = 2;
    else if (a >= 0xe0 && a < 0xf0)
        n = (a == 0xe0 && b < 0xa0) || (a == 0xed && b >= 0xa0) ? 0 : 3;
    else if (a >= 0xf0 && a < 0xf5)
        n = (a == 0xf0 && b < 0x90) || (a == 0xf4 && b >= 0x90) ? 0 : 4;
    for (int i = 1; i < n; i++)
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

static void print_string(const char *s, sx_text *t)
{
    sx_base_print(t, "\"");
    for (int n; *s; s += n > 0 ? n : 1) {
        n = get_length(s);
        if (n == 0)
            sx_base_print(t, "\\ufffd");
        else if (*s == '"' || *s == '\\')
            sx_base_print(t, "\\%c", *s);
        else if (n == 1 && *s < ' ')
            sx_base_print(t, "\\u%04x", (unsigned)*s);
        else
            sx_base_print(t, "%.*s", n, s);
    }
    sx_base_print(t, "\"");
}

/* JSON has no infinity and no NaN: print null. */
static void print_double(double x, sx_text *t)
{
    if (isfinite(x))
        sx_base_print_number(t, 12, x);
    else
        sx_base_print(t, "null");
}

/* ---- members of objects, and elements of arrays, which have no key */

typedef struct writer {
    sx_text *text;
    int is_first; /* 1 while the current object or array has no member or element yet */
} writer;

static void begin_value(writer *w, const char *key)
{
    sx_base_print(w->text, w->is_first ? "" : ", ");
    w->is_first = 0;
    if (key)
        sx_base_print(w->text, "\"%s\": ", key);
}

static void begin(writer *w, const char *key, char bracket)
{
    begin_value(w, key);
    sx_base_print(w->text, "%c", bracket);
    w->is_first = 1;
}

static void end(writer *w, char bracket)
{
    sx_base_print(w->text, "%c", bracket);
    w->is_first = 0;
}

static void add_string(writer *w, const char *key, const char *value)
{
    begin_value(w, key);
    if (value)
        print_string(value, w->text);
    else
        sx_base_print(w->text, "null");
}

static void add_number(writer *w, const char *key, double value)
{
    begin_value(w, key);
    print_double(value, w->text);
}

static void add_axes(writer *w, const char *key, int n, const int axes[])
{
    begin(w, key, '[');
    for (int i = 0; i < n; i++)
        add_number(w, NULL, axes[i]);
    end(w, ']');
}

/* ---- the plan's choices */

/* Add all hints of the plan. The keys are the names of the hints without subx_. */
static int add_hints(writer *w, subx_fft_plan plan)
{
    MPI_Info info;
    int n = 0, found, rc = subx_fft_plan_get_info(plan, &info);
    if (rc)
        return rc;
    begin(w, "hints", '{');
    rc = MPI_Info_get_nkeys(info, &n);
    for (int i = 0; i < n && !rc; i++) {
        char key[MPI_MAX_INFO_KEY + 1], value[SX_HINT_LEN];
        rc = MPI_Info_get_nthkey(info, i, key);
        if (!rc)
            rc = MPI_Info_get(info, key, sizeof value - 1, value, &found);
        if (!rc)
            add_string(w, key + strlen("subx_"), value);
    }
    end(w, '}');
    MPI_Info_free(&info);
    return rc;
}

static int add_head(writer *w, const sx_explanation *e)
{
    static const char *const sources[] = {[SX_SOURCE_HINTS] = "hints",
                                          [SX_SOURCE_MODEL] = "model",
                                          [SX_SOURCE_MEASURED] = "measured",
                                          [SX_SOURCE_WISDOM] = "wisdom"};
    const sx_choice *c = &e->choice;
    add_string(w, "problem", e->problem);
    add_number(w, "ranks", sx_choice_get_nranks(c));
    add_number(w, "nodes", c->shared.placement ? (double)c->shared.placement->nnodes : NAN);
    add_string(w, "layout", c->shared.placement ? e->layout : NULL);
    add_string(w, "grid", c->hints.grid);
    add_string(w, "strategy", c->strategy->name);
    add_string(w, "source", sources[e->plan->report.source]);
    return add_hints(w, e->plan);
}

/* ---- stages */

static void add_order(writer *w, const char *key, const sx_stage *s, int side)
{
    const sx_box *b = side == SX_FROM ? &s->from : &s->to;
    add_axes(w, key, s->edge[side] ? 0 : b->ndims, b->order);
}

static void add_what(writer *w, const sx_stage *s)
{
    static const char *const kinds[] = {[SUBX_FFT_STAGE_SERIAL] = "serial",
                                        [SUBX_FFT_STAGE_EXCHANGE] = "exchange",
                                        [SUBX_FFT_STAGE_SCALE] = "scale"};
    const int both[2] = {s->whole_before, s->divided_before};
    add_string(w, "name", s->name);
    add_string(w, "kind", kinds[s->kind]);
    if (sx_stage_is_exchange(s))
        add_axes(w, "axes", s->dim < 0 ? 0 : 2, both);
    else
        add_axes(w, "axes", s->naxes, s->axes);
    add_order(w, "from_order", s, SX_FROM);
    add_order(w, "to_order", s, SX_TO);
}

static void add_stages(writer *w, const sx_explanation *e)
{
    begin(w, "stages", '[');
    for (int i = 0; i < e->nstages; i++) {
        const sx_explained_stage *s = &e->stage[i];
        begin(w, NULL, '{');
        add_what(w, s->stage);
        add_string(w, "engine", s->engine);
        add_number(w, "slices", s->engine ? (double)s->nslices : NAN);
        add_number(w, "bytes_inside", s->bytes[SX_INSIDE]);
        add_number(w, "bytes_between", s->bytes[SX_BETWEEN]);
        add_number(w, "bytes_sent", s->sent);
        add_number(w, "memory_bytes", s->memory);
        add_number(w, "predicted_s", s->predicted);
        add_number(w, "last_s", s->last);
        end(w, '}');
    }
    end(w, ']');
    add_number(w, "predicted_s", e->predicted);
    add_number(w, "last_s", e->last);
}

/* ---- candidates */

static void add_candidates(writer *w, const sx_report *r)
{
    static const char *const outcomes[] = {[SX_TUNE_UNTRIED] = "untried",
                                           [SX_TUNE_MEASURED] = "measured",
                                           [SX_TUNE_STOPPED] = "stopped",
                                           [SX_TUNE_FAILED] = "failed",
                                           [SX_TUNE_UNCONFIRMED] = "unconfirmed"};
    begin(w, "candidates", '[');
    for (int i = 0; i < r->n; i++) {
        const sx_candidate *c = &r->list[i];
        begin(w, NULL, '{');
        add_string(w, "name", c->name);
        add_number(w, "predicted_s", sx_explain_get_predicted(c));
        add_number(w, "measured_s", sx_explain_get_measured(c));
        add_number(w, "ratio", sx_explain_get_ratio(c));
        add_string(w, "outcome", outcomes[c->trial.outcome]);
        add_number(w, "executions", c->trial.executions);
        begin_value(w, "chosen");
        sx_base_print(w->text, i == r->chosen ? "true" : "false");
        end(w, '}');
    }
    end(w, ']');
    begin(w, "planning", '{');
    add_number(w, "seconds", r->seconds);
    add_number(w, "executions", r->nexecutions);
    end(w, '}');
}

/* ---- the machine, and remarks */

static void add_machine(writer *w, const sx_explanation *e)
{
    const sx_machine *m = e->choice.shared.machine;
    begin(w, "machine", '{');
    if (m) {
        begin_value(w, "calibrated");
        sx_base_print(w->text, e->is_calibrated ? "true" : "false");
        add_number(w, "flops", m->flops);
        add_number(w, "memory", m->memory);
        add_number(w, "across", m->across);
        add_number(w, "cache", m->cache);
        add_number(w, "cache_bytes", m->cache_bytes);
        add_number(w, "latency_inside", m->latency[SX_INSIDE]);
        add_number(w, "latency_between", m->latency[SX_BETWEEN]);
        add_number(w, "bandwidth_inside", m->bandwidth[SX_INSIDE]);
        add_number(w, "bandwidth_between", m->bandwidth[SX_BETWEEN]);
        add_number(w, "stage", m->stage);
    }
    if (m && e->choice.device) {
        add_number(w, "device_memory", m->device_memory);
        add_number(w, "device_launch", m->device_launch);
        add_number(w, "device_host", m->device_host);
        add_number(w, "device_link", m->device_link);
    }
    end(w, '}');
}

static void add_wire(writer *w, subx_fft_plan plan)
{
    const sx_wire bound = sx_plan_get_wire(plan);
    begin(w, "wire", '{');
    add_number(w, "exchanges", bound.exchanges);
    add_number(w, "forward", bound.relative[SX_FORWARD]);
    add_number(w, "forward_least", bound.least[SX_FORWARD]);
    add_number(w, "backward", bound.relative[SX_BACKWARD]);
    add_number(w, "backward_least", bound.least[SX_BACKWARD]);
    end(w, '}');
}

static void add_remarks(writer *w, const sx_explanation *e)
{
    const sx_report *r = &e->plan->report;
    const char *warning;
    begin(w, "warnings", '[');
    for (int flag = 1; flag <= r->warnings; flag *= 2)
        if (r->warnings & flag)
            add_string(w, NULL, sx_machine_get_warning(flag));
    for (int i = 0; (warning = sx_plan_get_warning(e->plan, &i));)
        add_string(w, NULL, warning);
    end(w, ']');
    add_string(w, "lost", e->lost);
    add_string(w, "no_effect", e->unused);
    begin(w, "wisdom", '[');
    for (int i = 0; i < 2; i++)
        if (*r->wisdom[i])
            add_string(w, NULL, r->wisdom[i]);
    end(w, ']');
}

int sx_explain_print_json(const sx_explanation *e, sx_text *t)
{
    writer w = {t, 1};
    begin(&w, NULL, '{');
    int rc = add_head(&w, e);
    add_stages(&w, e);
    add_candidates(&w, &e->plan->report);
    add_machine(&w, e);
    add_wire(&w, e->plan);
    add_remarks(&w, e);
    add_number(&w, "work_bytes", (double)e->work);
    end(&w, '}');
    sx_base_print(t, "\n");
    return rc;
}
