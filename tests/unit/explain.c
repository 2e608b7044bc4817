/* explain.c - explanations of plans, from reports that the test fills in: every outcome of a candidate, every
 * source, text that JSON must escape, numbers that JSON cannot write, and a text that is longer than its
 * buffer. */
#include "common/hints.h"
#include "common/unit.h"
#include "plan/plan.h"
#include <math.h>
#include <string.h>
#include <subx_tune.h>

/* ---- a plan with a report */

static char text[65536];
static sx_report original; /* the report with which the plan was created */

/* Create a plan that neither reads nor writes wisdom. */
static subx_fft_plan create(void)
{
    const ptrdiff_t sizes[] = {6, 5, 8};
    subx_fft_plan plan;
    MPI_Info hints = test_hints("wisdom=none");
    ck_assert_ok(subx_fft_plan_create(MPI_COMM_SELF, SUBX_FFT_C2C, 3, sizes, hints, &plan));
    MPI_Info_free(&hints);
    original = plan->report;
    return plan;
}

static const char *explain(subx_fft_plan plan, int format)
{
    size_t needed = 0;
    ck_assert_ok(subx_fft_plan_explain(plan, format, sizeof text, text, &needed));
    ck_assert_uint_eq(needed, strlen(text));
    return text;
}

static void set_candidate(sx_candidate *c, const char *name, int outcome, double seconds)
{
    strcpy(c->name, name);
    c->price = seconds;
    c->trial = (sx_tune_trial){outcome, seconds, outcome == SX_TUNE_FAILED ? INFINITY : seconds / 2e-3,
                               outcome == SX_TUNE_UNTRIED ? 0 : 7};
}

/* Give a plan a report with n candidates, n >= 4. The first four candidates have four different outcomes. The
 * plan uses the caller's list until finish gives the original report back to the plan. */
static void set_report(subx_fft_plan plan, sx_candidate *list, int n, int chosen)
{
    for (int i = 4; i < n; i++)
        set_candidate(&list[i], "another one", SX_TUNE_UNTRIED, 9e-3);
    set_candidate(&list[0], "grid 2x2, strategy fused", SX_TUNE_MEASURED, 2e-3);
    set_candidate(&list[1], "grid 4", SX_TUNE_STOPPED, 3e-3);
    set_candidate(&list[2], "engine types", SX_TUNE_FAILED, 4e-3);
    set_candidate(&list[3], "natural", SX_TUNE_UNTRIED, 12.34567);
    plan->report = (sx_report){.source = SX_SOURCE_MEASURED,
                               .n = n,
                               .chosen = chosen,
                               .list = list,
                               .seconds = 0.25,
                               .nexecutions = 21};
}

static void finish(subx_fft_plan *plan)
{
    (*plan)->report = original;
    ck_assert_ok(subx_fft_plan_free(plan));
}

#define ck_assert_has(where, what) ck_assert_msg(strstr(where, what), "no \"%s\" in: %s", what, where)

TEST(all_outcomes_are_told)
{
    subx_fft_plan plan = create();
    sx_candidate list[4];
    set_report(plan, list, 4, 0);
    const char *told = explain(plan, SUBX_FFT_TEXT);
    ck_assert_has(
        told,
        "chosen   by measurement: grid 2x2, strategy fused; 4 candidates, 3 of them executed, in 250 ms and "
        "21 executions\n");
    ck_assert_has(
        told,
        "*  1  grid 2x2, strategy fused                               2.00 ms    2.00 ms       1         7  measured\n");
    ck_assert_has(
        told,
        "   2  grid 4                                                 3.00 ms    3.00 ms     1.5         7  stopped\n");
    ck_assert_has(
        told,
        "   3  engine types                                           4.00 ms          -       -         7  failed\n");
    ck_assert_has(
        told,
        "   4  natural                                               12346 ms          -       -         0  untried\n");
    told = explain(plan, SUBX_FFT_JSON);
    ck_assert_has(
        told,
        "\"measured_s\": 0.003, \"ratio\": 1.5, \"outcome\": \"stopped\", \"executions\": 7, \"chosen\": false");
    ck_assert_has(told, "\"measured_s\": null, \"ratio\": null, \"outcome\": \"failed\"");
    ck_assert_has(told, "\"outcome\": \"untried\", \"executions\": 0");
    ck_assert_has(told, "\"outcome\": \"measured\", \"executions\": 7, \"chosen\": true");
    ck_assert_has(told, "\"planning\": {\"seconds\": 0.25, \"executions\": 21}");
    finish(&plan);
}

TEST(candidates_may_lack_a_confirmation)
{
    subx_fft_plan plan = create();
    sx_candidate list[4];
    set_report(plan, list, 4, 0);
    set_candidate(&list[3], "natural", SX_TUNE_UNCONFIRMED, 1.8e-3);
    list[3].trial.ratio = INFINITY;
    ck_assert_has(explain(plan, SUBX_FFT_TEXT), "7  unconfirmed\n");
    ck_assert_has(explain(plan, SUBX_FFT_JSON), "\"outcome\": \"unconfirmed\", \"executions\": 7");
    finish(&plan);
}

TEST(sources_are_told)
{
    static const char *const words[] = {"by the caller's hints", "by the cost model", "by measurement",
                                        "by wisdom"};
    static const char *const names[] = {"\"hints\"", "\"model\"", "\"measured\"", "\"wisdom\""};
    subx_fft_plan plan = create();
    for (int i = 0; i < 4; i++) {
        plan->report = (sx_report){.source = i, .chosen = -1};
        ck_assert_has(explain(plan, SUBX_FFT_TEXT), words[i]);
        ck_assert_has(explain(plan, SUBX_FFT_JSON), names[i]);
    }
    finish(&plan);
}

TEST(long_lists_are_printed)
{
    enum { MANY = 40 };
    subx_fft_plan plan = create();
    sx_candidate list[MANY];
    set_report(plan, list, MANY, 30);
    plan->report.source = SX_SOURCE_MODEL;
    const char *told = explain(plan, SUBX_FFT_TEXT);
    ck_assert_has(told, "\n     5  another one");
    ck_assert_has(told, "\n  * 31  another one");
    ck_assert_has(told, "\n    40  another one");
    told = explain(plan, SUBX_FFT_JSON);
    int n = 0;
    for (const char *s = told; (s = strstr(s, "\"another one\"")); s++)
        n++;
    ck_assert_int_eq(n, MANY - 4);
    finish(&plan);
}

TEST(lines_of_tables_are_not_too_long)
{
    subx_fft_plan plan = create();
    sx_candidate list[4];
    set_report(plan, list, 4, 0);
    memset(list[3].name, 'x', sizeof list[3].name - 1);
    memset(plan->stage[0].name, 'y', sizeof plan->stage[0].name - 1);
    const char *told = explain(plan, SUBX_FFT_TEXT);
    ck_assert_has(told, "xxx..");
    ck_assert_has(told, "yyy..");
    for (const char *s = told; *s; s += strcspn(s, "\n") + 1)
        ck_assert_int_le(*s == ' ' ? (int)strcspn(s, "\n") : 0, 130);
    finish(&plan);
}

TEST(json_escapes_names)
{
    subx_fft_plan plan = create();
    sx_candidate list[4];
    set_report(plan, list, 4, 0);
    strcpy(list[0].name, "a \"b\" \\ \n \x01 \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    strcpy(list[1].name, "\xe9\xc3( \xed\xa0\x80 \xc0\x80 \xf5");
    list[0].trial.ratio = NAN;
    list[0].trial.seconds = INFINITY;
    plan->report.warnings = SX_WARN_UNBOUND | SX_WARN_SHARED_CORE;
    strcpy(plan->report.wisdom[0], "read /tmp/\"x\"");
    const char *told = explain(plan, SUBX_FFT_JSON);
    ck_assert_has(told, "\"a \\\"b\\\" \\\\ \\u000a \\u0001 \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    ck_assert_has(told, "\"\\ufffd\\ufffd( \\ufffd\\ufffd\\ufffd \\ufffd\\ufffd \\ufffd\"");
    ck_assert_has(told, "\"measured_s\": null, \"ratio\": null, \"outcome\": \"measured\"");
    ck_assert_has(told, "\"wisdom\": [\"read /tmp/\\\"x\\\"\"]");
    finish(&plan);
}

/* If the machine's parameters and the placement are known, the explanation has predictions. */
TEST(machines_are_told)
{
    subx_fft_plan plan = create();
    const sx_choice saved = plan->choice;
    sx_machine machine;
    sx_placement placement;
    sx_machine_set_default(&machine);
    ck_assert_ok(sx_placement_create_regular(1, 1, 1, 0, &placement));
    plan->choice.shared.machine = NULL;
    plan->choice.shared.placement = NULL;
    ck_assert_has(explain(plan, SUBX_FFT_TEXT), "there is no prediction");
    ck_assert_has(explain(plan, SUBX_FFT_JSON), "\"machine\": {}");
    ck_assert_has(text, "\"nodes\": null, ");
    plan->choice.shared.machine = &machine;
    plan->choice.shared.placement = &placement;
    ck_assert_has(explain(plan, SUBX_FFT_TEXT), "not calibrated");
    ck_assert_has(text, "forward is predicted to take ");
    ck_assert_has(text, "ranks    1 on 1 node\n");
    placement.ndomains = 2;
    ck_assert_has(explain(plan, SUBX_FFT_TEXT), "ranks    1 on 1 node; NUMA domains per node: 2\n");
    placement.ndomains = 1;
    machine.flops *= 2;
    ck_assert_has(explain(plan, SUBX_FFT_TEXT), "machine  calibrated");
    ck_assert_has(explain(plan, SUBX_FFT_JSON), "\"calibrated\": true");
    ck_assert_has(text, "\"nodes\": 1, ");
    plan->choice = saved;
    sx_placement_free(&placement);
    finish(&plan);
}

TEST(times_come_with_executions)
{
    static double from[2 * 6 * 5 * 8], to[2 * 6 * 5 * 8];
    subx_fft_plan plan = create();
    ck_assert_has(explain(plan, SUBX_FFT_TEXT), "it was not executed yet");
    ck_assert_has(explain(plan, SUBX_FFT_JSON), "\"last_s\": null");
    ck_assert_ok(subx_fft_execute(plan, SUBX_FFT_FORWARD, from, to));
    ck_assert_has(explain(plan, SUBX_FFT_TEXT), "its last execution took this rank ");
    ck_assert_ptr_null(strstr(explain(plan, SUBX_FFT_JSON), "\"last_s\": null"));
    finish(&plan);
}

TEST(texts_are_cut)
{
    char part[40], whole[4096];
    size_t needed = 0;
    subx_fft_plan plan = create();
    ck_assert_ok(subx_fft_plan_explain(plan, SUBX_FFT_JSON, 0, NULL, &needed));
    ck_assert_ok(subx_fft_plan_explain(plan, SUBX_FFT_JSON, sizeof whole, whole, NULL));
    ck_assert_uint_eq(needed, strlen(whole));
    ck_assert_ok(subx_fft_plan_explain(plan, SUBX_FFT_JSON, sizeof part, part, NULL));
    ck_assert_uint_eq(strlen(part), sizeof part - 1);
    ck_assert_int_eq(strncmp(part, whole, sizeof part - 1), 0);
    ck_assert_kind(subx_fft_plan_explain(plan, 2, sizeof part, part, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_plan_explain(plan, SUBX_FFT_TEXT, 1, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_plan_explain(SUBX_FFT_PLAN_NULL, SUBX_FFT_TEXT, 0, NULL, NULL), SUBX_ERR_ARG);
    finish(&plan);
}
