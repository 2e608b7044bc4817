/* pipe_help.h - what the tests of pipes share: jobs of pipes with known blocks, and their epochs. */
#ifndef TEST_PIPE_HELP_H
#define TEST_PIPE_HELP_H

#include "config.h"
#include <stddef.h>
#include <subx_lowlevel.h>

enum { PIPE_SLICES = 5, PIPE_RANKS = 8 }; /* at most */

/* 1 if ranks can share memory here. Only Linux has what that needs. */
extern const int pipe_is_shared;

/* Lengths of blocks: all 0; various ones; a rank without data; long ones, which MPI sends only when a receive is
 * waiting. */
enum { PIPE_EMPTY, PIPE_SORTS, PIPE_IDLE_RANK, PIPE_LONG, PIPE_SHAPES };

/* Values of hints. */
typedef struct pipe_setting {
    const char *engine, *between, *node_ranks, *window;
} pipe_setting;

extern const pipe_setting pipe_automatic, pipe_pairwise;

/* A pipe with its areas. */
typedef struct pipe_job {
    int nslices, depth, shape;
    subx_pipe pipe;
    ptrdiff_t bytes[2][PIPE_SLICES * PIPE_RANKS]; /* sent, received */
    unsigned char *send, *recv;
    unsigned char *expected[PIPE_SLICES]; /* by slice: the blocks from all ranks, in run 0 */
} pipe_job;

/* Begin a job: set its lengths. Then its pipe can be created: a ring if the job's depth is changed in between. */
void pipe_set_lengths(pipe_job *j, int nslices, int shape);
int pipe_create(pipe_job *j, const pipe_setting *how);

/* Several jobs share areas that are as long as the largest ones need. _free also frees the pipes. */
void pipe_alloc_areas(int n, pipe_job j[]);
void pipe_free(int n, pipe_job j[]);

/* Call this before the first run, since it makes ranks wait for each other. */
void pipe_set_expected(pipe_job *j);

/* The order of calls in a run: all slices are posted first; one slice after the other; with tests. */
enum { PIPE_POST_FIRST, PIPE_IN_TURN, PIPE_WITH_TEST, PIPE_MODES };

/* Write and post a slice; start a slice and check its blocks. */
void pipe_post_slice(const pipe_job *j, int run, int s);
void pipe_start_slice(const pipe_job *j, int mode, int run, int s, const void *block[]);

/* Delay some ranks, others each time. */
void pipe_delay(int run, int where);

/* Run an epoch. All blocks are read once more before the epoch is completed: they must be unchanged. After wait this rank
 * may write its send area, so the area is overwritten at once. */
void pipe_execute(const pipe_job *j, int mode, int run);

#endif
