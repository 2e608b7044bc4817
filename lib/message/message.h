/* message.h - sets of messages of any length. A long message is sent in pieces whose bytes an int can
 * count. */
#ifndef SX_MESSAGE_H
#define SX_MESSAGE_H

#include "base/base.h"

/* A set of messages, which are all sent (SX_FROM) or all received (SX_TO). All messages of a set have the
 * same tag: MPI matches messages between two ranks in the order in which they were started. */
typedef struct sx_messages {
    MPI_Comm comm;
    int side, tag;
    int n, room; /* n: number of requests that were started; room: number of requests that there is memory
                    for */
    int through; /* the first `through` requests are known to have ended */
    MPI_Request *request;
} sx_messages;

/* Get the number of pieces of a message. */
ptrdiff_t sx_message_count(ptrdiff_t bytes);

/* Create an empty set, with memory for `room` pieces. Local. SUBX_ERR_TOO_LARGE, SUBX_ERR_NO_MEM. The caller
 * frees the set, also after an error. */
int sx_messages_create(sx_messages *m, MPI_Comm comm, int side, int tag, ptrdiff_t room);

/* Messages that have not ended, because of an error of MPI, are given up: receives are cancelled, MPI ends
 * the sends later. */
void sx_messages_free(sx_messages *m);

/* Start to send or to receive a message; nothing is done if it has 0 bytes. */
int sx_messages_start(sx_messages *m, int partner, void *data, ptrdiff_t bytes);

/* Test whether all messages have ended; then the set is empty again. Tests one request after the other and
 * stops at the first that has not ended, because MPI progresses all requests during any call. */
int sx_messages_test(sx_messages *m, int *done);

#endif
