/* choice.h - a problem with all that is decided of its plan, and what follows for the grid, the blocks and the order. Nothing is
 * decided here: fft/decision does that. */
#ifndef SX_CHOICE_H
#define SX_CHOICE_H

#include "array/array.h"
#include "hints/hints.h"
#include "machine/machine.h"

/* What all candidates for a plan share. */
typedef struct sx_shared {
    int nranks;     /* of the caller's communicator */
    subx_grid line; /* one dimension: all these ranks */
    sx_machine *machine;
    sx_placement *placement;
    sx_serial_notes *notes;
} sx_shared;

typedef struct sx_choice {
    subx_fft_problem problem; /* the plan's copy, which candidates share, too */
    sx_shared shared;
    sx_hints hints;

    /* What is decided. */
    sx_array array;
    int nranks_used;                     /* how many ranks the plan works on; the others are idle */
    int g, dims[SUBX_NDIMS_MAX];         /* of the process grid */
    int is_auto_grid;                    /* the caller asks for no grid */
    int is_brick, brick[SUBX_NDIMS_MAX]; /* the caller's grid divides every axis, on both sides */
    int is_reused[2];                    /* by side: the grid has the boxes of the problem */
    sx_edge *edge[2];                    /* by side: a distribution that no grid gives; NULL for none */
    const sx_strategy *strategy;
    const sx_serial *serial;
} sx_choice;

/* Free all that it owns, also what candidates share. */
int sx_choice_free(sx_choice *c);

/* Get the strategy of a choice. While it is NULL: the first one of the table that the hints ask for and that can serve
 * them; NULL if there is none. */
const sx_strategy *sx_choice_get_strategy(const sx_choice *c);

/* Query whether exchanges between serial transforms of whole arrays have all that the plan needs. */
int sx_choice_is_plain(const sx_choice *c);

/* Query whether the plan stores the spectral side as its exchanges leave it. */
int sx_choice_is_transposed(const sx_choice *c);

/* Get the number of ranks, and the bytes of the spectral side per rank. The latter is an average, and so the same
 * on all ranks. */
int sx_choice_get_nranks(const sx_choice *c);
double sx_choice_get_share(const sx_choice *c);

/* Print it for people, with the hints that its strategy reads; and everything that ranks must have in common. */
enum { SX_CHOICE_KEY = 2 * SX_PROBLEM_TEXT + 16 * SX_HINT_LEN }; /* room for all hints */
void sx_choice_print(const sx_choice *c, sx_text *t);
void sx_choice_print_key(const sx_choice *c, sx_text *t);

/* ---- the process grid (grid.c) */

/* Get the most dimensions that a grid may have, and the shortest length that an axis has while it is divided. */
int sx_choice_get_most_dims(const sx_choice *c);
ptrdiff_t sx_choice_get_shortest(const sx_choice *c, int axis);

/* Check that the blocks which the caller asks for suit the grid. SIZE, UNAVAILABLE. */
int sx_choice_check_grid(const sx_choice *c);

/* Get the length of the blocks that an axis has on a side of the plan's own grid; 0 for balanced ones. */
ptrdiff_t sx_choice_get_block(const sx_choice *c, int side, int axis);

/* Print the dimensions of a grid as "2x3"; `text` has room for SX_HINT_LEN. Let the text of the hint tell the grid. */
void sx_choice_print_dims(int g, const int dims[], char text[]);
void sx_choice_name_grid(sx_choice *c);

#endif
