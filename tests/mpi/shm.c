/* shm.c - memory that ranks share, and exchanges from it. Some ranks pass shared memory and others private
 * memory; some or all ranks take part; nodes are real or pretended.
 * ranks: 1 2 3 4 5 7 8 */
#include "common/hints.h"
#include "common/plan.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>

enum { NX = 5, NY = 7, NZ = 3, MARGIN = 24 };

static const ptrdiff_t sizes[] = {NX, NY, NZ};

#ifdef __linux__
static const int can_share = 1;
#else
static const int can_share = 0;
#endif

/* Get the value of an element, which follows from its global indices. */
static double get_value(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z)
{
    return (double)((x * 100 + y) * 100 + z) + 0.5;
}

/* A local array, before the exchange (axis 1 is divided) or after it (axis 0 is divided). `order` has the
 * contiguous axis first. */
typedef struct local {
    ptrdiff_t len[3], start[3];
    int order[3];
} local;

static local get_local(MPI_Comm comm, int divided, const int order[])
{
    local l = {{NX, NY, NZ}, {0, 0, 0}, {order[0], order[1], order[2]}};
    int p, r;
    MPI_Comm_size(comm, &p);
    MPI_Comm_rank(comm, &r);
    EXPECT_OK(subx_block_get(sizes[divided], p, r, &l.len[divided], &l.start[divided]));
    return l;
}

static ptrdiff_t count(const local *l)
{
    return l->len[0] * l->len[1] * l->len[2];
}

/* If `fills`, fill the array with its values. Otherwise count the elements that have another value. */
static ptrdiff_t visit(const local *l, double *array, int fills)
{
    ptrdiff_t wrong = 0, i[3], at = 0;
    for (i[l->order[2]] = 0; i[l->order[2]] < l->len[l->order[2]]; i[l->order[2]]++)
        for (i[l->order[1]] = 0; i[l->order[1]] < l->len[l->order[1]]; i[l->order[1]]++)
            for (i[l->order[0]] = 0; i[l->order[0]] < l->len[l->order[0]]; i[l->order[0]]++, at++) {
                double v = get_value(l->start[0] + i[0], l->start[1] + i[1], l->start[2] + i[2]);
                if (fills)
                    array[at] = v;
                else
                    wrong += array[at] != v;
            }
    return wrong;
}

static subx_exch create_exchange(MPI_Comm comm, const char *engine, const char *node_ranks, const int s[],
                                 const int r[])
{
    subx_exch ex = SUBX_EXCH_NULL;
    MPI_Info hints = test_hints("engine=%s node_ranks=%s", engine, node_ranks);
    int rc = subx_exch_create_realign(comm, 3, sizes, 0, 1, s, r, MPI_DOUBLE, hints, &ex);
    if (can_share || strcmp(engine, "shm") != 0 || subx_error_get_kind(rc) != SUBX_ERR_UNAVAILABLE)
        EXPECT_OK(rc);
    MPI_Info_free(&hints);
    return ex;
}

/* Execute an exchange and check its result. The output is cleared first, so that the check cannot succeed
 * with the data of an earlier execution. */
static void execute(subx_exch ex, int with_test, double *send, const local *from, double *receive,
                    const local *to)
{
    int done = 0;
    visit(from, send, 1);
    for (ptrdiff_t i = 0; i < count(to); i++)
        receive[i] = -1;
    if (with_test) {
        EXPECT_OK(subx_exch_start(ex, send, receive));
        int rc = MPI_SUCCESS;
        while (!done && !rc)
            rc = subx_exch_test(ex, &done);
        EXPECT_OK(rc);
        EXPECT_OK(subx_exch_wait(ex));
    } else {
        EXPECT_OK(subx_exch_execute(ex, send, receive));
    }
    EXPECT_EQUAL(visit(to, receive, 0), 0);
    EXPECT_EQUAL(visit(from, send, 0), 0);
}

/* Execute one exchange several times: all ranks send from shared memory, then some ranks, then none. Two
 * segments of shared memory alternate. */
static void check_mixtures(MPI_Comm comm, const char *engine, const char *node_ranks)
{
    const int orders[][3] = {{2, 1, 0}, {0, 2, 1}, {1, 0, 2}};
    const int *s = orders[test_nranks % 3], *r = orders[(test_nranks + 1) % 3];
    local from = get_local(comm, 1, s), to = get_local(comm, 0, r);
    const ptrdiff_t room = (NX * NY * NZ + MARGIN) * (ptrdiff_t)sizeof(double);
    void *mem[3];
    double *own = malloc((size_t)room);
    for (int i = 0; i < 3; i++)
        EXPECT_OK(subx_mem_alloc(comm, room, MPI_INFO_NULL, &mem[i]));
    subx_exch ex = create_exchange(comm, engine, node_ranks, s, r);
    for (int k = 0; k < 8 && ex != SUBX_EXCH_NULL; k++) {
        test_context("%s, nodes of %s, mixture %d", engine, node_ranks, k);
        double *shared = (double *)mem[k % 2] + k % MARGIN;
        int is_shared = k < 2 || (k < 6 && (test_rank + k) % 2);
        execute(ex, k % 2, is_shared ? shared : own, &from, mem[2], &to);
    }
    EXPECT_OK(subx_exch_free(&ex));
    for (int i = 0; i < 3; i++)
        EXPECT_OK(subx_mem_free(&mem[i]));
    EXPECT(mem[0] == NULL);
    free(own);
}

/* An exchange of some ranks can read memory that all ranks share. An exchange of all ranks cannot read memory
 * that only some of them share: it must then move the data in another way. */
CHECK(check_communicators)
{
    const int order[] = {2, 1, 0};
    const ptrdiff_t room = NX * NY * NZ * (ptrdiff_t)sizeof(double);
    MPI_Comm part, comm[2] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    void *send, *receive = malloc((size_t)room);
    MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, -test_rank, &part);
    comm[1] = part;
    for (int i = 0; i < 2; i++) {
        test_context("memory of %s ranks", i ? "some" : "all");
        local from = get_local(comm[1 - i], 1, order), to = get_local(comm[1 - i], 0, order);
        EXPECT_OK(subx_mem_alloc(comm[i], room, MPI_INFO_NULL, &send));
        subx_exch ex = create_exchange(comm[1 - i], "shm", "0", order, order);
        if (ex != SUBX_EXCH_NULL)
            execute(ex, 0, send, &from, receive, &to);
        EXPECT_OK(subx_exch_free(&ex));
        EXPECT_OK(subx_mem_free(&send));
    }
    MPI_Comm_free(&part);
    free(receive);
}

/* The address that is passed is in shared memory. But the displacements of the types lead from there to
 * private memory, or to another segment. */
static void check_elsewhere(int in_other_piece)
{
    const size_t ints = 4096;
    MPI_Datatype *type = malloc(2 * (size_t)test_nranks * sizeof *type);
    int *own = malloc(ints * sizeof *own), *in = malloc((size_t)test_nranks * sizeof *in), wrong = 0;
    void *mem[2];
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("data in %s", in_other_piece ? "another piece" : "ordinary memory");
    for (int i = 0; i < 2; i++)
        EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, (ptrdiff_t)(ints * sizeof *own), MPI_INFO_NULL, &mem[i]));
    int *data = in_other_piece ? mem[1] : own;
    for (int q = 0; q < test_nranks; q++) {
        MPI_Aint far = (char *)(data + q) - (char *)mem[0], near = q * (MPI_Aint)sizeof *in;
        data[q] = 100 * test_rank + q;
        MPI_Type_create_hindexed_block(1, 1, &far, MPI_INT, &type[q]);
        MPI_Type_create_hindexed_block(1, 1, &near, MPI_INT, &type[test_nranks + q]);
    }
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, type, type + test_nranks, MPI_INFO_NULL, &ex));
    for (int q = 0; q < test_nranks; q++)
        in[q] = -1;
    EXPECT_OK(subx_exch_execute(ex, mem[0], in));
    for (int q = 0; q < test_nranks; q++)
        wrong += in[q] != 100 * q + test_rank;
    EXPECT_EQUAL(wrong, 0);
    EXPECT_OK(subx_exch_free(&ex));
    for (int i = 0; i < 2 * test_nranks; i++)
        MPI_Type_free(&type[i]);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(subx_mem_free(&mem[i]));
    free(in);
    free(own);
    free(type);
}

CHECK(check_memory)
{
    void *mem = (void *)&mem, *other = &other;
    const int bad = test_rank == test_nranks - 1;
    test_context("memory");
    EXPECT_KIND(subx_mem_alloc(MPI_COMM_NULL, 8, MPI_INFO_NULL, &mem), SUBX_ERR_COMM);
    EXPECT(mem == NULL);
    EXPECT_KIND(subx_mem_alloc(MPI_COMM_WORLD, bad ? -1 : 8, MPI_INFO_NULL, &mem), SUBX_ERR_SIZE);
    EXPECT(mem == NULL);
    EXPECT_KIND(subx_mem_alloc(MPI_COMM_WORLD, 8, MPI_INFO_NULL, bad ? NULL : &mem), SUBX_ERR_ARG);
    EXPECT_KIND(subx_mem_alloc(MPI_COMM_WORLD, bad ? (ptrdiff_t)1 << 60 : 8, MPI_INFO_NULL, &mem),
                SUBX_ERR_NO_MEM);
    EXPECT(mem == NULL);
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, test_rank, MPI_INFO_NULL, &mem));
    EXPECT(mem != NULL && (size_t)mem % 64 == 0);
    for (int i = 0; i < test_rank; i++)
        EXPECT_EQUAL(((char *)mem)[i], 0);
    EXPECT_KIND(subx_mem_free(&other), SUBX_ERR_ARG);
    EXPECT_OK(subx_mem_free(&mem));
    EXPECT_OK(subx_mem_free(&mem));
    EXPECT_OK(subx_mem_free(NULL));
}

static void expect_value(subx_exch ex, const char *key, const char *value)
{
    MPI_Info info;
    EXPECT_OK(subx_exch_get_info(ex, &info));
    test_info_expect(info, key, value);
}

/* On nodes of one rank no memory is shared. Engine auto tries shm and node, and finds that they cannot be
 * used. */
CHECK(check_info)
{
    const int s[] = {2, 1, 0}, r[] = {1, 2, 0};
    MPI_Info info;
    test_context("info");
    subx_exch ex = create_exchange(MPI_COMM_WORLD, "auto", "1", s, r);
    expect_value(ex, "subx_engine", test_nranks > 1 ? "alltoallv" : "shm");
    expect_value(ex, "node_ranks", "1");
    if (test_nranks > 1)
        expect_value(ex, "subx_dropped", "shm node");
    EXPECT_OK(subx_exch_free(&ex));
    EXPECT_KIND(subx_exch_get_info(SUBX_EXCH_NULL, &info), SUBX_ERR_ARG);
}

CHECK(check_all_mixtures)
{
    check_mixtures(MPI_COMM_WORLD, "shm", "0");
    check_mixtures(MPI_COMM_WORLD, "auto", "2");
    check_mixtures(MPI_COMM_WORLD, "auto", "3");
    check_elsewhere(0);
    check_elsewhere(1);
}
