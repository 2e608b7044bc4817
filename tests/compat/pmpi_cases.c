/* pmpi_cases.c - cases that random calls seldom contain: elements longer than 16 bytes; a persistent request
 * that gets another handle; receives whose requests are freed early; very many types; ranks on one node that
 * only learn during all-to-alls that all of them have the interposer.
 *
 *   pmpi_cases [elements] [buffered] [freed] [commits] [team]
 *
 * pmpi_cases.sh preloads the interposer. The listen() below allows only one waiting connection, so that a
 * rank also finds a full queue of connections. */
#define _GNU_SOURCE
#include "common/verdict.h"
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef long double _Complex element;

int listen(int socket, int backlog)
{
    struct sockaddr name;
    socklen_t length = sizeof name;
    const int is_local = !getsockname(socket, &name, &length) && name.sa_family == AF_UNIX;
    return (int)syscall(SYS_listen, socket, is_local ? 1 : backlog);
}

/* ---- elements: both sides have strided types, and each side decides for itself whether to pack */

enum { ELEMENTS = 432 };

static MPI_Datatype create_vector(int count, int block, MPI_Datatype basic)
{
    MPI_Datatype type;
    MPI_Type_vector(count, block, 2 * block, basic, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Get the address of element i. Blocks of `block` elements are followed by gaps of the same length. */
static element *get_place(element *array, int block, int i)
{
    return &array[i / block * 2 * block + i % block];
}

static int count_wrong(element *array, int block)
{
    int wrong = 0;
    for (int i = 0; i < ELEMENTS; i++)
        wrong += *get_place(array, block, i) != 1 + i;
    return wrong;
}

static void check_message(const int block[2], int is_collective)
{
    static element from[2 * ELEMENTS], to[2 * ELEMENTS];
    MPI_Datatype types[2];
    const int partner = !test_rank, one[2] = {partner == 0, partner == 1}, displs[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        types[side] = create_vector(ELEMENTS / block[side], block[side], MPI_C_LONG_DOUBLE_COMPLEX);
    const MPI_Datatype sent[2] = {types[0], types[0]}, received[2] = {types[1], types[1]};
    for (int i = 0; i < ELEMENTS; i++)
        *get_place(from, block[0], i) = 1 + i;
    memset(to, 0, sizeof to);
    if (is_collective)
        EXPECT_OK(MPI_Alltoallw(from, one, displs, sent, to, one, displs, received, MPI_COMM_WORLD));
    else
        EXPECT_OK(MPI_Sendrecv(from, 1, types[0], partner, 5, to, 1, types[1], partner, 5, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
    EXPECT_EQUAL(count_wrong(to, block[1]), 0);
    MPI_Type_free(&types[0]);
    MPI_Type_free(&types[1]);
}

static void check_elements(void)
{
    static const int blocks[][2] = {{1, 12}, {12, 1}, {1, 3}, {3, 24}, {1, 1}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        check_message(blocks[i], 0);
        check_message(blocks[i], 1);
    }
}

/* ---- buffered: in Open MPI, MPI_Start gives a request of MPI_Bsend_init a new handle if the request's
 * previous message is still in the buffer */

enum { ROWS = 65536, STARTS = 3 };

static void fill(double *array, double value)
{
    for (int i = 0; i < 2 * ROWS; i++)
        array[i] = value;
}

static int count_others(const double *array, int n, double value)
{
    int others = 0;
    for (int i = 0; i < n; i++)
        others += array[i] != value;
    return others;
}

/* Send STARTS buffered messages, then two plain ones. The receiver first receives the plain ones. So all
 * buffered messages have been sent before the receiver receives the first of them. */
static void send_buffered(double *array, MPI_Datatype type)
{
    int size;
    MPI_Request request, plain[2];
    static double numbers[2] = {8, 9};
    const int bytes = STARTS * ((int)sizeof(double) * ROWS + MPI_BSEND_OVERHEAD + 4096);
    void *buffer = malloc((size_t)bytes);
    if (!buffer)
        abort();
    MPI_Buffer_attach(buffer, bytes);
    EXPECT_OK(MPI_Bsend_init(array, 1, type, 1, 1, MPI_COMM_WORLD, &request));
    for (int i = 0; i < STARTS; i++) {
        fill(array, i);
        EXPECT_OK(i % 2 ? MPI_Start(&request) : MPI_Startall(1, &request));
        EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    EXPECT_OK(MPI_Request_free(&request));
    for (int i = 0; i < 2; i++)
        EXPECT_OK(MPI_Send_init(&numbers[i], 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, &plain[i]));
    EXPECT_OK(MPI_Startall(2, plain));
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(MPI_Wait(&plain[i], MPI_STATUS_IGNORE));
        MPI_Request_free(&plain[i]);
    }
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);
}

static void check_buffered(void)
{
    double *array = malloc(sizeof(double) * 2 * ROWS), number;
    MPI_Datatype type = create_vector(ROWS, 1, MPI_DOUBLE);
    if (!array)
        abort();
    if (test_rank == 0)
        send_buffered(array, type);
    for (int i = 0; i < 2 && test_rank == 1; i++) {
        EXPECT_OK(MPI_Recv(&number, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EXPECT(number == 8 + i);
    }
    for (int i = 0; i < STARTS && test_rank == 1; i++) {
        EXPECT_OK(MPI_Recv(array, ROWS, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EXPECT_EQUAL(count_others(array, ROWS, i), 0);
    }
    MPI_Type_free(&type);
    free(array);
}

/* ---- freed: a receive goes on after its request was freed. The next call that shows that the message has
 * arrived must unpack it */

enum { COLUMN = 512, LAST_TAG = 7 };

/* Rank 0 has sent a message to rank 1. Each function below makes an MPI call on both ranks. When it returns
 * on rank 1, the message must have arrived. */
static void by_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void by_bcast(void)
{
    int number = test_rank;
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void by_allreduce(void)
{
    int one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void by_alltoall(void)
{
    int from[2] = {0, 1}, to[2];
    MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, MPI_COMM_WORLD);
}

static void by_probe(void)
{
    if (test_rank == 0)
        MPI_Send(NULL, 0, MPI_INT, 1, LAST_TAG, MPI_COMM_WORLD);
    else
        MPI_Probe(0, LAST_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void by_iprobe(void)
{
    int flag = 0;
    if (test_rank == 0)
        MPI_Send(NULL, 0, MPI_INT, 1, LAST_TAG, MPI_COMM_WORLD);
    while (test_rank == 1 && !flag)
        MPI_Iprobe(0, LAST_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void by_synchronous_send(void)
{
    if (test_rank == 0)
        MPI_Recv(NULL, 0, MPI_INT, 1, LAST_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Ssend(NULL, 0, MPI_INT, 0, LAST_TAG, MPI_COMM_WORLD);
}

static const struct {
    const char *text;
    void (*run)(void);
    int leaves_message;
} signals[] = {{"barrier", by_barrier, 0},       {"broadcast", by_bcast, 0}, {"reduction", by_allreduce, 0},
               {"all-to-all", by_alltoall, 0},   {"probe", by_probe, 1},     {"Iprobe", by_iprobe, 1},
               {"Ssend", by_synchronous_send, 0}};
enum { SIGNALS = sizeof signals / sizeof *signals };

static void check_freed(void)
{
    static double array[2 * COLUMN], packed[COLUMN];
    MPI_Datatype type = create_vector(COLUMN, 1, MPI_DOUBLE);
    for (int k = 0; k < SIGNALS && test_rank < 2; k++) {
        MPI_Request request;
        test_context("a freed receive, then: %s\n", signals[k].text);
        for (int i = 0; i < COLUMN; i++)
            packed[i] = array[2 * i] = k + test_rank;
        if (test_rank == 0) {
            EXPECT_OK(MPI_Send(packed, COLUMN, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD));
        } else {
            EXPECT_OK(MPI_Irecv(array, 1, type, 0, 6, MPI_COMM_WORLD, &request));
            EXPECT_OK(MPI_Request_free(&request));
        }
        signals[k].run();
        for (int i = 0; i < COLUMN; i++)
            packed[i] = array[2 * i];
        EXPECT_EQUAL(count_others(packed, COLUMN, k), 0);
        if (signals[k].leaves_message && test_rank == 1)
            MPI_Recv(NULL, 0, MPI_INT, 0, LAST_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    test_context("%s", "");
    MPI_Type_free(&type);
}

/* ---- commits: types that are freed must leave no memory behind */

static long get_resident_pages(void)
{
    long all, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &all, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident;
}

/* Commit and free many types. Some of them live longer than others. */
static void commit(int times)
{
    enum { KEPT = 32 };
    MPI_Datatype kept[KEPT];
    for (int i = 0; i < KEPT; i++)
        kept[i] = MPI_DATATYPE_NULL;
    for (int i = 0; i < times; i++) {
        MPI_Datatype *type = &kept[(i & -i) % KEPT];
        if (*type != MPI_DATATYPE_NULL)
            MPI_Type_free(type);
        *type = create_vector(4, 1, MPI_DOUBLE);
    }
    for (int i = 0; i < KEPT; i++)
        if (kept[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&kept[i]);
}

/* This is not checked with MPICH 4.0, which itself loses 64 bytes per type in some runs. */
static void check_commits(void)
{
    enum { TIMES = 60000, BYTES = 512 << 10 };
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
    if (MPICH_NUMVERSION >= 40000000)
        return;
#endif
    commit(TIMES / 8);
    const long before = get_resident_pages();
    commit(TIMES);
    const long bytes = (get_resident_pages() - before) * sysconf(_SC_PAGESIZE);
    test_context("%d types have taken %ld bytes\n", TIMES, bytes);
    EXPECT(bytes < BYTES);
    test_context("%s", "");
}

/* ---- team: either all ranks execute an all-to-all by shared memory, or no rank does */

static void check_team(void)
{
    enum { MOST = 8, SIDE = 96 };
    static double from[SIDE * SIDE], to[SIDE * SIDE];
    int counts[MOST], displs[MOST];
    MPI_Datatype sent, column, received, send[MOST], receive[MOST];
    const int part = SIDE / test_nranks;
    MPI_Type_vector(SIDE, part, SIDE, MPI_DOUBLE, &sent);
    MPI_Type_vector(SIDE, 1, SIDE, MPI_DOUBLE, &column);
    MPI_Type_create_hvector(part, 1, sizeof(double), column, &received);
    MPI_Type_commit(&sent);
    MPI_Type_commit(&received);
    for (int r = 0; r < test_nranks; r++) {
        send[r] = sent, receive[r] = received;
        counts[r] = 1, displs[r] = r * part * (int)sizeof(double);
    }
    for (int round = 0; round < 4; round++) {
        int wrong = 0;
        for (int i = 0; i < SIDE * SIDE; i++)
            from[i] = 1e6 * test_rank + i, to[i] = -1;
        EXPECT_OK(MPI_Alltoallw(from, counts, displs, send, to, counts, displs, receive, MPI_COMM_WORLD));
        /* Rank r sends its columns for this rank row by row: element k comes from row k / part. This rank
         * stores these elements column by column: element k goes to column k / SIDE. */
        for (int r = 0; r < test_nranks; r++)
            for (int k = 0; k < SIDE * part; k++) {
                const int row = k / part, i = k % part;
                wrong +=
                    to[k % SIDE * SIDE + r * part + k / SIDE] != 1e6 * r + row * SIDE + test_rank * part + i;
            }
        EXPECT_EQUAL(wrong, 0);
    }
    MPI_Type_free(&column);
    MPI_Type_free(&sent);
    MPI_Type_free(&received);
}

static const struct {
    const char *name;
    void (*check)(void);
} cases[] = {{"elements", check_elements},
             {"buffered", check_buffered},
             {"freed", check_freed},
             {"commits", check_commits},
             {"team", check_team}};

/* ranks: by the script */
int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    for (int i = 1; i < argc; i++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            if (strcmp(argv[i], cases[k].name) == 0)
                cases[k].check();
    return test_end();
}
