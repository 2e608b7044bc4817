/* pingpong.c - measure the time of messages of 8 bytes between two ranks, to show that the interposer does not make
 * them slower.
 *
 * Prints the least and the median time of a message, in microseconds. pingpong.sh runs it with and without the
 * interposer. */
#include "config.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 101, MESSAGES = 2000 };

static double time_round(int rank)
{
    char bytes[8] = {0};
    const int partner = 1 - rank;
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int i = 0; i < MESSAGES; i++) {
        if (rank == 0)
            MPI_Send(bytes, sizeof bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
        MPI_Recv(bytes, sizeof bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(bytes, sizeof bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - began) / (2 * MESSAGES);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    double seconds[ROUNDS];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 0; i < ROUNDS; i++)
        seconds[i] = time_round(rank);
    qsort(seconds, ROUNDS, sizeof *seconds, compare);
    if (rank == 0)
        printf("%.4f %.4f\n", 1e6 * seconds[0], 1e6 * seconds[ROUNDS / 2]);
    MPI_Finalize();
    return 0;
}
