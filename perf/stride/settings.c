/* settings.c - the options of subx-perf-stride. */
#include "stride/stride.h"

#include <string.h>

/* FFTW takes strides as int, and the addresses of a process are limited. */
enum { STRIDE_MAX = 1 << 28 };

static const char *const tables[SX_PERF_STRIDE_NTABLES] = {"stride", "effort"};

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
    return sx_perf_values_parse_flags(text, SX_PERF_NEFFORTS, sx_perf_efforts_query, target);
}

#define AT(member) offsetof(struct sx_perf_stride_settings, member)

static const struct sx_perf_option options[] = {
    {"--table", "T,..", "stride, effort (default: both)", parse_tables, AT(table)},
    {"--length", "N", "stride: length of a transform (default 128)", sx_perf_values_parse_count, AT(length)},
    {"--from", "S", "stride: smallest stride in elements (default 8); the next ones are doubled",
     sx_perf_values_parse_bytes, AT(from)},
    {"--to", "S", "stride: largest stride (default 2M, which is 2^21)", sx_perf_values_parse_bytes, AT(to)},
    {"--size", "BYTES", "stride: bytes that are transformed per timing (default 256M)",
     sx_perf_values_parse_bytes, AT(bytes)},
    {"--effort", "E", "stride: estimate, measure (default), patient", sx_perf_efforts_parse, AT(effort)},
    {"--shapes", "S,..",
     "effort: arrays (default 64x64x64,128x128x128; patient takes minutes for 256x256x256)",
     sx_perf_values_parse_shapes, AT(shapes)},
    {"--efforts", "E,..", "effort: among estimate, measure, patient (default: all)", parse_efforts,
     AT(efforts)},
    {NULL, NULL, NULL, NULL, 0}};

static const char purpose[] =
    "Time FFTW's serial transforms: how much longer they take if their elements lie a stride apart, and what planning\n"
    "efforts cost and gain. Complex numbers in double precision, in place; all ranks do the same at once.\n";

static const char rest[] =
    "Table stride compares transforms along the slowest axis of slabs [length][stride] with transforms of contiguous rows.\n"
    "The columns of a slab are adjacent in memory. Every timing transforms about --size bytes once: many slabs if the stride\n"
    "is small, some columns of one slab if it is large. So a cache that is smaller than --size keeps nothing from one timing\n"
    "to the next.\n"
    "\n"
    "Table effort has the time for planning and for executing a transform over all axes of an array. FFTW's wisdom is\n"
    "forgotten before each planning.\n"
    "\n"
    "Columns:\n"
    "  table            stride or effort\n"
    "  problem          the length, or the lengths\n"
    "  stride           elements\n"
    "  call             one: a plan for one transform is executed for each column; many: a plan for 256 columns at once, or\n"
    "                   as many as the stride\n"
    "  transforms       transforms per timing\n"
    "  effort           FFTW's planning effort\n"
    "  setup_s          seconds of planning on the slowest rank\n"
    "  min_s, median_s  seconds per transform, over the rounds\n"
    "  ratio            median / median with stride 1 by the same call, or median / median with the first effort\n"
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
    sx_perf_efforts_parse("measure", &settings->effort);
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
