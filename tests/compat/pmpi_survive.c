/* pmpi_survive.c - calls that the interposer does not take over must still work: one-sided communication,
 * inter-communicators, struct and resized types, files, generalized requests. A profiler must
 * still count all calls.
 *
 * pmpi_survive.sh preloads the interposer, and a profiler before or behind it. Each rank prints how often it
 * has called MPI_Send and MPI_Alltoallw, as "sends N alltoallws M". The profiler must print the same
 * numbers. */
#include "compat/pmpi/columns.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sends, alltoallws;

static matrix from, to;

/* Put columns into the next rank's window, then get them back. */
static void check_windows(MPI_Datatype column)
{
    const int next = (test_rank + 1) % test_nranks, last = (test_rank + test_nranks - 1) % test_nranks;
    matrix *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof to, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memset(memory, 0, sizeof to);
    memset(to, 0, sizeof to);
    test_matrix_fill(&from, test_rank);
    MPI_Win_fence(0, window);
    MPI_Put(from, COLUMNS, column, next, 0, COLUMNS, column, window);
    MPI_Win_fence(0, window);
    EXPECT_EQUAL(test_matrix_count_wrong(memory, last), 0);
    MPI_Get(to, COLUMNS, column, next, 0, COLUMNS, column, window);
    MPI_Win_fence(0, window);
    EXPECT_EQUAL(test_matrix_count_wrong(&to, test_rank), 0);
    MPI_Win_free(&window);
}

/* The even ranks and the odd ranks are the two groups of an inter-communicator. Rank k of one group exchanges
 * with rank k of the other. */
static void check_groups(MPI_Datatype column)
{
    MPI_Comm group, inter;
    const int odd = test_rank % 2, partner = test_rank ^ 1;
    if (test_nranks < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, odd, test_rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, !odd, 7, &inter);
    test_matrix_fill(&from, test_rank);
    memset(to, 0, sizeof to);
    if (partner < test_nranks) {
        MPI_Request request;
        MPI_Irecv(to, COLUMNS, column, test_rank / 2, 1, inter, &request);
        MPI_Send(from, COLUMNS, column, test_rank / 2, 1, inter);
        sends++;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQUAL(test_matrix_count_wrong(&to, partner), 0);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&group);
}

typedef struct particle {
    char kind;
    double place[3];
    int number;
} particle;

static void check_structs(void)
{
    enum { N = 40 };
    static particle mine[N], theirs[N];
    const int next = (test_rank + 1) % test_nranks, last = (test_rank + test_nranks - 1) % test_nranks;
    int lengths[3] = {1, 3, 1}, wrong = 0;
    MPI_Aint places[3] = {offsetof(particle, kind), offsetof(particle, place), offsetof(particle, number)};
    MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT}, fields, type;
    MPI_Type_create_struct(3, lengths, places, types, &fields);
    MPI_Type_create_resized(fields, 0, sizeof(particle), &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < N; i++)
        mine[i] = (particle){(char)i, {i, test_rank, i * i}, test_rank};
    MPI_Sendrecv(mine, N, type, next, 3, theirs, N, type, last, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        wrong += theirs[i].kind != i || theirs[i].place[1] != last || theirs[i].place[2] != i * i ||
                 theirs[i].number != last;
    EXPECT_EQUAL(wrong, 0);
    MPI_Type_free(&fields);
    MPI_Type_free(&type);
}

/* Each rank writes its columns of an array through a file view, and reads them back. */
static void check_files(const char *name)
{
    const int sizes[2] = {ROWS, COLUMNS * test_nranks}, sub[2] = {ROWS, COLUMNS},
              starts[2] = {0, COLUMNS * test_rank};
    MPI_Datatype view;
    MPI_File file;
    MPI_Type_create_subarray(2, sizes, sub, starts, MPI_ORDER_C, MPI_DOUBLE, &view);
    MPI_Type_commit(&view);
    test_matrix_fill(&from, test_rank);
    memset(to, 0, sizeof to);
    if (!EXPECT_OK(MPI_File_open(MPI_COMM_WORLD, name,
                                 MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                                 &file)))
        return;
    MPI_File_set_view(file, 0, MPI_DOUBLE, view, "native", MPI_INFO_NULL);
    EXPECT_OK(MPI_File_write_at_all(file, 0, from, ROWS * COLUMNS, MPI_DOUBLE, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_read_at_all(file, 0, to, ROWS * COLUMNS, MPI_DOUBLE, MPI_STATUS_IGNORE));
    EXPECT_EQUAL(test_matrix_count_wrong(&to, test_rank), 0);
    MPI_File_close(&file);
    MPI_Type_free(&view);
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = 99;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    return MPI_Status_set_cancelled(status, 0);
}

static int release(void *state)
{
    ++*(int *)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void check_generalized(void)
{
    int released = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Grequest_start(query, release, cancel, &released, &request);
    MPI_Grequest_complete(request);
    EXPECT_OK(MPI_Wait(&request, &status));
    EXPECT(released == 1 && status.MPI_TAG == 99 && request == MPI_REQUEST_NULL);
}

/* This is repeated, so that the interposer moves the data in each of its ways. */
static void check_alltoallw(MPI_Datatype column)
{
    const shares s = test_shares_get(column);
    for (int repeat = 0; repeat < 12; repeat++) {
        test_matrix_fill(&from, test_rank);
        EXPECT_OK(
            MPI_Alltoallw(from, s.counts, s.bytes, s.types, to, s.counts, s.bytes, s.types, MPI_COMM_WORLD));
        alltoallws++;
        EXPECT_EQUAL(test_shares_count_wrong(&to), 0);
    }
}

/* ranks: by the script */
int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    MPI_Datatype column = test_column_create();
    check_windows(column);
    check_groups(column);
    check_structs();
    if (argc > 1)
        check_files(argv[1]);
    check_generalized();
    check_alltoallw(column);
    MPI_Type_free(&column);
    printf("sends %d alltoallws %d\n", sends, alltoallws);
    fflush(stdout);
    return test_end();
}
