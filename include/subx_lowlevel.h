/* subx_lowlevel.h - the parts that exchanges and transforms are made of: copies and pipes; and what their authors need besides.
 *
 * Part of subarray_x. BSD-3-Clause; see LICENSE. The conventions of subx.h hold here too.
 *
 * For authors of libraries such as subx_fft, who move packed data themselves. Users of datatypes, exchanges and
 * transforms need only the other headers, which are stable from release 1.0 on; before it, NEWS lists every change. This
 * header may change with any minor release, and NEWS then says how.
 */
#ifndef SUBX_LOWLEVEL_H
#define SUBX_LOWLEVEL_H

#include <subx_boxes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- errors */

/* Get the MPI error code that stands for a kind of error. Local.
 *   kind  [in]  one of SUBX_ERR_*
 * Returns the code itself (MPI_SUCCESS for SUBX_ERR_NONE, and for a number that is no kind). */
SUBX_EXPORT int subx_error_get_code(int kind);

/* -------------------------------------------------------------------------------------- boxes */

/* Create a copy, for an object that keeps the boxes of its caller. Local.
 *   boxes  [in]   the boxes
 *   copy   [out]  the copy; the caller owns it and frees it with subx_boxes_free
 * Errors: NO_MEM, ARG. */
SUBX_EXPORT int subx_boxes_create_copy(subx_boxes boxes, subx_boxes *copy);

/* ---------------------------------------------------------------------------------- exchanges */

/* Set the work space of an exchange that was created with the hint subx_work = caller. Collective, since partners learn
 * where to read.
 *
 * A hint of subx_exch_create:
 *   subx_work  who owns the work space: "engine" (default), allocated at creation and freed with the exchange, or
 *              "caller": this function must be called before the first start or execute, and the send buffers must be
 *              memory of subx_mem_alloc where local partners read them. Only the program can know this: there is no
 *              environment variable
 *
 *   ex    [in]  the exchange, not in flight
 *   work  [in]  at least work_bytes bytes of subx_exch_get, aligned to 64; may be NULL if that is 0. With the
 *               engines shm and node it must be memory of subx_mem_alloc. It belongs to the caller and must
 *               outlive the exchange or its replacement. It holds nothing between executions, so that
 *               several exchanges may share it if only one is in flight at a time
 * Errors: ARG, ACTIVE, UNAVAILABLE (a local partner cannot see it), NO_MEM. */
SUBX_EXPORT int subx_exch_set_work(subx_exch ex, void *work);

/* Say that this rank's data of the next execution is wrong, because it could not be computed: partners then get
 * SUBX_ERR_PEER, and nobody waits for data that does not come. The engine alltoallw cannot tell them. Local.
 *   ex  [in]  the exchange, not in flight
 * Errors: ARG, ACTIVE. */
SUBX_EXPORT int subx_exch_set_failed(subx_exch ex);

/* Query what is known against an engine with the MPI that is linked, though it serves who names it. Local.
 *   engine   [in]   its name
 *   warning  [out]  a sentence, a constant string, or NULL if nothing is known
 * Errors: ARG. */
SUBX_EXPORT int subx_exch_query_warning(const char *engine, const char **warning);

/* -------------------------------------------------------------------------------------- copies */

/* A copy of a strided block to other strides, such as a transposition: planned once, executed on any
 * addresses, by the kernels that also serve types and exchanges. */
typedef struct subx_copy_s *subx_copy;
#define SUBX_COPY_NULL ((subx_copy)0)

/* Create a copy. Local; needs no MPI_Comm. Executing it moves block_bytes contiguous bytes from
 * from + sum of i[a] from_stride[a] to to + sum of i[a] to_stride[a], for all 0 <= i[a] < n[a].
 *   ndims        [in]   number of axes, 0 .. SUBX_NDIMS_MAX, in any order
 *   n            [in]   ndims lengths, >= 0
 *   from_stride  [in]   ndims strides of what is read, bytes; may be negative
 *   to_stride    [in]   ndims strides of what is written, bytes; what is written must not overlap
 *   block_bytes  [in]   contiguous bytes at each place, >= 0
 *   whole_bytes  [in]   bytes of all that is written before any of it is read again, this copy included: much
 *                       goes past the caches, little stays in them. 0 for this copy alone
 *   copy         [out]  the copy; the caller owns it and frees it with subx_copy_free
 * Errors: NDIMS, SIZE, TOO_LARGE, NO_MEM, ARG. */
SUBX_EXPORT int subx_copy_create(int ndims, const ptrdiff_t n[], const ptrdiff_t from_stride[],
                                 const ptrdiff_t to_stride[], ptrdiff_t block_bytes, ptrdiff_t whole_bytes,
                                 subx_copy *copy);

/* Execute a copy. Local; several threads may execute the same one at a time. Source and destination must not
 * overlap; either may be NULL if nothing is moved.
 *   copy  [in]   the copy
 *   from  [in]   the address that from_stride counts from
 *   to    [out]  the address that to_stride counts from
 * Errors: ARG. */
SUBX_EXPORT int subx_copy_execute(subx_copy copy, const void *from, void *to);

/* Ask the processor for what an execution would read, and return without waiting for it. Local. For copies of
 * some ten kibibytes, to be executed soon. `from` may be NULL, which asks for nothing.
 *   copy  [in]  the copy
 *   from  [in]  as for subx_copy_execute
 * Errors: ARG. */
SUBX_EXPORT int subx_copy_prefetch(subx_copy copy, const void *from);

/* Query whether copies bypass the caches when they write, if what should stay there has `bytes` bytes. Local.
 *   bytes   [in]   a number of bytes
 *   bypass  [out]  1 if so, else 0 */
SUBX_EXPORT int subx_copy_query_bypass(ptrdiff_t bytes, int *bypass);

/* Free a copy. Local. *copy becomes SUBX_COPY_NULL.
 *   copy  [in,out]  the copy */
SUBX_EXPORT int subx_copy_free(subx_copy *copy);

/* -------------------------------------------------------------------------------------- nodes */

/* Get on which node each rank runs: the nodes that subx_mem_alloc shares memory by. Collective on comm. Ranks tell each
 * other where they run once per communicator that has grids, exchanges, pipes or plans.
 *   comm   [in]   an intra-communicator of p ranks
 *   hints  [in]   subx_node_ranks as for subx_mem_alloc; MPI_INFO_NULL for none
 *   node   [out]  p numbers, the same on all ranks: nodes are numbered from 0 in the order of their lowest ranks
 * Errors: COMM, HINT, DIFFERS, NO_MEM, ARG. */
SUBX_EXPORT int subx_mem_get_nodes(MPI_Comm comm, MPI_Info hints, int node[]);

/* -------------------------------------------------------------------------------------- pipes */

/* A pipe is an all-to-all of packed blocks, for callers that pack and unpack themselves. Each rank writes its blocks
 * into its send area and posts them, slice after slice. Each rank gets pointers to the blocks that are meant for it, and
 * reads them where they lie. A partner is local if it is on the same node and lets this rank read its memory: its blocks
 * are read in its send area. The blocks of the other partners, which are remote, are brought into the receive area by a
 * carrier. The words are those of MPI's windows: MPI_Win_post, start, complete, wait, and epoch.
 *
 * An epoch, on every rank:
 *
 *     for all slices s: write the blocks of s;  subx_pipe_post(pipe, s);
 *     for all slices s: subx_pipe_start(pipe, s, block);  read the blocks of s;
 *     subx_pipe_complete(pipe);
 *     subx_pipe_wait(pipe);                 before the send area is written again
 *
 * Slices go in the order 0 .. nslices-1 in each of the two loops, which may be interleaved: a rank may
 * start a slice as soon as it has posted it. Epochs follow each other without further meetings of the ranks.
 *
 * After an error a rank goes on to the end of the epoch all the same, because its partners wait for it. */
typedef struct subx_pipe_s *subx_pipe;
#define SUBX_PIPE_NULL ((subx_pipe)0)

/* Create a pipe. Collective on comm.
 *
 * Hints:
 *   subx_engine      which partners are local, and which carrier brings the blocks of remote ones:
 *                      auto       (default) as node
 *                      shm        all partners are local
 *                      node       the ranks of a node are local; subx_between names the carrier for the others
 *                      alltoallv, pairwise, kway, persistent   a carrier, for all partners, as for subx_exch_create.
 *                                 alltoallv with one slice is MPI_Alltoallv, which moves all data in subx_pipe_start
 *                    A rank's block for itself never travels
 *   subx_between     for node: pairwise (default; "auto" is the same), alltoallv, kway or persistent
 *   subx_window      for pairwise: slices whose receives are posted ahead, >= 1 (default 4)
 *   subx_radix       for kway, as for subx_exch_create
 *   subx_node_ranks  as for subx_mem_alloc
 *
 *   comm        [in]   the ranks; an intra-communicator of p ranks
 *   nslices     [in]   slices of an epoch, >= 1, the same on all ranks
 *   send_bytes  [in]   nslices * p lengths, bytes, >= 0: entry [s*p + q] of the block of slice s for rank q
 *   recv_bytes  [in]   the same for the blocks that come from rank q
 *   hints       [in]   see above; MPI_INFO_NULL for none
 *   pipe        [out]  the pipe; the caller owns it and frees it with subx_pipe_free
 * Errors: COMM, SIZE (a length is negative), MISMATCH, HINT, DIFFERS (hints, nslices), UNAVAILABLE (shm, and
 * a partner is not local; alltoallv or persistent, and an int cannot count the bytes of a slice), TOO_LARGE, NO_MEM,
 * ARG. */
SUBX_EXPORT int subx_pipe_create(MPI_Comm comm, int nslices, const ptrdiff_t send_bytes[],
                                 const ptrdiff_t recv_bytes[], MPI_Info hints, subx_pipe *pipe);

/* Create a pipe whose areas have room for `depth` slices only: slice s lies where slice s - depth did, so that a small
 * area stays in the caches. Collective on comm. For each slice, a rank waits for room, writes its blocks, posts and
 * starts the slice, reads its blocks, and completes it. All else is as for subx_pipe_create, which has room for all
 * slices.
 *   comm, nslices           [in]   as for subx_pipe_create
 *   depth                   [in]   >= 1, the same on all ranks; more than nslices is the same as nslices
 *   send_bytes, recv_bytes  [in]   as for subx_pipe_create
 *   hints                   [in]   as for subx_pipe_create
 *   pipe                    [out]  the pipe; the caller owns it and frees it with subx_pipe_free
 * Errors: those of subx_pipe_create. */
SUBX_EXPORT int subx_pipe_create_ring(MPI_Comm comm, int nslices, int depth, const ptrdiff_t send_bytes[],
                                      const ptrdiff_t recv_bytes[], MPI_Info hints, subx_pipe *pipe);

/* Query the names of the engines of pipes. Local.
 *   i     [in]   which, from 0
 *   name  [out]  its name, a constant string, or NULL if there are no more
 * Errors: ARG. */
SUBX_EXPORT int subx_pipe_query_engine(int i, const char **name);

/* Get what is known of a pipe. Local; any output may be NULL.
 *   pipe        [in]   the pipe
 *   engine      [out]  the engine asked for, or of auto what it has become: shm if all partners are
 *                      local, the carrier if none is, else node; a constant string, not to be freed
 *   send_bytes  [out]  length of this rank's send area, bytes: all its blocks, each beginning at a multiple
 *                      of 64; blocks for remote partners take a few bytes more
 *   recv_bytes  [out]  length of its receive area, bytes: all blocks from remote partners; 0 if there are none
 * Errors: ARG. */
SUBX_EXPORT int subx_pipe_get(subx_pipe pipe, const char **engine, ptrdiff_t *send_bytes,
                              ptrdiff_t *recv_bytes);

/* Get where a block is to be written. Local.
 *   pipe    [in]   the pipe
 *   slice   [in]   0 .. nslices-1
 *   q       [in]   the rank that the block is for, this one included
 *   offset  [out]  from the beginning of the send area, bytes; a multiple of 64
 * Errors: ARG. */
SUBX_EXPORT int subx_pipe_get_place(subx_pipe pipe, int slice, int q, ptrdiff_t *offset);

/* Set the areas of a pipe; to be done before the first epoch, and may be done again between epochs.
 * Collective: peers learn here where to read. After an error they must be set again.
 *   pipe  [in]  the pipe, in no epoch
 *   send  [in]  send_bytes bytes of subx_pipe_get, aligned to 64; NULL if that is 0. Where this rank has
 *               blocks for local partners, it must be in memory of subx_mem_alloc that they have allocated
 *               together
 *   recv  [in]  recv_bytes bytes, aligned to 64; NULL if that is 0. Any memory
 * Both belong to the caller and must outlive the pipe or their replacement. They hold nothing between
 * epochs: pipes may share them if a rank waits for one before it posts to the other.
 * Errors: UNAVAILABLE (a local partner cannot see the send area), ACTIVE, NO_MEM, ARG. */
SUBX_EXPORT int subx_pipe_set_work(subx_pipe pipe, void *send, void *recv);

/* Wait until a slice may be written: until the slice that lay in its place is read by all local partners, and sent. Returns
 * at once for the first `depth` slices of an epoch. Collective: returns when partners have completed that slice.
 *   pipe   [in]  the pipe
 *   slice  [in]  the one to be written next; this rank has completed slice - depth
 * Errors: ARG, ACTIVE (this rank has not completed slice - depth), and MPI's own. */
SUBX_EXPORT int subx_pipe_wait_room(subx_pipe pipe, int slice);

/* Post a slice: this rank's blocks of it are written, and may be read and sent from now on. Begins an
 * epoch if the pipe is in none. Local; does not wait for others. Stores past the caches, and those of other threads, must
 * have been fenced.
 *   pipe   [in]  the pipe, with areas
 *   slice  [in]  0 for the first of an epoch, then one after the other
 * Errors: ARG, ACTIVE (the epoch before was not waited for), and MPI's own. */
SUBX_EXPORT int subx_pipe_post(subx_pipe pipe, int slice);

/* Start to read a slice: wait until its blocks are here, and get pointers to them. Collective: returns
 * when all that have blocks for this rank have posted the slice; does not wait for others. The pointers are set also after
 * an error.
 *   pipe   [in]   the pipe, in an epoch
 *   slice  [in]   0 for the first, then one after the other; posted by this rank
 *   block  [out]  p pointers, each to the block from a rank, aligned to 64: in the send area of this rank or
 *                 of a local one, or in the receive area; NULL if it is empty. To be read only, and until
 *                 subx_pipe_complete
 * Errors: ARG, ACTIVE (the pipe is in no epoch, or this rank has not posted the slice), PEER, and MPI's own. */
SUBX_EXPORT int subx_pipe_start(subx_pipe pipe, int slice, const void *block[]);

/* Say that this rank's data is wrong: partners that start a slice which this rank posts from now on, until the
 * end of the epoch, get SUBX_ERR_PEER. Local partners may get it for any slice that they have not started yet. To be
 * called before the post, by a rank that could not compute its blocks, so that nobody waits for it. Local.
 *   pipe  [in]  the pipe
 * Errors: ARG. */
SUBX_EXPORT int subx_pipe_set_failed(subx_pipe pipe);

/* Test whether subx_pipe_start of a slice would return at once, and let messages in flight go on. Local;
 * does not wait for others. Messages often need this to make progress while the caller computes.
 *   pipe   [in]   the pipe, in an epoch
 *   slice  [in]   0 .. nslices-1
 *   flag   [out]  1 if it would, or if nothing but subx_pipe_start can bring it about; else 0
 * Errors: ARG, ACTIVE (the pipe is in no epoch), and MPI's own. */
SUBX_EXPORT int subx_pipe_test(subx_pipe pipe, int slice, int *flag);

/* Complete the reading of an epoch: this rank needs none of its blocks any more. Local; does not wait for
 * others.
 *   pipe  [in]  the pipe
 * Errors: ARG, ACTIVE (the pipe is in no epoch, or not all slices have been started, or it has been completed). */
SUBX_EXPORT int subx_pipe_complete(subx_pipe pipe);

/* Complete the reading of all slices up to one, so that partners may write where it lies. Local; does not wait for others.
 *   pipe   [in]  the pipe
 *   slice  [in]  started, and not completed
 * Errors: ARG, ACTIVE (the pipe is in no epoch, or the slice has not been started, or it has been completed). */
SUBX_EXPORT int subx_pipe_complete_slice(subx_pipe pipe, int slice);

/* Wait until all blocks that this rank has posted in an epoch have been read or sent, so that its send area may be
 * written again. Ends the epoch; returns at once if the pipe is in none. Collective: returns when all local partners
 * that this rank has blocks for have completed, and its messages are sent.
 *   pipe  [in]  the pipe
 * Errors: ARG, ACTIVE (this rank has not completed), and MPI's own. */
SUBX_EXPORT int subx_pipe_wait(subx_pipe pipe);

/* Free a pipe. Collective. *pipe becomes SUBX_PIPE_NULL.
 *   pipe  [in,out]  the pipe, in no epoch
 * Errors: ACTIVE (the pipe is in an epoch). */
SUBX_EXPORT int subx_pipe_free(subx_pipe *pipe);

#ifdef __cplusplus
}
#endif

#endif /* SUBX_LOWLEVEL_H */
