/* message.h - several messages of any length in flight: each goes in pieces that an int can count. */
#ifndef SX_MESSAGE_H
#define SX_MESSAGE_H

#include "base/base.h"

/* A set of messages, all sent (SX_FROM) or all received (SX_TO). The set is complete when all have ended. All messages
 * between two ranks have the same tag: MPI matches them in the order in which they were started. */
typedef struct sx_messages {
    MPI_Comm comm;
    int side, tag;
    int n, room; /* number of requests, and how many there is memory for */
    int through; /* requests that are known to have ended */
    MPI_Request *request;
    int *length; /* bytes of each piece */
} sx_messages;

/* Get the number of pieces of a message. */
ptrdiff_t sx_message_count(ptrdiff_t bytes);

/* Allocate room for `room` pieces. Local. Errors: TOO_LARGE, NO_MEM. */
int sx_messages_create(sx_messages *m, MPI_Comm comm, int side, int tag, ptrdiff_t room);

void sx_messages_free(sx_messages *m);

/* After an error: give up the messages that have not ended. Receives are cancelled. */
void sx_messages_drop(sx_messages *m);

/* Start a message. If MPI refuses it and sets no request, an empty message is sent instead, so that the partner does
 * not wait for ever. */
int sx_messages_start(sx_messages *m, int partner, void *data, ptrdiff_t bytes);

/* Test whether all messages have ended; then new ones can be started. Returns SUBX_ERR_PEER, once, if a message is
 * shorter than expected. Tests only one request at a time, because MPI progresses all requests during any call. May be
 * called again after an error. */
int sx_messages_test(sx_messages *m, int *done);

#endif
