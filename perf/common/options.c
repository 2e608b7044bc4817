/* options.c - the command line: the common options, and how a table of options is parsed and printed. */
#include "common/perf.h"

#include <stdarg.h>
#include <string.h>

static char why[2 * SX_PERF_TEXT_MAX];

int sx_perf_options_refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return 1;
}

static int parse_memory(const char *text, void *target)
{
    for (int i = SX_PERF_PRIVATE; i <= SX_PERF_HUGE; i++)
        if (strcmp(text, sx_perf_memory_query(i)) == 0) {
            *(int *)target = i;
            return 0;
        }
    return sx_perf_options_refuse("neither private nor shared nor huge");
}

static int parse_hint(const char *text, void *target)
{
    struct sx_perf_settings *settings = target;
    const char *equals = strchr(text, '=');
    size_t key = equals ? (size_t)(equals - text) : 0;
    int i = settings->nhints;
    if (key == 0 || key >= SX_PERF_TEXT_MAX || key > MPI_MAX_INFO_KEY || !equals[1])
        return sx_perf_options_refuse("not of the form key=value");
    if (i == SX_PERF_NHINTS)
        return sx_perf_options_refuse("more than %d hints", SX_PERF_NHINTS);
    memcpy(settings->key[i], text, key);
    settings->key[i][key] = '\0';
    settings->nhints = i + 1;
    return sx_perf_values_parse_text(equals + 1, settings->value[i]);
}

#define AT(member) offsetof(struct sx_perf_settings, member)

const struct sx_perf_option sx_perf_options_common[] = {
    {"--repeat", "N", "rounds; each round times every candidate once", sx_perf_values_parse_count,
     AT(repeat)},
    {"--memory", "M", "the arrays: private (default); shared, by subx_mem_alloc; huge, private on huge pages",
     parse_memory, AT(memory)},
    {"--hint", "KEY=VALUE", "a hint for the library, such as subx_permute=send; may be repeated", parse_hint,
     0},
    {"--csv", "FILE", "write the rows as CSV; - is standard output, which then has no table for people",
     sx_perf_values_parse_text, AT(csv)},
    {"--json", "FILE", "write the rows as JSON", sx_perf_values_parse_text, AT(json)},
    {"--progress", NULL, "print progress on standard error even if that is no terminal", NULL, AT(progress)},
    {NULL, NULL, NULL, NULL, 0}};

/* ------------------------------------------------------------------------------------- help */

static void print_options(const struct sx_perf_option *option)
{
    for (; option->name; option++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", option->name, option->value ? option->value : "");
        printf("  %-19s %s\n", left, option->help);
    }
}

static void print_help(const struct sx_perf_program *program)
{
    printf("Usage: mpirun -n P %s [OPTION]...\n\n%s\nOptions:\n", program->name, program->purpose);
    print_options(program->options);
    print_options(sx_perf_options_common);
    printf("  %-19s %s\n  %-19s %s\n\n", "--help, -h", "this text", "--version", "the library's version");
    fputs(program->rest, stdout);
    printf(
        "\nExit status: 0 if all went well, 1 if a result is wrong, 2 if an option is wrong or anything fails.\n");
}

static void print_version(const struct sx_perf_program *program)
{
    int major = 0, minor = 0, patch = 0;
    subx_version_get(&major, &minor, &patch);
    printf("%s %d.%d.%d on %s\n", program->name, major, minor, patch, sx_perf_machine_query_mpi());
}

/* ---------------------------------------------------------------------------------- parsing */

static const struct sx_perf_option *find(const struct sx_perf_option *option, const char *word, size_t len)
{
    for (; option->name; option++)
        if (strlen(option->name) == len && strncmp(option->name, word, len) == 0)
            return option;
    return NULL;
}

static void set(const struct sx_perf_option *option, const char *value, char *settings)
{
    if (!option->parse && value)
        sx_perf_options_refuse("takes no value");
    else if (!option->parse)
        *(int *)(void *)(settings + option->offset) = 1;
    else if (!value || !*value)
        sx_perf_options_refuse("needs a value, %s", option->value);
    else
        option->parse(value, settings + option->offset);
}

/* Parse one option: word[0], and word[1] if this is its value. Returns the number of words taken. If the option is
 * wrong, `why` is not empty afterwards. */
static int take(const struct sx_perf_program *program, char *word[], int nwords, char *settings)
{
    const char *equals = strchr(word[0], '='), *value = equals ? equals + 1 : NULL;
    size_t len = equals ? (size_t)(equals - word[0]) : strlen(word[0]);
    const struct sx_perf_option *option = find(program->options, word[0], len);
    if (!option)
        option = find(sx_perf_options_common, word[0], len);
    why[0] = '\0';
    if (!option)
        sx_perf_options_refuse("unknown option (see --help)");
    else if (option->parse && !value && nwords > 1 && strncmp(word[1], "--", 2) != 0)
        value = word[1];
    if (option)
        set(option, value, settings);
    return value && !equals ? 2 : 1;
}

static int is_word(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || (b && strcmp(word, b) == 0);
}

int sx_perf_options_parse(const struct sx_perf_program *program, int argc, char *argv[],
                          struct sx_perf_settings *settings)
{
    for (int i = 1, used; i < argc; i += used) {
        if (is_word(argv[i], "--help", "-h")) {
            print_help(program);
            return SX_PERF_OPTIONS_DONE;
        }
        if (is_word(argv[i], "--version", NULL)) {
            print_version(program);
            return SX_PERF_OPTIONS_DONE;
        }
        used = take(program, argv + i, argc - i, (char *)settings);
        if (*why) {
            fprintf(stderr, "%s: %.100s%s%.100s: %s\n", program->name, argv[i], used == 2 ? " " : "",
                    used == 2 ? argv[i + 1] : "", why);
            return SX_PERF_OPTIONS_REFUSED;
        }
    }
    return SX_PERF_OPTIONS_GO;
}
