/* hints.c - the options that go to the library as hints: names, values in effect, the MPI_Info. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

struct hint {
    const char *option, *key, *variable;
    const char *fallback; /* the library's documented default; NULL if it depends */
};

static const struct hint hints[SX_CLI_NHINTS] = {
    {"--grid", "subx_grid", "SUBX_GRID", "auto"},
    {"--strategy", "subx_strategy", "SUBX_STRATEGY", "stride1"},
    {"--output-order", "subx_output", "SUBX_OUTPUT", "natural"},
    {"--scaling", "subx_scaling", "SUBX_SCALING", "none"},
    {"--serial", "subx_serial", "SUBX_SERIAL", NULL},
    {"--effort", "subx_effort", "SUBX_EFFORT", "estimate"},
    {"--engine", "subx_engine", "SUBX_ENGINE", "auto"},
    {"--permute", "subx_permute", "SUBX_PERMUTE", "recv"},
};

const char *sx_cli_hint_query(int which)
{
    return hints[which].option;
}

/* FFTW where the library was built with it. */
static const char *default_serial(void)
{
    const char *name = NULL;
    for (int i = 0; subx_fft_query_serial(i, &name) == MPI_SUCCESS && name; i++)
        if (strcmp(name, "fftw3") == 0)
            return "fftw3";
    return "naive";
}

static const char *given(const struct sx_cli_options *opt, int which)
{
    const char *value = opt->hint[which];
    if (!value)
        value = getenv(hints[which].variable);
    return value && *value ? value : NULL; /* an empty variable is none, as to the library */
}

const char *sx_cli_hint_get(const struct sx_cli_options *opt, int which)
{
    const char *value = given(opt, which);
    if (value)
        return value;
    return hints[which].fallback ? hints[which].fallback : default_serial();
}

int sx_cli_hints_export(const struct sx_cli_options *opt, MPI_Info *info)
{
    int code = MPI_Info_create(info);
    for (int i = 0; i < SX_CLI_NHINTS && code == MPI_SUCCESS; i++)
        if (opt->hint[i])
            code = MPI_Info_set(*info, hints[i].key, opt->hint[i]);
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "cannot pass the options on");
}

void sx_cli_hints_print(const struct sx_cli_options *opt, size_t len, char *text)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < SX_CLI_NHINTS && used < len; i++) {
        const char *value = given(opt, i);
        int more = 0;
        if (opt->hint[i])
            more = snprintf(text + used, len - used, " %s %s", hints[i].option, value);
        else if (value)
            more = snprintf(text + used, len - used, " %s=%s", hints[i].variable, value);
        used += (size_t)more;
    }
}
