/* fft_hints.c - hints of plans: values that are refused, and the texts of the errors; values that differ
 * between ranks; values with and without an effect; the strategy that an engine needs; environment variables
 * that are meant for other objects.
 * ranks: 1 2 3 4 5 */
#include "common/engine.h"
#include "common/field.h"
#include "common/hints.h"
#include "common/plan.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>
#include <subx_tune.h>

static const test_field problem = {.kind = SUBX_FFT_C2C, .ndims = 3, .sizes = {6, 5, 4}};

static subx_fft_plan expect_plan(const test_choices *c)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    EXPECT_OK(test_field_plan(&problem, c, MPI_COMM_WORLD, &plan));
    EXPECT(plan != SUBX_FFT_PLAN_NULL);
    return plan;
}

/* Expect the same kind of error on all ranks: `kind`, or `other` if two kinds are allowed. */
static void expect_failure(const test_choices *c, int kind, int other)
{
    subx_fft_plan plan = (subx_fft_plan)&plan;
    EXPECT_REFUSED_OR(test_field_plan(&problem, c, MPI_COMM_WORLD, &plan), kind, other, "");
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
}

/* ---- wrong values */

static const char *const wrong[][2] = {
    {"overlap", "some"},
    {"overlap", "None"},
    {"slices", "65537"},
    {"slices", "-1"},
    {"slices", "two"},
    {"slices", "2x"},
    {"slices", "2147483648"},
    {"progress", "-1"},
    {"progress", "often"},
    {"width", "-1"},
    {"width", "-16"},
    {"width", "1e3"},
    {"pencils", "sharp"},
    {"cache", "0"},
    {"cache", "-1"},
    {"cache", "1 MiB"},
    {"cache", "99999999999999999999"},
    {"subx_threads", "0"},
    {"subx_threads", "-2"},
    {"subx_threads", "all"},
    {"strategy", "confused"},
    {"permute", "both"},
    {"subx_grid", "2by2"},
    {"subx_grid", "-1"},
    {"subx_grid", "0x"},
    {"subx_grid", "99999999999999999999"},
    {"subx_output_order", "sideways"},
    {"subx_scaling", "double"},
    {"subx_effort", "heroic"},
    {"subx_wire", "half"},
    {"device_carrier", "pigeons"},
    {"subx_tune", "slices"},
    {"subx_tune", "slices=2"},
    {"subx_tune", "slizes 2"},
    {"subx_tune", "engine shm"},
    {"subx_slices", "2"},
};

/* All ranks have a wrong value. Then only the last rank has it: the library may then first find that ranks
 * differ (DIFFERS). */
CHECK(check_wrong_values)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *key = wrong[i][0], *value = wrong[i][1];
        test_choices c = {.more = {{key, value}}};
        test_context("%s=%s", key, value);
        expect_failure(&c, SUBX_ERR_HINT, -1);
        if (!test_is_last())
            c.more[0][0] = NULL;
        expect_failure(&c, SUBX_ERR_HINT, test_nranks > 1 ? SUBX_ERR_DIFFERS : -1);
    }
}

/* Each rank's hints are valid, but ranks have different ones. Because a search may choose any strategy, ranks
 * must agree on the hints of all strategies. */
static void check_differences(const char *effort)
{
    static const char *const keys[][3] = {{"overlap", "none", "both"},
                                          {"overlap", "auto", "receive"},
                                          {"slices", "2", "3"},
                                          {"progress", "0", "1"},
                                          {"width", "3", "4"},
                                          {"pencils", "contiguous", "interleaved"},
                                          {"cache", "1000", "1001"},
                                          {"permute", "send", "recv"},
                                          {"subx_engine", "pairwise", "alltoallv"},
                                          {"subx_wire", "full", "float"},
                                          {"strategy", "fused", "stride1"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && test_nranks > 1; i++) {
        const test_choices c = {.more = {{keys[i][0], keys[i][1 + test_is_last()]}, {"subx_effort", effort}}};
        test_context("%s differs, effort %s", keys[i][0], effort);
        expect_failure(&c, SUBX_ERR_DIFFERS, -1);
    }
}

/* A search does not vary a hint that the caller gives, so either all ranks must give the hint, or none.
 * Without a search, ranks only need the same value: recv on one rank agrees with no hint on the others,
 * because recv is the default. */
CHECK(check_given_differs)
{
    test_choices c = {.more = {{test_is_last() ? "permute" : NULL, "recv"}, {"subx_effort", "measure"}}};
    test_context("permute=recv is given on one rank");
    if (test_nranks > 1)
        expect_failure(&c, SUBX_ERR_DIFFERS, -1);
    c.more[1][1] = "estimate";
    subx_fft_plan plan = expect_plan(&c);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* ---- strategies and engines */

static void check_engine_of_exchanges(const char *engine)
{
    test_choices c = {.engine = engine};
    subx_fft_plan plan = expect_plan(&c);
    test_plan_expect(plan, "strategy", "stride1");
    test_plan_expect(plan, "subx_engine", engine);
    EXPECT_OK(subx_fft_plan_free(&plan));
    c.strategy = "fused";
    expect_failure(&c, SUBX_ERR_HINT, -1);
}

static void check_engine_of_pipes(const char *engine)
{
    test_choices c = {.engine = engine};
    subx_fft_plan plan = expect_plan(&c);
    test_plan_expect(plan, "strategy", "fused");
    EXPECT_OK(subx_fft_plan_free(&plan));
    c.strategy = "stride1";
    plan = expect_plan(&c);
    test_plan_expect(plan, "subx_engine", engine);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* Engines types and alltoallw work without pipes: the library chooses strategy stride1 for them, and refuses
 * fused. All other engines work with both strategies. On one rank no exchange can use engine node. */
CHECK(check_strategies)
{
    const char *engine;
    int traits;
    for (int i = 0; EXPECT_OK(subx_exch_query_engine(i, &engine)) && engine; i++) {
        test_context("engine %s", engine);
        EXPECT_OK(subx_exch_query_traits(engine, &traits));
        if (traits & SUBX_ENGINE_TYPES)
            check_engine_of_exchanges(engine);
        else if (test_engine_is_here(engine) && !(traits & SUBX_ENGINE_BETWEEN && test_nranks == 1))
            check_engine_of_pipes(engine);
    }
}

/* A hint that only one strategy has is no error if other strategies are measured as well. */
CHECK(check_tried)
{
    test_choices c = {.more = {{"subx_effort", "measure"}, {"between", "alltoallv"}}};
    test_context("between alltoallv, measured");
    subx_fft_plan plan = expect_plan(&c);
    test_plan_expect(plan, "strategy", NULL);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* Strategy fused must accept both orders of the output. */
CHECK(check_outputs)
{
    static const char *const outputs[] = {"natural", "transposed"};
    for (int i = 0; i < 2; i++) {
        test_context("fused, output %s", outputs[i]);
        subx_fft_plan plan = expect_plan(&(test_choices){.strategy = "fused", .output = outputs[i]});
        test_plan_expect(plan, "subx_output_order", outputs[i]);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
}

/* ---- values in effect */

static const char *const defaults[][2] = {
    {"strategy", "fused"}, {"overlap", ""}, {"slices", ""},        {"progress", ""},     {"width", ""},
    {"cache", ""},         {"pencils", ""}, {"subx_threads", "1"}, {"subx_wire", "full"}};

static const char *const others[][2] = {{"overlap", "send"}, {"slices", "7"}, {"progress", "0"},
                                        {"width", "5"},      {"cache", "33"}, {"pencils", "interleaved"}};

CHECK(check_defaults)
{
    test_context("defaults");
    subx_fft_plan plan = expect_plan(&(test_choices){.grid = NULL});
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        test_plan_expect(plan, defaults[i][0], defaults[i][1]);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

CHECK(check_given)
{
    test_choices c = {.grid = NULL};
    test_context("given");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        c.more[i][0] = others[i][0];
        c.more[i][1] = others[i][1];
    }
    subx_fft_plan plan = expect_plan(&c);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        test_plan_expect(plan, others[i][0], others[i][1]);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* A variable has an effect only if the program does not give the hint. */
CHECK(check_environment)
{
    test_context("environment");
    setenv("SUBX_TUNE", "overlap receive, slices 9", 1);
    subx_fft_plan plan = expect_plan(&(test_choices){.more = {{"slices", "2"}}});
    test_plan_expect(plan, "overlap", "receive");
    test_plan_expect(plan, "slices", "2");
    EXPECT_OK(subx_fft_plan_free(&plan));
    setenv("SUBX_TUNE", "overlap loud", 1);
    expect_failure(&(test_choices){.grid = NULL}, SUBX_ERR_HINT, -1);
    setenv("SUBX_TUNE", "overlop receive", 1);
    expect_failure(&(test_choices){.grid = NULL}, SUBX_ERR_HINT, -1);
    unsetenv("SUBX_TUNE");
}

/* ---- one variable reaches all objects of a program, also those for which its value is not valid */

static void check_exchange(void)
{
    MPI_Datatype type[8];
    double from[8], to[8];
    subx_exch ex;
    for (int q = 0; q < test_nranks; q++) {
        MPI_Type_create_subarray(1, &test_nranks, (int[]){1}, &q, MPI_ORDER_C, MPI_DOUBLE, &type[q]);
        from[q] = 10 * test_rank + q;
    }
    if (EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, type, type, MPI_INFO_NULL, &ex))) {
        EXPECT_OK(subx_exch_execute(ex, from, to));
        for (int q = 0; q < test_nranks; q++)
            EXPECT(to[q] == 10 * q + test_rank);
        EXPECT_OK(subx_exch_free(&ex));
    }
    for (int q = 0; q < test_nranks; q++)
        MPI_Type_free(&type[q]);
}

/* Each of these values is valid for some sort of object or some plan. The environment variable must not make
 * the creation of other objects and plans fail. If it contradicts a hint of the program, the hint takes
 * precedence. */
CHECK(check_variables)
{
    static const char *const variables[][2] = {{"SUBX_ENGINE", "node/kway"},
                                               {"SUBX_ENGINE", "alltoallw"},
                                               {"SUBX_TUNE", "slices 2000, permute send, serial naive"},
                                               {"SUBX_WORK", "caller"},
                                               {"SUBX_TUNE", "between kway/alltoallv"},
                                               {"SUBX_TUNE", "strategy natural"},
                                               {"SUBX_GRID", "7x11"},
                                               {"SUBX_GRID", "7x7x7"},
                                               {"SUBX_RANKS", "99"},
                                               {"SUBX_SEQUENCE", "4,3"}};
    static const test_choices choices[] = {
        {.strategy = "fused"}, {.strategy = "stride1"}, {.scaling = "orthonormal"}, {.output = "transposed"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        test_context("%s=%s", variables[i][0], variables[i][1]);
        setenv(variables[i][0], variables[i][1], 1);
        check_exchange();
        for (size_t k = 0; k < sizeof choices / sizeof *choices; k++) {
            subx_fft_plan plan = expect_plan(&choices[k]);
            EXPECT_OK(subx_fft_plan_free(&plan));
        }
        unsetenv(variables[i][0]);
    }
}

/* A path may be longer than MPI's limit for values of infos. */
CHECK(check_long_path)
{
    char path[1024];
    test_context("a path of 1023 bytes");
    memset(path, 'x', sizeof path);
    memcpy(path, "/nowhere/", strlen("/nowhere/"));
    path[sizeof path - 1] = '\0';
    setenv("SUBX_WISDOM", path, 1);
    subx_fft_plan plan = expect_plan(&(test_choices){.grid = NULL});
    test_plan_expect(plan, "strategy", "fused");
    EXPECT_OK(subx_fft_plan_free(&plan));
    setenv("SUBX_WISDOM", "none", 1);
}

/* ---- messages */

static void expect_told(const test_field *f, const test_choices *c, const char *words)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    subx_fft_plan plan;
    int rc = test_field_plan(f, c, MPI_COMM_WORLD, &plan);
    EXPECT(rc != MPI_SUCCESS);
    MPI_Error_string(rc, text, &length);
    if (!EXPECT(strstr(text, words) != NULL))
        test_expect(0, words, 0, text);
}

CHECK(check_texts)
{
    static const struct {
        const char *key, *value, *words;
    } t[] = {
        {"slices", "two", "hint subx_tune: slices is \"two\"; it must be a number from 0 to 65536"},
        {"overlap", "loud",
         "hint subx_tune: overlap is \"loud\"; it must be auto, none, send, receive or both"},
        {"subx_engine", "steam", "hint subx_engine is \"steam\"; it must be auto, shm,"},
        {"subx_engine", "types", "hint subx_engine is \"types\"; this contradicts strategy fused"},
        {"subx_sequence", "0,1,1",
         "hint subx_sequence is \"0,1,1\"; it must name each transformed axis once"},
        {"subx_ranks", "99", "hint subx_ranks is \"99\"; it must be all, auto, or a number of ranks"},
        {"subx_output", "natural",
         "hint subx_output is \"natural\"; there is no such hint; did you mean subx_output_order?"},
        {"subx_efort", "measure",
         "hint subx_efort is \"measure\"; there is no such hint; did you mean subx_effort?"},
        {"subx_slices", "8",
         "hint subx_slices is \"8\"; there is no such hint; it is a word of subx_tune, such as \"slices ..\""},
        {"subx_slizes", "8",
         "hint subx_slizes is \"8\"; there is no such hint; did you mean slices in subx_tune?"},
        {"subx_tune", "slizes 8",
         "hint subx_tune is \"slizes 8\"; there is no word slizes; did you mean slices in subx_tune?"},
        {"subx_tune", "engine shm",
         "hint subx_tune is \"engine shm\"; there is no word engine; it is a hint of its own, subx_engine"},
        {"subx_tune", "slices=8",
         "hint subx_tune is \"slices=8\"; it must be words and their values, such as"}};
    test_context("texts");
    for (size_t i = 0; i < sizeof t / sizeof *t; i++)
        expect_told(&problem, &(test_choices){.strategy = "fused", .more = {{t[i].key, t[i].value}}},
                    t[i].words);
    expect_told(&problem, &(test_choices){.strategy = "natural", .output = "transposed"},
                "hint subx_output_order is \"transposed\"; this contradicts strategy natural");
    expect_told(&problem, &(test_choices){.strategy = "stride1", .scaling = "orthonormal"},
                "hint subx_tune: strategy is \"stride1\"; it cannot serve this problem");
    if (test_is_last())
        setenv("SUBX_TUNE", "pencils sharp", 1);
    expect_told(
        &problem, &(test_choices){.grid = NULL},
        "environment variable SUBX_TUNE: pencils is \"sharp\"; it must be auto, contiguous or interleaved");
    unsetenv("SUBX_TUNE");
}

/* Two errors of a kind: the second one must not have the text of the first one. Rank 0 gives the wrong
 * hint. */
CHECK(check_stale_texts)
{
    test_context("texts of earlier errors");
    if (test_rank == 0)
        setenv("SUBX_THREADS", "1000000", 1);
    expect_told(&problem, &(test_choices){.grid = NULL}, "SUBX_THREADS is \"1000000\"");
    unsetenv("SUBX_THREADS");
    expect_told(&problem, &(test_choices){.more = {{"subx_memory", "1"}}}, "subx: no memory");
}

/* One MPI_Info may be for objects of several kinds, and may have what a plan tells about itself. */
CHECK(check_shared_keys)
{
    const char *const keys[] = {"subx_format", "subx_dataset", "subx_work", "subx_lost", "subx_sharing"};
    test_context("keys for other objects");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        subx_fft_plan plan = expect_plan(&(test_choices){.more = {{keys[i], "1"}}});
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
}

/* The caller gives no engine, so the text of the error must not mention engines. */
CHECK(check_one_axis)
{
    const test_field line = {.kind = SUBX_FFT_R2C, .ndims = 1, .sizes = {16}};
    test_context("one real axis");
    if (test_nranks > 1)
        expect_told(&line, &(test_choices){.grid = NULL},
                    "a problem of one axis is divided only if it is c2c");
}

/* Expect that the plan reports these hints as without effect, for example "slices 8, permute send". "" means
 * that all hints have an effect. Frees the plan. */
static void expect_no_effect(subx_fft_plan plan, const char *list)
{
    char words[256];
    snprintf(words, sizeof words, "has no effect here: %s\n", list);
    EXPECT(test_plan_says(plan, TEST_PRINTED, *list ? words : "has no effect") == (*list != 0));
    EXPECT(test_plan_says(plan, SUBX_FFT_TEXT, *list ? words : "has no effect") == (*list != 0));
    snprintf(words, sizeof words, "\"no_effect\": \"%s\"", list);
    EXPECT(test_plan_says(plan, SUBX_FFT_JSON, words));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* A plan with slabs on one node. The two passes have no common axis, so there are no slices; and no messages
 * are sent. */
CHECK(check_unused)
{
    test_context("hints without effect");
    subx_fft_plan plan = expect_plan(&(test_choices){
        .strategy = "fused", .permute = "send", .engine = "shm", .more = {{"slices", "8"}, {"width", "3"}}});
    expect_no_effect(plan, test_nranks > 1 ? "slices 8, permute send" : "engine shm, slices 8, permute send");
    setenv("SUBX_ENGINE", "types", 1);
    plan = expect_plan(&(test_choices){.strategy = "fused"});
    expect_no_effect(plan, "the environment variable for subx_engine");
    unsetenv("SUBX_ENGINE");
    plan = expect_plan(&(test_choices){.strategy = "stride1", .engine = "alltoallv", .permute = "send"});
    expect_no_effect(plan, test_nranks > 1 ? "" : "engine alltoallv, permute send");
}

/* ---- pretend an MPI with slow persistent collectives; this function replaces MPI's, also inside the
 * libraries */

static int pretends;

SUBX_EXPORT int MPI_Get_library_version(char *version, int *length)
{
    if (!pretends)
        return PMPI_Get_library_version(version, length);
    *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "Open MPI v5.0.6, package: none");
    return MPI_SUCCESS;
}

CHECK(check_slow_engine)
{
    static const char *const strategies[] = {"fused", "stride1"};
    const char *const words = "persistent collectives of Open MPI 5 are slower than the others";
    for (int i = 0; i < 2; i++) {
        const test_choices c = {.strategy = strategies[i], .engine = "persistent"};
        subx_fft_plan plan;
        test_context("engine persistent of Open MPI 5, strategy %s", c.strategy);
        if (test_field_plan(&problem, &c, MPI_COMM_WORLD, &plan))
            continue; /* this MPI has no persistent collectives */
        EXPECT(!test_plan_says(plan, TEST_PRINTED, words));
        EXPECT_OK(subx_fft_plan_free(&plan));
        pretends = 1;
        plan = expect_plan(&c);
        test_plan_expect(plan, "subx_engine", "persistent");
        for (int format = TEST_PRINTED; format <= SUBX_FFT_JSON; format++)
            EXPECT(test_plan_says(plan, format, words) == (test_nranks > 1));
        EXPECT_OK(subx_fft_plan_free(&plan));
        pretends = 0;
    }
}

/* ---- lists of engines (tests/random/fft.c draws extreme values of all hints) */

static void check_transform(const test_field *f, const test_choices *c)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    if (EXPECT_OK(test_field_plan(f, c, MPI_COMM_WORLD, &plan)))
        test_field_check(f, plan, (double)f->count);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* The first grid dimension has the first engine of the list, and so on. Dimensions beyond the end of the list
 * have its last engine. If the list contains types or alltoallw, the strategy is stride1 or natural. */
CHECK(check_lists)
{
    static const char *const lists[][3] = {
        {"auto/pairwise", "fused", ""},           {"shm/kway", "fused", ""},
        {"alltoallv/auto/pairwise", "fused", ""}, {"node/node", "fused", "kway/pairwise"},
        {"kway/alltoallw", "stride1", ""},        {"types/shm", "natural", ""},
        {"persistent/pairwise", NULL, ""}};
    static const char *const grids[] = {"0", "0x0", "1x0", "0x0x0"};
    const ptrdiff_t sizes[] = {7, 6, 9, 5};
    test_field f = test_field_create(SUBX_FFT_R2C, 4, sizes, test_seed());
    for (size_t i = 0; i < 4 * sizeof lists / sizeof *lists; i++) {
        const char *const *list = lists[i / 4];
        test_choices c = {.grid = grids[i % 4], .engine = list[0], .strategy = list[1]};
        if (list[2][0]) {
            c.more[0][0] = "between";
            c.more[0][1] = list[2];
        }
        test_context("engine %s, strategy %s, grid %s", c.engine, c.strategy ? c.strategy : "auto", c.grid);
        check_transform(&f, &c);
    }
    test_field_free(&f);
}

CHECK(check_wrong_lists)
{
    static const char *const wrong_lists[] = {"/", "shm/", "/shm", "shm//kway", "shm/other", "shm,kway"};
    for (size_t i = 0; i < sizeof wrong_lists / sizeof *wrong_lists; i++) {
        test_context("engine %s", wrong_lists[i]);
        expect_failure(&(test_choices){.engine = wrong_lists[i]}, SUBX_ERR_HINT, -1);
    }
    test_context("engines of two strategies");
    expect_failure(&(test_choices){.engine = "shm/types", .strategy = "fused"}, SUBX_ERR_HINT, -1);
    expect_failure(&(test_choices){.strategy = "fused", .more = {{"between", "kway/shm"}}}, SUBX_ERR_HINT,
                   -1);
}

CHECK(check_all_differences)
{
    check_differences("estimate");
    check_differences("measure");
}
