/* problem.h - a problem drawn at random: what is transformed, how it is stored, on which ranks, by which hints, and how
 * often. */
#ifndef TEST_RANDOM_PROBLEM_H
#define TEST_RANDOM_PROBLEM_H

#include "common/random.h"
#include <mpi.h>
#include <subx_fft.h>

enum {
    RANDOM_NDIMS = 5,
    RANDOM_RUNS = 5,
    RANDOM_HINTS = 25,
    RANDOM_VALUE = 32,
    RANDOM_PLANS = 2,
    RANDOM_TEXT = 4096,
    RANDOM_BOXES = 32
};

/* What an execution does. */
enum { RANDOM_FORWARD, RANDOM_BACKWARD, RANDOM_CONVOLVE, RANDOM_ACTIONS };

/* One execution. The arrays are the one that is read (0) and the one that is written (1). */
typedef struct random_run {
    int plan, action, operates, in_place;
    int is_shared[2];  /* the array is from subx_mem_alloc, else from malloc        */
    int is_shifted[2]; /* it begins one real later than the memory it is in         */
    int may_be_null;   /* ranks without data pass NULL                              */
    double factor;     /* of the data, so that data of another execution is noticed */
} random_run;

/* How a side is stored. Strides and boxes differ between ranks: storage.h. */
typedef struct random_side {
    int has_order, order[RANDOM_NDIMS];
    ptrdiff_t block[RANDOM_NDIMS];
    int has_strides, has_boxes, has_box_orders;
} random_side;

typedef struct random_problem {
    uint64_t seed, number;
    int world, nranks; /* ranks of the program, and those that the problem is for */
    int nworking;      /* of these, by subx_ranks; the others are idle            */
    int is_shuffled;   /* they have another order than in MPI_COMM_WORLD          */
    int is_large;      /* messages are long, and slices left to choice */
    int ndims, kinds[RANDOM_NDIMS], precision;
    ptrdiff_t sizes[RANDOM_NDIMS], modes[RANDOM_NDIMS], points[RANDOM_NDIMS];
    ptrdiff_t howmany;
    int interleaved, padded, has_operation;
    random_side side[2];
    char value[RANDOM_HINTS][RANDOM_VALUE]; /* of each hint; "" where it is not given */
    int nplans, nruns;
    random_run run[RANDOM_RUNS];
} random_problem;

/* Draw problem `number` of a seed for a program of `world` ranks: the same on all of them. */
random_problem random_problem_draw(uint64_t seed, uint64_t number, int world);

/* A stream of random numbers of this problem, one for each `which` below 1000. */
test_random random_problem_get_stream(const random_problem *p, int which);
enum {
    RANDOM_STREAM_HINTS = 1,
    RANDOM_STREAM_STRIDES = 100,
    RANDOM_STREAM_RANKS = 899,
    RANDOM_STREAM_BOXES = 900,
    RANDOM_STREAM_DATA = 998
};

/* The value of a hint, such as "subx_engine"; "" where it is not given. 1 if that is `value`. */
const char *random_problem_get(const random_problem *p, const char *key);
int random_problem_has(const random_problem *p, const char *key, const char *value);

/* What follows from the kinds: the halved axis or -1, reals per element, and the length of an axis on a side. */
int random_problem_get_halved(const random_problem *p);
int random_problem_get_width(const random_problem *p, int side);
ptrdiff_t random_problem_get_length(const random_problem *p, int side, int axis);

/* One axis is transformed on several ranks that work, and thus factored. */
int random_problem_is_factored(const random_problem *p);

/* Set the axes that grid dimensions divide: dimension k divides axis k of the list and, if k >= *nfixed, on the
 * spectral side axis k+1. Returns the most dimensions of such a grid; a grid of all axes divides axis k by
 * dimension k. */
int random_problem_get_sequence(const random_problem *p, int *nfixed, int sequence[]);

/* The communicator of the problem's ranks, MPI_COMM_NULL on the others. Collective on MPI_COMM_WORLD. */
MPI_Comm random_problem_comm(const random_problem *p);

/* text.c: print the problem, the command line of this program that repeats it, and each execution. */
void random_problem_print(const random_problem *p, char text[RANDOM_TEXT]);

/* hint.c: draw the values of all hints; the key of one, such as "subx_grid"; all as the library reads them, to be
 * freed. */
void random_hint_draw(random_problem *p);
const char *random_hint_key(int which);
MPI_Info random_hint_create(const random_problem *p);

#endif
