/* exch_random.c - exchanges of random blocks in 1 to 5 dimensions, of lists of elements, and of nothing, by
 * all engines.
 * ranks: 1 2 3 4 5 7 8 */
#include "common/engine.h"
#include "common/hints.h"
#include "common/traversal.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>

/* A buffer has a region of REGION elements for each partner. No block has more elements than that. */
enum { LENGTH_MAX = 3, REGION = 243 };

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

/* Set the block of `s` to a random block of another array. In the order of its own traversal it has the
 * lengths that b has in the order of b's traversal. */
static void set_matching_block(test_random *r, const test_block *b, side *s)
{
    s->block = *b;
    s->block.storage = test_random_int(r, 0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    test_random_permutation(r, b->ndims, s->block.order);
    for (int i = 0; i < b->ndims; i++) {
        int axis = s->block.order[i], n = b->subsizes[b->order[i]];
        s->block.subsizes[axis] = n;
        s->block.sizes[axis] = test_random_int(r, n > 0 ? n : 1, LENGTH_MAX);
        s->block.starts[axis] = test_random_int(r, 0, s->block.sizes[axis] - n);
    }
}

/* Draw both sides of the data from rank r to rank q. The result is the same on all ranks. */
static void get_sides(int number, int lists, int r, int q, side *send, side *receive)
{
    test_random rng = test_random_stream(test_seed() + (uint64_t)number, (uint64_t)(1000 * r + q));
    memset(send, 0, sizeof *send);
    memset(receive, 0, sizeof *receive);
    send->block = test_block_random(&rng, TEST_NDIMS, LENGTH_MAX, 1);
    set_matching_block(&rng, &send->block, receive);
    send->n = receive->n = (int)test_block_count(&send->block);
    if (lists && test_random_int(&rng, 0, 2) == 0)
        set_list(&rng, send, send->n);
    if (lists && test_random_int(&rng, 0, 2) == 0)
        set_list(&rng, receive, receive->n);
}

static ptrdiff_t get_place(const side *s, int partner, int i)
{
    return (ptrdiff_t)partner * REGION + (s->is_list ? s->place[i] : test_block_index(&s->block, i));
}

/* Create the type of a side in the partner's region of the buffer. For a side without elements it is
 * sometimes MPI_DATATYPE_NULL. */
static MPI_Datatype create_type(const side *s, int partner, int number)
{
    MPI_Datatype inner = MPI_DATATYPE_NULL, type;
    MPI_Aint at = (MPI_Aint)partner * REGION * (MPI_Aint)sizeof(double);
    if (s->n == 0 && (number + partner) % 2)
        return MPI_DATATYPE_NULL;
    if (s->is_list)
        MPI_Type_create_indexed_block(s->n, 1, s->place, MPI_DOUBLE, &inner);
    else
        EXPECT_OK(test_block_type(&s->block, MPI_DOUBLE, &inner));
    MPI_Type_create_hindexed_block(1, 1, &at, inner, &type);
    MPI_Type_free(&inner);
    return type;
}

enum { AT_ONCE, SPLIT, TESTED, HOWS };

typedef struct setting {
    int number, lists;
    const char *engine, *radix; /* NULL for a random radix */
    int callers_work, how;
} setting;

static MPI_Info create_hints(const setting *c)
{
    test_random rng = test_random_stream(test_seed(), 7000000u + (uint64_t)c->number);
    char text[64];
    MPI_Info hints = test_engine_hints(&rng, c->engine, text);
    if (c->callers_work)
        MPI_Info_set(hints, "subx_work", "caller");
    if (c->radix)
        test_hint_set(hints, "radix", c->radix);
    test_context("exchange %d, %s, lists %d, caller's work %d, how %d", c->number, text, c->lists,
                 c->callers_work, c->how);
    return hints;
}

/* Create the exchange of a setting, and free its types at once, which is allowed. Sets bytes[0] to the bytes
 * that this rank sends, and bytes[1] to the bytes that it receives. */
static subx_exch create_exchange(const setting *c, ptrdiff_t bytes[2])
{
    MPI_Datatype *type = malloc(2 * (size_t)test_nranks * sizeof *type);
    subx_exch ex = SUBX_EXCH_NULL;
    MPI_Info hints = create_hints(c);
    side send, receive;
    bytes[0] = bytes[1] = 0;
    for (int q = 0; q < test_nranks; q++) {
        get_sides(c->number, c->lists, test_rank, q, &send, &receive);
        type[q] = create_type(&send, q, c->number);
        bytes[0] += send.n * (ptrdiff_t)sizeof(double);
        get_sides(c->number, c->lists, q, test_rank, &send, &receive);
        type[test_nranks + q] = create_type(&receive, q, c->number);
        bytes[1] += receive.n * (ptrdiff_t)sizeof(double);
    }
    int rc = subx_exch_create(MPI_COMM_WORLD, type, type + test_nranks, hints, &ex);
    if (!test_engine_may_lack(c->engine) || subx_error_get_kind(rc) != SUBX_ERR_UNAVAILABLE)
        EXPECT_OK(rc);
    MPI_Info_free(&hints);
    for (int i = 0; i < 2 * test_nranks; i++)
        if (type[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&type[i]);
    free(type);
    return ex;
}

static double get_value(int rank, ptrdiff_t place, int execution)
{
    return 1e6 * (rank + 1) + (double)place + 0.125 * execution;
}

static void set_expected(const setting *c, int execution, double expected[])
{
    side send, receive;
    for (int q = 0; q < test_nranks; q++) {
        get_sides(c->number, c->lists, q, test_rank, &send, &receive);
        for (int i = 0; i < send.n; i++)
            expected[get_place(&receive, q, i)] = get_value(q, get_place(&send, test_rank, i), execution);
    }
}

/* Returns 1 if, with this engine, start may wait until all other ranks have called start. */
static int may_wait(const char *engine)
{
    static const char *const waiting[] = {"alltoallw", "auto", "shm", "node"};
    for (int i = 0; i < 4; i++)
        if (strcmp(engine, waiting[i]) == 0)
            return 1;
    return 0;
}

/* Send messages that do not belong to the exchange, from rank to rank in a circle. Each rank except rank 0
 * first waits for the message of the rank before it. */
static void pass_on(void)
{
    if (test_nranks == 1)
        return;
    const int next = (test_rank + 1) % test_nranks, before = (test_rank + test_nranks - 1) % test_nranks;
    int mine = test_rank, theirs = -1;
    if (test_rank > 0)
        MPI_Recv(&theirs, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&mine, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
    if (test_rank == 0)
        MPI_Recv(&theirs, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT_EQUAL(theirs, before);
}

static void execute(const setting *c, subx_exch ex, const double *send, double *receive)
{
    const int late = test_rank % 2 && !may_wait(c->engine);
    int done = 0;
    if (c->how == AT_ONCE) {
        EXPECT_OK(subx_exch_execute(ex, send, receive));
        return;
    }
    if (late)
        pass_on();
    EXPECT_OK(subx_exch_start(ex, send, receive));
    EXPECT_KIND(subx_exch_start(ex, send, receive), SUBX_ERR_ACTIVE);
    if (!late)
        pass_on();
    while (c->how == TESTED && !done)
        if (!EXPECT_OK(subx_exch_test(ex, &done)))
            break;
    EXPECT_OK(subx_exch_wait(ex));
    EXPECT_KIND(subx_exch_wait(ex), SUBX_ERR_ACTIVE);
}

/* Each execution uses new buffers, because an exchange is not bound to buffers. */
static void check_execution(const setting *c, subx_exch ex, int execution)
{
    const size_t n = (size_t)REGION * (size_t)test_nranks;
    double *own = malloc(n * sizeof *own), *receive = malloc(n * sizeof *own),
           *expected = malloc(n * sizeof *own);
    void *shared = NULL;
    int wrong = 0;
    /* with subx_work = caller, local partners read the send buffer, which must be memory of subx_mem_alloc */
    if (c->callers_work)
        EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, (ptrdiff_t)(n * sizeof *own), MPI_INFO_NULL, &shared));
    double *send = shared ? shared : own;
    for (size_t i = 0; i < n; i++) {
        send[i] = get_value(test_rank, (ptrdiff_t)i, execution);
        receive[i] = expected[i] = -1;
    }
    set_expected(c, execution, expected);
    execute(c, ex, send, receive);
    for (size_t i = 0; i < n; i++)
        wrong += receive[i] != expected[i];
    EXPECT_EQUAL(wrong, 0);
    EXPECT_OK(subx_mem_free(&shared));
    free(own);
    free(receive);
    free(expected);
}

static void *set_work(subx_exch ex, ptrdiff_t bytes)
{
    void *work = NULL;
    int a = 0;
    EXPECT_KIND(subx_exch_execute(ex, &a, &work), SUBX_ERR_ARG);
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, bytes, MPI_INFO_NULL, &work));
    memset(work, 0x77, (size_t)bytes);
    EXPECT_OK(subx_exch_set_work(ex, work));
    return work;
}

static void check_setting(const setting *c)
{
    ptrdiff_t bytes[2], sent = -1, received = -1, needed = -1;
    const char *engine = NULL;
    void *work = NULL;
    subx_exch ex = create_exchange(c, bytes);
    if (ex == SUBX_EXCH_NULL)
        return;
    EXPECT_OK(subx_exch_get(ex, &engine, &sent, &received, &needed));
    EXPECT_EQUAL(sent, bytes[0]);
    EXPECT_EQUAL(received, bytes[1]);
    EXPECT(strcmp(c->engine, "auto") == 0 || strcmp(c->engine, engine) == 0);
    if (c->callers_work)
        work = set_work(ex, needed);
    for (int execution = 0; execution < 3; execution++)
        check_execution(c, ex, execution);
    EXPECT_OK(subx_exch_free(&ex));
    EXPECT(ex == SUBX_EXCH_NULL);
    EXPECT_OK(subx_mem_free(&work));
}

static void check_engine(const char *engine, const char *radix, int number)
{
    test_random rng = test_random_stream(test_seed(), 8000000u + (uint64_t)number);
    setting c = {.number = number, .engine = engine, .radix = radix};
    c.lists = test_random_int(&rng, 0, 3) == 0;
    c.callers_work = test_random_int(&rng, 0, 1);
    c.how = test_random_int(&rng, 0, HOWS - 1);
    check_setting(&c);
}

/* On eight ranks, a round of engine kway has several partners, and pairwise has more partners than slices. */
static void check_eight(void)
{
    check_engine("kway", "2", 0);
    check_engine("kway", "3", 1);
    check_engine("kway", "4", 2);
    check_engine("pairwise", NULL, 3);
    check_engine("pairwise", NULL, 4);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    const int times = test_nranks > 4 ? 1 : test_nranks > 2 ? 3 : 8;
    for (int k = 0; k < times * test_engine_count() && test_nranks < 8; k++)
        check_engine(test_engine_get(k), NULL, k);
    if (test_nranks == 8)
        check_eight();
    return test_end();
}
