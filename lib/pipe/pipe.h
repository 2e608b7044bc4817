/* pipe.h - pipes, the transport of the library. A pipe brings packed blocks from each rank to each rank, in
 * slices. An epoch is one use of it.
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
 * A partner is local or remote. This rank reads a local partner's blocks where they lie, in that partner's
 * send area. The carrier brings a remote partner's blocks into this rank's receive area. Both counters grow
 * over all epochs and are never reset, so that no epoch needs a barrier. Only the rank that owns a counter
 * writes it.
 *
 * The areas may have room for fewer slices than there are (depth < nslices). Then they are ring buffers of
 * `depth` slots: a rank writes slice s over slice s - depth, after local partners have read that slice and
 * the carrier has sent it.
 *
 * An epoch goes on to its end, even after errors. A rank whose data is wrong tells its partners: local
 * partners by a counter, remote partners by a stamp, a sequence number behind each block. The partners get
 * SUBX_ERR_PEER.
 *
 * The areas may be memory of a device, which only MPI and work on the device access (is_on_device). Then the
 * stamps are messages of their own. */
#ifndef SX_PIPE_H
#define SX_PIPE_H

#include "comm/comm.h"
#include "message/message.h"
#include <subx_lowlevel.h>

/* ---- hints (hints.c): the hints of pipes and of exchanges */
typedef struct sx_pipe_hints {
    char engine[SX_HINT_LEN], between[SX_HINT_LEN];
    int slices, window, radix, node_ranks, threads, check, callers_work;
    /* Only exchanges on devices read these: SX_CARRIER_*, SX_READER_*; 1 for blocks of floats (subx_wire). */
    int device_carrier, device_reader, is_narrow;
} sx_pipe_hints;

/* The word device_carrier: who brings the blocks that the receiver does not read in the memory of the
 * sender's device. AUTO: the first of MESSAGES and STAGED that works. */
enum { SX_CARRIER_AUTO, SX_CARRIER_MESSAGES, SX_CARRIER_STAGED };

/* The word device_reader: what reads the other blocks. AUTO is KERNEL. */
enum { SX_READER_AUTO, SX_READER_KERNEL, SX_READER_COPIES };

/* The word check: whether an exchange checks its engine. AUTO: only if the check needs little memory. */
enum { SX_CHECK_AUTO, SX_CHECK_YES, SX_CHECK_NO };

/* parse: read the hints; `query` lists the right values of subx_engine, because exchanges have engines that
 * pipes do not have. print, export: do the same as sx_base_hints_print and sx_base_hints_export. */
int sx_pipe_hints_parse(MPI_Info info, sx_words query, sx_pipe_hints *hints);
void sx_pipe_hints_print(const sx_pipe_hints *hints, sx_text *t);
int sx_pipe_hints_export(const sx_pipe_hints *hints, MPI_Info info);

/* ---- carriers (carrier/): a carrier is a transport of the blocks of remote partners */

/* `set_order` is called before `create`, and `free` at the end in any case; all other functions are called
 * only if `create` has succeeded. Only `connect`, `bind` and `block` may wait for other ranks. If a function
 * fails in an epoch, it still does as much as it can. */
typedef struct sx_carrier {
    const char *name;
    int traits;       /* a sum of SUBX_ENGINE_* */
    int likes_slices; /* 1 if several slices can travel at the same time, and a slice costs nothing to set
                         up */
    int sends_stamps; /* 1 if it can send stamps apart from blocks, so that areas may be memory of a device */
    int is_ordered;   /* 1 if it makes collective calls of MPI, which all ranks must make in the same
                         order */
    /* Set the order in which blocks lie in the receive area: order[i] is the rank of the i-th block. If this
     * function is NULL, blocks lie in the order of ranks. */
    void (*set_order)(subx_pipe pipe, int order[]);
    int (*create)(subx_pipe pipe);  /* local; all ranks then agree on the outcome */
    int (*connect)(subx_pipe pipe); /* collective; all ranks then agree on the outcome. May be NULL */
    int (*bind)(subx_pipe pipe);    /* collective; called when the areas are set or replaced. May be NULL */
    int (*begin)(subx_pipe pipe);   /* begin an epoch. May be NULL */
    int (*post)(subx_pipe pipe, int slice);
    int (*block)(subx_pipe pipe, int slice); /* called when this rank starts the slice; may wait for other
                                                ranks. The pointer may be NULL */
    int (*progress)(subx_pipe pipe);         /* increase pipe->arrived and pipe->sent as far as possible
                                                without waiting */
    void (*free)(subx_pipe pipe);            /* also called if `create` has failed, or was not called */
} sx_carrier;

/* The only list of carriers, NULL-terminated (carrier/table.c). The first one is the default of exchanges. */
extern const sx_carrier *const sx_pipe_carriers[];

/* Get a carrier by its name; NULL if there is none. */
const sx_carrier *sx_pipe_get_carrier(const char *name);

/* Get the traits of an engine of pipes by its name: a sum of SUBX_ENGINE_* (pipe.c). */
int sx_pipe_get_traits(const char *engine);

/* ---- pipes */

/* For each block of a side, by the index slice * p + rank: its length, and its offset in the area. */
typedef struct sx_pipe_side {
    ptrdiff_t *bytes, *place;
    ptrdiff_t area; /* bytes of the area: all blocks and their alignment, and buffers of the carrier */
} sx_pipe_side;

/* A local partner. */
typedef struct sx_partner {
    int rank, gives, takes; /* the partner's rank; gives: 1 if the partner has a block for this rank; takes: 1
                               if this rank has a block for the partner */
    uint64_t first;         /* the value of the partner's counters when the pipe was created */
    uint64_t posted;        /* the partner's counter `posted` when it was last read */
    const sx_counters *counters;
} sx_partner;

/* A carrier of a pipe, and its state. */
typedef struct sx_pipe_carrier {
    const sx_carrier *carrier;
    void *state;
} sx_pipe_carrier;

struct subx_pipe_s {
    sx_comm *comm;
    int p, r, tag;
    int nslices, depth;
    int window, radix; /* hints for carriers */
    const char *engine;
    sx_pipe_side side[2];
    /* local partners */
    char *is_local;       /* 1 for a local rank; this rank counts as local */
    sx_slot slot;         /* this rank's counters */
    uint64_t first;       /* the value of this rank's counters when the pipe was created */
    int npartners, nread; /* number of local partners; nread: the first nread of them have completed the last
                             slice of this epoch */
    sx_partner *partner;
    int is_on_device;         /* 1 if the areas are memory of a device */
    uint64_t stamp;           /* this rank's stamp before the first epoch */
    uint64_t *partner_stamp;  /* for each rank: its stamp before the first epoch */
    uint64_t *apart[2];       /* by side: the stamps of each slot and rank, if is_on_device; else NULL */
    ptrdiff_t *partner_place; /* for each block that a local partner has for this rank: its offset in the
                                 partner's send area */
    /* remote partners; `carrier` is NULL if no rank has a remote partner */
    const sx_carrier *carrier;
    void *state; /* the state of the carrier */
    sx_pipe_carrier
        carriers[2];  /* the carrier of ordered epochs, and the carrier of unordered epochs. When an epoch
                         begins, `carrier` and `state` are set to one of them */
    int is_unordered; /* 1 if the next epoch is unordered (subx_pipe_set_unordered) */
    /* areas */
    int is_set;         /* 1 if the areas are set (subx_pipe_set_work) */
    char *from, *to;    /* the send area, the receive area */
    const void **block; /* for each block that this rank receives: the address where it is read */
    /* the epoch */
    /* active: 1 in an epoch. may_block: 1 if the carrier may move a slice by a blocking call when this rank
     * starts the slice. */
    int active, may_block;
    int posted, started, completed; /* how many slices this rank has posted, started, completed */
    int arrived, sent;              /* arrived: number of slices whose remote blocks the carrier has received;
                                       sent: number of slices that it has sent */
    int has_failed;                 /* 1 if the data that this rank posts is wrong */
    int is_broken;                  /* 1 if MPI returned an error to the carrier in this epoch */
    uint64_t epochs;                /* epochs that have begun */
};

/* Get the index of a block in arrays with an entry for each block. */
static inline ptrdiff_t sx_pipe_at(const struct subx_pipe_s *pipe, int slice, int q)
{
    return (ptrdiff_t)slice * pipe->p + q;
}

/* Query whether the carrier moves a block: rank q is remote, and the block is not empty. */
static inline int sx_pipe_is_remote(const struct subx_pipe_s *pipe, int side, int slice, int q)
{
    return !pipe->is_local[q] && pipe->side[side].bytes[sx_pipe_at(pipe, slice, q)] > 0;
}

/* Behind each remote block there is a stamp. It tells the receiver that the block is right, and belongs to
 * this pipe, epoch and slice: pipes may share areas, and slices of a ring share slots. Each rank has its own
 * stamps for each pipe. When the pipe is created, each rank tells the other ranks its first stamp. */
enum { SX_STAMP_BYTES = sizeof(uint64_t) };

/* Get the bytes that a carrier moves for a block: the block with its stamp, unless stamps lie apart; 0 if the
 * carrier does not move it. */
static inline ptrdiff_t sx_pipe_get_bytes(const struct subx_pipe_s *pipe, int side, int slice, int q)
{
    ptrdiff_t stamp = pipe->is_on_device ? 0 : SX_STAMP_BYTES;
    return sx_pipe_is_remote(pipe, side, slice, q)
               ? pipe->side[side].bytes[sx_pipe_at(pipe, slice, q)] + stamp
               : 0;
}

/* Get the address from which, or to which, a carrier moves a block. */
static inline char *sx_pipe_get_address(const struct subx_pipe_s *pipe, int side, int slice, int q)
{
    return (side == SX_FROM ? pipe->from : pipe->to) + pipe->side[side].place[sx_pipe_at(pipe, slice, q)];
}

/* Get the address of the stamp of a remote block. */
static inline void *sx_pipe_get_stamp(const struct subx_pipe_s *pipe, int side, int slice, int q)
{
    if (pipe->is_on_device)
        return &pipe->apart[side][sx_pipe_at(pipe, slice % pipe->depth, q)];
    return sx_pipe_get_address(pipe, side, slice, q) + pipe->side[side].bytes[sx_pipe_at(pipe, slice, q)];
}

/* ---- creation (create.c) */

/* The arguments of sx_pipe_create. */
typedef struct sx_pipe_plan {
    int nslices, depth;
    const ptrdiff_t *bytes[2]; /* for each side: nslices * p lengths */
    const char
        *is_direct; /* for each rank: 1 if that rank reads its blocks elsewhere, so that they need no room in
                       the send area; NULL: all blocks need room */
    const char *is_local;      /* for each rank: 1 if it is local; this rank is local */
    const sx_carrier *carrier; /* for remote partners; NULL if remote partners are not allowed */
    const char *engine;        /* the name that subx_pipe_get returns; NULL if the engine is auto */
    int window, radix;
    int is_on_device; /* 1 if the areas are memory of a device. UNAVAILABLE if the carrier sends no stamps */
} sx_pipe_plan;

/* Create a pipe. Collective; the outcome is agreed on. rc is the outcome of this rank so far: if it is an
 * error, `plan` is not read. */
int sx_pipe_create(sx_comm *comm, int rc, const sx_pipe_plan *plan, subx_pipe *pipe);

/* query_local: query whether the hints of a pipe let ranks read the memory of local partners. query_stamps:
 * query whether the areas of a pipe with these hints may be on a device. create_by_hints: as sx_pipe_create,
 * with the partners, the carrier and the engine that the hints choose; the plan has all else (pipe.c). */
int sx_pipe_query_local(const sx_pipe_hints *hints);
int sx_pipe_query_stamps(const sx_pipe_hints *hints);
int sx_pipe_create_by_hints(sx_comm *comm, int rc, const sx_pipe_hints *hints, sx_pipe_plan *plan,
                            subx_pipe *pipe);

/* ---- local partners (signals.c) */

/* If rank q is a local partner, add it to the list; its counters are at `slot`, and had the value `first` at
 * creation. Local. SUBX_ERR_UNAVAILABLE if this rank cannot read the counters. */
int sx_pipe_local_add(subx_pipe pipe, int q, sx_slot slot, uint64_t first);

/* Tell local partners how many slices this rank has posted, or completed. */
void sx_pipe_local_post(subx_pipe pipe);
void sx_pipe_local_complete(subx_pipe pipe);

/* Query whether a local partner has posted a slice. */
int sx_pipe_local_has_posted(subx_pipe pipe, sx_partner *partner, int slice);

/* is_here: 1 if all local partners that have blocks of a slice for this rank have posted the slice. is_read:
 * 1 if all local partners that this rank has blocks for have completed the slice. */
int sx_pipe_local_is_here(subx_pipe pipe, int slice);
int sx_pipe_local_is_read(subx_pipe pipe, int slice);

/* Query whether a local partner has marked its data of this epoch as wrong. */
int sx_pipe_local_has_failed(const subx_pipe pipe, const sx_partner *partner);

/* ---- the epoch (epoch.c): functions for the public calls and for exchanges */

/* Query whether the memory of a slice in the send area is free, so that the slice can be written now. */
int sx_pipe_has_room(subx_pipe pipe, int slice);

/* Let the carrier make progress if it has messages in flight. After an error of MPI the carrier is not called
 * again in this epoch: all blocks count as arrived, and the stamps show which blocks did not arrive. */
int sx_pipe_progress(subx_pipe pipe);

/* Start a slice that this rank has posted. Waits for its blocks only if the carrier moves them by a blocking
 * call (`block` of sx_carrier). */
int sx_pipe_start_slice(subx_pipe pipe, int slice);

/* Check the stamps of a slice: SUBX_ERR_PEER if a remote block did not arrive, or its sender has marked it as
 * wrong. */
int sx_pipe_check_stamps(const subx_pipe pipe, int slice);

/* Complete the slices up to this one: this rank does not read their blocks any more. */
void sx_pipe_complete_slice(subx_pipe pipe, int slice);

/* Wait a little between two polls. */
int sx_pipe_relax(const subx_pipe pipe, int *polled);

#endif
