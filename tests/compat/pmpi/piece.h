/* piece.h - elements of a datatype in their own memory, with guard bytes around them. */
#ifndef TEST_PMPI_PIECE_H
#define TEST_PMPI_PIECE_H

#include "compat/pmpi/calls.h"
#include "compat/pmpi/trace.h"
#include "compat/pmpi/types.h"

typedef struct piece {
    MPI_Datatype type; /* committed; displacements count from buf */
    MPI_Datatype kept; /* a duplicate of `type`; it is used when `type` has been freed */
    int count;
    void *buf;       /* the address to pass to MPI; MPI_BOTTOM for types with absolute addresses */
    int element;     /* bytes per basic element */
    MPI_Count bytes; /* number of packed bytes */
    unsigned char *memory;
    size_t room;
} piece;

/* Flags. PIECE_SENT: the piece is only sent. PIECE_BOTTOM: the type has absolute addresses, and buf is
 * MPI_BOTTOM. PIECE_APART: no elements overlap. */
enum { PIECE_SENT = 1, PIECE_BOTTOM = 2, PIECE_APART = 4 };

/* Get the flags of a piece that receives `bytes` bytes; is_own: from this rank itself. Open MPI 4.1 moves
 * such a message in two parts if it is longer than 1 KiB. It stores the second part first, and the sender's
 * type says where that part begins. */
int piece_flags(MPI_Count bytes, int is_own);

/* Draw a piece with at least `n` basic elements; with PIECE_SENT, at most `n`. */
piece piece_draw(const calls *mpi, test_random *r, MPI_Datatype basic, int n, int flags);

/* Draw a piece of `count` elements of a type. The type has `n` basic elements. */
piece piece_exact(const calls *mpi, test_random *r, MPI_Datatype basic, int n, int count, int flags);

/* Another rank draws a piece by piece_draw, with PIECE_SENT and from a stream that is equal to `r`. Get the
 * number of bytes of that piece when it is packed. */
MPI_Count piece_bytes(test_random *r, MPI_Datatype basic, int n);

void piece_free(piece *p);

/* The number of pieces that were created, and of those whose elements overlap. Types with absolute addresses
 * are not counted. */
extern int piece_all, piece_overlapping;

/* Free the type, but not the rest: piece_free is called later. */
void piece_free_type(piece *p);

/* Fill all memory of a piece with random bytes, which follow from the seed. */
void piece_fill(const piece *p, uint64_t seed);

/* Note all memory of a piece. If its elements are undefined, use piece_note_gaps, which first sets them to
 * 0. */
void piece_note(trace *t, const char *what, int where, const piece *p);
void piece_note_gaps(trace *t, const char *what, int where, const piece *p);

#endif
