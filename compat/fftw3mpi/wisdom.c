/* wisdom.c - gather and broadcast the wisdom of the serial library. */
#include "fftw3mpi/fftw3mpi.h"
#include <stdlib.h>
#include <string.h>

/* Send this rank's wisdom as text. The receiver adds the text to its own wisdom. The text is empty if the
 * sender has no memory, or if the text is too long for a message. If the receiver has no memory, nothing is
 * added. */
static void send(const sx_fftw_precision *p, MPI_Comm comm, int to)
{
    char *text = p->export_wisdom();
    int bytes;
    const int is_sent = text && !sx_base_int((ptrdiff_t)strlen(text) + 1, &bytes);
    (void)MPI_Send(is_sent ? text : "", is_sent ? bytes : 1, MPI_CHAR, to, 0, comm);
    free(text);
}

static void receive(const sx_fftw_precision *p, MPI_Comm comm, int from)
{
    MPI_Message message;
    MPI_Status status;
    int bytes = 0;
    if (MPI_Mprobe(from, 0, comm, &message, &status) || MPI_Get_count(&status, MPI_CHAR, &bytes))
        return;
    char *text = sx_base_alloc(bytes + 1, 1);
    (void)MPI_Mrecv(text, text ? bytes : 0, MPI_CHAR, &message, &status);
    if (text)
        (void)p->import_wisdom(text);
    sx_base_free(text);
}

/* Duplicate the communicator, so that our messages do not match messages of the caller. Errors are returned,
 * because the program must not end if there is no memory for a message. */
static int create_copy(MPI_Comm comm, MPI_Comm *copy, int *rank, int *nranks)
{
    int rc = MPI_Comm_dup(comm, copy);
    if (!rc)
        rc = MPI_Comm_set_errhandler(*copy, MPI_ERRORS_RETURN);
    if (!rc)
        rc = MPI_Comm_rank(*copy, rank);
    return rc ? rc : MPI_Comm_size(*copy, nranks);
}

/* The functions that gather and broadcast wisdom use a binomial tree, whose root is rank 0. */
void sx_fftw_gather_wisdom(const sx_fftw_precision *p, MPI_Comm comm)
{
    MPI_Comm copy;
    int rank, nranks;
    if (create_copy(comm, &copy, &rank, &nranks))
        return;
    for (int step = 1; step < nranks; step *= 2) {
        if (rank % (2 * step) == step) {
            send(p, copy, rank - step);
            break;
        }
        if (rank % (2 * step) == 0 && rank + step < nranks)
            receive(p, copy, rank + step);
    }
    MPI_Comm_free(&copy);
}

void sx_fftw_broadcast_wisdom(const sx_fftw_precision *p, MPI_Comm comm)
{
    MPI_Comm copy;
    int rank, nranks, step = 1;
    if (create_copy(comm, &copy, &rank, &nranks))
        return;
    while (step < nranks)
        step *= 2;
    for (step /= 2; step > 0; step /= 2) {
        if (rank % (2 * step) == step)
            receive(p, copy, rank - step);
        else if (rank % (2 * step) == 0 && rank + step < nranks)
            send(p, copy, rank + step);
    }
    MPI_Comm_free(&copy);
}
