/* pmpi_threads.c - four threads per rank send strided types at the same time: first each thread on its own
 * communicator, then all on one communicator, each with its own tags.
 *
 * pmpi_threads.sh preloads the interposer. */
#include "common/verdict.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 60, ROWS = 64, SKIPPED = 77 };

typedef struct worker {
    pthread_t thread;
    MPI_Comm comm; /* the thread's own communicator */
    int number;
    double *from, *to;
} worker;

static double value(int rank, int number, int round, int i, int j)
{
    return rank + 10.0 * number + 100.0 * round + 1e-3 * i + 1e-6 * j;
}

/* Create a type of whole columns, one after the other. The number of columns differs between rounds. */
static MPI_Datatype create_columns(int columns)
{
    MPI_Datatype column, type;
    MPI_Type_vector(ROWS, 1, ROWS, MPI_DOUBLE, &column);
    MPI_Type_create_hvector(columns, 1, sizeof(double), column, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&column);
    return type;
}

static void fill(worker *w, int round)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            w->from[i * ROWS + j] = value(test_rank, w->number, round, i, j);
            w->to[i * ROWS + j] = -1;
        }
}

/* The sender's columns must have arrived, and all other columns must not have changed. */
static void check(worker *w, int round, int columns, int source)
{
    int wrong = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            wrong += w->to[i * ROWS + j] != (j < columns ? value(source, w->number, round, i, j) : -1);
    test_expect(wrong == 0, __FILE__, __LINE__, "columns have arrived");
}

static void send_round(worker *w, int round, MPI_Comm comm, int tag)
{
    const int columns = 1 + round % ROWS, next = (test_rank + 1) % test_nranks,
              last = (test_rank + test_nranks - 1) % test_nranks;
    MPI_Datatype type = create_columns(columns);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    fill(w, round);
    MPI_Irecv(w->to, 1, type, last, tag, comm, &requests[0]);
    MPI_Isend(w->from, 1, type, next, tag, comm, &requests[1]);
    if (round % 2)
        MPI_Type_free(&type);
    MPI_Waitall(2, requests, statuses);
    check(w, round, columns, last);
    if (type != MPI_DATATYPE_NULL)
        MPI_Type_free(&type);
}

static void exchange_round(worker *w, int round)
{
    enum { MOST = 8 };
    const int columns = 1 + round % ROWS;
    MPI_Datatype types[MOST], type = create_columns(columns);
    int counts[MOST], sources[MOST] = {0}, displs[MOST] = {0};
    const int last = (test_rank + test_nranks - 1) % test_nranks, next = (test_rank + 1) % test_nranks;
    for (int i = 0; i < test_nranks; i++) {
        types[i] = type;
        counts[i] = i == next;
        sources[i] = i == last;
    }
    fill(w, round);
    MPI_Alltoallw(w->from, counts, displs, types, w->to, sources, displs, types, w->comm);
    check(w, round, columns, last);
    MPI_Type_free(&type);
}

static void *work(void *argument)
{
    worker *w = argument;
    for (int round = 0; round < ROUNDS; round++) {
        send_round(w, round, w->comm, 0);
        send_round(w, round, MPI_COMM_WORLD, w->number);
        if (test_nranks > 1)
            exchange_round(w, round);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    worker workers[THREADS];
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return SKIPPED;
    }
    test_begin(&argc, &argv);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.number = i, .from = malloc(sizeof(double) * ROWS * ROWS)};
        workers[i].to = malloc(sizeof(double) * ROWS * ROWS);
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            abort();
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        MPI_Comm_free(&workers[i].comm);
        free(workers[i].from);
        free(workers[i].to);
    }
    return test_end();
}
