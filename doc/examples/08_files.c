/* 08_files.c - a file is the same for any number of ranks: half of the ranks write a field, then all ranks
 * read it.
 *
 * The file is an HDF5 file, which h5py, h5dump and MATLAB can read. If the library was built without HDF5, it
 * is a NumPy file. The writers have slabs in C order, the readers have pencils in Fortran order.
 *
 * mpicc 08_files.c $(pkg-config --cflags --libs subx_io) -o 08_files
 * mpirun -n 4 ./08_files
 *
 * It runs on any number of ranks; make check takes these ranks: 1 2 3 4 5
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_io.h>
#include <unistd.h>

static const ptrdiff_t N[3] = {12, 10, 8};

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

static double *allocate(const ptrdiff_t n[3])
{
    double *p = malloc((size_t)(n[0] * n[1] * n[2] + 1) * sizeof *p);

    CHECK(p ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    return p;
}

/* The value of the field at a global index. */
static double field(ptrdiff_t i, ptrdiff_t j, ptrdiff_t k)
{
    return (double)((i * 100 + j) * 100 + k);
}

static void write_slabs(MPI_Comm comm, const char *path)
{
    ptrdiff_t n[3] = {N[0], N[1], N[2]}, start[3] = {0, 0, 0};
    int rank, nranks;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &nranks);
    CHECK(subx_block_get(N[0], nranks, rank, &n[0], &start[0]));
    double *u = allocate(n), *next = u;
    for (ptrdiff_t i = start[0]; i < start[0] + n[0]; i++)
        for (ptrdiff_t j = 0; j < n[1]; j++)
            for (ptrdiff_t k = 0; k < n[2]; k++)
                *next++ = field(i, j, k);
    CHECK(subx_file_write(comm, path, 3, N, n, start, NULL, MPI_DOUBLE, u, MPI_INFO_NULL));
    free(u);
}

/* Read this rank's pencil, in which axis 0 is whole. Return how many of its elements are wrong. */
static int read_pencils(MPI_Comm comm, const char *path)
{
    static const int order[3] = {0, 1, 2}; /* axis 0 is the fastest in memory */
    ptrdiff_t n[3] = {N[0], N[1], N[2]}, start[3] = {0, 0, 0};
    int rank, nranks, coords[2], wrong = 0;
    int dims[2] = {0, 0};

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &nranks);
    MPI_Dims_create(nranks, 2, dims);
    coords[0] = rank / dims[1];
    coords[1] = rank % dims[1];
    for (int m = 0; m < 2; m++)
        CHECK(subx_block_get(N[m + 1], dims[m], coords[m], &n[m + 1], &start[m + 1]));
    double *u = allocate(n), *next = u;
    CHECK(subx_file_read(comm, path, 3, N, n, start, order, MPI_DOUBLE, u, MPI_INFO_NULL));
    for (ptrdiff_t k = start[2]; k < start[2] + n[2]; k++)
        for (ptrdiff_t j = start[1]; j < start[1] + n[1]; j++)
            for (ptrdiff_t i = 0; i < n[0]; i++)
                wrong += *next++ != field(i, j, k);
    free(u);
    return wrong;
}

/* Choose a file name with the suffix of HDF5, if the library has this format. All ranks get the same name. */
static void choose_path(int rank, char path[64])
{
    const char *name = "", *suffix = "npy";

    for (int i = 0; subx_file_query_format(i, &name) == MPI_SUCCESS && name; i++)
        if (strcmp(name, "hdf5") == 0)
            suffix = "h5";
    if (rank == 0)
        snprintf(path, 64, "08_files.%ld.%s", (long)getpid(), suffix);
    MPI_Bcast(path, 64, MPI_CHAR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    char path[64];
    int rank, nranks, wrong;
    MPI_Comm writers;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    choose_path(rank, path);

    const int nwriters = (nranks + 1) / 2;
    MPI_Comm_split(MPI_COMM_WORLD, rank < nwriters ? 0 : MPI_UNDEFINED, rank, &writers);
    if (writers != MPI_COMM_NULL) {
        write_slabs(writers, path);
        MPI_Comm_free(&writers);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* the file is complete */

    wrong = read_pencils(MPI_COMM_WORLD, path);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %d writers, %d readers, %d of %td elements are wrong\n", path, nwriters, nranks, wrong,
               N[0] * N[1] * N[2]);
        unlink(path);
    }
    MPI_Finalize();
    return wrong != 0;
}
