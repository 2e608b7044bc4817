/* measure.c - find the fastest plan by measurement, as FFTW_MEASURE finds the fastest algorithm. Each
 * candidate is executed on arrays of zeros (on a device, of any numbers), alternately with the reference. The
 * reference is candidate 0, the choice that is made without measuring. If it fails, the reference is the
 * first candidate that does not fail. A patient search then varies parameters of the best candidate. */
#include "explain/explain.h"
#include "decision/decision.h"
#include "search/search.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct session {
    sx_space space;
    subx_grid grid; /* the grid of the choice that is made without measuring */
    MPI_Comm all;
    sx_search_arrays arrays;
    sx_tune tune;

    /* The parameters that are being tuned. The values that are tried are added to the hints of candidate
     * `around`. */
    int nparameters, around;
    const sx_parameter *parameter[SX_TUNE_NDIMS_MAX];
} session;

/* A candidate with its plan. */
typedef struct made {
    session *s;
    subx_fft_plan plan;
    subx_grid grid; /* SUBX_GRID_NULL on a rank that is idle with this candidate */
} made;

/* ---- one candidate */

enum { WAY_FLAGS = sizeof(sx_ways) / sizeof(int) };
SX_BASE_ASSERT(WAY_FLAGS <= SX_FLAGS_MAX);

/* Get the ways of this rank's data as flags. An idle rank has no data. */
static void get_ways(subx_fft_plan plan, int flags[WAY_FLAGS])
{
    sx_ways ways = {.is_used = {{0}}};
    if (plan->choice.strategy->get_ways && !plan->is_idle)
        plan->choice.strategy->get_ways(plan, &ways);
    memcpy(flags, &ways, sizeof ways);
}

/* Also set the ways of candidate i to those of all ranks. */
static int reserve_arrays(session *s, int i, subx_fft_plan plan)
{
    int flags[WAY_FLAGS], rc = MPI_SUCCESS;
    get_ways(plan, flags);
    for (int side = 0; side < 2 && !rc; side++) {
        ptrdiff_t bytes = 0;
        (void)subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &bytes);
        rc = sx_search_reserve_array(&s->arrays, side, bytes);
    }
    rc = sx_base_agree_flags(s->all, rc, NULL, WAY_FLAGS, flags);
    memcpy(&s->space.list[i].ways, flags, sizeof flags);
    return rc;
}

static int create_plan(session *s, const sx_choice *c, MPI_Info info, subx_grid *grid, subx_fft_plan *plan)
{
    int rc = sx_decision_create_other_grid(c, s->space.base, s->grid, info, grid);
    if (!rc)
        rc = sx_plan_create(c, *grid, info, plan);
    if (rc)
        (void)subx_grid_free(grid);
    return rc;
}

/* Get the seconds that FFTW may take to plan one transform; 0 for no limit. The limit is an eighth of the
 * time left, because a candidate has several transforms. */
static double get_limit(const session *s)
{
    const double left = s->tune.seconds - s->tune.elapsed, least = 0.02;
    return isfinite(left) ? fmax(left / 8, least) : 0;
}

/* Create the plan of candidate i. Its exchanges check their engines only if the plan is finally taken
 * (is_taken). */
static int create_candidate(session *s, int i, int is_taken, subx_grid *grid, subx_fft_plan *plan)
{
    sx_choice c;
    MPI_Info info;
    *grid = SUBX_GRID_NULL;
    *plan = SUBX_FFT_PLAN_NULL;
    int rc = sx_decision_vary(s->space.base, s->space.list[i].name, s->space.hints, &c, &info);
    sx_serial_notes_set_limit(s->space.base->shared.notes, get_limit(s));
    if (!rc && !is_taken)
        rc = sx_hints_trust(&c.hints, info);
    rc = sx_base_agree(s->all, rc, NULL);
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
    int rc = sx_base_agree(s->all, m ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (!rc) {
        m->s = s;
        rc = create_candidate(s, i, 0, &m->grid, &m->plan);
    }
    if (!rc)
        rc = reserve_arrays(s, i, m->plan);
    if (rc && m)
        free_made(m);
    return rc;
}

/* Execute both directions, because plans are for both. */
static int execute(void *opaque)
{
    const made *m = opaque;
    void *physical = m->s->arrays.at[SUBX_FFT_PHYSICAL], *spectral = m->s->arrays.at[SUBX_FFT_SPECTRAL];
    int rc = subx_fft_execute(m->plan, SUBX_FFT_FORWARD, physical, spectral);
    int failed = subx_fft_execute(m->plan, SUBX_FFT_BACKWARD, spectral, physical);
    return rc ? rc : failed;
}

/* A trial counts forward and backward together as one execution. Reports count them as two executions, and
 * have the mean seconds of the two directions. */
static void count_directions(sx_tune_trial *t)
{
    t->seconds /= 2;
    t->executions *= 2;
}

/* ---- all candidates */

/* Get the candidate with the least ratio that is larger than `after`; -1 if there is none. */
static int get_next(const sx_space *space, double after)
{
    int next = -1;
    for (int i = 0; i < space->n; i++) {
        const sx_tune_trial *t = &space->list[i].trial;
        if (t->outcome == SX_TUNE_MEASURED && t->ratio > after &&
            (next < 0 || t->ratio < space->list[next].trial.ratio))
            next = i;
    }
    return next;
}

static int get_best(const sx_space *space)
{
    const int best = get_next(space, 0);
    return best < 0 ? 0 : best;
}

static void try_one(session *s, int i)
{
    sx_tune_measure(&s->tune, i, &s->space.list[i].trial);
    count_directions(&s->space.list[i].trial);
    sx_explain_print_progress(&s->space.base->hints, s->all, i, s->space.n, s->space.list[i].name,
                              s->tune.began);
}

/* Get the cost of the parameter values with the indices x: the ratio of the candidate that has these values.
 * If this candidate is not in the list, add and measure it. */
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

/* Choose the engines, one grid dimension after the other. While the engine of one dimension is chosen, the
 * other dimensions keep their best engines so far. */
static void tune_engines(session *s)
{
    for (int k = 0; k < SUBX_NDIMS_MAX; k++) {
        const int around = get_best(&s->space);
        if (sx_base_agree(s->all, sx_space_reserve(&s->space, SX_SEARCH_ENGINES), NULL))
            return;
        for (int e = 0, i; e < SX_SEARCH_ENGINES && (i = sx_space_vary_engine(&s->space, around, k, e)) >= 0;
             e++)
            if (s->space.list[i].trial.outcome == SX_TUNE_UNTRIED)
                try_one(s, i);
    }
}

/* Choose the ways of data between devices, one hint after the other, each with the fastest candidate so
 * far. */
static void tune_ways(session *s)
{
    for (int way = 0; way < SX_WAYS && s->space.base->device; way++) {
        const int around = get_best(&s->space);
        if (sx_base_agree(s->all, sx_space_reserve(&s->space, SX_WAY_VALUES), NULL))
            return;
        for (int v = 0, i; (i = sx_space_vary_way(&s->space, around, way, v)) >= 0; v++)
            if (s->space.list[i].trial.outcome == SX_TUNE_UNTRIED)
                try_one(s, i);
    }
}

/* Tune the parameters of the fastest candidate so far. */
static void tune_parameters(session *s)
{
    int n[SX_TUNE_NDIMS_MAX], x[SX_TUNE_NDIMS_MAX];
    double least;
    s->around = get_best(&s->space);
    s->nparameters = sx_space_list_parameters(&s->space, s->around, s->parameter);
    for (int k = 0; k < s->nparameters; k++) {
        x[k] = s->parameter[k]->start;
        for (n[k] = 0; s->parameter[k]->values[n[k]];)
            n[k]++;
    }
    const int rc = sx_base_agree(s->all, sx_space_reserve(&s->space, SX_SEARCH_POINTS), NULL);
    if (!rc && s->nparameters > 0)
        sx_tune_simplex(s->nparameters, n, SX_SEARCH_POINTS, get_cost, s, x, &least);
}

/* The reference is the first candidate that can be created and executed. If there is none, returns the error
 * of the first candidate. */
static int begin(session *s)
{
    int rc = sx_tune_start(&s->tune, 0, &s->space.list[0].trial), failed = rc;
    for (int i = 1; i < s->space.n && failed; i++)
        failed = sx_tune_start(&s->tune, i, &s->space.list[i].trial);
    count_directions(&s->space.list[s->tune.first].trial);
    return failed ? rc : MPI_SUCCESS;
}

/* Try a candidate with another rigor than its own. */
static void try_rigor(session *s, int i, const char *rigor)
{
    const char *name = s->space.list[i].name, *own = strstr(name, ", rigor ");
    char text[sizeof s->space.list->name];
    sx_text t = {text, sizeof text, 0};
    sx_base_print(&t, "%.*s, rigor %s", sx_base_fit(own ? own - name : (ptrdiff_t)strlen(name)), name, rigor);
    if (t.used >= sizeof text)
        return;
    i = sx_space_add(&s->space, text);
    if (s->space.list[i].trial.outcome == SX_TUNE_UNTRIED)
        try_one(s, i);
}

/* Try a rigor with the two fastest candidates only. */
static void tune_rigor(session *s, const char *rigor)
{
    const sx_space *space = &s->space;
    const int best = get_next(space, 0),
              second = best < 0 ? -1 : get_next(space, space->list[best].trial.ratio);
    if (best < 0 || sx_base_agree(s->all, sx_space_reserve(&s->space, 2), NULL))
        return;
    const double most = SX_SEARCH_RIGOR * space->list[best].trial.ratio;
    try_rigor(s, best, rigor);
    if (second >= 0 && space->list[second].trial.ratio <= most)
        try_rigor(s, second, rigor);
}

/* A candidate may have won because the reference was disturbed. The winner is compared again, until the same
 * candidate wins twice. If no time is left for this, the winner's measurement does not count. Returns the
 * index of the winner. */
static int confirm(session *s)
{
    int last = -1, best = get_best(&s->space);
    for (; best != last && best != s->tune.first; best = get_best(&s->space)) {
        sx_tune_trial again;
        sx_tune_trial *trial = &s->space.list[best].trial;
        sx_tune_measure(&s->tune, best, &again);
        count_directions(&again);
        again.executions += trial->executions;
        if (again.ratio > trial->ratio)
            *trial = again;
        if (again.outcome == SX_TUNE_UNTRIED)
            trial->outcome = SX_TUNE_UNCONFIRMED;
        trial->executions = again.executions;
        last = best;
    }
    return best;
}

static void scale_limits(sx_tune *t, double factor)
{
    t->executions *= factor;
    t->free_seconds *= factor;
    t->seconds *= factor;
}

/* Compare all candidates. Returns the index of the fastest one. */
static int compare(session *s)
{
    for (int i = s->tune.first + 1; i < s->space.n; i++)
        try_one(s, i);
    const int effort = s->space.base->hints.effort;
    if (effort > SX_EFFORT_MEASURE)
        tune_engines(s);
    tune_ways(s);
    if (effort > SX_EFFORT_MEASURE)
        tune_parameters(s);
    for (int i = SX_EFFORT_MEASURE; i <= effort && sx_space_has_rigors(&s->space); i++)
        tune_rigor(s, sx_hints_get_effort(i));
    scale_limits(&s->tune, 1 / SX_SEARCH_FIRST_SHARE);
    const int best = confirm(s);
    sx_explain_print_progress(&s->space.base->hints, s->all, s->space.n, s->space.n, NULL, s->tune.began);
    return best;
}

/* Set the limits of the search. Effort measure may take about a hundred executions. But a hundred executions
 * are too few to measure a few tenths of a millisecond, so a search may always take `free_seconds`. */
static void set_tune(session *s)
{
    const int effort = s->space.base->hints.effort, limit = s->space.base->hints.time_limit;
    s->tune = (sx_tune){.all = s->all,
                        .create = create,
                        .execute = execute,
                        .free = free_made,
                        .context = s,
                        .get_seconds = MPI_Wtime,
                        .executions = effort == SX_EFFORT_MEASURE ? SX_SEARCH_EXECUTIONS : INFINITY,
                        .free_seconds = SX_SEARCH_FREE_SECONDS,
                        .seconds = limit > 0 ? (double)limit : INFINITY,
                        .rounds = effort == SX_EFFORT_MEASURE ? 3 : 7};
    scale_limits(&s->tune, SX_SEARCH_FIRST_SHARE);
}

/* ---- the plan */

/* Choose the fastest candidate, or the reference if the gain is so small that it may be noise. */
static int choose(const session *s, int best)
{
    const int first = s->tune.first;
    return s->space.list[best].trial.ratio > 1 - SX_SEARCH_LEAST_GAIN ? first : best;
}

/* Make the reference the plan, and return 1. Return 0 if the engines of its exchanges must still be checked:
 * then the plan is created anew. */
static int reuse_reference(session *s, subx_grid *grid, subx_fft_plan *plan)
{
    made *m = s->tune.reference;
    const sx_strategy *strategy = m->plan->choice.strategy;
    if (strategy->hints == SX_HINTS_EXCHANGES || strategy->is_on_device)
        return 0;
    *plan = m->plan;
    *grid = m->grid;
    m->plan = SUBX_FFT_PLAN_NULL;
    m->grid = SUBX_GRID_NULL;
    return 1;
}

/* Create the fastest candidate again. The serial backend has noted its measurements, so the plan is the same
 * as before. If the candidate cannot be created, because an engine turns out to be wrong, take the
 * reference. */
static int take(session *s, int *chosen, subx_grid *grid, subx_fft_plan *plan)
{
    const int first = s->tune.first;
    subx_grid own = SUBX_GRID_NULL;
    int rc = *chosen == first ? 1 : create_candidate(s, *chosen, 1, &own, plan);
    if (rc) {
        *chosen = first;
        rc = reuse_reference(s, &own, plan) ? MPI_SUCCESS : create_candidate(s, first, 1, &own, plan);
    }
    sx_tune_complete(&s->tune);
    if (rc)
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
    r->nexecutions = 2 * s->tune.nexecutions;
    s->space.list = NULL;
}

static int search(session *s, subx_grid *grid, subx_fft_plan *plan)
{
    const double began = MPI_Wtime();
    int rc = sx_search_open_arrays(s->space.base->device, &s->arrays);
    rc = sx_base_agree(s->all, rc ? rc : sx_space_list(&s->space), NULL);
    if (!rc)
        rc = begin(s);
    if (rc)
        return rc;
    int chosen = choose(s, compare(s));
    rc = take(s, &chosen, grid, plan);
    if (!rc)
        set_report(s, chosen, MPI_Wtime() - began, *plan);
    return rc;
}

int sx_search_measure(const sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan)
{
    session s = {.space = {.base = choice, .hints = hints}, .grid = *grid};
    (void)subx_grid_get_comm(choice->shared.all_ranks, -1, &s.all);
    set_tune(&s);
    int rc = search(&s, grid, plan);
    sx_serial_notes_set_limit(choice->shared.notes, 0);
    sx_search_close_arrays(&s.arrays);
    sx_space_free(&s.space);
    return rc;
}
