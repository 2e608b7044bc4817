/* calls.h - the functions of MPI that the interposer takes over, by two tables: as a program calls them, and MPI's own. */
#ifndef TEST_PMPI_CALLS_H
#define TEST_PMPI_CALLS_H

#include "config.h"
#include "compat/pmpi/functions.h"

/* Some calls are left out with one MPI or the other, because they failed without the interposer. */
#ifdef OPEN_MPI
enum { IS_OPENMPI = 1 };
#else
enum { IS_OPENMPI = 0 };
#endif

#define PMPI_TEST_POINTER(name, params, args) int(*name) params;
typedef struct calls {
    SX_PMPI_FUNCTIONS(PMPI_TEST_POINTER)
} calls;

/* Those that a program reaches, which is the interposer if it is preloaded; MPI's own. */
extern calls calls_program, calls_plain;

/* Fill the tables. Returns 0 if MPI's library is not found. */
int calls_find(void);

/* Whether an interposer is between the two. */
int calls_differ(void);

/* A call with int counts or, if `large`, with MPI_Count, where MPI has such calls. */
#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
#define CALL(table, large, name, args) ((large) ? (table)->name##_c args : (table)->name args)
#else
#define CALL(table, large, name, args) ((void)(large), (table)->name args)
#endif

#endif
