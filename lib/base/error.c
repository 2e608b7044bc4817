/* error.c - the kinds of error (SUBX_ERR_*), their codes and texts. When an error code is first needed, all
 * kinds are registered with MPI as error codes of one error class. */
#include "base/base.h"
#include <pthread.h>
#include <string.h>

static const char *const texts[] = {
    [SUBX_ERR_NONE] = "no error",
    [SUBX_ERR_ARG] = "subx: an argument is null or out of its range",
    [SUBX_ERR_NDIMS] = "subx: the number of dimensions is out of its range",
    [SUBX_ERR_SIZE] = "subx: a size, subsize or start is out of its range, or the block leaves the array",
    [SUBX_ERR_ORDER] =
        "subx: the order is not a permutation of the axes, or the storage is neither C nor Fortran",
    [SUBX_ERR_TYPE] = "subx: a datatype is null or of a kind that cannot be used here",
    [SUBX_ERR_NOT_STRIDED] = "subx: the datatype is not a strided block",
    [SUBX_ERR_NOT_SUBARRAY] = "subx: the datatype was not made as a subarray",
    [SUBX_ERR_TRUNCATE] = "subx: a buffer is too small",
    [SUBX_ERR_TOO_LARGE] = "subx: a count is too large for this MPI, or for 63 bits",
    [SUBX_ERR_NO_MEM] = "subx: no memory",
    [SUBX_ERR_COMM] = "subx: the communicator is null or an inter-communicator",
    [SUBX_ERR_GRID] = "subx: the process grid does not fit the number of ranks or of axes",
    [SUBX_ERR_HINT] = "subx: the value of a hint is wrong",
    [SUBX_ERR_UNAVAILABLE] = "subx: the engine, serial backend or file format asked for cannot serve here",
    [SUBX_ERR_DIFFERS] =
        "subx: arguments or hints that must be equal are not, on different ranks or in one call",
    [SUBX_ERR_MISMATCH] = "subx: a rank sends another amount than its partner expects",
    [SUBX_ERR_ACTIVE] =
        "subx: an exchange or a plan is in flight or an epoch open, or none is where one was expected",
    [SUBX_ERR_ALIAS] = "subx: two buffers are the same and must not be",
    [SUBX_ERR_PROBLEM] = "subx: the text of the problem is wrong",
    [SUBX_ERR_SERIAL] = "subx: the serial FFT library could not make a plan",
    [SUBX_ERR_PEER] = "subx: a partner has failed, and its data did not arrive",
    [SUBX_ERR_GAP] = "subx: nobody holds an element that is wanted",
    [SUBX_ERR_OVERLAP] = "subx: boxes overlap",
    [SUBX_ERR_FACTOR] = "subx: a transform of one axis on several ranks needs a length that is not prime",
    [SUBX_ERR_FILE] = "subx: the file is damaged, or of another format",
    [SUBX_ERR_FILE_END] = "subx: the file ends before its data does",
    [SUBX_ERR_FILE_ARRAY] =
        "subx: the file does not hold the array asked for: other sizes or elements, or no such dataset",
    [SUBX_ERR_FILE_KIND] = "subx: the path is a folder, a pipe or a device, not a file",
    [SUBX_ERR_DEVICE] = "subx: a GPU, or the library that drives it, has failed",
};

enum { NKINDS = sizeof texts / sizeof *texts };

static int codes[NKINDS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* If MPI cannot add the class, MPI_ERR_OTHER is used instead. If MPI cannot add the code of a kind, the class
 * is used instead: a caller then gets an error, but cannot tell its kind. */
static void add_codes(void)
{
    int class;
    if (MPI_Add_error_class(&class) != MPI_SUCCESS)
        class = MPI_ERR_OTHER;
    else
        MPI_Add_error_string(class, "subx: error");
    for (int kind = 1; kind < NKINDS; kind++) {
        if (MPI_Add_error_code(class, &codes[kind]) != MPI_SUCCESS)
            codes[kind] = class;
        else
            MPI_Add_error_string(codes[kind], texts[kind]);
    }
}

/* Query whether MPI can be called now. MPI_Initialized and MPI_Finalized may be called at any time. */
static int is_mpi_up(void)
{
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    return initialized && !finalized;
}

static int get_code(int kind)
{
    if (kind <= SUBX_ERR_NONE || kind >= NKINDS)
        return MPI_SUCCESS;
    /* subx_block_get and subx_block_get_owner may be called without MPI, which then cannot register our
     * codes. So they return a code of MPI. */
    if (!is_mpi_up())
        return MPI_ERR_ARG;
    pthread_once(&once, add_codes);
    return codes[kind];
}

/* A text with more detail belongs to one error (sx_base_set_error_text). So a new error of the kind begins
 * without it. */
int subx_error_get_code(int kind)
{
    const int code = get_code(kind);
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (code > MPI_ERR_LASTCODE && (MPI_Error_string(code, text, &length) || strcmp(text, texts[kind]) != 0))
        MPI_Add_error_string(code, texts[kind]);
    return code;
}

/* MPI need not give consecutive codes to the kinds, so compare the code with each of them. */
int subx_error_get_kind(int code)
{
    if (code == MPI_SUCCESS)
        return SUBX_ERR_NONE;
    for (int kind = 1; kind < NKINDS; kind++)
        if (get_code(kind) == code)
            return kind;
    return SUBX_ERR_NONE;
}
