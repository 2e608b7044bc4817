/* args.c - give all ranks the command line of rank 0. Launchers can start ranks with different command
 * lines; ranks that do different things would wait for each other forever. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Join the words, each with its terminator. */
static char *join(int argc, char *argv[], int *bytes)
{
    size_t len = 0;
    char *text;
    for (int i = 0; i < argc; i++)
        len += strlen(argv[i]) + 1;
    text = malloc(len + 1);
    *bytes = (int)len;
    len = 0;
    for (int i = 0; text && i < argc; i++) {
        strcpy(text + len, argv[i]);
        len += strlen(argv[i]) + 1;
    }
    return text;
}

static void split(char *text, int argc, char *argv[])
{
    for (int i = 0; i < argc; i++) {
        argv[i] = text;
        text += strlen(text) + 1;
    }
    argv[argc] = NULL;
}

int sx_cli_args_create(MPI_Comm comm, int rank, int argc, char *argv[], struct sx_cli_args *args)
{
    int head[2] = {argc, 0};
    int rc;
    memset(args, 0, sizeof *args);
    if (rank == 0)
        args->text = join(argc, argv, &head[1]);
    MPI_Bcast(head, 2, MPI_INT, 0, comm);
    if (rank != 0)
        args->text = malloc((size_t)head[1] + 1);
    args->argc = head[0];
    args->argv = calloc((size_t)head[0] + 1, sizeof *args->argv);
    rc = args->text && args->argv ? SX_CLI_OK : sx_cli_fail_set("no memory for the command line");
    rc = sx_cli_fail_agree(comm, rc);
    if (rc == SX_CLI_OK) {
        MPI_Bcast(args->text, head[1], MPI_CHAR, 0, comm);
        split(args->text, args->argc, args->argv);
    }
    return rc;
}

void sx_cli_args_free(struct sx_cli_args *args)
{
    free(args->argv);
    free(args->text);
    memset(args, 0, sizeof *args);
}
