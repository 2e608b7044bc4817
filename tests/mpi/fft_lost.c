/* fft_lost.c - a plan reports which features it had to do without (`lost`). The library prints a plan at
 * creation only if the caller asks for this.
 * ranks: 1 2 5 (three and four would repeat five: the checks only tell one rank from several) */
#include "base/base.h"
#include "common/array.h"
#include "common/field.h"
#include "common/plan.h"
#include "common/verdict.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const ptrdiff_t sizes[] = {6, 5, 8};

/* 1: pretend a system without files in memory (memfd), which ranks need to share memory. memfd_create below
 * replaces the system's function. */
static int is_without_files;

int memfd_create(const char *name, unsigned int flags);
int memfd_create(const char *name, unsigned int flags)
{
    return is_without_files ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

/* The functions below also replace the system's functions. They refuse requests for `huge` bytes or more;
 * `asked` counts these requests. After the first one, all calls of fallocate fail. */
static const size_t huge = (size_t)1 << 40;
static int asked;

int madvise(void *at, size_t bytes, int advice)
{
    asked += bytes >= huge;
    return bytes >= huge ? -1 : (int)syscall(SYS_madvise, at, bytes, advice);
}

int fallocate(int file, int mode, off_t at, off_t bytes)
{
    return asked ? -1 : (int)syscall(SYS_fallocate, file, mode, at, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    asked += bytes >= huge;
    *memory =
        bytes >= huge ? NULL : aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    return *memory ? 0 : ENOMEM;
}

static void get_lost(subx_fft_plan plan, char lost[])
{
    MPI_Info info = MPI_INFO_NULL;
    int found = 0;
    lost[0] = '\0';
    if (!EXPECT_OK(subx_fft_plan_get_info(plan, &info)))
        return;
    MPI_Info_get(info, "subx_lost", 127, lost, &found);
    EXPECT_EQUAL(found, lost[0] != '\0');
    MPI_Info_free(&info);
}

/* If `expected`, expect that the plan's info and its text both report `word` as lost; else that neither
 * reports it. */
static void expect_lost(subx_fft_plan plan, const char *word, int expected)
{
    char lost[128], *text = test_plan_get_text(plan, TEST_PRINTED);
    get_lost(plan, lost);
    EXPECT_EQUAL(strstr(lost, word) != NULL, expected);
    const char *line = strstr(text, "\nlost ");
    EXPECT_EQUAL(line && strstr(line, word), expected);
    free(text);
}

static void check(const test_field *f, const test_choices *c, const char *word, int expected)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    if (!EXPECT_OK(test_field_plan(f, c, MPI_COMM_WORLD, &plan)))
        return;
    expect_lost(plan, word, expected);
    test_field_check(f, plan, (double)f->count);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* Sharing counts as lost if ranks of one node must send each other messages. It does not count as lost if the
 * caller asked for messages, or if all messages go from node to node. */
static void check_sharing(const test_field *f)
{
    static const char *const strategies[] = {"fused", "stride1", "natural"};
    for (int i = 0; i < 3; i++) {
        test_choices c = {.strategy = strategies[i]};
        test_context("%s, sharing", c.strategy);
        check(f, &c, "sharing", 0);
        is_without_files = 1;
        check(f, &c, "sharing", test_nranks > 1);
        c.engine = "pairwise";
        check(f, &c, "sharing", 0);
        c = (test_choices){.strategy = strategies[i], .more = {{"node_ranks", "1"}}};
        check(f, &c, "sharing", 0);
        is_without_files = 0;
    }
}

static void check_threads(const test_field *f)
{
    test_context("threads");
    check(f, &(test_choices){.strategy = "fused", .more = {{"subx_threads", "1"}}}, "threads", 0);
}

/* If an allocation fails on one rank, either all ranks get NO_MEM, or all get a plan. The plan must not have
 * given up sharing because of the failure: without sharing it would need as much memory, for messages. */
static void check_memory(const test_field *f)
{
    enum { PLACES = 400, STEP = 3 };
    const test_choices c = {.strategy = "fused", .engine = "auto"};
    int made = 0;
    for (long n = 0; n < PLACES; n += STEP) {
        char lost[128] = "";
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        test_context("allocation %ld fails", n);
        if (test_is_last())
            sx_base_fail_after(n);
        int kind = subx_error_get_kind(test_field_plan(f, &c, MPI_COMM_WORLD, &plan));
        sx_base_fail_after(-1);
        EXPECT(kind == 0 || kind == SUBX_ERR_NO_MEM);
        EXPECT_SAME(kind);
        if (kind)
            continue;
        get_lost(plan, lost);
        EXPECT(!strstr(lost, "sharing"));
        made++;
        test_field_check(f, plan, (double)f->count);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    test_context("allocations fail");
    EXPECT(made > 0 && made < PLACES / STEP);
}

/* Ask for more memory than any node has, and for more threads. The library must refuse without asking the
 * system for the memory. */
static void check_absurd(void)
{
    static const char *const texts[] = {"c2c:1000000000000x4", "c2c:4x1000000000000"};
    static const char *const hints_of[] = {"strategy=fused", "strategy=stride1", "threads=1000000000"};
    void *memory = NULL;
    asked = 0;
    test_context("absurd amounts");
    EXPECT_KIND(subx_mem_alloc(MPI_COMM_WORLD, (ptrdiff_t)1 << 44, MPI_INFO_NULL, &memory), SUBX_ERR_NO_MEM);
    for (int i = 0; i < 6; i++) {
        subx_fft_plan plan;
        test_context("%s, %s", texts[i / 3], hints_of[i % 3]);
        EXPECT_KIND(test_plan_create(texts[i / 3], hints_of[i % 3], &plan), SUBX_ERR_NO_MEM);
    }
    EXPECT_EQUAL(asked, 0);
}

/* Create a plan. `text` gets what the creation writes to stderr. */
static void create_and_listen(const test_field *f, const char *verbose, subx_fft_plan *plan, char text[8192])
{
    const test_choices c = {.more = {{"subx_verbose", verbose}}};
    FILE *file = tmpfile();
    fflush(stderr);
    int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    int rc = test_field_plan(f, &c, MPI_COMM_WORLD, plan);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, 8191, file)] = '\0';
    fclose(file);
    EXPECT_OK(rc);
}

static void check_verbose(const test_field *f)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    char told[8192];
    test_context("verbose");
    create_and_listen(f, "no", &plan, told);
    EXPECT(told[0] == '\0');
    EXPECT_OK(subx_fft_plan_free(&plan));
    create_and_listen(f, "yes", &plan, told);
    char *printed = test_plan_get_text(plan, TEST_PRINTED);
    EXPECT(strcmp(told, test_rank ? "" : printed) == 0);
    free(printed);
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_KIND(
        test_field_plan(f, &(test_choices){.more = {{"subx_verbose", "loud"}}}, MPI_COMM_WORLD, &plan),
        SUBX_ERR_HINT);
}

int main(int argc, char **argv)
{
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    test_begin(&argc, &argv);
    test_field f = test_field_create(SUBX_FFT_C2C, 3, sizes, test_seed());
    check_sharing(&f);
    if (level >= MPI_THREAD_FUNNELED)
        check_threads(&f);
    check_memory(&f);
    check_absurd();
    check_verbose(&f);
    test_field_free(&f);
    return test_end();
}
