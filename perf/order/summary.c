/* summary.c - the notes at the end: for each engine, and for the best engine of each pair, the pairs with the smallest
 * and the largest ratio; comparisons with Yan's tables. */
#include "order/order.h"

/* The pairs with the smallest and the largest ratio, -1 if there are none; how many pairs have a result. */
struct extremes {
    int best, worst, count;
};

/* Get the result of an engine for a pair, or, if engine < 0, of the fastest engine. NULL if there is no result. */
static const struct sx_perf_order_result *get(const struct sx_perf_order_job *job, int engine, int pair)
{
    int nengines = job->settings.common.engines.n;
    const struct sx_perf_order_result *row = job->results + (ptrdiff_t)pair * nengines, *found = NULL;
    for (int e = engine < 0 ? 0 : engine; e < nengines && (engine < 0 || e == engine); e++)
        if (row[e].ratio >= 0 && (!found || row[e].median < found->median))
            found = &row[e];
    return found;
}

static struct extremes get_extremes(const struct sx_perf_order_job *job, int engine)
{
    struct extremes x = {-1, -1, 0};
    for (int p = 0; p < job->npairs; p++) {
        const struct sx_perf_order_result *result = get(job, engine, p);
        if (!result)
            continue;
        if (x.best < 0 || result->ratio < get(job, engine, x.best)->ratio)
            x.best = p;
        if (x.worst < 0 || result->ratio > get(job, engine, x.worst)->ratio)
            x.worst = p;
        x.count++;
    }
    return x;
}

static void print_pair(const struct sx_perf_order_job *job, int pair, size_t len, char *text)
{
    char s[32], r[32];
    sx_perf_orders_print(job->ndims, job->pairs[pair].send, sizeof s, s);
    sx_perf_orders_print(job->ndims, job->pairs[pair].recv, sizeof r, r);
    snprintf(text, len, "%s to %s", s, r);
}

static void note_extremes(struct sx_perf_order_job *job, int engine, const char *name)
{
    struct extremes x = get_extremes(job, engine);
    char best[80], worst[80];
    if (x.count < job->npairs)
        sx_perf_table_add_note(&job->table,
                               "%s: left out on %d of %d pairs, which it cannot serve or got wrong", name,
                               job->npairs - x.count, job->npairs);
    if (x.count == 0)
        return;
    print_pair(job, x.best, sizeof best, best);
    print_pair(job, x.worst, sizeof worst, worst);
    sx_perf_table_add_note(&job->table, "%s: %.2f (%s) to %.2f (%s) times %s", name,
                           get(job, engine, x.best)->ratio, best, get(job, engine, x.worst)->ratio, worst,
                           sx_perf_order_query_device(job) ? "copy" : "mpi-subarray");
}

/* Write a note: for how many pairs each engine is the fastest. */
static void note_wins(struct sx_perf_order_job *job)
{
    int nengines = job->settings.common.engines.n;
    for (int e = 0; e < nengines; e++) {
        int wins = 0;
        for (int p = 0; p < job->npairs; p++)
            wins += get(job, -1, p) == &job->results[(ptrdiff_t)p * nengines + e];
        if (wins)
            sx_perf_table_add_note(&job->table, "%s: the fastest engine on %d of %d pairs",
                                   job->settings.common.engines.name[e], wins, job->npairs);
    }
}

/* Write a note that compares with Yan's table 1a. There the fastest pair takes 4.40 s, and the slowest pair 22.23 s. */
static void note_table1a(struct sx_perf_order_job *job, int engine, const char *name)
{
    int fast = -1, slow = -1;
    for (int p = 0; p < job->npairs; p++) {
        const struct sx_perf_order_result *result = get(job, engine, p);
        if (!result)
            continue;
        if (fast < 0 || result->median < get(job, engine, fast)->median)
            fast = p;
        if (slow < 0 || result->median > get(job, engine, slow)->median)
            slow = p;
    }
    if (fast >= 0)
        sx_perf_table_add_note(&job->table,
                               "table 1a, %s: slowest pair %.6f s, fastest %.6f s, ratio %.2f (Yan: 5.05)",
                               name, get(job, engine, slow)->median, get(job, engine, fast)->median,
                               get(job, engine, slow)->median / get(job, engine, fast)->median);
}

/* Write a note that compares with Yan's table 1b. There an exchange takes 5 to 33 percent longer than with MPI's subarray
 * types. */
static void note_table1b(struct sx_perf_order_job *job, int engine, const char *name)
{
    const struct sx_perf_order_result *result = get(job, engine, 0);
    if (result)
        sx_perf_table_add_note(
            &job->table,
            "table 1b, %s: mpi-subarray %.6f s, 0-2-1 to 1-0-2 %.6f s, increase %.1f %% (Yan: 4.6 to "
            "33.3 %%)",
            name, result->median / result->ratio, result->median, 100 * (result->ratio - 1));
}

static void note_one(struct sx_perf_order_job *job, int engine, const char *name)
{
    note_extremes(job, engine, name);
    if (job->settings.set == SX_PERF_ORDER_TABLE1A)
        note_table1a(job, engine, name);
    if (job->settings.set == SX_PERF_ORDER_TABLE1B)
        note_table1b(job, engine, name);
}

void sx_perf_order_summary_export(struct sx_perf_order_job *job)
{
    for (int e = 0; e < job->settings.common.engines.n; e++)
        note_one(job, e, job->settings.common.engines.name[e]);
    note_wins(job);
    note_one(job, -1, "the best engine of each pair");
    if (job->nwrong)
        sx_perf_table_add_note(&job->table, "WRONG: %d exchanges", job->nwrong);
}
