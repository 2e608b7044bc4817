/* fail.c - errors: one clear line, on which all ranks agree; and memory, whose allocation may fail. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1024, LINE_BYTES = 64 };

/* The text of this rank's error; empty if there is none. */
static char note[TEXT_MAX];

/* MPICH appends a list of its own functions to the text of an error; users need only the text before it. */
static void cut_to_line(char *text)
{
    char *stack = strstr(text, ", error stack:");
    if (stack)
        *stack = '\0';
    text[strcspn(text, "\r\n")] = '\0';
}

static void set_error_text(int code, char *text)
{
    int len = 0;
    if (MPI_Error_string(code, text, &len) != MPI_SUCCESS)
        snprintf(text, MPI_MAX_ERROR_STRING, "error %d", code);
    cut_to_line(text);
}

int sx_cli_fail_set(const char *format, ...)
{
    va_list args;
    if (!note[0]) {
        va_start(args, format);
        vsnprintf(note, sizeof note, format, args);
        va_end(args);
        cut_to_line(note);
    }
    return SX_CLI_ERROR;
}

int sx_cli_fail_set_code(int code, const char *format, ...)
{
    char what[TEXT_MAX], why[MPI_MAX_ERROR_STRING];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    set_error_text(code, why);
    return sx_cli_fail_set("%s: %s", what, why);
}

int sx_cli_fail_agree(MPI_Comm comm, int rc)
{
    int rank, nranks, mine, first;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &nranks);
    mine = rc == SX_CLI_ERROR ? rank : nranks;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first == nranks)
        return SX_CLI_OK;
    MPI_Bcast(note, TEXT_MAX, MPI_CHAR, first, comm);
    return SX_CLI_ERROR;
}

void sx_cli_fail_print(void)
{
    fprintf(stderr, "subx-fft: %s\n", note);
}

void *sx_cli_memory_create(ptrdiff_t n, ptrdiff_t bytes_each)
{
    void *memory = NULL;
    size_t bytes = LINE_BYTES;
    if (n > PTRDIFF_MAX / bytes_each - LINE_BYTES)
        bytes = 0;
    else if (n > 0)
        bytes = (size_t)(n * bytes_each);
    if (!bytes || posix_memalign(&memory, LINE_BYTES, bytes)) {
        sx_cli_fail_set("no memory for an array of %.3g bytes", (double)n * (double)bytes_each);
        return NULL;
    }
    return memory;
}
