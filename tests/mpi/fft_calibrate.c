/* fft_calibrate.c - a calibration gives all ranks the same positive parameters of the machine, and puts the
 * parameters into wisdom.
 * ranks: 1 2 4 (each rank measures for a while) */
#include "common/hints.h"
#include "common/locale.h"
#include "common/verdict.h"
#include "common/wisdom.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

enum { ROOM = 1024, NPARAMETERS = 10 };
static const double seconds = 0.05;

static MPI_Info make_hints(const char *wisdom, const char *node_ranks)
{
    MPI_Info hints = test_hints("wisdom=%s", wisdom);
    if (node_ranks)
        test_hint_set(hints, "node_ranks", node_ranks);
    return hints;
}

/* Calibrate. The last rank has a locale with a decimal comma, which must not matter. */
static int calibrate(const char *wisdom, const char *node_ranks, double how_long, size_t len, char *text)
{
    MPI_Info hints = make_hints(wisdom, node_ranks);
    if (test_is_last())
        (void)test_locale_use(1);
    int rc = subx_fft_machine_calibrate(MPI_COMM_WORLD, hints, how_long, len, text);
    (void)test_locale_use(0);
    MPI_Info_free(&hints);
    return rc;
}

/* ---- the parameters */

/* Check a text such as "flops 1.2e+10, memory 9e+09, ..". */
static void check_values(const char *text)
{
    int n = 0;
    for (const char *at = text; at && *at; n++) {
        char name[32] = "";
        double value = NAN;
        EXPECT_EQUAL(sscanf(at, "%31[a-z_] %lf", name, &value), 2);
        test_context("%s is %g", name, value);
        EXPECT(value > 0 && isfinite(value));
        at = strchr(at, ',');
        at = at ? at + 2 : NULL;
    }
    test_context("%s", text);
    EXPECT_EQUAL(n, NPARAMETERS);
    uint64_t hash = 14695981039346656037U;
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    EXPECT_SAME(hash >> 1);
}

static double get_value(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtod(at + strlen(name), NULL) : NAN;
}

/* The parameters must lie within limits that are wide enough for any machine of today, even while other
 * programs run. */
static void check_magnitudes(const char *text)
{
    const double flops = get_value(text, "flops "), memory = get_value(text, "memory ");
    const double cache = get_value(text, "cache "), bytes = get_value(text, "cache_bytes ");
    EXPECT(flops > 1e6 && flops < 1e13);
    EXPECT(memory > 1e7 && memory < 1e12);
    EXPECT(cache > 1e7 && cache < 1e13);
    EXPECT(bytes >= 65536 && bytes < 1e9);
    EXPECT(get_value(text, "stage ") < 1);
}

/* ---- wisdom */

/* The file must have `expected` entries of kind machine, and exactly one line with `value`. */
static void check_file(int expected, const char *value)
{
    char text[TEST_WISDOM];
    int n = 0, found = 0;
    test_wisdom_read(text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        n += strstr(line, "\tmachine\t") != NULL;
        found += strstr(line, value) != NULL;
    }
    EXPECT_EQUAL(n, expected);
    EXPECT_EQUAL(found, 1);
}

static void check_wisdom(void)
{
    char text[ROOM] = "", nodes[ROOM] = "";
    EXPECT_OK(calibrate(test_wisdom_path, NULL, seconds, sizeof text, text));
    check_values(text);
    check_magnitudes(text);
    check_file(1, text);
    /* Pretend nodes of two ranks. The key of an entry contains the mean number of ranks per node. On more
     * than two ranks this number changes, so the file gets a second entry. On one or two ranks it stays the
     * same, so the entry is replaced. */
    EXPECT_OK(calibrate(test_wisdom_path, "2", seconds, sizeof nodes, nodes));
    check_values(nodes);
    check_file(test_nranks > 2 ? 2 : 1, nodes);
}

/* ---- errors, and calls that are no errors */

static void check_errors(void)
{
    char text[ROOM];
    const double other = test_rank == 0 ? 1 : 2;
    test_context("errors");
    EXPECT_KIND(subx_fft_machine_calibrate(MPI_COMM_NULL, MPI_INFO_NULL, 1, 0, NULL), SUBX_ERR_COMM);
    EXPECT_KIND(calibrate("none", NULL, 0, sizeof text, text), SUBX_ERR_ARG);
    EXPECT_KIND(calibrate("none", NULL, -1, sizeof text, text), SUBX_ERR_ARG);
    EXPECT_KIND(calibrate("none", NULL, NAN, sizeof text, text), SUBX_ERR_ARG);
    EXPECT_KIND(calibrate("none", NULL, INFINITY, sizeof text, text), SUBX_ERR_ARG);
    EXPECT_KIND(calibrate("none", NULL, other - 1, sizeof text, text), SUBX_ERR_ARG);
    EXPECT_KIND(calibrate("none", NULL, 1, sizeof text, test_rank ? text : NULL), SUBX_ERR_ARG);
    EXPECT_KIND(calibrate("none", "-3", 1, sizeof text, text), SUBX_ERR_HINT);
    if (test_nranks > 1)
        EXPECT_KIND(calibrate("none", NULL, other, sizeof text, text), SUBX_ERR_DIFFERS);
}

/* The text must be right even if the file cannot be written. If the buffer is short, the text is cut. */
static void check_places(void)
{
    char text[ROOM] = "", cut[8] = "";
    test_context("files");
    EXPECT_KIND(calibrate("/dev/null/wisdom", NULL, seconds, sizeof text, text), SUBX_ERR_FILE);
    check_values(text);
    EXPECT_OK(calibrate("none", "1", seconds, sizeof cut, cut));
    EXPECT(strncmp(cut, "flops ", 6) == 0 && strlen(cut) == sizeof cut - 1);
}

int main(int argc, char *argv[])
{
    test_begin(&argc, &argv);
    test_wisdom_begin();
    check_wisdom();
    check_errors();
    check_places();
    test_wisdom_end();
    return test_end();
}
