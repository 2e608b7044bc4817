/* decision.h - what the hints leave open is decided: ranks, the order of the axes, grid, serial backend, strategy. A choice is made
 * from a problem and hints, or from another choice and some other hints. */
#ifndef SX_DECISION_H
#define SX_DECISION_H

#include "choice/choice.h"

/* Read the hints for a problem on nranks ranks, and decide what follows from them. Local. */
int sx_decision_set(sx_choice *c, const subx_fft_problem problem, int nranks, MPI_Info hints);

/* Make the same choice but for the hints of a text such as "grid 2x2, slices 8". Local. Errors: those of sx_decision_set.
 *   hints  [in]   the caller's
 *   info   [out]  a copy of them with those of the text; to be freed, also after an error, unless it is MPI_INFO_NULL */
int sx_decision_vary(const sx_choice *base, const char *text, MPI_Info hints, sx_choice *c, MPI_Info *info);

/* Choose the process grid for nranks_used ranks, or read it from the text of the hint (grid.c). The text then tells the grid.
 * Local. */
int sx_decision_set_grid(sx_choice *c);

/* ---- numbers of ranks (ranks.c) */

/* Set nranks_used: what the hint says of all ranks. HINT, or UNAVAILABLE if the caller's boxes need all ranks. Local. */
int sx_decision_set_ranks(sx_choice *c);

/* Reduce nranks_used if the hint is auto and the cost model predicts a clear gain. Local; the same on all ranks. */
int sx_decision_reduce_ranks(sx_choice *c);

/* Query whether a choice may be tried with other numbers of ranks; and set nranks_used of `c`, which differs from `base` by hints,
 * for its hint: HINT if it would have to be that of `base`. Local; the same on all ranks. */
int sx_decision_may_vary_ranks(const sx_choice *c);
int sx_decision_vary_ranks(const sx_choice *base, sx_choice *c);

/* ---- the ranks themselves (members.c) */

/* Create a grid of one dimension, of all ranks. It has the shared duplicate of the communicator, on which ranks compare their
 * arguments. Collective. Errors: COMM. */
int sx_decision_create_line(MPI_Comm comm, subx_grid *line);

/* Create what a choice with a line needs before a plan: edges, and the process grid, which is SUBX_GRID_NULL on an idle
 * rank. Collective on the line; the outcome is the same on all its ranks. */
int sx_decision_create_grid(sx_choice *c, MPI_Info hints, subx_grid *grid);

/* Create the grid of a choice that differs by hints from `like`, whose grid is known; SUBX_GRID_NULL on a rank that the choice
 * leaves idle. As collective as sx_decision_create_grid. Grids of the same shape and members are one object. */
int sx_decision_create_other_grid(const sx_choice *c, const sx_choice *like, subx_grid known, MPI_Info hints,
                                  subx_grid *grid);

#endif
