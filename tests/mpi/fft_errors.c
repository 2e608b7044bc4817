/* fft_errors.c - plans that cannot be created. All ranks get the same kind of error, and no rank waits for
 * ever.
 * ranks: 1 2 3 4 5 7 */
#include "common/hints.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx_fft.h>

typedef struct arguments {
    int kind, ndims;
    ptrdiff_t sizes[3];
    const char *key, *value;
} arguments;

static const arguments good = {SUBX_FFT_C2C, 3, {6, 5, 4}, NULL, NULL};

static int is_last(void)
{
    return test_rank == test_nranks - 1;
}

static int create(const arguments *a, subx_fft_plan *plan)
{
    MPI_Info hints = MPI_INFO_NULL;
    if (a->key) {
        MPI_Info_create(&hints);
        test_hint_set(hints, a->key, a->value);
    }
    int rc = subx_fft_plan_create(MPI_COMM_WORLD, a->kind, a->ndims, a->sizes, hints, plan);
    if (hints != MPI_INFO_NULL)
        MPI_Info_free(&hints);
    return rc;
}

/* Expect the same kind of error on all ranks: `kind`, or `other` if two kinds are allowed. */
static void expect_failure(const arguments *a, int kind, int other, const char *what)
{
    subx_fft_plan plan = (subx_fft_plan)&plan;
    test_context("%s", what);
    int got = subx_error_get_kind(create(a, &plan));
    if (got != kind && got != other)
        EXPECT_EQUAL(got, kind);
    EXPECT_SAME(got);
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
}

static void expect_success(const arguments *a)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    EXPECT_OK(create(a, &plan));
    EXPECT(plan != SUBX_FFT_PLAN_NULL);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

typedef struct failure {
    arguments a;
    int kind;
} failure;

/* All ranks have the same wrong argument. */
static void check_all_ranks(void)
{
    static const failure failures[] = {
        {{99, 3, {6, 5, 4}, NULL, NULL}, SUBX_ERR_ARG},
        {{-1, 3, {6, 5, 4}, NULL, NULL}, SUBX_ERR_ARG},
        {{SUBX_FFT_C2C, 0, {6, 5, 4}, NULL, NULL}, SUBX_ERR_NDIMS},
        {{SUBX_FFT_C2C, SUBX_NDIMS_MAX + 1, {6, 5, 4}, NULL, NULL}, SUBX_ERR_NDIMS},
        {{SUBX_FFT_C2C, 3, {6, 0, 4}, NULL, NULL}, SUBX_ERR_SIZE},
        {{SUBX_FFT_R2C, 3, {6, 5, -4}, NULL, NULL}, SUBX_ERR_SIZE},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_grid", "1000"}, SUBX_ERR_GRID},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_grid", "1000x0"}, SUBX_ERR_GRID},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_grid", "0x0x0x0"}, SUBX_ERR_GRID},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_grid", "2by2"}, SUBX_ERR_HINT},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_grid", "-1"}, SUBX_ERR_HINT},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_grid", "0x"}, SUBX_ERR_HINT},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_grid", "99999999999999999999"}, SUBX_ERR_HINT},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "strategy", "luck"}, SUBX_ERR_HINT},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_output_order", "sideways"}, SUBX_ERR_HINT},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_scaling", "double"}, SUBX_ERR_HINT},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_effort", "heroic"}, SUBX_ERR_HINT},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "subx_engine", "steam"}, SUBX_ERR_HINT},
        {{SUBX_FFT_C2C, 3, {6, 5, 4}, "permute", "both"}, SUBX_ERR_HINT},
        {{SUBX_FFT_C2C, 3, {(ptrdiff_t)1 << 40, (ptrdiff_t)1 << 40, 4}, NULL, NULL}, SUBX_ERR_TOO_LARGE},
    };
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        const failure *f = &failures[i];
        expect_failure(&f->a, f->kind, f->kind, f->a.key ? f->a.value : "a bad argument");
    }
    /* If no build knows a serial backend, the error is HINT. If only this build lacks it, the error is
     * UNAVAILABLE. */
    arguments serial = good;
    serial.key = "serial";
    serial.value = "abacus";
    expect_failure(&serial, SUBX_ERR_HINT, SUBX_ERR_UNAVAILABLE, "an unknown serial backend");
}

/* Strategy natural has no transposed output. If a variable contradicts a hint of the program, the hint takes
 * precedence. */
static void check_contradiction(void)
{
    arguments a = good;
    a.key = "subx_output_order";
    a.value = "transposed";
    setenv("SUBX_TUNE", "strategy natural", 1);
    expect_success(&a);
    unsetenv("SUBX_TUNE");
}

/* Only the last rank has a wrong argument. On several ranks the library may first find that ranks differ
 * (DIFFERS). */
static void check_one_rank(void)
{
    const int other = test_nranks > 1 ? SUBX_ERR_DIFFERS : -1;
    arguments a = good;
    if (is_last())
        a.ndims = 0;
    expect_failure(&a, SUBX_ERR_NDIMS, other, "one rank has no axis");
    a = good;
    if (is_last())
        a.sizes[1] = 0;
    expect_failure(&a, SUBX_ERR_SIZE, other, "one rank has an empty axis");
    a = good;
    a.key = "strategy";
    a.value = is_last() ? "luck" : "natural";
    expect_failure(&a, SUBX_ERR_HINT, other, "one rank has a bad hint");
}

/* Expect that the ranks differ, and that the text has the values of the first and the last rank. */
static void expect_difference(const arguments *a, const char *first, const char *last)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("%s and %s", first, last);
    const int rc = create(a, &plan);
    EXPECT_KIND(rc, SUBX_ERR_DIFFERS);
    MPI_Error_string(rc, text, &length);
    EXPECT(strstr(text, first) && strstr(text, last));
}

/* Each rank's arguments are valid, but ranks have different ones. */
static void check_differences(void)
{
    static const char *const keys[][3] = {{"strategy", "natural", "stride1"},
                                          {"subx_output_order", "natural", "transposed"},
                                          {"subx_scaling", "none", "symmetric"},
                                          {"subx_engine", "alltoallv", "alltoallw"},
                                          {"subx_engine", "alltoallv", "pairwise"}};
    arguments a = good;
    if (test_nranks == 1)
        return;
    a.sizes[2] += is_last();
    expect_difference(&a, "c2c:6x5x4", "c2c:6x5x5");
    a = good;
    a.kind = is_last() ? SUBX_FFT_R2C : SUBX_FFT_C2C;
    expect_difference(&a, "\"c2c", "\"r2c");
    a = good;
    a.ndims -= is_last();
    expect_failure(&a, SUBX_ERR_DIFFERS, -1, "one rank has fewer axes");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        a = good;
        a.key = keys[i][0];
        a.value = keys[i][1 + is_last()];
        expect_difference(&a, keys[i][1], keys[i][2]);
    }
    /* The word permute has an effect only if there are exchanges. */
    setenv("SUBX_TUNE", "strategy stride1", 1);
    a.key = "permute";
    a.value = is_last() ? "recv" : "send";
    expect_failure(&a, SUBX_ERR_DIFFERS, -1, a.key);
    unsetenv("SUBX_TUNE");
}

static void check_null_arguments(void)
{
    subx_fft_plan plan = (subx_fft_plan)&plan;
    const ptrdiff_t *sizes = is_last() ? NULL : good.sizes;
    double a[2] = {0};
    test_context("null arguments");
    int got = subx_error_get_kind(
        subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, 3, sizes, MPI_INFO_NULL, &plan));
    EXPECT(got == SUBX_ERR_ARG || (got == SUBX_ERR_DIFFERS && test_nranks > 1));
    EXPECT_SAME(got);
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
    EXPECT_KIND(subx_fft_plan_create(MPI_COMM_NULL, SUBX_FFT_C2C, 3, good.sizes, MPI_INFO_NULL, &plan),
                SUBX_ERR_COMM);
    EXPECT_KIND(subx_fft_execute(SUBX_FFT_PLAN_NULL, SUBX_FFT_FORWARD, a, a), SUBX_ERR_ARG);
}

/* All ranks break a rule of execution. The execution must not start. The array has 7 x 8 elements, so each of
 * up to 7 ranks has data. */
static void check_executions(void)
{
    arguments a = {SUBX_FFT_C2C, 2, {7, 8}, NULL, NULL};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    double array[2 * 7 * 8 * 2] = {0};
    test_context("executions");
    EXPECT_OK(create(&a, &plan));
    EXPECT_KIND(subx_fft_execute(plan, 0, array, array), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_execute(plan, SUBX_FFT_FORWARD, NULL, array), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_execute(plan, SUBX_FFT_FORWARD, array, NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, array, array));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    check_all_ranks();
    check_contradiction();
    check_one_rank();
    check_differences();
    check_null_arguments();
    check_executions();
    expect_success(&good);
    return test_end();
}
