/* piece.h - elements of a datatype in memory of their own, between guards. */
#ifndef TEST_PMPI_PIECE_H
#define TEST_PMPI_PIECE_H

#include "compat/pmpi/calls.h"
#include "compat/pmpi/trace.h"
#include "compat/pmpi/types.h"

typedef struct piece {
    MPI_Datatype type; /* committed, in terms of buf */
    MPI_Datatype kept; /* a duplicate, for questions after `type` was freed */
    int count;
    void *buf;       /* what calls of MPI get; MPI_BOTTOM for absolute types */
    int element;     /* bytes per basic element */
    MPI_Count bytes; /* packed */
    unsigned char *memory;
    size_t room;
} piece;

/* Flags. PIECE_SENT: see piece_draw. PIECE_BOTTOM: an absolute type. Only one side of an exchange may use
 * MPI_BOTTOM. */
enum { PIECE_SENT = 1, PIECE_BOTTOM = 2 };

/* Draw a piece. `n` is the least number of basic elements that it must hold; with PIECE_SENT it is the most. */
piece piece_draw(const calls *mpi, test_random *r, MPI_Datatype basic, int n, int flags);

/* A piece of exactly `count` times `n` basic elements. */
piece piece_exact(const calls *mpi, test_random *r, MPI_Datatype basic, int n, int count, int flags);

/* Get the packed bytes of the piece that another rank draws by piece_draw, with PIECE_SENT, from an equal stream. */
MPI_Count piece_bytes(test_random *r, MPI_Datatype basic, int n);

void piece_free(piece *p);

/* Free the type only, before piece_free. */
void piece_free_type(piece *p);

/* Fill all of the memory with random bytes, which depend on the seed. */
void piece_fill(const piece *p, uint64_t seed);

/* Note all of the memory. If the elements are undefined, use piece_note_gaps: it sets the elements to 0 before. */
void piece_note(trace *t, const char *what, int where, const piece *p);
void piece_note_gaps(trace *t, const char *what, int where, const piece *p);

#endif
