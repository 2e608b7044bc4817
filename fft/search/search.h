/* search.h - find the plan for a problem and hints: in wisdom, by the cost model, or by comparing candidates.
 *
 *     choice --> wisdom has it (recall.c) ------------------------------------------------> plan
 *       |
 *       +------> estimate: what decision and model say -----------------------------------> plan
 *       |
 *       +------> candidates (candidates.c), each beside the first one (measure.c) ----> plan --> wisdom
 *                patient: then the engine of each exchange, then a simplex among parameters (measure.c)
 *                last: the two best ones again, with each rigor of FFTW up to the effort
 *
 * Decisions use times that all ranks have agreed on. Rank 0 alone reads and writes the file of wisdom
 * (remember.c). */
#ifndef SX_SEARCH_H
#define SX_SEARCH_H

#include "device/device.h"
#include "plan/plan.h"
#include "limits/limits.h"

/* ---- candidates (space.c) */

/* The list of candidates. The first one is `base`, the choice that a plan would have without measuring. */
typedef struct sx_space {
    const sx_choice *base;
    MPI_Info hints; /* the caller's hints */
    int n, room;
    sx_candidate *list;
    int failed; /* the last error of this rank that other ranks may not have */
} sx_space;

/* Make room for n more candidates. Local. Errors: NO_MEM. */
int sx_space_reserve(sx_space *s, int n);
void sx_space_free(sx_space *s);

/* Add a candidate unless the list has it already. The list must have room (sx_space_reserve). Returns the
 * candidate's index. */
int sx_space_add(sx_space *s, const char *name);

/* List the candidates of an effort (candidates.c). Local; if no rank has an error, the list is the same on
 * all ranks.
 * Errors: HINT (no candidate is possible), NO_MEM. */
int sx_space_list(sx_space *s);

/* Query whether the search tries several rigors (candidates.c). With effort measure it does not, if our
 * kernels transform all axes of a large array. In measurements of this case a higher rigor gained nothing
 * (0.98 to 1.24 of the time, nine problems on 1 and 2 ranks), and planning took 2 to 6 times as long. */
int sx_space_has_rigors(const sx_space *s);

/* ---- candidates that differ from another one (variants.c) */

/* A hint with a few values to try. `start` is the index of the value that is in effect by default. */
typedef struct sx_parameter {
    const char *name;
    int start;
    const char *values[12]; /* NULL-terminated */
} sx_parameter;

/* List the parameters that may be tuned for candidate i, at most SX_TUNE_NDIMS_MAX. Returns their number. */
int sx_space_list_parameters(const sx_space *s, int i, const sx_parameter *list[]);

/* Add a variant of candidate i that has another engine for the exchanges over dimension k of its grid: auto
 * if e is 0, else engine number e among the strategy's engines that read no partner's memory. The list must
 * have room. Returns the variant's index, or i if candidate i has this engine already. Returns -1 if there is
 * no such dimension or engine, if the grid has one dimension, or if the caller gives the engines. */
int sx_space_vary_engine(sx_space *s, int i, int k, int e);

/* Add a variant of candidate i, whose plan has been created, with value number v of a hint on the ways
 * between devices, SX_WAY_*. The list must have room. Returns the variant's index, or i if there is nothing
 * to try: the data of candidate i have no such way, all have this one, or an exchange cannot have it. Returns
 * -1 if there is no such value, or if the caller gives the hint. */
int sx_space_vary_way(sx_space *s, int i, int way, int v);

/* ---- the arrays of a search (arrays.c), for each side one that all candidates use */

typedef struct sx_search_arrays {
    const sx_device *device; /* the device whose memory has the arrays; NULL: the host */
    void *handle;            /* of the open device */
    void *at[2];
    ptrdiff_t bytes[2];
} sx_search_arrays;

/* open: begin without arrays. reserve: make an array at least so large; its contents are lost. close: free
 * the arrays, also after an error of open. Local. */
int sx_search_open_arrays(const sx_device *device, sx_search_arrays *a);
int sx_search_reserve_array(sx_search_arrays *a, int side, ptrdiff_t bytes);
void sx_search_close_arrays(sx_search_arrays *a);

/* ---- comparison (measure.c) */

/* Measure the candidates, and create the plan of the fastest one. The grid of this plan replaces *grid, which
 * is freed. Collective. */
int sx_search_measure(const sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan);

/* ---- results of earlier plans. Only rank 0 reads and writes the file. */

/* Room for a key, bytes: problem, given hints, machine. */
enum { SX_WISDOM_KEY = 3 * SX_PROBLEM_TEXT };

/* Print the key of the entry that has a plan, or FFTW's wisdom (entries.c). Local. Only the keys of rank 0
 * are used, because only rank 0 reads and writes the file. */
void sx_search_print_plan_key(const sx_choice *c, sx_text *t);
void sx_search_print_key_of_fftw(const sx_choice *c, sx_text *t);

/* Find an entry on rank 0, in the file of the hint subx_wisdom; other ranks get NULL (entries.c). `value` and
 * `reason` as for sx_wisdom_find. */
void sx_search_find(MPI_Comm all, const char *hint, const char *kind, const char *key, char **value,
                    sx_text *reason);

/* Set the placement of a choice, and its machine: the parameters that wisdom has, or else the default ones.
 * `hints` are the caller's; the hints in the choice are not read (machine.c). Collective. */
int sx_search_recall_machine(sx_choice *c, MPI_Comm all, MPI_Info hints);

/* Create the plan for a choice from wisdom, if there is an entry that was made with at least the same effort.
 * Else *plan becomes SUBX_FFT_PLAN_NULL, and on rank 0 `why` may get the reason. The grid and the notes of
 * the entry replace *grid and the notes of the choice (recall.c). Collective. */
int sx_search_recall(sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan, sx_text *why);

/* Put the results of a plan's measurements into wisdom (remember.c). Collective. Errors are ignored. If the
 * file could not be written, report.wisdom[1] of the plan gets the reason. */
void sx_search_remember(subx_fft_plan plan);

#endif
