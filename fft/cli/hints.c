/* hints.c - the options that are hints of the library: the list of hints, the values in effect, the
 * MPI_Info. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>
#include <subx_tune.h>

/* Get the key of hint i; NULL if there is no such hint. */
static const char *get_key(int i)
{
    const char *key;
    return i < SX_CLI_HINTS_MAX && subx_fft_query_hint(i, &key, 0, NULL, NULL) == MPI_SUCCESS ? key : NULL;
}

static void get_variable(const char *key, char name[SX_CLI_NAME])
{
    int i = 0;
    for (; key[i] && i < SX_CLI_NAME - 1; i++)
        name[i] = key[i] >= 'a' && key[i] <= 'z' ? (char)(key[i] - 'a' + 'A') : key[i];
    name[i] = '\0';
}

const char *sx_cli_hint_query(int i, char name[])
{
    const char *key = get_key(i);
    if (!key)
        return NULL;
    /* mpirun of Open MPI 4.1 takes --tune "a, b" for its own option, even behind the name of the program. */
    snprintf(name, SX_CLI_NAME, "--%s", strcmp(key, "subx_tune") == 0 ? "tuning" : key + strlen("subx_"));
    for (char *c = name; (c = strchr(c, '_'));)
        *c = '-';
    return name;
}

int sx_cli_hint_find(const char *option, size_t len)
{
    char name[SX_CLI_NAME];
    for (int i = 0; sx_cli_hint_query(i, name); i++)
        if (strlen(name) == len && strncmp(option, name, len) == 0)
            return i;
    return -1;
}

/* Get the value of hint i from the options, or from its environment variable; NULL if it is not given, or if
 * this version of the library does not have the hint. */
static const char *get_value(const struct sx_cli_options *opt, int i)
{
    char name[SX_CLI_NAME];
    if (i < 0)
        return NULL;
    const char *value = opt->hint[i];
    get_variable(get_key(i), name);
    if (!value)
        value = getenv(name);
    return value && *value ? value : NULL; /* an empty variable counts as not given, as in the library */
}

const char *sx_cli_hint_get(const struct sx_cli_options *opt, const char *option)
{
    return get_value(opt, sx_cli_hint_find(option, strlen(option)));
}

int sx_cli_hints_import(subx_fft_plan plan, struct sx_cli_hints *effect)
{
    MPI_Info info;
    int found, code = subx_fft_plan_get_info(plan, &info);
    if (code != MPI_SUCCESS)
        return sx_cli_fail_set_code(code, "cannot ask the plan for its choices");
    for (int i = 0; get_key(i); i++)
        MPI_Info_get(info, get_key(i), sizeof effect->value[i] - 1, effect->value[i], &found);
    MPI_Info_free(&info);
    return SX_CLI_OK;
}

const char *sx_cli_hints_get(const struct sx_cli_hints *effect, const char *option)
{
    const int i = sx_cli_hint_find(option, strlen(option));
    return i < 0 ? "" : effect->value[i];
}

int sx_cli_hints_check_variables(void)
{
    char text[SX_CLI_NAME * 4] = "";
    subx_hint_query_unknown(0, sizeof text, text, NULL);
    return *text ? sx_cli_fail_set("%s", text) : SX_CLI_OK;
}

/* 1 if plans are measured, which takes time. */
static int query_measured(const struct sx_cli_options *opt)
{
    const char *effort = sx_cli_hint_get(opt, "--effort");
    return effort && strcmp(effort, "estimate") != 0;
}

int sx_cli_hints_export(const struct sx_cli_options *opt, int has_terminal, MPI_Info *info, int *is_shown)
{
    int code = MPI_Info_create(info);
    *is_shown = has_terminal && query_measured(opt) && !sx_cli_hint_get(opt, "--verbose");
    for (int i = 0; get_key(i) && code == MPI_SUCCESS; i++)
        if (opt->hint[i])
            code = MPI_Info_set(*info, get_key(i), opt->hint[i]);
    if (*is_shown && code == MPI_SUCCESS)
        code = MPI_Info_set(*info, "subx_verbose", "progress");
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "cannot pass the options on");
}

void sx_cli_hints_print(const struct sx_cli_options *opt, size_t len, char *text)
{
    char name[SX_CLI_NAME];
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; get_key(i) && used < len; i++) {
        const char *value = get_value(opt, i);
        int more = 0;
        if (opt->hint[i]) {
            more = snprintf(text + used, len - used, " %s %s", sx_cli_hint_query(i, name), value);
        } else if (value) {
            get_variable(get_key(i), name);
            more = snprintf(text + used, len - used, " %s=%s", name, value);
        }
        used += (size_t)more;
    }
}
