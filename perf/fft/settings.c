/* settings.c - the options of subx-perf-fft. */
#include "fft/fft.h"

#include <string.h>

void sx_perf_fft_settings_import(struct sx_perf_fft_settings *settings)
{
    for (int i = 0; i < settings->problems.n; i++)
        sx_perf_fft_problem_parse(settings->problems.name[i], &settings->problem[i]);
    for (int i = 0; i < SX_PERF_NEFFORTS; i++)
        settings->has_efforts |= settings->efforts[i];
    if (!settings->has_efforts)
        settings->efforts[settings->common.effort] = 1;
}

/* ----------------------------------------------------------------------------------- grids */

static int is_word(const char *text)
{
    static const char *const words[] = {"auto", "slab", "pencil", "free"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return 1;
    return 0;
}

static int parse_grids(const char *text, void *target)
{
    struct sx_perf_names *names = target;
    struct sx_perf_shape shape;
    if (sx_perf_values_parse_names(text, names))
        return 1;
    for (int i = 0; i < names->n; i++)
        if (!is_word(names->name[i]) &&
            (sx_perf_values_parse_shape(names->name[i], &shape) || shape.ndims >= SX_PERF_FFT_NDIMS_MAX))
            return sx_perf_options_refuse("%.40s is none of auto, slab, pencil, free, or a grid such as 2x2",
                                          names->name[i]);
    return 0;
}

/* Get the grid of g dimensions that the library would choose. */
static struct sx_perf_fft_grid get_good(const struct sx_perf_fft_problem *problem, int g)
{
    struct sx_perf_fft_grid grid = {.g = g};
    ptrdiff_t sizes[SX_PERF_FFT_NDIMS_MAX];
    int code;
    sx_perf_fft_problem_get_spectral(problem, sizes);
    code = subx_grid_get_dims(sx_perf_program_get_nranks(), g, problem->ndims, sizes, grid.dims);
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "no grid of %d dimensions", g);
    return grid;
}

static struct sx_perf_fft_grid get_explicit(const char *name)
{
    struct sx_perf_fft_grid grid = {.g = 0};
    struct sx_perf_shape shape;
    sx_perf_values_parse_shape(name, &shape);
    if (sx_perf_values_get_volume(&shape) != sx_perf_program_get_nranks())
        sx_perf_program_exit(MPI_SUCCESS, "--grids %s: not %d ranks", name, sx_perf_program_get_nranks());
    grid.g = shape.ndims;
    for (int k = 0; k < grid.g; k++)
        grid.dims[k] = (int)shape.n[k];
    return grid;
}

int sx_perf_fft_settings_get_grids(const struct sx_perf_fft_settings *settings,
                                   const struct sx_perf_fft_problem *problem, struct sx_perf_fft_grid grids[])
{
    int n = 0;
    for (int i = 0; i < settings->grids.n && n < SX_PERF_NNAMES; i++) {
        const char *name = settings->grids.name[i];
        int is_auto = strcmp(name, "auto") == 0;
        const int is_free = strcmp(name, "free") == 0;
        if (is_auto || is_free || strcmp(name, "slab") == 0) {
            grids[n] = get_good(problem, 1);
            grids[n++].is_free = is_free;
        }
        if ((is_auto || strcmp(name, "pencil") == 0) && problem->ndims > 2) {
            grids[n] = get_good(problem, 2);
            /* A grid of pencils that has a dimension of 1 is a grid of slabs, which "auto" has already
             * added. */
            n += !is_auto || (grids[n].dims[0] > 1 && grids[n].dims[1] > 1);
        }
        if (!is_word(name)) {
            grids[n] = get_explicit(name);
            n += grids[n].g < problem->ndims;
        }
    }
    return n;
}

/* --------------------------------------------------------------------------------- options */

#define AT(member) offsetof(struct sx_perf_fft_settings, member)

const char *const sx_perf_fft_settings_directions[] = {"forward", "backward", "pair", NULL},
                  *const sx_perf_fft_settings_places[] = {"out", "in", NULL};

static const struct sx_perf_option options[] = {
    {"--problems", "P,..", "c2c:128x128x128,r2c:128x128x128",
     "KIND:NxN.. or KIND.f32:NxN.., also separated by ;", sx_perf_values_parse_problems, NULL, AT(problems)},
    {"--direction", "D", "forward", "a pair is forward, then backward", NULL, sx_perf_fft_settings_directions,
     AT(direction)},
    {"--place", "P", "out", "of place, or in place", NULL, sx_perf_fft_settings_places, AT(place)},
    {"--executions", "N", "3", "least number in a timing (default 3): see below", sx_perf_values_parse_count,
     NULL, AT(executions)},
    {"--grids", "G,..", "auto",
     "slab, pencil, such as 2x3; free: plans choose; auto (default): slabs, pencils if no dimension is 1",
     parse_grids, NULL, AT(grids)},
    {"--variants", "V,..", "auto/natural/auto,auto/transposed/auto",
     "ours, as STRATEGY/OUTPUT/ENGINE/OVERLAP; words at the end may be left out (default: see below)",
     sx_perf_values_parse_names, NULL, AT(variants)},
    {"--neighbours", "L,..", "all", "only these of the other libraries; none for none",
     sx_perf_values_parse_names, NULL, AT(neighbours)},
    {"--efforts", "E,..", NULL, "plans by each of these efforts, and three more columns", NULL,
     sx_perf_options_efforts, AT(efforts)},
    {"--stages", NULL, NULL,
     "print the time of each stage of ours on the slowest rank, and what overlap hides", NULL, NULL,
     AT(stages)},
    {"--memory", "M", "private", "the arrays; device: a GPU's", NULL, sx_perf_options_device_memory,
     AT(common.memory)},
    {.name = NULL}};

static const char purpose[] =
    "Time whole transforms of distributed arrays: ours, those of other libraries, and the limit that the machine sets.\n";

static const char rest[] =
    "Kinds are c2c, r2c, dct1 .. dct4, dst1 .. dst4, dht, r2hc, hc2r, for all axes, or a list of real-to-real kinds, one per\n"
    "axis. Precision is double, or single with .f32. Backward of r2c is c2r.\n"
    "\n"
    "Libraries:\n"
    "  subx      ours, in the variants asked for (default auto/natural/auto,auto/transposed/auto)\n"
    "  fftw-mpi  FFTW's own MPI transforms, on slabs, if FFTW was built for this MPI\n"
    "  dalcin    the method of Dalcin, Mortensen & Keyes in plain C: FFTW's serial transforms in C order, and MPI_Alltoallw\n"
    "            with MPI_Type_create_subarray's types between them\n"
    "  fftw      FFTW's serial transform, on one rank\n"
    "  heffte, 2decomp, pfft, p3dfft++, accfft, each in several variants, if configure was given them\n"
    "  cufft     cuFFT's transform of all axes, on one rank, if CUDA was found; with --memory device only\n"
    "With --memory device, only subx and cufft are timed, and the limit is the copies in the device's memory.\n"
    "FFTW plans with the same effort for all. Out of place, only ours must keep its input. Each transform is verified in each\n"
    "direction: the transforms of the data are known. Then all are timed alternately. A timing begins with a barrier, is of\n"
    "several executions in a row, and ends with the slowest rank. The first execution of a timing finds little in the caches,\n"
    "as in a program that does other work between transforms; with many executions, small arrays stay in the caches. A\n"
    "library that cannot transform a problem in the direction and place asked for is left out, and a note gives the reason.\n"
    "\n"
    "The limit is measured in the same rounds, for the precision, the kinds and the direction asked for. It is the sum of two\n"
    "medians:\n"
    "  transforms  the one-dimensional transforms of all axes on data that stays in cache: a tile of pencils is transformed\n"
    "              as often as the rank has such tiles. The fastest candidate is taken for each axis. The candidates are\n"
    "              FFTW and our own kernels, with pencils side by side or one after the other, in place or out of place,\n"
    "              in tiles of 16, 64 and 256 KiB\n"
    "  memory      a memcpy of the rank's array, on all ranks at once, for each pass through memory that cannot be avoided:\n"
    "              one for the axes that are whole at first, and one per exchange. That makes two for slabs and on one rank,\n"
    "              and three for pencils of three axes\n"
    "\n"
    "Columns:\n"
    "  mpi, library, variant, problem, direction, place, ranks, grid\n"
    "  min_s, median_s  seconds per transform or pair, over the rounds\n"
    "  limit_s          seconds of the limit\n"
    "  ratio_limit      median_s / limit_s\n"
    "  max_error        largest error / largest magnitude\n"
    "  memory_bytes     largest growth of a rank's memory while the plan was created and executed once, beyond the arrays\n"
    "With --efforts also (FFTW's wisdom is forgotten before each effort; the libraries of configure have the first effort):\n"
    "  effort, choice   of the plan: its effort; strategy, process grid and engine of ours\n"
    "  planning_ms      milliseconds of its creation on the slowest rank\n"
    "\n"
    "Examples:\n"
    "  mpirun -n 4 subx-perf-fft --problems c2c:256x256x256,r2c:192x200x210 --memory shared --csv fft.csv\n"
    "  mpirun -n 2 subx-perf-fft --variants stride1/transposed/shm,stride1/transposed/pairwise --stages\n"
    "  mpirun -n 2 subx-perf-fft --problems r2c.f32:128x128x128,dct2:64x48x40 --direction pair --place in\n"
    "  mpirun -n 4 subx-perf-fft --grids free --efforts all --variants auto\n";

const struct sx_perf_program sx_perf_fft_program = {"subx-perf-fft", purpose, rest, "7", "--effort", options};
