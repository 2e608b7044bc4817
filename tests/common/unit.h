/* unit.h - the frame of the unit tests: each program has one Check suite, in one process; MPI runs as a singleton. */
#ifndef TEST_UNIT_H
#define TEST_UNIT_H

#include "config.h"
#include <check.h>
#include <subx.h>

/* A function that adds a program's tests to its case. */
typedef void test_add(TCase *tests);

/* Run the tests in this process, because MPI does not survive a fork. Returns the result for main. */
int test_unit_run(const char *name, test_add *add);

/* As test_unit_run, between MPI_Init and MPI_Finalize. */
int test_unit_run_mpi(const char *name, test_add *add);

#define ck_assert_ok(call) ck_assert_int_eq((call), MPI_SUCCESS)
#define ck_assert_kind(call, kind) ck_assert_int_eq(subx_error_get_kind(call), (kind))

#endif
