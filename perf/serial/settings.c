/* settings.c - the options of subx-perf-serial. */
#include "serial/pencils.h"

#include <string.h>

/* In the order of the library's constants. */
const char *const sx_perf_serial_kinds[SX_PERF_SERIAL_NKINDS + 1] = {"c2c",  "r2c",  "c2r",  "dct1", "dct2",
                                                                     "dct3", "dct4", "dst1", "dst2", "dst3",
                                                                     "dst4", "dht",  "r2hc", "hc2r"};
const char *const sx_perf_serial_precisions[SX_PERF_SERIAL_NPRECISIONS + 1] = {"float", "double"};
const char *const sx_perf_serial_layouts[SX_PERF_SERIAL_NLAYOUTS + 1] = {"interleaved", "contiguous"};
const char *const sx_perf_serial_places[SX_PERF_SERIAL_NPLACES + 1] = {"in", "out"};

static int parse_caches(const char *text, void *target)
{
    static const ptrdiff_t levels[] = {24 << 10, 256 << 10};
    struct sx_perf_serial_caches *caches = target;
    struct sx_perf_names names;
    if (sx_perf_values_parse_names(text, &names))
        return 1;
    if (names.n > SX_PERF_SERIAL_NCACHES)
        return sx_perf_options_refuse("more than %d sizes", SX_PERF_SERIAL_NCACHES);
    caches->n = names.n;
    for (int i = 0; i < names.n; i++) {
        if (sx_perf_values_parse_bytes(names.name[i], &caches->bytes[i]))
            return 1;
        if (caches->bytes[i] <= 2)
            caches->bytes[i] = levels[caches->bytes[i] - 1];
    }
    return 0;
}

static int parse_file(const char *text, void *target)
{
    struct sx_perf_serial_files *files = target;
    const size_t len = strcspn(text, "=");
    if (len == 0 || len > 32 || !text[len] || !text[len + 1] || strpbrk(text, ",\"\n"))
        return sx_perf_options_refuse("not of the form NAME=FILE");
    if (files->n == SX_PERF_SERIAL_NFILES)
        return sx_perf_options_refuse("more than %d files", SX_PERF_SERIAL_NFILES);
    snprintf(files->name[files->n], SX_PERF_TEXT_MAX, "%.*s", (int)len, text);
    return sx_perf_values_parse_text(text + len + 1, files->path[files->n++]);
}

/* --------------------------------------------------------------------------------- options */

#define AT(member) offsetof(struct sx_perf_serial_settings, member)

static const struct sx_perf_option options[] = {
    {"--lengths", "N,..", "32-512:7smooth",
     "numbers and ranges, such as 64,2-512,32-512:7smooth,2-10007:prime", sx_perf_serial_lengths_parse, NULL,
     AT(lengths)},
    {"--kinds", "K,..", "c2c", "", NULL, sx_perf_serial_kinds, AT(kinds)},
    {"--precision", "P,..", "double", "", NULL, sx_perf_serial_precisions, AT(precisions)},
    {"--layouts", "L,..", "all", "see below", NULL, sx_perf_serial_layouts, AT(layouts)},
    {"--places", "P,..", "all", "in place, c2c only; out of place", NULL, sx_perf_serial_places, AT(places)},
    {"--caches", "C,..", "2", "bytes of a tile such as 64K; 1 is 24K, 2 is 256K", parse_caches, NULL,
     AT(caches)},
    {"--backends", "B,..", NULL, "of fft/serial; all; none (default: all but naive)",
     sx_perf_values_parse_names, NULL, AT(backends)},
    {"--fftw", "NAME=FILE", NULL,
     "another FFTW, a shared library; may be repeated, with one name for two precisions", parse_file, NULL,
     AT(files)},
    {"--reference", "NAME", NULL,
     "the candidate that ratios refer to (default: the first --fftw, or else fftw3)",
     sx_perf_values_parse_text, NULL, AT(reference)},
    {"--time", "US", "1000", "microseconds of a timing", sx_perf_values_parse_count, NULL, AT(microseconds)},
    {"--accuracy", NULL, NULL, "print errors only, and time nothing", NULL, NULL, AT(accuracy)},
    {.name = NULL}};

static const char purpose[] =
    "Time one-dimensional transforms of the pencils of a tile that stays in a cache, on one process or several, by every\n"
    "serial backend of the library and by other FFTWs.\n";

static const char rest[] =
    "Candidates:\n"
    "  the serial backends of the library; fftw3 is the FFTW that the library is linked with\n"
    "  --fftw  libraries with FFTW's interface: an FFTW built by perf/serial/build_fftw.sh, or MKL's libmkl_rt.so, which\n"
    "          is told to use no threads; for c2c, r2c and c2r only\n"
    "subx-perf-serial-scipy adds rows of SciPy's transforms and of ducc0's.\n"
    "\n"
    "A tile has as many pencils as the bytes have room for on one side, at least one, and whole groups of 8 (16 in float)\n"
    "if there is room for one group. Interleaved: element j of pencil p is at j*row + p. Contiguous: it is at p*row + j.\n"
    "Rows take an odd number of cache lines, as in the library's passes. Transforms are forward, but for c2r.\n"
    "\n"
    "Each transform is checked against one in long double, and left out if it is wrong on any rank. Then all are timed\n"
    "alternately. In a timing a tile of zeros is transformed again and again. gflops and ratio_min are of the least times,\n"
    "since data in a cache is delayed by nothing but other programs.\n"
    "\n"
    "Columns:\n"
    "  kind, precision, n, layout, place\n"
    "  tile_bytes       as in --caches\n"
    "  pencils          per tile\n"
    "  candidate        as above\n"
    "  error_eps        L2 norm of the error / L2 norm of the transform of random data, in epsilons of the precision\n"
    "  min_s, median_s  seconds per tile, over the rounds (not in the table for people)\n"
    "  ns_pencil        nanoseconds per pencil, the least\n"
    "  gflops           5 n log2(n) operations per pencil, half of it but for c2c, per nanosecond\n"
    "  ratio_min        least time / least time of the reference\n"
    "  ratio_median     median / median of the reference\n"
    "With --accuracy the columns end with error_eps.\n"
    "\n"
    "Example:\n"
    "  subx-perf-serial --lengths 32-512:7smooth --repeat 20 --csv serial.csv && subx-perf-plot serial.csv\n";

const struct sx_perf_program sx_perf_serial_program = {"subx-perf-serial", purpose, rest, "9",
                                                       "--effort",         options};
