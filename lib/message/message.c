/* message.c - posts messages: sends and receives messages of any length, in pieces whose bytes an int can
 * count. */
#include "message/message.h"

/* Bytes of a piece: well below INT_MAX, and a multiple of any page size. */
enum { PIECE = 1 << 30 };

static ptrdiff_t get_piece(void)
{
    return sx_base_knobs.message_piece > 0 ? sx_base_knobs.message_piece : PIECE;
}

ptrdiff_t sx_message_count(ptrdiff_t bytes)
{
    const ptrdiff_t piece = get_piece();
    return bytes / piece + (bytes % piece > 0);
}

int sx_messages_create(sx_messages *m, MPI_Comm comm, int side, int tag, ptrdiff_t room)
{
    int n;
    *m = (sx_messages){.comm = comm, .side = side, .tag = tag};
    int rc = sx_base_int(room, &n);
    if (rc)
        return rc;
    m->request = sx_base_alloc(room, sizeof(MPI_Request));
    if (!m->request)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    m->room = n;
    for (int i = 0; i < n; i++)
        m->request[i] = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

/* Give up a message. A receive is cancelled, so that MPI does not write into memory that is freed later. A
 * send is left to MPI: to cancel a send is deprecated. */
static void drop(sx_messages *m, int i)
{
    if (m->request[i] == MPI_REQUEST_NULL)
        return;
    if (m->side == SX_FROM) {
        MPI_Request_free(&m->request[i]);
        return;
    }
    MPI_Cancel(&m->request[i]);
    MPI_Wait(&m->request[i], MPI_STATUS_IGNORE);
}

void sx_messages_free(sx_messages *m)
{
    for (int i = 0; i < m->n; i++)
        drop(m, i);
    sx_base_free(m->request);
    *m = (sx_messages){0};
}

static int start_piece(sx_messages *m, int partner, char *data, ptrdiff_t bytes)
{
    int n, rc = sx_base_int(bytes, &n);
    if (rc)
        return rc;
    MPI_Request *request = &m->request[m->n++];
    return m->side == SX_TO ? MPI_Irecv(data, n, MPI_BYTE, partner, m->tag, m->comm, request)
                            : MPI_Isend(data, n, MPI_BYTE, partner, m->tag, m->comm, request);
}

int sx_messages_start(sx_messages *m, int partner, void *data, ptrdiff_t bytes)
{
    const ptrdiff_t piece = get_piece();
    int rc = MPI_SUCCESS;
    for (ptrdiff_t at = 0; at < bytes; at += piece) {
        ptrdiff_t n = bytes - at < piece ? bytes - at : piece;
        int failed = start_piece(m, partner, (char *)data + at, n);
        rc = rc ? rc : failed;
    }
    return rc;
}

int sx_messages_test(sx_messages *m, int *done)
{
    int rc = MPI_SUCCESS, ended = 1;
    while (!rc && ended && m->through < m->n) {
        rc = MPI_Test(&m->request[m->through], &ended, MPI_STATUS_IGNORE);
        m->through += !rc && ended;
    }
    *done = m->through == m->n;
    if (*done)
        m->n = m->through = 0;
    return rc;
}
