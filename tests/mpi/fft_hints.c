/* fft_hints.c - the hints of fused passes: values that are refused, that differ between ranks, that are in
 * effect; the strategy that follows from an engine.
 * ranks: 1 2 3 4 5 */
#include "common/field.h"
#include "common/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const test_field problem = {.kind = SUBX_FFT_C2C, .ndims = 3, .sizes = {6, 5, 4}};

static int is_last(void)
{
    return test_rank == test_nranks - 1;
}

static subx_fft_plan expect_plan(const test_choices *c)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    EXPECT_OK(test_field_plan(&problem, c, MPI_COMM_WORLD, &plan));
    EXPECT(plan != SUBX_FFT_PLAN_NULL);
    return plan;
}

/* All ranks get the same kind: `kind`, or `other` where the rule leaves two. */
static void expect_failure(const test_choices *c, int kind, int other)
{
    subx_fft_plan plan = (subx_fft_plan)&plan;
    int got = subx_error_query(test_field_plan(&problem, c, MPI_COMM_WORLD, &plan));
    if (got != other)
        EXPECT_EQUAL(got, kind);
    EXPECT_SAME(got);
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
}

/* ---- what is refused */

static const char *const wrong[][2] = {
    {"subx_overlap", "some"},
    {"subx_overlap", "None"},
    {"subx_slices", "1025"},
    {"subx_slices", "-1"},
    {"subx_slices", "two"},
    {"subx_slices", "2x"},
    {"subx_slices", "2147483648"},
    {"subx_progress", "-1"},
    {"subx_progress", "often"},
    {"subx_width", "-1"},
    {"subx_width", "-16"},
    {"subx_width", "1e3"},
    {"subx_pencils", "sharp"},
    {"subx_cache", "0"},
    {"subx_cache", "-1"},
    {"subx_cache", "1 MiB"},
    {"subx_cache", "99999999999999999999"},
    {"subx_threads", "0"},
    {"subx_threads", "-2"},
    {"subx_threads", "all"},
    {"subx_strategy", "confused"},
};

/* On all ranks, and on the last, where the difference may be noticed first. */
static void check_wrong_values(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *key = wrong[i][0], *value = wrong[i][1];
        test_choices c = {.more = {{key, value}}};
        test_context("%s=%s", key, value);
        expect_failure(&c, SUBX_ERR_HINT, -1);
        if (!is_last())
            c.more[0][0] = NULL;
        expect_failure(&c, SUBX_ERR_HINT, test_nranks > 1 ? SUBX_ERR_DIFFERS : -1);
    }
}

/* Each rank would be content by itself. What is measured may be any strategy, so that all must agree on the
 * hints of each. */
static void check_differences(const char *effort)
{
    static const char *const keys[][3] = {{"subx_overlap", "none", "both"},
                                          {"subx_overlap", "auto", "receive"},
                                          {"subx_slices", "2", "3"},
                                          {"subx_progress", "0", "1"},
                                          {"subx_width", "3", "4"},
                                          {"subx_pencils", "contiguous", "interleaved"},
                                          {"subx_cache", "1000", "1001"},
                                          {"subx_permute", "send", "recv"},
                                          {"subx_engine", "pairwise", "alltoallv"},
                                          {"subx_strategy", "fused", "stride1"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && test_nranks > 1; i++) {
        const test_choices c = {.more = {{keys[i][0], keys[i][1 + is_last()]}, {"subx_effort", effort}}};
        test_context("%s differs, effort %s", keys[i][0], effort);
        expect_failure(&c, SUBX_ERR_DIFFERS, -1);
    }
}

/* ---- strategies and engines */

/* `value` may be NULL for any. */
static void expect_hint(subx_fft_plan plan, const char *key, const char *value)
{
    MPI_Info info = MPI_INFO_NULL;
    char got[128] = "";
    int found = 0;
    if (!EXPECT_OK(subx_fft_plan_get_info(plan, &info)))
        return;
    MPI_Info_get(info, key, sizeof got - 1, got, &found);
    if (!EXPECT(found && (!value || strcmp(got, value) == 0)))
        test_expect(0, key, 0, got);
    MPI_Info_free(&info);
}

/* Engines that only exchanges have decide the strategy; where one is asked for they must suit it. All other engines are
 * for fused passes too. */
static void check_strategies(void)
{
    static const char *const exchanges[] = {"types", "alltoallw"};
    static const char *const pipes[] = {"pairwise", "alltoallv", "kway", "node"};
    for (int i = 0; i < 2; i++) {
        test_choices c = {.engine = exchanges[i]};
        test_context("engine %s", c.engine);
        subx_fft_plan plan = expect_plan(&c);
        expect_hint(plan, "subx_strategy", "stride1");
        expect_hint(plan, "subx_engine", c.engine);
        EXPECT_OK(subx_fft_plan_free(&plan));
        c.strategy = "fused";
        expect_failure(&c, SUBX_ERR_HINT, -1);
    }
    for (int i = 0; i < 4; i++) {
        test_choices c = {.engine = pipes[i]};
        if (strcmp(c.engine, "node") == 0 && test_nranks == 1)
            continue; /* no exchange can be by node there */
        test_context("engine %s", c.engine);
        subx_fft_plan plan = expect_plan(&c);
        expect_hint(plan, "subx_strategy", "fused");
        EXPECT_OK(subx_fft_plan_free(&plan));
        c.strategy = "stride1";
        plan = expect_plan(&c);
        expect_hint(plan, "subx_engine", c.engine);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
}

/* A hint for one strategy makes no plan fail where others are tried too. */
static void check_tried(void)
{
    test_choices c = {.more = {{"subx_effort", "measure"}, {"subx_between", "alltoallv"}}};
    test_context("between alltoallv, measured");
    subx_fft_plan plan = expect_plan(&c);
    expect_hint(plan, "subx_strategy", NULL);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* Both outputs can be had. */
static void check_outputs(void)
{
    static const char *const outputs[] = {"natural", "transposed"};
    for (int i = 0; i < 2; i++) {
        test_context("fused, output %s", outputs[i]);
        subx_fft_plan plan = expect_plan(&(test_choices){.strategy = "fused", .output = outputs[i]});
        expect_hint(plan, "subx_output", outputs[i]);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
}

/* ---- values in effect */

static const char *const defaults[][2] = {
    {"subx_strategy", "fused"}, {"subx_overlap", "auto"},  {"subx_slices", "0"},     {"subx_progress", "16"},
    {"subx_width", "0"},        {"subx_cache", "1310720"}, {"subx_pencils", "auto"}, {"subx_threads", "1"}};

static const char *const others[][2] = {{"subx_overlap", "send"}, {"subx_slices", "7"},
                                        {"subx_progress", "0"},   {"subx_width", "5"},
                                        {"subx_cache", "33"},     {"subx_pencils", "interleaved"}};

static void check_defaults(void)
{
    test_context("defaults");
    subx_fft_plan plan = expect_plan(&(test_choices){.grid = NULL});
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        expect_hint(plan, defaults[i][0], defaults[i][1]);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

static void check_given(void)
{
    test_choices c = {.grid = NULL};
    test_context("given");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        c.more[i][0] = others[i][0];
        c.more[i][1] = others[i][1];
    }
    subx_fft_plan plan = expect_plan(&c);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect_hint(plan, others[i][0], others[i][1]);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* The environment counts where there is no hint, and only there. */
static void check_environment(void)
{
    test_context("environment");
    setenv("SUBX_OVERLAP", "receive", 1);
    setenv("SUBX_SLICES", "9", 1);
    subx_fft_plan plan = expect_plan(&(test_choices){.more = {{"subx_slices", "2"}}});
    expect_hint(plan, "subx_overlap", "receive");
    expect_hint(plan, "subx_slices", "2");
    EXPECT_OK(subx_fft_plan_free(&plan));
    setenv("SUBX_OVERLAP", "loud", 1);
    expect_failure(&(test_choices){.grid = NULL}, SUBX_ERR_HINT, -1);
    unsetenv("SUBX_OVERLAP");
    unsetenv("SUBX_SLICES");
}

/* ---- extreme values still transform */

static void check_transform(const test_field *f, const test_choices *c)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    if (!EXPECT_OK(test_field_plan(f, c, MPI_COMM_WORLD, &plan)))
        return;
    const test_part from = test_part_get(f, plan, SUBX_FFT_PHYSICAL),
                    to = test_part_get(f, plan, SUBX_FFT_SPECTRAL);
    void *u = malloc((size_t)from.bytes), *spectrum = malloc((size_t)to.bytes);
    test_part_fill(f, &from, SUBX_FFT_PHYSICAL, 1, u);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum));
    EXPECT(test_part_compare(f, &to, SUBX_FFT_SPECTRAL, 1, spectrum) <= 1e-12 * sqrt((double)f->count));
    memset(u, 0xff, (size_t)from.bytes);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_BACKWARD, spectrum, u));
    EXPECT(test_part_compare(f, &from, SUBX_FFT_PHYSICAL, (double)f->count, u) <=
           1e-12 * pow((double)f->count, 1.5));
    free(u);
    free(spectrum);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* Each dimension of the grid has its own engine; the last word is for those that follow. Engines of exchanges decide the strategy. */
static void check_lists(void)
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
            c.more[0][0] = "subx_between";
            c.more[0][1] = list[2];
        }
        test_context("engine %s, strategy %s, grid %s", c.engine, c.strategy ? c.strategy : "auto", c.grid);
        check_transform(&f, &c);
    }
    test_field_free(&f);
}

static void check_wrong_lists(void)
{
    static const char *const wrong_lists[] = {"/", "shm/", "/shm", "shm//kway", "shm/other", "shm,kway"};
    for (size_t i = 0; i < sizeof wrong_lists / sizeof *wrong_lists; i++) {
        test_context("engine %s", wrong_lists[i]);
        expect_failure(&(test_choices){.engine = wrong_lists[i]}, SUBX_ERR_HINT, -1);
    }
    test_context("engines of two strategies");
    expect_failure(&(test_choices){.engine = "shm/types", .strategy = "fused"}, SUBX_ERR_HINT, -1);
    expect_failure(&(test_choices){.strategy = "fused", .more = {{"subx_between", "kway/shm"}}},
                   SUBX_ERR_HINT, -1);
}

/* More slices than rows, tiles of one pencil or of all, messages helped on before every tile. */
static void check_extremes(void)
{
    static const char *const keys[][2] = {{"subx_slices", "40"},       {"subx_progress", "1000000"},
                                          {"subx_progress", "0"},      {"subx_width", "1"},
                                          {"subx_width", "1000"},      {"subx_cache", "1"},
                                          {"subx_cache", "1000000000"}};
    static const char *const overlaps[] = {"none", "send", "receive", "both"};
    static const char *const grids[] = {"0", "0x0"};
    const ptrdiff_t sizes[] = {7, 6, 9};
    for (int kind = SUBX_FFT_C2C; kind <= SUBX_FFT_R2C; kind++) {
        test_field f = test_field_create(kind, 3, sizes, test_seed());
        for (size_t i = 0; i < 2 * sizeof keys / sizeof *keys; i++) {
            const char *const *hint = keys[i / 2];
            test_choices c = {
                .grid = grids[i % 2],
                .engine = "pairwise",
                .more = {{hint[0], hint[1]}, {"subx_overlap", overlaps[(i + (size_t)kind) % 4]}}};
            test_context("kind %d, grid %s, %s=%s, overlap %s", kind, c.grid, hint[0], hint[1], c.more[1][1]);
            check_transform(&f, &c);
        }
        test_field_free(&f);
    }
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    check_wrong_values();
    check_differences("estimate");
    check_differences("measure");
    check_strategies();
    check_tried();
    check_outputs();
    check_defaults();
    check_given();
    check_environment();
    check_lists();
    check_wrong_lists();
    check_extremes();
    return test_end();
}
