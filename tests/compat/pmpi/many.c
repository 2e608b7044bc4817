/* many.c - messages from all ranks to one rank, and receives that are cancelled. */
#include "compat/pmpi/scene.h"
#include <stdlib.h>

enum { RANKS_MAX = 32, ELEMENTS = 5000, TAG = 3 };

/* Receive a message from each rank, in any order. Each message is unpacked into the piece for its source. */
static void receive_all(scene *s, piece to[])
{
    MPI_Status status;
    for (int i = 0; i < s->npartners; i++) {
        MPI_Probe(MPI_ANY_SOURCE, TAG, s->comm, &status);
        const int from = status.MPI_SOURCE;
        const int code =
            CALL(s->mpi, s->large, Recv,
                 (to[from].buf, to[from].count, to[from].type, from, MPI_ANY_TAG, s->comm, &status));
        trace_code(&s->trace, "the code of a receive", -1, code);
    }
}

/* Receive from any source. All pieces have equal types, so any message fits into any piece. The status says
 * which rank has sent the message. */
static void receive_any(scene *s, piece to[])
{
    piece sorted[RANKS_MAX];
    MPI_Status status;
    for (int i = 0; i < s->npartners; i++) {
        CALL(s->mpi, s->large, Recv,
             (to[i].buf, to[i].count, to[i].type, MPI_ANY_SOURCE, TAG, s->comm, &status));
        sorted[status.MPI_SOURCE] = to[i];
        trace_int(&s->trace, "tag", -1, status.MPI_TAG);
    }
    for (int i = 0; i < s->npartners; i++)
        to[i] = sorted[i];
}

void many_run(scene *s)
{
    piece to[RANKS_MAX], from;
    MPI_Request request;
    MPI_Datatype none = MPI_DATATYPE_NULL;
    const int n = types_elements(&s->r, ELEMENTS), count = test_random_int(&s->r, 1, 3);
    const int any = test_random_int(&s->r, 0, 1),
              root = test_random_int(&s->r, 0, (s->is_inter ? 1 : s->size) - 1);
    const int is_root = s->rank == root;
    MPI_Datatype basic = types_basic(&s->r);
    test_random same = s->r, own = scene_stream(s, 1, s->id, 0);
    for (int i = 0; i < s->npartners && is_root; i++) {
        test_random like = same;
        to[i] = piece_exact(s->mpi, any ? &like : &own, basic, n, count,
                            piece_flags(n * count * 16, any || i == s->rank));
        piece_fill(&to[i], s->seed);
    }
    from = piece_exact(s->mpi, &own, basic, n * count, 1, PIECE_SENT);
    piece_fill(&from, s->seed + (uint64_t)s->id);
    CALL(s->mpi, s->large, Isend, (from.buf, from.count, from.type, root, TAG, s->comm, &request));
    if (is_root)
        any ? receive_any(s, to) : receive_all(s, to);
    complete(s, test_random_int(&own, 0, COMPLETE_FORMS - 1), 1, &request, &none);
    for (int i = 0; i < s->npartners && is_root; i++) {
        piece_note(&s->trace, "received memory", i, &to[i]);
        piece_free(&to[i]);
    }
    piece_free(&from);
}

/* Start receives with a tag with which nothing is sent, and cancel them. */
void cancel_run(scene *s)
{
    enum { MOST = 3 };
    piece to[MOST];
    MPI_Request requests[MOST];
    MPI_Status status;
    int is_cancelled = 0;
    const int n = test_random_int(&s->r, 1, MOST);
    test_random own = scene_stream(s, 1, s->id, 0);
    for (int i = 0; i < n; i++) {
        to[i] = piece_draw(s->mpi, &own, types_basic(&own), ELEMENTS, 0);
        piece_fill(&to[i], s->seed);
        if (test_random_int(&s->r, 0, 1)) {
            CALL(s->mpi, s->large, Irecv, (to[i].buf, to[i].count, to[i].type, 0, 77, s->comm, &requests[i]));
        } else {
            CALL(s->mpi, s->large, Recv_init,
                 (to[i].buf, to[i].count, to[i].type, 0, 77, s->comm, &requests[i]));
            s->mpi->Start(&requests[i]);
        }
    }
    for (int i = 0; i < n; i++) {
        trace_code(&s->trace, "the code of MPI_Cancel", i, MPI_Cancel(&requests[i]));
        trace_code(&s->trace, "the code of a wait", i, s->mpi->Wait(&requests[i], &status));
        MPI_Test_cancelled(&status, &is_cancelled);
        trace_int(&s->trace, "MPI_Test_cancelled", i, is_cancelled);
        piece_note(&s->trace, "memory of a cancelled receive", i, &to[i]);
        if (requests[i] != MPI_REQUEST_NULL)
            trace_code(&s->trace, "the code of MPI_Request_free", i, s->mpi->Request_free(&requests[i]));
        piece_free(&to[i]);
    }
}
