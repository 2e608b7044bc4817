/* unit.h - the frame of the unit tests: each program has one Check suite, in one process; MPI runs as a singleton. */
#ifndef TEST_UNIT_H
#define TEST_UNIT_H

#include "config.h"
#include <check.h>
#include <subx.h>

/* A test of a program. TEST adds it to the list of tests before main begins. */
typedef struct test_unit {
    TTest test;
    int first, end;
    struct test_unit *next;
} test_unit;

void test_unit_add(test_unit *test);

/* The head of a test. TESTS runs it several times, with _i from first to end - 1. */
#define TEST(name) TESTS(name, 0, 1)
#define TESTS(name, first, end)                                                                              \
    static void name(int _i);                                                                                \
    __attribute__((constructor)) static void name##_add(void)                                                \
    {                                                                                                        \
        static test_unit self = {{#name, name, __FILE__, __LINE__}, first, end, NULL};                       \
        test_unit_add(&self);                                                                                \
    }                                                                                                        \
    static void name(int _i CK_ATTRIBUTE_UNUSED)

/* Run a program's tests in the order of the file, without forking: forks break MPI. Returns the result for main. */
int test_unit_run(const char *name);

/* The same between MPI_Init and MPI_Finalize. */
int test_unit_run_mpi(const char *name);

/* Check writes the place of each assertion into a file, for tests that crash in a process of their own. No test here has one. */
#define _mark_point(file, line) ((void)0)

#define ck_assert_ok(call) ck_assert_int_eq((call), MPI_SUCCESS)
#define ck_assert_kind(call, kind) ck_assert_int_eq(subx_error_get_kind(call), (kind))

#endif
