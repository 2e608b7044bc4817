/* choice.h - a choice: a problem and everything that is decided about its plan. The functions of this room
 * answer questions about a choice, such as which blocks its grid has; fft/decision makes the decisions. */
#ifndef SX_CHOICE_H
#define SX_CHOICE_H

#include "array/array.h"
#include "device/device.h"
#include "hints/hints.h"
#include "machine/machine.h"

/* Data that all candidates for a plan share. */
typedef struct sx_shared {
    int nranks;          /* of the caller's communicator */
    subx_grid all_ranks; /* a grid of one dimension with all ranks of the caller's communicator */
    sx_machine *machine;
    sx_placement *placement;
    sx_serial_notes *notes;
    int takes_messages; /* 1 if MPI says on all ranks that it takes addresses of the device that has the
                           arrays */
} sx_shared;

typedef struct sx_choice {
    subx_fft_problem problem; /* the plan's copy of the caller's problem; all candidates share it */
    sx_shared shared;
    sx_hints hints;

    /* The decisions. */
    sx_array array;
    int nranks_used;                     /* the number of ranks that the plan works on; the others are idle */
    int g, dims[SUBX_NDIMS_MAX];         /* the process grid: dimension k < g has dims[k] ranks */
    int is_auto_grid;                    /* 1 if subx_grid is auto: the library chose the grid */
    int is_brick, brick[SUBX_NDIMS_MAX]; /* 1 if the caller's grid divides every axis; its dimensions */
    int is_reused[2];                    /* for each side: 1 if the caller's boxes are the plan's blocks */
    sx_edge *edge[2];                    /* for each side: a distribution that no grid gives; NULL for none */
    const sx_device *device;             /* the device whose memory has the caller's arrays; NULL: the host */
    const sx_strategy *strategy;
    const sx_serial *serial;
} sx_choice;

/* Free everything that a choice owns, also the data that candidates share. */
int sx_choice_free(sx_choice *c);

/* Query whether a strategy can execute the choice: the strategy works in the memory that has the arrays, its
 * messages can carry floats if the choice requires floats, and its function `serves` accepts the choice. */
int sx_choice_may_have(const sx_choice *c, const sx_strategy *s);

/* Get the strategy of a choice. If none is decided yet, get the first strategy of the table that the hints
 * allow and that can execute the choice; NULL if there is none. */
const sx_strategy *sx_choice_get_strategy(const sx_choice *c);

/* Query whether the plan's messages must carry floats although its reals are wider (subx_wire). Only a
 * strategy with the property `narrows` can execute such a choice. */
int sx_choice_is_narrow(const sx_choice *c);

/* Query whether the grid divides both sides into balanced blocks without gaps, some axis is transformed, no
 * axis is factored, the problem has no operation, all its modes and points exist, and scaling needs no
 * weights (it is not orthonormal). */
int sx_choice_is_plain(const sx_choice *c);

/* Query whether the plan stores the spectral side in the order in which its exchanges leave it. */
int sx_choice_is_transposed(const sx_choice *c);

/* get_nranks: get the number of ranks of the grid. get_share: get the mean number of bytes that a rank has of
 * the spectral array; the same on all ranks. */
int sx_choice_get_nranks(const sx_choice *c);
double sx_choice_get_share(const sx_choice *c);

/* Print everything that must be the same on all ranks. */
enum { SX_CHOICE_KEY = 2 * SX_PROBLEM_TEXT + 16 * SX_HINT_LEN }; /* bytes of the longest key */
void sx_choice_print_key(const sx_choice *c, sx_text *t);

/* ---- the process grid (blocks.c) */

/* get_most_dims: get the largest number of dimensions that the grid can have. get_shortest: get the length of
 * an axis on the side where it is shorter. */
int sx_choice_get_most_dims(const sx_choice *c);
ptrdiff_t sx_choice_get_shortest(const sx_choice *c, int axis);

/* Check that the grid can have the blocks that the caller asks for. Errors: SIZE, UNAVAILABLE. */
int sx_choice_check_grid(const sx_choice *c);

/* Get the length of the blocks into which the plan's grid (not an edge) divides an axis on a side; 0 if the
 * blocks are balanced: then their lengths differ by at most 1. */
ptrdiff_t sx_choice_get_block(const sx_choice *c, int side, int axis);

/* Print the dimensions of a grid as "2x3"; `text` has room for SX_HINT_LEN. Set the text of the hint
 * subx_grid to the grid of the choice. */
void sx_choice_print_dims(int g, const int dims[], char text[]);
void sx_choice_name_grid(sx_choice *c);

#endif
