/* hints.c - the options that are hints of the library. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>
#include <subx_tune.h>

const char *sx_cli_hint_query(int i, char option[])
{
    const char *key = NULL;
    if (subx_fft_query_hint(i, &key, 0, NULL, NULL) != MPI_SUCCESS || !key)
        return NULL;
    /* mpirun of Open MPI 4.1 takes --tune "a, b" for its own option, even behind the name of the program. */
    snprintf(option, SX_CLI_NAME, "--%s", strcmp(key, "subx_tune") == 0 ? "tuning" : key + strlen("subx_"));
    for (char *c = option; (c = strchr(c, '_'));)
        *c = '-';
    return key;
}

const char *sx_cli_hint_find(const char *word, size_t len)
{
    char option[SX_CLI_NAME];
    const char *key;
    for (int i = 0; (key = sx_cli_hint_query(i, option)); i++)
        if (strlen(option) == len && strncmp(word, option, len) == 0)
            return key;
    return NULL;
}

static const char *get_variable(const char *key, char name[SX_CLI_NAME])
{
    int i = 0;
    for (; key[i] && i < SX_CLI_NAME - 1; i++)
        name[i] = key[i] >= 'a' && key[i] <= 'z' ? (char)(key[i] - 'a' + 'A') : key[i];
    name[i] = '\0';
    return getenv(name);
}

int sx_cli_hint_get(MPI_Info hints, const char *key, char value[])
{
    int found = 0;
    value[0] = '\0';
    (void)MPI_Info_get(hints, key, SX_CLI_VALUE - 1, value, &found);
    return found;
}

int sx_cli_hint_get_given(const struct sx_cli_options *opt, const char *key, char value[])
{
    char name[SX_CLI_NAME];
    if (sx_cli_hint_get(opt->hints, key, value))
        return 1;
    const char *variable = get_variable(key, name);
    snprintf(value, SX_CLI_VALUE, "%s", variable ? variable : "");
    return *value != '\0'; /* an empty variable counts as not given, as in the library */
}

int sx_cli_hints_check_variables(void)
{
    char text[SX_CLI_NAME * 4] = "";
    subx_hint_query_unknown(0, sizeof text, text, NULL);
    return *text ? sx_cli_fail_set("%s", text) : SX_CLI_OK;
}

void sx_cli_hints_print(const struct sx_cli_options *opt, sx_text *t)
{
    char option[SX_CLI_NAME], name[SX_CLI_NAME], value[SX_CLI_VALUE];
    const char *key;
    for (int i = 0; (key = sx_cli_hint_query(i, option)); i++) {
        const char *variable = get_variable(key, name);
        if (sx_cli_hint_get(opt->hints, key, value))
            sx_base_print(t, " %s %s", option, value);
        else if (variable && *variable)
            sx_base_print(t, " %s=%s", name, variable);
    }
}
