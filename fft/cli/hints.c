/* hints.c - the options that go to the library as hints: names, values in effect, the MPI_Info. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

struct hint {
    const char *option, *key, *variable;
};

static const struct hint hints[SX_CLI_NHINTS] = {
    {"--grid", "subx_grid", "SUBX_GRID"},
    {"--sequence", "subx_sequence", "SUBX_SEQUENCE"},
    {"--strategy", "subx_strategy", "SUBX_STRATEGY"},
    {"--output-order", "subx_output", "SUBX_OUTPUT"},
    {"--scaling", "subx_scaling", "SUBX_SCALING"},
    {"--input-array", "subx_input", "SUBX_INPUT"},
    {"--serial", "subx_serial", "SUBX_SERIAL"},
    {"--effort", "subx_effort", "SUBX_EFFORT"},
    {"--engine", "subx_engine", "SUBX_ENGINE"},
    {"--permute", "subx_permute", "SUBX_PERMUTE"},
    {"--overlap", "subx_overlap", "SUBX_OVERLAP"},
    {"--slices", "subx_slices", "SUBX_SLICES"},
    {"--progress", "subx_progress", "SUBX_PROGRESS"},
    {"--width", "subx_width", "SUBX_WIDTH"},
    {"--pencils", "subx_pencils", "SUBX_PENCILS"},
    {"--cache", "subx_cache", "SUBX_CACHE"},
    {"--threads", "subx_threads", "SUBX_THREADS"},
    {"--wisdom", "subx_wisdom", "SUBX_WISDOM"},
    {"--ranks", "subx_ranks", "SUBX_RANKS"},
    {"--reorder", "subx_reorder", "SUBX_REORDER"},
    {"--time-limit", "subx_time_limit", "SUBX_TIME_LIMIT"},
};

const char *sx_cli_hint_query(int which)
{
    return hints[which].option;
}

const char *sx_cli_hint_get(const struct sx_cli_options *opt, int which)
{
    const char *value = opt->hint[which];
    if (!value)
        value = getenv(hints[which].variable);
    return value && *value ? value : NULL; /* an empty variable counts as none, as in the library */
}

int sx_cli_hints_import(subx_fft_plan plan, struct sx_cli_hints *effect)
{
    MPI_Info info;
    int found, code = subx_fft_plan_get_info(plan, &info);
    if (code != MPI_SUCCESS)
        return sx_cli_fail_set_code(code, "cannot ask the plan for its choices");
    for (int i = 0; i < SX_CLI_NHINTS; i++)
        MPI_Info_get(info, hints[i].key, sizeof effect->value[i] - 1, effect->value[i], &found);
    MPI_Info_free(&info);
    return SX_CLI_OK;
}

/* Plans of more effort take time, because they are measured. */
static int query_measured(const struct sx_cli_options *opt)
{
    const char *effort = sx_cli_hint_get(opt, SX_CLI_EFFORT);
    return effort && strcmp(effort, "estimate") != 0;
}

int sx_cli_hints_export(const struct sx_cli_options *opt, int has_terminal, MPI_Info *info, int *is_shown)
{
    int code = MPI_Info_create(info);
    *is_shown = has_terminal && query_measured(opt) && !getenv("SUBX_VERBOSE");
    for (int i = 0; i < SX_CLI_NHINTS && code == MPI_SUCCESS; i++)
        if (opt->hint[i])
            code = MPI_Info_set(*info, hints[i].key, opt->hint[i]);
    if (*is_shown && code == MPI_SUCCESS)
        code = MPI_Info_set(*info, "subx_verbose", "progress");
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "cannot pass the options on");
}

void sx_cli_hints_print(const struct sx_cli_options *opt, size_t len, char *text)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < SX_CLI_NHINTS && used < len; i++) {
        const char *value = sx_cli_hint_get(opt, i);
        int more = 0;
        if (opt->hint[i])
            more = snprintf(text + used, len - used, " %s %s", hints[i].option, value);
        else if (value)
            more = snprintf(text + used, len - used, " %s=%s", hints[i].variable, value);
        used += (size_t)more;
    }
}
