/* scene.h - what a scenario gets: a table of calls, a communicator, a stream of random numbers, and a trace. */
#ifndef TEST_PMPI_SCENE_H
#define TEST_PMPI_SCENE_H

#include "compat/pmpi/calls.h"
#include "compat/pmpi/piece.h"
#include "compat/pmpi/trace.h"

typedef struct scene {
    const calls *mpi;
    uint64_t seed, number;
    test_random r;     /* the same on all ranks */
    int large;         /* calls with MPI_Count */
    int by_definition; /* 1: exchange by the definition, without the tested calls; note memory only */
    MPI_Comm comm;
    int rank, size, npartners, is_inter;
    int id; /* this rank in MPI_COMM_WORLD */
    trace trace;
} scene;

/* A scenario: it makes the same calls with either table, and notes all that a program can observe. */
typedef void scenario(scene *s);

/* Create scene `number` of a seed. `text` gets a description. Collective on MPI_COMM_WORLD. */
scene scene_create(const calls *mpi, uint64_t seed, uint64_t number, int with_inter, char text[64]);
void scene_free(scene *s);

/* Get a stream of random numbers. Ranks that pass the same numbers (0 .. 31) share a stream. */
test_random scene_stream(const scene *s, int what, int from, int to);

/* Get the rank in MPI_COMM_WORLD of the partner with rank `rank` of the communicator, or of its other group. */
int scene_partner(const scene *s, int rank);

/* Complete requests in one of COMPLETE_FORMS ways. Notes the codes of all requests, and the statuses of receives.
 * types[i] is the type of a receive, MPI_DATATYPE_NULL if the status is undefined. */
enum { COMPLETE_WAITANY = 2, COMPLETE_TESTANY = 6, COMPLETE_FORMS = 9 };
void complete(scene *s, int form, int n, MPI_Request requests[], const MPI_Datatype types[]);

/* The scenarios. */
scenario point_run, many_run, cancel_run, pack_run, errors_run, alltoall_run;

#endif
