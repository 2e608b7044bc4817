/* model.h - the expected cost of a choice, before a plan exists: prices of its stages; process grids and numbers of
 * ranks compared by their prices. */
#ifndef SX_MODEL_H
#define SX_MODEL_H

#include "stages/stages.h"

/* ---- prices (price.c), seconds */

/* Get the price of a pass over a rank's array: for `flops` of transforms, and for `bytes`, the sum of what it reads and
 * writes. `array_bytes` decides whether the array is in the caches. */
double sx_model_price_pass(const sx_machine *m, double flops, double bytes, double array_bytes);

/* Get the price of an exchange. The price does not contain the copies that pack and unpack blocks: a copy of all blocks
 * has the price of a pass without flops, or is a part of the adjacent pass. is_direct: local partners' blocks are read
 * in place, so they cost latencies, but no time for messages. In both cases the price contains the extra time to read
 * the memory of another NUMA domain instead of one's own. */
double sx_model_price_exchange(const sx_machine *m, const sx_load *load, int is_direct);

/* The expected cost of a stage. */
typedef struct sx_price {
    double seconds;
    double flops, memory_bytes; /* of a pass, on the busiest rank */
    sx_load load;               /* of an exchange */
} sx_price;

/* Get the price of each stage of forward, in order, and their sum. If there is a stage that scales, it comes last. The
 * choice must have a placement of all its ranks and a machine; its strategy is that of sx_choice_get_strategy. Local; the
 * same on all ranks. `price` has room for SX_NSTAGES_MAX; `price` and nstages may be NULL. INFINITY if no strategy can
 * execute the choice, or if there is no memory. */
double sx_model_get_price(const sx_choice *c, sx_price price[], int *nstages);

/* As sx_model_get_price, with memory of the caller that can be reused. `price` and nstages must not be NULL. */
double sx_model_get_price_in(sx_stages *list, const sx_choice *c, sx_price price[], int *nstages);

/* ---- grids and numbers of ranks by their prices (grids.c) */

typedef struct sx_grid_price {
    int nranks, g, dims[SUBX_NDIMS_MAX];
    double seconds;
    /* Bytes that the busiest rank reads and writes in all passes: equal for grids with equally large blocks. */
    double bytes;
} sx_grid_price;

/* List the `most` cheapest grids for a number of ranks, the cheapest first. The choice must have a machine, and a
 * placement of at least this many ranks, of which the first ones count. The choice's own grid does not matter. Local;
 * the same on all ranks.
 *   list   [out]  room for `most`
 *   count  [out]  the number of grids; 0 if the choice cannot serve with any grid */
int sx_model_list_grids(const sx_choice *c, int nranks, int most, sx_grid_price list[], int *count);

/* If another grid for nranks_used ranks is clearly cheaper, replace the grid by it. On several nodes or NUMA domains
 * also replace it by a grid that is only a little cheaper, if this one has as many dimensions, and its busiest rank has
 * no more data. Local; the same on all ranks. Errors: NO_MEM. */
int sx_model_set_cheaper_grid(sx_choice *c);

/* Room for a list of numbers of ranks. */
enum { SX_RANKS_MAX = 64 };

/* List nranks, and smaller numbers of ranks that may be faster, each with its cheapest grid; the cheapest first.
 * Conditions as for sx_model_list_grids. The list has room for SX_RANKS_MAX. */
int sx_model_list_ranks(const sx_choice *c, int nranks, sx_grid_price list[], int *count);

/* Get the number of ranks, 1 .. nranks, whose cheapest grid has the lowest price; nranks unless this price is clearly
 * lower. Conditions as for sx_model_list_grids. */
int sx_model_get_best_ranks(const sx_choice *c, int nranks, int *best);

#endif
