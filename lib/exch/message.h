/* message.h - messages of any length, several in flight: each goes in pieces that an int can count. */
#ifndef SX_EXCH_MESSAGE_H
#define SX_EXCH_MESSAGE_H

#include "exch/exch.h"

typedef struct sx_message {
    int way; /* SX_SEND or SX_RECV */
    int peer, tag;
    const char *from; /* if sent */
    char *to;         /* if received */
    ptrdiff_t n;      /* how many of the type; more than one of MPI_BYTE only */
    MPI_Datatype type;
} sx_message;

/* Messages in numbered slots, one a slot. */
typedef struct sx_messages {
    MPI_Comm comm;
    int n;
    MPI_Request *request; /* of the piece in flight; null in a free slot */
    sx_message *message;  /* what is left beyond that piece */
} sx_messages;

int sx_exch_messages_create(sx_messages *m, MPI_Comm comm, int n);
void sx_exch_messages_free(sx_messages *m);

/* Start a message in a free slot. Its pieces follow each other, so that messages of one pair of ranks that
 * are in flight together need different tags. */
int sx_exch_messages_start(sx_messages *m, int slot, const sx_message *message);

/* What sx_exch_messages_get finds instead of a slot. */
enum { SX_IDLE = -1, /* nothing is in flight */ SX_BUSY = -2 /* nothing has come to its end yet */ };

/* Get the slot of a message that has come to its end, and free it; if `waits`, wait for one. Messages of
 * several pieces go on only in here. */
int sx_exch_messages_get(sx_messages *m, int waits, int *slot);

/* Set the length of a piece, bytes, on all ranks alike; 0 sets the usual one. For tests. */
void sx_exch_set_piece(ptrdiff_t bytes);

#endif
