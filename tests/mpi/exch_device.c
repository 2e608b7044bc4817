/* exch_device.c - exchanges between arrays in device memory, by default on the fake device. Random exchanges,
 * with one or two blocks per partner, are compared with the same exchanges on the host; so are realignments
 * between all pairs of orders. Some exchanges of doubles have floats in messages (subx_wire). Also: streams
 * and work space of the caller; refusals; buffers in the wrong memory; device calls that fail.
 *
 * Each random exchange has a communicator of its own, with some of the ranks in some order. The variable
 * RANDOM_COUNT is the number of exchanges. MPI takes memory of the fake device, refuses it, or spoils the
 * messages. With TEST_DEVICE=cuda:device the test runs on a GPU, without the device calls that fail.
 * ranks: 1 2 3 4 5 7 (most device calls fail on one and on three) */
#include "common/hints.h"
#include "common/traversal.h"
#include "common/verdict.h"
#include "mpi/on_device.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>

enum { TEXT = 256 };

/* ---- a pair of exchanges, on the host and on the device */

typedef struct pair {
    MPI_Comm comm;
    int rank, nranks;
    subx_exch host, device;
    ptrdiff_t bytes[2]; /* [side]: of a buffer */
    void *memory[2], *on_device[2], *expected;
    void *stream; /* of the caller; NULL for none */
    void *host_work, *device_work;
    int is_readable; /* 1 if visible partners can read the send buffer */
    int is_narrow;   /* 1 if the doubles travel as floats */
} pair;

/* Allocate memory of the device that other ranks can read. Collective. */
static void *alloc_readable(MPI_Comm comm, ptrdiff_t bytes)
{
    MPI_Info hints = test_hints("memory_kind=%s", test_device.place);
    void *memory = NULL;
    EXPECT_OK(subx_mem_alloc(comm, bytes, hints, &memory));
    MPI_Info_free(&hints);
    return memory;
}

/* Fill an array with doubles, some of them beyond the range of floats. */
static void fill_doubles(test_random *r, double *array, ptrdiff_t bytes)
{
    for (ptrdiff_t i = 0; i < bytes / (ptrdiff_t)sizeof *array; i++)
        array[i] = ldexp(test_random_double(r) - 0.5, test_random_int(r, -160, 140));
}

static void create_buffers(pair *x, uint64_t number)
{
    x->is_readable = number % 2 == 0;
    test_random r = test_random_stream(test_seed() + 3, number * 16 + (uint64_t)x->rank);
    for (int side = 0; side < 2; side++) {
        x->memory[side] = malloc((size_t)x->bytes[side] + 1);
        if (x->is_narrow)
            fill_doubles(&r, x->memory[side], x->bytes[side]);
        else
            test_random_fill(&r, x->memory[side], (size_t)x->bytes[side]);
        x->on_device[side] = side == 0 && x->is_readable ? alloc_readable(x->comm, x->bytes[side])
                                                         : test_device_alloc(x->bytes[side]);
    }
    x->expected = malloc((size_t)x->bytes[1] + 1);
    memcpy(x->expected, x->memory[1], (size_t)x->bytes[1]);
}

/* Give the exchange work space of the caller. */
static void set_work(pair *x)
{
    ptrdiff_t bytes = -1;
    EXPECT_OK(subx_exch_get(x->device, NULL, NULL, NULL, &bytes));
    EXPECT_OK(subx_mem_alloc(x->comm, bytes, MPI_INFO_NULL, &x->host_work));
    EXPECT_OK(subx_exch_get_device_work(x->device, &bytes));
    EXPECT_KIND(subx_exch_execute(x->device, x->on_device[0], x->on_device[1]), SUBX_ERR_ARG);
    x->device_work = alloc_readable(x->comm, bytes);
    EXPECT_OK(subx_exch_set_work(x->device, x->host_work));
    EXPECT_OK(subx_exch_set_device_work(x->device, x->device_work));
}

static void add_copy(const pair *x, void *to, const void *from, ptrdiff_t bytes)
{
    if (!x->stream)
        test_device_copy(to, from, bytes);
    else
        EXPECT_EQUAL(test_device.table->copy(x->stream, to, from, bytes), SUBX_ERR_NONE);
}

/* Execute the exchange on the device, with copies of the host's buffers. With a stream of the caller, the
 * host does not wait before the exchange. */
static int execute(pair *x, int is_started)
{
    for (int side = 0; side < 2; side++)
        add_copy(x, x->on_device[side], x->memory[side], x->bytes[side]);
    int rc = is_started ? subx_exch_start(x->device, x->on_device[0], x->on_device[1])
                        : subx_exch_execute(x->device, x->on_device[0], x->on_device[1]);
    if (is_started && EXPECT_OK(rc)) {
        int flag = 0;
        EXPECT_OK(subx_exch_test(x->device, &flag));
        EXPECT(flag);
        rc = subx_exch_wait(x->device);
    }
    return rc;
}

/* Compare the receive buffer with the host's result, also where nothing is received; the send buffer must not
 * change. */
static void compare(const pair *x)
{
    char *got[2] = {malloc((size_t)x->bytes[0] + 1), malloc((size_t)x->bytes[1] + 1)};
    for (int side = 0; side < 2; side++)
        test_device_copy(got[side], x->on_device[side], x->bytes[side]);
    EXPECT(memcmp(got[0], x->memory[0], (size_t)x->bytes[0]) == 0);
    EXPECT(memcmp(got[1], x->expected, (size_t)x->bytes[1]) == 0);
    free(got[0]);
    free(got[1]);
}

/* The exchange of the host gets the data as they are when they have been floats. */
static void set_expected(pair *x)
{
    double *sent = malloc((size_t)x->bytes[0] + 1), *const original = x->memory[0];
    memcpy(sent, original, (size_t)x->bytes[0]);
    for (ptrdiff_t i = 0; x->is_narrow && i < x->bytes[0] / (ptrdiff_t)sizeof *sent; i++)
        sent[i] = (double)(float)original[i];
    EXPECT_OK(subx_exch_execute(x->host, sent, x->expected));
    free(sent);
}

static void check(pair *x, uint64_t number)
{
    create_buffers(x, number);
    if (number % 5 == 4)
        set_work(x);
    if (number % 3 == 1) {
        EXPECT_EQUAL(test_device.table->create_stream(test_device.handle, &x->stream), SUBX_ERR_NONE);
        EXPECT_OK(subx_exch_set_stream(x->device, x->stream));
    }
    set_expected(x);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(execute(x, i));
        compare(x);
    }
}

static void destroy(pair *x)
{
    EXPECT_OK(subx_exch_free(&x->device));
    EXPECT_OK(subx_exch_free(&x->host));
    test_device.table->free_stream(x->stream);
    EXPECT_OK(subx_mem_free(&x->host_work));
    EXPECT_OK(subx_mem_free(&x->device_work));
    if (x->is_readable)
        EXPECT_OK(subx_mem_free(&x->on_device[0]));
    for (int side = 0; side < 2; side++) {
        free(x->memory[side]);
        test_device.table->free(test_device.handle, x->on_device[side]);
    }
    free(x->expected);
}

/* ---- random exchanges */

enum { LENGTH_MAX = 4, REGION = 256 }; /* a buffer has a region of REGION elements for each partner */

/* Draw the block that rank r sends to rank q, and the block in which q receives it: other lengths of the
 * array, and another order of the axes. */
static void draw_blocks(uint64_t number, int r, int q, test_block *send, test_block *receive)
{
    test_random rng = test_random_stream(test_seed() + number, (uint64_t)(1000 * r + q));
    *send = test_block_random(&rng, TEST_NDIMS, LENGTH_MAX - 1, 1);
    *receive = *send;
    receive->storage = test_random_int(&rng, 0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    test_random_permutation(&rng, send->ndims, receive->order);
    for (int i = 0; i < send->ndims; i++) {
        const int axis = receive->order[i], n = send->subsizes[send->order[i]];
        receive->subsizes[axis] = n;
        receive->sizes[axis] = test_random_int(&rng, n > 0 ? n : 1, LENGTH_MAX - 1);
        receive->starts[axis] = test_random_int(&rng, 0, receive->sizes[axis] - n);
    }
}

static MPI_Datatype create_type(const test_block *b, MPI_Datatype element, MPI_Aint bytes, int partner)
{
    MPI_Datatype inner = MPI_DATATYPE_NULL, type;
    MPI_Aint at = partner * (MPI_Aint)REGION * bytes;
    EXPECT_OK(test_block_type(b, element, &inner));
    MPI_Type_create_hindexed_block(1, 1, &at, inner, &type);
    MPI_Type_free(&inner);
    return type;
}

enum { BLOCKS_MAX = 2 };

/* Every third exchange has two blocks for each partner. */
static int get_nblocks(uint64_t number)
{
    return number % 3 == 2 ? BLOCKS_MAX : 1;
}

/* Create the type of all blocks that rank r sends to rank q, or in which q receives them. */
static MPI_Datatype create_types(const pair *x, uint64_t number, int side, MPI_Datatype element,
                                 MPI_Aint bytes, int r, int q)
{
    const int n = get_nblocks(number), partner = side == 0 ? q : r;
    MPI_Datatype part[BLOCKS_MAX], type;
    for (int k = 0; k < n; k++) {
        test_block block[2];
        draw_blocks(number + 100 * (uint64_t)k, r, q, &block[0], &block[1]);
        part[k] = create_type(&block[side], element, bytes, k * x->nranks + partner);
    }
    if (n == 1)
        return part[0];
    const int lengths[BLOCKS_MAX] = {1, 1};
    const MPI_Aint displacements[BLOCKS_MAX] = {0, 0};
    MPI_Type_create_struct(n, lengths, displacements, part, &type);
    for (int k = 0; k < n; k++)
        MPI_Type_free(&part[k]);
    return type;
}

static int create_exchange(const pair *x, uint64_t number, MPI_Datatype element, MPI_Aint bytes,
                           MPI_Info hints, subx_exch *ex)
{
    MPI_Datatype *type = malloc(2 * (size_t)x->nranks * sizeof *type);
    for (int q = 0; q < x->nranks; q++) {
        type[q] = create_types(x, number, 0, element, bytes, x->rank, q);
        type[x->nranks + q] = create_types(x, number, 1, element, bytes, q, x->rank);
    }
    const int rc = subx_exch_create(x->comm, type, type + x->nranks, hints, ex);
    for (int i = 0; i < 2 * x->nranks; i++)
        MPI_Type_free(&type[i]);
    free(type);
    return rc;
}

/* Get an element type; *is_derived becomes 1 if it must be freed, and *is_double if it consists of
 * doubles. */
static MPI_Datatype draw_element(test_random *r, int *is_derived, int *is_double, int *bytes)
{
    static const int lengths[] = {1, 1, 1, 1, 1, 3, 5};
    const MPI_Datatype basic[] = {MPI_CHAR,   MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX,
                                  MPI_DOUBLE, MPI_CHAR};
    const int which = test_random_int(r, 0, 6);
    MPI_Datatype type = basic[which];
    *is_derived = lengths[which] > 1;
    *is_double = basic[which] == MPI_DOUBLE || basic[which] == MPI_C_DOUBLE_COMPLEX;
    if (*is_derived)
        MPI_Type_contiguous(lengths[which], basic[which], &type);
    MPI_Type_size(type, bytes);
    return type;
}

static void draw_hints(test_random *r, uint64_t number, char text[])
{
    static const char *const engines[] = {"auto",      "auto", "node",      "pairwise",
                                          "alltoallv", "kway", "persistent"};
    static const char *const slices[] = {"0", "1", "2", "3", "7", "40"};
    const int i = test_random_int(r, 0, 6);
    const char *const engine = engines[i];
    snprintf(text, TEXT, "engine=%s device_reader=%s slices=%s node_ranks=%d check=%s permute=%s work=%s",
             engine, number % 2 ? "kernel" : "copies", slices[test_random_int(r, 0, 5)],
             test_random_int(r, strcmp(engine, "node") == 0 ? 2 : 0, 3),
             test_random_int(r, 0, 1) ? "auto" : "no", test_random_int(r, 0, 1) ? "send" : "recv",
             number % 5 == 4 ? "caller" : "engine");
}

/* Get a communicator with some of the ranks, in the usual or in the reverse order; MPI_COMM_NULL on the other
 * ranks. */
static MPI_Comm draw_comm(test_random *r)
{
    const int n = test_random_int(r, 1, test_nranks), first = test_random_int(r, 0, test_nranks - n);
    const int sign = test_random_int(r, 0, 1) ? 1 : -1;
    const int is_in = test_rank >= first && test_rank < first + n;
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, is_in ? 0 : MPI_UNDEFINED, sign * test_rank, &comm);
    return comm;
}

static void set_comm(pair *x, MPI_Comm comm)
{
    x->comm = comm;
    MPI_Comm_rank(comm, &x->rank);
    MPI_Comm_size(comm, &x->nranks);
}

/* Some engines may be unavailable with some MPIs, or on a single rank. */
static int is_created(const char *text, int rc)
{
    if (subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE && !strstr(text, "engine=auto ") &&
        !strstr(text, "alltoallv"))
        return 0;
    return EXPECT_OK(rc);
}

static void check_random(uint64_t number)
{
    test_random r = test_random_stream(test_seed() + 9, number);
    char text[TEXT];
    int is_derived, is_double, bytes;
    pair x = {0};
    MPI_Datatype element = draw_element(&r, &is_derived, &is_double, &bytes);
    draw_hints(&r, number, text);
    x.is_narrow = is_double && test_random_int(&r, 0, 2) > 0;
    snprintf(text + strlen(text), TEXT - strlen(text), " wire=%s", x.is_narrow ? "float" : "full");
    test_device_set_messages(number / 5);
    const MPI_Comm comm = draw_comm(&r);
    if (comm != MPI_COMM_NULL) {
        set_comm(&x, comm);
        test_context("exchange %d on %d ranks, elements of %d bytes, %s", (int)number, x.nranks, bytes, text);
        MPI_Info plain = test_hints("engine=alltoallv check=no"),
                 hints = test_hints("%s memory_kind=%s", text, test_device.place);
        x.bytes[0] = x.bytes[1] = (ptrdiff_t)x.nranks * BLOCKS_MAX * REGION * bytes;
        EXPECT_OK(create_exchange(&x, number, element, bytes, plain, &x.host));
        if (is_created(text, create_exchange(&x, number, element, bytes, hints, &x.device)))
            check(&x, number);
        destroy(&x);
        MPI_Info_free(&hints);
        MPI_Info_free(&plain);
        MPI_Comm_free(&x.comm);
    }
    if (is_derived)
        MPI_Type_free(&element);
}

/* ---- realignments between all pairs of orders */

static void check_pair(int k)
{
    static const ptrdiff_t sizes[] = {5, 3, 4};
    const int v = k % 3, w = (v + 1 + k / 3 % 2) % 3;
    int order[2][3];
    char text[TEXT];
    test_random r = test_random_stream(test_seed() + 11, (uint64_t)k);
    pair x = {0};
    set_comm(&x, MPI_COMM_WORLD);
    test_permutation(3, k / 6, order[0]);
    test_permutation(3, k % 6, order[1]);
    test_device_set_messages((uint64_t)k / 5);
    draw_hints(&r, (uint64_t)k, text);
    x.is_narrow = test_random_int(&r, 0, 1);
    snprintf(text + strlen(text), TEXT - strlen(text), " wire=%s", x.is_narrow ? "float" : "full");
    test_context("pair %d, axes %d and %d, %s", k, v, w, text);
    MPI_Info plain = test_hints("engine=alltoallv check=no"),
             hints = test_hints("%s memory_kind=%s", text, test_device.place);
    EXPECT_OK(
        subx_exch_create_realign(x.comm, 3, sizes, v, w, order[0], order[1], MPI_DOUBLE, plain, &x.host));
    EXPECT_OK(subx_exch_get(x.host, NULL, &x.bytes[0], &x.bytes[1], NULL));
    if (is_created(text, subx_exch_create_realign(x.comm, 3, sizes, v, w, order[0], order[1], MPI_DOUBLE,
                                                  hints, &x.device)))
        check(&x, (uint64_t)k);
    destroy(&x);
    MPI_Info_free(&hints);
    MPI_Info_free(&plain);
}

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
    subx_exch ex = SUBX_EXCH_NULL;
    MPI_Info info;
    char value[MPI_MAX_INFO_VAL + 1];
    int found = 0;
    test_context("hints in effect");
    if (!EXPECT_OK(create_sample(test_device.place, "engine=pairwise slices=3", &ex)))
        return;
    EXPECT_OK(subx_exch_get_info(ex, &info));
    MPI_Info_get(info, "subx_memory_kind", MPI_MAX_INFO_VAL, value, &found);
    EXPECT(found && strcmp(value, test_device.place) == 0);
    test_hint_get(info, "slices", value, &found);
    EXPECT(found && strcmp(value, "3") == 0);
    MPI_Info_free(&info);
    EXPECT_OK(subx_exch_free(&ex));
}

/* ---- faults */

static int begin_sample(pair *x, const char *more)
{
    set_comm(x, MPI_COMM_WORLD);
    if (!EXPECT_OK(create_sample("system", "engine=alltoallv", &x->host)) ||
        !EXPECT_OK(create_sample(test_device.place, more, &x->device)))
        return 0;
    EXPECT_OK(subx_exch_get(x->host, NULL, &x->bytes[0], &x->bytes[1], NULL));
    create_buffers(x, strstr(more, "node") ? 77 : 78);
    return EXPECT_OK(subx_exch_execute(x->host, x->memory[0], x->expected));
}

/* If export fails on a rank, the exchange goes through the hosts, and says that it has dropped this way. */
static void check_fallback(void)
{
    subx_exch ex = SUBX_EXCH_NULL;
    MPI_Info info;
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0, dropped = 0;
    test_context("fallback");
    for (long n = 0; n < 40; n++) {
        test_device_begin_execution_fault(n);
        const int rc = create_sample(test_device.place, "engine=auto", &ex);
        test_device.fake->fails_after = -1;
        if (rc)
            continue;
        EXPECT_OK(subx_exch_get_info(ex, &info));
        MPI_Info_get(info, "subx_dropped", MPI_MAX_INFO_VAL, value, &found);
        dropped += found && strstr(value, "ipc");
        MPI_Info_free(&info);
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
        EXPECT_OK(execute(&x, 0));
        if (k == 2 && test_rank == 0)
            EXPECT_OK(subx_exch_set_failed(x.device));
        const int rc = subx_exch_execute(x.device, test_rank == 0 && k == 0 ? x.memory[0] : x.on_device[0],
                                         test_rank == 0 && k == 1 ? x.memory[1] : x.on_device[1]);
        if (test_rank == 0)
            EXPECT_KIND(rc, k < 2 ? SUBX_ERR_ARG : SUBX_ERR_PEER);
        else
            EXPECT(rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_PEER);
        EXPECT_OK(execute(&x, 0));
        compare(&x);
    }
    destroy(&x);
}

/* Device call n, or allocation n of the library, fails on one rank while an exchange is created. Returns 1 if
 * there was such a call or allocation. All ranks get the same kind of error, or all get the exchange. */
static int fail_creation(const char *more, int is_device, long n)
{
    const int victim = test_nranks - 1, left = test_device.fake->nobjects;
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("creation, %s %ld fails, %s", is_device ? "call" : "allocation", n, more);
    test_device_begin_fault(victim, is_device, n);
    const int rc = create_sample(test_device.place, more, &ex);
    const int has_failed = test_device_end_fault(victim, is_device, rc);
    EXPECT(!ex == (rc != MPI_SUCCESS));
    EXPECT_OK(subx_exch_free(&ex));
    EXPECT_EQUAL(test_device.fake->nobjects, left);
    return has_failed;
}

/* Device call n fails on rank 0 during an execution. Rank 0 gets the error DEVICE; the others get right data
 * or the error PEER. The next execution is right on all ranks. */
static void check_execution(const char *more)
{
    pair x = {0};
    int has_failed = 1;
    long n = 0;
    if (!begin_sample(&x, more))
        return;
    for (; has_failed; n++) {
        test_context("execution, call %ld fails, %s", n, more);
        EXPECT_OK(execute(&x, 0));
        test_device.fake->fails_after = test_rank == 0 ? n : -1;
        const int rc = subx_exch_execute(x.device, x.on_device[0], x.on_device[1]);
        has_failed = test_device_end_execution_fault(rc);
        if (rc == MPI_SUCCESS)
            compare(&x);
        EXPECT_OK(execute(&x, 0));
        compare(&x);
    }
    EXPECT(n > 3);
    destroy(&x);
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
    check_execution(hints);
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

int main(int argc, char **argv)
{
    test_device_begin(&argc, &argv);
    const uint64_t n = test_device_get_count(60);
    for (uint64_t i = 0; i < n; i++)
        check_random(i);
    for (int k = 0; k < 36; k++)
        check_pair(k);
    check_refusals();
    check_info();
    check_faults();
    test_device_close();
    return test_end();
}
