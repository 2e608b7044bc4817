/* recode.c - a program for files.py that copies an array from one file to another, whose formats may differ.
 * Each rank copies a part.
 *
 * usage: recode FROM TO [DATASET] */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_io.h>

/* Copy a rank's part. The longest axis is divided. If there are three axes or more, the order in memory is
 * neither C's nor Fortran's. */
static int copy(const char *from, const char *to, MPI_Info hints, int rank, int nranks)
{
    ptrdiff_t sizes[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX] = {0}, count = 1;
    int ndims = 0, longest = 0, bytes, order[SUBX_NDIMS_MAX];
    MPI_Datatype type;
    int rc = subx_file_get(MPI_COMM_WORLD, from, hints, SUBX_NDIMS_MAX, &ndims, sizes, NULL, &type);
    if (rc)
        return rc;
    for (int a = 0; a < ndims; a++) {
        order[a] = (a + ndims / 2) % ndims;
        longest = sizes[a] > sizes[longest] ? a : longest;
    }
    memcpy(len, sizes, sizeof len);
    subx_block_get(sizes[longest], nranks, rank, &len[longest], &start[longest]);
    for (int a = 0; a < ndims; a++)
        count *= len[a];
    MPI_Type_size(type, &bytes);
    char *buf = malloc((size_t)(count * bytes + 1));
    rc = subx_file_read(MPI_COMM_WORLD, from, ndims, sizes, len, start, order, type, buf, hints);
    if (!rc)
        rc = subx_file_write(MPI_COMM_WORLD, to, ndims, sizes, len, start, order, type, buf, hints);
    free(buf);
    return rc;
}

int main(int argc, char **argv)
{
    char text[MPI_MAX_ERROR_STRING];
    int rank, nranks, len, rc = MPI_ERR_ARG;
    MPI_Info hints;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_bytes", "1000");
    MPI_Info_set(hints, "subx_append", "no");
    if (argc > 3)
        MPI_Info_set(hints, "subx_dataset", argv[3]);
    if (argc > 2)
        rc = copy(argv[1], argv[2], hints, rank, nranks);
    MPI_Info_free(&hints);
    if (rc && rank == 0) {
        MPI_Error_string(rc, text, &len);
        fprintf(stderr, "recode: %s\n", text);
    }
    MPI_Finalize();
    return rc != MPI_SUCCESS;
}
