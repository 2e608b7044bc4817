/* fft.c - random transforms compared with the definition. A transform may have any option that a plan has.
 *
 * ./check runs the first 200 problems of a fixed seed. To run other problems, in the build folder:
 *
 *   mpiexec -n 12 tests/random/fft --seed 1 --first 0 --count 1000
 *   mpiexec -n 12 tests/random/fft --seed 2 --seconds 600
 *   RANDOM_SEED=1 RANDOM_COUNT=1000 TEST_SECONDS=900 make check TESTS=tests/random/fft
 *
 * TEST_SECONDS is the time limit of tests/common/launch (default: 120 seconds).
 *
 * Each problem has its own number of ranks, at most the number of the program's ranks; the other ranks wait.
 * A failure prints the problem as a command of subx-fft, and the command line of this program that repeats
 * the problem exactly. At the end, the program prints how many problems the library refused, by reason. Open
 * MPI needs --oversubscribe if there are fewer cores than ranks.
 * ranks: 7 (each problem has its own number of ranks, from one to seven) */
#include "common/verdict.h"
#include "random/problem.h"
#include "random/refusal.h"
#include "random/trial.h"
#include "random/watch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_fft.h>

/* The time limit for one problem, in seconds. A problem usually takes a fraction of a second, or a few
 * seconds if ranks share cores. */
enum { SECONDS = 60 };

typedef struct settings {
    uint64_t seed, first, count, seconds; /* seconds: after this time no problem begins; 0: no limit */
} settings;

static uint64_t get_number(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

/* Returns 0 if an option is not known or has no value. --count or RANDOM_COUNT is the number of problems.
 * With --seconds alone, problems are solved until the time is over. */
static int read_settings(int argc, char **argv, settings *s)
{
    static const char *const names[] = {"--seed", "--first", "--count", "--seconds"};
    uint64_t *const values[] = {&s->seed, &s->first, &s->count, &s->seconds};
    int is_given[4] = {0};
    *s = (settings){get_number("RANDOM_SEED", test_seed()), 0, get_number("RANDOM_COUNT", 0), 0};
    for (int i = 1; i < argc; i += 2) {
        int k = 0;
        while (k < 4 && strcmp(argv[i], names[k]) != 0)
            k++;
        if (k == 4 || i + 1 == argc)
            return 0;
        *values[k] = strtoull(argv[i + 1], NULL, 10);
        is_given[k] = 1;
    }
    if (s->count == 0)
        s->count = is_given[3] ? UINT32_MAX : 200;
    return 1;
}

/* Solve a problem. All ranks get the outcome, and whether rank 0 has used up its time. */
static random_outcome solve(const random_problem *p, int *is_late)
{
    random_outcome here = {0, -1, 0};
    MPI_Comm comm = random_problem_comm(p);
    if (comm != MPI_COMM_NULL) {
        here = random_trial_run(p, comm);
        MPI_Comm_free(&comm);
    }
    random_watch_phase("waiting for the others");
    int mine[4] = {here.kind, here.refusal, here.failures, test_rank == 0 && *is_late}, all[4];
    MPI_Allreduce(mine, all, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    *is_late = all[3];
    return (random_outcome){all[0], all[1], all[2]};
}

/* How many problems were solved, failed and refused. */
enum { REASONS_MAX = 32 };
typedef struct tally {
    long solved, failed, refused[REASONS_MAX]; /* refused: by reason */
    int is_cut;                                /* the time was over, and some problems were not begun */
} tally;

static void add(tally *t, random_outcome o)
{
    t->failed += o.failures > 0;
    t->solved += o.failures == 0 && o.kind == 0;
    if (o.failures == 0 && o.kind != 0)
        t->refused[o.refusal]++;
}

static void print(const tally *t)
{
    const char *text;
    printf("%ld solved, %ld failed%s\n", t->solved, t->failed, t->is_cut ? "; the time was over" : "");
    for (int i = 0; (text = random_refusal_get_text(i)); i++)
        if (t->refused[i])
            printf("%6ld refused: %s\n", t->refused[i], text);
}

static void run(const settings *s, tally *t)
{
    const double began = MPI_Wtime();
    char text[RANDOM_TEXT];
    int is_late = 0;
    for (uint64_t i = s->first; i < s->first + s->count && !is_late; i++) {
        const random_problem p = random_problem_draw(s->seed, i, test_nranks);
        random_problem_print(&p, text);
        random_watch_start(text, SECONDS);
        is_late = s->seconds > 0 && MPI_Wtime() - began > (double)s->seconds;
        const random_outcome o = solve(&p, &is_late);
        random_watch_stop();
        EXPECT(o.failures >= 0);
        if (o.failures && test_rank == 0)
            printf("FAIL: problem %llu:\n%s", (unsigned long long)i, text);
        fflush(stdout);
        add(t, o);
    }
    t->is_cut = is_late;
}

int main(int argc, char **argv)
{
    int level;
    settings s;
    tally t = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    test_begin(&argc, &argv);
    if (!read_settings(argc, argv, &s)) {
        if (test_rank == 0)
            printf("usage: fft [--seed S] [--first I] [--count N] [--seconds T]\n");
        MPI_Finalize();
        return 2;
    }
    MPI_Bcast(&s, 4, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    random_watch_begin(test_rank);
    if (test_rank == 0)
        printf("problems of seed %llu from number %llu on\n", (unsigned long long)s.seed,
               (unsigned long long)s.first);
    random_hint_check();
    run(&s, &t);
    if (test_rank == 0)
        print(&t);
    return test_end();
}
