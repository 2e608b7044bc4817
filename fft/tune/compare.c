/* compare.c - execute candidates alternately with a reference, because the speed of a shared machine varies.
 * A comparison ends when its executions or its seconds are used up. */
#include "tune/tune.h"
#include <math.h>

/* A burst: consecutive executions of the candidate, or of the reference, in a round. A burst is longer if one
 * execution takes longer, and shorter if the limits require it. */

/* ---- time */

/* Set the seconds, and the elapsed time, to their maxima over all ranks; agree on the outcome. */
static int share(sx_tune *t, int rc, double *seconds)
{
    double both[] = {*seconds, t->get_seconds() - t->began};
    int failed = MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_MAX, t->all);
    *seconds = both[0];
    t->elapsed = both[1];
    return sx_base_agree(t->all, rc ? rc : failed, NULL);
}

/* Execute a burst. *seconds becomes the time of one execution. If a call fails, this rank goes on, because
 * the other ranks do. */
static int time_burst(sx_tune *t, void *made, int repeats, double *seconds)
{
    int rc = MPI_Barrier(t->all), failed;
    double began = t->get_seconds(), whole;
    for (int i = 0; i < repeats; i++) {
        failed = t->execute(made);
        rc = rc ? rc : failed;
    }
    whole = t->get_seconds() - began;
    rc = share(t, rc, &whole);
    t->nexecutions += repeats;
    *seconds = fmax(whole / repeats, SX_TUNE_TICK);
    t->spent += made == t->reference ? repeats : whole / t->latest;
    t->spent_seconds += whole;
    return rc;
}

/* ---- limits */

/* Get the seconds that are left. The limit in executions becomes a limit in seconds: an execution counts as
 * many seconds as the reference took per execution in its latest burst. */
static double get_left(const sx_tune *t)
{
    const double left = fmax((t->executions - t->spent) * t->latest, t->free_seconds - t->spent_seconds);
    return fmin(left, t->seconds - t->elapsed);
}

int sx_tune_is_over(const sx_tune *t)
{
    return get_left(t) < SX_TUNE_LEAST_EXECUTIONS * t->latest;
}

/* Get the number of executions in each burst of a round; 0 if too little time is left. The round has n
 * bursts. `seconds` is the time of a round whose bursts have one execution each. */
static int get_repeats(const sx_tune *t, int n, double seconds)
{
    double left = get_left(t), affordable = left / SX_TUNE_SHARES / t->rounds / seconds;
    double repeats = fmin(n * SX_TUNE_BURST / seconds, affordable);
    return repeats >= 1 ? sx_base_fit((ptrdiff_t)repeats) : left >= seconds;
}

/* ---- the reference */

static void set_ratio(const sx_tune *t, sx_tune_trial *trial, double ratio)
{
    trial->ratio = ratio;
    trial->seconds = ratio * t->reference_seconds;
}

/* Measure the reference alone. Two single executions show how many executions the third burst needs to take
 * SX_TUNE_BURST. */
static int measure_reference(sx_tune *t, sx_tune_trial *trial)
{
    double first = 0;
    int repeats = 0, rc = time_burst(t, t->reference, 1, &first);
    if (!rc)
        rc = time_burst(t, t->reference, 1, &t->latest);
    t->reference_seconds = t->latest;
    if (!rc)
        repeats = get_repeats(t, 1, t->latest);
    if (repeats > 0)
        rc = time_burst(t, t->reference, repeats, &t->latest);
    t->reference_seconds = fmin(t->reference_seconds, t->latest);
    t->cold = fmax(first / t->reference_seconds, 1);
    trial->executions = t->nexecutions;
    if (rc)
        return rc;
    trial->outcome = SX_TUNE_MEASURED;
    set_ratio(t, trial, 1);
    return MPI_SUCCESS;
}

int sx_tune_start(sx_tune *t, int i, sx_tune_trial *trial)
{
    void *made = NULL;
    *trial = (sx_tune_trial){SX_TUNE_FAILED, INFINITY, INFINITY, 0};
    t->first = i;
    t->reference = NULL;
    t->began = t->get_seconds();
    t->reference_seconds = t->latest = t->elapsed = t->spent = t->spent_seconds = 0;
    t->least = 1;
    t->nexecutions = 0;
    int rc = t->create(t->context, i, &made);
    if (rc)
        return rc;
    t->reference = made;
    rc = measure_reference(t, trial);
    if (rc)
        sx_tune_complete(t);
    return rc;
}

void sx_tune_complete(sx_tune *t)
{
    if (t->reference)
        t->free(t->reference);
    t->reference = NULL;
}

/* ---- other candidates */

/* The times of a comparison: the candidate's first execution; the least times of candidate and reference in
 * all rounds.
 *
 * Other programs make executions longer, never shorter. Hence the least time is the closest to the
 * undisturbed time, and the ratio of the least times is right if candidate and reference were each
 * undisturbed in one round. The median of the rounds' ratios would be right only if most rounds were
 * undisturbed: in three rounds on a busy machine it was wrong by more than 5 % three to six times as often. A
 * change of the machine's speed makes the ratio wrong only if it happens between the two bursts of the first
 * round or of the last round: otherwise both have a burst before and after the change. */
typedef struct times {
    double first, candidate, reference;
} times;

/* Execute a candidate for the first time, and stop it if it is slow. A first execution takes longer, because
 * it touches pages and makes connections: t->cold times as long for the reference, and so the candidate's
 * time is divided by t->cold. The machine may have become slower since the last round, so the reference is
 * executed again before a candidate is stopped. */
static int execute_first(sx_tune *t, void *made, times *s, sx_tune_trial *trial)
{
    trial->executions = 1;
    int rc = time_burst(t, made, 1, &s->first);
    const double warm = s->first / t->cold, most = SX_TUNE_AFTER_FIRST * t->least;
    if (!rc && warm > most * t->latest)
        rc = time_burst(t, t->reference, 1, &t->latest);
    if (!rc && warm > most * t->latest) {
        trial->outcome = SX_TUNE_STOPPED;
        set_ratio(t, trial, warm / t->latest);
    }
    return rc;
}

/* A candidate is stopped if all its executions were slow, including the first one. */
static int execute_turn(sx_tune *t, void *made, int repeats, times *s, sx_tune_trial *trial)
{
    double seconds = INFINITY;
    int rc = time_burst(t, t->reference, repeats, &t->latest);
    if (rc)
        return rc;
    trial->executions += repeats;
    rc = time_burst(t, made, repeats, &seconds);
    s->reference = fmin(s->reference, t->latest);
    s->candidate = fmin(s->candidate, seconds);
    const int is_slow = fmin(s->candidate, s->first) > SX_TUNE_AFTER_ROUND * t->least * s->reference;
    trial->outcome = is_slow ? SX_TUNE_STOPPED : SX_TUNE_MEASURED;
    set_ratio(t, trial, s->candidate / s->reference);
    return rc;
}

/* Compare a candidate with the reference in at most t->rounds rounds. Before each round, compute from the
 * times so far how many executions fit into the time that is left. */
static int compare(sx_tune *t, void *made, sx_tune_trial *trial)
{
    times s = {INFINITY, INFINITY, INFINITY};
    int rc = execute_first(t, made, &s, trial);
    for (int round = 0; round < t->rounds && !rc && trial->outcome != SX_TUNE_STOPPED; round++) {
        int repeats = get_repeats(t, 2, t->latest + fmin(s.first / t->cold, s.candidate));
        if (repeats == 0)
            break;
        rc = execute_turn(t, made, repeats, &s, trial);
    }
    if (!rc && trial->outcome == SX_TUNE_MEASURED)
        t->least = fmin(t->least, trial->ratio);
    return rc;
}

void sx_tune_measure(sx_tune *t, int i, sx_tune_trial *trial)
{
    void *made = NULL;
    double none = 0;
    *trial = (sx_tune_trial){SX_TUNE_UNTRIED, INFINITY, INFINITY, 0};
    if (sx_tune_is_over(t))
        return;
    int created = t->create(t->context, i, &made);
    int rc = share(t, created, &none);
    if (!rc && !sx_tune_is_over(t))
        rc = compare(t, made, trial);
    if (!created)
        t->free(made);
    if (rc)
        *trial = (sx_tune_trial){SX_TUNE_FAILED, INFINITY, INFINITY, trial->executions};
}
