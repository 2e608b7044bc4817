/* exch.h - what an exchange is made of: two sides, and an engine with a mover that brings the data from one to the other.
 *
 *     types of all peers --side.c--> blocks: a few shapes at many offsets
 *                                       |
 *             engine/table.c: a name -> a mover, who is local, which carrier
 *                                       |
 *           engine/piped*.c: blocks of local partners are read in place, or from the pipe, where they are packed;
 *                            blocks of remote partners are packed, carried, unpacked
 *           engine/types.c, alltoallw.c: MPI's own engine works on the types */
#ifndef SX_EXCH_H
#define SX_EXCH_H

#include "kern/kern.h"
#include "pipe/pipe.h"

/* ---- sides (side.c) */

/* One distinct shape of data in memory. Blocks that differ only in where they start share it, and with it one
 * datatype: MPI then works on a few types instead of one per peer, which some MPIs need (see HACKING, quirks). */
typedef struct sx_shape {
    int strided;
    sx_layout layout;    /* if strided: from the side that is read to the side that is written */
    const sx_kern *kern; /* if strided: the kernel for it */
    MPI_Datatype type;   /* committed, ours; describes the block that starts at `origin` */
    MPI_Aint origin;
    MPI_Datatype basic; /* of all elements, or MPI_DATATYPE_NULL */
} sx_shape;

/* What this rank has for a peer, or gets from it: a shape at an offset; shape -1 for nothing. */
typedef struct sx_block {
    int shape;
    MPI_Aint offset; /* bytes, from the buffer to the first byte, for strided shapes */
    ptrdiff_t bytes;
} sx_block;

/* All that a rank sends, or all that it receives. */
typedef struct sx_side {
    int nshapes, room; /* shapes, and how many there is memory for */
    sx_shape *shape;
    sx_block *block; /* one per rank */
    ptrdiff_t bytes;
    MPI_Aint low, high; /* the bytes that all blocks together touch, from the buffer's address */
    int threads;        /* that copy */
} sx_side;

/* Take the types of all peers apart. The layouts of the receiving side are swapped: they read packed data
 * and write to memory. */
int sx_exch_side_set(sx_side *side, int p, const MPI_Datatype types[], int which);
void sx_exch_side_free(sx_side *side);

/* A copy from a block to another one, without packing between them. */
typedef struct sx_join {
    const sx_kern *kern; /* NULL if there is no such copy */
    sx_layout layout;
} sx_join;

/* Join the layout that a sender has for its block with the shape that a receiver has for it. There is no copy if they
 * are not strided or do not nest. `whole_bytes` are those of all that is copied with it. */
void sx_exch_join(const sx_layout *from, const sx_shape *to, ptrdiff_t whole_bytes, sx_join *join);

/* Join what this rank has for itself. */
void sx_exch_join_self(subx_exch ex, sx_join *join);

/* Copy what this rank has for itself: by the join, or by MPI. */
int sx_exch_copy_self(subx_exch ex, const sx_join *join);

/* 1 if all blocks can be packed: MPI_Pack, which serves shapes that are not strided, counts in int. */
int sx_exch_side_can_pack(const sx_side *side, int p);

/* Get the smallest unit, in bytes of its packed form, at which a block of rank q can be cut, and the
 * smallest multiple of it that copies runs of some length. All bytes if it cannot be cut. */
ptrdiff_t sx_exch_block_get_step(const sx_side *side, int q);
ptrdiff_t sx_exch_block_get_good_step(const sx_side *side, int q, int which);

/* Pack `bytes` bytes of what goes to rank q, from the one numbered `first` on, into `packed`; or unpack what came
 * from it. Both are multiples of the least step. */
int sx_exch_block_pack(const sx_side *send, int q, ptrdiff_t first, ptrdiff_t bytes, const char *buf,
                       char *packed);
int sx_exch_block_unpack(const sx_side *recv, int q, ptrdiff_t first, ptrdiff_t bytes, const char *packed,
                         char *buf);

/* ---- engines (engine/) */

/* A mover brings the data from one side to the other. All but `avoids` and `create` see only exchanges that it created;
 * the buffers are ex->sendbuf and ex->recvbuf. After an error in an execution it goes on as far as it can, so that no
 * peer waits for ever. */
typedef struct sx_mover {
    /* 1 if it should come last for this rank's types. Local. */
    int (*avoids)(subx_exch ex);
    /* Set ex->state, and how much work space is needed. Collective; the caller agrees on the outcome.
     * SUBX_ERR_UNAVAILABLE sends "auto" on to the next engine. */
    int (*create)(subx_exch ex);
    /* There is work space, or other work space. Collective; the caller agrees on the outcome. NULL for nothing. */
    int (*bind)(subx_exch ex, char *work);
    int (*start)(subx_exch ex);
    /* Go on without waiting for others, and tell whether only wait is left. NULL if that is always so. */
    int (*test)(subx_exch ex, int *done);
    int (*wait)(subx_exch ex);  /* NULL for nothing */
    void (*free)(subx_exch ex); /* also after a create that failed */
} sx_mover;

/* What a name stands for. */
typedef struct sx_engine {
    const char *name;
    const sx_mover *mover;
    int traits; /* a sum of SUBX_ENGINE_* */
    const sx_carrier
        *carrier; /* for remote partners; NULL for none, or for the one that subx_between names */
} sx_engine;

extern const sx_mover sx_exch_piped, sx_exch_types, sx_exch_alltoallw;

/* Get the i-th engine, in the order in which "auto" tries them; 0 if there are no more. */
int sx_exch_get_engine(int i, sx_engine *engine);
int sx_exch_find_engine(const char *name, sx_engine *engine);

/* ---- exchanges */

/* Why not to use an engine: some rank's types, or its speed with this MPI, speak against it; it is wrong with this MPI. */
enum { SX_RATHER_NOT = 1, SX_NEVER = 2 };

struct subx_exch_s {
    sx_comm *comm;
    int p, r; /* ranks, and this one */
    sx_side side[2];
    sx_pipe_hints hints;
    int avoided[SX_FLAGS_MAX]; /* for each engine, agreed: 0, SX_RATHER_NOT or SX_NEVER */
    char dropped[SX_HINT_LEN]; /* the engines that could not serve, or did not pass the check */
    sx_engine engine;          /* mover NULL for none */
    void *state;               /* the mover's */
    ptrdiff_t work_bytes;
    char *work;
    int owns_work, is_bound;
    int active, executes; /* executes: start and wait are one call */
    int failed;           /* the first error of what is active, told by wait */
    int gives_wrong;      /* this rank's data of the next execution is wrong */
    int is_in_place;      /* both sides lie in one array and share no byte: equal addresses are right */
    const char *sendbuf;
    char *recvbuf;
};

/* ---- creation (create.c) */

/* Let an engine serve an exchange whose sides are set. Collective. On failure, which all ranks hear of, the
 * exchange is without an engine again. */
int sx_exch_set_engine(subx_exch ex, const sx_engine *engine);
void sx_exch_free_engine(subx_exch ex);

/* Give the exchange work space, before its first execution or in between. Collective; the outcome is agreed on. */
int sx_exch_bind(subx_exch ex, char *work);

/* Free an exchange, or what there is of it. Collective. */
int sx_exch_free(subx_exch ex);

/* subx_exch_create for callers that may have failed already: rc is agreed on, and key must be the same on all ranks. */
int sx_exch_create(MPI_Comm comm, int rc, const char *key, const MPI_Datatype stype[],
                   const MPI_Datatype rtype[], MPI_Info hints, subx_exch *ex);

/* ---- execution (exch.c): both halves, for buffers that are set */
int sx_exch_execute(subx_exch ex);

/* ---- is an engine right here? */

/* Let an exchange move a pattern with its own types, and compare the data that arrives with what was sent. Collective;
 * SUBX_ERR_UNAVAILABLE on all ranks if anything is wrong on any (check.c). */
int sx_exch_check(subx_exch ex);

/* Get whether to avoid an engine with an MPI, by the text of MPI_Get_library_version (NULL for the one that is linked), and with
 * this number of datatypes: 0, SX_RATHER_NOT or SX_NEVER; and why, NULL if nothing is known against it (quirk.c). */
int sx_exch_quirk_get(const char *engine, const char *library, int ntypes, const char **why);

#endif
