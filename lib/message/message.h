/* message.h - several messages of any length in flight: each goes in pieces that an int can count. */
#ifndef SX_MESSAGE_H
#define SX_MESSAGE_H

#include "base/base.h"

/* Messages that are sent (SX_FROM) or received (SX_TO), and end together. Messages of a pair of ranks have one tag: MPI
 * takes them in the order in which they were started. */
typedef struct sx_messages {
    MPI_Comm comm;
    int side, tag;
    int n, room; /* requests, and how many there is memory for */
    int through; /* requests that are known to have ended */
    MPI_Request *request;
    int *length; /* bytes of each piece */
} sx_messages;

/* Get how many pieces a message of some length takes. */
ptrdiff_t sx_message_count(ptrdiff_t bytes);

/* Make room for some pieces. Local. Errors: TOO_LARGE, NO_MEM. */
int sx_messages_create(sx_messages *m, MPI_Comm comm, int side, int tag, ptrdiff_t room);

void sx_messages_free(sx_messages *m);

/* Give up messages that have not ended, after an error. They are cancelled as far as MPI can do that. */
void sx_messages_drop(sx_messages *m);

/* Start a message. If MPI refuses it and gives no request, an empty one takes its place, so that the peer does not wait
 * for ever. */
int sx_messages_start(sx_messages *m, int peer, void *data, ptrdiff_t bytes);

/* Tell whether all have ended; if so, others can be started. SUBX_ERR_PEER, once, if a message is shorter than expected. Asks MPI for one request at a time, since MPI
 * progresses all of them with it. After an error it may be called again. */
int sx_messages_test(sx_messages *m, int *done);

/* Set the length of a piece, bytes, on all ranks alike; 0 sets the usual one. For tests. */
void sx_message_set_piece(ptrdiff_t bytes);

#endif
