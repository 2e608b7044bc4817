/* model.h - what a choice costs before any plan of it exists: prices of its stages, and process grids and numbers of ranks
 * compared by their prices. */
#ifndef SX_MODEL_H
#define SX_MODEL_H

#include "stages/stages.h"

/* ---- prices (price.c), seconds */

/* Get the price of a pass over a rank's array: `flops` of transforms, and the bytes that it reads and writes together.
 * `array_bytes` decides whether they lie in the caches. */
double sx_model_price_pass(const sx_machine *m, double flops, double bytes, double array_bytes);

/* Get the price of an exchange by messages, without the copies that pack and unpack blocks: each copy of all blocks has the price of
 * a pass without flops, or is a part of the adjacent pass. Blocks of local partners that are read where they lie (is_direct) cost
 * only the meeting of the ranks, and what reading another domain's memory takes longer than reading one's own. */
double sx_model_price_exchange(const sx_machine *m, const sx_load *load, int is_direct);

/* What a stage is expected to cost. */
typedef struct sx_price {
    double seconds;
    double flops, memory_bytes; /* of a pass: the busiest rank's */
    sx_load load;               /* of an exchange */
} sx_price;

/* Get the price of each stage of forward, in order, and their sum. A stage that scales comes last. The choice has a placement
 * of all its ranks and a machine; its strategy is that of sx_choice_get_strategy. Local; the same on all ranks. `price` has
 * room for SX_NSTAGES_MAX; it and nstages may be NULL. INFINITY if the choice cannot serve, or if memory is lacking. */
double sx_model_get_price(const sx_choice *c, sx_price price[], int *nstages);

/* The same with memory of the caller, which can be used again. Neither `price` nor nstages may be NULL. */
double sx_model_get_price_in(sx_stages *list, const sx_choice *c, sx_price price[], int *nstages);

/* ---- grids and numbers of ranks by their prices (grids.c) */

typedef struct sx_grid_price {
    int nranks, g, dims[SUBX_NDIMS_MAX];
    double seconds;
    /* That the busiest rank reads and writes in all passes: the same for grids of the same balance. */
    double bytes;
} sx_grid_price;

/* List the `most` cheapest grids for a number of ranks, the cheapest one first. The choice has a placement of this number of
 * ranks or more, of which the first ones count, and a machine; its own grid does not matter. Local; the same on all ranks.
 *   list   [out]  room for `most`
 *   count  [out]  how many there are; 0 if the choice cannot serve with any grid */
int sx_model_list_grids(const sx_choice *c, int nranks, int most, sx_grid_price list[], int *count);

/* Replace the grid by one for nranks_used ranks that is clearly cheaper. Local; the same on all ranks. */
int sx_model_set_cheaper_grid(sx_choice *c);

/* List the numbers of ranks that may be faster than nranks ranks, and nranks, each by its cheapest grid; the cheapest one first.
 * As for sx_model_list_grids; there is room for SX_RANKS_MAX. */
enum { SX_RANKS_MAX = 64 };
int sx_model_list_ranks(const sx_choice *c, int nranks, sx_grid_price list[], int *count);

/* Get the number of ranks, 1 .. nranks, whose cheapest grid is the cheapest; nranks unless another number is clearly
 * cheaper. As for sx_model_list_grids. */
int sx_model_get_best_ranks(const sx_choice *c, int nranks, int *best);

#endif
