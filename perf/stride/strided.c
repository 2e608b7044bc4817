/* strided.c - transforms along the slowest axis of slabs, compared with transforms of contiguous rows. After Y. Yan,
 * "Improved MPI Collectives for 3D-FFT": there the lengths are 128, and the strides go from 2^3 to 2^21. */
#include "stride/stride.h"

#include <string.h>
#include <sys/mman.h>

enum { NEIGHBOURS = 256, NCALLS = 2 };

static const char *const call_names[NCALLS] = {"one", "many"};

/* The memory of the transforms: slabs, which are arrays [length][stride] in C order. Transforms are along the columns of
 * the slabs. If the stride is 1, a slab is one column, whose elements are contiguous. Only a part of the memory may be in
 * use: `nruns` pieces of `run` contiguous elements, which begin `pitch` elements apart. */
struct field {
    fftw_complex *memory;
    size_t span; /* bytes of address space */
    ptrdiff_t stride, nruns, run, pitch;
};

/* A plan for `batch` adjacent columns, and the places where it is executed. There are `nslabs` slabs, which begin
 * `slab` elements apart. Each slab has `nsteps` places, which are `step` elements apart. `setup`: seconds of
 * planning. */
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

/* Reserve addresses; pages get memory only when they are written. A column with a large stride extends over more
 * addresses than there is memory. */
static void create_field(const struct sx_perf_stride_settings *s, ptrdiff_t stride, struct field *field)
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

static void set_sweep(const struct sx_perf_stride_settings *s, const struct field *field, int is_many,
                      struct sweep *sweep)
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

static void create_plan(const struct sx_perf_stride_settings *s, struct sweep *sweep)
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

static void add_row(struct sx_perf_stride_job *job, const struct sweep *sweep, int call,
                    const struct sx_perf_case *mine, double ratio)
{
    char problem[32];
    struct sx_perf_stride_row row = {"stride",
                                     problem,
                                     call_names[call],
                                     sx_perf_options_efforts[job->settings.common.effort],
                                     (double)sweep->field->stride,
                                     count_transforms(sweep),
                                     sweep->setup,
                                     ratio,
                                     *mine};
    snprintf(problem, sizeof problem, "%d", job->settings.length);
    row.seconds.min /= count_transforms(sweep);
    row.seconds.median /= count_transforms(sweep);
    sx_perf_stride_add_row(job, &row);
}

/* Time contiguous columns (stride 1) and columns with the given stride alternately. Both are transformed by a plan
 * of one transform, and by a plan of many transforms. The results of contiguous columns are added to the table only
 * in the call with the first stride. */
static void measure(struct sx_perf_stride_job *job, ptrdiff_t stride)
{
    const struct sx_perf_stride_settings *s = &job->settings;
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

ptrdiff_t sx_perf_stride_strided_get_rounds(const struct sx_perf_stride_settings *settings)
{
    ptrdiff_t rounds = 0;
    for (ptrdiff_t stride = settings->from; stride <= settings->to; stride *= 2)
        rounds += settings->common.repeat;
    return rounds;
}

void sx_perf_stride_strided_execute(struct sx_perf_stride_job *job)
{
    for (ptrdiff_t stride = job->settings.from; stride <= job->settings.to; stride *= 2) {
        sx_perf_progress_set(&job->progress, "stride %td", stride);
        measure(job, stride);
    }
}
