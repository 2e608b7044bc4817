/* exch_errors.c - one rank has a wrong argument. All ranks get the same kind of error, no rank waits for
 * ever, and later calls work.
 * ranks: 1 2 3 4 5 7 */
#include "common/hints.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx.h>

/* The arguments of an exchange in which each rank sends an int to every rank. Tests make some of the
 * arguments wrong. */
typedef struct arguments {
    MPI_Datatype *stype, *rtype;
    const char *key, *value;
} arguments;

/* int_at[q] is a type of one int for partner q. It begins at the q-th int, because received data must not
 * overlap. */
static MPI_Datatype *int_at;

static void create_ints(void)
{
    const int length = 1;
    int_at = malloc((size_t)test_nranks * sizeof *int_at);
    for (int q = 0; q < test_nranks; q++)
        MPI_Type_create_indexed_block(1, length, &q, MPI_INT, &int_at[q]);
}

static void free_ints(void)
{
    for (int q = 0; q < test_nranks; q++)
        MPI_Type_free(&int_at[q]);
    free(int_at);
}

static void reset(arguments *a)
{
    for (int q = 0; q < test_nranks; q++)
        a->stype[q] = a->rtype[q] = int_at[q];
    a->key = "engine";
    a->value = "auto";
}

/* Expect the same kind of error on all ranks: `kind`, or `other` if two kinds are allowed. */
static void expect_failure(const arguments *a, const MPI_Datatype *stype, int kind, int other,
                           const char *what)
{
    subx_exch ex = (subx_exch)&ex;
    MPI_Info hints = test_hints("%s=%s", a->key, a->value);
    test_context("%s", what);
    EXPECT_REFUSED_OR(subx_exch_create(MPI_COMM_WORLD, stype, a->rtype, hints, &ex), kind, other, "");
    EXPECT(ex == SUBX_EXCH_NULL);
    MPI_Info_free(&hints);
}

/* After every failure, an exchange must still work. In particular, the failed exchange must have left no
 * messages. */
static void expect_success(void)
{
    arguments a;
    MPI_Datatype *type = malloc(2 * (size_t)test_nranks * sizeof *type);
    subx_exch ex = SUBX_EXCH_NULL;
    int out = 1000 + test_rank, in = -1;
    a.stype = type;
    a.rtype = type + test_nranks;
    reset(&a);
    for (int q = 0; q < test_nranks; q++) {
        a.stype[q] = q == (test_rank + 1) % test_nranks ? MPI_INT : MPI_DATATYPE_NULL;
        a.rtype[q] = (q + 1) % test_nranks == test_rank ? MPI_INT : MPI_DATATYPE_NULL;
    }
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, a.stype, a.rtype, MPI_INFO_NULL, &ex));
    EXPECT_OK(subx_exch_execute(ex, &out, &in));
    EXPECT_EQUAL(in, 1000 + (test_rank + test_nranks - 1) % test_nranks);
    EXPECT_OK(subx_exch_free(&ex));
    free(type);
}

static void check_null_arrays(arguments *a)
{
    reset(a);
    expect_failure(a, test_is_last() ? NULL : a->stype, SUBX_ERR_ARG, SUBX_ERR_ARG, "a null array of types");
    expect_success();
}

static void check_mismatch(arguments *a)
{
    reset(a);
    if (test_is_last())
        a->stype[0] = MPI_DOUBLE;
    expect_failure(a, a->stype, SUBX_ERR_MISMATCH, SUBX_ERR_MISMATCH, "more is sent than expected");
    reset(a);
    if (test_is_last())
        a->rtype[0] = MPI_DATATYPE_NULL;
    expect_failure(a, a->stype, SUBX_ERR_MISMATCH, SUBX_ERR_MISMATCH, "something is sent, nothing expected");
    expect_success();
}

static void check_hints(arguments *a)
{
    reset(a);
    a->key = "engine";
    a->value = "steam";
    expect_failure(a, a->stype, SUBX_ERR_HINT, SUBX_ERR_HINT, "an engine that nobody knows");
    a->value = test_is_last() ? "steam" : "alltoallv";
    expect_failure(a, a->stype, SUBX_ERR_HINT, test_nranks > 1 ? SUBX_ERR_DIFFERS : SUBX_ERR_HINT,
                   "an engine that nobody knows on one rank");
    a->key = test_is_last() ? "enginge" : "grid";
    a->value = "alltoallv";
    expect_failure(a, a->stype, SUBX_ERR_HINT, SUBX_ERR_HINT, "a misspelt hint on one rank");
    a->key = "work";
    a->value = "nobody";
    expect_failure(a, a->stype, SUBX_ERR_HINT, SUBX_ERR_HINT, "work space of nobody's");
    if (test_nranks > 1) {
        a->key = "engine";
        a->value = test_is_last() ? "alltoallw" : "alltoallv";
        expect_failure(a, a->stype, SUBX_ERR_DIFFERS, SUBX_ERR_DIFFERS, "ranks want different engines");
        a->key = "work";
        a->value = test_is_last() ? "caller" : "engine";
        expect_failure(a, a->stype, SUBX_ERR_DIFFERS, SUBX_ERR_DIFFERS,
                       "ranks want different owners of work");
    }
    expect_success();
}

/* Engine auto chooses an engine that supports the types of all ranks. */
static void check_auto(arguments *a)
{
    subx_exch ex = SUBX_EXCH_NULL;
    const char *engine = "";
    const MPI_Aint behind = 8 * test_nranks;
    MPI_Datatype type; /* a type that is not a strided block */
    test_context("auto");
    reset(a);
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, a->stype, a->rtype, MPI_INFO_NULL, &ex));
    EXPECT_OK(subx_exch_get(ex, &engine, NULL, NULL, NULL));
#ifdef __linux__ /* shm needs shared memory, which only Linux has */
    EXPECT(strcmp(engine, "shm") == 0);
#endif
    EXPECT_OK(subx_exch_free(&ex));
    MPI_Type_create_hindexed_block(1, 1, &behind, MPI_SHORT_INT, &type);
    if (test_is_last())
        a->stype[test_rank] = a->rtype[test_rank] = type;
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, a->stype, a->rtype, MPI_INFO_NULL, &ex));
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
static void check_realign(void)
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

static void check_environment(arguments *a)
{
    subx_exch ex = SUBX_EXCH_NULL;
    const char *engine = "";
    test_context("environment");
    reset(a);
    setenv("SUBX_ENGINE", "alltoallw", 1);
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, a->stype, a->rtype, MPI_INFO_NULL, &ex));
    EXPECT_OK(subx_exch_get(ex, &engine, NULL, NULL, NULL));
    EXPECT(strcmp(engine, "alltoallw") == 0);
    EXPECT_OK(subx_exch_free(&ex));
    unsetenv("SUBX_ENGINE");
}

/* All ranks break a rule of execution. The execution must not start. */
static void check_executions(arguments *a)
{
    int *out = calloc((size_t)test_nranks, sizeof *out), *in = calloc((size_t)test_nranks, sizeof *in);
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("executions");
    reset(a);
    for (int q = 0; q < test_nranks; q++)
        if (q != test_rank)
            a->stype[q] = a->rtype[q] = MPI_DATATYPE_NULL;
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, a->stype, a->rtype, MPI_INFO_NULL, &ex));
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
static void check_foreign_code(arguments *a)
{
    int keyval, class, code;
    MPI_Datatype type;
    subx_exch ex = (subx_exch)&ex;
    test_context("a foreign error code");
    reset(a);
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Type_create_keyval(refuse_to_copy, MPI_TYPE_NULL_DELETE_FN, &keyval, &code);
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_set_attr(type, keyval, NULL);
    if (test_is_last())
        a->stype[0] = type;
    EXPECT(subx_exch_create(MPI_COMM_WORLD, a->stype, a->rtype, MPI_INFO_NULL, &ex) != MPI_SUCCESS);
    EXPECT(ex == SUBX_EXCH_NULL);
    MPI_Type_delete_attr(type, keyval);
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&keyval);
    expect_success();
}

/* A type that is no strided block, and has more bytes than MPI_Pack can count. The creation must refuse the
 * type before it allocates memory. */
static void check_too_large(arguments *a)
{
    const int length[] = {1 << 30, 1 << 30};
    const MPI_Aint place[] = {0, ((MPI_Aint)1 << 30) + 4};
    MPI_Datatype type;
    reset(a);
    MPI_Type_create_hindexed(2, length, place, MPI_CHAR, &type);
    for (int q = 0; q < test_nranks; q++)
        a->stype[q] = a->rtype[q] = MPI_DATATYPE_NULL;
    a->stype[test_rank] = a->rtype[test_rank] = test_is_last() ? type : MPI_DATATYPE_NULL;
    a->key = "engine";
    a->value = "alltoallv";
    expect_failure(a, a->stype, SUBX_ERR_TOO_LARGE, -1, "too large for MPI_Pack");
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    arguments a;
    test_begin(&argc, &argv);
    create_ints();
    a.stype = malloc(2 * (size_t)test_nranks * sizeof *a.stype);
    a.rtype = a.stype + test_nranks;
    check_null_arrays(&a);
    check_mismatch(&a);
    check_hints(&a);
    check_auto(&a);
    check_realign();
    check_environment(&a);
    check_executions(&a);
    check_foreign_code(&a);
    check_too_large(&a);
    free(a.stype);
    free_ints();
    return test_end();
}
