/* try.c - take the strategy whose plan is the fastest one here, as FFTW_MEASURE does with its algorithms. */
#include "plan/plan.h"
#include <math.h>
#include <string.h>

/* ---- how long a plan takes */

/* Executions last at least this long together, seconds, and the best of several such rounds counts: one that
 * nothing else disturbed. */
static const double round_seconds = 2e-3, most_seconds = 1;
enum { ROUNDS = 9, MOST_TIMES = 1 << 10 };

/* Seconds for an execution on the slowest rank. Collective; a rank whose execution has failed meets the others
 * after the round, if they do not wait for it inside theirs. */
static int run_round(subx_fft_plan plan, MPI_Comm all, int times, const void *from, void *to, double *seconds)
{
    int rc = MPI_Barrier(all);
    double began = MPI_Wtime();
    for (int i = 0; i < times && !rc; i++)
        rc = subx_fft_execute(plan, SUBX_FFT_FORWARD, from, to);
    *seconds = (MPI_Wtime() - began) / times;
    int failed = MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, all);
    return sx_base_agree(all, rc ? rc : failed, NULL);
}

/* The second execution tells how many make a round. */
static int measure(subx_fft_plan plan, MPI_Comm all, const void *from, void *to, double *best)
{
    double seconds = 0, spent = 0;
    int times = 1;
    int rc = run_round(plan, all, 1, from, to, &seconds);
    if (!rc)
        rc = run_round(plan, all, 1, from, to, &seconds);
    while (times < MOST_TIMES && times * seconds < round_seconds)
        times *= 2;
    *best = INFINITY;
    for (int i = 0; i < ROUNDS && spent < most_seconds && !rc; i++) {
        rc = run_round(plan, all, times, from, to, &seconds);
        *best = seconds < *best ? seconds : *best;
        spent += times * seconds;
    }
    return rc;
}

/* On arrays of zeros. */
static int time_plan(subx_fft_plan plan, MPI_Comm all, double *best)
{
    ptrdiff_t bytes[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        (void)subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &bytes[side]);
    void *from = sx_base_alloc(bytes[SUBX_FFT_PHYSICAL], 1), *to = sx_base_alloc(bytes[SUBX_FFT_SPECTRAL], 1);
    int rc = sx_base_agree(all, from && to ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM), NULL);
    if (!rc)
        rc = measure(plan, all, from, to, best);
    sx_base_free(to);
    sx_base_free(from);
    return rc;
}

/* ---- candidates */

typedef struct candidate {
    int strategy;
    const char *engine;
} candidate;

/* Natural with MPI's own engine is what is left to MPI as a whole: nothing of ours may be slower than it. */
static const candidate candidates[] = {{SX_FUSED, "auto"},
                                       {SX_STRIDE1, "auto"},
                                       {SX_NATURAL, "auto"},
                                       {SX_NATURAL, "types"},
                                       {SX_NATURAL, "alltoallw"}};
enum { NCANDIDATES = sizeof candidates / sizeof candidates[0] };

static int create_candidate(const sx_choice *choice, const candidate *t, MPI_Comm all, MPI_Info hints,
                            subx_fft_plan *plan)
{
    sx_choice c = *choice;
    MPI_Info info = MPI_INFO_NULL;
    c.strategy = t->strategy;
    strcpy(c.engine, t->engine);
    *plan = SUBX_FFT_PLAN_NULL;
    int rc = sx_base_agree(all, sx_plan_add_hint(hints, "subx_engine", t->engine, &info), NULL);
    if (!rc)
        rc = sx_plan_create(&c, all, info, plan);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return rc;
}

/* Get the seconds that a candidate takes, the same on all ranks; infinity if it cannot serve here: what it
 * needs is not to be had, or is more than it may have, or its engine was found to be wrong. */
static double time_candidate(const sx_choice *choice, const candidate *t, MPI_Comm all, MPI_Info hints)
{
    double seconds = 0;
    subx_fft_plan plan;
    int rc = sx_base_agree(all, create_candidate(choice, t, all, hints, &plan), NULL);
    if (!rc)
        rc = time_plan(plan, all, &seconds);
    subx_fft_plan_free(&plan);
    return rc ? INFINITY : seconds;
}

/* ---- what is tried */

/* Arrays beyond this many tiles are far beyond the caches. There, with exchanges, fused was the fastest
 * wherever it was measured; trying the others would take time, and memory for two more arrays. */
enum { MANY_TILES = 16 };

static int is_worth_trying(const sx_choice *c)
{
    return sx_choice_get_nranks(c) == 1 || sx_choice_get_share(c) <= MANY_TILES * (double)c->cache_bytes;
}

/* Natural knows no other output; without an exchange it is the same as stride1. */
static int is_pointless(const sx_choice *c, const candidate *t)
{
    return t->strategy == SX_NATURAL && (c->output == SX_OUTPUT_TRANSPOSED || sx_choice_get_nranks(c) == 1);
}

/* One plan at a time, for the sake of memory; the backend remembers what it found out for the best one. If
 * none can serve it is fused, whose error is told then. */
static const candidate *find_best(const sx_choice *choice, MPI_Comm all, MPI_Info hints)
{
    const candidate *best = &candidates[0];
    double least = INFINITY;
    for (int i = 0; i < NCANDIDATES; i++) {
        double seconds = is_pointless(choice, &candidates[i])
                             ? INFINITY
                             : time_candidate(choice, &candidates[i], all, hints);
        if (seconds < least) {
            least = seconds;
            best = &candidates[i];
        }
    }
    return best;
}

int sx_plan_try(const sx_choice *choice, MPI_Comm all, MPI_Info hints, subx_fft_plan *plan)
{
    const candidate *best = is_worth_trying(choice) ? find_best(choice, all, hints) : &candidates[0];
    return create_candidate(choice, best, all, hints, plan);
}
