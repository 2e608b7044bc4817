/* share.c - give all ranks the command line of rank 0. A launcher can start ranks with different command
 * lines. Ranks that do different things wait for each other for ever. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

int sx_cli_args_create(MPI_Comm comm, int rank, int argc, char *argv[], struct sx_cli_args *args)
{
    int head[2] = {argc, 0}; /* number of words; their bytes with terminators */
    char *at;
    for (int i = 0; i < argc; i++)
        head[1] += (int)strlen(argv[i]) + 1;
    MPI_Bcast(head, 2, MPI_INT, 0, comm);
    args->argc = head[0];
    args->text = at = malloc((size_t)head[1] + 1);
    args->argv = calloc((size_t)head[0] + 1, sizeof *args->argv);
    if (sx_cli_fail_agree(comm, args->text && args->argv ? SX_CLI_OK
                                                         : sx_cli_fail_set("no memory for the command line")))
        return SX_CLI_ERROR;
    for (int i = 0; i < argc && rank == 0; i++)
        at = stpcpy(at, argv[i]) + 1;
    MPI_Bcast(args->text, head[1], MPI_CHAR, 0, comm);
    at = args->text;
    for (int i = 0; i < args->argc; i++) {
        args->argv[i] = at;
        at += strlen(at) + 1;
    }
    return SX_CLI_OK;
}

void sx_cli_args_free(struct sx_cli_args *args)
{
    free(args->argv);
    free(args->text);
    memset(args, 0, sizeof *args);
}
