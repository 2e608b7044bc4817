/* settings.c - the options of subx-perf-stride. */
#include "stride/stride.h"

#include <string.h>

/* FFTW takes strides as int, and the processor's addresses end somewhere. */
enum { STRIDE_MAX = 1 << 28 };

static const struct {
    const char *name;
    unsigned flag;
} efforts[SX_PERF_STRIDE_NEFFORTS] = {
    {"estimate", FFTW_ESTIMATE}, {"measure", FFTW_MEASURE}, {"patient", FFTW_PATIENT}};

static const char *const tables[SX_PERF_STRIDE_NTABLES] = {"stride", "effort"};

const char *sx_perf_stride_settings_query_effort(int effort)
{
    return efforts[effort].name;
}

unsigned sx_perf_stride_settings_get_flag(int effort)
{
    return efforts[effort].flag;
}

static const char *query_table(int i)
{
    return tables[i];
}

static int parse_tables(const char *text, void *target)
{
    return sx_perf_values_parse_flags(text, SX_PERF_STRIDE_NTABLES, query_table, target);
}

static int parse_efforts(const char *text, void *target)
{
    return sx_perf_values_parse_flags(text, SX_PERF_STRIDE_NEFFORTS, sx_perf_stride_settings_query_effort,
                                      target);
}

static int parse_effort(const char *text, void *target)
{
    return sx_perf_values_parse_name(text, SX_PERF_STRIDE_NEFFORTS, sx_perf_stride_settings_query_effort,
                                     target);
}

#define AT(member) offsetof(struct sx_perf_stride_settings, member)

static const struct sx_perf_option options[] = {
    {"--table", "T,..", "stride, effort (default: both)", parse_tables, AT(table)},
    {"--length", "N", "stride: length of a transform (default 128)", sx_perf_values_parse_count, AT(length)},
    {"--from", "S", "stride: the smallest stride, elements (default 8); each is twice the one before",
     sx_perf_values_parse_bytes, AT(from)},
    {"--to", "S", "stride: the largest (default 2M, which is 2^21)", sx_perf_values_parse_bytes, AT(to)},
    {"--size", "BYTES", "stride: bytes that are transformed in one timing (default 256M)",
     sx_perf_values_parse_bytes, AT(bytes)},
    {"--effort", "E", "stride: estimate, measure (default), patient", parse_effort, AT(effort)},
    {"--shapes", "S,..",
     "effort: arrays (default 64x64x64,128x128x128; patient takes minutes for 256x256x256)",
     sx_perf_values_parse_shapes, AT(shapes)},
    {"--efforts", "E,..", "effort: among estimate, measure, patient (default: all)", parse_efforts,
     AT(efforts)},
    {NULL, NULL, NULL, NULL, 0}};

static const char purpose[] =
    "Time FFTW's serial transforms: how much longer they take when they stride through memory, and what its\n"
    "planning efforts cost and gain. Complex numbers in double precision, in place; all ranks do the same at once.\n";

static const char rest[] =
    "Table stride: transforms of one length along the slowest axis of slabs [length][stride], whose columns are\n"
    "neighbours in memory, against transforms of contiguous rows. Every timing transforms about --size bytes once,\n"
    "whatever the stride: many slabs if they are small, some columns of one if it is large, of which only what is\n"
    "transformed is touched; so nothing stays in a cache from one timing to the next that is smaller than --size.\n"
    "Column `call`: one, a plan for one transform is executed for column after column; many, a plan for 256\n"
    "neighbours at once (or as many as the stride). Ratio: to stride 1 by the same call in the same rounds.\n"
    "\n"
    "Table effort: set-up and execution time of a transform over all axes of an array, wisdom forgotten before\n"
    "each set-up. Ratio: to the first effort.\n"
    "\n"
    "Columns: table, problem (lengths), stride (elements), call, transforms (in one timing), effort, setup_s\n"
    "(seconds of planning, the slowest rank), min_s, median_s (seconds of one transform, over the rounds), ratio.\n"
    "The options --memory and --hint have no effect.\n"
    "\n"
    "Example:\n"
    "  subx-perf-stride --csv stride.csv && subx-perf-plot stride.csv\n";

const struct sx_perf_program sx_perf_stride_program = {"subx-perf-stride", purpose, rest, options};

void sx_perf_stride_settings_set_defaults(struct sx_perf_stride_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->common.repeat = 7;
    settings->length = 128;
    settings->from = 8;
    settings->to = 1 << 21;
    settings->bytes = 256 << 20;
    parse_effort("measure", &settings->effort);
    parse_efforts("estimate,measure,patient", settings->efforts);
    parse_tables("stride,effort", settings->table);
    sx_perf_values_parse_shapes("64x64x64,128x128x128", &settings->shapes);
}

void sx_perf_stride_settings_import(const struct sx_perf_stride_settings *settings)
{
    if (settings->from < 2 || settings->from > settings->to)
        sx_perf_program_exit(MPI_SUCCESS, "--from %td: less than 2 or more than --to %td", settings->from,
                             settings->to);
    if (settings->bytes < 16 * (ptrdiff_t)settings->length)
        sx_perf_program_exit(MPI_SUCCESS, "--size %td: no room for one transform", settings->bytes);
    if (settings->to > STRIDE_MAX)
        sx_perf_program_exit(MPI_SUCCESS, "--to %td: more than %d", settings->to, STRIDE_MAX);
}
