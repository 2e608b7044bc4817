/* problem.h - a random problem: what is transformed, how it is stored, on which ranks, with which hints, and
 * how often. */
#ifndef TEST_RANDOM_PROBLEM_H
#define TEST_RANDOM_PROBLEM_H

#include "common/random.h"
#include <mpi.h>
#include <subx_fft.h>

enum {
    RANDOM_NDIMS = 5,
    RANDOM_RUNS = 5,
    RANDOM_HINTS = 64, /* the most hints */
    RANDOM_VALUE = 32, /* the most bytes of a hint's value */
    RANDOM_PLANS = 2,
    RANDOM_TEXT = 4096,
    RANDOM_BOXES = 32
};

/* What an execution does. */
enum { RANDOM_FORWARD, RANDOM_BACKWARD, RANDOM_CONVOLVE, RANDOM_ACTIONS };

/* One execution. Members with [2] describe the two arrays of data: [0] the array that is read, [1] the array
 * that is written. */
typedef struct random_run {
    int plan, action, operates, in_place;
    int is_shared[2]; /* allocated by subx_mem_alloc (1) or malloc (0) */
    int shift[2];     /* the array begins after the start of its memory: one byte if 1, one real if 2 */
    int may_be_null;  /* ranks without data pass NULL */
    double factor;    /* the input is the data times this factor, which differs between executions */
} random_run;

/* How a side is stored. Strides and boxes are different on each rank: see storage.h. */
typedef struct random_side {
    int has_order, order[RANDOM_NDIMS];
    ptrdiff_t block[RANDOM_NDIMS];
    int has_strides, has_boxes, has_box_orders;
} random_side;

typedef struct random_problem {
    uint64_t seed, number;
    int world, nranks; /* ranks of the program; ranks of the problem */
    int nworking;      /* ranks that work (subx_ranks); the others are idle */
    int is_shuffled;   /* the ranks have another order than MPI_COMM_WORLD */
    int is_large;      /* messages are long, and the library chooses the slices */
    int ndims, kinds[RANDOM_NDIMS], precision;
    ptrdiff_t sizes[RANDOM_NDIMS], modes[RANDOM_NDIMS], points[RANDOM_NDIMS];
    ptrdiff_t howmany;
    int interleaved, padded, has_operation;
    random_side side[2];
    char value[RANDOM_HINTS][RANDOM_VALUE]; /* the value of each hint; "": not given */
    int nplans, nruns;
    random_run run[RANDOM_RUNS];
} random_problem;

/* Draw problem `number` of a seed, for a program of `world` ranks. All ranks draw the same problem. */
random_problem random_problem_draw(uint64_t seed, uint64_t number, int world);

/* Get a stream of random numbers for this problem. Each `which` (0 .. 999) gives another stream. */
test_random random_problem_get_stream(const random_problem *p, int which);
enum {
    RANDOM_STREAM_HINTS = 1,
    RANDOM_STREAM_STRIDES = 100,
    RANDOM_STREAM_RANKS = 899,
    RANDOM_STREAM_BOXES = 900,
    RANDOM_STREAM_WIRE = 950,
    RANDOM_STREAM_DATA = 998
};

/* Get the value of a hint, for example of "subx_engine"; "" if the hint is not given. random_problem_has
 * returns 1 if the hint has this value. */
const char *random_problem_get(const random_problem *p, const char *key);
int random_problem_has(const random_problem *p, const char *key, const char *value);

/* Get what follows from the kinds: the number of the halved axis, or -1; how many reals an element of a side
 * has; the length of an axis on a side. */
int random_problem_get_halved(const random_problem *p);
int random_problem_get_width(const random_problem *p, int side);
ptrdiff_t random_problem_get_length(const random_problem *p, int side, int axis);

/* Returns 1 if there is only one axis and several ranks work: the axis is then factored. */
int random_problem_is_factored(const random_problem *p);

/* Get the sequence of a plan's axes. *nfixed is how many axes are not transformed; they come first. On the
 * physical side, grid dimension k divides axis sequence[k]. On the spectral side it divides sequence[k] if k
 * < *nfixed, else sequence[k + 1]. Returns how many dimensions such a grid has at most. A grid with more
 * dimensions has one dimension per axis: dimension k divides axis k. */
int random_problem_get_sequence(const random_problem *p, int *nfixed, int sequence[]);

/* Get a communicator of the problem's ranks; MPI_COMM_NULL on other ranks. Collective on MPI_COMM_WORLD. */
MPI_Comm random_problem_comm(const random_problem *p);

/* text.c: write into `text` the problem, the command line of this program that repeats the problem, and each
 * execution. */
void random_problem_print(const random_problem *p, char text[RANDOM_TEXT]);

/* hint.c: draw the values of all hints; get the name of a hint, such as "subx_grid", or NULL after the last
 * one; check that the library has no other hints; create all hints as an MPI_Info, which the caller frees. */
void random_hint_draw(random_problem *p);
const char *random_hint_key(int which);
void random_hint_check(void);
MPI_Info random_hint_create(const random_problem *p);

#endif
