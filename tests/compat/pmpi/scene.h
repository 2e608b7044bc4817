/* scene.h - what a scenario works with: a table of MPI functions, a communicator, a stream of random numbers,
 * and a trace. */
#ifndef TEST_PMPI_SCENE_H
#define TEST_PMPI_SCENE_H

#include "compat/pmpi/calls.h"
#include "compat/pmpi/piece.h"
#include "compat/pmpi/trace.h"

typedef struct scene {
    const calls *mpi;
    uint64_t seed, number;
    test_random r;     /* all ranks draw the same numbers */
    int large;         /* use calls with MPI_Count */
    int by_definition; /* 1: messages replace the all-to-all calls; only memory is noted */
    MPI_Comm comm;
    int rank, size, npartners, is_inter;
    int id; /* this rank's number in MPI_COMM_WORLD */
    trace trace;
} scene;

/* A scenario. It runs once with each of the two tables of MPI functions (calls.h), makes the same calls, and
 * notes everything that a program can observe. */
typedef void scenario(scene *s);

/* Create scene `number` of a seed, and describe it in `text`. Collective on MPI_COMM_WORLD. */
scene scene_create(const calls *mpi, uint64_t seed, uint64_t number, int with_inter, char text[64]);
void scene_free(scene *s);

/* Get a stream of random numbers. Ranks that pass the same three numbers (each 0 .. 31) get the same
 * stream. */
test_random scene_stream(const scene *s, int what, int from, int to);

/* Get the rank in MPI_COMM_WORLD of the process that has rank `rank` in the communicator (of an
 * inter-communicator: in the other group). */
int scene_partner(const scene *s, int rank);

/* Complete requests in one of COMPLETE_FORMS ways. Note the codes of all requests and the statuses of
 * receives. If request i is a receive whose status is defined, types[i] is its type, else
 * MPI_DATATYPE_NULL. */
enum { COMPLETE_FORMS = 9 };
void complete(scene *s, int form, int n, MPI_Request requests[], const MPI_Datatype types[]);

/* The scenarios. */
scenario point_run, many_run, cancel_run, pack_run, errors_run, short_run, alltoall_run;

#endif
