/* model.h - the cost model: how long the stages of a choice are expected to take, before a plan exists. These
 * seconds are called prices. Process grids and numbers of ranks are compared by their prices. */
#ifndef SX_MODEL_H
#define SX_MODEL_H

#include "stages/stages.h"
#include "limits/limits.h"

/* ---- prices on a host (host_price.c), seconds */

/* Get the price of a pass over a rank's array. The pass takes `flops` floating-point operations; the bytes
 * that it reads and the bytes that it writes are `bytes` together. The size of the array, `array_bytes`,
 * tells how much of it is in the caches. */
double sx_model_price_pass(const sx_machine *m, double flops, double bytes, double array_bytes);

/* Get the price of an exchange, without the copies that pack and unpack blocks. If the exchange is a pipe,
 * passes do these copies. Otherwise each copy of all blocks has the price of a pass without flops. If
 * is_direct, ranks read the blocks of local partners in the partners' memory: such blocks cost latencies, but
 * no time for messages. In any case the price contains the additional time for reading memory of another NUMA
 * domain. */
double sx_model_price_exchange(const sx_machine *m, const sx_load *load, int is_direct);

/* Get the length of an axis in the box of the busiest rank. */
double sx_model_get_length(const sx_choice *c, const sx_box *b, int axis);

/* The expected cost of a stage. */
typedef struct sx_price {
    double seconds;
    double flops, memory_bytes; /* of a pass, on the busiest rank */
    sx_load load;               /* of an exchange */
} sx_price;

/* ---- prices on a device (device_price.c), seconds. work: of kernels that read and write `bytes` bytes
 * together. exchange: of arrays of `bytes` bytes; is_direct as above; is_staged: 1 if blocks that no rank
 * reads directly pass through the memory of hosts, 0 if the device carrier sends them from devices;
 * is_narrow: 1 if the load counts floats, the arrays doubles. pass: set the price of a stage that reads and
 * writes `bytes` bytes if it transforms one axis in place. */
double sx_model_price_device_work(const sx_machine *m, double launches, double bytes);
double sx_model_price_device_exchange(const sx_machine *m, const sx_load *load, double bytes, int is_direct,
                                      int is_staged, int is_narrow);
void sx_model_price_device_pass(const sx_choice *c, const sx_stage *s, double bytes, sx_price *p);

/* Query whether the device carrier of exchanges over dimension k (-1: among all ranks) is staged. Without a
 * hint this is a guess: the trials of an exchange decide. */
int sx_model_is_staged(const sx_choice *c, int k);

/* ---- the prices of a choice (price.c) */

/* Get the price of each stage of forward, in order, and their sum. If there is a stage that scales, it comes
 * last. The choice must have a machine, and a placement of all its ranks. The strategy is the one that
 * sx_choice_get_strategy gets. Local; the same on all ranks. `price` has room for SX_NSTAGES_MAX; `price` and
 * nstages may be NULL. Returns INFINITY if no strategy can execute the choice, or if there is no memory. */
double sx_model_get_price(const sx_choice *c, sx_price price[], int *nstages);

/* As sx_model_get_price, but `list` is memory of the caller, which several calls can use. `price` and nstages
 * must not be NULL. */
double sx_model_get_price_in(sx_stages *list, const sx_choice *c, sx_price price[], int *nstages);

/* ---- grids by their prices (grid_prices.c) */

typedef struct sx_grid_price {
    int nranks, g, dims[SUBX_NDIMS_MAX];
    double seconds;
    /* Bytes that the busiest rank reads and writes in all passes: equal for grids with equally large
     * blocks. */
    double bytes;
} sx_grid_price;

/* List the `most` cheapest grids for a number of ranks, the cheapest first. The choice must have a machine,
 * and a placement of at least this many ranks, of which the first ones count. The choice's own grid does not
 * matter. Local; the same on all ranks.
 *   list   [out]  room for `most`
 *   count  [out]  the number of grids in the list; 0 if no strategy can execute the choice on any grid */
int sx_model_list_grids(const sx_choice *c, int nranks, int most, sx_grid_price list[], int *count);

/* Replace the choice's grid by a clearly cheaper grid for c->nranks_used ranks, if there is one. On several
 * nodes or NUMA domains, a grid that is only a little cheaper is enough, if it has as many dimensions as the
 * choice's grid, and its busiest rank has no more data. Local; the same on all ranks. Errors: NO_MEM. */
int sx_model_set_cheaper_grid(sx_choice *c);

/* Query whether price a is lower than price b. Prices that differ only by rounding count as equal, so that
 * plans do not depend on the compiler. */
int sx_model_is_cheaper(double a, double b);

/* Insert a grid into a list, in which the cheapest grid comes first, unless the list has `most` cheaper grids
 * already. Grids with equal prices stay in the order in which they were added. A grid whose price is infinite
 * is not inserted. */
void sx_model_add_grid(sx_grid_price list[], int most, int *count, const sx_grid_price *p);

/* ---- numbers of ranks by the prices of their cheapest grids (fewer_ranks.c) */

/* List nranks, and smaller numbers of ranks that may be faster, each with its cheapest grid; the cheapest
 * first. Conditions as for sx_model_list_grids. The list has room for SX_RANKS_MAX. */
int sx_model_list_ranks(const sx_choice *c, int nranks, sx_grid_price list[], int *count);

/* Get the number of ranks, 1 .. nranks, whose cheapest grid has the lowest price. Get nranks if this price is
 * not clearly lower than the price for nranks. Conditions as for sx_model_list_grids. */
int sx_model_get_best_ranks(const sx_choice *c, int nranks, int *best);

#endif
