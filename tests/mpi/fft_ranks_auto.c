/* fft_ranks_auto.c - plans find the best number of ranks by measurement (subx_ranks = auto). Whatever number
 * a plan finds, the results are right, all ranks agree, and wisdom gives the same number again. To make plans
 * choose another number than the model would, the test edits the wisdom, and replaces the clock by one that
 * counts messages.
 * ranks: 1 2 5 (on five there are also plans on three and four of the ranks) */
#include "base/base.h"
#include "common/field.h"
#include "common/hints.h"
#include "common/plan.h"
#include "common/verdict.h"
#include "common/wisdom.h"
#include "mpi/communicators.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a clock, which replaces MPI's, also inside the libraries */

static int counts_messages;
static double now;

double MPI_Wtime(void)
{
    now += 1e-5;
    return counts_messages ? now : PMPI_Wtime();
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    now += 1e-2;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

/* ---- plans */

typedef struct setup {
    int kind, ndims;
    ptrdiff_t sizes[3];
    const char *hints;
} setup;

static const setup setups[] = {
    {SUBX_FFT_C2C, 3, {6, 5, 8}, "strategy=fused node_ranks=2"},
    {SUBX_FFT_R2C, 3, {4, 6, 8}, "reorder=yes node_ranks=2"},
    {SUBX_FFT_C2C, 2, {7, 8}, "output_order=transposed strategy=stride1"},
    {SUBX_FFT_C2C, 1, {36}, ""},
};
enum { SETUPS = sizeof setups / sizeof setups[0] };

static MPI_Info create_hints(const setup *s)
{
    return test_hints("wisdom=%s %s", test_wisdom_path, s->hints);
}

static int create(const setup *s, const char *ranks, const char *effort, subx_fft_plan *plan)
{
    MPI_Info hints = create_hints(s);
    MPI_Info_set(hints, "subx_ranks", ranks);
    MPI_Info_set(hints, "subx_effort", effort);
    if (strcmp(effort, "patient") == 0)
        MPI_Info_set(hints, "subx_time_limit", "1");
    int rc = subx_fft_plan_create(MPI_COMM_WORLD, s->kind, s->ndims, s->sizes, hints, plan);
    MPI_Info_free(&hints);
    return rc;
}

/* Get the number of ranks that the plan uses. The grid, the info and the texts must all have the same
 * number. */
static int get_nranks(subx_fft_plan plan)
{
    int g = 0, dims[3] = {0}, nranks = 1;
    char words[32];
    EXPECT_OK(subx_fft_plan_get(plan, NULL, &g, dims));
    for (int k = 0; k < g; k++)
        nranks *= dims[k];
    EXPECT_SAME(nranks);
    snprintf(words, sizeof words, "%d", nranks);
    test_plan_expect(plan, "subx_ranks", words);
    snprintf(words, sizeof words, "\"ranks\": %d,", nranks);
    EXPECT(test_plan_says(plan, SUBX_FFT_JSON, words));
    snprintf(words, sizeof words, "on %d rank%s, grid ", nranks, nranks == 1 ? "" : "s");
    EXPECT(test_plan_says(plan, SUBX_FFT_TEXT, words));
    snprintf(words, sizeof words, "; %d of them %s data", nranks, nranks == 1 ? "has" : "have");
    EXPECT_EQUAL(test_plan_says(plan, SUBX_FFT_TEXT, words), nranks < test_nranks);
    return nranks;
}

static int is_from(subx_fft_plan plan, const char *source)
{
    char words[32];
    snprintf(words, sizeof words, "\"source\": \"%s\"", source);
    return test_plan_says(plan, SUBX_FFT_JSON, words);
}

/* ---- results */

/* Idle ranks must have no data. With reorder other ranks than the last ones may be idle. */
static void check_idle(const test_part part[2], subx_fft_plan plan, int nranks)
{
    int is_idle = test_plan_says(plan, TEST_PRINTED, "it is idle"), count = 0;
    ptrdiff_t work = -1;
    MPI_Allreduce(&is_idle, &count, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQUAL(count, test_nranks - nranks);
    if (!is_idle)
        return;
    EXPECT(part[0].count == 0 && part[1].count == 0);
    EXPECT_OK(subx_fft_plan_get_work(plan, &work));
    EXPECT_EQUAL(work, 0);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, NULL, NULL));
}

static void check_results(const test_field *f, subx_fft_plan plan, int nranks)
{
    const test_part part[2] = {test_part_get(f, plan, SUBX_FFT_PHYSICAL),
                               test_part_get(f, plan, SUBX_FFT_SPECTRAL)};
    long long counts[2] = {part[0].count, part[1].count};
    check_idle(part, plan, nranks);
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(counts[0] == f->count && counts[1] == f->spectral_count);
    test_field_check(f, plan, (double)f->count);
}

/* Replace the hints of all plans in the file. */
static void edit(const char *hints)
{
    static char text[TEST_WISDOM], edited[2 * TEST_WISDOM];
    test_wisdom_read(text);
    int used = sprintf(edited, "subarray_x wisdom 1\n");
    for (char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        char *value = strncmp(line + 18, "plan\t", 5) == 0 ? strchr(line + 23, '\t') : NULL;
        if (!value)
            continue;
        char *const start = edited + used;
        used += sprintf(start, "%.*s\tmeasure; 0.001; %s; \n", (int)(value - line - 1), line + 1, hints);
        test_wisdom_sign(start);
    }
    test_wisdom_write(edited);
}

/* ---- the checks */

/* Measure the parameters of the model again, so that the model may choose another number of ranks. */
static void calibrate(const setup *s)
{
    MPI_Info hints = create_hints(s);
    EXPECT_OK(subx_fft_machine_calibrate(MPI_COMM_WORLD, hints, 0.02, 0, NULL));
    MPI_Info_free(&hints);
}

/* Create a plan three times, the last time after a calibration. The number of ranks must stay the same. There
 * is one exception: if a single axis is divided, the model may choose another number after the calibration.
 * Then the wisdom, which is for the old number, is not used. */
static void check_effort(const setup *s, const test_field *f, const char *effort)
{
    static const char *const sources[] = {"measured", "wisdom", "wisdom"};
    const char *const efforts[] = {effort, effort, "estimate"};
    const int before = test_communicators;
    int nranks = 0;
    test_wisdom_write("");
    for (int i = 0; i < 3; i++) {
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        test_context("%td, effort %s, creation %d", s - setups, effort, i);
        if (i == 2)
            calibrate(s);
        if (!EXPECT_OK(create(s, "auto", efforts[i], &plan)))
            return;
        const int got = get_nranks(plan), is_same = i == 0 || got == nranks;
        EXPECT(is_from(plan, sources[i]) == (is_same || s->ndims > 1));
        EXPECT(is_same || (s->ndims == 1 && i == 2));
        EXPECT(!test_plan_says(plan, SUBX_FFT_JSON, "\"failed\""));
        if (i == 0 && s->ndims > 1 && test_nranks > 2)
            EXPECT(test_plan_says(plan, SUBX_FFT_JSON, "\"ranks 1, grid 1"));
        nranks = got;
        check_results(f, plan, nranks);
        EXPECT_OK(subx_fft_plan_free(&plan));
        EXPECT_EQUAL(test_communicators, before);
    }
}

/* Wisdom with n ranks is followed. If a single axis is divided, it is followed only if the model also chooses
 * n ranks, and if it has no other grid than the one in effect, because a search does not set one then. */
static void check_edited(const setup *s, const test_field *f, const char *format, int n)
{
    char hints[64];
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    const int before = test_communicators;
    snprintf(hints, sizeof hints, format, n);
    edit(hints);
    test_context("%td, edited: %s", s - setups, hints);
    if (!EXPECT_OK(create(s, "auto", "estimate", &plan)))
        return;
    const int nranks = get_nranks(plan),
              is_valid = n > 0 && n <= test_nranks &&
                         (s->ndims > 1 || (n == nranks && (nranks == 1 || !strstr(format, "grid"))));
    EXPECT_EQUAL(is_from(plan, "wisdom"), is_valid);
    if (is_valid)
        EXPECT_EQUAL(nranks, n);
    check_results(f, plan, nranks);
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_EQUAL(test_communicators, before);
}

static void check_wisdom(const setup *s, const test_field *f)
{
    for (int n = 0; n <= test_nranks + 1; n++)
        check_edited(s, f, "ranks %d", n);
    for (int n = 1; n <= test_nranks; n++) {
        char format[64];
        snprintf(format, sizeof format, "ranks 1, grid 1, ranks %%d, grid %d", n);
        check_edited(s, f, format, n);
    }
    check_edited(s, f, "ranks %d, grid 7", 1 + test_nranks);
}

/* With subx_ranks = all, wisdom with fewer ranks is ignored. */
static void check_forbidden(const setup *s)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("all ranks");
    test_wisdom_write("");
    EXPECT_OK(create(s, "all", "measure", &plan));
    EXPECT(!test_plan_says(plan, SUBX_FFT_JSON, "\"ranks "));
    EXPECT_OK(subx_fft_plan_free(&plan));
    edit("ranks 1, grid 1");
    EXPECT_OK(create(s, "all", "estimate", &plan));
    EXPECT(is_from(plan, "model"));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* For an array of this size the model prefers all ranks. The measurement prefers one rank, because the clock
 * here counts messages, and a single rank sends none. */
static void check_measured(void)
{
    static const setup s = {SUBX_FFT_C2C, 3, {64, 60, 60}, "engine=pairwise strategy=fused"};
    const int before = test_communicators;
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    char words[32];
    test_context("the clock counts messages");
    test_wisdom_write("");
    EXPECT_OK(create(&s, "auto", "estimate", &plan));
    EXPECT_EQUAL(get_nranks(plan), test_nranks);
    EXPECT_OK(subx_fft_plan_free(&plan));
    counts_messages = 1;
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(create(&s, "auto", "measure", &plan));
        EXPECT(is_from(plan, i ? "wisdom" : "measured"));
        EXPECT_EQUAL(get_nranks(plan), 1);
        snprintf(words, sizeof words, "\"ranks %d, grid ", test_nranks);
        EXPECT(test_plan_says(plan, SUBX_FFT_JSON, words));
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    counts_messages = 0;
    EXPECT_EQUAL(test_communicators, before);
}

/* On one rank every step-th of the first `places` allocations fails. Effort measure: while candidates are
 * measured; estimate: while wisdom is followed. */
static void check_memory(const setup *s, const char *effort, long places, long step)
{
    for (int victim = 0; victim<test_nranks; victim += test_nranks> 1 ? test_nranks - 1 : 1)
        for (long n = victim > 0; n < places; n += step) {
            subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
            const int before = test_communicators;
            test_context("%s: allocation %ld fails on rank %d", effort, n, victim);
            if (test_rank == victim)
                sx_base_fail_after(n);
            int kind = subx_error_get_kind(create(s, "auto", effort, &plan));
            sx_base_fail_after(-1);
            EXPECT(kind == 0 || kind == SUBX_ERR_NO_MEM);
            EXPECT_SAME(kind);
            EXPECT_EQUAL(plan == SUBX_FFT_PLAN_NULL, kind != 0);
            EXPECT_OK(subx_fft_plan_free(&plan));
            EXPECT_EQUAL(test_communicators, before);
        }
}

static void check_failures(void)
{
    char file[sizeof test_wisdom_path];
    edit(test_nranks > 2 ? "ranks 2, grid 2" : "ranks 1, grid 1");
    check_memory(&setups[0], "estimate", 150, 7);
    strcpy(file, test_wisdom_path);
    strcpy(test_wisdom_path, "none");
    check_memory(&setups[0], "measure", 700, 83);
    strcpy(test_wisdom_path, file);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    test_wisdom_begin();
    for (int i = SETUPS - 1; i >= 0; i--) {
        test_field f = test_field_create(setups[i].kind, setups[i].ndims, setups[i].sizes, test_seed());
        check_effort(&setups[i], &f, "measure");
        if (i % 3 == 0)
            check_effort(&setups[i], &f, "patient");
        check_wisdom(&setups[i], &f);
        test_field_free(&f);
    }
    check_failures();
    if (test_nranks > 1)
        check_forbidden(&setups[0]);
    check_measured();
    test_wisdom_end();
    return test_end();
}
