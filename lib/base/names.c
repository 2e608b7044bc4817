/* names.c - the names of all hints, of all words of the hint subx_tune, and of all environment variables of
 * ours, and the right name for a misspelt one.
 *
 * One MPI_Info may be given to objects of different kinds, and all objects have the same environment. So each
 * object accepts the names that any other object knows. */
#include "base/base.h"
#include <string.h>

/* "grid" is the hint subx_grid, and the environment variable SUBX_GRID. */
static const char *const names[] = {
    /* plans and exchanges */
    "grid", "ranks", "engine", "output_order", "sequence", "scaling", "input_array", "effort", "wisdom",
    "threads", "memory", "memory_kind", "wire", "time_limit", "keep", "verbose", "tune",
    /* exchanges that libraries create; files */
    "work", "format", "dataset", "offset", "append", "bytes",
    /* variables of libsubx_fftw3mpi and libsubx_pmpi */
    "fftw3mpi_keep", "fftw3mpi_report", "fftw3mpi_stock", "pmpi_all", "pmpi_report", "pmpi_rule"};

/* The words of the hint subx_tune. */
static const char *const words[] = {"strategy", "overlap",        "slices",       "window", "radix",
                                    "between",  "node_ranks",     "reorder",      "width",  "pencils",
                                    "cache",    "progress",       "serial",       "rigor",  "permute",
                                    "check",    "device_carrier", "device_reader"};

/* Names that are accepted, and never proposed. */
static const char *const others[] = {
    /* what objects tell about themselves: a caller may give these texts back as hints */
    "device", "device_carriers", "device_why", "dropped", "huge_pages", "lost", "sharing",
    /* variables that name folders and programs, for Python and for builds and tests of the library */
    "dir", "home", "prefix", "root", "libdir", "configure", "build", "fft", "python", "srun", "test_hosts",
    "test_seed", "mpi4py_fft", "mpich_build", "mpich_source", "p3dfft2",
    /* variables of jobs in perf/slurm */
    "out", "problems", "shape", "block", "size"};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
enum { NAME = 64, FEWEST = 3 };

static int is_in(const char *const list[], size_t n, const char *name)
{
    while (n > 0 && strcmp(name, list[n - 1]) != 0)
        n--;
    return n > 0;
}

int sx_base_is_name(const char *name)
{
    return is_in(names, COUNT(names), name) || is_in(others, COUNT(others), name);
}

int sx_base_is_tune(const char *name)
{
    return is_in(words, COUNT(words), name);
}

static int get_least(int a, int b)
{
    return a < b ? a : b;
}

/* Count the edits that make a name the beginning of another one: letters that are replaced, inserted,
 * left out, or swapped with the next one (optimal string alignment). Add a small amount for each letter that
 * follows this beginning. */
static int count_edits(const char *name, const char *right)
{
    const int n = sx_base_fit((ptrdiff_t)strlen(name)), m = sx_base_fit((ptrdiff_t)strlen(right));
    int edits[3][NAME + 1], least = NAME * NAME;
    for (int i = 0; i <= n; i++) {
        int *row = edits[i % 3], *before = edits[(i + 2) % 3];
        for (int j = 0; j <= m; j++) {
            row[j] = i == 0 ? j : before[j] + 1;
            if (i > 0 && j > 0)
                row[j] = get_least(get_least(row[j], row[j - 1] + 1),
                                   before[j - 1] + (name[i - 1] != right[j - 1]));
            if (i > 1 && j > 1 && name[i - 1] == right[j - 2] && name[i - 2] == right[j - 1])
                row[j] = get_least(row[j], edits[(i + 1) % 3][j - 2] + 1);
        }
    }
    for (int j = 0; j <= m; j++)
        least = get_least(least, NAME * edits[n % 3][j] + m - j);
    return least;
}

const char *sx_base_find_name(const char *name)
{
    const int n = sx_base_fit((ptrdiff_t)strlen(name));
    int least = (n + 1) / 3 * NAME + NAME - 1; /* a third of the letters may be wrong */
    const char *nearest = NULL;
    for (size_t i = 0; i < COUNT(names) + COUNT(words) && n >= FEWEST && n < NAME; i++) {
        const char *right = i < COUNT(names) ? names[i] : words[i - COUNT(names)];
        const int edits = count_edits(name, right);
        if (edits <= least) {
            nearest = right;
            least = edits - 1;
        }
    }
    return nearest;
}
