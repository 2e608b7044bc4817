/* pipe.c - pipes bring what MPI_Alltoallv brings: with any local partners, with delays of ranks and slices, in many
 * epochs.
 * ranks: 1 2 3 5 7 */
#include "common/engine.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>
#include <unistd.h>

enum { RUNS = 3, SLICES_MAX = 5, RANKS_MAX = 8 };

/* Only Linux has what sharing memory needs. */
#ifdef __linux__
static const int is_to_be_had = 1;
#else
static const int is_to_be_had = 0;
#endif

/* ---- what is sent */

/* Lengths of blocks: all 0; various ones; a rank without data; long ones, which MPI sends only when a receive is
 * waiting. */
enum { EMPTY, SORTS, IDLE_RANK, LONG, SHAPES };

static ptrdiff_t get_length(int shape, int s, int from, int to)
{
    const int kind = (3 * from + 5 * to + 7 * s) % 11;
    switch (shape) {
    case SORTS:
        return kind > 4 ? 17 * kind : 0;
    case IDLE_RANK:
        return from && to ? 64 + kind : 0;
    case LONG:
        return kind ? 9000 * kind + s : 0;
    default:
        return 0;
    }
}

/* Run `run` adds STEP * run to each byte, so the expected bytes are computed for run 0 only. */
enum { STEP = 131 };

static unsigned char get_byte(int run, int s, int from, int to, ptrdiff_t i)
{
    return (unsigned char)(STEP * run + 31 * s + 17 * from + 7 * to + 3 * i + (i >> 8));
}

/* ---- a pipe with its areas */

typedef struct setting {
    const char *engine, *between, *node_ranks, *window;
} setting;

typedef struct job {
    int nslices, depth, shape;
    subx_pipe pipe;
    ptrdiff_t bytes[2][SLICES_MAX * RANKS_MAX]; /* sent, received */
    unsigned char *send, *recv;
    unsigned char *expected[SLICES_MAX]; /* by slice: the blocks from all ranks, in run 0 */
} job;

static MPI_Info make_hints(const setting *how)
{
    MPI_Info hints = test_hints("engine=%s between=%s node_ranks=%s window=%s", how->engine, how->between,
                                how->node_ranks, how->window);
    return hints;
}

static void set_lengths(job *j, int nslices, int shape)
{
    *j = (job){.nslices = nslices, .depth = nslices, .shape = shape, .pipe = SUBX_PIPE_NULL};
    for (int s = 0; s < nslices; s++)
        for (int q = 0; q < test_nranks; q++) {
            j->bytes[0][s * test_nranks + q] = get_length(shape, s, test_rank, q);
            j->bytes[1][s * test_nranks + q] = get_length(shape, s, q, test_rank);
        }
}

static int create(job *j, const setting *how)
{
    MPI_Info hints = make_hints(how);
    int rc = j->depth == j->nslices
                 ? subx_pipe_create(MPI_COMM_WORLD, j->nslices, j->bytes[0], j->bytes[1], hints, &j->pipe)
                 : subx_pipe_create_ring(MPI_COMM_WORLD, j->nslices, j->depth, j->bytes[0], j->bytes[1],
                                         hints, &j->pipe);
    MPI_Info_free(&hints);
    return rc;
}

/* Several jobs share areas that are as long as the largest ones need. */
static void alloc_areas(int n, job j[])
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

static void free_all(int n, job j[])
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

static void write_slice(const job *j, int run, int s)
{
    for (int q = 0; q < test_nranks; q++) {
        ptrdiff_t place = -1, n = j->bytes[0][s * test_nranks + q];
        EXPECT_OK(subx_pipe_get_place(j->pipe, s, q, &place));
        EXPECT(place % 64 == 0);
        for (ptrdiff_t i = 0; i < n; i++)
            j->send[place + i] = get_byte(run, s, test_rank, q, i);
    }
}

static unsigned char *deliver(const job *j, int s)
{
    int count[2][RANKS_MAX], displ[2][RANKS_MAX], end = 0;
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

/* Call this before the first run, since it makes ranks wait for each other. */
static void set_expected(job *j)
{
    for (int s = 0; s < j->nslices; s++) {
        write_slice(j, 0, s);
        j->expected[s] = deliver(j, s);
    }
}

/* ---- runs */

/* Delay some ranks, others each time. */
static void delay(int run, int where)
{
    if ((test_rank + run + where) % 3 == 1)
        usleep(400);
}

static void check_slice(const job *j, int run, int s, const void *const block[])
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

/* The order of calls in a run: all slices are posted first; one slice after the other; with tests. */
enum { POST_FIRST, IN_TURN, WITH_TEST, MODES };

static void start_slice(const job *j, int mode, int run, int s, const void *block[])
{
    int flag = 0;
    while (mode == WITH_TEST && !flag)
        if (!EXPECT_OK(subx_pipe_test(j->pipe, s, &flag)))
            break;
    EXPECT_OK(subx_pipe_start(j->pipe, s, block));
    check_slice(j, run, s, block);
}

static void post_slice(const job *j, int run, int s)
{
    write_slice(j, run, s);
    delay(run, s);
    EXPECT_OK(subx_pipe_post(j->pipe, s));
}

/* All blocks are read once more before the epoch is completed: they must be unchanged. After wait this rank may write
 * its send area, so the area is overwritten at once. */
static void execute(const job *j, int mode, int run)
{
    const void *block[SLICES_MAX][RANKS_MAX];
    ptrdiff_t bytes = 0;
    for (int s = 0; s < j->nslices; s++) {
        post_slice(j, run, s);
        if (mode == IN_TURN)
            start_slice(j, mode, run, s, block[s]);
    }
    for (int s = 0; s < j->nslices && mode != IN_TURN; s++)
        start_slice(j, mode, run, s, block[s]);
    delay(run, 2);
    for (int s = 0; s < j->nslices; s++)
        check_slice(j, run, s, block[s]);
    EXPECT_OK(subx_pipe_complete(j->pipe));
    delay(run, 1);
    EXPECT_OK(subx_pipe_wait(j->pipe));
    EXPECT_OK(subx_pipe_wait(j->pipe));
    EXPECT_OK(subx_pipe_get(j->pipe, NULL, &bytes, NULL));
    memset(j->send, 0xee, (size_t)bytes);
}

/* Before a slice is written in the place of an older one, the older one is completed. */
static void execute_ring(const job *j, int run)
{
    const void *block[RANKS_MAX];
    for (int s = 0; s < j->nslices; s++) {
        EXPECT_OK(subx_pipe_wait_room(j->pipe, s));
        post_slice(j, run, s);
        EXPECT_KIND(subx_pipe_complete_slice(j->pipe, s), SUBX_ERR_ACTIVE);
        start_slice(j, WITH_TEST, run, s, block);
        if (s + 1 == j->depth && s + 1 < j->nslices)
            EXPECT_KIND(subx_pipe_wait_room(j->pipe, s + 1), s ? SUBX_ERR_NONE : SUBX_ERR_ACTIVE);
        delay(run, s + 1);
        EXPECT_OK(subx_pipe_complete_slice(j->pipe, s));
        EXPECT_KIND(subx_pipe_complete_slice(j->pipe, s), SUBX_ERR_ACTIVE);
    }
    EXPECT_OK(subx_pipe_wait(j->pipe));
}

/* ---- all settings */

static const setting automatic = {"auto", "auto", "0", "4"}, on_nodes = {"node", "alltoallv", "2", "4"},
                     pairwise = {"pairwise", "auto", "0", "1"}, alltoallv = {"alltoallv", "auto", "0", "4"};

/* The settings that are checked. The first one is `automatic`. Each engine has one; an engine that serves local and remote
 * partners has one for each carrier. */
static setting settings[32];
static int nsettings;

static void add_setting(setting s)
{
    settings[nsettings++] = s;
}

/* Without shared memory, shm and node may be unavailable. */
static void add_engine(const char *engine, int traits)
{
    const char *carrier;
    int reads_local;
    if (!(is_to_be_had && traits & SUBX_ENGINE_LOCAL) && !test_engine_is_here(engine))
        return;
    if (!(traits & SUBX_ENGINE_BETWEEN))
        add_setting((setting){engine, "auto", "0", "1"});
    for (int i = 0; traits & SUBX_ENGINE_BETWEEN && EXPECT_OK(subx_pipe_query_engine(i, &carrier)) && carrier;
         i++) {
        EXPECT_OK(subx_exch_query_traits(carrier, &reads_local));
        if (!(reads_local & SUBX_ENGINE_LOCAL) && test_engine_is_here(carrier))
            add_setting((setting){engine, carrier, "2", "4"});
    }
}

static void add_all(void)
{
    const char *engine;
    int traits;
    add_setting(automatic);
    add_setting((setting){"auto", "pairwise", "1", "2"});
    add_setting((setting){"pairwise", "auto", "0", "100"});
    for (int i = 0; EXPECT_OK(subx_pipe_query_engine(i, &engine)) && engine; i++) {
        EXPECT_OK(subx_exch_query_traits(engine, &traits));
        add_engine(engine, traits);
    }
}

static void check_engine(const job *j, const setting *how)
{
    const char *engine = NULL;
    ptrdiff_t in = -1, total = 0;
    int traits = 0;
    EXPECT_OK(subx_pipe_get(j->pipe, &engine, NULL, &in));
    for (int i = 0; i < j->nslices * test_nranks; i++)
        total += i % test_nranks == test_rank ? 0 : j->bytes[1][i];
    if (strcmp(how->engine, "auto") != 0)
        EXPECT(strcmp(engine, how->engine) == 0);
    if (strcmp(engine, "shm") == 0)
        EXPECT_EQUAL(in, 0);
    EXPECT_OK(subx_exch_query_traits(engine, &traits));
    if (!(traits & SUBX_ENGINE_LOCAL))
        EXPECT(in >= total);
    EXPECT_SAME(engine[0]);
}

static void check(const setting *how, int nslices, int shape, int mode)
{
    job j;
    test_context("%s, %s between nodes of %s, window %s, slices %d, shape %d, mode %d", how->engine,
                 how->between, how->node_ranks, how->window, nslices, shape, mode);
    set_lengths(&j, nslices, shape);
    int rc = create(&j, how);
    if (!is_to_be_had && subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE)
        return;
    if (!EXPECT_OK(rc))
        return;
    check_engine(&j, how);
    alloc_areas(1, &j);
    set_expected(&j);
    for (int run = 0; run < RUNS; run++)
        execute(&j, mode, run);
    free_all(1, &j);
}

/* Each setting is tested with each shape. Each shape is tested with each number of slices and each mode. */
static void check_all(void)
{
    static const int slices[] = {1, 2, SLICES_MAX};
    for (int i = 0; i < nsettings; i++)
        for (int shape = 0; shape < SHAPES; shape++)
            check(&settings[i], slices[(i + shape) % 3], shape, (i / 3 + shape) % MODES);
}

/* Run a ring. With depth 1 its send area is at most as long as that of a pipe with room for all slices. */
static void check_ring(const setting *how, int depth, int shape)
{
    job j;
    ptrdiff_t all = 0, some = 0;
    test_context("ring of %d slices, %s, %s between nodes of %s, shape %d", depth, how->engine, how->between,
                 how->node_ranks, shape);
    set_lengths(&j, SLICES_MAX, shape);
    EXPECT_OK(create(&j, how));
    EXPECT_OK(subx_pipe_get(j.pipe, NULL, &all, NULL));
    EXPECT_OK(subx_pipe_free(&j.pipe));
    j.depth = depth;
    EXPECT_OK(create(&j, how));
    EXPECT_OK(subx_pipe_get(j.pipe, NULL, &some, NULL));
    EXPECT(depth > 1 || some <= all);
    alloc_areas(1, &j);
    set_expected(&j);
    for (int run = 0; run < 2 * RUNS; run++)
        execute_ring(&j, run);
    free_all(1, &j);
}

static void check_rings(void)
{
    for (int i = is_to_be_had ? 0 : 1; i < nsettings; i++)
        check_ring(&settings[i], 1 + i % 3, i % 2 ? SORTS : LONG);
}

/* Two pipes with the same areas are executed in turns, as forward and backward are. */
static void check_pair(const setting *how)
{
    job j[2];
    test_context("two pipes, %s", how->engine);
    for (int i = 0; i < 2; i++) {
        set_lengths(&j[i], 3 - i, i ? SORTS : LONG);
        EXPECT_OK(create(&j[i], how));
    }
    alloc_areas(2, j);
    for (int i = 0; i < 2; i++)
        set_expected(&j[i]);
    for (int k = 0; k < 10 * RUNS; k++)
        for (int i = 0; i < 2; i++)
            execute(&j[i], (k / RUNS + i) % MODES, k % RUNS);
    free_all(2, j);
}

/* ---- errors */

/* Change the areas between runs. A send area must be shared if a local partner reads in it. */
static void check_areas(void)
{
    const int is_read = is_to_be_had && test_nranks > 1;
    job j;
    void *own = NULL, *mem = NULL, *far = NULL;
    ptrdiff_t bytes = 0;
    test_context("areas");
    set_lengths(&j, 2, LONG);
    EXPECT_OK(create(&j, &automatic));
    EXPECT_OK(subx_pipe_get(j.pipe, NULL, &bytes, NULL));
    EXPECT_KIND(subx_pipe_post(j.pipe, 0), SUBX_ERR_ARG);
    alloc_areas(1, &j);
    set_expected(&j);
    execute(&j, POST_FIRST, 0);
    EXPECT_EQUAL(posix_memalign(&own, 64, (size_t)bytes + 64), 0);
    EXPECT_OK(subx_mem_alloc(MPI_COMM_SELF, bytes, MPI_INFO_NULL, &far));
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, bytes + 128, MPI_INFO_NULL, &mem));
    void *last = test_rank == test_nranks - 1 ? own : mem;
    EXPECT_KIND(subx_pipe_set_work(j.pipe, own, j.recv), is_read ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_NONE);
    EXPECT_KIND(subx_pipe_set_work(j.pipe, last, j.recv), is_read ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_NONE);
    EXPECT_KIND(subx_pipe_set_work(j.pipe, far, j.recv), is_read ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_NONE);
    EXPECT_KIND(subx_pipe_set_work(j.pipe, (char *)mem + 8, j.recv), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_set_work(j.pipe, bytes > 0 ? NULL : (char *)mem + 8, j.recv), SUBX_ERR_ARG);
    /* A failed call has changed nothing. */
    if (is_read)
        execute(&j, IN_TURN, 1);
    void *before = j.send;
    j.send = (unsigned char *)mem + 64;
    EXPECT_OK(subx_pipe_set_work(j.pipe, j.send, j.recv));
    execute(&j, IN_TURN, 2);
    j.send = before;
    free_all(1, &j);
    EXPECT_OK(subx_mem_free(&mem));
    EXPECT_OK(subx_mem_free(&far));
    free(own);
}

/* Each rank sends its rank in the communicator to all ranks of the pipe. */
static void execute_numbers(subx_pipe pipe, MPI_Comm comm, char *send)
{
    const void *block[RANKS_MAX];
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

/* Memory that all ranks share is good for a pipe of some of them, but not the other way round. */
static void check_communicators(void)
{
    ptrdiff_t bytes[RANKS_MAX];
    MPI_Comm comm[2] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    subx_pipe pipe[2];
    void *mem[2];
    test_context("communicators");
    MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, -test_rank, &comm[1]);
    for (int q = 0; q < RANKS_MAX; q++)
        bytes[q] = sizeof(int);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(subx_pipe_create(comm[i], 1, bytes, bytes, MPI_INFO_NULL, &pipe[i]));
        EXPECT_OK(subx_mem_alloc(comm[i], 64 * RANKS_MAX, MPI_INFO_NULL, &mem[i]));
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

/* Calls that come too early, too late or in a wrong order are refused, and the run goes on as if they had not been
 * made. */
static void check_order(const setting *how)
{
    job j;
    const void *block[RANKS_MAX];
    int flag = -1;
    test_context("wrong order, %s", how->engine);
    set_lengths(&j, 2, SORTS);
    EXPECT_OK(create(&j, how));
    alloc_areas(1, &j);
    set_expected(&j);
    EXPECT_OK(subx_pipe_wait(j.pipe));
    EXPECT_KIND(subx_pipe_post(j.pipe, 1), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_start(j.pipe, 0, block), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_pipe_test(j.pipe, 0, &flag), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_pipe_complete(j.pipe), SUBX_ERR_ACTIVE);
    post_slice(&j, 0, 0);
    EXPECT_KIND(subx_pipe_post(j.pipe, 0), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_post(j.pipe, 2), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_start(j.pipe, 1, block), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_start(j.pipe, 0, NULL), SUBX_ERR_ARG);
    start_slice(&j, POST_FIRST, 0, 0, block);
    EXPECT_KIND(subx_pipe_start(j.pipe, 1, block), SUBX_ERR_ACTIVE);
    EXPECT_OK(subx_pipe_test(j.pipe, 1, &flag));
    EXPECT_EQUAL(flag, 0);
    EXPECT_KIND(subx_pipe_set_work(j.pipe, j.send, j.recv), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_pipe_free(&j.pipe), SUBX_ERR_ACTIVE);
    post_slice(&j, 0, 1);
    EXPECT_KIND(subx_pipe_complete(j.pipe), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_pipe_wait(j.pipe), SUBX_ERR_ACTIVE);
    start_slice(&j, POST_FIRST, 0, 1, block);
    EXPECT_OK(subx_pipe_complete(j.pipe));
    EXPECT_KIND(subx_pipe_complete(j.pipe), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_pipe_post(j.pipe, 0), SUBX_ERR_ACTIVE);
    EXPECT_OK(subx_pipe_wait(j.pipe));
    execute(&j, POST_FIRST, 1);
    free_all(1, &j);
}

static void expect_refused(job *j, const setting *how, int kind)
{
    j->pipe = (subx_pipe)(void *)j;
    EXPECT_KIND(create(j, how), kind);
    EXPECT(j->pipe == SUBX_PIPE_NULL);
    EXPECT_OK(subx_pipe_free(&j->pipe));
}

/* One rank has a wrong argument, and all ranks get the error. */
static void check_arguments(void)
{
    const int is_last = test_rank == test_nranks - 1;
    job j;
    test_context("arguments");
    set_lengths(&j, 2, IDLE_RANK);
    j.bytes[1][0] += is_last;
    expect_refused(&j, &automatic, SUBX_ERR_MISMATCH);
    expect_refused(&j, &pairwise, SUBX_ERR_MISMATCH);
    j.bytes[1][0] = is_last ? -1 : j.bytes[1][0];
    expect_refused(&j, &automatic, SUBX_ERR_SIZE);
    set_lengths(&j, 2, SORTS);
    j.nslices = is_last ? 0 : 2;
    expect_refused(&j, &automatic, SUBX_ERR_ARG);
    j.nslices = is_last ? 1 : 2;
    if (test_nranks > 1)
        expect_refused(&j, &automatic, SUBX_ERR_DIFFERS);
    EXPECT_KIND(
        subx_pipe_create(MPI_COMM_WORLD, 2, j.bytes[0], is_last ? NULL : j.bytes[1], MPI_INFO_NULL, &j.pipe),
        SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_create(MPI_COMM_NULL, 2, j.bytes[0], j.bytes[1], MPI_INFO_NULL, &j.pipe),
                SUBX_ERR_COMM);
    EXPECT_KIND(subx_pipe_get(SUBX_PIPE_NULL, NULL, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_pipe_wait(SUBX_PIPE_NULL), SUBX_ERR_ARG);
}

/* Lengths beyond 63 bits are refused. Lengths beyond an int are refused by engine alltoallv, but not by pairwise. No areas
 * are allocated. */
static void check_large(void)
{
    job j;
    test_context("large");
    set_lengths(&j, 1, EMPTY);
    for (int q = 0; q < test_nranks; q++)
        j.bytes[0][q] = j.bytes[1][q] = INT64_MAX - 63;
    if (test_nranks > 1)
        expect_refused(&j, &automatic, SUBX_ERR_TOO_LARGE);
    for (int q = 0; q < test_nranks; q++)
        j.bytes[0][q] = j.bytes[1][q] = (ptrdiff_t)1 << 32;
    if (test_nranks > 1)
        expect_refused(&j, &alltoallv, SUBX_ERR_UNAVAILABLE);
    EXPECT_OK(create(&j, &pairwise));
    EXPECT_OK(subx_pipe_free(&j.pipe));
}

static void check_hints(void)
{
    const int is_last = test_rank == test_nranks - 1;
    const setting wrong[] = {{"alltoallw", "auto", "0", "4"},
                             {"auto", "shm", "0", "4"},
                             {"auto", "x", "0", "4"},
                             {"auto", "auto", "-1", "4"},
                             {"auto", "auto", "0", "0"}};
    const setting other[] = {{"node", "auto", "0", "4"},
                             {"auto", "alltoallv", "0", "4"},
                             {"auto", "auto", "3", "4"},
                             {"auto", "auto", "0", "3"}};
    job j;
    test_context("hints");
    set_lengths(&j, 2, SORTS);
    for (int i = 0; i < 5; i++)
        expect_refused(&j, is_last ? &wrong[i] : &automatic, SUBX_ERR_HINT);
    for (int i = 0; i < 4 && test_nranks > 1; i++)
        expect_refused(&j, is_last ? &other[i] : &automatic, SUBX_ERR_DIFFERS);
    const setting alone = {"shm", "auto", "1", "4"};
    set_lengths(&j, 2, LONG);
    if (test_nranks > 1)
        expect_refused(&j, &alone, SUBX_ERR_UNAVAILABLE);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    add_all();
    check_all();
    check_rings();
    check_pair(&automatic);
    check_pair(&on_nodes);
    check_pair(&pairwise);
    check_areas();
    if (is_to_be_had)
        check_communicators();
    check_order(&automatic);
    check_order(&pairwise);
    check_order(&alltoallv);
    check_arguments();
    check_large();
    check_hints();
    return test_end();
}
