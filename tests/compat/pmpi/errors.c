/* errors.c - wrong arguments, and messages that end within an element: the errors must be the same as without
 * the interposer. */
#include "compat/pmpi/scene.h"
#include <stdlib.h>

enum { MISTAKES = 17 };

/* Make call number `which`, which has a wrong argument and sends no message. */
static int make_mistake(scene *s, piece *p, int which)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Datatype none = MPI_DATATYPE_NULL;
    const calls *m = s->mpi;
    int position = 0;
    char out[8];
    switch (which) {
    case 0:
        return m->Send(p->buf, -1, p->type, 0, 0, s->comm);
    case 1:
        return m->Isend(p->buf, p->count, p->type, s->npartners + 3, 0, s->comm, &request);
    case 2:
        return m->Bsend(p->buf, p->count, p->type, 0, -5, s->comm);
    case 3:
        return m->Issend(p->buf, p->count, none, 0, 0, s->comm, &request);
    case 4:
        return m->Irecv(p->buf, p->count, p->type, s->npartners, 0, s->comm, &request);
    case 5:
        return m->Recv(p->buf, p->count, p->type, 0, -7, s->comm, MPI_STATUS_IGNORE);
    case 6:
        return m->Recv_init(p->buf, -2, p->type, 0, 0, s->comm, &request);
    case 7:
        return m->Sendrecv_replace(p->buf, p->count, p->type, s->npartners, 0, 0, 0, s->comm,
                                   MPI_STATUS_IGNORE);
    case 8:
        return m->Pack(p->buf, -1, p->type, out, 8, &position, s->comm);
    case 9:
        return m->Pack(p->buf, 0, p->type, out, 8, &position, MPI_COMM_NULL);
    case 10:
        return m->Waitall(-1, &request, MPI_STATUSES_IGNORE);
    case 11:
        return m->Request_free(&request);
    case 12:
        return m->Start(&request);
    case 13:
        return m->Type_commit(&none);
    case 14:
        return m->Alltoall(p->buf, 1, none, p->buf, 1, p->type, s->comm);
    case 15:
        return m->Alltoall(p->memory, 1, p->type, p->memory, -1, p->type, s->comm);
    default:
        return m->Alltoall(p->memory, 1, p->type, p->memory, 1, p->type, MPI_COMM_NULL);
    }
}

void errors_run(scene *s)
{
    test_random own = scene_stream(s, 1, s->id, 0);
    piece p = piece_exact(s->mpi, &own, MPI_DOUBLE, 512, 2, 0);
    piece_fill(&p, s->seed);
    for (int i = 0; i < 6; i++) {
        const int which = test_random_int(&s->r, 0, MISTAKES - 1);
        trace_code(&s->trace, "the code of a mistake", which, make_mistake(s, &p, which));
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
