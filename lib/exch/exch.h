/* exch.h - what an exchange is made of, and what an engine must provide. */
#ifndef SX_EXCH_H
#define SX_EXCH_H

#include "kern/kern.h"
#include "message/message.h"

/* One distinct shape of data in memory. Blocks that differ only in where they start share it, and with it one
 * datatype: MPI then works on a few types instead of one a peer, which some MPIs need (see HACKING,
 * quirks). */
typedef struct sx_shape {
    int strided;
    sx_layout layout;    /* if strided: from the side that is read to the side that is written */
    const sx_kern *kern; /* if strided: the kernel for it */
    MPI_Datatype type;   /* committed, ours; describes the block that starts at `origin` */
    MPI_Aint origin;
    MPI_Datatype basic; /* of all elements, or MPI_DATATYPE_NULL */
} sx_shape;

/* What one peer gets or gives: a shape at an offset; shape -1 for nothing. */
typedef struct sx_part {
    int shape;
    MPI_Aint offset; /* bytes, from the buffer to the first byte, for strided shapes */
    ptrdiff_t bytes;
} sx_part;

/* All that a rank sends, or all that it receives. */
typedef struct sx_side {
    int nshapes, room; /* shapes, and how many there is memory for */
    sx_shape *shape;
    sx_part *part; /* one a rank */
    ptrdiff_t bytes;
    MPI_Aint low, high; /* what all parts together touch, from the buffer's address, which is within */
    int threads;        /* that copy */
} sx_side;

/* When to check an engine: unless that takes much memory, always, never. */
enum { SX_CHECK_AUTO, SX_CHECK_YES, SX_CHECK_NO };

/* What the hints of an exchange say (create.c). */
typedef struct sx_choices {
    char engine[SX_HINT_LEN], between[SX_HINT_LEN];
    int callers_work, check;
    int window, radix, node_ranks, threads;
    ptrdiff_t tile_bytes;
} sx_choices;

/* An engine moves the data. All but `create` see only exchanges that it created; buffers are ex->sendbuf and
 * ex->recvbuf. */
typedef struct sx_engine {
    const char *name;
    int for_nodes; /* needs ranks that share memory */
    /* 1 if the engine would rather not serve this rank's types; others are then tried first. Local. */
    int (*avoids)(subx_exch ex);
    /* Set ex->state, ex->work_bytes, and ex->flag if all ranks must know of something. Local; all ranks then
     * agree on the outcome, so that it may fail on one. */
    int (*create)(subx_exch ex);
    /* What remains to be done when no create has failed and ex->flag is the highest of all ranks'. May
     * communicate, if a rank on which it fails half way does so too; agreed on as well. May set
     * ex->work_bytes. SUBX_ERR_UNAVAILABLE sends "auto" on to the next engine. NULL for nothing. */
    int (*complete)(subx_exch ex);
    int (*execute)(subx_exch ex); /* NULL if that is start and then wait */
    int (*start)(subx_exch ex);
    /* Go on without waiting for others, and tell whether only wait is left. NULL if that is always so. */
    int (*test)(subx_exch ex, int *done);
    int (*wait)(subx_exch ex);
    void (*free)(subx_exch ex); /* also after a create that failed */
} sx_engine;

/* All engines, in the order in which "auto" tries them; NULL-terminated (table.c). */
extern const sx_engine *const sx_exch_table[];
extern const sx_engine sx_exch_shm, sx_exch_node, sx_exch_packv, sx_exch_pairwise, sx_exch_kway,
    sx_exch_pipeline, sx_exch_persistent, sx_exch_types, sx_exch_alltoallw;

/* Why not to use an engine: some rank's types speak against it; it is wrong on this MPI. */
enum { SX_RATHER_NOT = 1, SX_NEVER = 2 };

struct subx_exch_s {
    MPI_Comm comm;
    int p, r; /* ranks, and this one */
    sx_side side[2];
    sx_choices choices;
    int avoided[SX_FLAGS_MAX]; /* for each engine of the table, agreed: 0, SX_RATHER_NOT or SX_NEVER */
    char dropped[SX_HINT_LEN]; /* the engines that could not serve, or did not pass the check */
    const sx_engine *engine;
    void *state; /* the engine's */
    int flag;
    ptrdiff_t work_bytes;
    char *work;
    int owns_work;
    int active;
    const char *sendbuf;
    char *recvbuf;
};

/* ---- sides (side.c) */

/* Take the types of all peers apart; the receiving side's layouts are turned to write what they describe. */
int sx_exch_side_set(sx_side *side, int p, const MPI_Datatype types[], int which);
void sx_exch_side_free(sx_side *side);

/* Join the layout that a sender has for its part with the shape that a receiver has for it, into the copy from one
 * to the other, and get the kernel for it. 0 if they are not strided or do not nest. `whole_bytes` are those of
 * all that is copied with it. */
int sx_exch_join(const sx_layout *from, const sx_shape *to, ptrdiff_t whole_bytes, sx_layout *layout,
                 const sx_kern **kern);

/* 1 if all parts can be packed: MPI_Pack, which serves what is not strided, counts in int. */
int sx_exch_side_can_pack(const sx_side *side, int p);

/* Pack what goes to rank q into `packed`, or unpack what came from it. */
int sx_exch_part_pack(const sx_side *send, int q, const char *buf, char *packed);
int sx_exch_part_unpack(const sx_side *recv, int q, const char *packed, char *buf);

/* ---- creation (create.c) */

/* Get an engine by its name; NULL if there is none. */
const sx_engine *sx_exch_find_engine(const char *name);

/* Let an engine serve an exchange whose sides are set. Collective. On failure, which all ranks hear of, the
 * exchange is without an engine again. */
int sx_exch_try_engine(subx_exch ex, const sx_engine *engine);
void sx_exch_drop_engine(subx_exch ex);

/* Let the engine serve that ex->choices names, or the best that can and that passes the check. Between nodes
 * these are not the ones that need shared memory. Otherwise like sx_exch_try_engine. */
enum { SX_ANYWHERE, SX_BETWEEN_NODES };
int sx_exch_choose_engine(subx_exch ex, int which);

/* subx_exch_create for callers that may have failed already: rc is agreed on, and key must be the same on all
 * ranks. */
int sx_exch_create(MPI_Comm comm, int rc, const char *key, const MPI_Datatype stype[],
                   const MPI_Datatype rtype[], MPI_Info hints, subx_exch *ex);

/* ---- is an engine right here? */

/* Let an exchange move a pattern with its own types, and compare what arrives with what was sent. Collective;
 * SUBX_ERR_UNAVAILABLE on all ranks if anything is wrong on any (check.c). */
int sx_exch_check(subx_exch ex);

/* Get why an engine must not be used with an MPI, by the text of MPI_Get_library_version (NULL for the one that
 * is linked), and with so many datatypes; NULL if nothing is known against it (quirk.c). */
const char *sx_exch_quirk_get(const char *engine, const char *library, int ntypes);

/* Free all but the communicator, whose freeing is collective; also what was only half made. */
void sx_exch_destroy(subx_exch ex);

#endif
