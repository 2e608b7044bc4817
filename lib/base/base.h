/* base.h - the functions that all rooms use: memory, checked integers, hashes, errors, text, numbers, hints
 * and their names, agreement, waiting. */
#ifndef SX_BASE_H
#define SX_BASE_H

#include "config.h"
#include "base/limits.h"
#include <subx_lowlevel.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* The two sides of a function that moves data. SX_FROM: the data that is read, gathered or sent. SX_TO: the
 * data that is written, scattered or received. */
enum { SX_FROM = 0, SX_TO = 1 };

/* Stop the compiler if a constant condition does not hold: C99 has no _Static_assert. */
#define SX_BASE_ASSERT(condition) extern const char sx_base_assert[(condition) ? 1 : -1]

#define SX_ALIGNMENT SX_LINE /* bytes: a cache line, and the widest vector registers */

/* Get the next multiple of SX_ALIGNMENT. */
static inline ptrdiff_t sx_base_round_up(ptrdiff_t bytes)
{
    return (bytes + SX_ALIGNMENT - 1) / SX_ALIGNMENT * SX_ALIGNMENT;
}

/* ---- memory (mem.c) */

/* Allocate n elements of `size` bytes, aligned to SX_ALIGNMENT and zeroed. Free with sx_base_free. NULL if
 * there is no memory, if n is negative, or if the length exceeds 63 bits. For n = 0 the result is not
 * NULL. */
void *sx_base_alloc(ptrdiff_t n, size_t size);
void sx_base_free(void *ptr);

/* Memory for the data of messages, called an area.
 *   alloc_area      like sx_base_alloc(bytes, 1), but an area of SX_BASE_LEAST_HUGE bytes or more is on huge
 *                   pages of 2 MiB, where the system has them. Fewer bytes than that beyond the last whole
 *                   huge page stay on small pages
 *   get_area_bytes  get the bytes that an area takes: at most 2 MiB more than `bytes`, which must be >= 0 */
void *sx_base_alloc_area(ptrdiff_t bytes);
ptrdiff_t sx_base_get_area_bytes(ptrdiff_t bytes);

/* Allocate whole pages and touch none of them: the system puts each page on the NUMA node of the thread that
 * touches the page first. Contents are undefined. Free with sx_base_free. NULL if there is no memory. */
void *sx_base_alloc_untouched(ptrdiff_t bytes);

/* Before an allocation of SX_BASE_CHECKED bytes or more, sx_base_alloc and sx_base_alloc_untouched call
 * sx_base_get_free_memory, and return NULL if less memory is free. Without this check, a system that
 * overcommits memory would grant the allocation, and kill the process when it touches the pages. */

/* Get how many bytes, and how many threads, this process can still get from its node and its control groups
 * (limit.c). PTRDIFF_MAX if the system does not tell. The number of threads is an upper bound: threads that
 * the user already has are not subtracted from the user's limit. Takes about 0.1 ms. */
ptrdiff_t sx_base_get_free_memory(void);
ptrdiff_t sx_base_get_free_threads(void);

/* Find out in which memory an address is (place.c). HOST: memory of the host, or an address that is in no
 * memory. DEVICE: memory of a GPU, which the host must not touch. MANAGED: memory that the host and GPUs may
 * touch (cudaMallocManaged). Takes about 20 ns while the process has not loaded CUDA's driver; later, the
 * time of one or two calls of the driver. Thread-safe. */
enum { SX_PLACE_HOST, SX_PLACE_MANAGED, SX_PLACE_DEVICE };
int sx_base_find_place(const void *address);

/* For tests: let n allocations succeed and the next one fail; n < 0: none fails. Returns the n of the
 * previous call minus the number of allocations since that call; this is negative if an allocation has
 * failed, or none was to fail. A test counts the allocations of some code by a call before this code and a
 * call after it. */
long sx_base_fail_after(long n);

/* ---- numbers that tests override (overrides.c). All other code only reads them. */
typedef struct sx_knobs {
    long fails_after; /* how many allocations will succeed before one fails; negative: none fails */
    ptrdiff_t
        message_piece;    /* the length of a piece of a message, bytes; 0: the usual length (lib/message) */
    ptrdiff_t keep;       /* copies of more bytes than this bypass the caches; -1: the sizes of the caches
                          decide (lib/kern) */
    struct sx_fake *fake; /* the fake device that a test has created (lib/device); NULL if there is none. The
                             hint subx_memory_kind chooses the device by the value fake:device */
    int shrinks;          /* calibrations copy and send fewer bytes than usual, by the factor 2^shrinks
                    (fft/machine) */
    double patience;      /* how long to wait while another process writes wisdom, seconds; 0: the usual time
                             (fft/wisdom) */
} sx_knobs;

extern sx_knobs sx_base_knobs;

/* ---- integers (arith.c). mul, add and int return MPI_SUCCESS, or SUBX_ERR_TOO_LARGE if the result does not
 * fit */
int sx_base_mul(ptrdiff_t a, ptrdiff_t b, ptrdiff_t *product);
int sx_base_add(ptrdiff_t a, ptrdiff_t b, ptrdiff_t *sum);

/* Convert a 64-bit length to an int. If it does not fit, *result is unchanged. */
int sx_base_int(ptrdiff_t a, int *result);

/* Convert a number that the caller knows to fit. If it does not fit, the result is INT_MIN or INT_MAX, so the
 * number never wraps. Where an error can be returned, use sx_base_int. Libraries have no plain casts
 * elsewhere. */
int sx_base_fit(ptrdiff_t a);

/* 1 if order is a permutation of 0 .. n-1, n <= SUBX_NDIMS_MAX */
int sx_base_is_permutation(int n, const int order[]);

/* ---- boxes (box.c)
 *
 * A strided box is elements in memory that a nest of loops visits: a list of sx_dim. A loop has n iterations.
 * From one iteration to the next, what is read lies `is` further on, and what is written lies `os` further
 * on. The struct that has the loops says whether these strides are in bytes or in elements.
 *
 * An index box is the part of an array that has the indices start[k] .. start[k] + len[k] - 1 along axis
 * k. */
typedef struct sx_dim {
    ptrdiff_t n, is, os;
} sx_dim;

static inline ptrdiff_t sx_base_get_stride(sx_dim loop, int side)
{
    return side == SX_FROM ? loop.is : loop.os;
}

/* Take loop i out of a list of *n loops. */
sx_dim sx_base_take_loop(int *n, sx_dim loop[], int i);

/* Join nested loops until no two of them are one loop. Two loops are one if, on each side, the stride of the
 * outer one is the length of the inner one times the stride of the inner one. Returns the number of loops. */
int sx_base_join_loops(int n, sx_dim loop[]);

/* is_empty: query whether a box of n axes has no elements. get_volume: get its number of elements. */
int sx_base_is_empty(int n, const ptrdiff_t len[]);
ptrdiff_t sx_base_get_volume(int n, const ptrdiff_t len[]);

/* Get the box that two index boxes have in common. Returns its number of elements. If the boxes have none in
 * common, some length is 0. `start` and `len` may be those of one of the two boxes. */
ptrdiff_t sx_base_get_common(int n, const ptrdiff_t start_a[], const ptrdiff_t len_a[],
                             const ptrdiff_t start_b[], const ptrdiff_t len_b[], ptrdiff_t start[],
                             ptrdiff_t len[]);

/* Get where the last element of a box ends in an array, in elements. The box begins at element `offset`. An
 * empty box ends at 0. SUBX_ERR_TOO_LARGE. */
int sx_base_get_end(int n, ptrdiff_t offset, const ptrdiff_t len[], const ptrdiff_t stride[], ptrdiff_t *end);

/* List axes by their strides, the smallest first; axes with equal strides by their numbers, the largest
 * first. */
void sx_base_get_order(int n, const ptrdiff_t stride[], int order[]);

/* Get the distance of an element from the element with index 0 along all axes, in units of the strides. */
static inline ptrdiff_t sx_base_get_distance(int n, const ptrdiff_t index[], const ptrdiff_t stride[])
{
    ptrdiff_t distance = 0;
    for (int k = 0; k < n; k++)
        distance += index[k] * stride[k];
    return distance;
}

/* ---- hashes (hash.c) */

/* The hash of no bytes. */
#define SX_BASE_NO_HASH UINT64_C(14695981039346656037)

/* hash: get the hash of some bytes and of n bytes that follow them, from the hash of the former. add_hash:
 * the same for one byte; the number may also be larger than a byte. */
uint64_t sx_base_hash(uint64_t hash, const void *data, size_t n);
uint64_t sx_base_add_hash(uint64_t hash, uint64_t number);

/* ---- errors (agree.c) */

#define SX_ERROR_LEN 256 /* the smallest MPI_MAX_ERROR_STRING of all MPIs */

/* Get the code of a kind of error, and replace its text by a text with more detail. The text has at most
 * SX_ERROR_LEN bytes, its terminator included. MPI copies it, and keeps one text per error code: the next
 * subx_error_get_code for this kind, or the next agreement on it, replaces the text again. Local. */
int sx_base_set_error_text(int kind, const char *text);

/* ---- text (text.c): functions that append to a text, as snprintf does. A text is cut after `room` bytes,
 * the length of its buffer; `used` counts the bytes of the uncut text */
typedef struct sx_text {
    char *at; /* the caller's buffer; may be NULL if room is 0 */
    size_t room, used;
} sx_text;

void sx_base_print(sx_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* print_sizes: append n lengths, such as 4x5x6. print_order: append n > 0 axes, such as (2,0,1). */
void sx_base_print_sizes(sx_text *t, int n, const ptrdiff_t sizes[]);
void sx_base_print_order(sx_text *t, int n, const int order[]);

/* ---- real numbers in texts that programs read, such as files and keys (number.c). These functions give the
 * same results in all locales. No other functions print or parse real numbers in such texts. */

/* Append a number with at most `digits` significant digits, such as 1.5e-06. */
void sx_base_print_number(sx_text *t, int digits, double x);

/* Parse a number at the beginning of a text, after blanks. Returns the end of the number; returns `text` if
 * there is no number. */
const char *sx_base_parse_number(const char *text, double *x);

/* ---- hints (hint.c)
 *
 * A hint is read from an MPI_Info or, if the MPI_Info does not have it, from the environment variable whose
 * name is the hint's key in capitals. The key of such a hint begins with subx_.
 *
 * A key without subx_, such as "slices", is a word of the hint subx_tune, whose value is a text such as
 * "overlap both, slices 8". If the MPI_Info does not have the word, the word is read from the environment
 * variable SUBX_TUNE.
 *
 * All objects of a program read the same variables. Some objects read lists of words such as "node/kway";
 * others read one word, and ignore a variable with a list. */
enum { SX_HINT_LEN = 1024, SX_HINT_NAME = 32 }; /* room for a hint's value, and for its name, bytes */

/* Set a hint in info; for a word of subx_tune, keep the other words. The value "" removes a word.
 * SUBX_ERR_HINT if subx_tune gets too long for an MPI_Info. */
int sx_base_hint_set(MPI_Info info, const char *key, const char *value);

/* Get the name of a hint: its key without subx_. */
const char *sx_base_hint_get_name(const char *key);

/* Get the value of a hint: from info, else from the environment, else the default `otherwise`. The buffer
 * `value` has SX_HINT_LEN bytes; SUBX_ERR_HINT if the value is longer. */
int sx_base_hint(MPI_Info info, const char *key, const char *otherwise, char *value);

/* Get the index of a hint's value in a NULL-terminated list of words. The first word is the default. */
int sx_base_hint_word(MPI_Info info, const char *key, const char *const words[], int *which);

/* Get a hint that is a number from `least` to `most`. */
int sx_base_hint_int(MPI_Info info, const char *key, int otherwise, int least, int most, int *value);

/* ---- names of hints (names.c), without subx_. is_name: query whether some object, or a drop-in, or a
 * program of the project knows the hint. is_tune: query whether a name is a word of subx_tune. find: get the
 * name or word that resembles a misspelt one; NULL if none does */
int sx_base_is_name(const char *name);
int sx_base_is_tune(const char *name);
const char *sx_base_find_name(const char *name);

/* ---- texts of hints (tune.c), such as "grid 2x2, slices 8": names without subx_, and values */

/* Get the value of a hint; if the text has the hint several times, its last value. `value` has room for
 * SX_HINT_LEN. Returns 0, and leaves `value` unchanged, if the text does not have the hint. */
int sx_base_tune_find(const char *text, const char *name, char value[]);

/* Get the first hint of a text: its name, with room for SX_HINT_NAME, and its value, with room for
 * SX_HINT_LEN. Returns the rest of the text; NULL if the text is wrong. */
const char *sx_base_tune_get_first(const char *text, char name[], char value[]);

/* Append a text in which a hint has another value; the value "" removes the hint. */
void sx_base_tune_replace(const char *text, const char *name, const char *value, sx_text *t);

/* Append a sentence about an environment variable that begins with SUBX_ and that nothing reads; i counts
 * these variables from 0. Returns 0, and appends nothing, if there are no more than i. */
int sx_base_print_unknown_variable(int i, sx_text *t);

/* Query whether a text is a number from `least` to `most`. */
int sx_base_is_number(const char *text, ptrdiff_t least, ptrdiff_t most);

/* Set the text of a kind of error: the name of the hint or of its variable, its value, and `why` the value is
 * refused (such as "it must be 1 or 2"). Returns the error code of the kind. */
int sx_base_hint_refuse(MPI_Info info, const char *key, int kind, const char *why);

/* ---- words that a table lists, such as the names of engines (words.c) */

/* A table of words is a function, such as subx_exch_query_engine: the table has the words 0, 1, .. The
 * function sets *word to word i, or to NULL if there is no word i. It returns an MPI error code. */
typedef int (*sx_words)(int i, const char **word);

/* is_word: query whether a text is "auto" or a word of a table. is_list: query whether a text is a list of 1
 * to SUBX_NDIMS_MAX such words, as in "node/kway". */
int sx_base_is_word(const char *text, sx_words query);
int sx_base_is_list(const char *text, sx_words query);

/* Query whether a list has a word. ends[0] joins the words of the list; a word may also end at another
 * character of `ends`. */
int sx_base_has_word(const char *list, const char *word, const char *ends);

/* Append "auto" and all words of a table, such as "auto, kway or pairwise". If `example` is not NULL, it is
 * an example of a list, which is appended, too: "auto, kway, pairwise, or a list such as node/kway". */
void sx_base_print_words(sx_words query, const char *example, sx_text *t);

/* ---- tables of hints (hint.c)
 *
 * An object that reads many hints lists them in one table, a row per hint, and keeps their values in a
 * struct. The functions below read, print and export all hints of a table. */

/* The type of a hint's value, and the type of the struct's member that stores it. */
enum {
    SX_HINT_WORD,   /* one of a list of words; stored as an int, the index of the word */
    SX_HINT_INT,    /* a number; stored as an int */
    SX_HINT_LENGTH, /* a number; stored as a ptrdiff_t */
    SX_HINT_TEXT,   /* a text; stored as a char[SX_HINT_LEN] */
    SX_HINT_THREADS /* a number of threads; stored as an int. SUBX_ERR_UNAVAILABLE if it is more than 1 and
                       MPI was initialised with MPI_THREAD_SINGLE: our threads do not call MPI, but they need
                       MPI_THREAD_FUNNELED. SUBX_ERR_NO_MEM if the system cannot start so many */
};

/* Where the value of a hint was found. IN_VAIN: in the environment variable, but this object ignores the
 * value, which is a list. */
enum { SX_SAID_NOWHERE, SX_SAID_INFO, SX_SAID_VARIABLE, SX_SAID_IN_VAIN };

/* A row of a table of hints. Some members are for some types only: `otherwise` for numbers (INT, LENGTH,
 * THREADS), which need `least` and `most`; `text`, `is_right`, `right`, `query` and `list` for TEXT. A TEXT
 * may also be restricted to `words`, or to numbers by `most`. */
typedef struct sx_hint {
    const char *key; /* begins with subx_; or a word of subx_tune */
    int type;
    size_t offset;            /* where the value is in the caller's struct (offsetof) */
    const char *const *words; /* the right words, NULL-terminated; for WORD the first one is the default */
    const char *text;         /* the default text */
    ptrdiff_t otherwise, least, most;  /* the default number, and the range of right numbers */
    int (*is_right)(const char *text); /* query whether a text is right; NULL if all texts are right */
    const char *right;                 /* describes the right texts; errors print it after "it must be" */
    sx_words query;                    /* if not NULL: "auto" and the words of this table are right, and the
                                          members is_right and right are not used */
    const char *list;  /* an example of a list, if lists of the words of `query` are right; else NULL */
    const char *what;  /* the meaning of the hint, for help texts; NULL if no help text lists it */
    int is_of_program; /* 1 if the hint has no environment variable, because only the program can know the
                             value */
    int is_aside;      /* 1 if the hint changes only the search or what is printed, not the object itself:
                             then the keys of wisdom leave it out */
    int is_searched;   /* 1 if a search may choose the value where the caller leaves it open */
} sx_hint;

/* ---- words of subx_tune that objects of several kinds read: the beginnings of their rows, and their
 * values */

#define SX_WORD_SLICES .key = "slices", .least = 0, .most = 1 << 16
#define SX_WORD_WINDOW .key = "window", .least = 1, .most = INT_MAX
#define SX_WORD_RADIX .key = "radix", .least = 2, .most = INT_MAX
#define SX_WORD_NODE_RANKS .key = "node_ranks", .least = 0, .most = INT_MAX
#define SX_WORD_SIDES "recv", "send", NULL
#define SX_WORD_CHECKS "auto", "yes", "no", NULL
#define SX_WORD_CARRIERS "auto", "messages", "staged", NULL
#define SX_WORD_READERS "auto", "kernel", "copies", NULL

/* Read the n hints of a table into the caller's struct. Stops at the first error. A key of info that begins
 * with subx_ and that no object knows is an error, and so is such a word of subx_tune. */
int sx_base_hints_parse(const sx_hint table[], int n, MPI_Info info, void *values);

/* Query where the value of a hint was found. Local. */
int sx_base_hint_get_source(const sx_hint *h, MPI_Info info);

/* print_right: append the right values of a hint, such as "natural or transposed". print_default: append its
 * default. */
void sx_base_hint_print_right(const sx_hint *h, sx_text *t);
void sx_base_hint_print_default(const sx_hint *h, sx_text *t);

/* is_default: query whether the value of a hint in the struct is the default. set_default: set the
 * default. */
int sx_base_hint_is_default(const sx_hint *h, const void *values);
void sx_base_hint_set_default(const sx_hint *h, void *values);

/* Append all hints of a table and their values, such as "window 4, check auto". Keys are printed without
 * subx_, and hints with empty texts are left out. The result is for people, and for the key of
 * sx_base_agree. */
void sx_base_hints_print(const sx_hint table[], int n, const void *values, sx_text *t);

/* Set all hints of a table in info. Texts that an MPI_Info cannot hold are left out: empty texts, and texts
 * of MPI_MAX_INFO_VAL bytes or more. Words of subx_tune with their default are left out, unless SUBX_TUNE has
 * the word. */
int sx_base_hints_export(const sx_hint table[], int n, const void *values, MPI_Info info);

/* ---- agreement (agree.c)
 *
 *     rank 0   prepare ------\                       /---> next collective step
 *     rank 1   prepare -------> sx_base_agree (rc) -<
 *     rank 2   prepare fails -/                      \---> or all return the same kind of error
 *
 * An agreement follows each collective step of a creation. It is one reduction; if an error has a text,
 * another reduction and a broadcast follow. A rank that has failed takes part in every step before the
 * agreement. */

/* Agree on an outcome: every rank gives its own error code, and a key that must be the same on all ranks (or
 * NULL on all). Collective. All ranks return the same kind of error: the highest kind (SUBX_ERR_*) that a
 * rank gives, or the highest error class of MPI if no rank gives a kind. If no rank gives an error, but the
 * keys differ, all ranks return SUBX_ERR_DIFFERS. */
int sx_base_agree(MPI_Comm comm, int rc, const char *key);

#define SX_FLAGS_MAX 16

/* As sx_base_agree; in the same reduction, each of n <= SX_FLAGS_MAX flags becomes its maximum over all
 * ranks. */
int sx_base_agree_flags(MPI_Comm comm, int rc, const char *key, int n, int flags[]);

/* ---- waiting (relax.c) */

/* Call this between two polls of a value that another rank will change. From time to time the function yields
 * the processor, because the other rank may need the processor, and lets MPI progress, because the other rank
 * may wait in MPI for this rank. The caller sets *polled to 0 before the first poll. `cost` is the cost of a
 * poll, from 1 (a load) to 100: the higher it is, the sooner the function yields. Returns MPI's errors. */
int sx_base_relax(MPI_Comm comm, int cost, int *polled);

/* ---- new files beside older ones, which they replace when they are complete (beside.c) */

/* Get the number of bytes of a path with which the names of other files beside it begin: all, but at most 200
 * bytes of the name. */
int sx_base_get_stem(const char *path);

/* Create the first of the files <stem>.tmp.0, .., <stem>.tmp.999 that does not exist, with these permissions,
 * and print its path. O_EXCL makes sure that no other process, on any host, writes to the same file. Returns
 * a descriptor; -1 and errno if no file can be created. */
int sx_base_create_beside(const char *path, int permissions, char *beside, size_t room);

/* ---- the node (crowded.c): what lib/mem has found out about the ranks of this node */

/* Set that ranks are crowded: more ranks than processors wait for each other. From now on sx_base_relax
 * yields sooner. */
void sx_base_set_crowded(void);
int sx_base_is_crowded(void);

/* Set that at most so many ranks of this program run on this node. A larger number than the one that is known
 * changes nothing. The number is INT_MAX if nothing is known. */
void sx_base_set_ranks(int most);
int sx_base_get_ranks(void);

#endif
