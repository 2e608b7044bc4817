/* run.c - subx-perf-stride serial: each tile by all candidates, which are planned, checked, then timed
 * alternately. */
#include "serial/pencils.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ERROR_MAX: a transform with a larger error, in epsilons, is wrong. */
enum { ERROR_MAX = 1000, TRIAL_ROUNDS = 3, NCANDIDATES = 8 };

/* The candidates are serial backends. Ratios refer to candidate 0, which is fftw3 if that is a candidate.
 * value: by candidate and length, the seconds or errors of one group, whose tiles differ only in their
 * lengths; NaN if there is none. */
struct job {
    struct sx_perf_serial_settings settings;
    int ncandidates, nwrong;
    const sx_serial *candidate[NCANDIDATES];
    double value[NCANDIDATES][SX_PERF_SERIAL_NLENGTHS];
    struct sx_perf_table table;
    struct sx_perf_progress progress;
};

/* The plans for a tile. Candidates that cannot make a plan are left out. */
struct plans {
    int n, candidate[NCANDIDATES];
    double error[NCANDIDATES];
    struct sx_perf_case cases[NCANDIDATES];
};

/* --------------------------------------------------------------------------------- candidates */

static int is_wanted(const struct sx_perf_names *names, const char *name)
{
    for (int i = 0; i < names->n; i++)
        if (strcmp(names->name[i], name) == 0 || strcmp(names->name[i], "all") == 0)
            return 1;
    return names->n == 0 && strcmp(name, "naive") != 0;
}

static void set_candidates(struct job *job)
{
    const struct sx_perf_names *names = &job->settings.backends;
    for (int i = 0; sx_serial_table[i]; i++)
        if (is_wanted(names, sx_serial_table[i]->name)) {
            job->candidate[job->ncandidates++] = sx_serial_table[i];
            if (strcmp(sx_serial_table[i]->name, "fftw3") == 0) {
                job->candidate[job->ncandidates - 1] = job->candidate[0];
                job->candidate[0] = sx_serial_table[i];
            }
        }
    for (int i = 0, k; i < names->n; i++) {
        for (k = 0; sx_serial_table[k] && strcmp(sx_serial_table[k]->name, names->name[i]) != 0;)
            k++;
        if (!sx_serial_table[k] && strcmp(names->name[i], "all") != 0)
            sx_perf_program_exit(MPI_SUCCESS, "--backends: there is no %.40s", names->name[i]);
    }
}

/* If any rank has no plan, returns NULL on all ranks. */
static void *create_plan(const sx_serial *backend, const struct sx_perf_serial_tile *tile, int effort)
{
    void *plan = sx_perf_serial_plan_create(backend, tile, effort);
    int can = plan != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (plan && !can)
        sx_perf_serial_plan_free(plan);
    return can ? plan : NULL;
}

/* Planning overwrites the arrays, so all plans are created before any is executed. */
static void create_plans(const struct job *job, const struct sx_perf_serial_tile *tile, struct plans *plans)
{
    for (int i = 0; i < job->ncandidates; i++) {
        void *plan = create_plan(job->candidate[i], tile, job->settings.common.effort);
        if (!plan)
            continue;
        plans->candidate[plans->n] = i;
        plans->cases[plans->n++] = (struct sx_perf_case){
            .run = sx_perf_serial_plan_execute, .context = plan, .inner = 1, .alone = 1};
    }
}

/* Leave out a candidate with wrong results, on all ranks. */
static void leave_out(struct job *job, const struct sx_perf_serial_tile *tile, struct plans *plans, int i)
{
    const size_t rest = (size_t)(--plans->n - i);
    if (sx_perf_program_get_rank() == 0)
        fprintf(stderr, "%s: WRONG: %s, %s, n = %td, %td pencils: error of %g epsilons\n",
                sx_perf_program_get_name(), job->candidate[plans->candidate[i]]->name,
                sx_perf_serial_kinds[tile->kind], tile->n, tile->npencils, plans->error[i]);
    job->nwrong++;
    sx_perf_serial_plan_free(plans->cases[i].context);
    memmove(plans->candidate + i, plans->candidate + i + 1, rest * sizeof *plans->candidate);
    memmove(plans->cases + i, plans->cases + i + 1, rest * sizeof *plans->cases);
}

static void check_plans(struct job *job, const struct sx_perf_serial_tile *tile, struct plans *plans)
{
    struct sx_perf_serial_check check;
    sx_perf_serial_check_create(tile, &check);
    for (int i = 0; i < plans->n;) {
        sx_perf_serial_check_export(&check, tile);
        plans->cases[i].run(plans->cases[i].context);
        plans->error[i] = sx_perf_serial_check_query_error(&check, tile);
        plans->error[i] = isnan(plans->error[i]) ? HUGE_VAL : plans->error[i];
        MPI_Allreduce(MPI_IN_PLACE, &plans->error[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (plans->error[i] <= ERROR_MAX)
            i++;
        else
            leave_out(job, tile, plans, i);
    }
    sx_perf_serial_check_free(&check);
}

/* Time the plans. First, a few rounds show how many executions take the time that the settings ask for.
 * The arrays are 0: transforms of zeros remain zeros, other numbers would overflow. */
static void time_plans(struct job *job, const struct sx_perf_serial_tile *tile, struct plans *plans)
{
    struct sx_perf_progress silent = {.shown = 0, .total = 1};
    memset(tile->in, 0, (size_t)tile->bytes[SX_FROM]);
    memset(tile->out, 0, (size_t)tile->bytes[SX_TO]);
    sx_perf_time_raise(plans->n, plans->cases);
    sx_perf_time_execute(plans->n, plans->cases, TRIAL_ROUNDS, &silent);
    for (int i = 0; i < plans->n; i++) {
        const double inner = job->settings.microseconds * 1e-6 / plans->cases[i].min;
        plans->cases[i].inner = inner < 1 ? 1 : inner > 1e9 ? 1000000000 : (int)inner;
    }
    sx_perf_time_execute(plans->n, plans->cases, job->settings.common.repeat, &job->progress);
}

/* --------------------------------------------------------------------------------------- rows */

/* With --accuracy there are only the first NERROR_COLUMNS columns. */
enum { NERROR_COLUMNS = 9, NCOLUMNS = 15 };

static const struct sx_perf_column columns[NCOLUMNS] = {{"kind", 4, SX_PERF_TABLE_TEXT},
                                                        {"precision", 9, SX_PERF_TABLE_TEXT},
                                                        {"n", 7, 0},
                                                        {"layout", 11, SX_PERF_TABLE_TEXT},
                                                        {"place", 5, SX_PERF_TABLE_TEXT},
                                                        {"tile_bytes", 10, 0},
                                                        {"pencils", 7, 0},
                                                        {"candidate", 10, SX_PERF_TABLE_TEXT},
                                                        {"error_eps", 9, 3},
                                                        {"min_s", 0, 12},
                                                        {"median_s", 0, 12},
                                                        {"ns_pencil", 11, 2},
                                                        {"gflops", 8, 3},
                                                        {"ratio_min", 9, 3},
                                                        {"ratio_median", 12, 3}};

static double get_gflops(const struct sx_perf_serial_tile *tile, double seconds)
{
    const double n = (double)tile->n, flops = tile->problem.kind == SUBX_FFT_C2C ? 5 : 2.5;
    return flops * n * log2(n) * (double)tile->npencils / seconds / 1e9;
}

static void add_row(struct job *job, const struct sx_perf_serial_tile *tile, const struct plans *plans, int i)
{
    const struct sx_perf_case *mine = &plans->cases[i],
                              *first = plans->candidate[0] ? NULL : &plans->cases[0];
    const struct sx_perf_value values[NCOLUMNS] = {{sx_perf_serial_kinds[tile->kind], 0},
                                                   {sx_perf_serial_precisions[tile->precision], 0},
                                                   {NULL, (double)tile->n},
                                                   {sx_perf_serial_layouts[tile->layout], 0},
                                                   {sx_perf_serial_places[tile->place], 0},
                                                   {NULL, (double)tile->cache},
                                                   {NULL, (double)tile->npencils},
                                                   {job->candidate[plans->candidate[i]]->name, 0},
                                                   {NULL, plans->error[i]},
                                                   {NULL, mine->min},
                                                   {NULL, mine->median},
                                                   {NULL, mine->min / (double)tile->npencils * 1e9},
                                                   {NULL, get_gflops(tile, mine->min)},
                                                   {NULL, first ? mine->min / first->min : NAN},
                                                   {NULL, first ? mine->median / first->median : NAN}};
    sx_perf_table_add(&job->table, values, "");
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Note a candidate's ratios to candidate 0 in the group that was just measured, or, with --accuracy, its
 * errors. */
static void add_note(struct job *job, const struct sx_perf_serial_tile *tile, int c)
{
    const int accuracy = job->settings.accuracy;
    double list[SX_PERF_SERIAL_NLENGTHS];
    int n = 0;
    for (int i = 0; i < job->settings.nlengths; i++) {
        list[n] = accuracy ? job->value[c][i] : job->value[c][i] / job->value[0][i];
        n += !isnan(list[n]);
    }
    qsort(list, (size_t)n, sizeof *list, compare);
    if (n)
        sx_perf_table_add_note(
            &job->table, "%s %s, %s, %s place, %td bytes: %s%s%s: median %.3f, %.3f to %.3f, %d lengths",
            sx_perf_serial_precisions[tile->precision], sx_perf_serial_kinds[tile->kind],
            sx_perf_serial_layouts[tile->layout], tile->place == SX_PERF_SERIAL_IN_PLACE ? "in" : "out of",
            tile->cache, job->candidate[c]->name, accuracy ? "" : " / ",
            accuracy ? "" : job->candidate[0]->name, 0.5 * (list[(n - 1) / 2] + list[n / 2]), list[0],
            list[n - 1], n);
}

/* -------------------------------------------------------------------------------------- tiles */

static void measure(struct job *job, const struct sx_perf_serial_tile *tile, int which)
{
    struct plans plans = {.n = 0};
    sx_perf_progress_set(&job->progress, "%s %s, %s, n = %td", sx_perf_serial_precisions[tile->precision],
                         sx_perf_serial_kinds[tile->kind], sx_perf_serial_layouts[tile->layout], tile->n);
    create_plans(job, tile, &plans);
    check_plans(job, tile, &plans);
    if (!job->settings.accuracy)
        time_plans(job, tile, &plans);
    else
        sx_perf_progress_add(&job->progress);
    for (int i = 0; i < plans.n; i++) {
        job->value[plans.candidate[i]][which] = job->settings.accuracy ? plans.error[i] : plans.cases[i].min;
        add_row(job, tile, &plans, i);
    }
    for (int i = 0; i < plans.n; i++)
        sx_perf_serial_plan_free(plans.cases[i].context);
}

/* All lengths of a group. */
static void measure_group(struct job *job, struct sx_perf_serial_tile *tile)
{
    const struct sx_perf_serial_settings *s = &job->settings;
    ptrdiff_t most = 0;
    for (int i = 0; i < s->nlengths; i++) {
        tile->n = s->lengths[i];
        sx_perf_serial_tile_set(tile);
        const ptrdiff_t bytes = sx_perf_serial_tile_get_bytes(tile);
        most = bytes > most ? bytes : most;
    }
    char *memory = sx_perf_memory_create(&s->common, most);
    for (int i = 0; i < s->nlengths; i++) {
        for (int c = 0; c < job->ncandidates; c++)
            job->value[c][i] = NAN;
        tile->n = s->lengths[i];
        sx_perf_serial_tile_set(tile);
        sx_perf_serial_tile_set_memory(tile, memory);
        if (tile->problem.kind != SUBX_FFT_DCT1 || tile->n > 1) /* there is no DCT-I of one number */
            measure(job, tile, i);
    }
    for (int c = 0; c < job->ncandidates; c++)
        add_note(job, tile, c);
    sx_perf_memory_free(&s->common, memory);
}

/* Call `act`, if it is not NULL, for all groups; returns their number. Kind 0 is c2c; no other kind is
 * measured in place. For r2c and c2r, the elements of the two sides differ in size, so passes do not
 * transform them in place, either. */
static int visit(struct job *job, void (*act)(struct job *job, struct sx_perf_serial_tile *tile))
{
    const struct sx_perf_serial_settings *s = &job->settings;
    int n = 0;
    for (int kind = 0; kind < SX_PERF_SERIAL_NKINDS; kind++)
        for (int precision = 0; precision < SX_PERF_SERIAL_NPRECISIONS; precision++)
            for (int layout = 0; layout < SX_PERF_SERIAL_NLAYOUTS; layout++)
                for (int place = kind ? SX_PERF_SERIAL_OUT_OF_PLACE : 0; place < SX_PERF_SERIAL_NPLACES;
                     place++)
                    for (int i = 0; i < s->ncaches; i++) {
                        struct sx_perf_serial_tile tile = {kind, precision, layout, place,
                                                           .cache = s->caches[i]};
                        if (!s->kinds[kind] || !s->precisions[precision] || !s->layouts[layout] ||
                            !s->places[place])
                            continue;
                        n++;
                        if (act)
                            act(job, &tile);
                    }
    return n;
}

int sx_perf_serial_run(int argc, char *argv[])
{
    static struct job job;
    const struct sx_perf_serial_settings *s = &job.settings;
    sx_perf_program_start(&sx_perf_serial_program, argc, argv, &job.settings.common, sizeof job.settings);
    set_candidates(&job);
    const ptrdiff_t ntiles = (ptrdiff_t)visit(&job, NULL) * s->nlengths;
    if (ntiles == 0)
        sx_perf_program_exit(MPI_SUCCESS, "--places: only c2c is in place");
    sx_perf_table_create(&s->common, columns, s->accuracy ? NERROR_COLUMNS : NCOLUMNS, &job.table);
    sx_perf_table_set_head(&job.table, "effort", "%s", sx_perf_options_efforts[s->common.effort]);
    sx_perf_table_set_head(&job.table, "reference", "%s", job.candidate[0]->name);
    sx_perf_table_start(&job.table);
    sx_perf_progress_start(&job.progress, &s->common, ntiles * (s->accuracy ? 1 : s->common.repeat));
    visit(&job, measure_group);
    sx_perf_progress_finish(&job.progress);
    if (job.nwrong)
        sx_perf_table_add_note(&job.table, "WRONG: %d transforms, left out", job.nwrong);
    sx_perf_table_finish(&job.table);
    return sx_perf_program_finish(job.nwrong ? SX_PERF_WRONG : SX_PERF_OK);
}
