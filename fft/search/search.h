/* search.h - from a problem and hints to a plan: what earlier plans have learnt, the candidates for a plan, and their comparison. */
#ifndef SX_SEARCH_H
#define SX_SEARCH_H

#include "plan/plan.h"

/* ---- candidates (space.c) */

enum { SX_SPACE_MOST = 4096, SX_GRIDS_MAX = 32 };

/* The candidates so far; the first one is what is chosen without measuring. */
typedef struct sx_space {
    const sx_choice *base;
    MPI_Info hints; /* the caller's */
    int n, room;
    sx_candidate *list;
    int failed; /* the last error that this rank had, and others may not have had */
} sx_space;

/* Make room for n more candidates. Local. Errors: NO_MEM. */
int sx_space_reserve(sx_space *s, int n);
void sx_space_free(sx_space *s);

/* Add a candidate, if it is not there. There must be room. Returns its index. */
int sx_space_add(sx_space *s, const char *name);

/* List the candidates of the effort (candidates.c). Local; the same on all ranks, if none has an error. Errors: NO_MEM. */
int sx_space_list(sx_space *s);

/* ---- candidates that differ from another one (vary.c) */

/* Query whether blocks travel as messages. */
int sx_space_has_messages(const sx_space *s);

/* A hint with few values, and the index of the one in effect by default. */
typedef struct sx_parameter {
    const char *name;
    int start;
    const char *values[12]; /* NULL-terminated */
} sx_parameter;

/* Get the parameters that may be tuned of candidate i, at most SX_TUNE_NDIMS_MAX. */
int sx_space_list_parameters(const sx_space *s, int i, const sx_parameter *list[]);

/* Add candidate i with engine e, 0 for auto, of those that its strategy may have, for the exchanges over dimension k of its
 * grid. There must be room. Returns its index; -1 if there is no such dimension or engine, or no choice. */
int sx_space_vary_engine(sx_space *s, int i, int k, int e);

/* ---- comparison (measure.c) */

/* Create the plan that is the fastest one here. Its grid may be another one, which then replaces *grid. Collective. */
int sx_search_measure(const sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan);

/* ---- what earlier plans have learnt. Rank 0 of `all` reads and writes the file. */

/* Room for a key, bytes: problem, request, machine. */
enum { SX_WISDOM_KEY = 3 * SX_PROBLEM_TEXT };

/* Print the keys of a plan's entries: that of the plan, and that of FFTW's wisdom (entries.c). Local; wisdom has those of rank 0. */
void sx_search_print_plan_key(const sx_choice *c, sx_text *t);
void sx_search_print_key_of_fftw(const sx_choice *c, sx_text *t);

/* Find an entry on rank 0, in the file that the value of subx_wisdom names; other ranks get NULL (entries.c). `reason` as for
 * sx_wisdom_find. */
void sx_search_find(MPI_Comm all, const char *hint, const char *kind, const char *key, char **value,
                    sx_text *reason);

/* Set the machine and the placement of a choice; the hints need not be valid (machine.c). Collective. */
int sx_search_recall_machine(sx_choice *c, MPI_Comm all, MPI_Info hints);

/* Create the plan that wisdom has for a choice, if it was made with at least the same effort; else *plan is SUBX_FFT_PLAN_NULL, and
 * on rank 0 `why` may tell the reason. Its grid may be another one, which then replaces *grid, and so may be the notes of the
 * choice (recall.c). Collective. */
int sx_search_recall(sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan, sx_text *why);

/* Put what a plan has learnt into wisdom (remember.c). Collective; what fails is told by the plan's report only. */
void sx_search_remember(subx_fft_plan plan);

#endif
