/* unit.h - the frame of the unit tests: one Check suite a program, in one process, with MPI as a
 * singleton. */
#ifndef TEST_UNIT_H
#define TEST_UNIT_H

#include "config.h"
#include <check.h>
#include <subx.h>

/* Add a program's tests to its case. */
typedef void test_add(TCase *tests);

/* Run them without forking, which MPI would not survive. Returns what main shall return. */
int test_unit_run(const char *name, test_add *add);

/* The same between MPI_Init and MPI_Finalize. */
int test_unit_run_mpi(const char *name, test_add *add);

#define ck_assert_ok(call) ck_assert_int_eq((call), MPI_SUCCESS)
#define ck_assert_kind(call, kind) ck_assert_int_eq(subx_error_get_kind(call), (kind))

#endif
