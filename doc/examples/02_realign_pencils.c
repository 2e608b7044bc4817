/* 02_realign_pencils.c - exchanges on a 2-D process grid: each makes another axis of a 3-D array whole.
 *
 * On a grid P0 x P1 a rank holds a pencil: one axis is whole, the other two are divided. At first axis 2 is
 * whole. An exchange between the ranks of one grid dimension makes axis 1 whole, and a second exchange makes
 * axis 0 whole. Each exchange also changes the storage order: the whole axis is always contiguous, which is
 * best for serial FFTs.
 *
 * mpicc 02_realign_pencils.c $(pkg-config --cflags --libs subx_fft) -o 02_realign_pencils
 * mpirun -n 4 ./02_realign_pencils
 *
 * It runs on any number of ranks; make check takes these ranks: 1 2 3 4 5 7
 */
#include <stdio.h>
#include <stdlib.h>
#include <subx.h>

static const ptrdiff_t N[3] = {8, 10, 12};

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

/* A rank's part of the array: lengths, global index of the first element, storage order (innermost first). */
struct pencil {
    ptrdiff_t shape[3], start[3];
    int order[3];
    double *data;
};

/* For each of the three alignments (which axis is whole): the grid dimension that divides each axis, -1 for
 * the whole axis; and the storage order. */
static const int DIVIDED[3][3] = {{0, 1, -1}, {0, -1, 1}, {-1, 0, 1}};
static const int ORDER[3][3] = {{2, 1, 0}, {1, 2, 0}, {0, 2, 1}};

static void create_pencil(const int dims[2], const int coords[2], int alignment, struct pencil *p)
{
    size_t count = 1;

    for (int axis = 0; axis < 3; axis++) {
        int m = DIVIDED[alignment][axis];
        CHECK(subx_block_get(N[axis], m < 0 ? 1 : dims[m], m < 0 ? 0 : coords[m], &p->shape[axis],
                             &p->start[axis]));
        p->order[axis] = ORDER[alignment][axis];
        count *= (size_t)p->shape[axis];
    }
    p->data = malloc((count ? count : 1) * sizeof *p->data);
    CHECK(p->data ? MPI_SUCCESS : MPI_ERR_NO_MEM);
}

static ptrdiff_t count(const struct pencil *p)
{
    return p->shape[0] * p->shape[1] * p->shape[2];
}

/* Get the right value of element m of a pencil's memory: its global index in C order. */
static double element(const struct pencil *p, ptrdiff_t m)
{
    ptrdiff_t i[3];

    for (int level = 0; level < 3; level++) {
        int axis = p->order[level];
        i[axis] = p->start[axis] + m % p->shape[axis];
        m /= p->shape[axis];
    }
    return (double)((i[0] * N[1] + i[1]) * N[2] + i[2]);
}

/* Realign from one pencil to another in which axis w is whole instead of axis v. */
static void realign(subx_grid grid, int v, int w, const struct pencil *from, struct pencil *to)
{
    MPI_Comm comm; /* the ranks that divide axis w before and axis v afterwards; the grid owns it */
    ptrdiff_t sizes[3] = {from->shape[0], from->shape[1], from->shape[2]};
    subx_exch exch;

    CHECK(subx_grid_get_comm(grid, w, &comm)); /* grid dimension w divides axis w (0 or 1) */
    sizes[w] = N[w];
    CHECK(subx_exch_create_realign(comm, 3, sizes, v, w, from->order, to->order, MPI_DOUBLE, MPI_INFO_NULL,
                                   &exch));
    CHECK(subx_exch_execute(exch, from->data, to->data));
    CHECK(subx_exch_free(&exch));
}

/* Count the wrong elements of all ranks, and print the shape of rank 0's pencil. */
static int verify(int alignment, int rank, const struct pencil *p)
{
    int wrong = 0;

    for (ptrdiff_t m = 0; m < count(p); m++)
        wrong += p->data[m] != element(p, m);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("axis %d whole: rank 0 has %td x %td x %td, stored %d %d %d (fastest first); wrong elements: "
               "%d\n",
               2 - alignment, p->shape[0], p->shape[1], p->shape[2], p->order[0], p->order[1], p->order[2],
               wrong);
    return wrong;
}

int main(int argc, char **argv)
{
    int nranks, rank, g, dims[2] = {0, 0}, coords[2], wrong = 0;
    struct pencil p[3];
    subx_grid grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(subx_grid_get_dims(nranks, 2, 3, N, dims));
    CHECK(subx_grid_create(MPI_COMM_WORLD, 2, dims, &grid));
    CHECK(subx_grid_get(grid, 2, &g, dims, coords));
    if (rank == 0)
        printf("process grid %d x %d\n", dims[0], dims[1]);

    for (int i = 0; i < 3; i++)
        create_pencil(dims, coords, i, &p[i]);
    for (ptrdiff_t m = 0; m < count(&p[0]); m++)
        p[0].data[m] = element(&p[0], m);
    realign(grid, 2, 1, &p[0], &p[1]);
    realign(grid, 1, 0, &p[1], &p[2]);

    for (int i = 0; i < 3; i++) {
        wrong += verify(i, rank, &p[i]);
        free(p[i].data);
    }
    CHECK(subx_grid_free(&grid));
    MPI_Finalize();
    return wrong != 0;
}
