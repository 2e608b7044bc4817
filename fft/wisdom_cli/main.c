/* main.c - the program subx-wisdom: parses the command line, executes a command, returns the exit status. */
#include "wisdom_cli/wisdom_cli.h"

#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>

static int print_help(void)
{
    sx_wisdom_cli_help();
    return SX_WISDOM_CLI_OK;
}

static int print_version(void)
{
    int major = 0, minor = 0, patch = 0;
    subx_version_get(&major, &minor, &patch);
    printf("subx-wisdom %d.%d.%d\n", major, minor, patch);
    return SX_WISDOM_CLI_OK;
}

/* Get the file for a command line without --file: as for plans, the environment variable SUBX_WISDOM names
 * it. */
static const char *get_default(void)
{
    const char *hint = getenv("SUBX_WISDOM");
    return hint && hint[0] ? hint : "auto";
}

/* Parse --file PATH or --file=PATH. Returns the number of words taken: 0 if the first word is not --file, -1
 * if the path is missing. */
static int take_file(char *words[], const char **hint)
{
    static const char name[] = "--file";
    const size_t len = sizeof name - 1;
    if (strncmp(words[0], name, len) != 0 || (words[0][len] && words[0][len] != '='))
        return 0;
    const char *path = words[0][len] ? words[0] + len + 1 : words[1];
    if (!path || !*path)
        return -1;
    *hint = path;
    return path == words[1] ? 2 : 1;
}

static int execute(const sx_wisdom_command *command, const char *hint, char *words[])
{
    char path[1024];
    subx_fft_wisdom w;
    if (subx_fft_wisdom_get_path(hint, sizeof path, path, NULL))
        return sx_wisdom_cli_fail("%.100s..: the path is too long", hint);
    if (!path[0])
        return sx_wisdom_cli_fail("no file is used: it is \"%s\" (see --help)", hint);
    if (subx_fft_wisdom_create(&w))
        return sx_wisdom_cli_fail("no memory");
    int rc = command->execute(w, path, words);
    subx_fft_wisdom_free(&w);
    return rc;
}

static int run_command(const char *hint, char *words[])
{
    const sx_wisdom_command *command;
    int n = 0;
    char unknown[256];
    subx_hint_query_unknown(0, sizeof unknown, unknown, NULL);
    if (*unknown)
        return sx_wisdom_cli_fail("%s", unknown);
    if (!words[0])
        return sx_wisdom_cli_fail("no command is given (see --help)");
    if (!(command = sx_wisdom_cli_find(words[0])))
        return sx_wisdom_cli_fail("unknown command %.100s (see --help)", words[0]);
    while (words[1 + n])
        n++;
    if (n < command->least || n > command->most)
        return sx_wisdom_cli_fail("%s takes %s (see --help)", command->name, command->words);
    return execute(command, hint, words + 1);
}

static int run(char *words[])
{
    const char *hint = get_default();
    int used = 0;
    for (words++; words[0] && words[0][0] == '-'; words += used) {
        if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)
            return print_help();
        if (strcmp(words[0], "--version") == 0)
            return print_version();
        used = take_file(words, &hint);
        if (used == 0)
            return sx_wisdom_cli_fail("unknown option %.100s (see --help)", words[0]);
        if (used < 0)
            return sx_wisdom_cli_fail("option --file needs a path (see --help)");
    }
    return run_command(hint, words);
}

int main(int argc, char *argv[])
{
    int rc = argc > 0 ? run(argv) : SX_WISDOM_CLI_ERROR;
    if (fflush(stdout) || ferror(stdout))
        return sx_wisdom_cli_fail("cannot write to standard output");
    return rc;
}
