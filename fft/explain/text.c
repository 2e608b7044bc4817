/* text.c - an explanation for people: paragraphs with labels, and tables of stages and of candidates. */
#include "explain/explain.h"
#include <string.h>

/* ---- numbers with three digits, and paragraphs */

static int get_decimals(double x)
{
    if (x >= 99.95)
        return 0;
    if (x >= 9.995)
        return 1;
    return x >= 0.9995 ? 2 : 3;
}

static void print_time(double seconds, sx_text *t)
{
    if (isfinite(seconds))
        sx_base_print(t, "%.*f ms", get_decimals(1e3 * seconds), 1e3 * seconds);
    else
        sx_base_print(t, "-");
}

static void print_bytes(double bytes, sx_text *t)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int k = 0;
    for (; bytes >= 1023.5 && k < 4; k++)
        bytes /= 1024;
    if (isfinite(bytes))
        sx_base_print(t, "%.*f %s", k ? get_decimals(bytes) : 0, bytes, units[k]);
    else
        sx_base_print(t, "-");
}

/* A paragraph: a label, and a text that is broken at blanks into lines. A word that is longer than a line is
 * not broken. */
enum { COLUMNS = 120, INDENT = 9 };

static void print_paragraph(const char *label, const char *text, sx_text *t)
{
    size_t room = 0;
    sx_base_print(t, "%-*s", INDENT - 1, label);
    for (; *text; text += strspn(text, " ")) {
        const size_t len = strcspn(text, " ");
        const int is_full = room < len + 1;
        if (is_full && room > 0)
            sx_base_print(t, "\n%*s", INDENT - 1, "");
        room = is_full ? COLUMNS - INDENT : room;
        room -= len + 1 < room ? len + 1 : room;
        sx_base_print(t, " %.*s", sx_base_fit((ptrdiff_t)len), text);
        text += len;
    }
    sx_base_print(t, "\n");
}

/* ---- tables: columns are as wide as their widest cells, up to a limit */

enum { CELLS = 9, CELL = 192 };

typedef struct column {
    const char *title;
    int most; /* largest width; a longer cell is cut */
    int is_right;
} column;

typedef struct row {
    char cell[CELLS][CELL];
    sx_text text[CELLS]; /* [k]: prints into cell[k] */
} row;

typedef void set_row(const sx_explanation *e, int i, row *r);

static void clear(row *r)
{
    for (int k = 0; k < CELLS; k++) {
        r->cell[k][0] = '\0';
        r->text[k] = (sx_text){r->cell[k], CELL, 0};
    }
}

static void set_titles(int n, const column columns[], row *r)
{
    for (int k = 0; k < n; k++)
        sx_base_print(&r->text[k], "%s", columns[k].title);
}

/* Blanks are printed before the next cell, so that no line ends with blanks. */
static void print_row(int n, const column columns[], const int width[], row *r, sx_text *t)
{
    int blanks = 2;
    for (int k = 0; k < n; k++) {
        const int len = sx_base_fit((ptrdiff_t)strlen(r->cell[k])),
                  missing = len < width[k] ? width[k] - len : 0;
        if (len > width[k])
            memcpy(r->cell[k] + width[k] - 2, "..", 3);
        if (len > 0) {
            sx_base_print(t, "%*s%s", blanks + (columns[k].is_right ? missing : 0), "", r->cell[k]);
            blanks = columns[k].is_right ? 2 : 2 + missing;
        } else
            blanks += 2 + missing;
    }
    sx_base_print(t, "\n");
}

static void print_table(const sx_explanation *e, int nrows, int n, const column columns[], set_row *set,
                        sx_text *t)
{
    int width[CELLS] = {0};
    row r;
    for (int is_last = 0; is_last < 2; is_last++)
        for (int i = -1; i < nrows; i++) {
            clear(&r);
            if (i < 0)
                set_titles(n, columns, &r);
            else
                set(e, i, &r);
            for (int k = 0; k < n; k++) {
                const int len = sx_base_fit((ptrdiff_t)strlen(r.cell[k])),
                          wanted = len < columns[k].most ? len : columns[k].most;
                width[k] = wanted > width[k] ? wanted : width[k];
            }
            if (is_last)
                print_row(n, columns, width, &r, t);
        }
}

/* ---- stages */

static void print_orders(const sx_stage *s, sx_text *t)
{
    if (s->edge[SX_FROM] || s->edge[SX_TO])
        sx_base_print(t, "in the caller's boxes");
    else if (s->from.ndims > 0)
        sx_stage_print_orders(s, t);
}

static void set_stage(const sx_explanation *e, int i, row *r)
{
    const sx_explained_stage *s = &e->stage[i];
    sx_base_print(&r->text[0], "%d %s", i + 1, s->stage->name);
    print_orders(s->stage, &r->text[1]);
    if (s->engine)
        sx_base_print(&r->text[2], "%s", s->engine);
    if (s->engine)
        sx_base_print(&r->text[3], "%d", s->nslices);
    if (sx_stage_is_exchange(s->stage)) {
        print_bytes(s->bytes[SX_INSIDE], &r->text[4]);
        print_bytes(s->bytes[SX_BETWEEN], &r->text[5]);
    } else
        print_bytes(s->memory, &r->text[6]);
    print_time(s->predicted, &r->text[7]);
    print_time(s->last, &r->text[8]);
}

static void print_sum(const sx_explanation *e, sx_text *t)
{
    char text[256];
    sx_text line = {text, sizeof text, 0};
    if (isfinite(e->predicted)) {
        sx_base_print(&line, "forward is predicted to take ");
        print_time(e->predicted, &line);
    } else
        sx_base_print(&line, "there is no prediction of forward");
    if (isfinite(e->last)) {
        sx_base_print(&line, "; its last execution took this rank ");
        print_time(e->last, &line);
    } else
        sx_base_print(&line, "; it was not executed yet");
    print_paragraph("sum", text, t);
    line.used = 0;
    print_bytes((double)e->work, &line);
    sx_base_print(&line, " of work space on this rank");
    print_paragraph("memory", text, t);
}

static void print_stages(const sx_explanation *e, sx_text *t)
{
    static const column columns[] = {{"stage", 40, 0}, {"stored", 24, 0},   {"engine", 10, 0},
                                     {"slices", 6, 1}, {"inside", 8, 1},    {"between", 8, 1},
                                     {"memory", 8, 1}, {"predicted", 9, 1}, {"last", 9, 1}};
    print_table(e, e->nstages, CELLS, columns, set_stage, t);
    print_sum(e, t);
}

/* ---- candidates */

enum { SHOWN = 20 };

/* Get the candidate of line i. If the chosen one is not among the first SHOWN, the last line has it. */
static int get_candidate(const sx_report *r, int i)
{
    return i == SHOWN - 1 && r->chosen >= SHOWN ? r->chosen : i;
}

static const char *get_outcome(const sx_report *r, int i)
{
    static const char *const outcomes[] = {"not tried", "measured", "stopped: clearly slower", "failed",
                                           "no time to confirm it"};
    if (i != r->chosen)
        return outcomes[r->list[i].trial.outcome];
    return !isnan(sx_explain_get_ratio(&r->list[i])) ? "chosen" : "chosen, not measured";
}

static void set_candidate(const sx_explanation *e, int i, row *r)
{
    const sx_report *report = &e->plan->report;
    const int k = get_candidate(report, i);
    const sx_candidate *c = &report->list[k];
    sx_base_print(&r->text[0], "%c%3d", k == report->chosen ? '*' : ' ', k + 1);
    sx_base_print(&r->text[1], "%s", c->name);
    print_time(sx_explain_get_predicted(c), &r->text[2]);
    print_time(sx_explain_get_measured(c), &r->text[3]);
    if (!isnan(sx_explain_get_ratio(c)))
        sx_base_print(&r->text[4], "%.2f", c->trial.ratio);
    else
        sx_base_print(&r->text[4], "-");
    sx_base_print(&r->text[5], "%d", c->trial.executions);
    sx_base_print(&r->text[6], "%s", get_outcome(report, k));
}

static void print_candidates(const sx_explanation *e, sx_text *t)
{
    static const column columns[] = {{"", 5, 0},         {"candidate", 51, 0}, {"predicted", 9, 1},
                                     {"measured", 9, 1}, {"ratio", 6, 1},      {"executed", 8, 1},
                                     {"outcome", 23, 0}};
    enum { NCOLUMNS = sizeof columns / sizeof *columns };
    const int n = e->plan->report.n;
    if (n == 0)
        return;
    print_table(e, n < SHOWN ? n : SHOWN, NCOLUMNS, columns, set_candidate, t);
    if (n > SHOWN)
        sx_base_print(t, "  and %d more, which only JSON lists\n", n - SHOWN);
}

/* ---- who chose */

/* Get the number by which candidates were compared: the measured ratio, or the seconds of the model. */
static double get_cost(const sx_report *r, int i)
{
    return r->source == SX_SOURCE_MEASURED ? sx_explain_get_ratio(&r->list[i])
                                           : sx_explain_get_predicted(&r->list[i]);
}

/* Query whether a candidate was stopped after few executions, and its ratio is lower than the ratio of the
 * chosen candidate. Such a ratio is wrong. */
static int is_misjudged(const sx_report *r, int i)
{
    return r->list[i].trial.outcome == SX_TUNE_STOPPED && get_cost(r, i) < get_cost(r, r->chosen);
}

static void print_margin(const sx_report *r, sx_text *t)
{
    int second = -1;
    if (r->chosen < 0)
        return;
    for (int i = 0; i < r->n; i++)
        if (i != r->chosen && isfinite(get_cost(r, i)) && !is_misjudged(r, i) &&
            (second < 0 || get_cost(r, i) < get_cost(r, second)))
            second = i;
    if (second >= 0 && isfinite(get_cost(r, r->chosen)))
        sx_base_print(t, "; the best other one, number %d, takes %.2f times as long", second + 1,
                      get_cost(r, second) / get_cost(r, r->chosen));
}

static void print_source(const sx_explanation *e, sx_text *t)
{
    static const char *const sources[] = {
        [SX_SOURCE_HINTS] = "by the caller's hints",
        [SX_SOURCE_MODEL] = "by the cost model",
        [SX_SOURCE_MEASURED] = "by measurement",
        [SX_SOURCE_WISDOM] = "by wisdom",
    };
    const sx_report *r = &e->plan->report;
    char text[256];
    sx_text line = {text, sizeof text, 0};
    int nexecuted = 0;
    for (int i = 0; i < r->n; i++)
        nexecuted += r->list[i].trial.executions > 0;
    sx_base_print(&line, "%s", sources[r->source]);
    if (r->n > 0) {
        sx_base_print(&line, ": %d candidate%s, %d of them executed, in ", r->n, r->n == 1 ? "" : "s",
                      nexecuted);
        print_time(r->seconds, &line);
        sx_base_print(&line, " and %d execution%s", r->nexecutions, r->nexecutions == 1 ? "" : "s");
        print_margin(r, &line);
    }
    print_paragraph("chosen", text, t);
}

/* ---- all of it */

static void print_head(const sx_explanation *e, sx_text *t)
{
    char text[SX_PROBLEM_TEXT + 3 * SX_HINT_LEN];
    sx_text line = {text, sizeof text, 0};
    const int nranks = sx_choice_get_nranks(&e->choice);
    sx_base_print(&line, "%s on %d rank%s, grid %s, strategy %s", e->problem, nranks, nranks == 1 ? "" : "s",
                  e->choice.hints.grid, e->choice.strategy->name);
    print_paragraph("plan", text, t);
    print_source(e, t);
}

static void print_ranks(const sx_explanation *e, sx_text *t)
{
    char text[256];
    sx_text line = {text, sizeof text, 0};
    const sx_placement *p = e->choice.shared.placement;
    const int nranks = sx_choice_get_nranks(&e->choice);
    if (!p)
        return;
    sx_base_print(&line, "%d on %d node%s", p->nranks, p->nnodes, p->nnodes == 1 ? "" : "s");
    if (p->nnodes > 1)
        sx_base_print(&line, ": %s", e->layout);
    if (p->ndomains > 1)
        sx_base_print(&line, "; NUMA domains per node: %d", p->ndomains);
    if (nranks < p->nranks)
        sx_base_print(&line, "; %d of them %s data", nranks, nranks == 1 ? "has" : "have");
    print_paragraph("ranks", text, t);
}

static void print_machine(const sx_explanation *e, sx_text *t)
{
    char text[1024];
    sx_text line = {text, sizeof text, 0};
    if (!e->choice.shared.machine)
        return;
    sx_base_print(&line, e->is_calibrated ? "calibrated: " : "not calibrated, default values: ");
    sx_machine_print(e->choice.shared.machine, e->choice.device != NULL, &line);
    print_paragraph("machine", text, t);
}

static void print_remarks(const sx_explanation *e, sx_text *t)
{
    const sx_report *r = &e->plan->report;
    const char *warning;
    for (int flag = 1; flag <= r->warnings; flag *= 2)
        if (r->warnings & flag)
            print_paragraph("warning", sx_machine_get_warning(flag), t);
    for (int i = 0; (warning = sx_plan_get_warning(e->plan, &i));)
        print_paragraph("warning", warning, t);
    if (*e->wire)
        print_paragraph("wire", e->wire, t);
    if (*e->unused) {
        char text[SX_HINT_LEN + 32];
        sx_text line = {text, sizeof text, 0};
        sx_base_print(&line, "has no effect here: %s", e->unused);
        print_paragraph("hints", text, t);
    }
    if (*e->lost)
        print_paragraph("lost", e->lost, t);
    for (int i = 0; i < 2; i++)
        if (*r->wisdom[i])
            print_paragraph("wisdom", r->wisdom[i], t);
}

void sx_explain_print_text(const sx_explanation *e, sx_text *t)
{
    print_head(e, t);
    print_stages(e, t);
    print_candidates(e, t);
    print_machine(e, t);
    print_ranks(e, t);
    print_remarks(e, t);
}
