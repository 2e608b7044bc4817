/* plans.c - several threads of each rank create, execute and free types, exchanges and plans (which have grids
 * and pipes). Each thread has its own communicator.
 * ranks: 1 2 3 (each of them has several threads) */
#include "common/engine.h"
#include "common/field.h"
#include "common/verdict.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

enum { THREADS = 2, ROUNDS = 2, EXECUTIONS = 3 };

typedef struct worker {
    pthread_t thread;
    int index;
    MPI_Comm comm, alone; /* comm: all ranks, for this thread only; alone: this rank only */
} worker;

/* ---- types: the first type of a process creates what all types need, and all threads create types at the
 * same time */

static void use_types(const worker *w, int round)
{
    const int sizes[] = {6, 7, 5}, starts[] = {1, 2, 0}, order[] = {1, 2, 0};
    const int subsizes[] = {2 + w->index, 3, 4 - round};
    MPI_Datatype type = MPI_DATATYPE_NULL, dup = MPI_DATATYPE_NULL;
    MPI_Count size = 0;
    int same = 0, n = 0;
    EXPECT_OK(MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &dup));
    EXPECT_KIND(subx_type_get_subarray(dup, 3, &n, NULL, NULL, NULL, NULL, NULL, NULL),
                SUBX_ERR_NOT_SUBARRAY);
    EXPECT_OK(MPI_Type_free(&dup));
    EXPECT_OK(subx_type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, order, MPI_DOUBLE, &type));
    EXPECT_OK(MPI_Type_dup(type, &dup));
    EXPECT_OK(subx_type_query_match(type, dup, &same, NULL, NULL, NULL));
    EXPECT(same);
    EXPECT_OK(MPI_Type_free(&type));
    EXPECT_OK(MPI_Type_size_x(dup, &size));
    EXPECT_EQUAL(size, 8 * subsizes[0] * subsizes[1] * subsizes[2]);
    EXPECT_OK(MPI_Type_free(&dup));
}

/* ---- exchanges, against global indices */

static test_part divide(const test_field *f, int axis, const int order[])
{
    test_part p = {.ndims = f->ndims, .count = 1};
    for (int a = 0; a < f->ndims; a++) {
        p.shape[a] = f->sizes[a];
        p.order[a] = order[a];
    }
    EXPECT_OK(subx_block_get(f->sizes[axis], test_nranks, test_rank, &p.shape[axis], &p.start[axis]));
    for (int a = 0; a < f->ndims; a++)
        p.count *= p.shape[a];
    return p;
}

static void execute_exchange(subx_exch ex, const test_field *f, const test_part part[2], double *in,
                             double *out)
{
    for (int k = 0; k < EXECUTIONS; k++) {
        int wrong = 0;
        for (ptrdiff_t i = 0; i < part[0].count; i++)
            in[i] = (double)(test_part_global(f, &part[0], SUBX_FFT_PHYSICAL, i) + k);
        memset(out, 0, (size_t)part[1].count * sizeof *out);
        EXPECT_OK(subx_exch_execute(ex, in, out));
        for (ptrdiff_t i = 0; i < part[1].count; i++)
            wrong += out[i] != (double)(test_part_global(f, &part[1], SUBX_FFT_PHYSICAL, i) + k);
        EXPECT_EQUAL(wrong, 0);
    }
}

/* Execute an exchange. Its input is in shared memory (`shared` 1) or in the thread's own memory (0). */
static void use_exchange(const worker *w, const char *engine, int shared)
{
    static const int c_order[] = {2, 1, 0}, other[] = {1, 0, 2};
    const test_field f = {.kind = SUBX_FFT_C2C, .ndims = 3, .sizes = {5, 6 + w->index, 7}};
    const test_part part[2] = {divide(&f, 1, c_order), divide(&f, 0, other)};
    test_random r = test_random_stream(test_seed(), 40 + (uint64_t)w->index);
    char text[64];
    void *in = NULL;
    subx_exch ex = SUBX_EXCH_NULL;
    MPI_Info hints = test_engine_hints(&r, engine, text);
    test_context("thread %d: %s", w->index, text);
    int rc = subx_exch_create_realign(w->comm, 3, f.sizes, 0, 1, c_order, other, MPI_DOUBLE, hints, &ex);
    MPI_Info_free(&hints);
    if (test_engine_may_lack(engine) && subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE)
        return;
    if (!EXPECT_OK(rc))
        return;
    if (shared)
        EXPECT_OK(subx_mem_alloc(w->comm, 8 * part[0].count, MPI_INFO_NULL, &in));
    else
        in = malloc(8 * (size_t)part[0].count + 1);
    double *out = malloc(8 * (size_t)part[1].count + 1);
    execute_exchange(ex, &f, part, in, out);
    EXPECT_OK(subx_exch_free(&ex));
    if (shared)
        EXPECT_OK(subx_mem_free(&in));
    free(in);
    free(out);
}

static void use_exchanges(const worker *w, int round)
{
    for (int k = round; k < test_engine_count(); k += ROUNDS)
        use_exchange(w, test_engine_get(k + w->index), k / ROUNDS % 2);
}

/* ---- plans, against the definition */

static const test_choices choices[] = {
    {.strategy = "fused", .more = {{"subx_effort", "measure"}}},
    {.strategy = "fused", .grid = "0x0", .engine = "node", .more = {{"node_ranks", "2"}, {"cache", "600"}}},
    {.strategy = "fused", .engine = "pairwise", .more = {{"overlap", "both"}, {"slices", "2"}}},
    {.strategy = "stride1", .grid = "0x0", .more = {{"subx_effort", "measure"}}},
    {.strategy = "stride1", .engine = "pairwise"},
    {.strategy = "natural", .engine = "types"},
};
enum { CHOICES = sizeof choices / sizeof *choices };

/* Execute at once, or start and wait. While a thread waits, it also goes on with the plans of other
 * threads. */
static void execute(subx_fft_plan plan, int direction, int starts, const void *from, void *to)
{
    if (!starts) {
        EXPECT_OK(subx_fft_execute(plan, direction, from, to));
        return;
    }
    if (EXPECT_OK(subx_fft_start(plan, direction, from, to)))
        EXPECT_OK(subx_fft_wait(plan));
}

static void execute_plan(subx_fft_plan plan, const test_field *f)
{
    const double n = (double)f->count;
    const test_part u = test_part_get(f, plan, SUBX_FFT_PHYSICAL),
                    s = test_part_get(f, plan, SUBX_FFT_SPECTRAL);
    void *field = calloc(1, (size_t)u.bytes), *spectrum = calloc(1, (size_t)s.bytes);
    for (int k = 0; k < EXECUTIONS; k++) {
        test_part_fill(f, &u, SUBX_FFT_PHYSICAL, 1, field);
        execute(plan, SUBX_FFT_FORWARD, k % 2, field, spectrum);
        EXPECT(test_part_compare(f, &s, SUBX_FFT_SPECTRAL, 1, spectrum) <= 1e-12 * sqrt(n));
        test_part_fill(f, &s, SUBX_FFT_SPECTRAL, 1, spectrum);
        execute(plan, SUBX_FFT_BACKWARD, k > 0, spectrum, field);
        EXPECT(test_part_compare(f, &u, SUBX_FFT_PHYSICAL, n, field) <= 1e-12 * n * sqrt(n));
    }
    free(field);
    free(spectrum);
}

/* Each thread has arrays of another shape and kind. */
static void use_plans(const worker *w, int round)
{
    static const ptrdiff_t sizes[THREADS][3] = {{6, 8, 10}, {9, 5, 7}};
    const int kind = (w->index + round) % 2 ? SUBX_FFT_R2C : SUBX_FFT_C2C;
    test_field f = test_field_create(kind, 3, sizes[w->index], test_seed() + (uint64_t)w->index);
    for (int i = round; i < CHOICES; i += ROUNDS) {
        const test_choices *c = &choices[(i + w->index) % CHOICES];
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        test_context("thread %d: kind %d, %s, grid %s, %s", w->index, kind, c->strategy, c->grid, c->engine);
        if (EXPECT_OK(test_field_plan(&f, c, w->comm, &plan)))
            execute_plan(plan, &f);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    test_field_free(&f);
}

/* ---- threads */

static void create_comms(worker *w)
{
    EXPECT_OK(MPI_Comm_dup(MPI_COMM_WORLD, &w->comm));
    EXPECT_OK(MPI_Comm_dup(MPI_COMM_SELF, &w->alone));
    EXPECT_OK(MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN));
}

/* All threads make their first calls at the same time. No thread waits for another rank here, so threads are
 * often in the planner of the serial backend at the same time. */
static void *work_alone(void *context)
{
    enum { PLANS = 100 };
    const worker *w = context;
    use_types(w, 0);
    test_context("thread %d: many plans", w->index);
    for (int i = 0; i < PLANS; i++) {
        const test_field f = {
            .kind = SUBX_FFT_C2C, .ndims = 3, .sizes = {2 + i % 7, 3 + (i + w->index) % 11, 4}};
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        EXPECT_OK(test_field_plan(&f, &choices[i % CHOICES], w->alone, &plan));
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    return NULL;
}

/* In the first round all threads make the same calls at the same time, in later rounds different calls. Each
 * round uses some of the engines and choices. */
static void *use_all(void *context)
{
    static void (*const uses[])(const worker *, int) = {use_types, use_plans, use_exchanges};
    enum { USES = sizeof uses / sizeof *uses };
    const worker *w = context;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < USES; i++) {
            test_context("thread %d, round %d, use %d", w->index, round, i);
            uses[(i + round * w->index) % USES](w, round);
        }
    return NULL;
}

/* The barrier separates the two parts of the test: Open MPI 4.1 may wait for ever if one thread duplicates a
 * communicator of all ranks while another thread duplicates a communicator of one rank. */
static void run(void *body(void *), worker workers[])
{
    for (int i = 0; i < THREADS; i++)
        EXPECT_EQUAL(pthread_create(&workers[i].thread, NULL, body, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        EXPECT_EQUAL(pthread_join(workers[i].thread, NULL), 0);
    EXPECT_OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Threads may free plans in any order, so the library must keep no plan. */
static void check_nothing_is_kept(void)
{
    const ptrdiff_t sizes[] = {8, 6};
    test_field f = test_field_create(SUBX_FFT_C2C, 2, sizes, test_seed());
    const test_choices c = {.more = {{"subx_keep", "1000000"}}};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    ptrdiff_t bytes = -1;
    EXPECT_OK(test_field_plan(&f, &c, MPI_COMM_WORLD, &plan));
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_OK(subx_fft_query_kept(&bytes));
    EXPECT_EQUAL(bytes, 0);
    test_field_free(&f);
}

int main(int argc, char **argv)
{
    worker workers[THREADS];
    int level = MPI_THREAD_SINGLE;
    /* Open MPI decides by the number of ranks, not of threads, whether ranks that wait yield their core. */
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return 77;
    }
    test_begin(&argc, &argv);
    for (int i = 0; i < THREADS; i++) {
        workers[i].index = i;
        create_comms(&workers[i]);
    }
    run(work_alone, workers);
    run(use_all, workers);
    check_nothing_is_kept();
    for (int i = 0; i < THREADS; i++) {
        EXPECT_OK(MPI_Comm_free(&workers[i].comm));
        EXPECT_OK(MPI_Comm_free(&workers[i].alone));
    }
    return test_end();
}
