/* problem.h - a problem drawn at random: what is transformed, on which ranks, by which hints, and how often. */
#ifndef TEST_RANDOM_PROBLEM_H
#define TEST_RANDOM_PROBLEM_H

#include "common/dft.h"
#include "common/random.h"
#include <mpi.h>

enum { RANDOM_RUNS = 5, RANDOM_HINTS = 21, RANDOM_VALUE = 32, RANDOM_PLANS = 2, RANDOM_TEXT = 2048 };

/* One execution. The arrays are those of the side read (0) and of the side written (1). */
typedef struct random_run {
    int plan, direction, in_place;
    int is_shared[2]; /* the array is from subx_mem_alloc, else from malloc       */
    int shift[2];     /* bytes by which it begins later than the memory it is in  */
    int may_be_null;  /* ranks without data pass NULL                             */
    double factor;    /* of the data, so that data of another execution is noticed */
} random_run;

typedef struct random_problem {
    uint64_t seed, number;
    int world, nranks; /* ranks of the program, and those that the problem is for */
    int is_shuffled;   /* they have another order than in MPI_COMM_WORLD          */
    int is_large;      /* messages are long, and slices left to choice */
    int kind, ndims;
    ptrdiff_t sizes[TEST_DFT_NDIMS];
    char value[RANDOM_HINTS][RANDOM_VALUE]; /* of each hint; "" where it is not given */
    int nplans, nruns;
    random_run run[RANDOM_RUNS];
} random_problem;

/* Draw problem `number` of a seed for a program of `world` ranks: the same on all of them. */
random_problem random_problem_draw(uint64_t seed, uint64_t number, int world);

/* The value of a hint, such as "subx_engine"; "" where it is not given. */
const char *random_problem_get(const random_problem *p, const char *key);

/* The communicator of the problem's ranks, MPI_COMM_NULL on the others. Collective on MPI_COMM_WORLD. */
MPI_Comm random_problem_comm(const random_problem *p);

/* The hints as the library reads them; to be freed. */
MPI_Info random_problem_hints(const random_problem *p);

/* Print the command lines that repeat the problem, by subx-fft, and by this program; and each execution. */
void random_problem_print(const random_problem *p, char text[RANDOM_TEXT]);

/* hint.c: draw the values of all hints. */
void random_hint_draw(random_problem *p);

/* The key of a hint, such as "subx_grid", and subx-fft's option for it, or NULL. */
const char *random_hint_key(int which);
const char *random_hint_option(int which);

#endif
