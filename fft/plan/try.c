/* try.c - take the strategy, and the serial backend, whose plan is the fastest one here, as FFTW_MEASURE does with its algorithms. */
#include "plan/plan.h"
#include "tune/tune.h"
#include <math.h>
#include <string.h>

/* ---- candidates: strategies, engines for them, and serial backends */

typedef struct candidate {
    const sx_strategy *strategy;
    const char *engine;
    const sx_serial *serial;
    char name[SX_HINT_LEN];
} candidate;

enum { CANDIDATES_MAX = 16 };

typedef struct trial {
    const sx_choice *choice;
    subx_grid grid;
    MPI_Info hints;
    int n;
    candidate list[CANDIDATES_MAX];
} trial;

static void add_candidate(trial *t, const sx_strategy *strategy, const char *engine, const sx_serial *serial)
{
    if (t->n == CANDIDATES_MAX)
        return;
    candidate *c = &t->list[t->n++];
    sx_text text = {c->name, sizeof c->name, 0};
    c->strategy = strategy;
    c->engine = engine;
    c->serial = serial;
    sx_base_print(&text, strcmp(engine, "auto") == 0 ? "%s" : "%s by %s", strategy->name, engine);
    if (serial != t->choice->serial)
        sx_base_print(&text, " with %s", serial->name);
}

/* Arrays of more than this many tiles are much larger than the caches. There the preferred strategy was the fastest
 * wherever it was measured with exchanges, and trying the others would take time, and memory for two more arrays. */
enum { MANY_TILES = 16 };

static void list_candidates(trial *t)
{
    const sx_choice *c = t->choice;
    const sx_serial *fftw3 = sx_serial_find("fftw3", c->array.precision);
    const int nranks = sx_choice_get_nranks(c);
    const int is_small = sx_choice_get_share(c) <= MANY_TILES * (double)c->cache_bytes;
    for (int i = 0; sx_strategy_table[i]; i++) {
        const sx_strategy *s = sx_strategy_table[i];
        if (!s->serves(c) || (s->needs_exchanges && nranks == 1))
            continue;
        for (int k = 0; s->engines[k] && (t->n == 0 || nranks == 1 || is_small); k++)
            add_candidate(t, s, s->engines[k], c->serial);
        if (i == 0 && is_small && c->serial == &sx_serial_auto && fftw3)
            add_candidate(t, s, "auto", fftw3);
    }
}

/* ---- one of them */

static int create_candidate(trial *t, int i, subx_fft_plan *plan)
{
    sx_choice c = *t->choice;
    sx_choice_set_strategy(&c, t->list[i].strategy);
    c.serial = t->list[i].serial;
    strcpy(c.serial_name, c.serial->name);
    strcpy(c.engine, t->list[i].engine);
    return sx_plan_create(&c, t->grid, t->hints, plan);
}

typedef struct execution {
    subx_fft_plan plan;
    void *array[2]; /* by side */
} execution;

static int execute(void *context)
{
    execution *e = context;
    return subx_fft_execute(e->plan, SUBX_FFT_FORWARD, e->array[SUBX_FFT_PHYSICAL],
                            e->array[SUBX_FFT_SPECTRAL]);
}

/* On arrays of zeros. */
static int time_plan(subx_fft_plan plan, double *seconds)
{
    execution e = {.plan = plan};
    int rc = MPI_SUCCESS;
    for (int side = 0; side < 2; side++) {
        ptrdiff_t bytes = 0;
        (void)subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &bytes);
        e.array[side] = sx_base_alloc(bytes, 1);
        rc = e.array[side] ? rc : subx_error_get(SUBX_ERR_NO_MEM);
    }
    rc = sx_base_agree(plan->all, rc, NULL);
    if (!rc)
        rc = sx_tune_measure(plan->all, execute, &e, seconds);
    sx_base_free(e.array[1]);
    sx_base_free(e.array[0]);
    return rc;
}

/* A candidate cannot serve if it needs what is not available or more than it may have, or if its engine was found
 * to be wrong. */
static double get_cost(void *context, int i)
{
    double seconds = 0;
    subx_fft_plan plan;
    int rc = create_candidate(context, i, &plan);
    if (!rc)
        rc = time_plan(plan, &seconds);
    sx_plan_free(&plan);
    return rc ? INFINITY : seconds;
}

/* ---- all of them */

/* The serial backend remembers what it found out for the best one. If no candidate can serve, the first one tells
 * why. */
int sx_plan_try(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan)
{
    trial t = {.choice = choice, .grid = grid, .hints = hints};
    const char *names[CANDIDATES_MAX];
    char report[sizeof(*plan)->measured] = "";
    sx_text text = {report, sizeof report, 0};
    list_candidates(&t);
    for (int i = 0; i < t.n; i++)
        names[i] = t.list[i].name;
    int best = t.n > 1 ? sx_tune_choose(t.n, names, get_cost, &t, &text) : 0;
    int rc = create_candidate(&t, best < 0 ? 0 : best, plan);
    if (!rc)
        strcpy((*plan)->measured, report);
    return rc;
}
