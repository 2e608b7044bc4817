/* search.h - what the search for the fastest plan is made of: candidates (space.c, vary.c), and their comparison (try.c). */
#ifndef SX_SEARCH_H
#define SX_SEARCH_H

#include "plan/plan.h"

enum { SX_SPACE_MOST = 4096, SX_GRIDS_MAX = 32 };

/* The candidates so far; the first one is what is chosen without measuring. */
typedef struct sx_space {
    const sx_choice *base;
    MPI_Info hints; /* the caller's */
    int n, room;
    sx_candidate *list;
    int failed; /* the last error that this rank had, and others may not have had */
} sx_space;

/* List the candidates of the effort. Local; the same on all ranks, if none has an error. Errors: NO_MEM. */
int sx_space_create(sx_space *s);
void sx_space_free(sx_space *s);

/* Make room for n more candidates. Local. Errors: NO_MEM. */
int sx_space_reserve(sx_space *s, int n);

/* Add a candidate, if it is not there. There must be room. Returns its index. */
int sx_space_add(sx_space *s, const char *name);

/* Get the choice of candidate i, and a copy of the caller's hints with its own, which the caller of this function frees unless it is
 * MPI_INFO_NULL. */
int sx_space_get(const sx_space *s, int i, sx_choice *c, MPI_Info *info);

/* Get the engines besides auto, NULL-terminated. */
const char *const *sx_space_get_engines(const sx_strategy *strategy);

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

#endif
