/* exch_random.c - exchanges of random blocks in 1 to 5 dimensions, of two blocks for each partner, of lists
 * of elements, and of nothing, by all engines, in the memory of the host and of the fake device; all 36 pairs
 * of a sender's and a receiver's order in three dimensions. The results follow from the definition.
 *
 * Each exchange has a communicator of its own, with all or some of the ranks, in any order. On the device,
 * MPI takes its memory, refuses it, or spoils the messages. The variable RANDOM_COUNT is the number of
 * exchanges on the device. With TEST_DEVICE=cuda:device they run on a GPU.
 * ranks: 1 2 3 4 5 7 8 */
#include "common/engine.h"
#include "common/hints.h"
#include "common/on_device.h"
#include "common/traversal.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>

/* A buffer has regions of REGION elements: one for each block of each partner. No block has more elements. */
enum { LENGTH_MAX = 3, REGION = 243, BLOCKS_MAX = 2, BYTES_MAX = 24 };

enum { AT_ONCE, SPLIT, TESTED, HOWS };

typedef struct setting {
    int number, lists, nblocks;
    int pair;                   /* the number of a pair of orders; negative: random orders */
    const char *engine, *radix; /* radix: NULL for a random one */
    const char *memory,
        *reader; /* memory: NULL for the host's. reader: of the memory of other ranks' devices */
    int callers_work, how;
    MPI_Datatype element;
    int bytes, is_derived; /* of an element; is_derived: 1 if it must be freed */
    int is_double;         /* elements consist of doubles */
    int is_narrow;         /* the doubles travel as floats */
    void *stream;          /* of the caller; NULL for none */
    MPI_Comm comm;
    int rank, nranks;
} setting;

/* ---- what is sent */

/* Where the data from rank r to rank q lies in the buffer of one of these two ranks: a block, or a list of
 * increasing indices. The sides of both ranks have the same number of elements. */
typedef struct side {
    int is_list;
    test_block block;
    int n, place[REGION];
} side;

static void set_list(test_random *r, side *s, int n)
{
    /* Selection sampling: index i is kept with probability needed / (number of indices from i on). */
    int needed = n, at = 0;
    s->is_list = 1;
    for (int i = 0; i < REGION; i++)
        if (test_random_int(r, 0, REGION - i - 1) < needed) {
            s->place[at++] = i;
            needed--;
        }
}

static test_block draw_block(test_random *r, const setting *c)
{
    test_block b;
    do
        b = test_block_random(r, TEST_NDIMS, LENGTH_MAX, 1);
    while (c->pair >= 0 && b.ndims != 3);
    if (c->pair >= 0)
        test_permutation(3, c->pair / 6, b.order);
    return b;
}

/* Set the block of `s` to a random block of another array. In the order of its own traversal it has the
 * lengths that b has in the order of b's traversal. */
static void set_matching_block(test_random *r, const setting *c, const test_block *b, side *s)
{
    s->block = *b;
    s->block.storage = test_random_int(r, 0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    test_random_permutation(r, b->ndims, s->block.order);
    if (c->pair >= 0)
        test_permutation(3, c->pair % 6, s->block.order);
    for (int i = 0; i < b->ndims; i++) {
        int axis = s->block.order[i], n = b->subsizes[b->order[i]];
        s->block.subsizes[axis] = n;
        s->block.sizes[axis] = test_random_int(r, n > 0 ? n : 1, LENGTH_MAX);
        s->block.starts[axis] = test_random_int(r, 0, s->block.sizes[axis] - n);
    }
}

/* Draw both sides of block k from rank r to rank q. The result is the same on all ranks. */
static void get_sides(const setting *c, int r, int q, int k, side *send, side *receive)
{
    test_random rng =
        test_random_stream(test_seed() + (uint64_t)c->number, (uint64_t)(100000 * k + 1000 * r + q));
    memset(send, 0, sizeof *send);
    memset(receive, 0, sizeof *receive);
    send->block = draw_block(&rng, c);
    set_matching_block(&rng, c, &send->block, receive);
    send->n = receive->n = (int)test_block_count(&send->block);
    if (c->lists && test_random_int(&rng, 0, 2) == 0)
        set_list(&rng, send, send->n);
    if (c->lists && test_random_int(&rng, 0, 2) == 0)
        set_list(&rng, receive, receive->n);
}

static ptrdiff_t get_place(const setting *c, const side *s, int partner, int k, int i)
{
    return ((ptrdiff_t)k * c->nranks + partner) * REGION +
           (s->is_list ? s->place[i] : test_block_index(&s->block, i));
}

/* Create the type of block k in the partner's region of the buffer. For a side without elements it is
 * sometimes MPI_DATATYPE_NULL. */
static MPI_Datatype create_block(const setting *c, const side *s, int partner, int k)
{
    MPI_Datatype inner = MPI_DATATYPE_NULL, type;
    MPI_Aint at = ((MPI_Aint)k * c->nranks + partner) * REGION * c->bytes;
    if (s->n == 0 && c->nblocks == 1 && (c->number + partner) % 2)
        return MPI_DATATYPE_NULL;
    if (s->is_list)
        MPI_Type_create_indexed_block(s->n, 1, s->place, c->element, &inner);
    else
        EXPECT_OK(test_block_type(&s->block, c->element, &inner));
    MPI_Type_create_hindexed_block(1, 1, &at, inner, &type);
    MPI_Type_free(&inner);
    return type;
}

/* Create the type of all data from rank r to rank q, one of which is this rank. Adds their bytes. */
static MPI_Datatype create_type(const setting *c, int r, int q, int is_sent, ptrdiff_t *bytes)
{
    static const int lengths[BLOCKS_MAX] = {1, 1};
    static const MPI_Aint displacements[BLOCKS_MAX] = {0, 0};
    MPI_Datatype part[BLOCKS_MAX], type;
    for (int k = 0; k < c->nblocks; k++) {
        side both[2];
        get_sides(c, r, q, k, &both[1], &both[0]);
        part[k] = create_block(c, &both[is_sent], is_sent ? q : r, k);
        *bytes += (ptrdiff_t)both[0].n * c->bytes;
    }
    if (c->nblocks == 1)
        return part[0];
    MPI_Type_create_struct(c->nblocks, lengths, displacements, part, &type);
    for (int k = 0; k < c->nblocks; k++)
        MPI_Type_free(&part[k]);
    return type;
}

/* ---- settings */

/* Draw a type of elements: mostly doubles. Some of them consist of several numbers. */
static void draw_element(test_random *r, setting *c)
{
    static const int lengths[] = {1, 1, 1, 1, 1, 3, 5};
    const MPI_Datatype basic[] = {MPI_CHAR,   MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX,
                                  MPI_DOUBLE, MPI_CHAR};
    const int which = test_random_int(r, 0, 1) ? 3 : test_random_int(r, 0, 6);
    c->element = basic[which];
    c->is_derived = lengths[which] > 1;
    c->is_double = basic[which] == MPI_DOUBLE || basic[which] == MPI_C_DOUBLE_COMPLEX;
    if (c->is_derived)
        MPI_Type_contiguous(lengths[which], basic[which], &c->element);
    MPI_Type_size(c->element, &c->bytes);
}

/* Get a communicator with some of the ranks, in the usual or in the reverse order; MPI_COMM_NULL on the other
 * ranks. Half of the communicators have all ranks, and all of them if there are eight ranks. */
static void draw_comm(test_random *r, setting *c)
{
    const int is_all = test_random_int(r, 0, 1) || test_nranks == 8,
              n = is_all ? test_nranks : test_random_int(r, 1, test_nranks),
              first = test_random_int(r, 0, test_nranks - n), sign = test_random_int(r, 0, 1) ? 1 : -1;
    const int is_in = test_rank >= first && test_rank < first + n;
    MPI_Comm_split(MPI_COMM_WORLD, is_in ? 0 : MPI_UNDEFINED, sign * test_rank, &c->comm);
    if (!is_in)
        return;
    MPI_Comm_rank(c->comm, &c->rank);
    MPI_Comm_size(c->comm, &c->nranks);
}

static MPI_Info create_hints(const setting *c)
{
    test_random rng = test_random_stream(test_seed(), 7000000u + (uint64_t)c->number);
    char text[64];
    MPI_Info hints = test_engine_hints(&rng, c->engine, text);
    MPI_Info_set(hints, "subx_work", c->callers_work ? "caller" : "engine");
    test_hint_set(hints, "permute", c->number % 4 < 2 ? "recv" : "send");
    if (c->radix)
        test_hint_set(hints, "radix", c->radix);
    if (c->memory) {
        MPI_Info_set(hints, "subx_memory_kind", c->memory);
        MPI_Info_set(hints, "subx_wire", c->is_narrow ? "float" : "full");
        test_hint_set(hints, "device_reader", c->reader);
    }
    test_context("exchange %d on %d ranks, pair %d, %s, %s, %d blocks, elements of %d bytes, lists %d, "
                 "caller's work %d, floats %d, how %d",
                 c->number, c->nranks, c->pair, c->memory ? c->reader : "host", text, c->nblocks, c->bytes,
                 c->lists, c->callers_work, c->is_narrow, c->how);
    return hints;
}

/* Create the exchange of a setting, and free its types at once, which is allowed. Sets bytes[0] to the bytes
 * that this rank sends, and bytes[1] to the bytes that it receives. */
static subx_exch create_exchange(const setting *c, ptrdiff_t bytes[2])
{
    MPI_Datatype *type = malloc(2 * (size_t)c->nranks * sizeof *type);
    subx_exch ex = SUBX_EXCH_NULL;
    MPI_Info hints = create_hints(c);
    bytes[0] = bytes[1] = 0;
    for (int q = 0; q < c->nranks; q++) {
        type[q] = create_type(c, c->rank, q, 1, &bytes[0]);
        type[c->nranks + q] = create_type(c, q, c->rank, 0, &bytes[1]);
    }
    int rc = subx_exch_create(c->comm, type, type + c->nranks, hints, &ex);
    if (!test_engine_may_lack(c->engine) || subx_error_get_kind(rc) != SUBX_ERR_UNAVAILABLE)
        EXPECT_OK(rc);
    MPI_Info_free(&hints);
    for (int i = 0; i < 2 * c->nranks; i++)
        if (type[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&type[i]);
    free(type);
    return ex;
}

/* ---- executions */

/* Set an element of a rank's send buffer. If `arrives`, doubles are as they are when they have been
 * floats. */
static void set_element(const setting *c, int rank, ptrdiff_t place, int execution, int arrives, char *to)
{
    for (int i = 0; i < c->bytes; i += c->is_double ? (int)sizeof(double) : 1) {
        const double value = 1e6 * (rank + 1) + (double)place + 0.125 * execution + 0.25 * i;
        const double narrow = (double)(float)value;
        if (c->is_double)
            memcpy(to + i, arrives && c->is_narrow ? &narrow : &value, sizeof value);
        else
            to[i] = (char)(31 * rank + 7 * place + 3 * execution + i);
    }
}

static void set_expected(const setting *c, int execution, char expected[])
{
    side send, receive;
    for (int q = 0; q < c->nranks; q++)
        for (int k = 0; k < c->nblocks; k++) {
            get_sides(c, q, c->rank, k, &send, &receive);
            for (int i = 0; i < send.n; i++)
                set_element(c, q, get_place(c, &send, c->rank, k, i), execution, 1,
                            expected + get_place(c, &receive, q, k, i) * c->bytes);
        }
}

/* Returns 1 if start may wait until all other ranks have called start. */
static int may_wait(const setting *c)
{
    static const char *const waiting[] = {"alltoallw", "auto", "shm", "node"};
    for (int i = 0; i < 4; i++)
        if (strcmp(c->engine, waiting[i]) == 0)
            return 1;
    return c->memory != NULL;
}

/* Send messages that do not belong to the exchange, from rank to rank in a circle. Each rank except rank 0
 * first waits for the message of the rank before it. */
static void pass_on(const setting *c)
{
    if (c->nranks == 1)
        return;
    const int next = (c->rank + 1) % c->nranks, before = (c->rank + c->nranks - 1) % c->nranks;
    int mine = c->rank, theirs = -1;
    if (c->rank > 0)
        MPI_Recv(&theirs, 1, MPI_INT, before, 0, c->comm, MPI_STATUS_IGNORE);
    MPI_Send(&mine, 1, MPI_INT, next, 0, c->comm);
    if (c->rank == 0)
        MPI_Recv(&theirs, 1, MPI_INT, before, 0, c->comm, MPI_STATUS_IGNORE);
    EXPECT_EQUAL(theirs, before);
}

static void execute(const setting *c, subx_exch ex, const void *send, void *receive)
{
    const int late = c->rank % 2 && !may_wait(c);
    int done = 0, rc = MPI_SUCCESS;
    if (c->how == AT_ONCE) {
        EXPECT_OK(subx_exch_execute(ex, send, receive));
        return;
    }
    if (late)
        pass_on(c);
    EXPECT_OK(subx_exch_start(ex, send, receive));
    EXPECT_KIND(subx_exch_start(ex, send, receive), SUBX_ERR_ACTIVE);
    if (!late)
        pass_on(c);
    while (c->how == TESTED && !done && !rc)
        rc = subx_exch_test(ex, &done);
    EXPECT_OK(rc);
    EXPECT_OK(subx_exch_wait(ex));
    EXPECT_KIND(subx_exch_wait(ex), SUBX_ERR_ACTIVE);
}

/* Allocate memory that local partners can read. */
static void *alloc_readable(const setting *c, ptrdiff_t bytes)
{
    void *memory = NULL;
    if (c->memory)
        return test_device_alloc_readable(c->comm, bytes);
    EXPECT_OK(subx_mem_alloc(c->comm, bytes, MPI_INFO_NULL, &memory));
    return memory;
}

/* Execute with copies of the buffers on the device. With a stream of the caller, the host does not wait
 * before the exchange. */
static void execute_on_device(const setting *c, subx_exch ex, void *send, void *receive, ptrdiff_t bytes,
                              void *shared)
{
    void *const stream = c->stream ? c->stream : test_device.stream,
                *from = shared ? shared : test_device_alloc(bytes), *to = test_device_alloc(bytes);
    test_device_add_copy(stream, from, send, bytes);
    test_device_add_copy(stream, to, receive, bytes);
    if (!c->stream)
        test_device_finish(stream);
    execute(c, ex, from, to);
    test_device_add_copy(stream, send, from, bytes);
    test_device_add_copy(stream, receive, to, bytes);
    test_device_finish(stream);
    test_device_free(to);
    if (!shared)
        test_device_free(from);
}

/* Each execution uses new buffers, because an exchange is not bound to buffers. On the host, local
 * partners read the send buffer if the caller gives the work space: then it must be memory of
 * subx_mem_alloc. */
static void check_execution(const setting *c, subx_exch ex, int execution)
{
    const ptrdiff_t n = (ptrdiff_t)REGION * c->nranks * c->nblocks, bytes = n * c->bytes;
    const int is_readable = c->callers_work || (c->memory && c->number % 2);
    char *own = malloc((size_t)bytes), *kept = malloc((size_t)bytes), *receive = malloc((size_t)bytes),
         *expected = malloc((size_t)bytes);
    void *shared = is_readable ? alloc_readable(c, bytes) : NULL;
    char *send = shared && !c->memory ? shared : own;
    for (ptrdiff_t i = 0; i < n; i++)
        set_element(c, c->rank, i, execution, 0, send + i * c->bytes);
    memcpy(kept, send, (size_t)bytes);
    memset(receive, 0x3c, (size_t)bytes);
    memset(expected, 0x3c, (size_t)bytes);
    set_expected(c, execution, expected);
    if (c->memory)
        execute_on_device(c, ex, send, receive, bytes, shared);
    else
        execute(c, ex, send, receive);
    EXPECT(memcmp(receive, expected, (size_t)bytes) == 0);
    EXPECT(memcmp(send, kept, (size_t)bytes) == 0);
    EXPECT_OK(subx_mem_free(&shared));
    free(expected);
    free(receive);
    free(kept);
    free(own);
}

/* Give the exchange work space of the caller, without which it cannot be executed. */
static void set_work(const setting *c, subx_exch ex, ptrdiff_t bytes, void *work[2])
{
    void *a = c->memory ? test_device_alloc(8) : &work[0], *b = c->memory ? test_device_alloc(8) : &work[1];
    ptrdiff_t on_device = 0;
    EXPECT_KIND(subx_exch_execute(ex, a, b), SUBX_ERR_ARG);
    EXPECT_OK(subx_mem_alloc(c->comm, bytes, MPI_INFO_NULL, &work[0]));
    memset(work[0], 0x77, (size_t)bytes);
    EXPECT_OK(subx_exch_set_work(ex, work[0]));
    if (!c->memory)
        return;
    EXPECT_OK(subx_exch_get_device_work(ex, &on_device));
    work[1] = alloc_readable(c, on_device);
    EXPECT_OK(subx_exch_set_device_work(ex, work[1]));
    test_device_free(a);
    test_device_free(b);
}

static void check_exchange(setting *c)
{
    ptrdiff_t bytes[2], sent = -1, received = -1, needed = -1;
    const char *engine = NULL;
    void *work[2] = {NULL, NULL};
    subx_exch ex = create_exchange(c, bytes);
    if (ex == SUBX_EXCH_NULL)
        return;
    EXPECT_OK(subx_exch_get(ex, &engine, &sent, &received, &needed));
    EXPECT_EQUAL(sent, bytes[0]);
    EXPECT_EQUAL(received, bytes[1]);
    EXPECT(strcmp(c->engine, "auto") == 0 || strcmp(c->engine, engine) == 0 || (c->memory && c->nranks == 1));
    if (c->callers_work)
        set_work(c, ex, needed, work);
    if (c->memory && c->number % 3 == 1) {
        c->stream = test_device_create_stream();
        EXPECT_OK(subx_exch_set_stream(ex, c->stream));
    }
    for (int execution = 0; execution < (c->pair < 0 ? 3 : 1); execution++)
        check_execution(c, ex, execution);
    EXPECT_OK(subx_exch_free(&ex));
    EXPECT(ex == SUBX_EXCH_NULL);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(subx_mem_free(&work[i]));
    if (c->stream)
        test_device.table->free_stream(c->stream);
}

/* Draw the rest of a setting. Lists of elements are too irregular for a device. */
static void check(setting c)
{
    test_random rng = test_random_stream(test_seed(), 8000000u + (uint64_t)c.number);
    const int left = test_device_count();
    c.nblocks = test_random_int(&rng, 0, 2) ? 1 : BLOCKS_MAX;
    c.lists = test_random_int(&rng, 0, 3) == 0 && !c.memory;
    c.callers_work = test_random_int(&rng, 0, c.memory ? 4 : 1) == 0;
    c.how = test_random_int(&rng, 0, HOWS - 1);
    draw_element(&rng, &c);
    c.is_narrow = c.memory && c.is_double && test_random_int(&rng, 0, 2);
    draw_comm(&rng, &c);
    if (c.comm != MPI_COMM_NULL) {
        check_exchange(&c);
        MPI_Comm_free(&c.comm);
    }
    if (c.is_derived)
        MPI_Type_free(&c.element);
    EXPECT_EQUAL(test_device_count(), left);
}

/* ---- all of them */

/* Random exchanges by each engine, and each pair of orders by some engines: orders do not depend on the
 * engine, except that some leave them to MPI. */
static void check_host(void)
{
    const int times = test_nranks > 4 ? 1 : test_nranks > 2 ? 3 : 8, every = test_nranks > 4 ? 4 : 2;
    for (int k = 0; k < times * test_engine_count(); k++)
        check((setting){.number = k, .pair = -1, .engine = test_engine_get(k)});
    for (int e = 0; e + 1 < test_engine_count(); e++)
        for (int pair = (e % every); pair < 36; pair += every)
            check((setting){.number = 36 * e + pair, .pair = pair, .engine = test_engine_get(e)});
}

/* On eight ranks, a round of engine kway has several partners, and pairwise has more partners than slices. */
static void check_eight(void)
{
    static const char *const how[][2] = {
        {"kway", "2"}, {"kway", "3"}, {"kway", "4"}, {"pairwise", NULL}, {"pairwise", NULL}};
    for (int k = 0; k < 5; k++)
        check((setting){.number = k, .pair = -1, .engine = how[k][0], .radix = how[k][1]});
}

static void check_device(void)
{
    enum { USUAL = 60, PAIRS = 36 };
    static const char *const engines[] = {"auto", "node", "pairwise",  "alltoallv",
                                          "kway", "auto", "persistent"};
    const int n = (int)test_device_get_count(USUAL);
    test_device_open();
    for (int k = 0; k < n + PAIRS; k++) {
        test_device_set_messages((uint64_t)k / 5);
        check((setting){.number = 1000 + k,
                        .pair = k < n ? -1 : k - n,
                        .engine = engines[k % 7],
                        .memory = test_device.place,
                        .reader = k % 2 ? "kernel" : "copies"});
    }
    test_device_close();
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    if (test_nranks == 8) {
        check_eight();
    } else {
        check_host();
        check_device();
    }
    return test_end();
}
