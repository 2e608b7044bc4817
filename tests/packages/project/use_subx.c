/* use_subx.c - use libsubx: for a block of 2 x 3 in 4 x 6 doubles, our datatype packs the same bytes as MPI's
 * own datatype. */
#include <string.h>
#include <subx.h>

int main(int argc, char **argv)
{
    int sizes[2] = {4, 6}, part[2] = {2, 3}, start[2] = {1, 2}, order[2] = {1, 0};
    double from[24], ours[6], theirs[6];
    MPI_Datatype type[2];
    int i;
    MPI_Init(&argc, &argv);
    for (i = 0; i < 24; i++)
        from[i] = i;
    if (subx_type_create_subarray(2, sizes, part, start, MPI_ORDER_C, order, MPI_DOUBLE, &type[0]))
        return 1;
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &type[1]);
    for (i = 0; i < 2; i++) {
        MPI_Type_commit(&type[i]);
        MPI_Sendrecv(from, 1, type[i], 0, 0, i ? theirs : ours, 6, MPI_DOUBLE, 0, 0, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
        MPI_Type_free(&type[i]);
    }
    MPI_Finalize();
    return memcmp(ours, theirs, sizeof ours) != 0;
}
