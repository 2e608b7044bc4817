/* settings.c - the options of subx-perf-stride serial. */
#include "serial/pencils.h"

#include <limits.h>
#include <string.h>

/* In the order of the library's constants. */
const char *const sx_perf_serial_kinds[SX_PERF_SERIAL_NKINDS + 1] = {"c2c",  "r2c",  "c2r",  "dct1", "dct2",
                                                                     "dct3", "dct4", "dst1", "dst2", "dst3",
                                                                     "dst4", "dht",  "r2hc", "hc2r"};
const char *const sx_perf_serial_precisions[SX_PERF_SERIAL_NPRECISIONS + 1] = {"float", "double"};
const char *const sx_perf_serial_layouts[SX_PERF_SERIAL_NLAYOUTS + 1] = {"interleaved", "contiguous"};
const char *const sx_perf_serial_places[SX_PERF_SERIAL_NPLACES + 1] = {"in", "out"};

static long get_largest_factor(long n)
{
    long largest = 1;
    for (long p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p)
            largest = p;
    return n > 1 ? n : largest;
}

/* Add the lengths of a number or a range, such as 64, 2-512, 32-512:7smooth (no larger prime factor) or
 * 2-10007:prime. */
static int add_range(const char *text, struct sx_perf_serial_settings *settings)
{
    long from = 0, to, factor = LONG_MAX;
    int used = 0, is_prime = 0;
    if (sscanf(text, "%9ld%n", &from, &used) != 1)
        return 1;
    text += used;
    to = from;
    if (sscanf(text, "-%9ld%n", &to, &used) == 1)
        text += used;
    if (strcmp(text, ":prime") == 0)
        is_prime = 1;
    else if (*text && (sscanf(text, ":%9ldsmooth%n", &factor, &used) != 1 || text[used]))
        return 1;
    for (long n = from; n <= to; n++) {
        const long largest = get_largest_factor(n);
        if (is_prime ? n == 1 || largest != n : largest > factor)
            continue;
        if (settings->nlengths == SX_PERF_SERIAL_NLENGTHS)
            return 1;
        settings->lengths[settings->nlengths++] = (int)n;
    }
    return from < 1 || to > 1 << 26;
}

static int parse_lengths(const char *text, void *target)
{
    struct sx_perf_serial_settings *settings = target;
    struct sx_perf_names names;
    int is_wrong = sx_perf_values_parse_names(text, &names);
    settings->nlengths = 0;
    for (int i = 0; i < names.n && !is_wrong; i++)
        is_wrong = add_range(names.name[i], settings);
    if (is_wrong || settings->nlengths == 0)
        return sx_perf_options_refuse("not 1 to %d lengths such as 64,2-512,32-512:7smooth,2-10007:prime",
                                      SX_PERF_SERIAL_NLENGTHS);
    return 0;
}

static int parse_caches(const char *text, void *target)
{
    static const ptrdiff_t levels[] = {24 << 10, 256 << 10};
    struct sx_perf_serial_settings *settings = target;
    struct sx_perf_names names;
    if (sx_perf_values_parse_names(text, &names))
        return 1;
    if (names.n > SX_PERF_SERIAL_NCACHES)
        return sx_perf_options_refuse("more than %d sizes", SX_PERF_SERIAL_NCACHES);
    settings->ncaches = names.n;
    for (int i = 0; i < names.n; i++) {
        if (sx_perf_values_parse_bytes(names.name[i], &settings->caches[i]))
            return 1;
        if (settings->caches[i] <= 2)
            settings->caches[i] = levels[settings->caches[i] - 1];
    }
    return 0;
}

/* --------------------------------------------------------------------------------- options */

#define AT(member) offsetof(struct sx_perf_serial_settings, member)

static const struct sx_perf_option options[] = {
    {"--lengths", "N,..", "32-512:7smooth",
     "numbers and ranges, such as 64,2-512,32-512:7smooth,2-10007:prime", parse_lengths, NULL, 0},
    {"--kinds", "K,..", "c2c", "", NULL, sx_perf_serial_kinds, AT(kinds)},
    {"--precision", "P,..", "double", "", NULL, sx_perf_serial_precisions, AT(precisions)},
    {"--layouts", "L,..", "all", "see below", NULL, sx_perf_serial_layouts, AT(layouts)},
    {"--places", "P,..", "all", "in place, c2c only; out of place", NULL, sx_perf_serial_places, AT(places)},
    {"--caches", "C,..", "2", "bytes of a tile such as 64K; 1 is 24K, 2 is 256K", parse_caches, NULL, 0},
    {"--backends", "B,..", NULL, "of fft/serial; all (default: all but naive)", sx_perf_values_parse_names,
     NULL, AT(backends)},
    {"--time", "US", "1000", "microseconds of a timing", sx_perf_values_parse_count, NULL, AT(microseconds)},
    {"--accuracy", NULL, NULL, "print errors only, and time nothing", NULL, NULL, AT(accuracy)},
    {.name = NULL}};

static const char purpose[] =
    "Time one-dimensional transforms of the pencils of a tile that stays in a cache, by every serial backend of the library.\n"
    "fftw3 is the FFTW that the library is linked with; LD_LIBRARY_PATH chooses another one.\n";

static const char rest[] =
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
    "  candidate        a backend\n"
    "  error_eps        L2 norm of the error / L2 norm of the transform of random data, in epsilons of the precision\n"
    "  min_s, median_s  seconds per tile, over the rounds (not in the table for people)\n"
    "  ns_pencil        nanoseconds per pencil, the least\n"
    "  gflops           5 n log2(n) operations per pencil, half of it but for c2c, per nanosecond\n"
    "  ratio_min        least time / least time of the reference: fftw3, or else the first backend\n"
    "  ratio_median     median / median of the reference\n"
    "With --accuracy the columns end with error_eps.\n"
    "\n"
    "Example:\n"
    "  subx-perf-stride serial --lengths 32-512:7smooth --repeat 20 --csv serial.csv && subx-perf-plot serial.csv\n";

const struct sx_perf_program sx_perf_serial_program = {
    "subx-perf-stride serial", purpose, rest, "9", "--effort", options};
