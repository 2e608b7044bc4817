/* flow.h - what engines with a window share: transfers in both directions, so many of them in flight in each.
 *
 * All ranks step through their peers in an order that makes each transfer the same step at both of its
 * ends: the first tile of every peer, then the second of every peer, and so on. The earliest step that is
 * not done anywhere then is in flight at both ends whatever the windows, so that somebody always gets on. */
#ifndef SX_EXCH_FLOW_H
#define SX_EXCH_FLOW_H

#include "message/message.h"
#include "exch/self.h"

/* A tile of a peer's part, in a slot of the window of its direction. */
typedef struct sx_transfer {
    int way, peer, slot;
    ptrdiff_t tile;
} sx_transfer;

/* How data get into messages and out of them. */
typedef struct sx_cargo {
    /* Say where the data of a transfer are, or are to go (from, to, n, type). */
    int (*load)(subx_exch ex, const sx_transfer *t, sx_message *m);
    /* Make use of what was received. NULL if it is where it belongs. */
    int (*unload)(subx_exch ex, const sx_transfer *t);
} sx_cargo;

/* One direction. */
typedef struct sx_lane {
    ptrdiff_t *tiles; /* of each peer's part; none of this rank's own */
    ptrdiff_t *bytes; /* of each peer's tiles, but that the last may be shorter */
    ptrdiff_t all;    /* tiles of all peers */
    int window;       /* slots */
    ptrdiff_t room;   /* bytes of work space of a slot */
    ptrdiff_t left;   /* tiles not yet begun, in the order of: */
    ptrdiff_t tile;
    int step;
} sx_lane;

/* The state of an engine with a window. */
typedef struct sx_flow {
    const sx_cargo *cargo;
    int in_pairs; /* partners exchange with each other, p being a power of two; else see get_peer */
    sx_lane lane[2];
    sx_messages messages; /* those sent first */
    sx_transfer *transfer;
    sx_self self;
    void *own; /* the engine's, freed with the flow */
} sx_flow;

/* Make the state, with every part being one tile. Local. */
int sx_exch_flow_create(subx_exch ex, const sx_cargo *cargo);

/* Open windows of at most so many slots, once the tiles are known. Local. */
int sx_exch_flow_complete(subx_exch ex, int window);

int sx_exch_flow_start(subx_exch ex);
int sx_exch_flow_test(subx_exch ex, int *done);
int sx_exch_flow_wait(subx_exch ex);
void sx_exch_flow_free(subx_exch ex);

#endif
