/* table.c - the list of formats, with the suffixes of their files. */
#include "io/io.h"
#include <string.h>

static const sx_io_format *const table[] = {
    [SX_IO_NPY] = &sx_io_npy,
    [SX_IO_RAW] = &sx_io_raw,
#ifdef HAVE_HDF5
    [SX_IO_HDF5] = &sx_io_hdf5,
#else
    [SX_IO_HDF5] = NULL,
#endif
};

static int find_suffix(const char *path)
{
    static const struct {
        const char *suffix;
        int format;
    } known[] = {{".npy", SX_IO_NPY}, {".h5", SX_IO_HDF5}, {".hdf5", SX_IO_HDF5}};
    size_t len = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t n = strlen(known[i].suffix);
        if (len >= n && strcmp(path + len - n, known[i].suffix) == 0)
            return known[i].format;
    }
    return SX_IO_RAW;
}

const sx_io_format *sx_io_format_get(int format, const char *path)
{
    return table[format == SX_IO_AUTO ? find_suffix(path) : format];
}

int subx_file_query_format(int i, const char **name)
{
    const sx_io_format *format;
    if (!name || i < 0)
        return subx_error_get_code(SUBX_ERR_ARG);
    format = (size_t)i + 1 < sizeof table / sizeof *table ? table[i + 1] : NULL;
    *name = format ? format->name : NULL;
    return MPI_SUCCESS;
}
