/* program.c - start and end a measuring program; two ways to stop it early. */
#include "common/perf.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int my_rank, all_ranks;
static const char *my_name = "subx-perf";

int sx_perf_program_get_rank(void)
{
    return my_rank;
}

int sx_perf_program_get_nranks(void)
{
    return all_ranks;
}

const char *sx_perf_program_get_name(void)
{
    return my_name;
}

void sx_perf_program_start(const struct sx_perf_program *program, int argc, char *argv[],
                           struct sx_perf_settings *settings, size_t bytes)
{
    int outcome = SX_PERF_OPTIONS_GO, level;
    /* The hint subx_threads needs this level. If MPI does not provide it, the library returns an error. */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all_ranks);
    my_name = program->name;
    memset(settings, 0, bytes);
    if (my_rank == 0)
        outcome = sx_perf_options_parse(program, argc, argv, settings);
    MPI_Bcast(&outcome, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(settings, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (outcome != SX_PERF_OPTIONS_GO)
        exit(sx_perf_program_finish(outcome == SX_PERF_OPTIONS_REFUSED ? SX_PERF_ERROR : SX_PERF_OK));
}

int sx_perf_program_finish(int status)
{
    fflush(stdout);
    MPI_Finalize();
    return status;
}

/* MPICH appends a list of its own functions to the text of an error; users need only the first line. */
static void print_why(int code)
{
    char why[MPI_MAX_ERROR_STRING] = "";
    int len = 0;
    if (code == MPI_SUCCESS || MPI_Error_string(code, why, &len) != MPI_SUCCESS)
        return;
    why[strcspn(why, "\r\n")] = '\0';
    fprintf(stderr, ": %s", why);
}

static void print_failure(int code, const char *format, va_list args)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", my_name);
    vfprintf(stderr, format, args);
    print_why(code);
    fputc('\n', stderr);
    fflush(stderr);
}

void sx_perf_program_abort(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_failure(code, format, args);
    va_end(args);
    MPI_Abort(MPI_COMM_WORLD, SX_PERF_ERROR);
    abort();
}

void sx_perf_program_exit(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (my_rank == 0)
        print_failure(code, format, args);
    va_end(args);
    exit(sx_perf_program_finish(SX_PERF_ERROR));
}
