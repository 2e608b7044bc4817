/* predict.c - print what the cost model expects of another machine, instead of transforming an array. */
#include "cli/cli.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 64, FILE_MAX = 1 << 16 };

/* Read the numbers of ranks, such as 64,1024. Returns how many there are; 0 if the text is wrong. */
static int parse_ranks(const char *text, int nranks[COUNT_MAX])
{
    for (int n = 0; n < COUNT_MAX; n++) {
        char *end;
        const long value = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
        if (value < 1 || value > INT_MAX || (*end && *end != ','))
            return 0;
        nranks[n] = (int)value;
        if (!*end)
            return n + 1;
        text = end + 1;
    }
    return 0;
}

/* Read a file as a text; the caller has room for FILE_MAX bytes. */
static int read_file(const char *path, char text[FILE_MAX])
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return sx_cli_fail_set("--machine %.500s: cannot be opened", path);
    const size_t n = fread(text, 1, FILE_MAX - 1, f);
    const int is_whole = !ferror(f) && fgetc(f) == EOF && !ferror(f);
    fclose(f);
    text[n] = '\0';
    if (!is_whole)
        return sx_cli_fail_set("--machine %.500s: cannot be read, or has more than %d bytes", path,
                               FILE_MAX - 1);
    if (strlen(text) != n)
        return sx_cli_fail_set("--machine %.500s: is no text", path);
    return SX_CLI_OK;
}

/* Print the prediction into `text`, which has room for `len` bytes. *needed becomes the bytes of the whole
 * prediction. */
static int predict(const struct sx_cli_job *job, const char *machine, size_t len, char *text, size_t *needed)
{
    int nranks[COUNT_MAX];
    const int n = parse_ranks(job->opt.predict, nranks);
    if (n == 0)
        return sx_cli_fail_set("--predict %.100s: not 1 to %d numbers of ranks such as 64,1024",
                               job->opt.predict, COUNT_MAX);
    const int code = subx_fft_predict(job->problem, job->opt.hints, machine, n, nranks, job->opt.format, len,
                                      text, needed);
    return code == MPI_SUCCESS ? SX_CLI_OK
                               : sx_cli_fail_set_code(code, "no prediction for %.700s with --machine %.300s",
                                                      job->text, job->opt.machine);
}

/* Each line of the output has the problem's text and at most some hundred bytes more. */
static int print(const struct sx_cli_job *job)
{
    const size_t room = (COUNT_MAX + 2) * (SX_CLI_TEXT + 512);
    char *machine = sx_cli_memory_create(FILE_MAX, 1), *text = sx_cli_memory_create((ptrdiff_t)room, 1);
    size_t needed;
    int rc = machine && text ? read_file(job->opt.machine, machine) : SX_CLI_ERROR;
    if (rc == SX_CLI_OK)
        rc = predict(job, machine, room, text, &needed);
    if (rc == SX_CLI_OK)
        fputs(text, stdout);
    free(machine);
    free(text);
    return rc;
}

/* Rank 0 alone predicts and prints. */
int sx_cli_predict_execute(struct sx_cli_job *job)
{
    int rc = sx_cli_problem_set(job);
    if (rc == SX_CLI_OK)
        rc = sx_cli_fail_agree(job->comm, job->rank == 0 ? print(job) : SX_CLI_OK);
    return rc;
}
