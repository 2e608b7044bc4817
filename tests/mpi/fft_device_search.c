/* fft_device_search.c - plans on device memory that are searched for, by default on the fake device: the
 * faster one of two strategies, carriers or readers wins; wisdom remembers it for this device; calibrations;
 * device calls that fail during a search or a calibration.
 *
 * The fake device delays transforms of contiguous pencils, or of strided ones, messages, or kernels that
 * permute. So one of two candidates is slower by a known time. With TEST_DEVICE=cuda:device the test runs on
 * a GPU, without the delays and without the calls that fail.
 * ranks: 1 2 3 4 */
#include "common/hints.h"
#include "common/on_device.h"
#include "common/plan.h"
#include "common/verdict.h"
#include "common/wisdom.h"
#include "plan/plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = TEST_WISDOM, TEXT = 512, DELAY = 4000 };

static const char contiguous[] = "device", strided[] = "device_natural";

static void set_delay(int which, int microseconds)
{
    if (test_device.fake)
        test_device.fake->delay[which] = microseconds;
}

static void set_delays(int of_contiguous, int of_strided)
{
    set_delay(SX_FAKE_CONTIGUOUS, of_contiguous);
    set_delay(SX_FAKE_STRIDED, of_strided);
}

static subx_fft_plan create(const char *problem, const char *hints)
{
    char all[TEXT];
    const test_task t = {problem, all};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    snprintf(all, sizeof all, "wisdom=%s %s", test_wisdom_path, hints);
    EXPECT_OK(test_device_create_plan(&t, MPI_COMM_WORLD, test_device.place, &plan));
    return plan;
}

static void empty_wisdom(void)
{
    test_wisdom_write(NULL);
}

/* ---- which plan wins */

/* Create a plan, expect that it is from this source, and free it. Returns its strategy. */
static const sx_strategy *get_strategy(const char *effort, int source)
{
    char hints[TEXT];
    snprintf(hints, sizeof hints, "effort=%s", effort);
    subx_fft_plan plan = create("r2c:14x10x12", hints);
    if (!plan)
        return NULL;
    const sx_strategy *strategy = plan->choice.strategy;
    EXPECT_EQUAL(plan->report.source, source);
    EXPECT_EQUAL(plan->report.nexecutions > 0, source == SX_SOURCE_MEASURED);
    EXPECT_SAME(strlen(strategy->name));
    EXPECT_OK(subx_fft_plan_free(&plan));
    return strategy;
}

/* The machine may stop a rank at any time, and so make the faster candidate appear slower. So up to MOST
 * searches are made. */
enum { MOST = 5 };

/* Search for a plan without wisdom. Returns the strategy of the last search. */
static const sx_strategy *search(const char *fast)
{
    const sx_strategy *found = NULL;
    for (int i = 0; i < MOST && (!found || strcmp(found->name, fast) != 0); i++) {
        empty_wisdom();
        found = get_strategy("measure", SX_SOURCE_MEASURED);
    }
    return found;
}

/* Expect that a strategy is found and remembered. A single rank has one strategy only. A GPU decides for
 * itself. */
static void check_winner(int of_contiguous, int of_strided, const char *fast)
{
    test_context("%s is faster", fast);
    set_delays(of_contiguous, of_strided);
    const sx_strategy *found = search(test_device.fake && test_nranks > 1 ? fast : contiguous);
    EXPECT(found && (!test_device.fake || test_nranks == 1 || strcmp(found->name, fast) == 0));
    set_delays(of_strided, of_contiguous);
    EXPECT(get_strategy("measure", SX_SOURCE_WISDOM) == found);
    EXPECT(get_strategy("estimate", SX_SOURCE_WISDOM) == found);
    set_delays(0, 0);
}

/* ---- ways between devices */

/* Query whether a candidate has a way; "" stands for none. */
static int has_way(subx_fft_plan plan, int i, const char *way)
{
    const char *at = strstr(plan->report.list[i].name, ", device_");
    return at ? *way && strcmp(at + 2, way) == 0 : !*way;
}

/* Expect that this way alone is tried, or none if it is "". No other candidate may fail. */
static void check_tried(subx_fft_plan plan, const char *way)
{
    int count = 0;
    for (int i = 0; i < plan->report.n; i++) {
        EXPECT(plan->report.list[i].trial.outcome != SX_TUNE_FAILED);
        EXPECT(!test_device.fake || has_way(plan, i, "") || has_way(plan, i, way));
        count += *way && has_way(plan, i, way);
    }
    EXPECT_EQUAL(count > 0, *way && (count > 0 || test_device.fake) && test_nranks > 1);
    EXPECT(count == 0 || test_plan_says(plan, SUBX_FFT_TEXT, way));
}

/* Create a plan, and expect its source. Returns whether it has a way. */
static int is_chosen(const char *hints, int source, const char *way)
{
    subx_fft_plan plan = create("c2c:9x8x10", hints);
    if (!plan)
        return 0;
    EXPECT_EQUAL(plan->report.source, source);
    if (source == SX_SOURCE_MEASURED)
        check_tried(plan, way);
    const int is_it = has_way(plan, plan->report.chosen, way);
    EXPECT_SAME(is_it);
    EXPECT_OK(subx_fft_plan_free(&plan));
    return is_it;
}

/* A way that is slower by default is left for another one, which wisdom remembers although it is not faster
 * any more. `which` is what is slow. A GPU decides for itself; a single rank has no choice. */
static void check_way(const char *hints, int which, const char *way)
{
    int is_found = 0;
    test_context("%s, %s", hints, way);
    set_delay(which, DELAY);
    for (int i = 0; i < (test_nranks > 1 ? MOST : 1) && !is_found; i++) {
        empty_wisdom();
        is_found = is_chosen(hints, SX_SOURCE_MEASURED, way);
    }
    set_delay(which, 0);
    EXPECT(!test_device.fake || is_found == (test_nranks > 1));
    EXPECT_EQUAL(is_chosen(hints, SX_SOURCE_WISDOM, way), is_found);
}

/* Expect that a search tries no way. `messages` is what MPI does with memory of the fake device. */
static void check_no_way(const char *hints, int messages)
{
    test_context("%s, MPI %d", hints, messages);
    test_device_set_messages((uint64_t)messages);
    empty_wisdom();
    EXPECT(is_chosen(hints, SX_SOURCE_MEASURED, "") || !test_device.fake);
}

#define APART "effort=measure node_ranks=1 engine=pairwise strategy=device grid=0"
#define NEAR "effort=measure strategy=device_natural grid=0"

static void check_ways(void)
{
    test_device_set_messages(SX_FAKE_TAKES_MESSAGES);
    check_way(APART " device_carrier=auto", SX_FAKE_LENT, "device_carrier staged");
    check_way(NEAR, SX_FAKE_PERMUTED, "device_reader copies");
    if (test_device.fake)
        check_no_way(APART " device_carrier=messages", SX_FAKE_TAKES_MESSAGES);
    check_no_way(NEAR " device_reader=kernel", SX_FAKE_TAKES_MESSAGES);
    check_no_way(APART, SX_FAKE_SPOILS_MESSAGES);
    check_no_way(APART, SX_FAKE_REFUSES_MESSAGES);
    empty_wisdom();
}

/* ---- texts */

static void check_file(void)
{
    char text[LONGEST];
    test_wisdom_read(text);
    EXPECT(strstr(text, test_device.fake ? ", a fake device, version " : "driver of CUDA"));
    EXPECT(strstr(text, ", MPI takes addresses of GPUs: ") && strstr(text, "\tmeasure; "));
}

/* An explanation lists the candidates that were tried. */
static void check_texts(void)
{
    test_context("texts");
    empty_wisdom();
    subx_fft_plan plan = create("c2c:12x9x8", "effort=measure threads=1");
    if (!plan)
        return;
    EXPECT(test_plan_says(plan, SUBX_FFT_TEXT, "strategy device"));
    EXPECT(test_nranks == 1 || test_plan_says(plan, SUBX_FFT_TEXT, "strategy device_natural"));
    EXPECT(test_nranks == 1 || test_plan_says(plan, SUBX_FFT_TEXT, "slices 4"));
    EXPECT(!test_plan_says(plan, SUBX_FFT_TEXT, "serial "));
    EXPECT(!test_plan_says(plan, SUBX_FFT_TEXT, "effort measure"));
    EXPECT(test_plan_says(plan, TEST_PRINTED, "by measurement: "));
    EXPECT_OK(subx_fft_plan_free(&plan));
    check_file();
}

/* ---- candidates */

/* All ranks have the same candidates, none of which fails. (fft_device.c draws what candidates vary.) */
static void check_candidates(const char *problem, const char *effort)
{
    char hints[TEXT];
    snprintf(hints, sizeof hints, "effort=%s time_limit=1", effort);
    test_context("%s %s", problem, hints);
    empty_wisdom();
    subx_fft_plan plan = create(problem, hints);
    if (!plan)
        return;
    EXPECT_SAME(plan->report.n);
    EXPECT(plan->report.n > (test_nranks > 1 ? 3 : 0));
    for (int i = 0; i < plan->report.n; i++)
        EXPECT(plan->report.list[i].trial.outcome != SX_TUNE_FAILED);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* ---- calibration */

/* Count the entries of calibrations with a word. */
static int count_lines(const char *word)
{
    char text[LONGEST];
    int n = 0;
    test_wisdom_read(text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        n += strstr(line, "\tmachine\t") && strstr(line, word);
    return n;
}

static int calibrate(const char *memory, char text[LONGEST])
{
    MPI_Info hints = test_hints("wisdom=%s memory_kind=%s", test_wisdom_path, memory);
    const int rc = subx_fft_machine_calibrate(MPI_COMM_WORLD, hints, 0.05, LONGEST, text);
    MPI_Info_free(&hints);
    return rc;
}

static double get_value(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtod(at + strlen(name), NULL) : -1;
}

/* Expect whether the explanation of a plan on some memory has calibrated values, and the value of a parameter
 * in it. */
static void check_explained(const char *memory, int is_calibrated, const char *name, double value)
{
    char key[64], hints[TEXT];
    const test_task t = {"c2c:8x9x10", hints};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    snprintf(hints, sizeof hints, "wisdom=%s", test_wisdom_path);
    if (!EXPECT_OK(test_device_create_plan(&t, MPI_COMM_WORLD, memory, &plan)))
        return;
    char *text = test_plan_get_text(plan, SUBX_FFT_JSON);
    EXPECT(strstr(text, is_calibrated ? "\"calibrated\": true" : "\"calibrated\": false"));
    snprintf(key, sizeof key, "\"%s\": ", name);
    EXPECT(get_value(text, key) == value);
    free(text);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* A calibration of the device has an entry of its own. Plans on the host do not read it. Plans on the device
 * read the entry of the host if there is no entry of the device. */
static void check_calibration(void)
{
    static const char *const names[] = {"device_memory ", "device_launch ", "device_host ", "device_link "};
    char text[LONGEST] = "", host[LONGEST] = "";
    test_context("calibration");
    empty_wisdom();
    sx_base_knobs.shrinks = test_device.fake ? 6 : 0;
    EXPECT_OK(calibrate(SX_DEVICE_SYSTEM, host));
    EXPECT(!strstr(host, "device"));
    check_explained(test_device.place, 0, "flops", get_value(host, "flops "));
    EXPECT_OK(calibrate(test_device.place, text));
    for (int i = 0; i < 4; i++)
        EXPECT(get_value(text, names[i]) > 0);
    EXPECT(test_nranks > 1 || get_value(text, "device_link ") == 2e11);
    EXPECT_EQUAL(count_lines(", MPI takes addresses of GPUs: "), 1);
    EXPECT_EQUAL(count_lines(""), 2);
    check_explained(test_device.place, 1, "device_memory", get_value(text, "device_memory "));
    check_explained(test_device.place, 1, "flops", get_value(text, "flops "));
    check_explained(SX_DEVICE_SYSTEM, 1, "flops", get_value(host, "flops "));
    EXPECT_KIND(calibrate("gpu", text), SUBX_ERR_HINT);
    empty_wisdom();
}

/* A call of the device fails on one rank during a calibration: all ranks get the same error, or none. Nothing
 * may be left on the device. */
static void check_failing_calibration(long n)
{
    const int left = test_device_count();
    char text[LONGEST];
    test_context("calibration, call %ld fails", n);
    if (test_is_last())
        test_device.fake->fails_after = n;
    const int rc = calibrate(test_device.place, text);
    test_device.fake->fails_after = -1;
    EXPECT_SAME(subx_error_get_kind(rc));
    EXPECT_EQUAL(test_device_count(), left);
}

/* ---- faults */

/* Device call n, or allocation n of the library, fails on one rank during a search. A candidate fails then,
 * and the search goes on; or the creation fails on all ranks. On a single rank there is one candidate only.
 * Nothing may be left on the device. */
static void check_fault(int is_device, long n)
{
    static const char hints[] = "wisdom=none effort=measure time_limit=1 scaling=forward";
    const int victim = test_nranks - 1, left = test_device_count();
    subx_fft_problem problem;
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("search, %s %ld fails", is_device ? "call" : "allocation", n);
    EXPECT_OK(subx_fft_problem_parse("r2c:6x5x8", &problem));
    test_device_begin_fault(victim, is_device, n);
    const int rc = test_device_create_problem_plan(problem, hints, MPI_COMM_WORLD, test_device.place, &plan);
    test_device.fake->fails_after = -1;
    (void)sx_base_fail_after(-1);
    const int kind = subx_error_get_kind(rc);
    EXPECT_SAME(kind);
    EXPECT(rc == MPI_SUCCESS || kind == SUBX_ERR_NO_MEM || kind == SUBX_ERR_UNAVAILABLE ||
           (kind == SUBX_ERR_DEVICE && test_nranks == 1));
    EXPECT(!plan == (rc != MPI_SUCCESS));
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_OK(subx_fft_problem_free(&problem));
    EXPECT_EQUAL(test_device_count(), left);
}

int main(int argc, char **argv)
{
    enum { MOST_RANKS = 2, MOST_CALLS = 300 };
    test_device_begin(&argc, &argv);
    test_wisdom_begin();
    check_winner(DELAY, 0, strided);
    check_winner(0, DELAY, contiguous);
    check_ways();
    check_texts();
    check_candidates("c2c:9x8x10", "measure");
    check_candidates("r2c:7x12x6", "patient");
    check_candidates("dct2:6x5x8", "measure");
    check_calibration();
    for (long n = 0; test_device.fake && test_nranks <= MOST_RANKS && n < MOST_CALLS; n += 1 + 2 * n)
        check_failing_calibration(n);
    empty_wisdom();
    for (long n = 0; test_device.fake && test_nranks <= MOST_RANKS && n < MOST_CALLS; n += 1 + 2 * n)
        for (int is_device = 0; is_device < 2; is_device++)
            check_fault(is_device, n);
    test_device_close();
    test_wisdom_end();
    return test_end();
}
