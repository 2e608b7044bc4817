/* exchange.c - send the messages of our engines, without their data, in simulated networks. SMPI lacks calls
 * that the library needs, so this program sends the same messages in the same order. Engines pairwise and
 * kway: the messages of lib/pipe/carrier/pairwise.c and kway.c with one slice. Engine alltoallv: one call of
 * MPI_Alltoallv. Engine node: pairwise messages, to other nodes only.
 *
 *   exchange FILE PER_NODE LATENCY_INSIDE BANDWIDTH_INSIDE MEMORY REPEAT
 *
 * FILE has a line for each exchange: engine[:radix], ranks in a row, distance of two neighbours in a row,
 * bytes of a block. All rows exchange at the same time. Rank 0 prints the line again, with the seconds until
 * the last rank has finished: the median of REPEAT exchanges.
 *
 * With -DSIMULATED (compiled by smpicc), blocks for ranks of the same node are not sent. Instead time passes
 * for each: the latency inside a node + bytes / bandwidth inside a node. With engine node only the latency
 * passes, because the partner reads the block in place. For the copies of kway between its rounds, (bytes
 * read + bytes written) / MEMORY passes. Without -DSIMULATED all blocks are sent, because the program does
 * not know which ranks share a node. */
#include "config.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS_MAX = 31 };

/* A row of ranks, seen from one of them: rank is its number among all ranks, r its number in the row.
 *
 * comm is for the collective call; messages have ranks of MPI_COMM_WORLD, as SMPI needs minutes for a
 * communicator of each row of a thousand ranks. For the same reason nothing that differs between ranks is
 * static: SMPI can then run all ranks in one process without a copy of the program for each
 * (smpi/privatization). */
typedef struct row {
    MPI_Comm comm;
    int p, r, first, stride, rank;
    MPI_Request *requests;
    int *counts, *displs;
} row;

static int per_node, nranks, repeats;
static double latency_inside, bandwidth_inside, memory;
static char *buffer[2];

static int get_rank(const row *w, int q)
{
    return w->first + q * w->stride;
}

/* ---- time and memory */

#ifdef SIMULATED
static int is_local(const row *w, int q)
{
    return get_rank(w, q) / per_node == w->rank / per_node;
}

static void pass(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    if (seconds > 0)
        nanosleep(&t, NULL);
}

/* All buffers of all ranks, which are in one process, are the same memory. Messages from and to memory of
 * SMPI_SHARED_MALLOC are not copied. If each rank called it, a thousand ranks would need minutes for page
 * tables. */
static void *get_memory(size_t bytes)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void *place = rank == 0 ? SMPI_SHARED_MALLOC(bytes) : NULL;
    MPI_Bcast(&place, (int)sizeof place, MPI_BYTE, 0, MPI_COMM_WORLD);
    return place;
}

/* SMPI's MPI_Waitall tests all requests again for each message that arrives. */
static void wait_all(const row *w, int n)
{
    for (int i = 0; i < n; i++)
        MPI_Wait(&w->requests[i], MPI_STATUS_IGNORE);
}

/* Simulated clocks agree, so all ranks begin at one instant. */
static double begin(void)
{
    double now = MPI_Wtime() + 1e-3, first;
    MPI_Allreduce(&now, &first, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    first += 1e-2;
    pass(first - MPI_Wtime());
    return MPI_Wtime();
}
#else
static int is_local(const row *w, int q)
{
    return q == w->r;
}

static void pass(double seconds)
{
    (void)seconds;
}

static void *get_memory(size_t bytes)
{
    return calloc(bytes, 1);
}

static void wait_all(const row *w, int n)
{
    MPI_Waitall(n, w->requests, MPI_STATUSES_IGNORE);
}

static double begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}
#endif

/* ---- messages */

/* Wait as long as the blocks for the ranks of this node would travel. */
static void pass_inside(int partners, double bytes, int is_direct)
{
    pass(partners * latency_inside + (is_direct ? 0 : bytes / bandwidth_inside));
}

static int add_receive(const row *w, int q, size_t bytes, int n)
{
    MPI_Irecv(buffer[1], (int)bytes, MPI_BYTE, get_rank(w, q), 0, MPI_COMM_WORLD, &w->requests[n]);
    return n + 1;
}

static int add_send(const row *w, int q, size_t bytes, int n)
{
    MPI_Isend(buffer[0], (int)bytes, MPI_BYTE, get_rank(w, q), 0, MPI_COMM_WORLD, &w->requests[n]);
    return n + 1;
}

static void exchange_pairwise(const row *w, size_t bytes, int is_direct)
{
    int n = 0, locals = 0;
    for (int i = 1; i < w->p; i++) {
        const int q = (w->r + w->p - i) % w->p;
        n = is_local(w, q) ? n : add_receive(w, q, bytes, n);
    }
    for (int i = 1; i < w->p; i++) {
        const int q = (w->r + i) % w->p;
        locals += is_local(w, q);
        n = is_local(w, q) ? n : add_send(w, q, bytes, n);
    }
    pass_inside(locals, (double)bytes * locals, is_direct);
    wait_all(w, n);
}

/* As get_divisor in kway.c. */
static int get_divisor(int n, int radix)
{
    int k = radix < n ? radix : n;
    while (k > 1 && n % k != 0)
        k--;
    if (k > 1 || n == 1)
        return k;
    for (k = radix + 1; n % k != 0; k++)
        continue;
    return k;
}

static void exchange_kway(const row *w, size_t bytes, int radix)
{
    for (int left = w->p; left > 1;) {
        const int k = get_divisor(left, radix), unit = left / k, digit = w->r / unit % k;
        const size_t group = bytes * (size_t)(w->p / k);
        int n = 0, locals = 0;
        for (int c = 1; c < k; c++) {
            const int q = w->r + ((digit + k - c) % k - digit) * unit;
            n = is_local(w, q) ? n : add_receive(w, q, group, n);
        }
        for (int c = 1; c < k; c++) {
            const int q = w->r + ((digit + c) % k - digit) * unit;
            locals += is_local(w, q);
            n = is_local(w, q) ? n : add_send(w, q, group, n);
        }
        pass_inside(locals, (double)group * locals, 0);
        wait_all(w, n);
        left = unit;
        pass(left > 1 ? 2.0 * (double)bytes * w->p / memory : 0);
    }
}

static void exchange_alltoallv(const row *w, size_t bytes)
{
    int locals = 0;
    for (int q = 0; q < w->p; q++) {
        w->counts[q] = q == w->r ? 0 : (int)bytes;
        w->displs[q] = 0;
        locals += q != w->r && is_local(w, q);
    }
    pass_inside(locals, (double)bytes * locals, 0);
    MPI_Alltoallv(buffer[0], w->counts, w->displs, MPI_BYTE, buffer[1], w->counts, w->displs, MPI_BYTE,
                  w->comm);
}

static void execute(const char *engine, const row *w, size_t bytes)
{
    if (strcmp(engine, "node") == 0)
        exchange_pairwise(w, bytes, 1);
    else if (strcmp(engine, "pairwise") == 0)
        exchange_pairwise(w, bytes, 0);
    else if (strncmp(engine, "kway:", 5) == 0)
        exchange_kway(w, bytes, atoi(engine + 5));
    else if (strcmp(engine, "alltoallv") == 0)
        exchange_alltoallv(w, bytes);
    else
        MPI_Abort(MPI_COMM_WORLD, 2);
}

/* ---- lines */

/* Make w a row of this length, unless it is one. */
static void set_row(row *w, int length, int stride)
{
    const int period = length * stride, base = w->rank / period * period, rest = w->rank % period;
    if (w->p == length && w->stride == stride)
        return;
    if (w->comm != MPI_COMM_NULL)
        MPI_Comm_free(&w->comm);
    w->p = length;
    w->stride = stride;
    w->r = rest / stride;
    w->first = base + rest % stride;
}

static void need_comm(row *w)
{
    if (w->comm == MPI_COMM_NULL)
        MPI_Comm_split(MPI_COMM_WORLD, w->first, w->rank, &w->comm);
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Get the seconds of the slowest rank. */
static double measure(const char *engine, const row *w, size_t bytes)
{
    double *list = malloc((size_t)repeats * sizeof *list), median;
    for (int i = 0; i < repeats; i++) {
        const double began = begin();
        execute(engine, w, bytes);
        const double mine = MPI_Wtime() - began;
        MPI_Allreduce(&mine, &list[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    qsort(list, (size_t)repeats, sizeof *list, compare);
    median = list[repeats / 2];
    free(list);
    return median;
}

/* The buffers must have room for the largest message: kway sends many blocks at once. */
static void alloc(FILE *file, row *w)
{
    char engine[32];
    int length, stride;
    long bytes, most = 1, message;
    while (fscanf(file, "%31s %d %d %ld", engine, &length, &stride, &bytes) == 4) {
        message =
            strncmp(engine, "kway", 4) == 0 ? bytes * length / get_divisor(length, atoi(engine + 5)) : bytes;
        most = message > most ? message : most;
    }
    rewind(file);
    for (int i = 0; i < 2; i++)
        buffer[i] = get_memory((size_t)most);
    w->requests = malloc(2 * (size_t)nranks * sizeof *w->requests);
    w->counts = malloc((size_t)nranks * sizeof *w->counts);
    w->displs = malloc((size_t)nranks * sizeof *w->displs);
}

static void run(FILE *file, row *w)
{
    char engine[32];
    int length, stride;
    long bytes;
    while (fscanf(file, "%31s %d %d %ld", engine, &length, &stride, &bytes) == 4) {
        set_row(w, length, stride);
        if (strcmp(engine, "alltoallv") == 0)
            need_comm(w);
        const double seconds = measure(engine, w, (size_t)bytes);
        if (w->rank == 0) {
            printf("%s,%d,%d,%ld,%.9g\n", engine, length, stride, bytes, seconds);
            fflush(stdout);
        }
    }
    if (w->comm != MPI_COMM_NULL)
        MPI_Comm_free(&w->comm);
}

int main(int argc, char *argv[])
{
    row w = {.comm = MPI_COMM_NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    FILE *file = argc == 7 ? fopen(argv[1], "r") : NULL;
    if (!file)
        MPI_Abort(MPI_COMM_WORLD, 2);
    per_node = atoi(argv[2]);
    latency_inside = atof(argv[3]);
    bandwidth_inside = atof(argv[4]);
    memory = atof(argv[5]);
    repeats = atoi(argv[6]);
    alloc(file, &w);
    run(file, &w);
    fclose(file);
    MPI_Finalize();
    return 0;
}
