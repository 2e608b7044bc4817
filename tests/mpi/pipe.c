/* pipe.c - pipes bring the same blocks as MPI_Alltoallv: with any local partners, with ranks and slices that
 * are delayed, in many epochs.
 * ranks: 1 2 3 5 7 (four would repeat five, which has nodes of two ranks, too) */
#include "mpi/pipe_help.h"
#include "common/engine.h"
#include "common/verdict.h"
#include <string.h>

enum { RUNS = 3 };

/* Run a ring: each slice is posted, started and completed before the next one is written. */
static void execute_ring(const pipe_job *j, int run)
{
    const void *block[PIPE_RANKS];
    for (int s = 0; s < j->nslices; s++) {
        EXPECT_OK(subx_pipe_wait_room(j->pipe, s));
        pipe_post_slice(j, run, s);
        EXPECT_KIND(subx_pipe_complete_slice(j->pipe, s), SUBX_ERR_ACTIVE);
        pipe_start_slice(j, PIPE_WITH_TEST, run, s, block);
        if (s + 1 == j->depth && s + 1 < j->nslices)
            EXPECT_KIND(subx_pipe_wait_room(j->pipe, s + 1), s ? SUBX_ERR_NONE : SUBX_ERR_ACTIVE);
        pipe_delay(run, s + 1);
        EXPECT_OK(subx_pipe_complete_slice(j->pipe, s));
        EXPECT_KIND(subx_pipe_complete_slice(j->pipe, s), SUBX_ERR_ACTIVE);
    }
    EXPECT_OK(subx_pipe_wait(j->pipe));
}

/* ---- all settings */

static const pipe_setting on_nodes = {"node", "alltoallv", "2", "4"};

/* The settings that are checked. The first one is pipe_automatic. Each engine has a setting. An engine for
 * local and remote partners has a setting for each carrier. */
static pipe_setting settings[32];
static int nsettings;

static void add_setting(pipe_setting s)
{
    settings[nsettings++] = s;
}

/* Add the settings of an engine. Engines shm and node are left out if ranks cannot share memory. */
static void add_engine(const char *engine, int traits)
{
    const char *carrier;
    int reads_local;
    if (!(pipe_is_shared && traits & SUBX_ENGINE_LOCAL) && !test_engine_is_here(engine))
        return;
    if (!(traits & SUBX_ENGINE_BETWEEN))
        add_setting((pipe_setting){engine, "auto", "0", "1"});
    for (int i = 0; traits & SUBX_ENGINE_BETWEEN && EXPECT_OK(subx_pipe_query_engine(i, &carrier)) && carrier;
         i++) {
        EXPECT_OK(subx_exch_query_traits(carrier, &reads_local));
        if (!(reads_local & SUBX_ENGINE_LOCAL) && test_engine_is_here(carrier))
            add_setting((pipe_setting){engine, carrier, "2", "4"});
    }
}

static void add_all(void)
{
    const char *engine;
    int traits;
    add_setting(pipe_automatic);
    add_setting((pipe_setting){"auto", "pairwise", "1", "2"});
    add_setting((pipe_setting){"pairwise", "auto", "0", "100"});
    for (int i = 0; EXPECT_OK(subx_pipe_query_engine(i, &engine)) && engine; i++) {
        EXPECT_OK(subx_exch_query_traits(engine, &traits));
        add_engine(engine, traits);
    }
}

static void check_engine(const pipe_job *j, const pipe_setting *how)
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

static void check(const pipe_setting *how, int nslices, int shape, int mode)
{
    pipe_job j;
    test_context("%s, %s between nodes of %s, window %s, slices %d, shape %d, mode %d", how->engine,
                 how->between, how->node_ranks, how->window, nslices, shape, mode);
    pipe_set_lengths(&j, nslices, shape);
    int rc = pipe_create(&j, how);
    if (!pipe_is_shared && subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE)
        return;
    if (!EXPECT_OK(rc))
        return;
    check_engine(&j, how);
    pipe_alloc_areas(1, &j);
    pipe_set_expected(&j);
    for (int run = 0; run < RUNS; run++)
        pipe_execute(&j, mode, run);
    pipe_free(1, &j);
}

/* Test each setting with each shape of lengths, and each shape with each number of slices and each order of
 * calls; but not each setting with each number of slices. */
static void check_all(void)
{
    static const int slices[] = {1, 2, PIPE_SLICES};
    for (int i = 0; i < nsettings; i++)
        for (int shape = 0; shape < PIPE_SHAPES; shape++)
            check(&settings[i], slices[(i + shape) % 3], shape, (i / 3 + shape) % PIPE_MODES);
}

/* Run a ring. With depth 1 its send area must not be longer than the area of a pipe that has room for all
 * slices. */
static void check_ring(const pipe_setting *how, int depth, int shape)
{
    pipe_job j;
    ptrdiff_t all = 0, some = 0;
    test_context("ring of %d slices, %s, %s between nodes of %s, shape %d", depth, how->engine, how->between,
                 how->node_ranks, shape);
    pipe_set_lengths(&j, PIPE_SLICES, shape);
    EXPECT_OK(pipe_create(&j, how));
    EXPECT_OK(subx_pipe_get(j.pipe, NULL, &all, NULL));
    EXPECT_OK(subx_pipe_free(&j.pipe));
    j.depth = depth;
    EXPECT_OK(pipe_create(&j, how));
    EXPECT_OK(subx_pipe_get(j.pipe, NULL, &some, NULL));
    EXPECT(depth > 1 || some <= all);
    pipe_alloc_areas(1, &j);
    pipe_set_expected(&j);
    for (int run = 0; run < 2 * RUNS; run++)
        execute_ring(&j, run);
    pipe_free(1, &j);
}

static void check_rings(void)
{
    for (int i = pipe_is_shared ? 0 : 1; i < nsettings; i++)
        check_ring(&settings[i], 1 + i % 3, i % 2 ? PIPE_SORTS : PIPE_LONG);
}

/* Two pipes share their areas and are executed alternately, as the forward and backward pipes of a plan
 * are. */
static void check_pair(const pipe_setting *how)
{
    pipe_job j[2];
    test_context("two pipes, %s", how->engine);
    for (int i = 0; i < 2; i++) {
        pipe_set_lengths(&j[i], 3 - i, i ? PIPE_SORTS : PIPE_LONG);
        EXPECT_OK(pipe_create(&j[i], how));
    }
    pipe_alloc_areas(2, j);
    for (int i = 0; i < 2; i++)
        pipe_set_expected(&j[i]);
    for (int k = 0; k < 4 * RUNS; k++)
        for (int i = 0; i < 2; i++)
            pipe_execute(&j[i], (k / RUNS + i) % PIPE_MODES, k % RUNS);
    pipe_free(2, j);
}
int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    add_all();
    check_all();
    check_rings();
    check_pair(&pipe_automatic);
    check_pair(&on_nodes);
    check_pair(&pipe_pairwise);
    return test_end();
}
