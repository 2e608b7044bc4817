/* help.c - the text of --help. */
#include "cli/cli.h"

static const char usage[] =
    "Usage: mpirun -n P subx-fft [PROBLEM] [OPTION]...\n"
    "\n"
    "Transform an array that is distributed over P ranks, check the transform, and time it.\n"
    "\n"
    "PROBLEM is c2c, r2c or c2r, a colon, and 2 to 32 lengths joined by x, the slowest axis first: "
    "r2c:256x256x256.\n"
    "The lengths are those of the physical side. The spectral side of r2c and c2r has n/2+1 entries along "
    "the\n"
    "last axis. Without --input the data are random numbers, the same on any number of ranks.\n";

static const char data[] =
    "\n"
    "Data:\n"
    "  --input FILE       read the array from a .npy file (see below)\n"
    "  --output FILE      write the result to a .npy file; without --input, that of the random numbers\n"
    "  --forward          physical to spectral side (the default, but for c2r)\n"
    "  --backward         spectral to physical side (the default for c2r)\n"
    "  --seed N           other random numbers, 0 to 2^64-1 (default 1)\n";

static const char actions[] =
    "\n"
    "What to do besides one transform:\n"
    "  --verify           check the result against a DFT written out as its definition, on rank 0; where "
    "this takes\n"
    "                     more than about 10^9 multiplications, check the forward transform by properties "
    "instead:\n"
    "                     linearity, response to impulses, shifts along every axis. In both cases check then "
    "that\n"
    "                     backward undoes forward. With --input, the definition is checked if small, even "
    "unasked\n"
    "  --verify=reference, --verify=properties\n"
    "                     the one or the other, however large or small\n"
    "  --repeat OxI       time O passes of I pairs of a forward and a backward transform, such as 50x3. A "
    "pass begins\n"
    "                     with a barrier and lasts as long as its slowest rank; reported are the fastest "
    "pass and\n"
    "                     the median, seconds for a pair. One pair before is not timed\n";

/* The names of engines and backends follow, as the libraries know them. */
static const char choices[] =
    "\n"
    "How to transform:\n"
    "  --grid PxQ..       ranks along each dimension of the process grid, 1 to d-1 of them; 0 is chosen. Default: the\n"
    "                     fewest dimensions that leave no rank without data\n"
    "  --strategy S       fused: passes gather tiles of what is transformed next, transform them in the caches, and\n"
    "                     write them once; stride1: axes are reordered in flight, serial transforms are contiguous;\n"
    "                     natural: axes keep their order, serial transforms stride through memory; auto (default):\n"
    "                     fused, or stride1 with an engine that fused has not\n"
    "  --output-order O   storage of the spectral side: natural (default), C order; transposed: the\n"
    "                     axis innermost that is made whole last. Files are in natural order in any case\n"
    "  --scaling S        none (default); forward, backward: 1/N in that direction; symmetric: 1/sqrt(N) in both,\n"
    "                     N being the number of elements of the physical side\n"
    "  --effort E         how hard the serial backend searches: estimate (default), measure, patient\n"
    "  --permute S        the side that strides when an exchange of stride1 reorders: send, recv (default)\n";

static const char passes[] =
    "\n"
    "How strategy fused goes about it:\n"
    "  --overlap O        where messages travel, what is transformed meanwhile: none, nothing; send, what is sent next;\n"
    "                     receive, what has come; both; auto (default): both, where that needs no other pass, else\n"
    "                     receive\n"
    "  --slices N         slices of an exchange (default 0: up to 4)\n"
    "  --progress N       how often in a slice messages are helped on (default 16)\n"
    "  --width N          pencils side by side in a tile, at most (default 0: a choice)\n"
    "  --pencils P        how they lie in it: auto (default), contiguous, interleaved\n"
    "  --cache N          bytes that a tile may take (default 1310720)\n"
    "  --threads N        threads of each rank (default 1); of other strategies, those that copy\n";

static const char environment[] =
    "Where one of these options is not given, the environment counts: SUBX_GRID, SUBX_STRATEGY, SUBX_OUTPUT,\n"
    "SUBX_SCALING, SUBX_EFFORT, SUBX_PERMUTE, SUBX_ENGINE, SUBX_SERIAL, SUBX_OVERLAP, SUBX_SLICES, SUBX_PROGRESS,\n"
    "SUBX_WIDTH, SUBX_PENCILS, SUBX_CACHE, SUBX_THREADS.\n";

static const char output[] =
    "\n"
    "Printing:\n"
    "  --csv              one line of column names and one of values, and nothing else\n"
    "  --json             one object, with the times of all stages, and nothing else\n"
    "  --help, -h         this text\n"
    "  --version          versions of subx-fft and of the MPI below\n"
    "Values follow their option as the next word or after =, as in --grid=2x3; --verify takes only =.\n";

static const char columns[] =
    "\n"
    "Columns of --csv: mpi, ranks, problem, grid, strategy, engine, permute, serial, effort, output_order, scaling,\n"
    "overlap, slices, threads (as the plan has them), direction (forward, backward, or pair with --repeat), repeat,\n"
    "seed, input, output, min_s, median_s (seconds; without --repeat both are those of the one execution), serial_s,\n"
    "exchange_s, scale_s (seconds of it, the median over ranks), error, tolerance (of the worst check, relative to\n"
    "the largest expected value), verified (yes, no, or empty where nothing was checked). --json has the same names.\n"
    "With strategy fused exchange_s is what was waited for, and serial_s all else, copies and scaling included.\n";

static const char files[] =
    "\n"
    ".npy files: NumPy's format, versions 1, 2 and 3; float32, float64, complex64 or complex128 in either "
    "byte\n"
    "order; C or Fortran order; 2 to 32 axes, none of length 0. Without PROBLEM, real input means r2c and "
    "complex\n"
    "input c2c of the file's shape. With PROBLEM the shape must be that of the side the transform starts "
    "at;\n"
    "real numbers are accepted for complex ones. Backward real transforms need PROBLEM, for the last axis "
    "of\n"
    "the spectrum does not tell whether n was odd, and ignore what is not the spectrum of a real array.\n"
    "Output is float64 or complex128, little-endian, version 1.0, C order, its data aligned to 64 bytes.\n";

static const char rest[] =
    "\n"
    "Exit status: 0 if all went well, 1 if a check failed, 2 if the options are wrong, a file cannot be "
    "used, a plan\n"
    "cannot be made, or memory is short; then one line on standard error says what.\n"
    "\n"
    "Examples:\n"
    "  mpirun -n 4 subx-fft r2c:256x256x256 --grid 2x2 --engine alltoallv --effort measure --repeat 50x3 "
    "--verify\n"
    "  mpirun -n 4 subx-fft --input field.npy --output spectrum.npy\n"
    "  mpirun -n 4 subx-fft c2r:64x64x64 --input spectrum.npy --output field.npy --scaling backward\n"
    "  mpirun -n 6 subx-fft c2c:42x127x256 --grid 2x3 --strategy natural --repeat 10x3 --csv\n";

/* Print the names that a query function of the libraries knows. */
static void print_names(const char *option, int (*query)(int, const char **), const char *more)
{
    const char *name = NULL;
    printf("  %-18s ", option);
    for (int i = 0; query(i, &name) == MPI_SUCCESS && name; i++)
        printf("%s%s", i ? ", " : "", name);
    printf("%s\n", more);
}

void sx_cli_help_print(void)
{
    fputs(usage, stdout);
    fputs(data, stdout);
    fputs(actions, stdout);
    fputs(choices, stdout);
    print_names(
        "--engine E", subx_exch_query_engine,
        ":\n                     what moves the data; auto (default) chooses. For fused: shm, node, pairwise, alltoallv");
    print_names("--serial S", subx_fft_query_serial,
                ": what transforms along one axis; the first is the default");
    fputs(passes, stdout);
    fputs(environment, stdout);
    fputs(output, stdout);
    fputs(columns, stdout);
    fputs(files, stdout);
    fputs(rest, stdout);
}
