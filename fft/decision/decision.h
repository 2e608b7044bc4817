/* decision.h - decide what the hints leave open: ranks, order of the axes, grid, serial backend, strategy.
 * The result is a choice. It is made from a problem and hints, or from another choice and other values of
 * some hints. */
#ifndef SX_DECISION_H
#define SX_DECISION_H

#include "choice/choice.h"

/* Read the hints for a problem on nranks ranks, and decide what follows from them. Local. */
int sx_decision_set(sx_choice *c, const subx_fft_problem problem, int nranks, MPI_Info hints);

/* Make a choice that differs from `base` only by the hints of a text such as "grid 2x2, slices 8". Local.
 * Errors: as sx_decision_set; HINT if a search must not set a hint of the text.
 *   hints  [in]   the caller's hints
 *   info   [out]  a copy of the caller's hints with the hints of the text. MPI_INFO_NULL if no copy was made;
 *                 otherwise the caller frees it, also after an error */
int sx_decision_vary(const sx_choice *base, const char *text, MPI_Info hints, sx_choice *c, MPI_Info *info);

/* Choose the process grid for nranks_used ranks, or read it from the text of the hint (grid.c). Afterwards
 * the text has the grid. Local. */
int sx_decision_set_grid(sx_choice *c);

/* Query whether a search may try other grids: neither the hint subx_grid nor the caller's arrays fix the
 * grid. Local. */
int sx_decision_may_vary_grid(const sx_choice *c);

/* ---- numbers of ranks (ranks.c) */

/* Set nranks_used to the number that the hint subx_ranks has; to the number of all ranks if the hint is all
 * or auto. Local.
 * Errors: HINT; UNAVAILABLE if some ranks would be idle although the caller has boxes. */
int sx_decision_set_ranks(sx_choice *c);

/* Reduce nranks_used if the hint subx_ranks is auto and the cost model predicts a clear gain. Local; the same
 * on all ranks. */
int sx_decision_reduce_ranks(sx_choice *c);

/* may_vary: query whether a search may try other numbers of ranks for a choice. vary: set nranks_used of `c`,
 * a choice that differs from `base` by hints. Error HINT if c and `base` get different numbers, and no search
 * may try other numbers. Local; the same on all ranks. */
int sx_decision_may_vary_ranks(const sx_choice *c);
int sx_decision_vary_ranks(const sx_choice *base, sx_choice *c);

/* ---- the ranks themselves (rank_order.c) */

/* Create a grid of one dimension with all ranks. Its communicator is the shared duplicate of `comm`, on which
 * ranks compare their arguments. Collective.
 * Errors: COMM. */
int sx_decision_create_all_ranks(MPI_Comm comm, subx_grid *all_ranks);

/* For a choice that has the grid of all ranks, create its edges and its process grid, which is SUBX_GRID_NULL
 * on an idle rank. Collective on all ranks; the outcome is the same on all of them. */
int sx_decision_create_grid(sx_choice *c, MPI_Info hints, subx_grid *grid);

/* Create the grid of choice `c`. Choice `like`, whose grid is `known`, differs from `c` only by hints. If
 * both grids have the same shape and the same active ranks, they share one object. On a rank that `c` leaves
 * idle, the grid is SUBX_GRID_NULL. Collective on all ranks. */
int sx_decision_create_other_grid(const sx_choice *c, const sx_choice *like, subx_grid known, MPI_Info hints,
                                  subx_grid *grid);

#endif
