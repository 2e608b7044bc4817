/* file_help.c - for tests of files: a folder, access to files by the C library, and short arrays of
 * numbers. */
#include "mpi/file_help.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <subx_io.h>
#include <unistd.h>

static char folder[64];
char file_path[384];
const char *const file_suffixes[FILE_FORMATS] = {"npy", "bin", "h5"};

void file_set_path(const char *name, const char *suffix)
{
    snprintf(file_path, sizeof file_path, "%s/%s.%s", folder, name, suffix);
}

char *file_read_serially(size_t *len)
{
    FILE *file = fopen(file_path, "rb");
    char *bytes = NULL;
    *len = 0;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *len = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*len + 1);
    *len = fread(bytes, 1, *len, file);
    fclose(file);
    return bytes;
}

void file_write_serially(const void *bytes, size_t len)
{
    FILE *file = test_rank == 0 ? fopen(file_path, "wb") : NULL;
    if (file) {
        fwrite(bytes, 1, len, file);
        fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

MPI_Info file_create_hints(const char *key, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    return info;
}

int file_write_numbers(const char *hint, const char *value, const char *append, int n, int first)
{
    const ptrdiff_t count = n, zero = 0;
    int buf[16];
    MPI_Info hints = file_create_hints(hint, value);
    MPI_Info_set(hints, "subx_append", append);
    for (int i = 0; i < n; i++)
        buf[i] = first + i;
    int rc = subx_file_write(MPI_COMM_WORLD, file_path, 1, &count, test_rank == 0 ? &count : &zero, &zero,
                             NULL, MPI_INT, buf, hints);
    MPI_Info_free(&hints);
    return rc;
}

int file_read_numbers(const char *hint, const char *value, int n, int first)
{
    const ptrdiff_t count = n, zero = 0;
    int buf[16] = {0};
    MPI_Info hints = file_create_hints(hint, value);
    int rc = subx_file_read(MPI_COMM_WORLD, file_path, 1, &count, &count, &zero, NULL, MPI_INT, buf, hints);
    MPI_Info_free(&hints);
    for (int i = 0; i < n && !rc; i++)
        EXPECT_EQUAL(buf[i], first + i);
    return rc;
}

void file_create_folder(void)
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.40s/subx-file.XXXXXX", where ? where : "/tmp");
    if (test_rank == 0)
        EXPECT(mkdtemp(folder) != NULL);
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
}

void file_remove_folder(void)
{
    static const char *const names[] = {"random", "foreign", "convert", "kept", "bad"};
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; i < sizeof names / sizeof *names && test_rank == 0; i++)
        for (int format = 0; format < FILE_FORMATS; format++) {
            file_set_path(names[i], file_suffixes[format]);
            unlink(file_path);
        }
    if (test_rank == 0)
        EXPECT(rmdir(folder) == 0);
}
