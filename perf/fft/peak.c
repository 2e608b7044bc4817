/* peak.c - how much a rank's memory grows between two moments at most, as Linux reports it. */
#include "fft/fft.h"

#include <math.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Read a line such as "VmHWM:   123 kB" as bytes; NaN if there is none. */
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

/* A correction of Rss for shared pages. Rss counts a page of shared memory in every rank that has touched
 * it. Pss divides the page by the number of processes that map it, so that the sum over the ranks is the
 * memory in use. Pages of files do not count: they are the programs themselves. */
static double get_correction(void)
{
    double shared = read_bytes("/proc/self/status", "RssShmem"),
           files = read_bytes("/proc/self/status", "RssFile");
    return read_bytes("/proc/self/smaps_rollup", "Pss_Shmem") - shared - files;
}

/* Reset the peak to the present size. */
static int set_back(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    int code = !file || fputs("5", file) < 0;
    return (file && fclose(file)) || code;
}

void sx_perf_fft_peak_start(struct sx_perf_fft_peak *peak)
{
#ifdef __GLIBC__
    /* Memory that other libraries have freed would be used again without being noticed. */
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
    /* If one rank does not know, none does. The result of MPI_MAX is not defined for NaNs. */
    most = isnan(most) ? HUGE_VAL : fmax(most, 0);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}
