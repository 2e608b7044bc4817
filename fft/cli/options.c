/* options.c - the command line: a table of options, and the checks that need no MPI. */
#include "cli/cli.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum value_rule { VALUE_NONE, VALUE_NEEDED, VALUE_MAYBE };

/* An option either has a function, or it sets a member of the options: to a number if the option takes no
 * value, else to the text of the value. */
struct option {
    const char *name;
    enum value_rule rule;
    int (*set)(struct sx_cli_options *opt, const char *value);
    size_t field;
    int number;
};

#define FLAG(name, field, number)                                                                            \
    {                                                                                                        \
        name, VALUE_NONE, NULL, offsetof(struct sx_cli_options, field), number                               \
    }

/* Only digits are accepted, no signs, blanks or hexadecimal numbers. *end becomes the first character that is
 * no digit. */
static int parse_number(const char *text, uint64_t max, uint64_t *number, const char **end)
{
    uint64_t n = 0;
    const char *c = text;
    for (; isdigit((unsigned char)*c); c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (n > (max - digit) / 10)
            return 0;
        n = 10 * n + digit;
    }
    *number = n;
    *end = c;
    return c > text;
}

static int set_calibrate(struct sx_cli_options *opt, const char *value)
{
    uint64_t seconds = 5;
    const char *end = "";
    if (value && (!parse_number(value, INT_MAX, &seconds, &end) || *end || seconds == 0))
        return sx_cli_fail_set("--calibrate=%s: not a positive number of seconds", value);
    opt->calibrate = (int)seconds;
    return SX_CLI_OK;
}

static int set_seed(struct sx_cli_options *opt, const char *value)
{
    const char *end;
    if (!parse_number(value, UINT64_MAX, &opt->seed, &end) || *end)
        return sx_cli_fail_set("--seed %s: not a whole number of at most 64 bits", value);
    return SX_CLI_OK;
}

static int set_repeat(struct sx_cli_options *opt, const char *value)
{
    uint64_t outer = 0, inner = 0;
    const char *end;
    int ok = parse_number(value, INT_MAX, &outer, &end) && *end == 'x';
    ok = ok && parse_number(end + 1, INT_MAX, &inner, &end) && !*end;
    /* outer * inner is the number of executions, which is an int. */
    if (!ok || outer == 0 || inner == 0 || outer * inner > INT_MAX)
        return sx_cli_fail_set("--repeat %s: not two positive numbers such as 50x3", value);
    opt->outer = (int)outer;
    opt->inner = (int)inner;
    return SX_CLI_OK;
}

static int set_verify(struct sx_cli_options *opt, const char *value)
{
    if (!value)
        opt->verify = SX_CLI_VERIFY_AUTO;
    else if (strcmp(value, "reference") == 0)
        opt->verify = SX_CLI_VERIFY_REFERENCE;
    else if (strcmp(value, "properties") == 0)
        opt->verify = SX_CLI_VERIFY_PROPERTIES;
    else
        return sx_cli_fail_set("--verify=%s: neither reference nor properties", value);
    return SX_CLI_OK;
}

static const struct option options[] = {
    FLAG("--help", help, 1),
    FLAG("-h", help, 1),
    FLAG("--version", version, 1),
    FLAG("--explain", explain, 1),
    FLAG("--forward", direction, SUBX_FFT_FORWARD),
    FLAG("--backward", direction, SUBX_FFT_BACKWARD),
    FLAG("--csv", format, SUBX_FFT_CSV),
    FLAG("--json", format, SUBX_FFT_JSON),
    {"--input", VALUE_NEEDED, NULL, offsetof(struct sx_cli_options, input), 0},
    {"--output", VALUE_NEEDED, NULL, offsetof(struct sx_cli_options, output), 0},
    {.name = "--seed", .rule = VALUE_NEEDED, .set = set_seed},
    {.name = "--repeat", .rule = VALUE_NEEDED, .set = set_repeat},
    {.name = "--verify", .rule = VALUE_MAYBE, .set = set_verify},
    {"--predict", VALUE_NEEDED, NULL, offsetof(struct sx_cli_options, predict), 0},
    {"--machine", VALUE_NEEDED, NULL, offsetof(struct sx_cli_options, machine), 0},
    {.name = "--calibrate", .rule = VALUE_MAYBE, .set = set_calibrate},
};

/* Set a member of the options to a number. Another option must not have set it to a different number. */
static int set_flag(struct sx_cli_options *opt, const struct option *option)
{
    int *field = (void *)((char *)opt + option->field);
    const struct option *other = options;
    if (!*field || *field == option->number) {
        *field = option->number;
        return SX_CLI_OK;
    }
    while (other->field != option->field || other->number != *field)
        other++;
    return sx_cli_fail_set("%s and %s exclude each other", other->name, option->name);
}

static int same_name(const char *word, size_t len, const char *name)
{
    return strlen(name) == len && strncmp(word, name, len) == 0;
}

static const struct option *find_option(const char *word, size_t len)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (same_name(word, len, options[i].name))
            return &options[i];
    return NULL;
}

/* The option is the first `len` characters of `word`. */
static int set_hint(struct sx_cli_options *opt, const char *key, const char *word, size_t len,
                    const char *value)
{
    if (strlen(value) >= MPI_MAX_INFO_VAL)
        return sx_cli_fail_set("%.*s: its value is longer than %d characters", (int)len, word,
                               MPI_MAX_INFO_VAL - 1);
    const int code = MPI_Info_set(opt->hints, key, value);
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "%s", key);
}

static int set_problem(struct sx_cli_options *opt, const char *word)
{
    if (opt->problem)
        return sx_cli_fail_set("two problems given: %.100s and %.100s", opt->problem, word);
    opt->problem = word;
    return SX_CLI_OK;
}

/* Parse one option: word[0], and word[1] if this is the option's value. *used becomes the number of words
 * taken. */
static int parse_option(struct sx_cli_options *opt, char *word[], int nwords, int *used)
{
    const char *equals = strchr(word[0], '=');
    const char *value = equals ? equals + 1 : NULL;
    size_t len = equals ? (size_t)(equals - word[0]) : strlen(word[0]);
    const struct option *option = find_option(word[0], len);
    const char *hint = sx_cli_hint_find(word[0], len);
    enum value_rule rule = option ? option->rule : VALUE_NEEDED;

    *used = 1;
    if (!option && !hint)
        return sx_cli_fail_set("unknown option %.100s (see --help)", word[0]);
    if (rule == VALUE_NONE && value)
        return sx_cli_fail_set("option %s takes no value", option->name);
    if (rule == VALUE_NEEDED && !value && nwords > 1 && strncmp(word[1], "--", 2) != 0) {
        value = word[1];
        *used = 2;
    }
    if ((rule == VALUE_NEEDED && !value) || (value && !*value))
        return sx_cli_fail_set("option %.*s needs a value (see --help)", (int)len, word[0]);
    if (!option)
        return set_hint(opt, hint, word[0], len, value);
    if (option->set)
        return option->set(opt, value);
    if (rule == VALUE_NONE)
        return set_flag(opt, option);
    *(const char **)(void *)((char *)opt + option->field) = value;
    return SX_CLI_OK;
}

/* A problem may begin with the kind "-": -:4x4, -.f32:4x4, -,c2c:4x4. */
static int is_option(const char *word)
{
    return word[0] == '-' && word[1] != ':' && word[1] != '.' && word[1] != ',';
}

/* Check the options of a prediction, which transforms nothing. */
static int check_predict(const struct sx_cli_options *opt)
{
    if (!opt->predict || !opt->machine)
        return sx_cli_fail_set("--predict and --machine need each other");
    if (!opt->problem)
        return sx_cli_fail_set("--predict needs a problem, such as r2c:2048x2048x2048");
    if (opt->input || opt->output || opt->outer || opt->verify || opt->direction || opt->explain ||
        opt->calibrate)
        return sx_cli_fail_set(
            "--predict transforms nothing: no --input, --output, --repeat, --verify, direction, "
            "--explain or --calibrate");
    return SX_CLI_OK;
}

static int check_together(const struct sx_cli_options *opt)
{
    if (opt->help || opt->version)
        return SX_CLI_OK;
    if (opt->predict || opt->machine)
        return check_predict(opt);
    if (opt->explain && opt->format == SUBX_FFT_CSV)
        return sx_cli_fail_set("--explain and --csv exclude each other");
    if (opt->calibrate)
        return opt->problem || opt->input || opt->format != SUBX_FFT_TEXT
                   ? sx_cli_fail_set("--calibrate takes no problem, no --input and no other format")
                   : SX_CLI_OK;
    if (!opt->problem && !opt->input)
        return sx_cli_fail_set("neither a problem, such as c2c:42x127x256, nor --input given (see --help)");
    return SX_CLI_OK;
}

int sx_cli_options_parse(int argc, char *argv[], struct sx_cli_options *opt)
{
    int rc = SX_CLI_OK, used = 1;
    *opt = (struct sx_cli_options){.seed = 1, .hints = MPI_INFO_NULL};
    MPI_Info_create(&opt->hints);
    for (int i = 1; i < argc && rc == SX_CLI_OK; i += used) {
        used = 1;
        if (is_option(argv[i]))
            rc = parse_option(opt, argv + i, argc - i, &used);
        else
            rc = set_problem(opt, argv[i]);
    }
    return rc == SX_CLI_OK ? check_together(opt) : rc;
}
