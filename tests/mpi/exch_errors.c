/* exch_errors.c - one rank has a wrong argument. All ranks get the same kind of error, no rank waits for
 * ever, and later calls work.
 * ranks: 1 2 3 4 5 7 */
#include "common/hints.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx.h>

enum { RANKS_MAX = 7 };

/* The arguments of an exchange in which each rank sends an int to every rank. Tests make some of the arguments
 * wrong. int_at[q] is a type of one int for partner q. It begins at the q-th int, because received data must not
 * overlap. */
static MPI_Datatype stype[RANKS_MAX], rtype[RANKS_MAX], int_at[RANKS_MAX];
static const char *key, *value;

CHECK(create_ints)
{
    for (int q = 0; q < test_nranks; q++)
        MPI_Type_create_indexed_block(1, 1, &q, MPI_INT, &int_at[q]);
}

static void reset(void)
{
    for (int q = 0; q < test_nranks; q++)
        stype[q] = rtype[q] = int_at[q];
    key = "engine";
    value = "auto";
}

/* Expect the same kind of error on all ranks: `kind`, or `other` if two kinds are allowed. */
static void expect_failure(const MPI_Datatype *sent, int kind, int other, const char *what)
{
    subx_exch ex = (subx_exch)&ex;
    MPI_Info hints = test_hints("%s=%s", key, value);
    test_context("%s", what);
    EXPECT_REFUSED_OR(subx_exch_create(MPI_COMM_WORLD, sent, rtype, hints, &ex), kind, other, "");
    EXPECT(ex == SUBX_EXCH_NULL);
    MPI_Info_free(&hints);
}

/* After every failure, an exchange must still work. In particular, the failed exchange must have left no
 * messages. */
static void expect_success(void)
{
    subx_exch ex = SUBX_EXCH_NULL;
    int out = 1000 + test_rank, in = -1;
    for (int q = 0; q < test_nranks; q++) {
        stype[q] = q == (test_rank + 1) % test_nranks ? MPI_INT : MPI_DATATYPE_NULL;
        rtype[q] = (q + 1) % test_nranks == test_rank ? MPI_INT : MPI_DATATYPE_NULL;
    }
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, stype, rtype, MPI_INFO_NULL, &ex));
    EXPECT_OK(subx_exch_execute(ex, &out, &in));
    EXPECT_EQUAL(in, 1000 + (test_rank + test_nranks - 1) % test_nranks);
    EXPECT_OK(subx_exch_free(&ex));
}

CHECK(check_null_arrays)
{
    reset();
    expect_failure(test_is_last() ? NULL : stype, SUBX_ERR_ARG, SUBX_ERR_ARG, "a null array of types");
    expect_success();
}

CHECK(check_mismatch)
{
    reset();
    if (test_is_last())
        stype[0] = MPI_DOUBLE;
    expect_failure(stype, SUBX_ERR_MISMATCH, SUBX_ERR_MISMATCH, "more is sent than expected");
    reset();
    if (test_is_last())
        rtype[0] = MPI_DATATYPE_NULL;
    expect_failure(stype, SUBX_ERR_MISMATCH, SUBX_ERR_MISMATCH, "something is sent, nothing expected");
    expect_success();
}

CHECK(check_hints)
{
    reset();
    key = "engine";
    value = "steam";
    expect_failure(stype, SUBX_ERR_HINT, SUBX_ERR_HINT, "an engine that nobody knows");
    value = test_is_last() ? "steam" : "alltoallv";
    expect_failure(stype, SUBX_ERR_HINT, test_nranks > 1 ? SUBX_ERR_DIFFERS : SUBX_ERR_HINT,
                   "an engine that nobody knows on one rank");
    key = test_is_last() ? "enginge" : "grid";
    value = "alltoallv";
    expect_failure(stype, SUBX_ERR_HINT, SUBX_ERR_HINT, "a misspelt hint on one rank");
    key = "work";
    value = "nobody";
    expect_failure(stype, SUBX_ERR_HINT, SUBX_ERR_HINT, "work space of nobody's");
    if (test_nranks > 1) {
        key = "engine";
        value = test_is_last() ? "alltoallw" : "alltoallv";
        expect_failure(stype, SUBX_ERR_DIFFERS, SUBX_ERR_DIFFERS, "ranks want different engines");
        key = "work";
        value = test_is_last() ? "caller" : "engine";
        expect_failure(stype, SUBX_ERR_DIFFERS, SUBX_ERR_DIFFERS, "ranks want different owners of work");
    }
    expect_success();
}

/* Engine auto chooses an engine that supports the types of all ranks. */
CHECK(check_auto)
{
    subx_exch ex = SUBX_EXCH_NULL;
    const char *engine = "";
    const MPI_Aint behind = 8 * test_nranks;
    MPI_Datatype type; /* a type that is not a strided block */
    test_context("auto");
    reset();
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, stype, rtype, MPI_INFO_NULL, &ex));
    EXPECT_OK(subx_exch_get(ex, &engine, NULL, NULL, NULL));
#ifdef __linux__ /* shm needs shared memory, which only Linux has */
    EXPECT(strcmp(engine, "shm") == 0);
#endif
    EXPECT_OK(subx_exch_free(&ex));
    MPI_Type_create_hindexed_block(1, 1, &behind, MPI_SHORT_INT, &type);
    if (test_is_last())
        stype[test_rank] = rtype[test_rank] = type;
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, stype, rtype, MPI_INFO_NULL, &ex));
    EXPECT_OK(subx_exch_get(ex, &engine, NULL, NULL, NULL));
    EXPECT(strcmp(engine, "alltoallw") == 0);
    EXPECT_OK(subx_exch_free(&ex));
    MPI_Type_free(&type);
}

static void expect_realign(int d, const ptrdiff_t n[], int v, int w, const int order[], MPI_Datatype type,
                           int kind, int other)
{
    subx_exch ex = (subx_exch)&ex;
    EXPECT_REFUSED_OR(
        subx_exch_create_realign(MPI_COMM_WORLD, d, n, v, w, order, NULL, type, MPI_INFO_NULL, &ex), kind,
        other, "");
    EXPECT(ex == SUBX_EXCH_NULL);
}

/* The last rank gives a wrong value. On several ranks the library may first find that ranks differ
 * (DIFFERS). */
CHECK(check_realign)
{
    const int bad = test_is_last(), two[] = {0, bad ? 0 : 1}, other = test_nranks > 1 ? SUBX_ERR_DIFFERS : -1;
    const ptrdiff_t n[] = {4, 5}, negative[] = {4, bad ? -5 : 5}, longer[] = {4, bad ? 6 : 5};
    test_context("realign");
    expect_realign(bad ? 1 : 2, n, 0, 1, NULL, MPI_INT, SUBX_ERR_NDIMS, other);
    expect_realign(2, negative, 0, 1, NULL, MPI_INT, SUBX_ERR_SIZE, other);
    expect_realign(2, n, bad ? 1 : 0, 1, NULL, MPI_INT, SUBX_ERR_ARG, other);
    expect_realign(2, n, 0, bad ? 2 : 1, NULL, MPI_INT, SUBX_ERR_ARG, other);
    expect_realign(2, n, 0, 1, two, MPI_INT, SUBX_ERR_ORDER, other);
    expect_realign(2, n, 0, 1, NULL, bad ? MPI_DATATYPE_NULL : MPI_INT, SUBX_ERR_TYPE, other);
    expect_realign(2, bad ? NULL : n, 0, 1, NULL, MPI_INT, SUBX_ERR_ARG, other);
    if (test_nranks > 1) {
        expect_realign(2, longer, 0, 1, NULL, MPI_INT, SUBX_ERR_DIFFERS, SUBX_ERR_MISMATCH);
        expect_realign(2, n, bad, !bad, NULL, MPI_INT, SUBX_ERR_DIFFERS, SUBX_ERR_MISMATCH);
    }
    expect_success();
}

CHECK(check_environment)
{
    subx_exch ex = SUBX_EXCH_NULL;
    const char *engine = "";
    test_context("environment");
    reset();
    setenv("SUBX_ENGINE", "alltoallw", 1);
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, stype, rtype, MPI_INFO_NULL, &ex));
    EXPECT_OK(subx_exch_get(ex, &engine, NULL, NULL, NULL));
    EXPECT(strcmp(engine, "alltoallw") == 0);
    EXPECT_OK(subx_exch_free(&ex));
    unsetenv("SUBX_ENGINE");
}

/* All ranks break a rule of execution. The execution must not start. */
CHECK(check_executions)
{
    int *out = calloc((size_t)test_nranks, sizeof *out), *in = calloc((size_t)test_nranks, sizeof *in);
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("executions");
    reset();
    for (int q = 0; q < test_nranks; q++)
        if (q != test_rank)
            stype[q] = rtype[q] = MPI_DATATYPE_NULL;
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, stype, rtype, MPI_INFO_NULL, &ex));
    EXPECT_KIND(subx_exch_execute(ex, NULL, in), SUBX_ERR_ARG);
    EXPECT_KIND(subx_exch_execute(ex, out, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_exch_execute(ex, out, out), SUBX_ERR_ALIAS);
    EXPECT_OK(subx_exch_execute(ex, out, in));
    EXPECT_OK(subx_exch_free(&ex));
    free(in);
    free(out);
}

static int refuse_to_copy(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)type, (void)keyval, (void)in, (void)out, (void)flag;
    return *(int *)extra;
}

/* An attribute of the caller's type refuses to be copied. Its function returns an error code that the caller
 * has defined. */
CHECK(check_foreign_code)
{
    int keyval, class, code;
    MPI_Datatype type;
    subx_exch ex = (subx_exch)&ex;
    test_context("a foreign error code");
    reset();
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Type_create_keyval(refuse_to_copy, MPI_TYPE_NULL_DELETE_FN, &keyval, &code);
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_set_attr(type, keyval, NULL);
    if (test_is_last())
        stype[0] = type;
    EXPECT(subx_exch_create(MPI_COMM_WORLD, stype, rtype, MPI_INFO_NULL, &ex) != MPI_SUCCESS);
    EXPECT(ex == SUBX_EXCH_NULL);
    MPI_Type_delete_attr(type, keyval);
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&keyval);
    expect_success();
}

/* A type that is no strided block, and has more bytes than MPI_Pack can count. The creation must refuse the
 * type before it allocates memory. */
CHECK(check_too_large)
{
    const int length[] = {1 << 30, 1 << 30};
    const MPI_Aint place[] = {0, ((MPI_Aint)1 << 30) + 4};
    MPI_Datatype type;
    reset();
    MPI_Type_create_hindexed(2, length, place, MPI_CHAR, &type);
    for (int q = 0; q < test_nranks; q++)
        stype[q] = rtype[q] = MPI_DATATYPE_NULL;
    stype[test_rank] = rtype[test_rank] = test_is_last() ? type : MPI_DATATYPE_NULL;
    key = "engine";
    value = "alltoallv";
    expect_failure(stype, SUBX_ERR_TOO_LARGE, -1, "too large for MPI_Pack");
    MPI_Type_free(&type);
}

CHECK(free_ints)
{
    for (int q = 0; q < test_nranks; q++)
        MPI_Type_free(&int_at[q]);
}
