/* exch_orders.c - all 36 pairs of a sender's and a receiver's order in three dimensions: the sender's axis
 * s[i] must become the receiver's axis r[i].
 * ranks: 1 2 3 4 5 7 */
#include "common/hints.h"
#include "common/random.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx.h>

enum { LENGTH_MAX = 3, ROOM = LENGTH_MAX + 2, BLOCK = ROOM * ROOM * ROOM };

/* The length, along axis i of the traversal, of the block that rank r sends to rank q. Lengths are uneven,
 * and often 0 or 1. */
static int get_length(int r, int q, int i)
{
    return (3 * r + 5 * q + 2 * i + 1) % (LENGTH_MAX + 1);
}

/* Get the index along an axis at which the block for a partner begins. Both arrays have ROOM^3 elements per
 * partner; the partners follow each other along the slowest axis. A block begins inside its partner's
 * elements, not at their corner. */
static int get_start(int axis, int slowest, int partner)
{
    return axis == slowest ? 1 + ROOM * partner : axis % 2;
}

static MPI_Datatype create_type(const int order[], int storage, int partner, const int length[])
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const int slowest = storage == MPI_ORDER_C ? 0 : 2;
    int sizes[3], subsizes[3], starts[3];
    for (int i = 0; i < 3; i++) {
        int axis = order[i];
        subsizes[axis] = length[i];
        sizes[axis] = axis == slowest ? ROOM * test_nranks : ROOM;
        starts[axis] = get_start(axis, slowest, partner);
    }
    EXPECT_OK(subx_type_create_subarray(3, sizes, subsizes, starts, storage, order, MPI_INT, &type));
    return type;
}

static void get_lengths(int r, int q, int length[])
{
    for (int i = 0; i < 3; i++)
        length[i] = get_length(r, q, i);
}

/* Get the offset of an element from its indices. The slowest axis is longer with more ranks, but no stride
 * depends on its length. */
static int get_index(int storage, const int x[])
{
    return storage == MPI_ORDER_C ? (x[0] * ROOM + x[1]) * ROOM + x[2] : (x[2] * ROOM + x[1]) * ROOM + x[0];
}

static int get_value(int rank, int index)
{
    return 100000 * (rank + 1) + index;
}

typedef struct setting {
    int s[3], r[3], sstorage, rstorage;
} setting;

/* Put the elements that rank q sends to this rank where the definition says. */
static void set_expected(const setting *c, int q, int expected[])
{
    int n[3], t[3], x[3], y[3];
    const int sslowest = c->sstorage == MPI_ORDER_C ? 0 : 2, rslowest = c->rstorage == MPI_ORDER_C ? 0 : 2;
    get_lengths(q, test_rank, n);
    for (t[0] = 0; t[0] < n[0]; t[0]++)
        for (t[1] = 0; t[1] < n[1]; t[1]++)
            for (t[2] = 0; t[2] < n[2]; t[2]++) {
                for (int i = 0; i < 3; i++) {
                    x[c->s[i]] = get_start(c->s[i], sslowest, test_rank) + t[i];
                    y[c->r[i]] = get_start(c->r[i], rslowest, q) + t[i];
                }
                expected[get_index(c->rstorage, y)] = get_value(q, get_index(c->sstorage, x));
            }
}

static subx_exch create_exchange(const setting *c, const char *engine)
{
    MPI_Datatype *type = malloc(2 * (size_t)test_nranks * sizeof *type);
    int length[3];
    subx_exch ex = SUBX_EXCH_NULL;
    for (int q = 0; q < test_nranks; q++) {
        get_lengths(test_rank, q, length);
        type[q] = create_type(c->s, c->sstorage, q, length);
        get_lengths(q, test_rank, length);
        type[test_nranks + q] = create_type(c->r, c->rstorage, q, length);
    }
    MPI_Info hints = test_hints("engine=%s check=no", engine);
    if (strcmp(engine, "node") == 0)
        test_hint_set(hints, "node_ranks", "2");
    int rc = subx_exch_create(MPI_COMM_WORLD, type, type + test_nranks, hints, &ex);
    /* Some engines may be unavailable. alltoallv must be available on every system. */
    if (subx_error_get_kind(rc) != SUBX_ERR_UNAVAILABLE || strcmp(engine, "alltoallv") == 0)
        EXPECT_OK(rc);
    MPI_Info_free(&hints);
    for (int i = 0; i < 2 * test_nranks; i++)
        MPI_Type_free(&type[i]);
    free(type);
    return ex;
}

static void check_pair(const setting *c, const char *engine)
{
    const int n = BLOCK * test_nranks;
    int *send = malloc(3 * (size_t)n * sizeof *send), *receive = send + n, *expected = receive + n, wrong = 0;
    for (int i = 0; i < n; i++) {
        send[i] = get_value(test_rank, i);
        receive[i] = expected[i] = -1;
    }
    for (int q = 0; q < test_nranks; q++)
        set_expected(c, q, expected);
    subx_exch ex = create_exchange(c, engine);
    if (ex == SUBX_EXCH_NULL) {
        free(send);
        return;
    }
    EXPECT_OK(subx_exch_execute(ex, send, receive));
    for (int i = 0; i < n; i++)
        wrong += receive[i] != expected[i] || send[i] != get_value(test_rank, i);
    EXPECT_EQUAL(wrong, 0);
    EXPECT_OK(subx_exch_free(&ex));
    free(send);
}

static setting get_setting(int k)
{
    setting c;
    test_permutation(3, k / 6, c.s);
    test_permutation(3, k % 6, c.r);
    c.sstorage = k & 1 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    c.rstorage = k / 6 & 1 ? MPI_ORDER_FORTRAN : MPI_ORDER_C;
    return c;
}

int main(int argc, char **argv)
{
    const char *engine;
    test_begin(&argc, &argv);
    const int every = test_nranks > 4 ? 4 : 1;
    for (int e = 0; subx_exch_query_engine(e, &engine) == MPI_SUCCESS && engine; e++)
        for (int k = 0; k < 36; k++) {
            /* If many ranks share few cores, creating an exchange takes long. Then each engine is tested with
             * a quarter of the pairs. */
            if ((k + e) % every)
                continue;
            setting c = get_setting(k);
            test_context("%s, send (%d,%d,%d), receive (%d,%d,%d)", engine, c.s[0], c.s[1], c.s[2], c.r[0],
                         c.r[1], c.r[2]);
            check_pair(&c, engine);
        }
    return test_end();
}
