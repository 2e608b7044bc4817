/* use_pmpi.c - a program that only uses MPI: it packs every second one of 2000 doubles. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static double from[2000], to[1000];
    MPI_Datatype type;
    int i, position = 0, wrong = 0;
    MPI_Init(&argc, &argv);
    for (i = 0; i < 2000; i++)
        from[i] = i;
    MPI_Type_vector(1000, 1, 2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Pack(from, 1, type, to, (int)sizeof to, &position, MPI_COMM_SELF);
    for (i = 0; i < 1000; i++)
        if (to[i] != 2 * i)
            wrong = 1;
    MPI_Type_free(&type);
    MPI_Finalize();
    return wrong;
}
