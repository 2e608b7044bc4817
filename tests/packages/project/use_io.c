/* use_io.c - use libsubx_io: write three numbers to u.npy, and check the length of the file. */
#include <stdio.h>
#include <subx_io.h>

int main(int argc, char **argv)
{
    ptrdiff_t n = 3, zero = 0;
    double u[3] = {1, 2, 3};
    int error;
    long end = -1;
    FILE *file;
    MPI_Init(&argc, &argv);
    error = subx_file_write(MPI_COMM_SELF, "u.npy", 1, &n, &n, &zero, NULL, MPI_DOUBLE, u, MPI_INFO_NULL);
    file = fopen("u.npy", "rb");
    if (file) {
        fseek(file, 0, SEEK_END);
        end = ftell(file);
        fclose(file);
    }
    MPI_Finalize();
    /* a header of 128 bytes, and three doubles */
    return error || end != 128 + 24;
}
