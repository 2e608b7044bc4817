/* try.c - find the plan that is the fastest one here, as FFTW_MEASURE does with its algorithms: candidates are executed on arrays of
 * zeros, in turns with the one that would be taken without measuring. */
#include "plan/try.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct session {
    sx_space space;
    subx_grid grid; /* of the first candidate */
    MPI_Comm all;
    int direction;
    void *array[2]; /* by side; all candidates work on them */
    ptrdiff_t bytes[2];
    sx_tune tune;

    /* The parameters that are being tuned, and the candidate that they are added to. */
    int nparameters, around;
    const sx_parameter *parameter[SX_TUNE_NDIMS_MAX];
} session;

/* A candidate with its plan. */
typedef struct made {
    session *s;
    subx_fft_plan plan;
    subx_grid grid; /* SUBX_GRID_NULL if it is that of the session */
} made;

/* ---- one candidate */

static int grow(void **array, ptrdiff_t *bytes, ptrdiff_t needed)
{
    if (needed <= *bytes)
        return MPI_SUCCESS;
    sx_base_free(*array);
    *array = sx_base_alloc(needed, 1);
    *bytes = *array ? needed : 0;
    return *array ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

static int grow_arrays(session *s, subx_fft_plan plan)
{
    int rc = MPI_SUCCESS;
    for (int side = 0; side < 2 && !rc; side++) {
        ptrdiff_t bytes = 0;
        (void)subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &bytes);
        rc = grow(&s->array[side], &s->bytes[side], bytes);
    }
    return sx_base_agree(s->all, rc, NULL);
}

static int create_plan(session *s, const sx_choice *c, MPI_Info info, subx_grid *grid, subx_fft_plan *plan)
{
    int rc = sx_choice_create_other_grid(c, s->space.base, grid);
    if (!rc)
        rc = sx_plan_create(c, *grid ? *grid : s->grid, info, plan);
    if (rc)
        (void)subx_grid_free(grid);
    return rc;
}

static int create_candidate(session *s, int i, subx_grid *grid, subx_fft_plan *plan)
{
    sx_choice c;
    MPI_Info info;
    *grid = SUBX_GRID_NULL;
    *plan = SUBX_FFT_PLAN_NULL;
    int rc = sx_base_agree(s->all, sx_space_get(&s->space, i, &c, &info), NULL);
    if (!rc)
        rc = create_plan(s, &c, info, grid, plan);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return rc;
}

static void free_made(void *opaque)
{
    made *m = opaque;
    sx_plan_free(&m->plan);
    (void)subx_grid_free(&m->grid);
    sx_base_free(m);
}

static int create(void *context, int i, void **opaque)
{
    session *s = context;
    made *m = *opaque = sx_base_alloc(1, sizeof *m);
    int rc = sx_base_agree(s->all, m ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM), NULL);
    if (!rc) {
        m->s = s;
        rc = create_candidate(s, i, &m->grid, &m->plan);
    }
    if (!rc)
        rc = grow_arrays(s, m->plan);
    if (rc && m)
        free_made(m);
    return rc;
}

static int execute(void *opaque)
{
    const made *m = opaque;
    const int from = m->s->direction == SUBX_FFT_FORWARD ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL;
    return subx_fft_execute(m->plan, m->s->direction, m->s->array[from], m->s->array[!from]);
}

/* ---- all of them */

static int get_best(const sx_space *space)
{
    int best = 0;
    for (int i = 1; i < space->n; i++)
        if (space->list[i].trial.outcome == SX_TUNE_MEASURED &&
            (space->list[best].trial.outcome != SX_TUNE_MEASURED ||
             space->list[i].trial.ratio < space->list[best].trial.ratio))
            best = i;
    return best;
}

static void try_one(session *s, int i)
{
    sx_tune_try(&s->tune, i, &s->space.list[i].trial);
    sx_plan_print_progress(s->space.base, s->all, i, s->space.n, s->space.list[i].name, s->tune.began);
}

/* The cost of a point of the parameters: that of one more candidate. */
static double get_cost(void *context, const int x[])
{
    session *s = context;
    char name[sizeof s->space.list->name];
    sx_text t = {name, sizeof name, 0};
    sx_base_print(&t, "%s", s->space.list[s->around].name);
    for (int k = 0; k < s->nparameters; k++)
        if (x[k] != s->parameter[k]->start)
            sx_base_print(&t, ", %s %s", s->parameter[k]->name, s->parameter[k]->values[x[k]]);
    if (t.used >= sizeof name)
        return INFINITY;
    const int i = sx_space_add(&s->space, name);
    if (s->space.list[i].trial.outcome == SX_TUNE_UNTRIED)
        try_one(s, i);
    return s->space.list[i].trial.ratio;
}

/* Tune the parameters of the best candidate so far. */
static void tune_parameters(session *s)
{
    enum { MOST_POINTS = 60 };
    int n[SX_TUNE_NDIMS_MAX], x[SX_TUNE_NDIMS_MAX];
    double least;
    s->around = get_best(&s->space);
    s->nparameters = sx_space_list_parameters(&s->space, s->parameter);
    for (int k = 0; k < s->nparameters; k++) {
        x[k] = s->parameter[k]->start;
        for (n[k] = 0; s->parameter[k]->values[n[k]];)
            n[k]++;
    }
    const int rc = sx_base_agree(s->all, sx_space_reserve(&s->space, MOST_POINTS), NULL);
    if (!rc && s->nparameters > 0)
        sx_tune_simplex(s->nparameters, n, MOST_POINTS, get_cost, s, x, &least);
}

/* The first candidate that can be created is what all others are compared with. If none can, the first one tells why. */
static int begin(session *s)
{
    int rc = sx_tune_begin(&s->tune, 0, &s->space.list[0].trial), failed = rc;
    for (int i = 1; i < s->space.n && failed; i++)
        failed = sx_tune_begin(&s->tune, i, &s->space.list[i].trial);
    return failed ? rc : MPI_SUCCESS;
}

/* A candidate may have won by a disturbance of the reference. The winner is compared once more, until the same one wins again. */
static void confirm(session *s)
{
    int last = -1;
    for (int best = get_best(&s->space); best != last && best != s->tune.first; best = get_best(&s->space)) {
        sx_tune_trial again;
        sx_tune_trial *trial = &s->space.list[best].trial;
        sx_tune_try(&s->tune, best, &again);
        trial->executions += again.executions;
        if (again.ratio > trial->ratio && again.outcome != SX_TUNE_UNTRIED) {
            trial->ratio = again.ratio;
            trial->seconds = again.seconds;
        }
        last = best;
    }
}

static void compare(session *s)
{
    for (int i = s->tune.first + 1; i < s->space.n; i++)
        try_one(s, i);
    if (s->space.base->effort == SX_EFFORT_PATIENT || s->space.base->effort == SX_EFFORT_EXHAUSTIVE)
        tune_parameters(s);
    confirm(s);
    sx_plan_print_progress(s->space.base, s->all, s->space.n, s->space.n, NULL, s->tune.began);
}

/* Effort measure may take about a hundred executions, but a few tenths of a millisecond cannot be told apart by so few. */
static void set_tune(session *s)
{
    const int effort = s->space.base->effort, limit = s->space.base->time_limit;
    s->tune = (sx_tune){.all = s->all,
                        .create = create,
                        .execute = execute,
                        .free = free_made,
                        .context = s,
                        .get_seconds = MPI_Wtime,
                        .executions = effort == SX_EFFORT_MEASURE ? 90 : INFINITY,
                        .free_seconds = 20e-3,
                        .seconds = limit > 0 ? (double)limit : INFINITY,
                        .rounds = effort == SX_EFFORT_MEASURE ? 3 : 7};
}

/* ---- the plan */

/* A smaller gain may be noise. */
static int choose(const session *s)
{
    const double least_gain = 0.02;
    const int best = get_best(&s->space), first = s->tune.first;
    return s->space.list[best].trial.ratio > 1 - least_gain ? first : best;
}

/* The serial backend remembers what it found out, so that a plan which is created again is the same. */
static int take(session *s, int chosen, subx_grid *grid, subx_fft_plan *plan)
{
    subx_grid own = SUBX_GRID_NULL;
    int rc = MPI_SUCCESS;
    if (chosen == s->tune.first) {
        made *reference = s->tune.reference;
        *plan = reference->plan;
        own = reference->grid;
        reference->plan = SUBX_FFT_PLAN_NULL;
        reference->grid = SUBX_GRID_NULL;
    }
    sx_tune_end(&s->tune);
    if (!*plan)
        rc = create_candidate(s, chosen, &own, plan);
    if (rc || !own)
        return rc;
    rc = subx_grid_free(grid);
    *grid = own;
    return rc;
}

static void set_report(session *s, int chosen, double seconds, subx_fft_plan plan)
{
    sx_report *r = &plan->report;
    r->source = SX_SOURCE_MEASURED;
    r->n = s->space.n;
    r->chosen = chosen;
    r->list = s->space.list;
    r->seconds = seconds;
    r->nexecutions = s->tune.nexecutions;
    s->space.list = NULL;
}

static int search(session *s, subx_grid *grid, subx_fft_plan *plan)
{
    const double began = MPI_Wtime();
    int rc = sx_base_agree(s->all, sx_space_create(&s->space), NULL);
    if (!rc)
        rc = begin(s);
    if (rc)
        return rc;
    compare(s);
    const int chosen = choose(s);
    rc = take(s, chosen, grid, plan);
    if (!rc)
        set_report(s, chosen, MPI_Wtime() - began, *plan);
    return rc;
}

int sx_plan_try(const sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan)
{
    session s = {.space = {.base = choice, .hints = hints}, .grid = *grid};
    (void)subx_grid_get_comm(choice->line, -1, &s.all);
    (void)subx_fft_problem_get_direction(choice->problem, &s.direction);
    set_tune(&s);
    int rc = search(&s, grid, plan);
    sx_base_free(s.array[1]);
    sx_base_free(s.array[0]);
    sx_space_free(&s.space);
    return rc;
}
