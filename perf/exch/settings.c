/* settings.c - the options of subx-perf-exch. */
#include "exch/exch.h"

const char *const sx_perf_exch_kinds[SX_PERF_EXCH_NKINDS + 1] = {"contiguous", "plain", "transposing"};

#define AT(member) offsetof(struct sx_perf_exch_settings, member)

static const struct sx_perf_option options[] = {
    {"--data", "K,..", "all", "see below", NULL, sx_perf_exch_kinds, AT(kind)},
    {"--from", "BYTES", "64", "smallest block, from one rank to one rank", sx_perf_values_parse_bytes, NULL,
     AT(least)},
    {"--to", "BYTES", "4M", "largest block", sx_perf_values_parse_bytes, NULL, AT(most)},
    {"--factor", "N", "4", "factor from one size to the next", sx_perf_values_parse_count, NULL, AT(factor)},
    {.name = NULL}};

static const char purpose[] =
    "Time exchanges of blocks of one size between all ranks, by every engine, over a range of sizes.\n";

static const char rest[] =
    "Data:\n"
    "  contiguous   the bytes of a block are contiguous in both arrays\n"
    "  plain        the blocks of a realignment of a 3-D array of complex numbers from axis 0 to axis 2, in C order\n"
    "  transposing  the same, and the storage order is reversed\n"
    "\n"
    "Each exchange is verified. Then all are timed alternately, together with MPI_Alltoall of contiguous blocks of the same\n"
    "size, and with a memcpy of the bytes that a rank receives, on all ranks at once. A timing begins with a barrier and\n"
    "ends with the slowest rank. An exchange that takes less than 100 microseconds is executed several times per timing.\n"
    "\n"
    "Columns:\n"
    "  mpi, ranks, data\n"
    "  block_bytes      bytes that one rank sends to one rank\n"
    "  engine           an engine of the library, or a reference\n"
    "  min_s, median_s  seconds per execution, over the rounds\n"
    "  gbps             bytes that a rank receives, from itself too, per second of the median, 10^9/s\n"
    "  ratio_alltoall   median / median of MPI_Alltoall in the same rounds\n"
    "  ratio_memcpy     median / median of memcpy in the same rounds\n"
    "\n"
    "Example:\n"
    "  mpirun -n 4 subx-perf-exch --memory shared --csv exch.csv && subx-perf-plot exch.csv\n";

const struct sx_perf_program sx_perf_exch_program = {"subx-perf-exch", purpose, rest, "15",
                                                     "--engines",      options};

void sx_perf_exch_settings_import(const struct sx_perf_exch_settings *settings)
{
    if (settings->least > settings->most)
        sx_perf_program_exit(MPI_SUCCESS, "--from %td: more than --to %td", settings->least, settings->most);
    if (settings->most > 1 << 30)
        sx_perf_program_exit(MPI_SUCCESS, "--to %td: more than 1G", settings->most);
    if (settings->least % SX_PERF_EXCH_ELEMENT)
        sx_perf_program_exit(MPI_SUCCESS, "--from %td: not a multiple of %d, the size of an element",
                             settings->least, SX_PERF_EXCH_ELEMENT);
    if (settings->factor < 2)
        sx_perf_program_exit(MPI_SUCCESS, "--factor %d: less than 2", settings->factor);
}
