/* 06_redistribute.c - an array moves from one process grid to another one, and is transposed on the way.
 *
 * At first the ranks are a grid P0 x P1, and each rank has a block of a[x][y]. Afterwards they are a grid P1
 * x P0, and each rank has another block, stored as b[y][x]. Each rank gives the box that it holds and the box
 * that it wants; one exchange does the rest.
 *
 * mpicc 06_redistribute.c $(pkg-config --cflags --libs subx) -o 06_redistribute
 * mpirun -n 6 ./06_redistribute
 *
 * It runs on any number of ranks; make check takes these ranks: 1 4 6
 */
#include <stdio.h>
#include <stdlib.h>
#include <subx_boxes.h>

static const ptrdiff_t N[2] = {14, 9};

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

/* A rank's part of the array: a box, and the storage order of its elements (innermost axis first). */
struct part {
    ptrdiff_t start[2], len[2];
    int order[2];
    int *data;
};

/* Get the part of a rank in a grid of grid[0] x grid[1] ranks. */
static struct part get_part(const int grid[2], int rank, int innermost)
{
    const int coords[2] = {rank / grid[1], rank % grid[1]};
    struct part p = {.order = {innermost, 1 - innermost}};

    for (int axis = 0; axis < 2; axis++)
        CHECK(subx_block_get(N[axis], grid[axis], coords[axis], &p.len[axis], &p.start[axis]));
    p.data = calloc((size_t)(p.len[0] * p.len[1]) + 1, sizeof *p.data);
    CHECK(p.data ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    return p;
}

/* Describe a part for the library. A rank may have any number of boxes; here it has one. */
static subx_boxes get_boxes(const struct part *p)
{
    subx_boxes boxes;

    CHECK(subx_boxes_create(2, N, &boxes));
    CHECK(subx_boxes_add_ordered(boxes, p->start, p->len, p->order));
    return boxes;
}

/* Get the right value of element m of a part's memory: its global index in C order. */
static int element(const struct part *p, ptrdiff_t m)
{
    const int inner = p->order[0], outer = p->order[1];
    ptrdiff_t x[2];

    x[inner] = p->start[inner] + m % p->len[inner];
    x[outer] = p->start[outer] + m / p->len[inner];
    return (int)(x[0] * N[1] + x[1]);
}

int main(int argc, char **argv)
{
    int nranks, rank, wrong = 0, grid[2] = {0, 0};
    subx_exch exch;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dims_create(nranks, 2, grid);
    const int other[2] = {grid[1], grid[0]};
    struct part a = get_part(grid, rank, 1), b = get_part(other, rank, 0);

    for (ptrdiff_t m = 0; m < a.len[0] * a.len[1]; m++)
        a.data[m] = element(&a, m);

    /* [exchange] */
    subx_boxes held = get_boxes(&a), wanted = get_boxes(&b);
    CHECK(subx_exch_create_boxes(MPI_COMM_WORLD, held, wanted, MPI_INT, MPI_INFO_NULL, &exch));
    CHECK(subx_boxes_free(&held));
    CHECK(subx_boxes_free(&wanted));
    CHECK(subx_exch_execute(exch, a.data, b.data)); /* may be called any number of times, with any arrays */
    CHECK(subx_exch_free(&exch));
    /* [end] */

    for (ptrdiff_t m = 0; m < b.len[0] * b.len[1]; m++)
        wrong += b.data[m] != element(&b, m);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("from a grid %d x %d, a[x][y], to a grid %d x %d, b[y][x]: %d of %td elements are wrong\n",
               grid[0], grid[1], other[0], other[1], wrong, N[0] * N[1]);
    free(b.data);
    free(a.data);
    MPI_Finalize();
    return wrong != 0;
}
