/* unit.h - the frame of the unit tests. Each program has one Check suite and runs without a launcher, so MPI
 * has one rank. */
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

/* The head of a test. TEST runs the test once. TESTS runs it for each _i from first to end - 1. */
#define TEST(name) TESTS(name, 0, 1)
#define TESTS(name, first, end)                                                                              \
    static void name(int _i);                                                                                \
    __attribute__((constructor)) static void name##_add(void)                                                \
    {                                                                                                        \
        static test_unit self = {{#name, name, __FILE__, __LINE__}, first, end, NULL};                       \
        test_unit_add(&self);                                                                                \
    }                                                                                                        \
    static void name(int _i CK_ATTRIBUTE_UNUSED)

/* Run a program's tests in the order of the file, without forking, because forks break MPI. Returns the
 * result for main. */
int test_unit_run(const char *name);

/* As test_unit_run, between MPI_Init and MPI_Finalize. */
int test_unit_run_mpi(const char *name);

/* This replaces a macro of Check, which writes the place of each assertion into a file. That file is useful
 * only if each test runs in a process of its own; here all tests of a program run in one process. */
#define _mark_point(file, line) ((void)0)

#define ck_assert_ok(call) ck_assert_int_eq((call), MPI_SUCCESS)
#define ck_assert_kind(call, kind) ck_assert_int_eq(subx_error_get_kind(call), (kind))

#endif
