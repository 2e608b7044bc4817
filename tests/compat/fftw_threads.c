/* fftw_threads.c - with MPI_THREAD_MULTIPLE, equal plans of FFTW's interface share work space, and threads
 * may nevertheless execute them at the same time, in another order on each rank.
 * ranks: 1 2 3 (each of them has several threads) */
#include "compat/fftw.h"
#include "common/maps.h"
#include "common/verdict.h"
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 12, PAIRS = 6 };

static const length n[] = {60, 50, 64}; /* more than 1 MiB per rank, so that plans are shared */

/* An array, and its plans. */
typedef struct worker {
    pthread_t thread;
    int index;
    double *array;
    length elements, n0, start0;
    fftw_plan forward, backward;
} worker;

static fftw_plan create(worker *w, int sign, MPI_Comm comm)
{
    fftw_complex *c = (fftw_complex *)w->array;
    return fftw_mpi_plan_many_dft(3, n, 1, 0, 0, c, c, comm, sign, FFTW_ESTIMATE);
}

/* The communicator of the plans is freed at once. */
static void begin(worker *w, int index)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    w->index = index;
    const length room = fftw_mpi_local_size_many(3, n, 1, 0, comm, &w->n0, &w->start0);
    w->array = fftw_alloc_real((size_t)(2 * room + 2));
    w->elements = w->n0 * n[1] * n[2];
    w->forward = create(w, FFTW_FORWARD, comm);
    w->backward = create(w, FFTW_BACKWARD, comm);
    EXPECT(w->forward && w->backward);
    MPI_Comm_free(&comm);
}

static void end(worker *w)
{
    fftw_destroy_plan(w->forward);
    fftw_destroy_plan(w->backward);
    fftw_free(w->array);
}

/* A plane wave along the first axis, whose number differs between workers and rounds, has one mode. */
static void transform(worker *w, int round)
{
    const length plane = n[1] * n[2], mode = (3 * w->index + round) % n[0];
    const double all = (double)(n[0] * plane), turn = 2 * acos(-1.0) * (double)mode / (double)n[0];
    double wrong = 0;
    for (length i = 0; i < w->elements; i++) {
        w->array[2 * i] = cos(turn * (double)(w->start0 + i / plane));
        w->array[2 * i + 1] = sin(turn * (double)(w->start0 + i / plane));
    }
    fftw_execute(w->forward);
    for (length i = 0; i < w->elements; i++) {
        const int is_mode = i % plane == 0 && w->start0 + i / plane == mode;
        wrong = fmax(wrong, fabs(w->array[2 * i] - (is_mode ? all : 0)) + fabs(w->array[2 * i + 1]));
    }
    fftw_execute(w->backward);
    for (length i = 0; i < w->elements; i++)
        wrong = fmax(wrong, all * fabs(w->array[2 * i] / all - cos(turn * (double)(w->start0 + i / plane))));
    EXPECT(wrong < 1e-11 * all);
}

static void *run(void *argument)
{
    worker *w = argument;
    test_context("worker %d", w->index);
    for (int round = 0; round < ROUNDS; round++) {
        (void)usleep((unsigned)(round * (w->index + 1) * (test_rank + 2) * 7919 % 1000));
        transform(w, round);
    }
    return NULL;
}

/* Threads execute at the same time. If `in_turns`, the last rank has one thread, which executes one worker
 * after the other, the last one first. */
static void check_workers(worker w[], int in_turns)
{
    const int is_alone = in_turns && test_rank == test_nranks - 1;
    for (int i = THREADS - 1; i >= 0; i--)
        if (is_alone || pthread_create(&w[i].thread, NULL, run, &w[i]) != 0)
            (void)run(&w[i]);
    for (int i = 0; i < THREADS && !is_alone; i++)
        EXPECT(pthread_join(w[i].thread, NULL) == 0);
}

static void check_memory(void)
{
    worker w[PAIRS];
    int pieces[PAIRS];
    test_context("memory");
    for (int i = 0; i < PAIRS; i++) {
        begin(&w[i], i);
        pieces[i] = test_maps_count_shared();
        transform(&w[i], i);
    }
    EXPECT_EQUAL(pieces[PAIRS - 1], pieces[0]);
    for (int i = 0; i < PAIRS; i++) { /* the others still work */
        end(&w[i]);
        for (int k = i + 1; k < PAIRS; k++)
            transform(&w[k], i);
    }
}

int main(int argc, char **argv)
{
    worker w[THREADS];
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level != MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return 77;
    }
    test_begin(&argc, &argv);
    fftw_mpi_init();
    check_memory();
    for (int i = 0; i < THREADS; i++)
        begin(&w[i], i);
    for (int in_turns = 0; in_turns < 2; in_turns++)
        check_workers(w, in_turns);
    for (int i = 0; i < THREADS; i++)
        end(&w[i]);
    fftw_mpi_cleanup();
    return test_end();
}
