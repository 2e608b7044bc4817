/* errors.c - wrong arguments, and messages that end within an element: the errors must be the same as without
 * the interposer. */
#include "compat/pmpi/scene.h"
#include <stdlib.h>

/* A call with a wrong argument. It sends no message. */
typedef int mistake(scene *s, piece *p, MPI_Request *request);

static int send_negative(scene *s, piece *p, MPI_Request *request)
{
    (void)request;
    return s->mpi->Send(p->buf, -1, p->type, 0, 0, s->comm);
}

static int send_to_nobody(scene *s, piece *p, MPI_Request *request)
{
    return s->mpi->Isend(p->buf, p->count, p->type, s->npartners + 3, 0, s->comm, request);
}

static int send_bad_tag(scene *s, piece *p, MPI_Request *request)
{
    (void)request;
    return s->mpi->Bsend(p->buf, p->count, p->type, 0, -5, s->comm);
}

static int send_null_type(scene *s, piece *p, MPI_Request *request)
{
    return s->mpi->Issend(p->buf, p->count, MPI_DATATYPE_NULL, 0, 0, s->comm, request);
}

static int receive_from_nobody(scene *s, piece *p, MPI_Request *request)
{
    return s->mpi->Irecv(p->buf, p->count, p->type, s->npartners, 0, s->comm, request);
}

static int receive_bad_tag(scene *s, piece *p, MPI_Request *request)
{
    (void)request;
    return s->mpi->Recv(p->buf, p->count, p->type, 0, -7, s->comm, MPI_STATUS_IGNORE);
}

static int init_negative(scene *s, piece *p, MPI_Request *request)
{
    return s->mpi->Recv_init(p->buf, -2, p->type, 0, 0, s->comm, request);
}

static int combined_bad_rank(scene *s, piece *p, MPI_Request *request)
{
    (void)request;
    return s->mpi->Sendrecv_replace(p->buf, p->count, p->type, s->npartners, 0, 0, 0, s->comm,
                                    MPI_STATUS_IGNORE);
}

static int pack_negative(scene *s, piece *p, MPI_Request *request)
{
    int position = 0;
    char out[8];
    (void)request;
    return s->mpi->Pack(p->buf, -1, p->type, out, 8, &position, s->comm);
}

static int pack_null_comm(scene *s, piece *p, MPI_Request *request)
{
    int position = 0;
    char out[8];
    (void)request;
    (void)s;
    return s->mpi->Pack(p->buf, 0, p->type, out, 8, &position, MPI_COMM_NULL);
}

static int wait_negative(scene *s, piece *p, MPI_Request *request)
{
    (void)p;
    return s->mpi->Waitall(-1, request, MPI_STATUSES_IGNORE);
}

static int free_nothing(scene *s, piece *p, MPI_Request *request)
{
    (void)p;
    *request = MPI_REQUEST_NULL;
    return s->mpi->Request_free(request);
}

static int start_nothing(scene *s, piece *p, MPI_Request *request)
{
    (void)p;
    *request = MPI_REQUEST_NULL;
    return s->mpi->Start(request);
}

static int commit_nothing(scene *s, piece *p, MPI_Request *request)
{
    MPI_Datatype none = MPI_DATATYPE_NULL;
    (void)p;
    (void)request;
    return s->mpi->Type_commit(&none);
}

static int alltoall_null_type(scene *s, piece *p, MPI_Request *request)
{
    (void)request;
    return s->mpi->Alltoall(p->buf, 1, MPI_DATATYPE_NULL, p->buf, 1, p->type, s->comm);
}

static int alltoall_negative(scene *s, piece *p, MPI_Request *request)
{
    (void)request;
    return s->mpi->Alltoall(p->memory, 1, p->type, p->memory, -1, p->type, s->comm);
}

static int alltoall_null_comm(scene *s, piece *p, MPI_Request *request)
{
    (void)request;
    return s->mpi->Alltoall(p->memory, 1, p->type, p->memory, 1, p->type, MPI_COMM_NULL);
}

static mistake *const mistakes[] = {
    send_negative,     send_to_nobody,    send_bad_tag,      send_null_type, receive_from_nobody,
    receive_bad_tag,   init_negative,     combined_bad_rank, pack_negative,  pack_null_comm,
    wait_negative,     free_nothing,      start_nothing,     commit_nothing, alltoall_null_type,
    alltoall_negative, alltoall_null_comm};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

void errors_run(scene *s)
{
    test_random own = scene_stream(s, 1, s->id, 0);
    piece p = piece_exact(s->mpi, &own, MPI_DOUBLE, 512, 2, 0);
    piece_fill(&p, s->seed);
    for (int i = 0; i < 6; i++) {
        MPI_Request request = MPI_REQUEST_NULL;
        const int which = test_random_int(&s->r, 0, MISTAKES - 1);
        trace_code(&s->trace, "the code of a mistake", which, mistakes[which](s, &p, &request));
    }
    piece_note(&s->trace, "memory of wrong calls", 0, &p);
    piece_free(&p);
}

/* Receive from the previous rank a message that may end within a basic element. MPICH reports this as an
 * error. After an error the memory of the elements is undefined. */
void short_run(scene *s)
{
    static const char bytes[1 << 16] = "short";
    const MPI_Datatype types[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    MPI_Request requests[2];
    test_random own = scene_stream(s, 1, s->id, 0);
    MPI_Datatype basic = types_basic(&s->r);
    const int most = test_random_int(&s->r, 0, 1) ? 60 : 4000, elements = types_elements(&s->r, most);
    piece p = piece_exact(s->mpi, &own, basic, elements ? elements : 50, 1,
                          piece_flags(elements * 16, s->size == 1));
    int n = test_random_int(&s->r, 1, (int)p.bytes);
    const int form = test_random_int(&s->r, 0, COMPLETE_FORMS - 1);
    /* MPICH 4.0 may abort if a rank's message to itself ends within an element. */
    if (!IS_OPENMPI && s->size == 1)
        n = (n + p.element - 1) / p.element * p.element;
    piece_fill(&p, s->seed);
    s->mpi->Irecv(p.buf, p.count, p.type, (s->rank + s->size - 1) % s->size, 4, s->comm, &requests[0]);
    MPI_Isend(bytes, n, MPI_BYTE, (s->rank + 1) % s->size, 4, s->comm, &requests[1]);
    complete(s, form, 2, requests, types);
    piece_note_gaps(&s->trace, "gaps of a short message", 0, &p);
    piece_free(&p);
}
