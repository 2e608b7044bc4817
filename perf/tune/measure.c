/* measure.c - create and time the plans for a problem. */
#include "tune/tune.h"

#include <math.h>

/* A timing has several executions. After a timing of a single execution, the next plan would find its data in the
 * caches. */
enum { EXECUTIONS = 3 };

struct contest {
    int n;
    struct sx_perf_tune_plan plan[SX_PERF_TUNE_NPLANS];
    struct sx_perf_case cases[SX_PERF_TUNE_NPLANS];
    void *array[2];
};

static void create_plans(struct sx_perf_tune_job *job, const char *problem, struct contest *c)
{
    for (int i = 0; i < SX_PERF_TUNE_NPLANS; i++)
        if (job->settings.plans[i]) {
            sx_perf_progress_set(&job->progress, "%s, planning %s", problem,
                                 sx_perf_tune_settings_query_plan(i));
            sx_perf_tune_plans_create(&job->settings, problem, i, &c->plan[c->n++]);
        }
}

/* The plans may have different grids: the arrays are large enough for all of them. */
static void create_arrays(const struct sx_perf_settings *s, struct contest *c)
{
    for (int side = 0; side < 2; side++) {
        ptrdiff_t most = 0;
        for (int i = 0; i < c->n; i++) {
            ptrdiff_t bytes = 0;
            subx_fft_plan_get_local(c->plan[i].plan, side, NULL, NULL, NULL, &bytes);
            most = bytes > most ? bytes : most;
        }
        c->array[side] = sx_perf_memory_create(s, most);
        for (int i = 0; i < c->n; i++)
            c->plan[i].array[side] = c->array[side];
    }
}

/* Leave out plans with wrong results. */
static void check(struct sx_perf_tune_job *job, const char *problem, struct contest *c)
{
    int right = 0;
    for (int i = 0; i < c->n; i++) {
        if (sx_perf_tune_check_query(&c->plan[i])) {
            c->plan[right++] = c->plan[i];
            continue;
        }
        job->nwrong++;
        if (sx_perf_program_get_rank() == 0)
            fprintf(stderr, "WRONG: %s, effort %s\n", problem,
                    sx_perf_tune_settings_query_plan(c->plan[i].which));
        subx_fft_plan_free(&c->plan[i].plan);
    }
    c->n = right;
}

static void time_plans(struct sx_perf_tune_job *job, const char *problem, struct contest *c)
{
    const struct sx_perf_tune_settings *s = &job->settings;
    sx_perf_progress_set(&job->progress, "%s", problem);
    for (int i = 0; i < c->n; i++)
        c->cases[i] = (struct sx_perf_case){
            .run = sx_perf_tune_plans_execute, .context = &c->plan[i], .inner = EXECUTIONS};
    sx_perf_time_raise(c->n, c->cases);
    sx_perf_time_execute(c->n, c->cases, s->common.repeat, &job->progress);
    for (int i = 0; i < c->n && s->direction == SX_PERF_TUNE_BOTH; i++) {
        c->cases[i].min /= 2;
        c->cases[i].median /= 2;
    }
}

static void add_row(struct sx_perf_tune_job *job, const struct sx_perf_tune_plan *plan,
                    const struct sx_perf_tune_row *row)
{
    char choice[SX_PERF_TEXT_MAX];
    sx_perf_tune_plans_print(plan, sizeof choice, choice);
    const struct sx_perf_value values[] = {{sx_perf_machine_query_mpi(), 0},
                                           {row->problem, 0},
                                           {NULL, sx_perf_program_get_nranks()},
                                           {sx_perf_tune_settings_query_plan(plan->which), 0},
                                           {choice, 0},
                                           {NULL, 1000 * row->planning},
                                           {NULL, row->transforms},
                                           {NULL, row->min},
                                           {NULL, row->median},
                                           {NULL, row->ratio},
                                           {NULL, row->predicted},
                                           {NULL, row->predicted / row->median}};
    sx_perf_table_add(&job->table, values, "");
}

static void add_rows(struct sx_perf_tune_job *job, const char *problem, const struct contest *c)
{
    double fastest = INFINITY;
    for (int i = 0; i < c->n; i++)
        fastest = fmin(fastest, c->cases[i].median);
    for (int i = 0; i < c->n; i++) {
        const struct sx_perf_tune_plan *p = &c->plan[i];
        const struct sx_perf_tune_row row = {.problem = problem,
                                             .planning = p->seconds,
                                             .transforms = p->seconds / fastest,
                                             .min = c->cases[i].min,
                                             .median = c->cases[i].median,
                                             .ratio = c->cases[i].median / fastest,
                                             .predicted = sx_perf_tune_model_get(p)};
        add_row(job, p, &row);
        sx_perf_tune_summary_add(job, p->which, &row);
    }
}

void sx_perf_tune_measure_execute(struct sx_perf_tune_job *job, const char *problem)
{
    struct contest c = {.n = 0};
    create_plans(job, problem, &c);
    create_arrays(&job->settings.common, &c);
    check(job, problem, &c);
    time_plans(job, problem, &c);
    add_rows(job, problem, &c);
    for (int i = 0; i < c.n; i++)
        subx_fft_plan_free(&c.plan[i].plan);
    for (int side = 0; side < 2; side++)
        sx_perf_memory_free(&job->settings.common, c.array[side]);
}
