/* header.c - read the header of an input file, and test whether an output file can be written, on rank 0. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* Read the header's text, whose length its start gives, and parse it. */
static int read_text(FILE *file, const char *path, const unsigned char start[], struct sx_cli_npy *npy)
{
    ptrdiff_t text, data;
    char *buffer;
    int rc = sx_cli_npy_parse_start(start, path, &text, &data);
    if (rc != SX_CLI_OK)
        return rc;
    buffer = calloc((size_t)(data - text) + 1, 1);
    if (!buffer)
        return sx_cli_fail_set("%s: no memory for its header", path);
    npy->data = data;
    if (fseek(file, (long)text, SEEK_SET) ||
        fread(buffer, 1, (size_t)(data - text), file) != (size_t)(data - text))
        rc = sx_cli_fail_set("%s: the file ends within its header", path);
    else
        rc = sx_cli_npy_parse(buffer, path, npy);
    free(buffer);
    return rc;
}

/* A file that is shorter than its header says was cut. Trailing bytes are ignored, as NumPy does. */
static int check_length(FILE *file, const char *path, const struct sx_cli_npy *npy)
{
    ptrdiff_t bytes = npy->width * npy->reals * sx_cli_box_volume(npy->ndims, npy->shape);
    off_t length;
    if (fseeko(file, 0, SEEK_END) || (length = ftello(file)) < 0)
        return sx_cli_fail_set("%s: %s", path, strerror(errno));
    if (length - npy->data < bytes)
        return sx_cli_fail_set("%s: truncated: %td bytes of data expected, %td found", path, bytes,
                               (ptrdiff_t)length - npy->data);
    return SX_CLI_OK;
}

static int read_header(const char *path, struct sx_cli_npy *npy)
{
    unsigned char start[SX_CLI_NPY_START];
    FILE *file = fopen(path, "rb");
    int rc;
    if (!file)
        return sx_cli_fail_set("%s: %s", path, strerror(errno));
    errno = 0;
    if (fread(start, 1, sizeof start, file) != sizeof start)
        rc = sx_cli_fail_set("%s: %s", path, ferror(file) ? strerror(errno) : "not a .npy file");
    else
        rc = read_text(file, path, start, npy);
    if (rc == SX_CLI_OK)
        rc = check_length(file, path, npy);
    fclose(file);
    return rc;
}

int sx_cli_file_import_header(MPI_Comm comm, int rank, const char *path, struct sx_cli_npy *npy)
{
    int rc = SX_CLI_OK;
    memset(npy, 0, sizeof *npy);
    if (rank == 0)
        rc = read_header(path, npy);
    rc = sx_cli_fail_agree(comm, rc);
    if (rc == SX_CLI_OK)
        MPI_Bcast(npy, (int)sizeof *npy, MPI_BYTE, 0, comm);
    return rc;
}

int sx_cli_file_query_writable(const struct sx_cli_job *job)
{
    int rc = SX_CLI_OK;
    if (job->rank == 0) {
        FILE *file = fopen(job->opt.output, "ab"); /* does not change a file that exists */
        if (!file)
            rc = sx_cli_fail_set("%s: %s", job->opt.output, strerror(errno));
        else
            fclose(file);
    }
    return sx_cli_fail_agree(job->comm, rc);
}

/* Reserve the file's disk space. Otherwise a full disk might not be noticed: the writes of some MPI
 * libraries succeed on it (Open MPI 4.1 with two or more ranks). If the space cannot be reserved we must
 * trust the writes. */
static int reserve(const char *path, ptrdiff_t bytes)
{
    FILE *file = fopen(path, "ab");
    int error;
    if (!file)
        return sx_cli_fail_set("%s: %s", path, strerror(errno));
    error = posix_fallocate(fileno(file), 0, bytes);
    fclose(file);
    if (error == ENOSPC || error == EDQUOT || error == EFBIG)
        return sx_cli_fail_set("%s: %s", path, strerror(error));
    return SX_CLI_OK;
}

int sx_cli_file_set_space(const struct sx_cli_job *job, ptrdiff_t bytes)
{
    return sx_cli_fail_agree(job->comm, job->rank == 0 ? reserve(job->opt.output, bytes) : SX_CLI_OK);
}
