/* calls.h - two tables of the MPI functions that the interposer takes over: as a program calls them, and
 * MPI's own. */
#ifndef TEST_PMPI_CALLS_H
#define TEST_PMPI_CALLS_H

#include "config.h"
#include "compat/pmpi/functions.h"

/* Which MPI this is. Tests leave out calls that this MPI gets wrong even without the interposer. */
#ifdef OPEN_MPI
enum { IS_OPENMPI = 1 };
#else
enum { IS_OPENMPI = 0 };
#endif

#define PMPI_TEST_POINTER(name, params, args) int(*name) params;
typedef struct calls {
    SX_PMPI_FUNCTIONS(PMPI_TEST_POINTER)
} calls;

/* calls_program: the functions that a program calls: the interposer's, if it is preloaded, else MPI's.
 * calls_plain: always MPI's own functions. */
extern calls calls_program, calls_plain;

/* Fill the tables. Returns 0 if MPI's library is not found. */
int calls_find(void);

/* Returns 1 if an interposer is between the program and MPI. */
int calls_differ(void);

/* Call a function with int counts, or, if `large` is 1 and MPI has such functions, with MPI_Count. */
#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
#define CALL(table, large, name, args) ((large) ? (table)->name##_c args : (table)->name args)
#else
#define CALL(table, large, name, args) ((void)(large), (table)->name args)
#endif

#endif
