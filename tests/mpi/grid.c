/* grid.c - process grids of every shape: coordinates, sub-communicators, and arguments from which no grid can
 * be made.
 * ranks: 1 2 3 4 5 6 7 */
#include "common/verdict.h"
#include <subx.h>

enum { G_MAX = 3 };

/* Get the rank at these coordinates. The last coordinate varies fastest. */
static int get_rank(int g, const int dims[], const int coords[])
{
    int rank = 0;
    for (int m = 0; m < g; m++)
        rank = rank * dims[m] + coords[m];
    return rank;
}

/* Check the sub-communicator along dimension `dim`: all members have this rank's other coordinates, and the
 * coordinate `dim` of a member is its rank in the sub-communicator. */
static void check_comm(subx_grid grid, int g, const int dims[], const int coords[], int dim)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int size, rank, all[64], there[G_MAX];
    EXPECT_OK(subx_grid_get_comm(grid, dim, &comm));
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    EXPECT_EQUAL(size, dims[dim]);
    EXPECT_EQUAL(rank, coords[dim]);
    MPI_Allgather(&test_rank, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int m = 0; m < g; m++)
        there[m] = coords[m];
    for (int q = 0; q < size; q++) {
        there[dim] = q;
        EXPECT_EQUAL(all[q], get_rank(g, dims, there));
    }
}

static void check_whole(subx_grid grid)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int relation = MPI_UNEQUAL;
    EXPECT_OK(subx_grid_get_comm(grid, -1, &comm));
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
    EXPECT_EQUAL(relation, MPI_CONGRUENT);
}

static void check_grid(int g, const int dims[])
{
    subx_grid grid = SUBX_GRID_NULL;
    MPI_Comm none = MPI_COMM_NULL;
    int got = -1, got_dims[G_MAX], coords[G_MAX];
    test_context("%d dimensions, %d first", g, dims[0]);
    if (!EXPECT_OK(subx_grid_create(MPI_COMM_WORLD, g, dims, &grid)))
        return;
    EXPECT_OK(subx_grid_get(grid, G_MAX, &got, got_dims, coords));
    EXPECT_EQUAL(got, g);
    for (int m = 0; m < g; m++)
        EXPECT_EQUAL(got_dims[m], dims[m]);
    EXPECT_EQUAL(get_rank(g, dims, coords), test_rank);
    for (int m = 0; m < g; m++)
        check_comm(grid, g, dims, coords, m);
    check_whole(grid);
    EXPECT_KIND(subx_grid_get_comm(grid, g, &none), SUBX_ERR_ARG);
    EXPECT_KIND(subx_grid_get_comm(grid, -2, &none), SUBX_ERR_ARG);
    EXPECT_KIND(subx_grid_get(grid, g - 1, &got, got_dims, coords), SUBX_ERR_TRUNCATE);
    EXPECT_OK(subx_grid_free(&grid));
    EXPECT(grid == SUBX_GRID_NULL);
}

/* Check all grids of g dimensions. The first m dimensions are set, and the product of the others is
 * `left`. */
static void check_shapes(int g, int m, int left, int dims[])
{
    if (m == g - 1) {
        dims[m] = left;
        check_grid(g, dims);
        return;
    }
    for (int p = 1; p <= left; p++)
        if (left % p == 0) {
            dims[m] = p;
            check_shapes(g, m + 1, left / p, dims);
        }
}

static void expect_failure(MPI_Comm comm, int g, const int dims[], int kind)
{
    subx_grid grid = SUBX_GRID_NULL;
    int rc = subx_grid_create(comm, g, dims, &grid);
    EXPECT_KIND(rc, kind);
    EXPECT(grid == SUBX_GRID_NULL);
}

CHECK(check_failures)
{
    const int n = test_nranks, too_many[] = {n + 1}, negative[] = {-1, -n}, good[] = {n};
    test_context("failures");
    expect_failure(MPI_COMM_WORLD, 1, too_many, SUBX_ERR_GRID);
    expect_failure(MPI_COMM_WORLD, 2, negative, SUBX_ERR_GRID);
    expect_failure(MPI_COMM_WORLD, 0, good, SUBX_ERR_NDIMS);
    expect_failure(MPI_COMM_WORLD, SUBX_NDIMS_MAX + 1, good, SUBX_ERR_NDIMS);
    expect_failure(MPI_COMM_WORLD, 1, NULL, SUBX_ERR_ARG);
}

/* One rank asks for another grid than the others. Each of the two grids is valid. */
CHECK(check_difference)
{
    const int last = test_rank == test_nranks - 1, dims[] = {last ? 1 : test_nranks, last ? test_nranks : 1};
    test_context("one rank means another grid");
    if (test_nranks > 1)
        expect_failure(MPI_COMM_WORLD, 2, dims, SUBX_ERR_DIFFERS);
}

CHECK(check_one_bad_rank)
{
    const int last = test_rank == test_nranks - 1, dims[] = {test_nranks + last};
    subx_grid grid = SUBX_GRID_NULL;
    test_context("one rank is wrong");
    int kind = subx_error_get_kind(subx_grid_create(MPI_COMM_WORLD, 1, dims, &grid));
    EXPECT(kind == SUBX_ERR_GRID || kind == SUBX_ERR_DIFFERS);
    EXPECT_SAME(kind);
    EXPECT(grid == SUBX_GRID_NULL);
}

CHECK(check_inter_communicator)
{
    MPI_Comm half, inter;
    const int colour = test_rank % 2, dims[] = {1};
    if (test_nranks < 2)
        return;
    test_context("inter-communicator");
    MPI_Comm_split(MPI_COMM_WORLD, colour, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - colour, 5, &inter);
    expect_failure(inter, 1, dims, SUBX_ERR_COMM);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Calls on a grid's communicators return their errors, whatever error handler the caller's communicator
 * has. */
CHECK(check_error_handler)
{
    subx_grid grid = SUBX_GRID_NULL;
    MPI_Comm comm, sub = MPI_COMM_NULL;
    MPI_Errhandler handler;
    const int dims[] = {test_nranks};
    test_context("error handler");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    EXPECT_OK(subx_grid_create(comm, 1, dims, &grid));
    for (int dim = -1; dim < 1; dim++) {
        EXPECT_OK(subx_grid_get_comm(grid, dim, &sub));
        MPI_Comm_get_errhandler(sub, &handler);
        EXPECT(handler == MPI_ERRORS_RETURN);
        MPI_Errhandler_free(&handler);
    }
    EXPECT_OK(subx_grid_free(&grid));
    MPI_Comm_free(&comm);
}

CHECK(check_grids)
{
    int dims[G_MAX];
    for (int g = 1; g <= G_MAX; g++)
        check_shapes(g, 0, test_nranks, dims);
}
