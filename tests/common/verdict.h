/* verdict.h - the harness of the MPI tests. Expectations are counted on each rank; all ranks agree on the
 * verdict.
 *
 * The macros evaluate their argument once, also with NDEBUG, and return 1 if the expectation holds. Any
 * thread may use them, except EXPECT_SAME. */
#ifndef TEST_VERDICT_H
#define TEST_VERDICT_H

#include "config.h"
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* Initialise MPI, unless the program has initialised it (for example, with threads). From then on, MPI calls
 * return their errors. Prints the seed, which the variable SUBX_TEST_SEED can set. */
void test_begin(int *argc, char ***argv);

/* As test_begin, for a test whose further threads call no MPI functions (MPI_THREAD_FUNNELED). The test is
 * skipped if this MPI does not allow such threads. */
void test_begin_funneled(int *argc, char ***argv);

/* Agree on the verdict and finalise MPI. Returns the result for main: 0 only if each rank has checked
 * something and no rank has seen a failure. */
int test_end(void);

/* The seed, which is the same on all ranks. */
uint64_t test_seed(void);

extern int test_rank, test_nranks; /* this rank and the number of ranks, in MPI_COMM_WORLD */

/* 1 on the last rank of MPI_COMM_WORLD. */
int test_is_last(void);

/* Describe what is tested. Every failure of this thread is printed with this text, until the next call. */
void test_context(const char *format, ...) __attribute__((format(printf, 1, 2)));

int test_expect(int holds, const char *file, int line, const char *what);
int test_expect_kind(int code, int kind, const char *file, int line, const char *what);
int test_expect_equal(long long a, long long b, const char *file, int line, const char *what);
int test_expect_same(long long value, const char *file, int line, const char *what);
int test_expect_refused(int code, int kind, int other, const char *words, const char *file, int line,
                        const char *what);

#define EXPECT(condition) test_expect((condition) != 0, __FILE__, __LINE__, #condition)

/* The call returns MPI_SUCCESS. */
#define EXPECT_OK(call) test_expect_kind((call), 0, __FILE__, __LINE__, #call)

/* The call returns an error of this kind. */
#define EXPECT_KIND(call, kind) test_expect_kind((call), (kind), __FILE__, __LINE__, #call)

#define EXPECT_EQUAL(a, b) test_expect_equal((long long)(a), (long long)(b), __FILE__, __LINE__, #a " == " #b)

/* The value is the same on all ranks of MPI_COMM_WORLD. Collective. */
#define EXPECT_SAME(value)                                                                                   \
    test_expect_same((long long)(value), __FILE__, __LINE__, #value " is the same on all ranks")

/* All ranks get an error of this kind, whose text is one line with these words. With OR, another kind is
 * right, too, for example because ranks differ: then the words do not count. A kind -1 is never right.
 * Collective. */
#define EXPECT_REFUSED(call, kind, words)                                                                    \
    test_expect_refused((call), (kind), (kind), (words), __FILE__, __LINE__, #call)
#define EXPECT_REFUSED_OR(call, kind, other, words)                                                          \
    test_expect_refused((call), (kind), (other), (words), __FILE__, __LINE__, #call)

/* The head of a check. A program that has checks and no main function gets that of main.c, which runs the checks
 * in the order of the file. */
typedef struct test_check {
    void (*run)(void);
    int line;
    struct test_check *next;
} test_check;
void test_check_add(test_check *check);
void test_check_run(void);

#define CHECK(name)                                                                                          \
    static void name(void);                                                                                  \
    __attribute__((constructor)) static void name##_add(void)                                                \
    {                                                                                                        \
        static test_check self = {name, __LINE__, NULL};                                                     \
        test_check_add(&self);                                                                               \
    }                                                                                                        \
    static void name(void)

#endif
