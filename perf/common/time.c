/* time.c - time several actions alternately, so that changes of the machine's speed affect all of them
 * alike. */
#include "common/perf.h"

#include <stdlib.h>
#include <string.h>

/* Each timing takes at least this long. A barrier is short compared with this, unless ranks wait for a
 * processor. */
static const double least_seconds = 100e-6;
enum { INNER_MAX = 1 << 20 };

void sx_perf_time_create_copy(const struct sx_perf_settings *settings, void *to, const void *from,
                              ptrdiff_t bytes, struct sx_perf_copy *copy)
{
    int code = MPI_SUCCESS;
    *copy = (struct sx_perf_copy){to, from, (size_t)bytes, SUBX_COPY_NULL};
    if (settings->memory != SX_PERF_DEVICE)
        return;
    code = subx_copy_create(0, NULL, NULL, NULL, bytes, 0, &copy->on_device);
    if (code == MPI_SUCCESS)
        code = subx_copy_set_memory(copy->on_device, sx_perf_engines_get_kind(settings), NULL);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "no copy on the device");
}

int sx_perf_time_copy(void *copy)
{
    const struct sx_perf_copy *c = copy;
    if (c->on_device)
        return subx_copy_execute(c->on_device, c->from, c->to);
    memcpy(c->to, c->from, c->bytes);
    return MPI_SUCCESS;
}

/* Make the executions of one timing, after a barrier. Returns the time at which the first one began. */
static double run(const struct sx_perf_case *c)
{
    double begin;
    int code = MPI_SUCCESS;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    for (int i = 0; i < c->inner && code == MPI_SUCCESS; i++)
        code = c->run(c->context);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "an execution failed");
    return begin;
}

static double time_one(const struct sx_perf_case *c)
{
    double begin = run(c);
    /* The action does not wait for other ranks. If there are more ranks than processors, ranks may execute
     * the action one after the other. Therefore the timing lasts until all ranks have finished. */
    if (c->alone)
        MPI_Barrier(MPI_COMM_WORLD);
    return (MPI_Wtime() - begin) / c->inner;
}

/* Get the seconds of all executions of a timing on the fastest rank, without the barrier at the end. */
static double get_seconds(const struct sx_perf_case *c)
{
    double begin = run(c), seconds = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    return seconds;
}

void sx_perf_time_raise(int n, struct sx_perf_case cases[])
{
    for (int i = 0; i < n; i++) {
        struct sx_perf_case *c = &cases[i];
        /* A timing that seems long enough is repeated, because another program may have made it long. */
        while (c->inner < INNER_MAX && (get_seconds(c) < least_seconds || get_seconds(c) < least_seconds))
            c->inner *= 2;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void evaluate(struct sx_perf_case *c, double seconds[], int rounds)
{
    qsort(seconds, (size_t)rounds, sizeof *seconds, compare);
    c->min = seconds[0];
    c->median = 0.5 * (seconds[(rounds - 1) / 2] + seconds[rounds / 2]);
}

uint64_t sx_perf_time_get_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

/* Set turn[] to a permutation of 0 .. n-1 by the inside-out shuffle of R. Fisher and F. Yates. The
 * permutation depends only on n and the number of the round, so all ranks get the same one. */
static void shuffle(int n, uint64_t round, int turn[])
{
    for (int i = 0; i < n; i++) {
        int k = (int)(sx_perf_time_get_random(&round) % (uint64_t)(i + 1));
        turn[i] = turn[k];
        turn[k] = i;
    }
}

void sx_perf_time_execute(int n, struct sx_perf_case cases[], int rounds, struct sx_perf_progress *progress)
{
    /* Count the rounds of the whole program. Otherwise every call of this function would begin with the
     * same orders. */
    static uint64_t nrounds;
    double *seconds = sx_perf_memory_create_small((ptrdiff_t)n * rounds, sizeof *seconds);
    int *turn = sx_perf_memory_create_small(n, sizeof *turn);
    for (int round = 0; round < rounds; round++) {
        shuffle(n, nrounds++, turn);
        for (int i = 0; i < n; i++)
            seconds[(ptrdiff_t)turn[i] * rounds + round] = time_one(&cases[turn[i]]);
        sx_perf_progress_add(progress);
    }
    for (int i = 0; i < n; i++) {
        MPI_Allreduce(MPI_IN_PLACE, seconds + (ptrdiff_t)i * rounds, rounds, MPI_DOUBLE, MPI_MAX,
                      MPI_COMM_WORLD);
        evaluate(&cases[i], seconds + (ptrdiff_t)i * rounds, rounds);
    }
    free(turn);
    free(seconds);
}
