/* message.h - messages of any length, several in flight: each goes in pieces that an int can count. */
#ifndef SX_MESSAGE_H
#define SX_MESSAGE_H

#include "base/base.h"

typedef struct sx_message {
    int way; /* SX_FROM or SX_TO */
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
    int through;          /* slots that sx_message_test_all is through with */
} sx_messages;

int sx_message_create(sx_messages *m, MPI_Comm comm, int n);
void sx_message_free(sx_messages *m);

/* Start a message in a free slot. Its pieces follow each other, so that messages of one pair of ranks that
 * are in flight together need different tags. */
int sx_message_start(sx_messages *m, int slot, const sx_message *message);

/* What sx_message_get finds instead of a slot. */
enum { SX_IDLE = -1, /* nothing is in flight */ SX_BUSY = -2 /* nothing has come to its end yet */ };

/* Get the slot of a message that has come to its end, and free it; if `waits`, wait for one. Messages of
 * several pieces go on only in here. */
int sx_message_get(sx_messages *m, int waits, int *slot);

/* Tell whether the messages of all slots have come to their ends, and if so free the slots. One call of
 * MPI, as long as nothing has changed: slots are tested one after the other, and messages of several
 * pieces go on in that order, so that both ends must give them slots in an order of steps as flow.h has
 * it. Not to be mixed with sx_message_get. */
int sx_message_test_all(sx_messages *m, int *done);

/* Set the length of a piece, bytes, on all ranks alike; 0 sets the usual one. For tests. */
void sx_message_set_piece(ptrdiff_t bytes);

#endif
