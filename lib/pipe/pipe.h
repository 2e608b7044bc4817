/* pipe.h - the one transport: packed blocks go from each rank to each, in slices.
 *
 *     one epoch on this rank                                  counters that its node sees
 *     ------------------------------------------------------  ---------------------------
 *     write blocks of slice s into the send area
 *     post(s)      local partners may read, carrier sends     posted    = .. + s + 1
 *     start(s)     wait until partners have posted s, and
 *                  until the carrier has brought their blocks
 *     read blocks of slice s
 *     complete(s)  this rank needs slice s no more            completed = .. + s + 1
 *     wait         until all local partners have completed,
 *                  and all messages are sent
 *
 * A partner is local or remote. A local partner's blocks are read where they lie, in its send area. A remote
 * partner's blocks are brought into the receive area by the carrier. Both counters only grow, over all epochs, so
 * that nothing is reset and no epoch needs a barrier. Only their owner writes them.
 *
 * The areas may have room for fewer slices than there are (depth < nslices): slice s lies where slice s - depth did,
 * and posting it waits until that one is read and sent.
 *
 * An epoch goes on to its end whatever fails. A rank whose data is wrong says so: local partners see it in a counter,
 * remote ones in a stamp behind each block, and get SUBX_ERR_PEER. */
#ifndef SX_PIPE_H
#define SX_PIPE_H

#include "comm/comm.h"
#include "message/message.h"
#include <subx_lowlevel.h>

/* ---- hints (hints.c): of pipes, and of exchanges, which are made of pipes */
typedef struct sx_pipe_hints {
    char engine[SX_HINT_LEN], between[SX_HINT_LEN];
    int slices, window, radix, node_ranks, threads, check, callers_work;
} sx_pipe_hints;

/* When to check an engine: unless that takes much memory, always, never. */
enum { SX_CHECK_AUTO, SX_CHECK_YES, SX_CHECK_NO };

/* Read the hints. Exchanges have engines that pipes do not have: `query` gives the caller's. */
int sx_pipe_hints_parse(MPI_Info info, sx_words query, sx_pipe_hints *hints);
void sx_pipe_hints_print(const sx_pipe_hints *hints, sx_text *t);
int sx_pipe_hints_export(const sx_pipe_hints *hints, MPI_Info info);

/* ---- carriers (carrier/): what brings the blocks of remote partners */

/* All but `create` are for a pipe whose `create` has succeeded. Only `connect`, `bind` and `block` may wait for other
 * ranks. A call of an epoch that fails goes on all the same, as far as it can. */
typedef struct sx_carrier {
    const char *name;
    int traits;       /* a sum of SUBX_ENGINE_* */
    int likes_slices; /* slices go on side by side, and cost no set-up each */
    /* Set the order in which blocks lie in the receive area. NULL for the order of ranks. */
    void (*set_order)(subx_pipe pipe, int order[]);
    int (*create)(subx_pipe pipe);  /* local; all ranks then agree on the outcome */
    int (*connect)(subx_pipe pipe); /* collective; the same. NULL for nothing */
    int (*bind)(subx_pipe pipe);    /* the areas are known, or new; collective. NULL for nothing */
    int (*begin)(subx_pipe pipe);   /* an epoch. NULL for nothing */
    int (*post)(subx_pipe pipe, int slice);
    int (*block)(subx_pipe pipe, int slice); /* this rank has come to start the slice. NULL for nothing */
    int (*progress)(subx_pipe pipe);         /* let pipe->arrived and pipe->sent grow as they can */
    void (*free)(subx_pipe pipe);            /* also after a create that failed */
} sx_carrier;

/* The only list, NULL-terminated (carrier/table.c). Exchanges prefer the first one. */
extern const sx_carrier *const sx_pipe_carriers[];

/* Get a carrier by its name; NULL if there is none. */
const sx_carrier *sx_pipe_get_carrier(const char *name);

/* Get what an engine of pipes is, by its name: a sum of SUBX_ENGINE_* (pipe.c). */
int sx_pipe_get_traits(const char *engine);

/* ---- pipes */

/* One side: of each block, by the index slice * p + rank, its length and its offset in the area. */
typedef struct sx_pipe_side {
    ptrdiff_t *bytes, *place;
    ptrdiff_t area; /* bytes of all that lie in it, with what keeps them aligned */
} sx_pipe_side;

/* A local partner. */
typedef struct sx_partner {
    int rank, gives, takes; /* it has some block for this rank; this rank has some for it */
    uint64_t first;         /* its counters when the pipe was made */
    uint64_t posted;        /* the counter as last seen */
    const sx_counters *counters;
} sx_partner;

struct subx_pipe_s {
    sx_comm *comm;
    int p, r, tag;
    int nslices, depth;
    int window, radix; /* hints for carriers */
    const char *engine;
    sx_pipe_side side[2];
    /* local partners */
    char *is_local;       /* 1 for a local rank; this rank counts as local */
    sx_slot slot;         /* own counters */
    uint64_t first;       /* their value when the pipe was made */
    int npartners, nread; /* how many partners are known to have completed all of this epoch */
    sx_partner *partner;
    uint64_t stamp;        /* of this rank before the first epoch */
    uint64_t *peer_stamp;  /* the same of each rank */
    ptrdiff_t *peer_place; /* where a local partner has the blocks for this rank, in its send area */
    /* remote partners; NULL if no rank has any */
    const sx_carrier *carrier;
    void *state; /* the carrier's */
    /* areas */
    int is_set;
    char *from, *to; /* the send area, the receive area */
    const void **block;
    /* the epoch */
    int is_blind; /* the carrier brings some rank nothing */
    int active,
        may_block; /* may_block: a carrier may move a slice by one blocking call when this rank starts it */
    int posted, started, completed; /* slices */
    int arrived, sent;              /* slices, of remote blocks; by the carrier */
    int has_failed;                 /* what this rank posts is wrong */
    int failures;                   /* of the carrier, one after the other */
    uint64_t epochs;
};

/* Index of a block in all arrays that have an entry for each. */
static inline ptrdiff_t sx_pipe_at(const struct subx_pipe_s *pipe, int slice, int q)
{
    return (ptrdiff_t)slice * pipe->p + q;
}

/* 1 if a block is brought by the carrier. */
static inline int sx_pipe_is_remote(const struct subx_pipe_s *pipe, int side, int slice, int q)
{
    return !pipe->is_local[q] && pipe->side[side].bytes[sx_pipe_at(pipe, slice, q)] > 0;
}

/* The stamp behind each remote block, by which its receiver knows that the block is right, and of this pipe, epoch
 * and slice: pipes may share areas, and slices take turns in them. Each rank has stamps of its own for each pipe,
 * and tells its peers the first one. */
enum { SX_STAMP_BYTES = sizeof(uint64_t) };

/* Bytes of a block as a carrier has to bring it. */
static inline ptrdiff_t sx_pipe_get_bytes(const struct subx_pipe_s *pipe, int side, int slice, int q)
{
    ptrdiff_t stamp = SX_STAMP_BYTES;
    return sx_pipe_is_remote(pipe, side, slice, q)
               ? pipe->side[side].bytes[sx_pipe_at(pipe, slice, q)] + stamp
               : 0;
}

/* Where a carrier finds a block, or puts it. */
static inline char *sx_pipe_get_address(const struct subx_pipe_s *pipe, int side, int slice, int q)
{
    return (side == SX_FROM ? pipe->from : pipe->to) + pipe->side[side].place[sx_pipe_at(pipe, slice, q)];
}

/* ---- creation (create.c) */

/* What a pipe is made from. */
typedef struct sx_pipe_plan {
    int nslices, depth;
    const ptrdiff_t *bytes[2]; /* nslices * p of each side */
    const char *
        is_direct; /* for each rank: 1 if the blocks for it need no room in the send area, since it reads them
                              elsewhere; NULL for none */
    const char *is_local;      /* for each rank; this one is */
    const sx_carrier *carrier; /* for remote partners; NULL if there must not be any */
    const char *engine;        /* its name */
    int window, radix;
} sx_pipe_plan;

/* Create a pipe. Collective; the outcome is agreed on. rc is the outcome of this rank so far: `plan` is not
 * looked at after an error. */
int sx_pipe_create(sx_comm *comm, int rc, const sx_pipe_plan *plan, subx_pipe *pipe);

/* ---- local partners (local.c) */

/* Note a rank as a local partner, if it is one, by its counters and their value. Local. SUBX_ERR_UNAVAILABLE if this
 * rank cannot see them. */
int sx_pipe_local_add(subx_pipe pipe, int q, sx_slot slot, uint64_t first);

/* Tell local partners how many slices are posted, or completed. */
void sx_pipe_local_post(subx_pipe pipe);
void sx_pipe_local_complete(subx_pipe pipe);

/* 1 if a local partner has posted a slice. */
int sx_pipe_local_has_posted(subx_pipe pipe, sx_partner *partner, int slice);

/* 1 if all that give blocks of a slice have posted it; if all that take some have completed it. */
int sx_pipe_local_is_here(subx_pipe pipe, int slice);
int sx_pipe_local_is_read(subx_pipe pipe, int slice);

/* 1 if a local partner has said that its data of this epoch is wrong. */
int sx_pipe_local_has_failed(const subx_pipe pipe, const sx_partner *partner);

/* ---- the epoch (epoch.c), beside the public calls */

/* 1 if a slice may be posted without waiting for its room. */
int sx_pipe_has_room(subx_pipe pipe, int slice);

/* Let the carrier go on, if it has anything in flight. After several failures in a row it is not called
 * again in this epoch. All blocks then count as arrived, and the stamps show which did not. */
int sx_pipe_progress(subx_pipe pipe);

/* Begin to read a slice that this rank has posted; its blocks need not be here yet. */
int sx_pipe_start_slice(subx_pipe pipe, int slice);

/* SUBX_ERR_PEER if one of the remote blocks of a slice did not arrive, or is known to be wrong. */
int sx_pipe_check_stamps(const subx_pipe pipe, int slice);

/* 1 if a remote block of a slice has arrived, be it right or wrong. */
int sx_pipe_has_stamps(const subx_pipe pipe, int slice);

/* Say that this rank needs the blocks of the slices up to this one no more. */
void sx_pipe_complete_slice(subx_pipe pipe, int slice);

/* Wait a little between two looks at what others will change. */
int sx_pipe_relax(const subx_pipe pipe, int *round);

#endif
