/* alltoall.h - an all-to-all as its files share it.
 *
 *     alltoall.c          the functions of MPI; which way a call goes
 *     alltoall_parts.c    what a call sends and receives, in one form for all functions
 *     alltoall_packed.c   packed: pack, the same function of MPI on the packed data, unpack
 *     shared.c            shared: which calls go through memory that all ranks see, and what ranks agree on for it
 *     exchange.c          the exchanges of a communicator, which are kept for calls with equal arguments
 *     node.c              which ranks run this library on this node */
#ifndef SX_PMPI_ALLTOALL_H
#define SX_PMPI_ALLTOALL_H

#include "pmpi/pmpi.h"

/* ---- a call (alltoall.c) */

enum { SX_ALLTOALL, SX_ALLTOALLV, SX_ALLTOALLW, SX_FORMS };
enum { SX_BLOCKING, SX_NONBLOCKING, SX_PERSISTENT };

/* The arguments of a side. Counts and displacements are int and int, or MPI_Count and MPI_Aint. */
typedef struct sx_args {
    const void *buf;
    MPI_Count n;                 /* of MPI_Alltoall */
    const void *counts, *displs; /* of the other two */
    MPI_Datatype type;           /* of all but MPI_Alltoallw */
    const MPI_Datatype *types;   /* of MPI_Alltoallw */
} sx_args;

typedef struct sx_call sx_call;
struct sx_call {
    int form, mode, is_large;
    const char *name;
    sx_args side[2];
    MPI_Comm comm;
    MPI_Info info;                    /* of persistent calls */
    MPI_Request *request;             /* of all but blocking calls */
    int (*real)(const sx_call *call); /* calls MPI */
    int p, r;
};

/* ---- what a call moves (alltoall_parts.c) */

/* What this rank has for another one, or gets from it. */
typedef struct sx_part {
    sx_record *record; /* NULL if there is none */
    MPI_Datatype type;
    MPI_Count count;
    ptrdiff_t at;      /* where the type's displacements count from, bytes from the buffer */
    ptrdiff_t bytes;   /* packed */
    int is_contiguous; /* also if empty */
    ptrdiff_t first;   /* if contiguous: from there to the first byte */
} sx_part;

/* 1 if a type of the call has a record. */
int sx_pmpi_parts_have_record(const sx_call *call);

/* Get the p parts of a side. 0 if MPI must judge the arguments, or a length exceeds 63 bits. */
int sx_pmpi_parts_get(const sx_call *call, int side, sx_part *part);

/* Get the address that a type's displacements count from. */
char *sx_pmpi_part_address(const sx_args *args, const sx_part *part);

/* ---- the packed way (alltoall_packed.c) */

/* Do a call by packing one side or both. 0 if that is not worth it, or cannot be done; else 1, and *rc is what the call
 * returns. */
int sx_pmpi_packed_execute(const sx_call *call, sx_part *const part[2], int *rc);

/* ---- the shared way (shared.c) */

/* What the ranks of a communicator know of each other, all the same. */
typedef struct sx_team sx_team;

/* Get the team of a communicator; NULL if some rank is not known to take part. */
sx_team *sx_pmpi_team_get(MPI_Comm comm, int p);

/* 1 if the ranks are to agree on the way of this call. To be called once per call on all ranks, which get the same. */
int sx_pmpi_team_is_due(sx_team *team, int form);

/* What ranks agree on. exch: an exchange that all have, or NULL. seconds: where the call's time goes, or NULL. */
typedef struct sx_choice {
    subx_exch exch;
    double *seconds;
} sx_choice;

/* Agree on the way of a call. Collective. The parts are NULL if this rank cannot share. */
sx_choice sx_pmpi_team_agree(sx_team *team, const sx_call *call, sx_part *const part[2]);

/* ---- exchanges of a communicator (exchange.c) */

/* The arguments of a call, to be compared with those of later ones. */
typedef struct sx_key sx_key;
sx_key *sx_pmpi_key_create(const sx_call *call, sx_part *const part[2]);
int sx_pmpi_key_is_equal(const sx_key *key, const sx_call *call, sx_part *const part[2]);
void sx_pmpi_key_free(sx_key *key);

/* Create the exchange of a call. Collective; all ranks get the same kind of error. `longest` is the longest block between
 * two ranks, the same on all ranks. */
int sx_pmpi_exchange_create(MPI_Comm comm, const sx_call *call, sx_part *const part[2], ptrdiff_t longest,
                            int is_one_node, subx_exch *exch);

/* ---- who takes part (node.c) */

/* Whether all ranks of a communicator run this library: SX_NODE_ALL if also all are on this node, SX_NODE_PROMISED if
 * the user says so on all ranks. The same on all ranks; local. */
enum { SX_NODE_UNKNOWN, SX_NODE_ALL, SX_NODE_PROMISED };
int sx_pmpi_node_get(MPI_Comm comm, int p);

#endif
