/* exch_table1a.c - Yan's twelve pairs of a send order and a receive order: z, the axis that is transformed
 * next, must become contiguous.
 * ranks: 1 2 3 4 5 7
 *
 * Y. Yan, "Improved MPI Collectives for 3D-FFT", table 1a, says for arrays in Fortran order that each pair
 * takes the sender's axis 2 to the receiver's axis 0. Here an array A(x,y,z) that is divided along z is
 * realigned so that z is whole. The test checks that elements with successive z are adjacent in memory. */
#include "common/random.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <subx.h>

enum { NX = 5, NY = 3, NZ = 4, ROOM = NX * NY * NZ };

typedef struct block {
    int n, start;
} block;

static block get_block(int n, int q)
{
    ptrdiff_t len = 0, start = 0;
    EXPECT_OK(subx_block_get(n, test_nranks, q, &len, &start));
    return (block){(int)len, (int)start};
}

/* Create the type of the data for rank q. This rank has a block of z. The data is the part of this block that
 * lies in rank q's block of x. */
static MPI_Datatype create_send(const int s[], int q)
{
    const block z = get_block(NZ, test_rank), x = get_block(NX, q);
    const int sizes[] = {NX, NY, z.n}, subsizes[] = {x.n, NY, z.n}, starts[] = {x.start, 0, 0};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    EXPECT_OK(subx_type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_FORTRAN, s, MPI_INT, &type));
    return type;
}

/* Create the type of the data from rank q. The sender's axis a becomes the receiver's axis target[a]. */
static MPI_Datatype create_receive(const int r[], const int target[], int q)
{
    const block x = get_block(NX, test_rank), z = get_block(NZ, q);
    const int full[] = {x.n, NY, NZ}, part[] = {x.n, NY, z.n}, first[] = {0, 0, z.start};
    int sizes[3], subsizes[3], starts[3];
    MPI_Datatype type = MPI_DATATYPE_NULL;
    for (int a = 0; a < 3; a++) {
        sizes[target[a]] = full[a];
        subsizes[target[a]] = part[a];
        starts[target[a]] = first[a];
    }
    EXPECT_OK(subx_type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_FORTRAN, r, MPI_INT, &type));
    return type;
}

static int get_value(int x, int y, int z)
{
    return 10000 * x + 100 * y + z;
}

static void fill(int a[])
{
    const block z = get_block(NZ, test_rank);
    for (int k = 0; k < z.n; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                a[(k * NY + j) * NX + i] = get_value(i, j, z.start + k);
}

/* Expect that z is contiguous in the received array b. `target` gives the order of x and y. */
static void check(const int b[], const int target[])
{
    const block x = get_block(NX, test_rank);
    const int y_is_next = target[1] == 1;
    int wrong = 0;
    EXPECT_EQUAL(target[2], 0);
    for (int i = 0; i < x.n; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++) {
                int at = y_is_next ? (i * NY + j) * NZ + k : (j * x.n + i) * NZ + k;
                wrong += b[at] != get_value(x.start + i, j, k);
            }
    EXPECT_EQUAL(wrong, 0);
}

static void check_pair(const int s[], const int r[])
{
    MPI_Datatype *type = malloc(2 * (size_t)test_nranks * sizeof *type);
    int a[ROOM], b[ROOM], target[3];
    subx_exch ex = SUBX_EXCH_NULL;
    for (int i = 0; i < 3; i++)
        target[s[i]] = r[i];
    for (int q = 0; q < test_nranks; q++) {
        type[q] = create_send(s, q);
        type[test_nranks + q] = create_receive(r, target, q);
    }
    fill(a);
    EXPECT_OK(subx_exch_create(MPI_COMM_WORLD, type, type + test_nranks, MPI_INFO_NULL, &ex));
    EXPECT_OK(subx_exch_execute(ex, a, b));
    check(b, target);
    EXPECT_OK(subx_exch_free(&ex));
    for (int i = 0; i < 2 * test_nranks; i++)
        MPI_Type_free(&type[i]);
    free(type);
}

int main(int argc, char **argv)
{
    int s[3], r[3], pairs = 0;
    test_begin(&argc, &argv);
    for (int k = 0; k < 36; k++) {
        test_permutation(3, k / 6, s);
        test_permutation(3, k % 6, r);
        int i = 0;
        while (s[i] != 2)
            i++;
        if (r[i] != 0)
            continue;
        test_context("send (%d,%d,%d), receive (%d,%d,%d)", s[0], s[1], s[2], r[0], r[1], r[2]);
        check_pair(s, r);
        pairs++;
    }
    /* s[i] = 2 and r[i] = 0 for one of 3 values of i; the rest of s and the rest of r have 2 orders each */
    EXPECT_EQUAL(pairs, 12);
    return test_end();
}
