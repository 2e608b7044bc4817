/* pipe_errors.c - all ranks must refuse wrong areas, arguments and hints, and calls in a wrong order. Refused
 * calls must not lose data.
 * ranks: 1 2 3 5 7 (four would repeat three: the checks only tell one rank from several) */
#include "mpi/pipe_help.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>

static const pipe_setting alltoallv = {"alltoallv", "auto", "0", "4"};

/* ---- areas */

/* Change the areas between runs. If local partners read a send area, the library must refuse an area that
 * they do not share. */
CHECK(check_areas)
{
    const int is_read = pipe_is_shared && test_nranks > 1;
    pipe_job j;
    void *own = NULL, *mem = NULL, *far = NULL;
    ptrdiff_t bytes = 0;
    test_context("areas");
    pipe_set_lengths(&j, 2, PIPE_LONG);
    EXPECT_OK(pipe_create(&j, &pipe_automatic));
    EXPECT_OK(subx_pipe_get(j.pipe, NULL, &bytes, NULL));
    EXPECT_KIND(subx_pipe_post(j.pipe, 0), SUBX_ERR_ARG);
    pipe_alloc_areas(1, &j);
    pipe_set_expected(&j);
    pipe_execute(&j, PIPE_POST_FIRST, 0);
    EXPECT_EQUAL(posix_memalign(&own, 64, (size_t)bytes + 64), 0);
    EXPECT_OK(subx_mem_alloc(MPI_COMM_SELF, bytes, MPI_INFO_NULL, &far));
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, bytes + 128, MPI_INFO_NULL, &mem));
    void *last = test_rank == test_nranks - 1 ? own : mem;
    EXPECT_KIND(subx_pipe_set_work(j.pipe, own, j.recv), is_read ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_NONE);
    EXPECT_KIND(subx_pipe_set_work(j.pipe, last, j.recv), is_read ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_NONE);
    EXPECT_KIND(subx_pipe_set_work(j.pipe, far, j.recv), is_read ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_NONE);
    EXPECT_KIND(subx_pipe_set_work(j.pipe, (char *)mem + 8, j.recv), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_set_work(j.pipe, bytes > 0 ? NULL : (char *)mem + 8, j.recv), SUBX_ERR_ARG);
    /* The failed calls must not have changed anything. */
    if (is_read)
        pipe_execute(&j, PIPE_IN_TURN, 1);
    void *before = j.send;
    j.send = (unsigned char *)mem + 64;
    EXPECT_OK(subx_pipe_set_work(j.pipe, j.send, j.recv));
    pipe_execute(&j, PIPE_IN_TURN, 2);
    j.send = before;
    pipe_free(1, &j);
    EXPECT_OK(subx_mem_free(&mem));
    EXPECT_OK(subx_mem_free(&far));
    free(own);
}

/* Each rank sends its rank in the communicator to all ranks of the pipe. */
static void execute_numbers(subx_pipe pipe, MPI_Comm comm, char *send)
{
    const void *block[PIPE_RANKS];
    ptrdiff_t place = 0;
    int p, r, wrong = 0;
    MPI_Comm_size(comm, &p);
    MPI_Comm_rank(comm, &r);
    for (int q = 0; q < p; q++) {
        EXPECT_OK(subx_pipe_get_place(pipe, 0, q, &place));
        memcpy(send + place, &r, sizeof r);
    }
    EXPECT_OK(subx_pipe_post(pipe, 0));
    EXPECT_OK(subx_pipe_start(pipe, 0, block));
    for (int q = 0; q < p; q++)
        wrong += *(const int *)block[q] != q;
    EXPECT_EQUAL(wrong, 0);
    EXPECT_OK(subx_pipe_complete(pipe));
    EXPECT_OK(subx_pipe_wait(pipe));
}

/* If memory is shared by all ranks, a pipe of some of these ranks can use it. But if memory is shared by some
 * ranks, a pipe of all ranks cannot use it. */
static void check_communicators(void)
{
    ptrdiff_t bytes[PIPE_RANKS];
    MPI_Comm comm[2] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    subx_pipe pipe[2];
    void *mem[2];
    test_context("communicators");
    MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, -test_rank, &comm[1]);
    for (int q = 0; q < PIPE_RANKS; q++)
        bytes[q] = sizeof(int);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(subx_pipe_create(comm[i], 1, bytes, bytes, MPI_INFO_NULL, &pipe[i]));
        EXPECT_OK(subx_mem_alloc(comm[i], 64 * PIPE_RANKS, MPI_INFO_NULL, &mem[i]));
    }
    EXPECT_KIND(subx_pipe_set_work(pipe[0], mem[1], NULL), test_nranks > 1 ? SUBX_ERR_UNAVAILABLE : 0);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(subx_pipe_set_work(pipe[1], mem[i], NULL));
        execute_numbers(pipe[1], comm[1], mem[i]);
    }
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(subx_pipe_free(&pipe[i]));
        EXPECT_OK(subx_mem_free(&mem[i]));
    }
    MPI_Comm_free(&comm[1]);
}

/* Calls that come too early, too late or in a wrong order are refused. The run then goes on as if nobody had
 * made them. */
static void check_order(const pipe_setting *how)
{
    pipe_job j;
    const void *block[PIPE_RANKS];
    int flag = -1;
    test_context("wrong order, %s", how->engine);
    pipe_set_lengths(&j, 2, PIPE_SORTS);
    EXPECT_OK(pipe_create(&j, how));
    pipe_alloc_areas(1, &j);
    pipe_set_expected(&j);
    EXPECT_OK(subx_pipe_wait(j.pipe));
    EXPECT_KIND(subx_pipe_post(j.pipe, 1), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_start(j.pipe, 0, block), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_pipe_test(j.pipe, 0, &flag), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_pipe_complete(j.pipe), SUBX_ERR_ACTIVE);
    pipe_post_slice(&j, 0, 0);
    EXPECT_KIND(subx_pipe_post(j.pipe, 0), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_post(j.pipe, 2), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_start(j.pipe, 1, block), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_start(j.pipe, 0, NULL), SUBX_ERR_ARG);
    pipe_start_slice(&j, PIPE_POST_FIRST, 0, 0, block);
    EXPECT_KIND(subx_pipe_start(j.pipe, 1, block), SUBX_ERR_ACTIVE);
    EXPECT_OK(subx_pipe_test(j.pipe, 1, &flag));
    EXPECT_EQUAL(flag, 0);
    EXPECT_KIND(subx_pipe_set_work(j.pipe, j.send, j.recv), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_pipe_free(&j.pipe), SUBX_ERR_ACTIVE);
    pipe_post_slice(&j, 0, 1);
    EXPECT_KIND(subx_pipe_complete(j.pipe), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_pipe_wait(j.pipe), SUBX_ERR_ACTIVE);
    pipe_start_slice(&j, PIPE_POST_FIRST, 0, 1, block);
    EXPECT_OK(subx_pipe_complete(j.pipe));
    EXPECT_KIND(subx_pipe_complete(j.pipe), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_pipe_post(j.pipe, 0), SUBX_ERR_ACTIVE);
    EXPECT_OK(subx_pipe_wait(j.pipe));
    pipe_execute(&j, PIPE_POST_FIRST, 1);
    pipe_free(1, &j);
}

static void expect_refused(pipe_job *j, const pipe_setting *how, int kind)
{
    j->pipe = (subx_pipe)(void *)j;
    EXPECT_KIND(pipe_create(j, how), kind);
    EXPECT(j->pipe == SUBX_PIPE_NULL);
    EXPECT_OK(subx_pipe_free(&j->pipe));
}

/* One rank has a wrong argument, and all ranks get the error. */
CHECK(check_arguments)
{
    const int is_last = test_rank == test_nranks - 1;
    pipe_job j;
    test_context("arguments");
    pipe_set_lengths(&j, 2, PIPE_IDLE_RANK);
    j.bytes[1][0] += is_last;
    expect_refused(&j, &pipe_automatic, SUBX_ERR_MISMATCH);
    expect_refused(&j, &pipe_pairwise, SUBX_ERR_MISMATCH);
    j.bytes[1][0] = is_last ? -1 : j.bytes[1][0];
    expect_refused(&j, &pipe_automatic, SUBX_ERR_SIZE);
    pipe_set_lengths(&j, 2, PIPE_SORTS);
    j.nslices = is_last ? 0 : 2;
    expect_refused(&j, &pipe_automatic, SUBX_ERR_ARG);
    j.nslices = is_last ? 1 : 2;
    if (test_nranks > 1)
        expect_refused(&j, &pipe_automatic, SUBX_ERR_DIFFERS);
    EXPECT_KIND(
        subx_pipe_create(MPI_COMM_WORLD, 2, j.bytes[0], is_last ? NULL : j.bytes[1], MPI_INFO_NULL, &j.pipe),
        SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_create(MPI_COMM_NULL, 2, j.bytes[0], j.bytes[1], MPI_INFO_NULL, &j.pipe),
                SUBX_ERR_COMM);
    EXPECT_KIND(subx_pipe_get(SUBX_PIPE_NULL, NULL, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_wait(SUBX_PIPE_NULL), SUBX_ERR_ARG);
    int round = 0;
    EXPECT_KIND(subx_pipe_relax(MPI_COMM_WORLD, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_relax(MPI_COMM_NULL, &round), SUBX_ERR_ARG);
    for (int i = 0; i < 3000; i++)
        EXPECT_OK(subx_pipe_relax(MPI_COMM_WORLD, &round));
}

/* Lengths beyond 63 bits are refused. Lengths beyond an int are refused by engine alltoallv, but not by
 * pairwise. No areas are allocated. */
CHECK(check_large)
{
    pipe_job j;
    test_context("large");
    pipe_set_lengths(&j, 1, PIPE_EMPTY);
    for (int q = 0; q < test_nranks; q++)
        j.bytes[0][q] = j.bytes[1][q] = INT64_MAX - 63;
    if (test_nranks > 1)
        expect_refused(&j, &pipe_automatic, SUBX_ERR_TOO_LARGE);
    for (int q = 0; q < test_nranks; q++)
        j.bytes[0][q] = j.bytes[1][q] = (ptrdiff_t)1 << 32;
    if (test_nranks > 1)
        expect_refused(&j, &alltoallv, SUBX_ERR_UNAVAILABLE);
    EXPECT_OK(pipe_create(&j, &pipe_pairwise));
    EXPECT_OK(subx_pipe_free(&j.pipe));
}

/* Only another rank whose memory is read can be far. */
CHECK(check_far)
{
    const pipe_setting *setting[] = {&pipe_automatic, &alltoallv};
    int is_far = 0;
    test_context("far");
    EXPECT_KIND(subx_pipe_query_far(SUBX_PIPE_NULL, 0, &is_far), SUBX_ERR_ARG);
    for (int i = 0; i < 2; i++) {
        pipe_job j;
        pipe_set_lengths(&j, 1, PIPE_SORTS);
        EXPECT_OK(pipe_create(&j, setting[i]));
        for (int q = 0; q < test_nranks; q++) {
            EXPECT_OK(subx_pipe_query_far(j.pipe, q, &is_far));
            EXPECT(is_far == 0 || (is_far == 1 && q != test_rank && i == 0 && pipe_is_shared));
        }
        EXPECT_KIND(subx_pipe_query_far(j.pipe, 0, NULL), SUBX_ERR_ARG);
        EXPECT_KIND(subx_pipe_query_far(j.pipe, test_nranks, &is_far), SUBX_ERR_ARG);
        EXPECT_OK(subx_pipe_free(&j.pipe));
    }
}

CHECK(check_hints)
{
    const int is_last = test_rank == test_nranks - 1;
    const pipe_setting wrong[] = {{"alltoallw", "auto", "0", "4"},
                                  {"auto", "shm", "0", "4"},
                                  {"auto", "x", "0", "4"},
                                  {"auto", "auto", "-1", "4"},
                                  {"auto", "auto", "0", "0"}};
    const pipe_setting other[] = {{"node", "auto", "0", "4"},
                                  {"auto", "alltoallv", "0", "4"},
                                  {"auto", "auto", "3", "4"},
                                  {"auto", "auto", "0", "3"}};
    pipe_job j;
    test_context("hints");
    pipe_set_lengths(&j, 2, PIPE_SORTS);
    for (int i = 0; i < 5; i++)
        expect_refused(&j, is_last ? &wrong[i] : &pipe_automatic, SUBX_ERR_HINT);
    for (int i = 0; i < 4 && test_nranks > 1; i++)
        expect_refused(&j, is_last ? &other[i] : &pipe_automatic, SUBX_ERR_DIFFERS);
    const pipe_setting alone = {"shm", "auto", "1", "4"};
    pipe_set_lengths(&j, 2, PIPE_LONG);
    if (test_nranks > 1)
        expect_refused(&j, &alone, SUBX_ERR_UNAVAILABLE);
}

CHECK(check_orders)
{
    if (pipe_is_shared)
        check_communicators();
    check_order(&pipe_automatic);
    check_order(&pipe_pairwise);
    check_order(&alltoallv);
}
