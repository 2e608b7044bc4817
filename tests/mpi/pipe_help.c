/* pipe_help.c - pipes with known blocks, and runs of their epochs. The reference is MPI_Alltoallv. */
#include "mpi/pipe_help.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
const int pipe_is_shared = 1;
#else
const int pipe_is_shared = 0;
#endif

const pipe_setting pipe_automatic = {"auto", "auto", "0", "4"},
                   pipe_pairwise = {"pairwise", "auto", "0", "1"};

/* ---- what is sent */

static ptrdiff_t get_length(int shape, int s, int from, int to)
{
    const int kind = (3 * from + 5 * to + 7 * s) % 11;
    switch (shape) {
    case PIPE_SORTS:
        return kind > 4 ? 17 * kind : 0;
    case PIPE_IDLE_RANK:
        return from && to ? 64 + kind : 0;
    case PIPE_LONG:
        return kind ? 9000 * kind + s : 0;
    default:
        return 0;
    }
}

/* In run `run` each byte is greater by STEP * run than in run 0. So the expected bytes are computed for run 0
 * only. */
enum { STEP = 131 };

static unsigned char get_byte(int run, int s, int from, int to, ptrdiff_t i)
{
    return (unsigned char)(STEP * run + 31 * s + 17 * from + 7 * to + 3 * i + (i >> 8));
}

/* ---- a pipe with its areas */

static MPI_Info make_hints(const pipe_setting *how)
{
    return test_hints("engine=%s between=%s node_ranks=%s window=%s", how->engine, how->between,
                      how->node_ranks, how->window);
}

void pipe_set_lengths(pipe_job *j, int nslices, int shape)
{
    *j = (pipe_job){.nslices = nslices, .depth = nslices, .shape = shape, .pipe = SUBX_PIPE_NULL};
    for (int s = 0; s < nslices; s++)
        for (int q = 0; q < test_nranks; q++) {
            j->bytes[0][s * test_nranks + q] = get_length(shape, s, test_rank, q);
            j->bytes[1][s * test_nranks + q] = get_length(shape, s, q, test_rank);
        }
}

int pipe_create(pipe_job *j, const pipe_setting *how)
{
    MPI_Info hints = make_hints(how);
    int rc = j->depth == j->nslices
                 ? subx_pipe_create(MPI_COMM_WORLD, j->nslices, j->bytes[0], j->bytes[1], hints, &j->pipe)
                 : subx_pipe_create_ring(MPI_COMM_WORLD, j->nslices, j->depth, j->bytes[0], j->bytes[1],
                                         hints, &j->pipe);
    MPI_Info_free(&hints);
    return rc;
}

void pipe_alloc_areas(int n, pipe_job j[])
{
    ptrdiff_t room[2] = {0, 64};
    void *mem[2] = {NULL, NULL};
    for (int i = 0; i < n; i++) {
        ptrdiff_t need[2];
        EXPECT_OK(subx_pipe_get(j[i].pipe, NULL, &need[0], &need[1]));
        for (int k = 0; k < 2; k++)
            room[k] = need[k] > room[k] ? need[k] : room[k];
    }
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, room[0], MPI_INFO_NULL, &mem[0]));
    EXPECT_EQUAL(posix_memalign(&mem[1], 64, (size_t)room[1]), 0);
    for (int i = 0; i < n; i++) {
        j[i].send = mem[0];
        j[i].recv = mem[1];
        EXPECT_OK(subx_pipe_set_work(j[i].pipe, mem[0], mem[1]));
    }
}

void pipe_free(int n, pipe_job j[])
{
    void *mem = j[0].send;
    for (int i = 0; i < n; i++) {
        EXPECT_OK(subx_pipe_free(&j[i].pipe));
        EXPECT(j[i].pipe == SUBX_PIPE_NULL);
        for (int s = 0; s < j[i].nslices; s++)
            free(j[i].expected[s]);
    }
    free(j[0].recv);
    EXPECT_OK(subx_mem_free(&mem));
}

/* ---- the reference */

static void write_slice(const pipe_job *j, int run, int s)
{
    for (int q = 0; q < test_nranks; q++) {
        ptrdiff_t place = -1, n = j->bytes[0][s * test_nranks + q];
        EXPECT_OK(subx_pipe_get_place(j->pipe, s, q, &place));
        EXPECT(place % 64 == 0);
        for (ptrdiff_t i = 0; i < n; i++)
            j->send[place + i] = get_byte(run, s, test_rank, q, i);
    }
}

static unsigned char *deliver(const pipe_job *j, int s)
{
    int count[2][PIPE_RANKS], displ[2][PIPE_RANKS], end = 0;
    for (int q = 0; q < test_nranks; q++) {
        ptrdiff_t place = 0;
        EXPECT_OK(subx_pipe_get_place(j->pipe, s, q, &place));
        for (int k = 0; k < 2; k++)
            count[k][q] = (int)j->bytes[k][s * test_nranks + q];
        displ[0][q] = (int)place;
        displ[1][q] = end;
        end += count[1][q];
    }
    unsigned char *all = malloc((size_t)end + 1);
    MPI_Alltoallv(j->send, count[0], displ[0], MPI_BYTE, all, count[1], displ[1], MPI_BYTE, MPI_COMM_WORLD);
    return all;
}

void pipe_set_expected(pipe_job *j)
{
    for (int s = 0; s < j->nslices; s++) {
        write_slice(j, 0, s);
        j->expected[s] = deliver(j, s);
    }
}

/* ---- runs */

void pipe_delay(int run, int where)
{
    if ((test_rank + run + where) % 3 == 1)
        usleep(400);
}

static void check_slice(const pipe_job *j, int run, int s, const void *const block[])
{
    const unsigned char *expected = j->expected[s];
    ptrdiff_t wrong = 0;
    for (int q = 0; q < test_nranks; q++) {
        const ptrdiff_t n = j->bytes[1][s * test_nranks + q];
        EXPECT((block[q] == NULL) == (n == 0));
        for (ptrdiff_t i = 0; i < n && block[q]; i++)
            wrong += ((const unsigned char *)block[q])[i] != (unsigned char)(STEP * run + expected[i]);
        expected += n;
    }
    EXPECT_EQUAL(wrong, 0);
}

void pipe_start_slice(const pipe_job *j, int mode, int run, int s, const void *block[])
{
    int flag = 0, rc = MPI_SUCCESS;
    while (mode == PIPE_WITH_TEST && !flag && !rc)
        rc = subx_pipe_test(j->pipe, s, &flag);
    EXPECT_OK(rc);
    EXPECT_OK(subx_pipe_start(j->pipe, s, block));
    check_slice(j, run, s, block);
}

void pipe_post_slice(const pipe_job *j, int run, int s)
{
    write_slice(j, run, s);
    pipe_delay(run, s);
    EXPECT_OK(subx_pipe_post(j->pipe, s));
}

void pipe_execute(const pipe_job *j, int mode, int run)
{
    const void *block[PIPE_SLICES][PIPE_RANKS];
    ptrdiff_t bytes = 0;
    for (int s = 0; s < j->nslices; s++) {
        pipe_post_slice(j, run, s);
        if (mode == PIPE_IN_TURN)
            pipe_start_slice(j, mode, run, s, block[s]);
    }
    for (int s = 0; s < j->nslices && mode != PIPE_IN_TURN; s++)
        pipe_start_slice(j, mode, run, s, block[s]);
    pipe_delay(run, 2);
    for (int s = 0; s < j->nslices; s++)
        check_slice(j, run, s, block[s]);
    EXPECT_OK(subx_pipe_complete(j->pipe));
    pipe_delay(run, 1);
    EXPECT_OK(subx_pipe_wait(j->pipe));
    EXPECT_OK(subx_pipe_wait(j->pipe));
    EXPECT_OK(subx_pipe_get(j->pipe, NULL, &bytes, NULL));
    memset(j->send, 0xee, (size_t)bytes);
}
