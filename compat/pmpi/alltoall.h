/* alltoall.h - all-to-alls, for the files that execute them. A call goes one of three ways: unchanged to MPI,
 * packed, or shared.
 *
 *     alltoall.c          the functions of MPI; which way a call goes
 *     alltoall_parts.c    the data that a call sends and receives, in one form for all functions
 *     alltoall_packed.c   packed: pack, the same function of MPI on the packed data, unpack
 *     shared.c            shared: which calls use memory that all ranks share, and the agreement of the ranks
 *     exchange.c          the exchanges of a communicator, kept for later calls with equal arguments
 *     node.c              which ranks run this library on this node */
#ifndef SX_PMPI_ALLTOALL_H
#define SX_PMPI_ALLTOALL_H

#include "pmpi/pmpi.h"

/* ---- a call (alltoall.c) */

enum { SX_ALLTOALL, SX_ALLTOALLV, SX_ALLTOALLW, SX_FORMS };
enum { SX_BLOCKING, SX_NONBLOCKING, SX_PERSISTENT };

/* The arguments of one side; the comment of a member names the functions that have this argument. Counts and
 * displacements are arrays of int. In a large call (is_large), counts are arrays of MPI_Count and
 * displacements arrays of MPI_Aint. */
typedef struct sx_args {
    const void *buf;
    MPI_Count n;                 /* of MPI_Alltoall */
    const void *counts, *displs; /* of MPI_Alltoallv and MPI_Alltoallw */
    MPI_Datatype type;           /* of MPI_Alltoall and MPI_Alltoallv */
    const MPI_Datatype *types;   /* of MPI_Alltoallw */
} sx_args;

typedef struct sx_pmpi_call sx_pmpi_call;
struct sx_pmpi_call {
    int form, mode, is_large;
    const char *name;
    sx_args side[2];
    MPI_Comm comm;
    MPI_Info info;                         /* only of persistent calls */
    MPI_Request *request;                  /* NULL in blocking calls */
    int (*real)(const sx_pmpi_call *call); /* calls MPI's own function */
    int p, r;                              /* number of ranks, this rank */
};

/* ---- the data of a call (alltoall_parts.c) */

/* A part: the data that this rank sends to one rank, or receives from one rank. */
typedef struct sx_part {
    sx_record *record; /* NULL if the type has none, or if the part is received and its elements overlap */
    MPI_Datatype type;
    MPI_Count count;
    ptrdiff_t at;      /* bytes from the buffer's address to the part's address */
    ptrdiff_t bytes;   /* length of the packed data */
    int is_contiguous; /* 1 if contiguous or empty */
    ptrdiff_t first;   /* if contiguous: bytes from the part's address to its first byte of data */
} sx_part;

/* Query whether a type of the call has a record. */
int sx_pmpi_parts_have_record(const sx_pmpi_call *call);

/* Get the p parts of a side. Returns 0 if an argument is wrong, so that MPI must report it, or if a length
 * exceeds 63 bits. */
int sx_pmpi_parts_get(const sx_pmpi_call *call, int side, sx_part *part);

/* Get the address of a part: the address to which MPI adds the displacements in the part's type. */
char *sx_pmpi_part_address(const sx_args *args, const sx_part *part);

/* ---- the packed way (alltoall_packed.c) */

/* Execute a call by packing one side or both. Returns 1, and sets *rc to the return code of the call. If
 * packing is not possible, or not faster than MPI, does nothing and returns 0. */
int sx_pmpi_packed_execute(const sx_pmpi_call *call, sx_part *const part[2], int *rc);

/* ---- the shared way (shared.c) */

/* A team: a communicator whose ranks all run this library, and the state of its all-to-alls. */
typedef struct sx_team sx_team;

/* Get the team of a communicator of p ranks; NULL if it is not known that all ranks run this library. Local,
 * but all ranks get the same answer. */
sx_team *sx_pmpi_team_get(MPI_Comm comm, int p);

/* Query whether the ranks must agree in which way they execute this call. Called once per all-to-all. Local,
 * but all ranks get the same answer. */
int sx_pmpi_team_is_due(sx_team *team, int form);

/* The result of an agreement. exch: the exchange that executes the call on all ranks, or NULL. seconds: the
 * least time so far of calls with the same arguments and in the same way; the caller updates it. NULL if the
 * call is not timed. */
typedef struct sx_pmpi_choice {
    subx_exch exch;
    double *seconds;
} sx_pmpi_choice;

/* Agree with the other ranks in which way a call is executed. Collective. `part` is NULL if this rank cannot
 * use the shared way. */
sx_pmpi_choice sx_pmpi_team_agree(sx_team *team, const sx_pmpi_call *call, sx_part *const part[2]);

/* ---- exchanges of a communicator (exchange.c) */

/* A key: the arguments of a call, for comparison with later calls. */
typedef struct sx_key sx_key;
sx_key *sx_pmpi_key_create(const sx_pmpi_call *call, sx_part *const part[2]);
int sx_pmpi_key_is_equal(const sx_key *key, const sx_pmpi_call *call, sx_part *const part[2]);
void sx_pmpi_key_free(sx_key *key);

/* Create the exchange of a call. Collective; all ranks get the same kind of error. `longest`: an upper limit
 * of the bytes of a block between two ranks, the same on all ranks. */
int sx_pmpi_exchange_create(MPI_Comm comm, const sx_pmpi_call *call, sx_part *const part[2],
                            ptrdiff_t longest, int is_one_node, subx_exch *exch);

/* ---- which ranks run this library (node.c) */

/* Find out whether all ranks of a communicator run this library. SX_NODE_ALL: yes, and all are on this node.
 * SX_NODE_PROMISED: the user has promised it, by SUBX_PMPI_ALL=1 on all ranks. The result is the same on all
 * ranks. Local. */
enum { SX_NODE_UNKNOWN, SX_NODE_ALL, SX_NODE_PROMISED };
int sx_pmpi_node_get(MPI_Comm comm, int p);

#endif
