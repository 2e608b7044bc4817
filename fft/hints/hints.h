/* hints.h - the values of all hints of a plan, and which of the hints the caller gives. */
#ifndef SX_HINTS_H
#define SX_HINTS_H

#include "problem/problem.h"
#include "serial/serial.h"
#include "strategy/strategy.h"
#include "limits/limits.h"
#include <stdint.h>

enum { SX_OUTPUT_NATURAL, SX_OUTPUT_TRANSPOSED };
enum { SX_INPUT_PRESERVE, SX_INPUT_DESTROY };
enum { SX_SCALE_NONE, SX_SCALE_FORWARD, SX_SCALE_BACKWARD, SX_SCALE_SYMMETRIC, SX_SCALE_ORTHONORMAL };
enum { SX_OVERLAP_AUTO, SX_OVERLAP_NONE, SX_OVERLAP_SEND, SX_OVERLAP_RECEIVE, SX_OVERLAP_BOTH };
enum { SX_VERBOSE_NO, SX_VERBOSE_YES, SX_VERBOSE_PROGRESS };
enum { SX_WIRE_FULL, SX_WIRE_FLOAT };
enum { SX_PENCILS_AUTO, SX_PENCILS_CONTIGUOUS, SX_PENCILS_INTERLEAVED };

/* The values of the hints that hints.c lists. If the caller leaves the grid or the strategy to the library,
 * the library's decision replaces the text `grid` or `strategy`. */
typedef struct sx_hints {
    char grid[SX_HINT_LEN], strategy[SX_HINT_LEN], serial[SX_HINT_LEN], sequence[SX_HINT_LEN];
    char ranks[SX_HINT_LEN], wisdom[SX_HINT_LEN], memory_kind[SX_HINT_LEN];
    int output, scaling, effort, rigor, threads, verbose, input, reorder;
    int time_limit;   /* seconds of planning; 0 for no limit */
    ptrdiff_t memory; /* bytes of work space that a rank may have; 0 for no limit */
    ptrdiff_t keep;   /* bytes of work space that a rank may have in plans that are kept */
    int overlap, slices, progress, pencils, wire;
    ptrdiff_t width, cache_bytes;
    int permuting;
    /* Hints that exchanges and pipes read again from the MPI_Info. If the caller does not give such a hint,
     * its text here is empty, except that `engine` is "auto". */
    char engine[SX_HINT_LEN], between[SX_HINT_LEN], window[SX_HINT_LEN], node_ranks[SX_HINT_LEN];
    char radix[SX_HINT_LEN], check[SX_HINT_LEN], device_carrier[SX_HINT_LEN], device_reader[SX_HINT_LEN];

    /* Sets of hints; the bit of a hint is its place in the table. said: the hint was found in the MPI_Info or
     * the environment. given: the hint is in `said`, and its value fixes the decision, unlike "auto".
     * ignored: the plan cannot use the value of the hint's environment variable. */
    uint64_t said, given, ignored;
    /* The given hints that decide about the plan itself: "engine shm, slices 8". */
    char request[SX_PROBLEM_TEXT];
} sx_hints;

/* Get hint i of the table and its group, SX_HINTS_*; NULL if there is no such hint. */
const sx_hint *sx_hints_get(int i, int *group);

/* Read the hints. A hint in `ignored` gets its default instead of the value of its environment variable.
 * Local. */
int sx_hints_parse(sx_hints *h, MPI_Info info);

/* find_given: set the sets `said` and `given`. A hint is added to `ignored` if its environment variable has a
 * value that only other objects, such as exchanges, accept. set_request: set the text `request`; HINT if it
 * is too long. Local. */
void sx_hints_find_given(sx_hints *h, MPI_Info info);
int sx_hints_set_request(sx_hints *h);

/* If the value of a hint (its name is without subx_) comes from an environment variable, set the hint back to
 * its default, add it to `ignored` and return 1; else return 0. */
int sx_hints_ignore(sx_hints *h, const char *name, MPI_Info info);

/* Get the i-th value of the words device_carrier and device_reader, without auto. Both are an sx_words
 * (base.h). */
int sx_hints_query_device_carrier(int i, const char **name);
int sx_hints_query_device_reader(int i, const char **name);

/* Query whether the caller gives a hint, by its name without subx_. */
int sx_hints_is_given(const sx_hints *h, const char *name);

/* Query whether a search may set a hint to a value: the hint is one of those that are searched, and the
 * caller leaves it open; or the value is in effect anyway. A search may also take fewer threads than the
 * caller gives. */
int sx_hints_may_vary(const sx_hints *h, const char *name, const char *value);

/* get_effort: get the word for an effort. get_rigor: get the effort with which serial backends plan. */
const char *sx_hints_get_effort(int effort);
int sx_hints_get_rigor(const sx_hints *h);

/* Set a hint in info, by its name without subx_. */
int sx_hints_set(MPI_Info info, const char *name, const char *value);

/* Set the word check to "no" in `info`, so that exchanges do not check their engines; but leave a value that
 * the caller gives. Local. */
int sx_hints_trust(const sx_hints *h, MPI_Info info);

/* Copy the caller's hints, which may be MPI_INFO_NULL. If no copy is made, *copy is MPI_INFO_NULL. */
int sx_hints_copy(MPI_Info info, MPI_Info *copy);

/* Query whether a strategy whose group is `group` reads the hints of the group `read`. */
int sx_hints_is_read(int group, int read);

/* Print a group of hints as a line; set all hints in `info`. */
void sx_hints_print(const sx_hints *h, int group, sx_text *t);
int sx_hints_export(const sx_hints *h, MPI_Info info);

/* ---- engines (engines.c): lists such as "node/kway" have a word per dimension of the grid. The last word is
 * also for all further dimensions */

/* Get the word of dimension k; for k = -1 the first word. `word` has room for SX_HINT_LEN. */
void sx_hints_get_word(const char *list, int k, char word[]);

/* get_traits: get the traits of the engine for dimension k, a sum of SUBX_ENGINE_*. has_trait: query whether
 * any engine of a list has a trait. */
int sx_hints_get_traits(const char *list, int k);
int sx_hints_has_trait(const char *list, int trait);

/* Count only the engines of the list `query` that read no partner's memory, from 0 on. Get the name of number
 * e; NULL if there is no number e. */
const char *sx_hints_get_engine(sx_words query, int e);

/* Get the name of the i-th carrier. The carriers are the engines of pipes that read no partner's memory. This
 * function is an sx_words (base.h). */
int sx_hints_query_carrier(int i, const char **name);

/* Set the engine and the word between in `info` to their words for dimension k. Local. */
int sx_hints_set_engine(const char *engines, const char *between, int k, MPI_Info info);

#endif
