/* pmpi_random.c - random MPI calls. Each is made twice: through the program's symbols, which the interposer
 * may replace, and by MPI's own functions. Memory, statuses and error codes must be the same.
 *
 * pmpi_random.sh runs this program with the interposer preloaded on all ranks, on some, and on none. By hand,
 * in the build folder:
 *
 *   PMPI_COUNT=10000 PMPI_SEED=3 make check TESTS=tests/compat/pmpi_random.sh
 *   mpiexec -n 4 env LD_PRELOAD=$PWD/.libs/libsubx_pmpi.so tests/compat/pmpi_random --seed 1 --first 0
 *   --count 1000
 *
 * All ranks draw the same scenario. Datatypes and ways of completion differ between ranks. */
#include "common/verdict.h"
#include "compat/pmpi/scene.h"
#include "random/watch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 30, TEXT = 256, BUFFER = 1 << 24 };

typedef struct settings {
    uint64_t seed, first, count, is_short;
} settings;

static int read_settings(int argc, char **argv, settings *s)
{
    static const char *const names[] = {"--seed", "--first", "--count", "--short"};
    uint64_t *const values[] = {&s->seed, &s->first, &s->count, &s->is_short};
    *s = (settings){test_seed(), 0, 100, 0};
    for (int i = 1; i < argc; i += 2) {
        int k = 0;
        while (k < 4 && strcmp(argv[i], names[k]) != 0)
            k++;
        if (k == 4 || i + 1 == argc)
            return 0;
        *values[k] = strtoull(argv[i + 1], NULL, 10);
    }
    return 1;
}

/* The scenarios. Messages and exchanges have the most variants, so they are drawn most often. The last one is
 * not drawn, but runs with --short 1: MPICH 4.0 is unreliable after errors of short messages. */
static const struct {
    const char *text;
    scenario *run;
    int with_inter;
} scenarios[] = {{"messages", point_run, 1},       {"messages", point_run, 1},
                 {"messages", point_run, 1},       {"messages", point_run, 1},
                 {"an exchange", alltoall_run, 1}, {"an exchange", alltoall_run, 1},
                 {"an exchange", alltoall_run, 1}, {"packing", pack_run, 0},
                 {"any source", many_run, 0},      {"cancelled receives", cancel_run, 0},
                 {"mistakes", errors_run, 0},      {"short messages", short_run, 0}};
enum { SHORT = sizeof scenarios / sizeof *scenarios - 1 };

static scene perform(const settings *s, uint64_t number, int which, const calls *mpi, int by_definition)
{
    char text[TEXT], where[64];
    scene now = scene_create(mpi, s->seed, number, scenarios[which].with_inter, where);
    snprintf(text, sizeof text, "%s %s, %s, number %llu; --seed %llu --first %llu --count 1 --short %d\n",
             scenarios[which].text, where,
             by_definition         ? "by definition"
             : mpi == &calls_plain ? "by MPI"
                                   : "by the program",
             (unsigned long long)number, (unsigned long long)s->seed, (unsigned long long)number,
             which == SHORT);
    test_context("%s", text);
    random_watch_start(text, SECONDS);
    now.by_definition = by_definition;
    scenarios[which].run(&now);
    scene_free(&now);
    random_watch_stop();
    return now;
}

/* Compare with MPI. If an exchange differs, compare with the definition instead, because some exchanges of
 * MPI are wrong (pmpi/alltoall.c). On one rank, Open MPI's MPI_Alltoallw ignores displacements. */
static int is_right(const settings *s, uint64_t number, int which, const scene *program, char *text)
{
    const int is_exchange = scenarios[which].run == alltoall_run;
    scene plain = perform(s, number, which, &calls_plain, 0);
    int is_same = trace_equal(&program->trace, &plain.trace, text, TEXT), is_wrong = !is_same, any_wrong;
    trace_free(&plain.trace);
    MPI_Allreduce(&is_wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any_wrong && is_exchange) {
        scene defined = perform(s, number, which, &calls_program, 1);
        is_same = is_same || trace_contains(&program->trace, &defined.trace);
        trace_free(&defined.trace);
    }
    return is_same;
}

static void run(const settings *s)
{
    char text[TEXT];
    for (uint64_t i = s->first; i < s->first + s->count; i++) {
        test_random r = test_random_stream(s->seed ^ 0x5eed, i);
        const int which = s->is_short ? SHORT : test_random_int(&r, 0, SHORT - 1);
        scene program = perform(s, i, which, &calls_program, 0);
        const int same = is_right(s, i, which, &program, text);
        test_expect(same, __FILE__, __LINE__, text);
        trace_free(&program.trace);
    }
}

int main(int argc, char **argv)
{
    settings s;
    void *buffer = malloc(BUFFER);
    int bytes;
    test_begin(&argc, &argv);
    if (!read_settings(argc, argv, &s) || !buffer || !calls_find()) {
        if (test_rank == 0)
            printf(
                "usage: pmpi_random [--seed S] [--first I] [--count N] [--short 1]; or no library of MPI was found\n");
        MPI_Finalize();
        return 2;
    }
    random_watch_begin(test_rank);
    printf("rank %d: %s\n", test_rank, calls_differ() ? "interposed" : "plain");
    MPI_Buffer_attach(buffer, BUFFER);
    run(&s);
    printf("rank %d: elements of %d of %d pieces overlap\n", test_rank, piece_overlapping, piece_all);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    return test_end();
}
