/* trace.h - what a program observes of its calls: a list of bytes with labels, which can be compared with
 * another list. */
#ifndef TEST_PMPI_TRACE_H
#define TEST_PMPI_TRACE_H

#include "config.h"
#include <mpi.h>
#include <stddef.h>

typedef struct note {
    const char *what;
    int where; /* the number of the message, rank, or repetition */
    size_t bytes, offset;
} note;

typedef struct trace {
    note *notes;
    size_t nnotes, notes_room;
    unsigned char *bytes;
    size_t nbytes, bytes_room;
} trace;

/* A trace that is all zeros is empty. `what` must be a constant string. */
void trace_free(trace *t);
void trace_bytes(trace *t, const char *what, int where, const void *bytes, size_t n);
void trace_int(trace *t, const char *what, int where, long long value);

/* Note the class of an error code. */
void trace_code(trace *t, const char *what, int where, int code);

/* Note what the status of a receive says. */
void trace_status(trace *t, int where, const MPI_Status *status, MPI_Datatype type);

/* Returns 1 if all notes of `b` are in `a`, in the same order. `a` may have more notes. */
int trace_contains(const trace *a, const trace *b);

/* Returns 1 if two traces are equal; otherwise 0, and `text` describes the first difference. */
int trace_equal(const trace *a, const trace *b, char *text, size_t room);

#endif
