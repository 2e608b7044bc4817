/* subx_lowlevel.h - what libsubx offers to the other libraries, programs and drop-ins of the project alone:
 * copies, pipes, further parts of exchanges. This header is not installed. The linker's map gives its
 * functions a version of their own (SUBX_PRIVATE), because they may change with any release. The conventions
 * of subx.h hold here too.
 */
#ifndef SUBX_LOWLEVEL_H
#define SUBX_LOWLEVEL_H

#include <subx_boxes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- hints */

/* Query an environment variable that begins with SUBX_ and that nothing reads: probably it is misspelt. For
 * programs, which refuse such variables; libraries ignore them. Local; needs no MPI.
 *   i       [in]   which of these variables, from 0
 *   len     [in]   size of the buffer text, bytes
 *   text    [out]  a sentence that names the variable, cut to len-1 bytes and always terminated: "environment
 *                  variable SUBX_EFORT: nothing reads it; did you mean SUBX_EFFORT?"; empty if there are no
 *                  more than i. May be NULL if len is 0
 *   needed  [out]  bytes of the whole text without the terminator (may be NULL)
 * Errors: ARG. */
SUBX_EXPORT int subx_hint_query_unknown(int i, size_t len, char *text, size_t *needed);

/* -------------------------------------------------------------------------------------- boxes */

/* Create a copy of boxes, for an object that keeps boxes of its caller. Local.
 *   boxes  [in]   the boxes
 *   copy   [out]  the copy; the caller owns it and frees it with subx_boxes_free
 * Errors: NO_MEM, ARG. */
SUBX_EXPORT int subx_boxes_create_copy(subx_boxes boxes, subx_boxes *copy);

/* ---------------------------------------------------------------------------------- exchanges */

/* Set the work space of an exchange that was created with the hint subx_work = caller. Collective, because
 * partners learn the addresses from which they read.
 *
 * A hint of subx_exch_create:
 *   subx_work  who owns the work space. "engine" (default): it is allocated at creation and freed with the
 *              exchange. "caller": this function must be called before the first start or execute, and send
 *              buffers that local partners read must be memory of subx_mem_alloc. This hint has no
 *              environment variable, because only the program can know whether it meets these conditions
 *
 *   ex    [in]  the exchange, not in flight
 *   work  [in]  memory of at least work_bytes bytes (subx_exch_get), aligned to 64 bytes; may be NULL if
 *               work_bytes is 0. With the engines shm and node it must be memory of subx_mem_alloc. It
 *               belongs to the caller, and must exist until the exchange is freed or gets other work space.
 *               It holds no data between executions, so several exchanges may share it if only one of them is
 *               in flight at a time
 * Errors: ARG, ACTIVE, UNAVAILABLE (a local partner cannot read the memory), NO_MEM. */
SUBX_EXPORT int subx_exch_set_work(subx_exch ex, void *work);

/* Mark this rank's data of the next execution as wrong, because the rank could not compute it. The rank must
 * still execute the exchange, and its partners get SUBX_ERR_PEER. The engine alltoallw cannot tell partners.
 * An exchange on a GPU's memory then moves no data on this rank, and returns SUBX_ERR_PEER there, too. Local.
 *   ex  [in]  the exchange, not in flight
 * Errors: ARG, ACTIVE. */
SUBX_EXPORT int subx_exch_set_failed(subx_exch ex);

/* Set whether executions of an exchange by subx_exch_start are unordered. Local; the same on all ranks. If
 * they are unordered, each rank chooses by itself in which order it makes its calls for this exchange, calls
 * for other exchanges and for pipes, and collective calls on the communicator. The engines alltoallv and
 * persistent, also as carriers of node, then send messages point to point. The engine alltoallw, and
 * exchanges on a GPU's memory, have no unordered executions: their subx_exch_start is always collective.
 *   ex            [in]  the exchange, not in flight
 *   is_unordered  [in]  1: unordered; 0 (as created): ordered
 * Errors: ARG, ACTIVE. */
SUBX_EXPORT int subx_exch_set_unordered(subx_exch ex, int is_unordered);

/* Get the length of the work space on a GPU that an exchange with the hint subx_memory_kind needs. Local.
 *   ex     [in]   the exchange
 *   bytes  [out]  bytes; 0 if the buffers are in the host's memory
 * Errors: ARG. */
SUBX_EXPORT int subx_exch_get_device_work(subx_exch ex, ptrdiff_t *bytes);

/* Set the work space on a GPU of an exchange that was created with the hint subx_work = caller. Collective.
 * It is needed besides the work space on the host (subx_exch_set_work), which the caller may pin.
 *   ex    [in]  the exchange, not in flight
 *   work  [in]  memory of the kind of the exchange, of at least as many bytes as subx_exch_get_device_work
 *               says, aligned to 64 bytes; may be NULL if this is 0. With the engines shm and node it must be
 *               memory of subx_mem_alloc, called with the exchange's subx_memory_kind. It belongs to the
 *               caller, and must exist until the exchange is freed or gets other work space. Several
 *               exchanges may share it if only one of them is in flight at a time
 * Errors: ARG (also if the memory is of another kind), ACTIVE, UNAVAILABLE (a local partner cannot read the
 * memory), NO_MEM. */
SUBX_EXPORT int subx_exch_set_device_work(subx_exch ex, void *work);

/* Set the stream for the executions of an exchange on a GPU's memory. An execution begins after the work that
 * is in the stream. It waits on the host until the exchange is complete. Local.
 *   ex      [in]  the exchange, not in flight
 *   stream  [in]  a stream of the caller, such as a cudaStream_t; it must exist until the exchange is freed
 *                 or gets another stream. NULL (as created): executions begin after the work that is in the
 *                 default stream
 * Errors: ARG (the exchange is on the host's memory), ACTIVE. */
SUBX_EXPORT int subx_exch_set_stream(subx_exch ex, void *stream);

/* Traits of engines. The traits that an engine has are added up to one number. */
enum {
    SUBX_ENGINE_LOCAL = 1,   /* reads the memory of local partners */
    SUBX_ENGINE_BETWEEN = 2, /* uses the carrier that the word between names, for remote partners */
    SUBX_ENGINE_TYPES = 4,   /* MPI works on the datatypes: blocks are not packed, and not cut into slices */
    SUBX_ENGINE_WINDOW = 8,  /* reads the word window */
    SUBX_ENGINE_RADIX = 16,  /* reads the word radix */
    SUBX_ENGINE_TRY_PACKED = 32, /* worth a try in a short search by callers of pipes */
    SUBX_ENGINE_TRY_ARRAYS = 64, /* worth a try in a short search by callers of exchanges of whole arrays */
    SUBX_ENGINE_BLOCKS = 128     /* subx_exch_start executes the exchange, and waits for the other ranks */
};

/* Query the traits of an engine. Local.
 *   engine  [in]   the engine's name (subx_exch_query_engine)
 *   traits  [out]  a sum of SUBX_ENGINE_*
 * Errors: ARG. */
SUBX_EXPORT int subx_exch_query_traits(const char *engine, int *traits);

/* Query the known weakness of an engine with the MPI that is linked. A caller who asks for such an engine
 * still gets it. Local.
 *   engine   [in]   the engine's name
 *   warning  [out]  a sentence, a constant string, or NULL if nothing is known
 * Errors: ARG. */
SUBX_EXPORT int subx_exch_query_warning(const char *engine, const char **warning);

/* -------------------------------------------------------------------------------------- copies */

/* A copy of a strided block to other strides, such as a transposition. It is planned once and can be executed
 * on any addresses. It uses the same kernels as types and exchanges. */
typedef struct subx_copy_s *subx_copy;
#define SUBX_COPY_NULL ((subx_copy)0)

/* Create a copy. Local. For all indices 0 <= i[a] < n[a], an execution copies block_bytes contiguous
 * bytes from address `from` + sum of i[a] from_stride[a] to address `to` + sum of i[a] to_stride[a].
 *   ndims        [in]   number of axes, 0 .. SUBX_NDIMS_MAX, in any order
 *   n            [in]   ndims lengths, >= 0
 *   from_stride  [in]   ndims strides of the source, bytes; may be negative
 *   to_stride    [in]   ndims strides of the destination, bytes. Destination blocks must not overlap
 *   block_bytes  [in]   length of a block, bytes, >= 0
 *   whole_bytes  [in]   bytes that this copy and others write before the caller reads any of these bytes
 *                       again. If so many bytes do not fit into the caches, the copy bypasses the caches when
 *                       it writes. 0: only the bytes of this copy; PTRDIFF_MAX: the copy always bypasses them
 *   copy         [out]  the copy; the caller owns it and frees it with subx_copy_free
 * Errors: NDIMS, SIZE, TOO_LARGE, NO_MEM, ARG. */
SUBX_EXPORT int subx_copy_create(int ndims, const ptrdiff_t n[], const ptrdiff_t from_stride[],
                                 const ptrdiff_t to_stride[], ptrdiff_t block_bytes, ptrdiff_t whole_bytes,
                                 subx_copy *copy);

/* Set the kind of memory that a copy works on. Local. On a GPU's memory, only one thread at a time may
 * execute the copy, and an execution with addresses in other memory returns ARG and launches nothing.
 *   copy    [in]  the copy
 *   kind    [in]  one of MPI 4.1's words: "system" (as created), "cuda:device" or "cuda:managed"
 *   stream  [in]  for a GPU: a stream of the caller, such as a cudaStream_t, which must exist until the copy
 *                 is freed or gets another stream. Executions are ordered in this stream, and do not wait.
 *                 NULL: an execution begins after the work that is in the default stream, and returns when
 *                 the copy is complete
 * Errors: ARG, UNAVAILABLE (there is no GPU, or no support for it), NO_MEM, DEVICE. */
SUBX_EXPORT int subx_copy_set_memory(subx_copy copy, const char *kind, void *stream);

/* Execute a copy. Local; several threads may execute the same copy at the same time. Source and destination
 * must not overlap; either may be NULL if nothing is moved.
 *   copy  [in]   the copy
 *   from  [in]   the address that from_stride counts from
 *   to    [out]  the address that to_stride counts from
 * Errors: ARG, DEVICE. */
SUBX_EXPORT int subx_copy_execute(subx_copy copy, const void *from, void *to);

/* Prefetch the data that an execution would read; does not wait for the data. Local. Useful for copies of a
 * few tens of KiB that are executed soon.
 *   copy  [in]  the copy
 *   from  [in]  as for subx_copy_execute; NULL prefetches nothing
 * Errors: ARG. */
SUBX_EXPORT int subx_copy_prefetch(subx_copy copy, const void *from);

/* Query whether copies bypass the caches when they write. Local.
 *   bytes   [in]   bytes that are written before any of them is read again, as whole_bytes of
 *                  subx_copy_create
 *   bypass  [out]  1 if copies with so many bytes bypass the caches, else 0
 * Errors: ARG. */
SUBX_EXPORT int subx_copy_query_bypass(ptrdiff_t bytes, int *bypass);

/* Free a copy. Local. *copy becomes SUBX_COPY_NULL.
 *   copy  [in,out]  the copy
 * Errors: none. */
SUBX_EXPORT int subx_copy_free(subx_copy *copy);

/* -------------------------------------------------------------------------------------- memory */

/* Write bytes of the host into memory of subx_mem_alloc, which may be a GPU's. Local; returns when it is
 * done.
 *   mem    [out]  where to write: an address in memory of subx_mem_alloc of this rank
 *   from   [in]   the bytes, in memory of the host
 *   bytes  [in]   how many, >= 0
 * Errors: ARG (not all bytes are in such memory), NO_MEM, DEVICE. */
SUBX_EXPORT int subx_mem_write(void *mem, const void *from, ptrdiff_t bytes);

/* Read bytes of memory of subx_mem_alloc, which may be a GPU's, into the host's memory. Local; returns when
 * it is done.
 *   mem    [in]   where to read: an address in memory of subx_mem_alloc of this rank
 *   to     [out]  room for the bytes, in memory of the host
 *   bytes  [in]   how many, >= 0
 * Errors: ARG (not all bytes are in such memory), NO_MEM, DEVICE. */
SUBX_EXPORT int subx_mem_read(const void *mem, void *to, ptrdiff_t bytes);

/* -------------------------------------------------------------------------------------- nodes */

/* Get the node of each rank: ranks with the same number can share memory by subx_mem_alloc. Collective on
 * comm. The first call on a communicator exchanges messages. Later calls use its result, as long as there are
 * grids, exchanges, pipes or plans on the communicator.
 *   comm   [in]   an intra-communicator of p ranks
 *   hints  [in]   subx_tune as for subx_mem_alloc; MPI_INFO_NULL for none
 *   node   [out]  p numbers, the same on all ranks: nodes are numbered from 0 in the order of their lowest
 *                 ranks
 * Errors: COMM, HINT, DIFFERS, NO_MEM, ARG. */
SUBX_EXPORT int subx_mem_get_nodes(MPI_Comm comm, MPI_Info hints, int node[]);

/* -------------------------------------------------------------------------------------- pipes */

/* A pipe is an all-to-all of packed blocks, for callers that pack and unpack themselves. Each rank writes its
 * blocks into its send area and posts them, one slice of the blocks after the other. It then gets pointers to
 * the blocks that other ranks have for it, and reads the blocks in place. A partner is local if it is on the
 * same node and lets this rank read its memory; this rank then reads the partner's send area. All other
 * partners are remote. A carrier, which is an algorithm that sends messages, brings the blocks of remote
 * partners into this rank's receive area. An epoch is one use of a pipe, from the first post to wait. Post,
 * start, complete, wait and epoch have the same meaning as for MPI's windows (MPI_Win_post and so on).
 *
 * An epoch, on every rank:
 *
 *     for all slices s: write the blocks of s;  subx_pipe_post(pipe, s);
 *     for all slices s: subx_pipe_start(pipe, s, block);  read the blocks of s;
 *     subx_pipe_complete(pipe);
 *     subx_pipe_wait(pipe);                 before the send area is written again
 *
 * Each loop handles the slices in the order 0 .. nslices-1. The two loops may be interleaved: a rank may
 * start a slice when it has posted this slice. No barrier is needed between epochs.
 *
 * After an error a rank must still go on to the end of the epoch, because its partners wait for it. */
typedef struct subx_pipe_s *subx_pipe;
#define SUBX_PIPE_NULL ((subx_pipe)0)

/* Create a pipe. Collective on comm.
 *
 * Hints:
 *   subx_engine      which partners are local, and which carrier brings the blocks of remote ones:
 *                      auto       (default) as node
 *                      shm        all partners are local
 *                      node       the ranks of a node are local; between names the carrier for the others
 *                    The engine may also be a carrier, as for subx_exch_create (subx.h): then no partner is
 *                    local. With one slice, alltoallv calls MPI_Alltoallv, which moves all data in
 *                    subx_pipe_start; but if some rank receives nothing, alltoallv calls MPI_Ialltoallv. A
 *                    rank's block for itself is never sent
 *   between          for node: pairwise (default; "auto" is the same) or another carrier
 *   window           for pairwise: largest number of slices whose receives are posted ahead, >= 1 (default 4)
 *   radix            for kway, as for subx_exch_create
 *   node_ranks       as for subx_mem_alloc
 *
 *   comm        [in]   the ranks; an intra-communicator of p ranks
 *   nslices     [in]   slices of an epoch, >= 1, the same on all ranks
 *   send_bytes  [in]   nslices * p lengths, bytes, >= 0: entry [s*p + q] is the length of slice s of the
 *                      block for rank q
 *   recv_bytes  [in]   nslices * p lengths, bytes, >= 0: entry [s*p + q] is the length of slice s of the
 *                      block from rank q
 *   hints       [in]   see above; MPI_INFO_NULL for none
 *   pipe        [out]  the pipe; the caller owns it and frees it with subx_pipe_free
 * Errors: COMM, SIZE (a length is negative), MISMATCH, HINT, DIFFERS (hints, nslices), UNAVAILABLE (the
 * engine is shm and a partner is not local; the engine is alltoallv or persistent and a slice has more bytes
 * than an int can count), TOO_LARGE, NO_MEM, ARG. */
SUBX_EXPORT int subx_pipe_create(MPI_Comm comm, int nslices, const ptrdiff_t send_bytes[],
                                 const ptrdiff_t recv_bytes[], MPI_Info hints, subx_pipe *pipe);

/* Create a ring: a pipe whose areas have room for `depth` slices only. Slice s is written over slice s -
 * depth. Such areas can be small enough to stay in the caches. Collective on comm. For each slice, a rank
 * waits for room (subx_pipe_wait_room), writes its blocks, posts and starts the slice, reads the blocks that
 * have come, and completes the slice (subx_pipe_complete_slice). All else is as for subx_pipe_create, whose
 * areas have room for all slices.
 *   comm, nslices           [in]   as for subx_pipe_create
 *   depth                   [in]   slices that the areas have room for, >= 1, the same on all ranks; more
 *                                  than nslices is the same as nslices
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

/* Get the engine of a pipe and the lengths of its areas. Local; any output may be NULL.
 *   pipe        [in]   the pipe
 *   engine      [out]  the engine that the hint names. If the hint is auto: shm if all partners of all ranks
 *                      are local; else node if a partner of this rank is local; else the carrier's name. A
 *                      constant string, not to be freed
 *   send_bytes  [out]  length of this rank's send area, bytes: room for the blocks of all slices, or of
 *                      `depth` slices of a ring. Each block begins at a multiple of 64 bytes; blocks for
 *                      remote partners take a few bytes more
 *   recv_bytes  [out]  length of this rank's receive area, bytes: room for the blocks from remote partners,
 *                      for as many slices as the send area has room for, and for blocks that engine kway
 *                      forwards; 0 if no partner is remote
 * Errors: ARG. */
SUBX_EXPORT int subx_pipe_get(subx_pipe pipe, const char **engine, ptrdiff_t *send_bytes,
                              ptrdiff_t *recv_bytes);

/* Get the place in the send area where a block must be written. Local.
 *   pipe    [in]   the pipe
 *   slice   [in]   0 .. nslices-1
 *   q       [in]   the rank that the block is for, this one included
 *   offset  [out]  bytes from the beginning of the send area; a multiple of 64
 * Errors: ARG. */
SUBX_EXPORT int subx_pipe_get_place(subx_pipe pipe, int slice, int q, ptrdiff_t *offset);

/* Query whether a rank is a local partner, and far. The ranks of a node are far if a rank takes long to write
 * cache lines that another rank has read; this is measured once per communicator. Blocks for such a rank
 * should be written past the caches, as subx_copy_create does if whole_bytes is PTRDIFF_MAX. Local.
 *   pipe  [in]   the pipe
 *   q     [in]   the rank
 *   flag  [out]  1 if q is another rank, local and far, else 0
 * Errors: ARG. */
SUBX_EXPORT int subx_pipe_query_far(subx_pipe pipe, int q, int *flag);

/* Set the areas of a pipe. This must be done before the first epoch, and may be done again between epochs.
 * Collective, because partners learn the addresses from which they read. After an error the areas must be set
 * again.
 *   pipe  [in]  the pipe, in no epoch
 *   send  [in]  memory of send_bytes bytes (subx_pipe_get), aligned to 64 bytes; NULL if send_bytes is 0. If
 *               this rank has blocks for local partners, the memory must come from one call of subx_mem_alloc
 *               in which this rank and these partners took part
 *   recv  [in]  memory of recv_bytes bytes, aligned to 64 bytes, not necessarily from subx_mem_alloc; NULL if
 *               recv_bytes is 0
 * Both areas belong to the caller, and must exist until the pipe is freed or gets other areas. They hold no
 * data between epochs. Two pipes may share areas if each rank waits for the first pipe's epoch before it
 * posts to the second pipe.
 * Errors: UNAVAILABLE (a local partner cannot see the send area), ACTIVE, NO_MEM, ARG. */
SUBX_EXPORT int subx_pipe_set_work(subx_pipe pipe, void *send, void *recv);

/* Wait until a slice may be written. Slice s is written over slice s - depth: all local partners must have
 * completed slice s - depth, and this rank's messages of slice s - depth must have been sent. Returns at once
 * for the first `depth` slices of an epoch. Collective: waits for the local partners.
 *   pipe   [in]  the pipe
 *   slice  [in]  the slice s that this rank writes next; this rank has completed slice s - depth
 * Errors: ARG, ACTIVE (this rank has not completed slice s - depth), and MPI's own. */
SUBX_EXPORT int subx_pipe_wait_room(subx_pipe pipe, int slice);

/* Test whether subx_pipe_wait_room would return at once, and let messages in flight make progress. Local;
 * does not wait for other ranks.
 *   pipe   [in]   the pipe
 *   slice  [in]   as for subx_pipe_wait_room
 *   flag   [out]  1 if subx_pipe_wait_room would return at once, also with an error; else 0
 * Errors: those of subx_pipe_wait_room. */
SUBX_EXPORT int subx_pipe_test_room(subx_pipe pipe, int slice, int *flag);

/* Post a slice: this rank has written its blocks of the slice, which may be read and sent from now on. Begins
 * an epoch if the pipe is in none. Local; does not wait for other ranks. Before the call, the caller must
 * fence stores that bypass the caches, and make stores of other threads visible to this thread.
 *   pipe   [in]  the pipe, with areas
 *   slice  [in]  0 for the first slice of an epoch, then 1, 2, ..
 * Errors: ARG, ACTIVE (subx_pipe_wait was not called for the epoch before), and MPI's own. */
SUBX_EXPORT int subx_pipe_post(subx_pipe pipe, int slice);

/* Start to read a slice: wait until its blocks have come, and get pointers to the blocks. Collective: waits
 * until all ranks that have blocks for this rank have posted the slice, and waits for no other ranks. The
 * pointers are set also after an error.
 *   pipe   [in]   the pipe, in an epoch
 *   slice  [in]   0 for the first slice, then 1, 2, ..; this rank has posted it
 *   block  [out]  p pointers: entry q points to the block from rank q, aligned to 64 bytes, or is NULL if
 *                 this block is empty. The block lies in this rank's send area, in a local partner's send
 *                 area, or in the receive area. It may be read until subx_pipe_complete, and must not be
 *                 written
 * Errors: ARG, ACTIVE (the pipe is in no epoch, or this rank has not posted the slice), PEER, and MPI's
 * own. */
SUBX_EXPORT int subx_pipe_start(subx_pipe pipe, int slice, const void *block[]);

/* Mark this rank's data as wrong until the end of the epoch. A partner gets SUBX_ERR_PEER when it starts a
 * slice that this rank posts after this call. A local partner may get SUBX_ERR_PEER for any slice that it has
 * not started yet. A rank that could not compute its blocks calls this function and then posts as usual, so
 * that no partner waits for ever. Local.
 *   pipe  [in]  the pipe
 * Errors: ARG. */
SUBX_EXPORT int subx_pipe_set_failed(subx_pipe pipe);

/* Set whether the next epochs are unordered. Local; the same on all ranks. In unordered epochs each
 * rank chooses by itself in which order it makes its calls for this pipe, calls for other pipes, and
 * collective calls on the communicator. The carriers alltoallv and persistent, which otherwise make
 * collective calls of MPI, then send messages point to point.
 *   pipe          [in]  the pipe, in no epoch
 *   is_unordered  [in]  1: unordered; 0 (as created): ordered
 * Errors: ARG, ACTIVE (the pipe is in an epoch). */
SUBX_EXPORT int subx_pipe_set_unordered(subx_pipe pipe, int is_unordered);

/* Test whether subx_pipe_start of a slice would return at once, and let messages in flight make progress.
 * Local; does not wait for other ranks. Many messages make progress only during such calls: call this
 * function from time to time while you compute.
 *   pipe   [in]   the pipe, in an epoch
 *   slice  [in]   0 .. nslices-1
 *   flag   [out]  1 if subx_pipe_start would return at once, with the blocks or with an error; else 0, also
 *                 if this rank has not posted the slice
 * Errors: ARG, ACTIVE (the pipe is in no epoch), and MPI's own. */
SUBX_EXPORT int subx_pipe_test(subx_pipe pipe, int slice, int *flag);

/* Complete the reading of an epoch: this rank will read no more blocks of this epoch. Local; does not wait
 * for other ranks.
 *   pipe  [in]  the pipe
 * Errors: ARG, ACTIVE (the pipe is in no epoch, or not all slices have been started, or the epoch has been
 * completed). */
SUBX_EXPORT int subx_pipe_complete(subx_pipe pipe);

/* Complete the reading of all slices up to a given one: the ranks that wrote these slices may then overwrite
 * them. Local; does not wait for other ranks.
 *   pipe   [in]  the pipe
 *   slice  [in]  the last of these slices; started, and not completed
 * Errors: ARG, ACTIVE (the pipe is in no epoch, or the slice has not been started, or has been completed). */
SUBX_EXPORT int subx_pipe_complete_slice(subx_pipe pipe, int slice);

/* Wait until all blocks that this rank has posted in an epoch have been read or sent, so that the send area
 * may be written again. Ends the epoch; returns at once if the pipe is in no epoch. Collective: returns when
 * all local partners that this rank has blocks for have completed the epoch, and this rank's messages are
 * sent.
 *   pipe  [in]  the pipe
 * Errors: ARG, ACTIVE (this rank has not called subx_pipe_complete), and MPI's own. */
SUBX_EXPORT int subx_pipe_wait(subx_pipe pipe);

/* Test whether subx_pipe_wait would return at once, and let messages in flight make progress. Local; does not
 * wait for other ranks.
 *   pipe  [in]   the pipe
 *   flag  [out]  1 if subx_pipe_wait would return at once, also with an error; else 0
 * Errors: those of subx_pipe_wait. */
SUBX_EXPORT int subx_pipe_test_wait(subx_pipe pipe, int *flag);

/* Call this between two rounds of tests, such as subx_pipe_test, if a rank can do nothing but wait. From time
 * to time the function lets MPI make progress, and yields the processor: soon if more ranks than processors
 * run on this node, else after some ten microseconds. Local.
 *   comm   [in]      the communicator of the pipes
 *   round  [in,out]  0 before the first call
 * Errors: ARG, and MPI's own. */
SUBX_EXPORT int subx_pipe_relax(MPI_Comm comm, int *round);

/* Free a pipe. Collective. *pipe becomes SUBX_PIPE_NULL.
 *   pipe  [in,out]  the pipe, in no epoch
 * Errors: ACTIVE (the pipe is in an epoch). */
SUBX_EXPORT int subx_pipe_free(subx_pipe *pipe);

#ifdef __cplusplus
}
#endif

#endif /* SUBX_LOWLEVEL_H */
