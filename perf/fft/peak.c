/* peak.c - the largest growth of a rank's memory between two moments, as reported by Linux. */
#include "fft/fft.h"

#include <math.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Read a line such as "VmHWM:   123 kB" as bytes; NaN if there is no such line. */
static double read_bytes(const char *path, const char *key)
{
    char line[SX_PERF_TEXT_MAX];
    double kib = NAN;
    FILE *file = fopen(path, "r");
    while (file && isnan(kib) && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) != 0 || sscanf(line + strlen(key), ": %lf", &kib) != 1)
            kib = NAN;
    if (file)
        fclose(file);
    return 1024 * kib;
}

/* Get the correction of Rss, the resident memory of a process, in bytes (negative). Rss counts a page of
 * shared memory in every process that has touched the page. Pss divides the page by the number of
 * processes that map it, so that the sum over all ranks is the memory in use. Pages of files are not
 * counted: they are the programs themselves. */
static double get_correction(void)
{
    double shared = read_bytes("/proc/self/status", "RssShmem"),
           files = read_bytes("/proc/self/status", "RssFile");
    return read_bytes("/proc/self/smaps_rollup", "Pss_Shmem") - shared - files;
}

/* Reset the peak to the current value. */
static int set_back(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    int code = !file || fputs("5", file) < 0;
    return (file && fclose(file)) || code;
}

void sx_perf_fft_peak_start(struct sx_perf_fft_peak *peak)
{
#ifdef __GLIBC__
    /* Give freed memory back to the system. Otherwise a library that uses it again would seem to need no
     * memory. */
    malloc_trim(0);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    peak->before = set_back() ? NAN : read_bytes("/proc/self/status", "VmRSS") + get_correction();
    MPI_Barrier(MPI_COMM_WORLD);
}

double sx_perf_fft_peak_query(const struct sx_perf_fft_peak *peak)
{
    double most;
    MPI_Barrier(MPI_COMM_WORLD);
    most = read_bytes("/proc/self/status", "VmHWM") + get_correction() - peak->before;
    /* If the value is unknown on one rank, it is unknown on all. MPI_MAX is not defined for NaN. */
    most = isnan(most) ? HUGE_VAL : fmax(most, 0);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}
