/* errors.c - the code and the text of each kind of error; calls that return errors. */
#include "common/unit.h"
#include <string.h>
#include <subx_tune.h>

/* Count the kinds of errors, including SUBX_ERR_NONE. Their numbers have no gaps: the first number without a
 * code follows the last kind. */
static int count_kinds(void)
{
    int kind = 1;
    while (subx_error_get_code(kind) != MPI_SUCCESS)
        kind++;
    return kind;
}

TEST(codes_and_kinds_are_inverse)
{
    ck_assert_int_eq(subx_error_get_code(SUBX_ERR_NONE), MPI_SUCCESS);
    ck_assert_int_eq(subx_error_get_kind(MPI_SUCCESS), SUBX_ERR_NONE);
    ck_assert_int_eq(subx_error_get_kind(MPI_ERR_COUNT), SUBX_ERR_NONE);
    const int kinds = count_kinds();
    ck_assert_int_gt(kinds, SUBX_ERR_FILE_ARRAY);
    for (int kind = 1; kind < kinds; kind++) {
        int code = subx_error_get_code(kind);
        ck_assert_int_ne(code, MPI_SUCCESS);
        ck_assert_int_eq(subx_error_get_kind(code), kind);
    }
}

TEST(texts_differ_and_the_class_is_one)
{
    enum { MOST = 100 };
    static char text[MOST][MPI_MAX_ERROR_STRING];
    const int kinds = count_kinds();
    int len, class, first;
    ck_assert_int_le(kinds, MOST);
    MPI_Error_class(subx_error_get_code(1), &first);
    ck_assert_int_gt(first, MPI_ERR_LASTCODE);
    for (int kind = 1; kind < kinds; kind++) {
        ck_assert_ok(MPI_Error_string(subx_error_get_code(kind), text[kind], &len));
        ck_assert_int_gt(len, 0);
        for (int other = 1; other < kind; other++)
            ck_assert_str_ne(text[kind], text[other]);
        MPI_Error_class(subx_error_get_code(kind), &class);
        ck_assert_int_eq(class, first);
    }
}

typedef struct arguments {
    int ndims, sizes[2], subsizes[2], starts[2], storage, order[2];
    int kind;
} arguments;

TEST(bad_subarrays)
{
    enum { C = MPI_ORDER_C };
    const arguments bad[] = {
        {0, {4, 5}, {2, 2}, {0, 0}, C, {0, 1}, SUBX_ERR_NDIMS},
        {-1, {4, 5}, {2, 2}, {0, 0}, C, {0, 1}, SUBX_ERR_NDIMS},
        {SUBX_NDIMS_MAX + 1, {4, 5}, {2, 2}, {0, 0}, C, {0, 1}, SUBX_ERR_NDIMS},
        {2, {-4, 5}, {2, 2}, {0, 0}, C, {0, 1}, SUBX_ERR_SIZE},
        {2, {4, 5}, {-1, 2}, {0, 0}, C, {0, 1}, SUBX_ERR_SIZE},
        {2, {4, 5}, {2, 6}, {0, 0}, C, {0, 1}, SUBX_ERR_SIZE},
        {2, {4, 5}, {2, 2}, {-1, 0}, C, {0, 1}, SUBX_ERR_SIZE},
        {2, {4, 5}, {2, 2}, {3, 0}, C, {0, 1}, SUBX_ERR_SIZE},
        {2, {4, 5}, {0, 2}, {5, 0}, C, {0, 1}, SUBX_ERR_SIZE},
        {2, {4, 5}, {2, 2}, {0, 0}, C, {0, 0}, SUBX_ERR_ORDER},
        {2, {4, 5}, {2, 2}, {0, 0}, C, {1, 2}, SUBX_ERR_ORDER},
        {2, {4, 5}, {2, 2}, {0, 0}, C, {-1, 0}, SUBX_ERR_ORDER},
        {2, {4, 5}, {2, 2}, {0, 0}, 12345, {0, 1}, SUBX_ERR_ORDER},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const arguments *b = &bad[i];
        MPI_Datatype t = MPI_INT;
        int rc = subx_type_create_subarray(b->ndims, b->sizes, b->subsizes, b->starts, b->storage, b->order,
                                           MPI_INT, &t);
        ck_assert_msg(subx_error_get_kind(rc) == b->kind, "case %zu", i);
        ck_assert(t == MPI_DATATYPE_NULL);
    }
}

TEST(null_arguments_of_subarrays)
{
    const int n[] = {4, 5}, zero[] = {0, 0};
    MPI_Datatype t = MPI_INT;
    ck_assert_kind(subx_type_create_subarray(2, NULL, n, zero, MPI_ORDER_C, NULL, MPI_INT, &t), SUBX_ERR_ARG);
    ck_assert_kind(subx_type_create_subarray(2, n, NULL, zero, MPI_ORDER_C, NULL, MPI_INT, &t), SUBX_ERR_ARG);
    ck_assert_kind(subx_type_create_subarray(2, n, n, NULL, MPI_ORDER_C, NULL, MPI_INT, &t), SUBX_ERR_ARG);
    ck_assert_kind(subx_type_create_subarray(2, n, n, zero, MPI_ORDER_C, NULL, MPI_INT, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_type_create_subarray(2, n, n, zero, MPI_ORDER_C, NULL, MPI_DATATYPE_NULL, &t),
                   SUBX_ERR_TYPE);
    ck_assert(t == MPI_DATATYPE_NULL);
}

TEST(bad_grids)
{
    const int two[] = {2}, one[] = {1}, zero[] = {0};
    const ptrdiff_t sizes[] = {4, 5}, empty[] = {4, 0};
    int dims[2] = {4, 0}, fill[1] = {0};
    subx_grid grid = (subx_grid)dims;
    ck_assert_kind(subx_grid_create(MPI_COMM_SELF, 1, two, &grid), SUBX_ERR_GRID);
    ck_assert(grid == SUBX_GRID_NULL);
    ck_assert_kind(subx_grid_create(MPI_COMM_SELF, 1, zero, &grid), SUBX_ERR_GRID);
    ck_assert_kind(subx_grid_create(MPI_COMM_SELF, 0, one, &grid), SUBX_ERR_NDIMS);
    ck_assert_kind(subx_grid_create(MPI_COMM_NULL, 1, one, &grid), SUBX_ERR_COMM);
    ck_assert_kind(subx_grid_create(MPI_COMM_SELF, 1, NULL, &grid), SUBX_ERR_ARG);
    ck_assert_kind(subx_grid_get_dims(6, 1, 2, sizes, dims), SUBX_ERR_GRID);
    ck_assert_kind(subx_grid_get_dims(6, 3, 2, sizes, dims), SUBX_ERR_NDIMS);
    ck_assert_kind(subx_grid_get_dims(6, 1, 2, empty, fill), SUBX_ERR_SIZE);
    ck_assert_kind(subx_grid_get_dims(0, 1, 2, sizes, fill), SUBX_ERR_ARG);
    ck_assert_kind(subx_grid_get_comm(SUBX_GRID_NULL, 0, &(MPI_Comm){MPI_COMM_NULL}), SUBX_ERR_ARG);
    ck_assert(dims[0] == 4 && fill[0] == 0);
}

TEST(freeing_null_handles_is_legal)
{
    subx_grid grid = SUBX_GRID_NULL;
    subx_exch ex = SUBX_EXCH_NULL;
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    ck_assert_ok(subx_grid_free(&grid));
    ck_assert_ok(subx_exch_free(&ex));
    ck_assert_ok(subx_fft_plan_free(&plan));
}

TEST(bad_exchanges)
{
    MPI_Datatype send = MPI_INT, receive = MPI_DOUBLE;
    MPI_Info hints;
    subx_exch ex = (subx_exch)&send;
    MPI_Info_create(&hints);
    ck_assert_kind(subx_exch_create(MPI_COMM_SELF, &send, &receive, MPI_INFO_NULL, &ex), SUBX_ERR_MISMATCH);
    ck_assert(ex == SUBX_EXCH_NULL);
    ck_assert_kind(subx_exch_create(MPI_COMM_NULL, &send, &send, MPI_INFO_NULL, &ex), SUBX_ERR_COMM);
    ck_assert_kind(subx_exch_create(MPI_COMM_SELF, NULL, &send, MPI_INFO_NULL, &ex), SUBX_ERR_ARG);
    MPI_Info_set(hints, "subx_engine", "steam");
    ck_assert_kind(subx_exch_create(MPI_COMM_SELF, &send, &send, hints, &ex), SUBX_ERR_HINT);
    ck_assert(ex == SUBX_EXCH_NULL);
    MPI_Info_set(hints, "subx_engine", "alltoallv");
    ck_assert_ok(subx_exch_create(MPI_COMM_SELF, &send, &send, hints, &ex));
    ck_assert_ok(subx_exch_free(&ex));
    ck_assert(ex == SUBX_EXCH_NULL);
    MPI_Info_free(&hints);
}

TEST(bad_executions)
{
    MPI_Datatype type = MPI_INT;
    int a = 5, b = 0;
    subx_exch ex;
    ck_assert_ok(subx_exch_create(MPI_COMM_SELF, &type, &type, MPI_INFO_NULL, &ex));
    ck_assert_kind(subx_exch_execute(ex, NULL, &b), SUBX_ERR_ARG);
    ck_assert_kind(subx_exch_execute(ex, &a, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_exch_execute(ex, &a, &a), SUBX_ERR_ALIAS);
    ck_assert_kind(subx_exch_execute(SUBX_EXCH_NULL, &a, &b), SUBX_ERR_ARG);
    ck_assert_kind(subx_exch_wait(ex), SUBX_ERR_ACTIVE);
    ck_assert_ok(subx_exch_start(ex, &a, &b));
    ck_assert_kind(subx_exch_start(ex, &a, &b), SUBX_ERR_ACTIVE);
    ck_assert_kind(subx_exch_execute(ex, &a, &b), SUBX_ERR_ACTIVE);
    ck_assert_kind(subx_exch_free(&ex), SUBX_ERR_ACTIVE);
    ck_assert_ok(subx_exch_wait(ex));
    ck_assert_int_eq(b, 5);
    ck_assert_ok(subx_exch_free(&ex));
}

TEST(names_come_one_by_one)
{
    const char *name = NULL;
    ck_assert_ok(subx_exch_query_engine(0, &name));
    ck_assert_ptr_nonnull(name);
    ck_assert_ok(subx_exch_query_engine(1000, &name));
    ck_assert_ptr_null(name);
    ck_assert_kind(subx_exch_query_engine(-1, &name), SUBX_ERR_ARG);
    ck_assert_kind(subx_exch_query_engine(0, NULL), SUBX_ERR_ARG);
    ck_assert_ok(subx_fft_query_serial(0, &name));
    ck_assert_ptr_nonnull(name);
    ck_assert_ok(subx_fft_query_serial(1000, &name));
    ck_assert_ptr_null(name);
    ck_assert_kind(subx_fft_query_serial(-1, &name), SUBX_ERR_ARG);
}
