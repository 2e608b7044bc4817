/* verdict.c - count expectations, print failures with rank and place, agree on the verdict. */
#include "common/verdict.h"
#include "common/random.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx.h>

/* A rank prints at most so many failures. */
enum { PRINTED_MAX = 10 };

int test_rank, test_nranks;
static long checked, failed; /* by all threads */
static uint64_t seed;
static __thread char context[256];

void test_begin(int *argc, char ***argv)
{
    int running = 0;
    MPI_Initialized(&running);
    if (!running)
        MPI_Init(argc, argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &test_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &test_nranks);
    seed = test_random_seed();
    MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (test_rank == 0)
        printf("seed %llu\n", (unsigned long long)seed);
}

void test_begin_funneled(int *argc, char ***argv)
{
    enum { SKIPPED = 77 };
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
    if (level < MPI_THREAD_FUNNELED) {
        MPI_Finalize();
        exit(SKIPPED);
    }
    test_begin(argc, argv);
}

uint64_t test_seed(void)
{
    return seed;
}

void test_context(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);
}

int test_expect(int holds, const char *file, int line, const char *what)
{
    __atomic_add_fetch(&checked, 1, __ATOMIC_RELAXED);
    if (holds)
        return 1;
    if (__atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED) < PRINTED_MAX) {
        printf("%s:%d: rank %d of %d: %s [%s]\n", file, line, test_rank, test_nranks, what, context);
        fflush(stdout);
    }
    return 0;
}

int test_expect_kind(int code, int kind, const char *file, int line, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "", message[MPI_MAX_ERROR_STRING + 256];
    int len, holds = kind ? subx_error_get_kind(code) == kind : code == MPI_SUCCESS;
    if (!holds) {
        MPI_Error_string(code, text, &len);
        snprintf(message, sizeof message, "%s gave \"%s\", not kind %d", what, text, kind);
        what = message;
    }
    return test_expect(holds, file, line, what);
}

int test_expect_equal(long long a, long long b, const char *file, int line, const char *what)
{
    char message[512];
    snprintf(message, sizeof message, "%s: %lld, %lld", what, a, b);
    return test_expect(a == b, file, line, message);
}

int test_expect_same(long long value, const char *file, int line, const char *what)
{
    long long mine[2] = {value, -value}, most[2];
    char message[512];
    MPI_Allreduce(mine, most, 2, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    snprintf(message, sizeof message, "%s: here %lld, elsewhere %lld to %lld", what, value, -most[1],
             most[0]);
    return test_expect(most[0] == -most[1], file, line, message);
}

int test_expect_refused(int code, int kind, int other, const char *words, const char *file, int line,
                        const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "", message[MPI_MAX_ERROR_STRING + 256];
    const int got = subx_error_get_kind(code);
    int len, holds = got == other && got != kind;
    MPI_Error_string(code, text, &len);
    if (!holds) {
        snprintf(message, sizeof message, "%s gave \"%s\", not one line with \"%s\"", what, text, words);
        holds = test_expect_kind(code, kind, file, line, what);
        holds &= test_expect(strstr(text, words) && !strchr(text, '\n'), file, line, message);
    }
    return test_expect_same(got, file, line, what) && holds;
}

int test_is_last(void)
{
    return test_rank == test_nranks - 1;
}

static test_check *checks;

/* Sorts the checks by their lines, because constructors may run in any order. */
void test_check_add(test_check *check)
{
    test_check **at = &checks;
    while (*at && (*at)->line < check->line)
        at = &(*at)->next;
    check->next = *at;
    *at = check;
}

void test_check_run(void)
{
    for (const test_check *c = checks; c; c = c->next)
        c->run();
}

/* Defined only in programs with the address sanitizer. */
__attribute__((weak)) void __lsan_do_leak_check(void);

int test_end(void)
{
    /* A rank without any checks counts as a failure, because it has shown nothing. */
    long mine[2] = {failed, checked > 0 ? 0 : 1}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (test_rank == 0)
        printf("%ld expectations on rank 0, %ld failures on all ranks, %ld ranks that checked nothing\n",
               checked, all[0], all[1]);
    fflush(stdout);
    /* Check for leaks before MPI_Finalize, which unloads plugins. A suppression names a library, and leaks in
     * unloaded plugins have no library name. */
    if (__lsan_do_leak_check)
        __lsan_do_leak_check();
    MPI_Finalize();
    return all[0] || all[1];
}
