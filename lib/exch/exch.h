/* exch.h - an exchange: two sides (sent and received data), and an engine, which moves the data from one
 * side to the other.
 *
 *    types, one per rank --side.c--> blocks: a few shapes at many offsets
 *                                       |
 *             engine/table.c: a name -> functions, traits, a carrier
 *                                       |
 *           engine/piped*.c: blocks of local partners are read in place, or from the pipe, where they are
 *                            packed; blocks of remote partners are packed, carried, unpacked
 *           engine/types.c, alltoallw.c: MPI's own engine works on the types
 *           engine/device*.c: all blocks are packed and unpacked by a device (on_device.h) */
#ifndef SX_EXCH_H
#define SX_EXCH_H

#include "device/device.h"
#include "kern/kern.h"
#include "pipe/pipe.h"
#include "type/type.h"

/* ---- sides (side.c) */

/* A distinct layout of a block in memory. Blocks that differ only in their start share one shape, and so one
 * datatype. MPI then needs a few types instead of one per rank; some MPIs fail with many types (quirk.c). */
typedef struct sx_shape {
    int strided;
    sx_layout layout;    /* if strided: the copy that packs the block (send side), or unpacks it (receive
                            side) */
    const sx_kern *kern; /* if strided: the kernel for this copy */
    MPI_Datatype type;   /* committed; freed with the side. If strided: it describes the block whose first
                            byte is `origin` bytes from the buffer's address. If not: origin is 0 */
    MPI_Aint origin;
    MPI_Datatype basic; /* the basic type of all elements; MPI_DATATYPE_NULL if they differ */
    int nchunks;        /* if not strided, on devices: the strided chunks of the block, and their number */
    sx_chunk *chunk;
} sx_shape;

/* A block that this rank sends to a rank or receives from a rank, which may be this rank itself: a shape at
 * an offset. Shape -1: there is no block. */
typedef struct sx_block {
    int shape;
    MPI_Aint offset; /* for strided shapes: bytes from the buffer to the first byte of the block; else 0 */
    ptrdiff_t bytes;
} sx_block;

/* The blocks that a rank sends, or the blocks that it receives. */
typedef struct sx_side {
    int nshapes, room; /* number of shapes; number of shapes that there is memory for */
    sx_shape *shape;
    sx_block *block; /* for each rank */
    ptrdiff_t bytes;
    MPI_Aint low, high; /* all blocks lie in the bytes low .. high - 1, counted from the buffer's address */
    int threads;        /* number of threads that copy */
} sx_side;

/* Set side `which`, SX_FROM or SX_TO, from one type per rank. Layouts of SX_TO are swapped: they read packed
 * data and write to memory. The caller frees the side, also after an error. */
int sx_exch_side_set(sx_side *side, int p, const MPI_Datatype types[], int which);
void sx_exch_side_free(sx_side *side);

/* Set the chunks of blocks that are not strided. Layouts of SX_TO are swapped. NOT_STRIDED if a block has too
 * many. Local. */
int sx_exch_side_set_chunks(sx_side *side, int p, int which);

/* Query whether all blocks of a side have doubles only, at multiples of the length of a double from the
 * address of the buffer (doubles.c). */
int sx_exch_side_has_doubles(const sx_side *side, int p);

/* A direct copy: from a sender's block to a receiver's block, without packing. */
typedef struct sx_direct {
    const sx_kern *kern; /* NULL if there is no such copy */
    sx_layout layout;
} sx_direct;

/* Set the direct copy of a sender's layout and a receiver's shape. direct->kern becomes NULL if there is
 * none: if the shape is not strided, or if the two layouts do not nest. `whole_bytes`: how many bytes this
 * rank receives by all its copies together. */
void sx_exch_set_direct(const sx_layout *from, const sx_shape *to, ptrdiff_t whole_bytes, sx_direct *direct);

/* Set the direct copy of this rank's block for itself. direct->kern becomes NULL if there is none: if this
 * rank has no such block, or if its types are not strided or do not nest. */
void sx_exch_set_direct_self(subx_exch ex, sx_direct *direct);

/* Copy this rank's block for itself. If there is no direct copy, MPI copies the block. */
int sx_exch_copy_self(subx_exch ex, const sx_direct *direct);

/* Query whether all blocks of a side can be packed. Shapes that are not strided need MPI_Pack, which counts
 * in ints. */
int sx_exch_side_can_pack(const sx_side *side, int p);

/* A block can be cut at multiples of its step. get_step: the smallest step, in bytes of the packed form.
 * get_good_step: the smallest step whose copies have runs that are long enough to be fast. If a block cannot
 * be cut, its step is its length. */
ptrdiff_t sx_exch_block_get_step(const sx_side *side, int q);
ptrdiff_t sx_exch_block_get_good_step(const sx_side *side, int q, int which);

/* pack: pack `bytes` bytes of the block for rank q, from byte `first` of its packed form on, into `packed`.
 * unpack: the reverse, for the block from rank q. `first` and `bytes` are multiples of the smallest step.
 * is_far: 1 if a far rank reads `packed`, which is then written past the caches (lib/comm/distance.c). */
int sx_exch_block_pack(const sx_side *send, int q, ptrdiff_t first, ptrdiff_t bytes, int is_far,
                       const char *buf, char *packed);
int sx_exch_block_unpack(const sx_side *recv, int q, ptrdiff_t first, ptrdiff_t bytes, const char *packed,
                         char *buf);

/* ---- local partners (engine/layouts.c). is_local[q] is 1 if rank q is local. */

/* Query whether rank q is a local partner: not this rank, with a block on a side. count: count the local
 * partners. */
int sx_exch_is_partner(const subx_exch ex, const char is_local[], int side, int q);
int sx_exch_count_partners(const subx_exch ex, const char is_local[], int side);

/* Get the layouts in which the local partners of side SX_TO send their blocks, in the order of ranks; nd is
 * -1 if a block is not strided. Collective; rc is this rank's outcome so far. The outcome may differ between
 * ranks. */
int sx_exch_gather_layouts(const subx_exch ex, int rc, const char is_local[], sx_layout heard[]);

/* ---- engines (engine/) */

/* The functions by which an engine executes exchanges. `types` and `alltoallw` have their own; all other
 * engines have the same functions, which use a pipe (piped.h). If the buffers are in a device's memory, these
 * other engines have the functions sx_exch_device (on_device.h). `avoids` is called before `create`, and
 * `free` even if `create` has failed; all other functions are called only if `create` has succeeded. The
 * buffers are ex->sendbuf and ex->recvbuf. After an error in an execution the engine goes on as far as
 * possible, so that no partner waits for ever. */
typedef struct sx_engine_functions {
    /* Query whether the engine should be tried last, for example because it does not suit this rank's types.
     * Local. NULL for sx_exch_device: buffers on a device have no other functions. */
    int (*avoids)(subx_exch ex);
    /* Set ex->state and the size of the work space. Collective; all ranks then agree on the outcome. After
     * SUBX_ERR_UNAVAILABLE, NO_MEM and TOO_LARGE, "auto" tries the next engine. */
    int (*create)(subx_exch ex);
    /* Use new work space. Collective; all ranks then agree on the outcome. This function may be NULL. */
    int (*bind)(subx_exch ex, char *work);
    int (*start)(subx_exch ex);
    /* Make progress without waiting. *done becomes 1 when the exchange is complete and only `wait` must still
     * be called. NULL if `start` executes the whole exchange. */
    int (*test)(subx_exch ex, int *done);
    int (*wait)(subx_exch ex);  /* may be NULL */
    void (*free)(subx_exch ex); /* also called if `create` has failed */
} sx_engine_functions;

/* An engine: a name that users choose, and what the name means. */
typedef struct sx_engine {
    const char *name;
    const sx_engine_functions *functions;
    int traits; /* a sum of SUBX_ENGINE_* */
    const sx_carrier
        *carrier; /* the carrier for remote partners; NULL if the engine has none (shm, types, alltoallw),
                     or if the word between chooses it (node) */
} sx_engine;

/* get: get engine i of the list; "auto" tries engines in the order of the list. find: get the engine with a
 * name. Both return 1, or 0 if there is no such engine. */
int sx_exch_get_engine(int i, sx_engine *engine);
int sx_exch_find_engine(const char *name, sx_engine *engine);

/* ---- exchanges */

/* Reasons to avoid an engine. RATHER_NOT: the engine does not suit the types of a rank, or is slow with this
 * MPI. NEVER: the engine moves wrong data, or crashes, with this MPI. */
enum { SX_RATHER_NOT = 1, SX_NEVER = 2 };

struct subx_exch_s {
    sx_comm *comm;
    int p, r; /* number of ranks, and this rank */
    sx_side side[2];
    sx_pipe_hints hints;
    char memory_kind[SX_HINT_LEN]; /* the hint subx_memory_kind */
    /* For each engine, or on a device for each device carrier: 0, SX_RATHER_NOT or SX_NEVER; the same on all
     * ranks. */
    int avoided[SX_FLAGS_MAX];
    char dropped[SX_HINT_LEN]; /* names of engines that could not serve, or did not pass the check, joined by
                                  blanks */
    sx_engine engine;          /* its functions are NULL if there is no engine */
    void *state;               /* the state of the engine */
    ptrdiff_t work_bytes;
    char *work;
    int owns_work, is_bound;
    /* the device whose memory has the buffers, NULL for the host; its handle; work space on it; the caller's
     * stream */
    const sx_device *device;
    void *handle, *device_work, *stream;
    ptrdiff_t device_bytes;
    const struct sx_device_carrier *carrier; /* on_device.h */
    char why[SX_ERROR_LEN]; /* why data do not travel between devices in a way that is mostly faster */
    int is_shared;          /* 1 if ranks of a node read each other's memory on the device */
    int active, executes;   /* executes: 1 if one call starts the execution and waits for it */
    int failed;             /* the first error of the active execution, which wait returns */
    int is_unordered;       /* 1 if started executions are unordered (subx_exch_set_unordered) */
    int gives_wrong;        /* 1 if the data that this rank sends in the next execution is wrong */
    int is_in_place;        /* 1 if one array may be both the send buffer and the receive buffer, because the
                             blocks of the two sides share no byte */
    const char *sendbuf;
    char *recvbuf;
    void *substitute[2]; /* memory that stands in for buffers of the caller that are wrong; else NULL */
};

/* ---- creation (create.c) */

/* Free an exchange, or the parts that exist. Collective. */
int sx_exch_free(subx_exch ex);

/* As subx_exch_create, but rc is this rank's outcome so far, and `key` must be the same on all ranks.
 * Collective; the outcome is agreed on. */
int sx_exch_create(MPI_Comm comm, int rc, const char *key, const MPI_Datatype stype[],
                   const MPI_Datatype rtype[], MPI_Info hints, subx_exch *ex);

/* ---- the engine (engine.c, engine/table.c) */

/* Query whether another engine may succeed after this error: the other engine may need less memory, or count
 * larger numbers. */
int sx_exch_may_go_on(int rc);

/* Use an engine for an exchange whose sides are set. Collective. If this fails on a rank, all ranks return an
 * error, and the exchange has no engine. */
int sx_exch_set_engine(subx_exch ex, const sx_engine *engine);
void sx_exch_free_engine(subx_exch ex);

/* Set the work space of an exchange. No execution may be active. Collective; the outcome is agreed on. */
int sx_exch_bind(subx_exch ex, char *work);

/* execute: start an execution with the buffers that are set, and wait for its end. wait: only wait. */
int sx_exch_execute(subx_exch ex);
int sx_exch_wait(subx_exch ex);

/* ---- devices (engine/device.c). find_carriers: query which device carriers this rank cannot have; local.
 * UNAVAILABLE, with the reason in `why`, if the hint names one of these. choose: serve an exchange by the
 * first device carrier that works, by calls of `use`; collective. print_carriers: append the names of the
 * device carriers that can serve, or may be tried, joined by blanks; nothing if the buffers are not on a
 * device. alloc, free: memory on the device; alloc is collective and its outcome is agreed on if
 * is_shared, else local; free accepts NULL, and is collective if is_shared. bind: use work space on the
 * device; collective, and the outcome is agreed on. drop_work: use none; local. copy: copy from or to the
 * device, and wait until this is done; local. */
extern const sx_engine_functions sx_exch_device;
int sx_exch_device_find_carriers(subx_exch ex, sx_text *why);
int sx_exch_device_choose(subx_exch ex, int (*use)(subx_exch ex));
void sx_exch_device_print_carriers(const subx_exch ex, sx_text *t);
int sx_exch_device_alloc(subx_exch ex, ptrdiff_t bytes, void **memory);
void sx_exch_device_free(subx_exch ex, void *memory);
int sx_exch_device_bind(subx_exch ex, void *work);
void sx_exch_device_drop_work(subx_exch ex);
int sx_exch_device_copy(const subx_exch ex, void *to, const void *from, ptrdiff_t bytes);

/* ---- the check of an engine */

/* Let an exchange move a pattern with its own types, and compare the received data with the sent data
 * (trial.c). Does nothing if the word check says so. Collective; SUBX_ERR_UNAVAILABLE on all ranks if any
 * rank finds a difference, or if the exchange fails there. */
int sx_exch_check(subx_exch ex);

/* Get whether an engine should be avoided: 0, SX_RATHER_NOT or SX_NEVER. `ntypes` is the number of datatypes
 * of the exchange. `library` is the text of MPI_Get_library_version; NULL for the MPI that is linked. *why
 * becomes the reason, or NULL if the result is 0 (quirk.c). */
int sx_exch_quirk_get(const char *engine, const char *library, int ntypes, const char **why);

#endif
