/* pipe_help.h - for the tests of pipes: pipes with known blocks, and runs of their epochs. */
#ifndef TEST_PIPE_HELP_H
#define TEST_PIPE_HELP_H

#include "config.h"
#include <stddef.h>
#include <subx_lowlevel.h>

enum { PIPE_SLICES = 5, PIPE_RANKS = 8 }; /* the most slices, and the most ranks */

/* 1 if ranks can share memory here, which only Linux supports. */
extern const int pipe_is_shared;

/* Lengths of the blocks of a job: all 0; various; 0 from and to one rank; so long that MPI only sends a block
 * when its receiver is waiting. */
enum { PIPE_EMPTY, PIPE_SORTS, PIPE_IDLE_RANK, PIPE_LONG, PIPE_SHAPES };

/* Values of the hints of a pipe. */
typedef struct pipe_setting {
    const char *engine, *between, *node_ranks, *window;
} pipe_setting;

extern const pipe_setting pipe_automatic, pipe_pairwise;

/* A pipe, its areas, and the blocks that it brings. */
typedef struct pipe_job {
    int nslices, depth, shape;
    subx_pipe pipe;
    /* Lengths of sent blocks (bytes[0]) and received blocks (bytes[1]), at slice * test_nranks + partner. */
    ptrdiff_t bytes[2][PIPE_SLICES * PIPE_RANKS];
    unsigned char *send, *recv;
    unsigned char *expected[PIPE_SLICES]; /* by slice: the blocks from all ranks in run 0 */
} pipe_job;

/* Set the lengths of a job, then create its pipe. Between these calls the caller may set `depth`, to get a
 * ring. */
void pipe_set_lengths(pipe_job *j, int nslices, int shape);
int pipe_create(pipe_job *j, const pipe_setting *how);

/* Allocate a send area and a receive area that `n` jobs share. They are long enough for the job that needs
 * most. pipe_free frees the areas and the pipes. */
void pipe_alloc_areas(int n, pipe_job j[]);
void pipe_free(int n, pipe_job j[]);

/* Compute the expected blocks by MPI_Alltoallv. Call this before the first run: it makes ranks wait for each
 * other, which could hide an error of a run. */
void pipe_set_expected(pipe_job *j);

/* The order of the calls in a run. PIPE_POST_FIRST: post all slices, then start them. PIPE_IN_TURN: post and
 * start one slice after the other. PIPE_WITH_TEST: as PIPE_POST_FIRST, and test each slice before it is
 * started. */
enum { PIPE_POST_FIRST, PIPE_IN_TURN, PIPE_WITH_TEST, PIPE_MODES };

/* pipe_post_slice: write a slice and post it. pipe_start_slice: start a slice and check its blocks. */
void pipe_post_slice(const pipe_job *j, int run, int s);
void pipe_start_slice(const pipe_job *j, int mode, int run, int s, const void *block[]);

/* Delay some ranks. Which ranks they are depends on the run, and on the place in the run (`where`). */
void pipe_delay(int run, int where);

/* Run an epoch. All blocks are checked a second time right before the epoch is completed: they must not have
 * changed until then. The send area is overwritten right after wait, when this is allowed again. */
void pipe_execute(const pipe_job *j, int mode, int run);

#endif
