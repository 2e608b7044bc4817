/* peak.c - what a rank's memory grows by at most between two moments, by what Linux tells of a process. */
#include "fft/fft.h"

#include <math.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* A line such as "VmHWM:   123 kB" as bytes; not a number where there is none. */
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

/* All pages, and what is to be counted instead of those that ranks share: of pages of a file or of shared
 * memory, Rss counts each in every rank that has touched it. Pss divides a page by the number of processes
 * that map it, so that the sum over ranks is the memory; pages of files are the programs themselves. */
static double get_correction(void)
{
    double shared = read_bytes("/proc/self/status", "RssShmem"),
           files = read_bytes("/proc/self/status", "RssFile");
    return read_bytes("/proc/self/smaps_rollup", "Pss_Shmem") - shared - files;
}

/* From now on the peak begins at what there is. */
static int set_back(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    int code = !file || fputs("5", file) < 0;
    return (file && fclose(file)) || code;
}

void sx_perf_fft_peak_start(struct sx_perf_fft_peak *peak)
{
#ifdef __GLIBC__
    /* What others have freed would else be used again, and not be seen. */
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
    /* Where one rank cannot say, none can: MPI_MAX leaves open what becomes of what is not a number. */
    most = isnan(most) ? HUGE_VAL : fmax(most, 0);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}
