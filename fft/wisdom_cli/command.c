/* command.c - the commands of the program: list, forget, merge, path. */
#include "wisdom_cli/wisdom_cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int sx_wisdom_cli_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("subx-wisdom: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return SX_WISDOM_CLI_ERROR;
}

/* ---- wisdom as lines */

/* Print wisdom into a text, which the caller frees. */
static char *print(subx_fft_wisdom w)
{
    size_t needed = 0;
    char *text = NULL;
    if (subx_fft_wisdom_print(w, 0, NULL, &needed) == MPI_SUCCESS)
        text = malloc(needed + 1);
    if (text)
        subx_fft_wisdom_print(w, needed + 1, text, NULL);
    return text;
}

/* Cut the next line off a text; NULL after the last line. */
static char *cut_line(char **rest)
{
    char *line = *rest, *end = strchr(line, '\n');
    if (!*line)
        return NULL;
    *rest = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    return line;
}

/* Lines of entries contain TABs. Lines that tell why a file cannot be used begin with #. */
static int is_remark(const char *line)
{
    return line[0] == '#' && line[1] == ' ';
}

/* Query whether the kind or the key of an entry contains a text, as for subx_fft_wisdom_forget. */
static int contains(const char *line, const char *text)
{
    const char *key = strchr(line, '\t') + 1, *value = strchr(key, '\t'), *found = strstr(line, text);
    const size_t len = strlen(text);
    for (; found && found + len <= value; found = strstr(found + 1, text))
        if (found + len < key || found >= key)
            return 1;
    return 0;
}

/* Print to standard error the lines that tell why files cannot be used. If `lists` is 1, print the entries
 * that contain the text to standard output. Returns the number of these entries; -1 if there is no memory. */
static long show(subx_fft_wisdom w, const char *text, int lists)
{
    char *whole = print(w), *rest = whole;
    long n = 0;
    if (!whole)
        return -1;
    for (char *line = cut_line(&rest); line; line = cut_line(&rest)) {
        if (is_remark(line)) {
            sx_wisdom_cli_fail("%s", line + 2);
        } else if (contains(line, text)) {
            n++;
            if (lists)
                puts(line);
        }
    }
    free(whole);
    return n;
}

/* Print the lines that tell why a file cannot be used. */
static int explain(subx_fft_wisdom w, const char *file)
{
    size_t noted = 0;
    subx_fft_wisdom_forget(w, "", NULL);
    subx_fft_wisdom_print(w, 0, NULL, &noted);
    if (noted == 0 || show(w, "", 0) < 0)
        sx_wisdom_cli_fail("%.1000s: no memory, or the path is too long", file);
    return SX_WISDOM_CLI_ERROR;
}

static int tell_none(const char *file, const char *text)
{
    sx_wisdom_cli_fail("%.1000s: no entry contains \"%.200s\"", file, text);
    return SX_WISDOM_CLI_NONE;
}

/* ---- commands */

static int import(subx_fft_wisdom w, const char *file)
{
    return subx_fft_wisdom_import(w, file, NULL) ? explain(w, file) : SX_WISDOM_CLI_OK;
}

static int list(subx_fft_wisdom w, const char *file, char *words[])
{
    long n;
    if (import(w, file))
        return SX_WISDOM_CLI_ERROR;
    n = show(w, words[0] ? words[0] : "", 1);
    if (n < 0)
        return sx_wisdom_cli_fail("no memory");
    return n > 0 || !words[0] ? SX_WISDOM_CLI_OK : tell_none(file, words[0]);
}

static int forget(subx_fft_wisdom w, const char *file, char *words[])
{
    const int all = strcmp(words[0], "--all") == 0;
    int n = 0;
    if (!words[0][0])
        return sx_wisdom_cli_fail("forget: the text is empty; --all removes all entries");
    if (import(w, file))
        return SX_WISDOM_CLI_ERROR;
    subx_fft_wisdom_forget(w, all ? "" : words[0], &n);
    if (n > 0 && subx_fft_wisdom_export(w, file))
        return explain(w, file);
    show(w, "", 0);
    printf("%d entr%s removed\n", n, n == 1 ? "y" : "ies");
    return n > 0 || all ? SX_WISDOM_CLI_OK : tell_none(file, words[0]);
}

static int merge(subx_fft_wisdom w, const char *file, char *words[])
{
    long n;
    for (int i = 0; words[i]; i++)
        if (import(w, words[i]))
            return SX_WISDOM_CLI_ERROR;
    if (subx_fft_wisdom_export(w, file))
        return explain(w, file);
    n = show(w, "", 0);
    printf("%ld entr%s merged\n", n, n == 1 ? "y" : "ies");
    return n < 0 ? sx_wisdom_cli_fail("no memory") : SX_WISDOM_CLI_OK;
}

static int print_path(subx_fft_wisdom w, const char *file, char *words[])
{
    (void)w;
    (void)words;
    puts(file);
    return SX_WISDOM_CLI_OK;
}

static const sx_wisdom_command commands[] = {
    {"list", "at most one text", 0, 1, list},
    {"forget", "one text or --all", 1, 1, forget},
    {"merge", "one or more files", 1, 1 << 30, merge},
    {"path", "nothing", 0, 0, print_path},
};

const sx_wisdom_command *sx_wisdom_cli_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}
