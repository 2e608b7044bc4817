/* message.c - sends and receives of any length, in pieces that an int can count. */
#include "message/message.h"

/* Well below INT_MAX, and a multiple of any page. */
enum { PIECE = 1 << 30 };

static ptrdiff_t piece = PIECE;

void sx_message_set_piece(ptrdiff_t bytes)
{
    piece = bytes > 0 ? bytes : PIECE;
}

int sx_message_create(sx_messages *m, MPI_Comm comm, int n)
{
    m->comm = comm;
    m->request = sx_base_alloc(n, sizeof(MPI_Request));
    m->message = sx_base_alloc(n, sizeof *m->message);
    if (!m->request || !m->message)
        return subx_error_get(SUBX_ERR_NO_MEM);
    m->n = n;
    for (int i = 0; i < n; i++)
        m->request[i] = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

/* What an error has left behind must not write into memory that is freed. */
static void drop(sx_messages *m, int slot)
{
    if (m->request[slot] == MPI_REQUEST_NULL)
        return;
    if (m->message[slot].way == SX_FROM) {
        MPI_Request_free(&m->request[slot]);
        return;
    }
    MPI_Cancel(&m->request[slot]);
    MPI_Wait(&m->request[slot], MPI_STATUS_IGNORE);
}

void sx_message_free(sx_messages *m)
{
    for (int i = 0; i < m->n; i++)
        drop(m, i);
    sx_base_free(m->message);
    sx_base_free(m->request);
}

/* Start the next piece of what is in a slot. A message of another type than MPI_BYTE is one piece, so that
 * pieces are as many bytes apart as they are long. */
static int start_piece(sx_messages *m, int slot)
{
    sx_message *a = &m->message[slot];
    int n = 0, rc = sx_base_int(a->n < piece ? a->n : piece, &n);
    if (rc)
        return rc;
    a->n -= n;
    if (a->way == SX_FROM) {
        const char *from = a->from;
        a->from += n;
        return MPI_Isend(from, n, a->type, a->peer, a->tag, m->comm, &m->request[slot]);
    }
    char *to = a->to;
    a->to += n;
    return MPI_Irecv(to, n, a->type, a->peer, a->tag, m->comm, &m->request[slot]);
}

int sx_message_start(sx_messages *m, int slot, const sx_message *message)
{
    m->message[slot] = *message;
    return start_piece(m, slot);
}

/* The slot of a piece that has come to its end. */
static int get_piece(sx_messages *m, int waits, int *slot)
{
    int done = 1;
    int rc = waits ? MPI_Waitany(m->n, m->request, slot, MPI_STATUS_IGNORE)
                   : MPI_Testany(m->n, m->request, slot, &done, MPI_STATUS_IGNORE);
    if (!done)
        *slot = SX_BUSY;
    else if (*slot == MPI_UNDEFINED)
        *slot = SX_IDLE;
    return rc;
}

int sx_message_test_all(sx_messages *m, int *done)
{
    int rc = MPI_SUCCESS, ended = 1;
    while (!rc && ended && m->through < m->n) {
        rc = MPI_Test(&m->request[m->through], &ended, MPI_STATUS_IGNORE);
        if (!rc && ended && m->message[m->through].n > 0)
            rc = start_piece(m, m->through);
        else if (!rc && ended)
            m->through++;
    }
    *done = m->through == m->n;
    if (*done)
        m->through = 0;
    return rc;
}

int sx_message_get(sx_messages *m, int waits, int *slot)
{
    int rc = get_piece(m, waits, slot);
    while (!rc && *slot >= 0 && m->message[*slot].n > 0) {
        rc = start_piece(m, *slot);
        if (!rc)
            rc = get_piece(m, waits, slot);
    }
    return rc;
}
