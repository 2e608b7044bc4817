/* report.c - count the calls that this library executes or passes to MPI, and write the counts in
 * MPI_Finalize if SUBX_PMPI_REPORT is set.
 *
 * This library prints nothing else. With the value "0" there is no report. With "1", rank 0 of MPI_COMM_WORLD
 * writes its counts to stderr. Any other value is the beginning of a file name: rank r writes its counts to
 * <value>.r. */
#include "pmpi/pmpi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct line {
    const char *function; /* a string constant; equal names may have several addresses */
    long taken, passed;
    ptrdiff_t bytes;
} line;

/* A line counts the calls with one name, such as "MPI_Alltoall, shared"; there are fewer names than LINES. */
enum { LINES = 128 };
static line lines[LINES];
static int nlines, is_on;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((constructor)) void start(void)
{
    const char *value = getenv("SUBX_PMPI_REPORT");
    is_on = value && value[0] && strcmp(value, "0") != 0;
}

static void add(const char *function, int taken, ptrdiff_t bytes)
{
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < nlines && strcmp(lines[i].function, function) != 0)
        i++;
    if (i == nlines && nlines < LINES)
        lines[nlines++].function = function;
    if (i < LINES) {
        lines[i].taken += taken;
        lines[i].passed += !taken;
        lines[i].bytes += bytes;
    }
    pthread_mutex_unlock(&lock);
}

void sx_pmpi_report_taken(const char *function, ptrdiff_t bytes)
{
    if (is_on)
        add(function, 1, bytes);
}

void sx_pmpi_report_passed(const char *function)
{
    if (is_on)
        add(function, 0, 0);
}

static void print(FILE *file, int rank)
{
    fprintf(file, "libsubx_pmpi on rank %d: calls with strided datatypes\n", rank);
    fprintf(file, "  %-28s %12s %12s %16s\n", "function", "taken over", "passed on", "bytes taken over");
    for (int i = 0; i < nlines; i++)
        fprintf(file, "  %-28s %12ld %12ld %16td\n", lines[i].function, lines[i].taken, lines[i].passed,
                lines[i].bytes);
    if (nlines == 0)
        fprintf(file, "  none\n");
}

void sx_pmpi_report_print(void)
{
    const char *value = getenv("SUBX_PMPI_REPORT");
    int rank;
    char name[4096];
    if (!is_on || PMPI_Comm_rank(MPI_COMM_WORLD, &rank))
        return;
    if (strcmp(value, "1") == 0) {
        if (rank == 0)
            print(stderr, rank);
        return;
    }
    int length = snprintf(name, sizeof name, "%s.%d", value, rank);
    FILE *file = length < (int)sizeof name ? fopen(name, "w") : NULL;
    if (!file)
        return;
    print(file, rank);
    fclose(file);
}
