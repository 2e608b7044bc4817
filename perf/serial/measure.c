/* measure.c - one tile by all candidates: planned, checked, then timed alternately. */
#include "serial/pencils.h"

#include <math.h>
#include <string.h>

/* ERROR_MAX: a transform with a larger error, in epsilons, is wrong. */
enum { ERROR_MAX = 1000, TRIAL_ROUNDS = 3 };

/* The plans for a tile, in the order of the candidates. Candidates that cannot make a plan are left out. */
struct plans {
    int n, candidate[SX_PERF_SERIAL_NCANDIDATES];
    double error[SX_PERF_SERIAL_NCANDIDATES];
    struct sx_perf_case cases[SX_PERF_SERIAL_NCANDIDATES];
};

/* If any rank has no plan, returns NULL on all ranks. */
static void *create_plan(const struct sx_perf_serial_job *job, const struct sx_perf_serial_candidate *c,
                         const struct sx_perf_serial_tile *tile)
{
    void *plan = c->library->serves(c->which, tile->problem.precision)
                     ? c->library->create(c->which, tile, job->settings.common.effort)
                     : NULL;
    int can = plan != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (plan && !can)
        c->library->free(plan);
    return can ? plan : NULL;
}

/* Planning overwrites the arrays, so all plans are created before any is executed. */
static void create_plans(const struct sx_perf_serial_job *job, const struct sx_perf_serial_tile *tile,
                         struct plans *plans)
{
    for (int i = 0; i < job->ncandidates; i++) {
        const struct sx_perf_serial_candidate *c = &job->candidate[i];
        void *plan = create_plan(job, c, tile);
        if (!plan)
            continue;
        plans->candidate[plans->n] = i;
        plans->cases[plans->n++] =
            (struct sx_perf_case){.run = c->library->execute, .context = plan, .inner = 1, .alone = 1};
    }
}

static void free_plan(const struct sx_perf_serial_job *job, struct plans *plans, int i)
{
    job->candidate[plans->candidate[i]].library->free(plans->cases[i].context);
}

/* Leave out a candidate with wrong results, on all ranks. */
static void leave_out(struct sx_perf_serial_job *job, const struct sx_perf_serial_tile *tile,
                      struct plans *plans, int i)
{
    const size_t rest = (size_t)(--plans->n - i);
    if (sx_perf_program_get_rank() == 0)
        fprintf(stderr, "%s: WRONG: %s, %s, n = %td, %td pencils: error of %g epsilons\n",
                sx_perf_program_get_name(), job->candidate[plans->candidate[i]].name,
                sx_perf_serial_kinds[tile->kind], tile->n, tile->npencils, plans->error[i]);
    job->nwrong++;
    free_plan(job, plans, i);
    memmove(plans->candidate + i, plans->candidate + i + 1, rest * sizeof *plans->candidate);
    memmove(plans->cases + i, plans->cases + i + 1, rest * sizeof *plans->cases);
}

static void check_plans(struct sx_perf_serial_job *job, const struct sx_perf_serial_tile *tile,
                        struct plans *plans)
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

/* Time the plans. First, a few rounds show how many executions take the time that the settings ask for. The arrays are 0:
 * transforms of zeros remain zeros, other numbers would overflow. */
static void time_plans(struct sx_perf_serial_job *job, const struct sx_perf_serial_tile *tile,
                       struct plans *plans)
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

static const struct sx_perf_case *get_reference(const struct sx_perf_serial_job *job,
                                                const struct plans *plans)
{
    for (int i = 0; i < plans->n; i++)
        if (plans->candidate[i] == job->reference)
            return &plans->cases[i];
    return NULL;
}

static void report(struct sx_perf_serial_job *job, const struct sx_perf_serial_tile *tile,
                   const struct plans *plans, int group)
{
    const int accuracy = job->settings.accuracy;
    struct sx_perf_serial_result *result = &job->results[job->nresults++];
    *result = (struct sx_perf_serial_result){.group = group, .n = tile->n};
    snprintf(result->name, sizeof result->name, "%s %s, %s, %s place, %td bytes",
             sx_perf_serial_precisions[tile->precision], sx_perf_serial_kinds[tile->kind],
             sx_perf_serial_layouts[tile->layout], tile->place == SX_PERF_SERIAL_IN_PLACE ? "in" : "out of",
             tile->cache);
    for (int i = 0; i < job->ncandidates; i++)
        result->value[i] = NAN;
    for (int i = 0; i < plans->n; i++) {
        result->value[plans->candidate[i]] = accuracy ? plans->error[i] : plans->cases[i].min;
        sx_perf_serial_rows_add(job, tile, plans->candidate[i], plans->error[i],
                                accuracy ? NULL : &plans->cases[i], get_reference(job, plans));
    }
}

void sx_perf_serial_measure_execute(struct sx_perf_serial_job *job, const struct sx_perf_serial_tile *tile,
                                    int group)
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
    report(job, tile, &plans, group);
    for (int i = 0; i < plans.n; i++)
        free_plan(job, &plans, i);
}
