/* 13_block_cyclic.c - moves a block-cyclic matrix, as in ScaLAPACK, to contiguous rows in larger arrays of
 * the caller.
 *
 * MPI_Type_create_darray describes the matrix: a rank of a grid of p x 1 has every p-th block of rows. The
 * library finds the boxes of such a type. Afterwards each rank has contiguous rows, in an array with a margin
 * on both sides. Every rank gives the boxes that it holds and the boxes that it wants; one exchange does the
 * rest.
 *
 * mpicc 13_block_cyclic.c $(pkg-config --cflags --libs subx) -o 13_block_cyclic
 * mpirun -n 4 ./13_block_cyclic
 *
 * It runs on any number of ranks; make check takes these ranks: 1 3
 */
#include <stdio.h>
#include <stdlib.h>
#include <subx_boxes.h>

enum { ROWS = 23, COLUMNS = 10, BLOCK = 2, MARGIN = 3, PITCH = COLUMNS + 2 * MARGIN };

static const ptrdiff_t SIZES[2] = {ROWS, COLUMNS};

/* CHECK ends the program if a function of the library returns an error code. MPI's own functions do this by
 * themselves. */
#define CHECK(call) check(call, #call)

static void check(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &len);
    fprintf(stderr, "%s: %s\n", call, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *allocate(ptrdiff_t n)
{
    void *p = calloc((size_t)n + 1, sizeof(double));

    CHECK(p ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    return p;
}

/* The right value of an element. */
static double get_value(ptrdiff_t row, ptrdiff_t column)
{
    return (double)(100 * row + column);
}

/* Get the boxes of the matrix on this rank. */
static subx_boxes create_cyclic(int nranks, int rank)
{
    const int sizes[2] = {ROWS, COLUMNS}, grid[2] = {nranks, 1}, block[2] = {BLOCK, BLOCK};
    const int distribution[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC};
    subx_boxes boxes;
    MPI_Datatype type;

    MPI_Type_create_darray(nranks, rank, 2, sizes, distribution, block, grid, MPI_ORDER_C, MPI_DOUBLE, &type);
    CHECK(subx_boxes_create_type(type, 2, SIZES, MPI_DOUBLE, &boxes));
    MPI_Type_free(&type);
    return boxes;
}

/* Get the box of the rows that this rank wants. Row k of the box lies at k * PITCH + MARGIN. */
static subx_boxes create_rows(ptrdiff_t first, ptrdiff_t nrows)
{
    const ptrdiff_t start[2] = {first, 0}, len[2] = {nrows, COLUMNS}, stride[2] = {PITCH, 1};
    subx_boxes boxes;

    CHECK(subx_boxes_create(2, SIZES, &boxes));
    CHECK(subx_boxes_add_strided(boxes, start, len, MARGIN, stride));
    return boxes;
}

/* Allocate memory for boxes, and fill it with the right values. */
static double *create_values(subx_boxes boxes)
{
    ptrdiff_t start[2], len[2], offset, stride[2], elements;
    int count;

    CHECK(subx_boxes_get(boxes, NULL, NULL, &count, NULL, &elements));
    double *values = allocate(elements);
    for (int k = 0; k < count; k++) {
        CHECK(subx_boxes_get_box(boxes, k, start, len, &offset, stride));
        for (ptrdiff_t i = 0; i < len[0]; i++)
            for (ptrdiff_t j = 0; j < len[1]; j++)
                values[offset + i * stride[0] + j * stride[1]] = get_value(start[0] + i, start[1] + j);
    }
    return values;
}

/* Get the same rows as create_rows, but stored without gaps: one box per row, one after the other. */
static subx_boxes create_packed_rows(ptrdiff_t first, ptrdiff_t nrows)
{
    subx_boxes boxes;

    CHECK(subx_boxes_create(2, SIZES, &boxes));
    for (ptrdiff_t i = 0; i < nrows; i++) {
        const ptrdiff_t start[2] = {first + i, 0}, len[2] = {1, COLUMNS};
        CHECK(subx_boxes_add(boxes, start, len));
    }
    return boxes;
}

/* Move the matrix from one set of boxes to another one. */
static void move(subx_boxes from, const double *send, subx_boxes to, double *recv)
{
    subx_exch exch;

    CHECK(subx_exch_create_boxes(MPI_COMM_WORLD, from, to, MPI_DOUBLE, MPI_INFO_NULL, &exch));
    CHECK(subx_exch_execute(exch, send, recv));
    CHECK(subx_exch_free(&exch));
}

int main(int argc, char **argv)
{
    ptrdiff_t nrows, first;
    double row[COLUMNS] = {0};
    int nranks, rank, owner, wrong = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(subx_block_get(ROWS, nranks, rank, &nrows, &first));
    subx_boxes cyclic = create_cyclic(nranks, rank), rows = create_rows(first, nrows),
               packed = create_packed_rows(first, nrows);

    /* Check that each element is in one box of one rank; if not, the error names an element. */
    CHECK(subx_boxes_check(MPI_COMM_WORLD, cyclic, 1));
    double *matrix = create_values(cyclic), *wide = allocate(nrows * PITCH),
           *narrow = allocate(nrows * COLUMNS);
    move(cyclic, matrix, rows, wide);
    move(rows, wide, packed, narrow);
    for (ptrdiff_t i = 0; i < nrows; i++)
        for (ptrdiff_t j = 0; j < PITCH; j++) {
            const int is_margin = j < MARGIN || j >= MARGIN + COLUMNS;
            wrong += wide[i * PITCH + j] != (is_margin ? 0 : get_value(first + i, j - MARGIN));
            wrong += !is_margin && narrow[i * COLUMNS + j - MARGIN] != get_value(first + i, j - MARGIN);
        }

    /* All ranks get the last row from the rank that has it. */
    CHECK(subx_block_get_owner(ROWS, nranks, ROWS - 1, &owner));
    for (int j = 0; j < COLUMNS && rank == owner; j++)
        row[j] = narrow[(ROWS - 1 - first) * COLUMNS + j];
    MPI_Bcast(row, COLUMNS, MPI_DOUBLE, owner, MPI_COMM_WORLD);
    for (int j = 0; j < COLUMNS; j++)
        wrong += row[j] != get_value(ROWS - 1, j);

    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("a block-cyclic matrix of %d x %d on %d ranks becomes rows: %d elements are wrong\n", ROWS,
               COLUMNS, nranks, wrong);
    free(narrow);
    free(wide);
    free(matrix);
    CHECK(subx_boxes_free(&packed));
    CHECK(subx_boxes_free(&rows));
    CHECK(subx_boxes_free(&cyclic));
    MPI_Finalize();
    return wrong != 0;
}
