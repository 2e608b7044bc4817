/* trace.h - what a program can observe of its calls: a list of labelled bytes, to be compared with another one. */
#ifndef TEST_PMPI_TRACE_H
#define TEST_PMPI_TRACE_H

#include "config.h"
#include <mpi.h>
#include <stddef.h>

typedef struct note {
    const char *what;
    int where; /* which message, rank, or repetition */
    size_t bytes, offset;
} note;

typedef struct trace {
    note *notes;
    size_t nnotes, notes_room;
    unsigned char *bytes;
    size_t nbytes, bytes_room;
} trace;

/* An empty trace is all zero. `what` is a constant string. */
void trace_free(trace *t);
void trace_bytes(trace *t, const char *what, int where, const void *bytes, size_t n);
void trace_int(trace *t, const char *what, int where, long long value);

/* The class of an error code. */
void trace_code(trace *t, const char *what, int where, int code);

/* What a status of a receive tells. */
void trace_status(trace *t, int where, const MPI_Status *status, MPI_Datatype type);

/* Whether the notes of `b`, which may have fewer, are all in `a`, in their order. */
int trace_contains(const trace *a, const trace *b);

/* Returns 1 if they are equal; otherwise writes the first difference into text. */
int trace_equal(const trace *a, const trace *b, char *text, size_t room);

#endif
