/* main.c - the program subx-perf-stride: transforms along the slowest axis of slabs, compared with transforms
 * of contiguous rows. After Y. Yan, "Improved MPI Collectives for 3D-FFT": there the lengths are 128, and the
 * strides go from 2^3 to 2^21. The sub-command serial is in perf/serial. */
#include "common/perf.h"
#include "serial/pencils.h"

#include <fftw3.h>

#include <string.h>
#include <sys/mman.h>

struct settings {
    struct sx_perf_settings common; /* must come first */
    int length;
    ptrdiff_t from, to, bytes;
};

struct job {
    struct settings settings;
    struct sx_perf_table table;
    struct sx_perf_progress progress;
};

/* --------------------------------------------------------------------------------------- options */

/* FFTW takes strides as int, and the addresses of a process are limited. */
enum { STRIDE_MAX = 1 << 28 };

#define AT(member) offsetof(struct settings, member)

static const struct sx_perf_option options[] = {
    {"--length", "N", "128", "length of a transform", sx_perf_values_parse_count, NULL, AT(length)},
    {"--from", "S", "8", "smallest stride in elements; the next ones are doubled", sx_perf_values_parse_bytes,
     NULL, AT(from)},
    {"--to", "S", "2M", "largest stride; 2M is 2^21", sx_perf_values_parse_bytes, NULL, AT(to)},
    {"--size", "BYTES", "256M", "bytes that are transformed per timing", sx_perf_values_parse_bytes, NULL,
     AT(bytes)},
    {.name = NULL}};

static const char purpose[] =
    "Time FFTW's serial transforms: how much longer they take if their elements lie a stride apart. Complex numbers in\n"
    "double precision, in place; all ranks do the same at once.\n";

static const char rest[] =
    "Transforms along the slowest axis of slabs [length][stride] are compared with transforms of contiguous rows.\n"
    "The columns of a slab are adjacent in memory. Every timing transforms about --size bytes once: many slabs if the stride\n"
    "is small, some columns of one slab if it is large. So a cache that is smaller than --size keeps nothing from one timing\n"
    "to the next.\n"
    "\n"
    "Columns:\n"
    "  problem          the length\n"
    "  stride           elements\n"
    "  call             one: a plan for one transform is executed for each column; many: a plan for 256 columns at once, or\n"
    "                   as many as the stride\n"
    "  transforms       transforms per timing\n"
    "  effort           FFTW's planning effort\n"
    "  setup_s          seconds of planning on the slowest rank\n"
    "  min_s, median_s  seconds per transform, over the rounds\n"
    "  ratio            median / median with stride 1 by the same call\n"
    "The options --memory and --hint have no effect.\n"
    "\n"
    "subx-perf-stride serial times the library's serial transforms in caches: see subx-perf-stride serial --help.\n"
    "\n"
    "Example:\n"
    "  subx-perf-stride --csv stride.csv && subx-perf-plot stride.csv\n";

static const struct sx_perf_program program = {"subx-perf-stride", purpose, rest, "7", "--effort", options};

static void check_settings(const struct settings *settings)
{
    if (settings->from < 2 || settings->from > settings->to)
        sx_perf_program_exit(MPI_SUCCESS, "--from %td: less than 2 or more than --to %td", settings->from,
                             settings->to);
    if (settings->bytes < 16 * (ptrdiff_t)settings->length)
        sx_perf_program_exit(MPI_SUCCESS, "--size %td: no room for one transform", settings->bytes);
    if (settings->to > STRIDE_MAX)
        sx_perf_program_exit(MPI_SUCCESS, "--to %td: more than %d", settings->to, STRIDE_MAX);
}

/* ------------------------------------------------------------------------------------------ rows */

static const struct sx_perf_column table_columns[] = {
    {"problem", 12, SX_PERF_TABLE_TEXT},
    {"stride", 8, 0},
    {"call", 4, SX_PERF_TABLE_TEXT},
    {"transforms", 10, 0},
    {"effort", 8, SX_PERF_TABLE_TEXT},
    {"setup_s", 10, 6},
    {"min_s", 13, 10},
    {"median_s", 13, 10},
    {"ratio", 7, 3},
};

/* ---------------------------------------------------------------------------------- table stride */

enum { NEIGHBOURS = 256, NCALLS = 2 };

static const char *const call_names[NCALLS] = {"one", "many"};

/* The memory of the transforms: slabs, which are arrays [length][stride] in C order. Transforms are along
 * the columns of the slabs. If the stride is 1, a slab is one column, whose elements are contiguous. Only
 * a part of the memory may be in use: `nruns` pieces of `run` contiguous elements, which begin `pitch`
 * elements apart. */
struct field {
    fftw_complex *memory;
    size_t span; /* bytes of address space */
    ptrdiff_t stride, nruns, run, pitch;
};

/* A plan for `batch` adjacent columns, and the places where it is executed. There are `nslabs` slabs,
 * which begin `slab` elements apart. Each slab has `nsteps` places, which are `step` elements apart.
 * `setup`: seconds of planning. */
struct sweep {
    const struct field *field;
    fftw_plan plan;
    ptrdiff_t batch, nslabs, slab, nsteps, step;
    double setup;
};

static double count_transforms(const struct sweep *sweep)
{
    return (double)(sweep->nslabs * sweep->nsteps * sweep->batch);
}

/* Reserve addresses; pages get memory only when they are written. A column with a large stride extends
 * over more addresses than there is memory. */
static void create_field(const struct settings *s, ptrdiff_t stride, struct field *field)
{
    ptrdiff_t count = s->bytes / (ptrdiff_t)sizeof(fftw_complex), columns = count / s->length;
    int is_partial = stride > columns;
    *field = (struct field){.stride = stride, .nruns = is_partial ? s->length : 1};
    field->run = is_partial ? columns : count;
    field->pitch = stride;
    field->span = (size_t)((field->nruns - 1) * stride + field->run) * sizeof(fftw_complex);
    field->memory =
        mmap(NULL, field->span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (field->memory == MAP_FAILED)
        sx_perf_program_abort(MPI_SUCCESS, "no %zu bytes of addresses for stride %td", field->span, stride);
}

/* Set the field to 0: transforms of zeros remain zeros, random numbers would overflow. */
static void clear_field(const struct field *field)
{
    for (ptrdiff_t i = 0; i < field->nruns; i++)
        memset(field->memory + i * field->pitch, 0, (size_t)field->run * sizeof(fftw_complex));
}

static void set_sweep(const struct settings *s, const struct field *field, int is_many, struct sweep *sweep)
{
    ptrdiff_t columns = s->bytes / (ptrdiff_t)sizeof(fftw_complex) / s->length;
    ptrdiff_t in_slab = field->stride == 1 || field->stride > columns ? columns : field->stride;
    ptrdiff_t neighbours = in_slab < NEIGHBOURS ? in_slab : NEIGHBOURS;
    *sweep = (struct sweep){.field = field, .batch = is_many ? neighbours : 1};
    sweep->nslabs = columns / in_slab;
    sweep->slab = field->stride * s->length;
    sweep->nsteps = in_slab / sweep->batch;
    sweep->step = sweep->batch * (field->stride == 1 ? s->length : 1);
}

static void create_plan(const struct settings *s, struct sweep *sweep)
{
    fftw_complex *at = sweep->field->memory;
    int n = s->length, stride = (int)sweep->field->stride, distance = stride == 1 ? n : 1;
    unsigned flag = sx_perf_efforts_get_flag(s->common.effort);
    double begin = MPI_Wtime();
    /* The plan is also executed on other columns, whose alignment may differ from the first column's. */
    if (fftw_alignment_of((double *)at) != fftw_alignment_of((double *)(at + 1)))
        flag |= FFTW_UNALIGNED;
    sweep->plan = fftw_plan_many_dft(1, &n, (int)sweep->batch, at, NULL, stride, distance, at, NULL, stride,
                                     distance, FFTW_FORWARD, flag);
    if (!sweep->plan)
        sx_perf_program_abort(MPI_SUCCESS, "FFTW makes no plan for stride %d", stride);
    sweep->setup = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &sweep->setup, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static int execute(void *context)
{
    const struct sweep *sweep = context;
    for (ptrdiff_t i = 0; i < sweep->nslabs; i++) {
        fftw_complex *at = sweep->field->memory + i * sweep->slab;
        for (ptrdiff_t k = 0; k < sweep->nsteps; k++, at += sweep->step)
            fftw_execute_dft(sweep->plan, at, at);
    }
    return MPI_SUCCESS;
}

static void add_row(struct job *job, const struct sweep *sweep, int call, const struct sx_perf_case *mine,
                    double ratio)
{
    const double count = count_transforms(sweep);
    char problem[32];
    snprintf(problem, sizeof problem, "%d", job->settings.length);
    const struct sx_perf_value values[] = {{problem, 0},
                                           {NULL, (double)sweep->field->stride},
                                           {call_names[call], 0},
                                           {NULL, count},
                                           {sx_perf_options_efforts[job->settings.common.effort], 0},
                                           {NULL, sweep->setup},
                                           {NULL, mine->min / count},
                                           {NULL, mine->median / count},
                                           {NULL, ratio}};
    sx_perf_table_add(&job->table, values, "");
}

/* Time contiguous columns (stride 1) and columns with the given stride alternately. Both are transformed
 * by a plan of one transform, and by a plan of many transforms. The results of contiguous columns are
 * added to the table only in the call with the first stride. */
static void measure(struct job *job, ptrdiff_t stride)
{
    const struct settings *s = &job->settings;
    struct field field[2];
    struct sweep sweep[2][NCALLS];
    struct sx_perf_case cases[2 * NCALLS];
    for (int i = 0; i < 2; i++) {
        create_field(s, i ? stride : 1, &field[i]);
        clear_field(&field[i]); /* touch the pages now; else the time for this would count as planning */
        for (int call = 0; call < NCALLS; call++) {
            set_sweep(s, &field[i], call, &sweep[i][call]);
            create_plan(s, &sweep[i][call]);
            cases[NCALLS * i + call] =
                (struct sx_perf_case){.run = execute, .context = &sweep[i][call], .inner = 1, .alone = 1};
        }
        clear_field(&field[i]);
    }
    sx_perf_time_execute(2 * NCALLS, cases, s->common.repeat, &job->progress);
    for (int i = stride == s->from ? 0 : 1; i < 2; i++)
        for (int call = 0; call < NCALLS; call++) {
            const struct sx_perf_case *mine = &cases[NCALLS * i + call];
            double ratio = mine->median / count_transforms(&sweep[i][call]) /
                           (cases[call].median / count_transforms(&sweep[0][call]));
            add_row(job, &sweep[i][call], call, mine, ratio);
        }
    for (int i = 0; i < 2; i++) {
        for (int call = 0; call < NCALLS; call++)
            fftw_destroy_plan(sweep[i][call].plan);
        munmap(field[i].memory, field[i].span);
    }
}

static ptrdiff_t count_strides(const struct settings *settings)
{
    ptrdiff_t rounds = 0;
    for (ptrdiff_t stride = settings->from; stride <= settings->to; stride *= 2)
        rounds += settings->common.repeat;
    return rounds;
}

static void measure_strides(struct job *job)
{
    for (ptrdiff_t stride = job->settings.from; stride <= job->settings.to; stride *= 2) {
        sx_perf_progress_set(&job->progress, "stride %td", stride);
        measure(job, stride);
    }
}

/* --------------------------------------------------------------------------------------- program */

int main(int argc, char *argv[])
{
    struct job job;
    struct settings *s = &job.settings;
    if (argc > 1 && strcmp(argv[1], "serial") == 0)
        return sx_perf_serial_run(argc - 1, argv + 1);
    sx_perf_program_start(&program, argc, argv, &s->common, sizeof *s);
    check_settings(s);
    sx_perf_table_create(&s->common, table_columns, sizeof table_columns / sizeof *table_columns, &job.table);
    sx_perf_table_set_head(&job.table, "fftw", "%s", fftw_version);
    sx_perf_table_set_head(&job.table, "bytes_of_a_timing", "%td", s->bytes);
    sx_perf_table_start(&job.table);
    sx_perf_progress_start(&job.progress, &s->common, count_strides(s));
    measure_strides(&job);
    sx_perf_progress_finish(&job.progress);
    sx_perf_table_finish(&job.table);
    return sx_perf_program_finish(SX_PERF_OK);
}
