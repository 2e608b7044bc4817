/* settings.c - the options of subx-perf-stride. */
#include "stride/stride.h"

/* FFTW takes strides as int, and the addresses of a process are limited. */
enum { STRIDE_MAX = 1 << 28 };

static const char *const tables[SX_PERF_STRIDE_NTABLES + 1] = {"stride", "effort"};

#define AT(member) offsetof(struct sx_perf_stride_settings, member)

static const struct sx_perf_option options[] = {
    {"--table", "T,..", "all", "see below", NULL, tables, AT(table)},
    {"--length", "N", "128", "stride: length of a transform", sx_perf_values_parse_count, NULL, AT(length)},
    {"--from", "S", "8", "stride: smallest stride in elements; the next ones are doubled",
     sx_perf_values_parse_bytes, NULL, AT(from)},
    {"--to", "S", "2M", "stride: largest stride; 2M is 2^21", sx_perf_values_parse_bytes, NULL, AT(to)},
    {"--size", "BYTES", "256M", "stride: bytes that are transformed per timing", sx_perf_values_parse_bytes,
     NULL, AT(bytes)},
    {"--shapes", "S,..", "64x64x64,128x128x128", "effort: arrays; patient takes minutes for 256x256x256",
     sx_perf_values_parse_shapes, NULL, AT(shapes)},
    {"--efforts", "E,..", "all", "of table effort", NULL, sx_perf_options_efforts, AT(efforts)},
    {.name = NULL}};

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
    "--effort is for table stride. The options --memory and --hint have no effect.\n"
    "\n"
    "subx-perf-stride serial times the library's serial transforms in caches: see subx-perf-stride serial --help.\n"
    "\n"
    "Example:\n"
    "  subx-perf-stride --csv stride.csv && subx-perf-plot stride.csv\n";

const struct sx_perf_program sx_perf_stride_program = {"subx-perf-stride", purpose, rest, "7",
                                                       "--effort",         options};

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
