/* 01_reorder_in_flight.c - the axes of a distributed array change places while it travels between ranks.
 *
 * A field is divided along x and stored as a[x][y][z]. Afterwards it is divided along y and stored as
 * b[y][z][x], so that x is whole and contiguous. One exchange both moves and reorders the data; this file
 * neither packs nor transposes.
 *
 * mpicc 01_reorder_in_flight.c $(pkg-config --cflags --libs subx_fft) -o 01_reorder_in_flight
 * mpirun -n 2 ./01_reorder_in_flight
 *
 * It runs on any number of ranks; make check takes these ranks: 1 2 3 5
 */
#include <stdio.h>
#include <stdlib.h>
#include <subx.h>

enum { NX = 4, NY = 3, NZ = 2 };

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

/* The part of an axis that a rank owns. */
struct block {
    int n, start;
};

static struct block get_block(int n, int nranks, int rank)
{
    ptrdiff_t len, start;

    CHECK(subx_block_get(n, nranks, rank, &len, &start));
    return (struct block){(int)len, (int)start};
}

/* Create the types of the block that this rank sends to rank q, and of the block that it receives from rank
 * q. The i-th axis of the sender's order becomes the i-th axis of the receiver's order: x becomes x, z
 * becomes z, y becomes y. */
static void create_types(int nranks, int rank, int q, MPI_Datatype *stype, MPI_Datatype *rtype)
{
    /* [types] */
    static const int sorder[] = {0, 2, 1}; /* axes of a[x][y][z]: x fastest, then z, then y */
    static const int rorder[] = {2, 1, 0}; /* axes of b[y][z][x]: x, z, y, too, as b is stored */
    struct block x = get_block(NX, nranks, rank), xq = get_block(NX, nranks, q);
    struct block y = get_block(NY, nranks, rank), yq = get_block(NY, nranks, q);

    /* From a: all x of this rank, and the y that rank q will own. Blocks may be empty. */
    const int asizes[] = {x.n, NY, NZ}, asubsizes[] = {x.n, yq.n, NZ}, astarts[] = {0, yq.start, 0};
    CHECK(subx_type_create_subarray(3, asizes, asubsizes, astarts, MPI_ORDER_C, sorder, MPI_INT, stype));

    /* Into b: all y that this rank will own, and the x of rank q. */
    const int bsizes[] = {y.n, NZ, NX}, bsubsizes[] = {y.n, NZ, xq.n}, bstarts[] = {0, 0, xq.start};
    CHECK(subx_type_create_subarray(3, bsizes, bsubsizes, bstarts, MPI_ORDER_C, rorder, MPI_INT, rtype));
    /* [end] */
}

static subx_exch create_exchange(int nranks, int rank)
{
    MPI_Datatype *type = malloc(2 * (size_t)nranks * sizeof *type);
    CHECK(type ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    MPI_Datatype *stype = type, *rtype = type + nranks;
    subx_exch exch;

    for (int q = 0; q < nranks; q++)
        create_types(nranks, rank, q, &stype[q], &rtype[q]);
    CHECK(subx_exch_create(MPI_COMM_WORLD, stype, rtype, MPI_INFO_NULL, &exch));
    for (int i = 0; i < 2 * nranks; i++)
        MPI_Type_free(&type[i]);
    free(type);
    return exch;
}

/* The digits of an element are its global index. */
static int element(int x, int y, int z)
{
    return 100 * x + 10 * y + z;
}

static void print(const char *name, const int *v, int n)
{
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %03d", v[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    int a[NX * NY * NZ], b[NX * NY * NZ]; /* room for the whole array, even on one rank */
    int nranks, rank, na = 0, nb = 0, wrong = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct block mx = get_block(NX, nranks, rank), my = get_block(NY, nranks, rank);

    for (int x = mx.start; x < mx.start + mx.n; x++)
        for (int y = 0; y < NY; y++)
            for (int z = 0; z < NZ; z++)
                a[na++] = element(x, y, z);

    subx_exch exch = create_exchange(nranks, rank);
    CHECK(subx_exch_execute(exch, a, b)); /* may be called any number of times, with any arrays */
    CHECK(subx_exch_free(&exch));

    for (int y = my.start; y < my.start + my.n; y++)
        for (int z = 0; z < NZ; z++)
            for (int x = 0; x < NX; x++)
                wrong += b[nb++] != element(x, y, z);

    if (rank == 0) {
        print("rank 0 has as a[x][y][z]", a, na);
        print("and then as b[y][z][x]  ", b, nb);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d of %d elements are wrong\n", wrong, NX * NY * NZ);
    MPI_Finalize();
    return wrong != 0;
}
