/* hints.h - what the caller says of a plan besides its problem: the values of all hints, and who says them. */
#ifndef SX_HINTS_H
#define SX_HINTS_H

#include "problem/problem.h"
#include "serial/serial.h"
#include "strategy/strategy.h"

enum { SX_OUTPUT_NATURAL, SX_OUTPUT_TRANSPOSED };
enum { SX_INPUT_PRESERVE, SX_INPUT_DESTROY };
enum { SX_SCALE_NONE, SX_SCALE_FORWARD, SX_SCALE_BACKWARD, SX_SCALE_SYMMETRIC, SX_SCALE_ORTHONORMAL };
enum { SX_OVERLAP_AUTO, SX_OVERLAP_NONE, SX_OVERLAP_SEND, SX_OVERLAP_RECEIVE, SX_OVERLAP_BOTH };
enum { SX_VERBOSE_NO, SX_VERBOSE_YES, SX_VERBOSE_PROGRESS };
enum { SX_PENCILS_AUTO, SX_PENCILS_CONTIGUOUS, SX_PENCILS_INTERLEAVED };

/* The values, as the table in hints.c lists them. Where a value leaves the grid or the strategy to the library, its text is
 * replaced by what is decided. */
typedef struct sx_hints {
    char grid[SX_HINT_LEN], strategy[SX_HINT_LEN], serial[SX_HINT_LEN], sequence[SX_HINT_LEN];
    char ranks[SX_HINT_LEN], wisdom[SX_HINT_LEN];
    int output, scaling, effort, rigor, threads, verbose, input, reorder;
    int time_limit;   /* seconds of planning; 0 for no limit */
    ptrdiff_t memory; /* bytes of work space that a rank may have; 0 for no limit */
    int overlap, slices, progress, pencils;
    ptrdiff_t width, cache_bytes;
    int permuting;
    /* Exchanges and pipes read these themselves. Empty where the caller gave none. */
    char engine[SX_HINT_LEN], between[SX_HINT_LEN], window[SX_HINT_LEN], node_ranks[SX_HINT_LEN];
    char radix[SX_HINT_LEN], check[SX_HINT_LEN];

    /* Bits of hints, by their places in the table: those that somebody says; those of them that give a value, and do not leave it
     * to the library; and those whose variables are for other objects than this plan. */
    unsigned said, given, ignored;
    /* The given hints that decide what is solved and how: "engine shm, slices 8". */
    char request[SX_PROBLEM_TEXT];
} sx_hints;

/* Get hint i of the table and its group, SX_HINTS_*; NULL if there are fewer. */
const sx_hint *sx_hints_get(int i, int *group);

/* Read the hints, but for variables that are ignored. Local. */
int sx_hints_parse(sx_hints *h, MPI_Info info);

/* Set the bits of what is said and given, and the text of the request. Local. */
void sx_hints_find_given(sx_hints *h, MPI_Info info);
int sx_hints_set_request(sx_hints *h);

/* Forget the value of a hint, by its name without subx_, if a variable says it. Returns 1 if so. */
int sx_hints_ignore(sx_hints *h, const char *name, MPI_Info info);

/* Query whether the caller gives a hint, by its name without subx_. */
int sx_hints_is_given(const sx_hints *h, const char *name);

/* Get the word of an effort, and the effort of the serial backends. */
const char *sx_hints_get_effort(int effort);
int sx_hints_get_rigor(const sx_hints *h);

/* Let exchanges trust their engines, unless the caller asks for checks: the hint is set in `info`. Local. */
int sx_hints_trust(const sx_hints *h, MPI_Info info);

/* Copy the caller's hints, which may be MPI_INFO_NULL. Without a copy *copy is MPI_INFO_NULL. */
int sx_hints_copy(MPI_Info info, MPI_Info *copy);

/* Print a group of hints as a line. Set all hints in `info`. */
void sx_hints_print(const sx_hints *h, int group, sx_text *t);
int sx_hints_export(const sx_hints *h, MPI_Info info);

/* ---- hints as a text such as "grid 2x2, slices 8" (text.c) */

/* Get the value of a hint, by its name without subx_: the last one of several. `value` has room for SX_HINT_LEN. Returns 0 if the
 * text does not have the hint; then `value` is unchanged. */
int sx_hints_find(const char *text, const char *name, char value[]);

/* Set the hints of a text in `info`. Local. Errors: HINT. */
int sx_hints_export_text(const char *text, MPI_Info info);

/* ---- engines (engines.c): lists such as "node/kway", a word per dimension of the grid; the last word is for all dimensions that
 * follow */

/* Get the word of dimension k; the first one for k = -1. `word` has room for SX_HINT_LEN. */
void sx_hints_get_word(const char *list, int k, char word[]);

/* Get what the engine of a dimension is: a sum of SUBX_ENGINE_*. Query whether any engine of a list has a trait. */
int sx_hints_get_traits(const char *list, int k);
int sx_hints_has_trait(const char *list, int trait);

/* Get the e-th of those engines that `query` lists and that read no partner's memory; NULL if there are fewer. */
const char *sx_hints_get_engine(sx_words query, int e);

/* The same for engines of pipes, as a table of words: the carriers. */
int sx_hints_query_carrier(int i, const char **name);

/* Set the hints subx_engine and subx_between in `info` for the exchange over dimension k. Local. */
int sx_hints_set_engine(const char *engines, const char *between, int k, MPI_Info info);

#endif
