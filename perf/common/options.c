/* options.c - the command line: the options of all programs, and the parsing and printing of a table of
 * options. */
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

const char *const sx_perf_options_memory[] = {"private", "shared", "huge", NULL},
                  *const sx_perf_options_device_memory[] = {"private", "shared", "huge", "device", NULL},
                  *const sx_perf_options_efforts[] = {"estimate", "measure", "patient", NULL};

/* The values of FFTW_ESTIMATE, FFTW_MEASURE and FFTW_PATIENT; the library may be built without fftw3.h. */
unsigned sx_perf_efforts_get_flag(int effort)
{
    static const unsigned flags[SX_PERF_NEFFORTS] = {1U << 6, 0, 1U << 5};
    return flags[effort];
}

#define AT(member) offsetof(struct sx_perf_settings, member)

/* The first NSOME options are only for programs that name them in `takes`. All programs have the rest. */
enum { NSOME = 2 };

static const struct sx_perf_option shared[] = {
    {"--engines", "E,..", "all", "engines' names, auto among them", sx_perf_values_parse_engines, NULL,
     AT(engines)},
    {"--effort", "E", "measure", "planning effort", NULL, sx_perf_options_efforts, AT(effort)},
    {"--repeat", "N", NULL, "rounds; each round times every candidate once", sx_perf_values_parse_count, NULL,
     AT(repeat)},
    {"--memory", "M", "private", "the arrays; shared by subx_mem_alloc, huge on huge pages", NULL,
     sx_perf_options_memory, AT(memory)},
    {"--hint", "KEY=VALUE", NULL, "a hint for the library, such as subx_threads=2; may be repeated",
     parse_hint, NULL, 0},
    {"--csv", "FILE", NULL, "write the rows as CSV; - is standard output, which then has no table for people",
     sx_perf_values_parse_text, NULL, AT(csv)},
    {"--json", "FILE", NULL, "write the rows as JSON", sx_perf_values_parse_text, NULL, AT(json)},
    {"--progress", NULL, NULL, "print progress on standard error even if that is no terminal", NULL, NULL,
     AT(progress)}};

enum { NSHARED = sizeof shared / sizeof *shared };

static int has_own(const struct sx_perf_program *program, const char *name)
{
    for (const struct sx_perf_option *own = program->options; own->name; own++)
        if (strcmp(own->name, name) == 0)
            return 1;
    return 0;
}

/* Get the i-th option of a program; NULL if there is none. */
static const struct sx_perf_option *get_option(const struct sx_perf_program *program, int i)
{
    for (const struct sx_perf_option *own = program->options; own->name; own++)
        if (i-- == 0)
            return own;
    for (int s = 0; s < NSHARED; s++) {
        const int is_taken = s >= NSOME || (program->takes && strstr(program->takes, shared[s].name));
        if (is_taken && !has_own(program, shared[s].name) && i-- == 0)
            return &shared[s];
    }
    return NULL;
}

static const char *get_preset(const struct sx_perf_program *program, const struct sx_perf_option *option)
{
    return strcmp(option->name, "--repeat") == 0 ? program->repeat : option->preset;
}

/* ------------------------------------------------------------------------------------- help */

static void print_option(const struct sx_perf_option *option, const char *preset)
{
    char left[64], words[SX_PERF_TEXT_MAX];
    snprintf(left, sizeof left, "%s %s", option->name, option->value ? option->value : "");
    if (option->words)
        sx_perf_values_print_words(option->words, sizeof words, words);
    printf("  %-19s %s", left, option->words ? words : option->help);
    if (preset && !strstr(option->help, "default"))
        printf(" (default %s)", preset);
    if (option->words && *option->help)
        printf(": %s", option->help);
    putchar('\n');
}

static void print_help(const struct sx_perf_program *program)
{
    const struct sx_perf_option *option;
    printf("Usage: mpirun -n P %s [OPTION]...\n\n%s\nOptions:\n", program->name, program->purpose);
    for (int i = 0; (option = get_option(program, i)); i++)
        print_option(option, get_preset(program, option));
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

static const struct sx_perf_option *find(const struct sx_perf_program *program, const char *word, size_t len)
{
    const struct sx_perf_option *option;
    for (int i = 0; (option = get_option(program, i)); i++)
        if (strlen(option->name) == len && strncmp(option->name, word, len) == 0)
            break;
    return option;
}

static void set(const struct sx_perf_option *option, const char *value, char *settings)
{
    void *target = settings + option->offset;
    if (!option->value && value)
        sx_perf_options_refuse("takes no value");
    else if (!option->value)
        *(int *)target = 1;
    else if (!value || !*value)
        sx_perf_options_refuse("needs a value, %s", option->value);
    else if (option->parse)
        option->parse(value, target);
    else if (strstr(option->value, ".."))
        sx_perf_values_parse_flags(value, option->words, target);
    else
        sx_perf_values_parse_word(value, option->words, target);
}

/* Parse an option. word[0] is the option; word[1] may be its value. Returns how many words belong to the
 * option. If the option is wrong, `why` is not empty afterwards. */
static int take(const struct sx_perf_program *program, char *word[], int nwords, char *settings)
{
    const char *equals = strchr(word[0], '='), *value = equals ? equals + 1 : NULL;
    size_t len = equals ? (size_t)(equals - word[0]) : strlen(word[0]);
    const struct sx_perf_option *option = find(program, word[0], len);
    why[0] = '\0';
    if (!option)
        sx_perf_options_refuse("unknown option (see --help)");
    else if (option->value && !value && nwords > 1 && strncmp(word[1], "--", 2) != 0)
        value = word[1];
    if (option)
        set(option, value, settings);
    return value && !equals ? 2 : 1;
}

/* Refuse an environment variable that begins with SUBX_ and that nothing reads. */
static int check_variables(const struct sx_perf_program *program)
{
    char unknown[256];
    subx_hint_query_unknown(0, sizeof unknown, unknown, NULL);
    if (*unknown)
        fprintf(stderr, "%s: %s\n", program->name, unknown);
    return *unknown != '\0';
}

int sx_perf_options_parse(const struct sx_perf_program *program, int argc, char *argv[],
                          struct sx_perf_settings *settings)
{
    const struct sx_perf_option *option;
    for (int i = 0; (option = get_option(program, i)); i++)
        if (get_preset(program, option))
            set(option, get_preset(program, option), (char *)settings);
    for (int i = 1, used; i < argc; i += used) {
        const int is_help = strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
        if (is_help || strcmp(argv[i], "--version") == 0) {
            (is_help ? print_help : print_version)(program);
            return SX_PERF_OPTIONS_DONE;
        }
        used = take(program, argv + i, argc - i, (char *)settings);
        if (*why) {
            fprintf(stderr, "%s: %.100s%s%.100s: %s\n", program->name, argv[i], used == 2 ? " " : "",
                    used == 2 ? argv[i + 1] : "", why);
            return SX_PERF_OPTIONS_REFUSED;
        }
    }
    return check_variables(program) ? SX_PERF_OPTIONS_REFUSED : SX_PERF_OPTIONS_GO;
}
