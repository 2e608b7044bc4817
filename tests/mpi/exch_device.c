/* exch_device.c - exchanges between arrays in device memory, by default on the fake device: refusals; buffers
 * in the wrong memory; device calls that fail; memory of subx_mem_alloc on the device. (exch_random.c
 * compares random exchanges with the definition.) With TEST_DEVICE=cuda:device the test runs on a GPU,
 * without the device calls that fail.
 * ranks: 1 2 3 4 5 7 (most device calls fail on one and on three) */
#include "common/hints.h"
#include "common/on_device.h"
#include "common/plan.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>

/* ---- refusals */

static int create_sample(const char *memory, const char *more, subx_exch *ex)
{
    static const ptrdiff_t sizes[] = {5, 7, 4};
    static const int order[] = {1, 0, 2};
    return test_device_create_realign(more, memory, sizes, order, ex);
}

static void check_refusal(const char *memory, const char *more, int kind)
{
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("%s, %s", memory, more);
    EXPECT_KIND(create_sample(memory, more, &ex), kind);
    EXPECT(ex == SUBX_EXCH_NULL);
}

/* An exchange of too many single elements at irregular places. */
static void check_irregular(void)
{
    enum { MANY = 300 };
    int places[MANY];
    MPI_Datatype list;
    MPI_Info hints = test_hints("memory_kind=%s", test_device.place);
    MPI_Datatype *type = malloc((size_t)test_nranks * sizeof *type);
    subx_exch ex = SUBX_EXCH_NULL;
    for (int i = 0; i < MANY; i++)
        places[i] = i * i;
    MPI_Type_create_indexed_block(MANY, 1, places, MPI_INT, &list);
    for (int q = 0; q < test_nranks; q++)
        type[q] = q == test_rank ? list : MPI_DATATYPE_NULL;
    EXPECT_KIND(subx_exch_create(MPI_COMM_WORLD, type, type, hints, &ex), SUBX_ERR_UNAVAILABLE);
    MPI_Type_free(&list);
    MPI_Info_free(&hints);
    free(type);
}

static void check_refusals(void)
{
    subx_exch ex = SUBX_EXCH_NULL;
    ptrdiff_t bytes = -1;
    check_refusal("gpu", "engine=auto", SUBX_ERR_HINT);
    check_refusal(test_device.place, "engine=types", SUBX_ERR_UNAVAILABLE);
    check_refusal(test_device.place, "engine=alltoallw", SUBX_ERR_UNAVAILABLE);
    if (test_nranks > 1)
        check_refusal(test_rank == 0 ? "system" : test_device.place, "engine=auto", SUBX_ERR_DIFFERS);
    check_irregular();
    test_context("calls for the wrong exchange");
    EXPECT_OK(create_sample("system", "engine=auto", &ex));
    EXPECT_KIND(subx_exch_set_stream(ex, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_exch_set_device_work(ex, NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_exch_get_device_work(ex, &bytes));
    EXPECT_EQUAL(bytes, 0);
    EXPECT_OK(subx_exch_free(&ex));
    EXPECT_OK(create_sample(test_device.place, "engine=auto", &ex));
    EXPECT_KIND(subx_exch_set_device_work(ex, NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_exch_free(&ex));
}

/* The hints in effect name the memory, the engine and the number of slices. */
static void check_info(void)
{
    const char *const values[][2] = {{"subx_memory_kind", test_device.place}, {"slices", "3"}};
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("hints in effect");
    if (!EXPECT_OK(create_sample(test_device.place, "engine=pairwise slices=3", &ex)))
        return;
    for (int i = 0; i < 2; i++) {
        MPI_Info info;
        EXPECT_OK(subx_exch_get_info(ex, &info));
        test_info_expect(info, values[i][0], values[i][1]);
    }
    EXPECT_OK(subx_exch_free(&ex));
}

/* ---- faults */

/* An exchange on the device, its buffers, and what the same exchange on the host receives. */
typedef struct pair {
    subx_exch device;
    ptrdiff_t bytes[2]; /* [side]: of a buffer */
    void *memory[2], *on_device[2], *expected;
} pair;

static int begin_sample(pair *x, const char *more)
{
    test_random r = test_random_stream(test_seed() + 3, (uint64_t)test_rank);
    subx_exch host = SUBX_EXCH_NULL;
    if (!EXPECT_OK(create_sample("system", "engine=alltoallv", &host)) ||
        !EXPECT_OK(create_sample(test_device.place, more, &x->device)))
        return 0;
    EXPECT_OK(subx_exch_get(host, NULL, &x->bytes[0], &x->bytes[1], NULL));
    for (int side = 0; side < 2; side++) {
        x->memory[side] = malloc((size_t)x->bytes[side] + 1);
        test_random_fill(&r, x->memory[side], (size_t)x->bytes[side]);
        x->on_device[side] = test_device_alloc(x->bytes[side]);
    }
    x->expected = malloc((size_t)x->bytes[1] + 1);
    EXPECT_OK(subx_exch_execute(host, x->memory[0], x->expected));
    return EXPECT_OK(subx_exch_free(&host));
}

static void end_sample(pair *x)
{
    EXPECT_OK(subx_exch_free(&x->device));
    for (int side = 0; side < 2; side++) {
        free(x->memory[side]);
        test_device_free(x->on_device[side]);
    }
    free(x->expected);
}

static int execute(pair *x)
{
    for (int side = 0; side < 2; side++)
        test_device_copy(x->on_device[side], x->memory[side], x->bytes[side]);
    return subx_exch_execute(x->device, x->on_device[0], x->on_device[1]);
}

static void compare(const pair *x)
{
    char *got = malloc((size_t)x->bytes[1] + 1);
    test_device_copy(got, x->on_device[1], x->bytes[1]);
    EXPECT(memcmp(got, x->expected, (size_t)x->bytes[1]) == 0);
    free(got);
}

static void check_execution(pair *x)
{
    EXPECT_OK(execute(x));
    compare(x);
}

/* If export fails on a rank, the exchange goes through the hosts, and says that it has dropped this way. */
static void check_fallback(void)
{
    subx_exch ex = SUBX_EXCH_NULL;
    char value[MPI_MAX_INFO_VAL + 1];
    int dropped = 0;
    test_context("fallback");
    for (long n = 0; n < 40; n++) {
        test_device_begin_execution_fault(n);
        const int rc = create_sample(test_device.place, "engine=auto", &ex);
        test_device.fake->fails_after = -1;
        if (rc)
            continue;
        test_device_get_info(ex, "subx_dropped", value);
        dropped += strstr(value, "ipc") != NULL;
        EXPECT_OK(subx_exch_free(&ex));
    }
    EXPECT(dropped > 0);
    EXPECT(dropped < 40);
}

/* Rank 0 passes a buffer in host memory, first to send, then to receive, and then data that it knows to be
 * wrong. Other ranks must get right data or PEER. */
static void check_wrong(void)
{
    pair x = {0};
    test_context("wrong memory");
    if (!begin_sample(&x, "engine=pairwise slices=2"))
        return;
    for (int k = 0; k < 3; k++) {
        EXPECT_OK(execute(&x));
        if (k == 2 && test_rank == 0)
            EXPECT_OK(subx_exch_set_failed(x.device));
        const int rc = subx_exch_execute(x.device, test_rank == 0 && k == 0 ? x.memory[0] : x.on_device[0],
                                         test_rank == 0 && k == 1 ? x.memory[1] : x.on_device[1]);
        test_device_expect_wrong(rc, k < 2 ? SUBX_ERR_ARG : SUBX_ERR_PEER);
        check_execution(&x);
    }
    end_sample(&x);
}

/* Device call n, or allocation n of the library, fails on one rank while an exchange is created. Returns 1 if
 * there was such a call or allocation. All ranks get the same kind of error, or all get the exchange. */
static int fail_creation(const char *more, int is_device, long n)
{
    const int victim = test_nranks - 1, left = test_device_count();
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("creation, %s %ld fails, %s", is_device ? "call" : "allocation", n, more);
    test_device_begin_fault(victim, is_device, n);
    const int rc = create_sample(test_device.place, more, &ex);
    const int has_failed = test_device_end_fault(victim, is_device, rc);
    EXPECT(!ex == (rc != MPI_SUCCESS));
    EXPECT_OK(subx_exch_free(&ex));
    EXPECT_EQUAL(test_device_count(), left);
    return has_failed;
}

/* Device call n fails on rank 0 during an execution. Rank 0 gets the error DEVICE; the others get right data
 * or the error PEER. The next execution is right on all ranks. */
static void check_failing(const char *more)
{
    pair x = {0};
    int has_failed = 1;
    long n = 0;
    if (!begin_sample(&x, more))
        return;
    for (; has_failed; n++) {
        test_context("execution, call %ld fails, %s", n, more);
        check_execution(&x);
        test_device_begin_execution_fault(n);
        const int rc = subx_exch_execute(x.device, x.on_device[0], x.on_device[1]);
        has_failed = test_device_end_execution_fault(rc);
        if (rc == MPI_SUCCESS)
            compare(&x);
        check_execution(&x);
    }
    EXPECT(n > 3);
    end_sample(&x);
}

static void check_fault(const char *hints)
{
    long n = 0;
    while (fail_creation(hints, 1, n))
        n++;
    EXPECT(n > 5);
    for (n = 0; fail_creation(hints, 0, n);)
        n += 3;
    EXPECT(n > 5);
    check_failing(hints);
}

static void check_faults(void)
{
    static const char *const hints[] = {"slices=3", "engine=pairwise slices=2",
                                        "engine=node node_ranks=2 slices=2"};
    for (int messages = SX_FAKE_REFUSES_MESSAGES; messages <= SX_FAKE_TAKES_MESSAGES; messages++) {
        test_device_set_messages((uint64_t)messages);
        check_wrong();
        if (test_device.fake && test_nranks > 1)
            check_fallback();
        for (int k = 0; k < 3 && test_device.fake; k++)
            if (test_nranks == 1 || test_nranks == 3 || (messages && k > 0))
                check_fault(hints[k]);
    }
}

/* ---- memory of subx_mem_alloc on the device */

static void check_memory(void)
{
    enum { BYTES = 1000 };
    char from[BYTES], to[BYTES] = "";
    void *mem[2] = {NULL, NULL};
    MPI_Info hints = test_hints("memory_kind=%s", test_device.place);
    test_context("subx_mem_alloc");
    for (int i = 0; i < BYTES; i++)
        from[i] = (char)(i + test_rank);
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, BYTES, hints, &mem[0]));
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, test_rank == 0 ? 0 : BYTES, hints, &mem[1]));
    EXPECT(test_device.table->has(test_device.handle, mem[0], BYTES));
    EXPECT_OK(subx_mem_write(mem[0], from, BYTES));
    EXPECT_OK(subx_mem_read(mem[0], to, BYTES));
    EXPECT(memcmp(from, to, BYTES) == 0);
    EXPECT_OK(subx_mem_read((char *)mem[0] + BYTES - 5, to, 5));
    EXPECT(memcmp(from + BYTES - 5, to, 5) == 0);
    EXPECT_KIND(subx_mem_read((char *)mem[0] + BYTES - 5, to, 6), SUBX_ERR_ARG);
    EXPECT_KIND(subx_mem_write(from, to, 6), SUBX_ERR_ARG);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(subx_mem_free(&mem[i]));
    MPI_Info_free(&hints);
    hints = test_hints("memory_kind=gpu");
    EXPECT_KIND(subx_mem_alloc(MPI_COMM_WORLD, BYTES, hints, &mem[0]), SUBX_ERR_HINT);
    MPI_Info_free(&hints);
}

int main(int argc, char **argv)
{
    test_device_begin(&argc, &argv);
    check_refusals();
    check_info();
    check_memory();
    check_faults();
    test_device_close();
    return test_end();
}
