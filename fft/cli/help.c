/* help.c - the text of --help. */
#include "cli/cli.h"

#include <string.h>
#include <subx_tune.h>

/* The parts of the text; NULL stands for the library's list of hints. */
static const char *const parts[] = {
    "Usage: mpirun -n P subx-fft [PROBLEM] [OPTION]...\n"
    "\n"
    "Transform an array that is distributed over P ranks, check the transform, and time it.\n"
    "\n"
    "PROBLEM is kinds of transform, a colon, and 1 to 30 lengths joined by x, the slowest axis first:\n"
    "r2c:256x256x256. The spectral side of the axis of r2c or c2r has n/2+1 entries. Without --input the\n"
    "data are random numbers, the same on any number of ranks.\n",

    "\n"
    "Kinds: c2c, r2c, c2r, dct1 to dct4, dst1 to dst4, dht, r2hc, hc2r, and - for an axis that is not\n"
    "transformed.\n"
    "  r2c:64x48          one kind for all axes; r2c and c2r are the last axis, and the others are c2c\n"
    "  dct2,-,r2c:9x8x7   a list has one kind per axis\n"
    "  r2c.f32:64x64      precision f32, f64 (default), long or f128\n"
    "  3*c2c:64x64        three fields one after the other, which are axis 0 of files: 3x64x64\n"
    "  c2c:64x64*3        three components that are adjacent in memory, the last axis of files: 64x64x3\n"
    "  c2c:64x64>96x96    64x64 modes are kept on the spectral side, the physical side has 96x96 points\n"
    "  c2c:9x9>9x9>6x6    only 6x6 points exist on the physical side, the others are zeros\n"
    "  /padded, /physical-order=0,1, /spectral-block=5x0, ..   behind it: storage, as in subx_fft.h\n"
    "A shell needs quotes around > and *.\n",

    "\n"
    "Data:\n"
    "  (arrays)           are in the host's memory, or with --memory-kind cuda:device in a GPU's; times\n"
    "                     leave out the copies between host and GPU. A rank uses its first GPU\n"
    "                     (CUDA_VISIBLE_DEVICES)\n"
    "  --input FILE       read the array from a file: .npy, HDF5 or raw (see below)\n"
    "  --output FILE      write the result to a file\n"
    "  --forward          from the physical to the spectral side (default, except for c2r)\n"
    "  --backward         from the spectral to the physical side (default for c2r)\n"
    "  --seed N           seed of the random numbers, 0 to 2^64-1 (default 1)\n",

    "\n"
    "Actions besides one transform:\n"
    "  --verify           compare the result with the transform by its definition, on rank 0, if that\n"
    "                     takes at most about 3*10^8 multiplications. Otherwise check properties of the\n"
    "                     forward transform: linearity, the response to impulses, shifts along Fourier\n"
    "                     transforms' axes. In both cases check that backward undoes forward.\n"
    "                     With --input, small problems are compared with the definition without this\n"
    "                     option too\n"
    "  --verify=reference, --verify=properties\n"
    "                     the first check or the second one, whatever the size is\n"
    "  --repeat OxI       time O passes of I pairs of a forward and a backward transform, such as 50x3. A\n"
    "                     pass begins with a barrier and ends with the slowest rank. One pair before is\n"
    "                     not timed. The result is the fastest pass and the median, in seconds per pair\n"
    "  --calibrate[=S]    instead of a transform, measure the parameters of the cost model for about S\n"
    "                     seconds (default 5), and put them into wisdom for all plans on this machine.\n"
    "                     With --memory-kind, also those of GPUs. Use all cores of a node, or a rank per\n"
    "                     GPU, and several nodes\n"
    "  --predict N[,N]... --machine FILE\n"
    "                     instead of a transform, print for each number of ranks what the cost model\n"
    "                     expects of another machine: the best grid; the time of a forward transform, of\n"
    "                     which passes and exchanges; the limit, which is the time that the busiest\n"
    "                     node's link needs for its bytes; its share of the time. One process is enough.\n"
    "                     FILE describes the machine (see below). With --csv and --json, too\n",

    "\n"
    "How to transform. Each option is a hint of the library: --time-limit is the hint subx_time_limit,\n"
    "and --tuning the hint subx_tune. If an option is not given, the environment variable is read, such\n"
    "as SUBX_TIME_LIMIT. subx_fft.h and subx_tune.h explain all hints.\n",
    NULL,

    "\n"
    "Printing:\n"
    "  --explain          after the executions, print why the plan is as it is: who chose it, its stages\n"
    "                     with bytes, predicted and measured times, all candidates, the machine,\n"
    "                     warnings, wisdom. --json has it as a member. Not with --csv\n"
    "  --csv              print one line of column names and one of values, and nothing else\n"
    "  --json             print one object, with the times of all stages, and nothing else\n"
    "  --help, -h         print this text\n"
    "  --version          print the versions of subx-fft and of MPI\n"
    "A value follows its option as the next word or after =, as in --grid=2x3; those of --verify and\n"
    "--calibrate only after =.\n",

    "\n"
    "Columns of --csv; --json has the same names:\n"
    "  mpi, ranks, problem, grid\n"
    "  engine, effort, output_order, scaling, threads, tune   as the plan has them\n"
    "  direction         forward, backward, or pair with --repeat\n"
    "  repeat, seed, input, output\n"
    "  min_s, median_s   seconds; without --repeat both are those of the one execution\n"
    "  serial_s, exchange_s, scale_s   seconds per kind of stage, median over ranks. With strategy fused\n"
    "                    exchange_s is the time for which ranks waited, and serial_s is all other time,\n"
    "                    copies and scaling included\n"
    "  error, tolerance  of the worst check, relative to the largest expected value\n"
    "  verified          yes, no, or empty if nothing was checked\n",

    "\n"
    "A machine for --predict is described by lines name = value; # begins a comment. subx_tune.h explains\n"
    "the names:\n"
    "  ranks_per_node, cores_per_node, flops (of a core), memory_bandwidth (of a node), link_bandwidth\n"
    "  (of a node), latency and overhead (of messages between nodes), topology (switch, fat_tree or\n"
    "  dragonfly); nodes_per_group and tapering, but for switch. May be missing: cache_bandwidth,\n"
    "  cache_bytes, overhead_inside, bandwidth_inside, stage. calibrated = the line that --calibrate\n"
    "  prints: instead of flops and memory_bandwidth. Bytes, bytes/s, seconds. The folder perf/predict\n"
    "  of the sources has examples.\n",

    "\n"
    "Files:\n"
    "  NumPy's format .npy, versions 1, 2 and 3, C or Fortran order; HDF5, if it was built in, for names\n"
    "  that end in .h5 or .hdf5; all other files hold the elements alone, in C order. float32, float64,\n"
    "  complex64 or complex128 in either byte order (raw: the machine's, and with the problem's type); no\n"
    "  axis of length 0. SUBX_DATASET names the dataset of HDF5 files. Default: input is the only one,\n"
    "  output is \"data\". Without PROBLEM, float64 means r2c, complex128 c2c, float32 r2c.f32, complex64\n"
    "  c2c.f32, of the file's shape. With PROBLEM the shape must be that of the side where the transform\n"
    "  starts, with the axis of several fields; numbers are converted to its precision, and real ones to\n"
    "  complex ones. A backward real transform needs PROBLEM, because the last axis of the spectrum does\n"
    "  not tell whether n was odd. It ignores the part of the input that no spectrum of a real array has.\n"
    "  Files are in natural order, whatever --output-order is. The transposed spectrum of one axis on\n"
    "  several ranks has no file.\n"
    "  Output is float32 or complex64 for f32, else float64 or complex128, in C order; .npy has version\n"
    "  1.0, and its data are aligned to 64 bytes.\n",

    "\n"
    "Exit status: 0 if all went well, 1 if a check failed, 2 if the options are wrong, a file cannot be\n"
    "used, a plan cannot be created, or memory is short. One line on standard error then gives the\n"
    "reason.\n"
    "\n"
    "Examples:\n"
    "  mpirun -n 4 subx-fft r2c:256x256x256 --grid 2x2 --engine alltoallv --effort measure --verify\n"
    "  mpirun -n 4 subx-fft --input field.npy --output spectrum.npy\n"
    "  mpirun -n 4 subx-fft '3*dct2,c2c,r2c.f32:64x48x40' --scaling orthonormal --verify\n"
    "  mpirun -n 4 subx-fft c2r:64x64x64 --input spectrum.npy --output field.npy --scaling backward\n"
    "  mpirun -n 2 subx-fft r2c:256x256x256 --memory-kind cuda:device --verify --repeat 20x3\n"
    "  subx-fft r2c:2048x2048x2048 --predict 1024,8192 --machine perf/predict/jean-zay\n"
    "  mpirun -n 6 subx-fft c2c:42x127x256 --grid 2x3 --tuning \"strategy natural\" --repeat 10x3 --csv\n"};

enum { INDENT = 21, COLUMNS = 100 };

/* Print words, from column INDENT on. */
static void print_words(const char *text)
{
    size_t column = INDENT;
    while (*text) {
        const int is_new_line = *text == '\n';
        text += is_new_line;
        const size_t len = strcspn(text, " \n");
        if (is_new_line || column + 1 + len > COLUMNS) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
        }
        printf("%s%.*s", column > INDENT ? " " : "", (int)len, text);
        column += len + (column > INDENT);
        text += len + strspn(text + len, " ");
    }
    printf("\n");
}

static void print_hints(void)
{
    char name[SX_CLI_NAME], text[4096];
    const char *key;
    for (int i = 0; sx_cli_hint_query(i, name); i++)
        if (subx_fft_query_hint(i, &key, sizeof text, text, NULL) == MPI_SUCCESS) {
            printf("  %-*s ", INDENT - 3, name);
            print_words(text);
        }
}

void sx_cli_help_print(void)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i])
            fputs(parts[i], stdout);
        else
            print_hints();
}
