/* pmpi_device.c - buffers in the memory of a GPU, which the interposer must leave to MPI. The GPU is the
 * library cuda/libcuda.c, whose memory only MPI may touch (cuda/aware.c). The argument says where the buffers
 * are:
 *
 *     host       in memory of the host: the interposer takes all calls over
 *     device     in the memory of a GPU
 *     managed    in memory that the host and a GPU may touch
 *     mixed      in each call, some ranks have their buffers in the memory of a GPU, and others in memory of
 *                the host
 *
 * The script pmpi_device.sh reads the interposer's report. CUDA is loaded after the first calls.
 * ranks: by the script */
#include "compat/pmpi/columns.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 5, REPEATS = 14 };
enum { HOST, DEVICE, MANAGED, MIXED };

static int place;
static void *(*alloc)(size_t bytes, int is_managed);
static void (*open_memory)(int is_open);
static matrix *host[2], *device[2];
static MPI_Datatype column;

/* ---- memory */

/* Load the library of the test, as CUDA's runtime loads CUDA's driver. */
static int load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        printf("%s\n", dlerror());
        return 0;
    }
    *(void **)&alloc = dlsym(library, "test_cuda_alloc");
    *(void **)&open_memory = dlsym(library, "test_cuda_open");
    for (int i = 0; i < 2; i++)
        device[i] = alloc(sizeof(matrix), place == MANAGED);
    return device[0] && device[1];
}

/* Choose a buffer for call number `call` of this rank. Buffer 0 is sent, buffer 1 received. */
static matrix *choose(int i, int call)
{
    const int is_here = place == HOST || (place == MIXED && (test_rank + call + i) % 2);
    return is_here ? host[i] : device[i];
}

static void open_buffers(int is_open)
{
    if (open_memory)
        open_memory(is_open);
}

static void prepare(int call)
{
    matrix *from = choose(0, call), *to = choose(1, call);
    open_buffers(1);
    test_matrix_fill(from, test_rank);
    memset(to, 0, sizeof *to);
    open_buffers(0);
}

static int count_wrong(matrix *m, int rank)
{
    open_buffers(1);
    const int wrong = test_matrix_count_wrong(m, rank);
    open_buffers(0);
    return wrong;
}

/* ---- messages to the next rank */

static int get_next(void)
{
    return (test_rank + 1) % test_nranks;
}

static int get_last(void)
{
    return (test_rank + test_nranks - 1) % test_nranks;
}

static void send_blocking(void *from, void *to)
{
    MPI_Request request;
    EXPECT_OK(MPI_Isend(from, COLUMNS, column, get_next(), TAG, MPI_COMM_WORLD, &request));
    EXPECT_OK(MPI_Recv(to, COLUMNS, column, get_last(), TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void receive_later(void *from, void *to)
{
    MPI_Request request;
    EXPECT_OK(MPI_Irecv(to, COLUMNS, column, get_last(), TAG, MPI_COMM_WORLD, &request));
    EXPECT_OK(MPI_Send(from, COLUMNS, column, get_next(), TAG, MPI_COMM_WORLD));
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void receive_matched(void *from, void *to)
{
    MPI_Request request;
    MPI_Message message;
    EXPECT_OK(MPI_Issend(from, COLUMNS, column, get_next(), TAG, MPI_COMM_WORLD, &request));
    EXPECT_OK(MPI_Mprobe(get_last(), TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_Mrecv(to, COLUMNS, column, &message, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void use_persistent(void *from, void *to)
{
    MPI_Request request[2];
    EXPECT_OK(MPI_Recv_init(to, COLUMNS, column, get_last(), TAG, MPI_COMM_WORLD, &request[0]));
    EXPECT_OK(MPI_Send_init(from, COLUMNS, column, get_next(), TAG, MPI_COMM_WORLD, &request[1]));
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(MPI_Startall(2, request));
        EXPECT_OK(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
        EXPECT_OK(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

static void send_and_receive(void *from, void *to)
{
    EXPECT_OK(MPI_Sendrecv(from, COLUMNS, column, get_next(), TAG, to, COLUMNS, column, get_last(), TAG,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void check_messages(int call)
{
    static void (*const ways[])(void *, void *) = {send_blocking, receive_later, receive_matched,
                                                   use_persistent, send_and_receive};
    for (int i = 0; i < (int)(sizeof ways / sizeof *ways); i++) {
        test_context("place %d, call %d, way %d of messages", place, call, i);
        prepare(call);
        ways[i](choose(0, call), choose(1, call));
        EXPECT_EQUAL(count_wrong(choose(1, call), get_last()), 0);
    }
    test_context("place %d, call %d, a buffer that is replaced", place, call);
    prepare(call);
    EXPECT_OK(MPI_Sendrecv_replace(choose(0, call), COLUMNS, column, get_next(), TAG, get_last(), TAG,
                                   MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EXPECT_EQUAL(count_wrong(choose(0, call), get_last()), 0);
}

/* Pack from one buffer into the other one, and unpack. */
static void check_pack(int call)
{
    int position = 0;
    matrix *from = choose(0, call), *packed = choose(1, call);
    test_context("place %d, call %d, packing", place, call);
    prepare(call);
    EXPECT_OK(MPI_Pack(from, COLUMNS, column, packed, sizeof *packed, &position, MPI_COMM_WORLD));
    EXPECT_EQUAL(position, sizeof *packed);
    open_buffers(1);
    EXPECT((*packed)[0][1] == (*from)[1][0] && (*packed)[1][0] == (*from)[COLUMNS][0]);
    memset(from, 0, sizeof *from);
    open_buffers(0);
    position = 0;
    EXPECT_OK(MPI_Unpack(packed, sizeof *packed, &position, from, COLUMNS, column, MPI_COMM_WORLD));
    EXPECT_EQUAL(count_wrong(from, test_rank), 0);
}

/* ---- all-to-alls */

static void exchange(int form, void *from, void *to)
{
    const shares s = test_shares_get(column);
    MPI_Request request = MPI_REQUEST_NULL;
    if (form == 0)
        EXPECT_OK(MPI_Alltoall(from, s.counts[0], column, to, s.counts[0], column, MPI_COMM_WORLD));
    else if (form == 1)
        EXPECT_OK(
            MPI_Alltoallv(from, s.counts, s.first, column, to, s.counts, s.first, column, MPI_COMM_WORLD));
    else if (form == 2)
        EXPECT_OK(
            MPI_Alltoallw(from, s.counts, s.bytes, s.types, to, s.counts, s.bytes, s.types, MPI_COMM_WORLD));
    else
        EXPECT_OK(MPI_Ialltoallv(from, s.counts, s.first, column, to, s.counts, s.first, column,
                                 MPI_COMM_WORLD, &request));
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* Each call is repeated, so that the interposer tries shared memory for it. */
static void check_exchanges(void)
{
    for (int form = 0; form < 4; form++)
        for (int call = 0; call < REPEATS; call++) {
            test_context("place %d, all-to-all %d, call %d", place, form, call);
            prepare(call);
            exchange(form, choose(0, call), choose(1, call));
            open_buffers(1);
            EXPECT_EQUAL(test_shares_count_wrong(choose(1, call)), 0);
            open_buffers(0);
        }
}

/* usage: pmpi_device LIBRARY PLACE */
int main(int argc, char **argv)
{
    static const char *const places[] = {"host", "device", "managed", "mixed"};
    static matrix memory[2];
    test_begin(&argc, &argv);
    for (int i = 0; i < 2; i++)
        host[i] = &memory[i];
    column = test_column_create();
    check_messages(0);
    if (test_rank == 0)
        printf("CUDA is loaded now\n");
    while (place < MIXED && (argc < 3 || strcmp(argv[2], places[place]) != 0))
        place++;
    if (argc == 3 && EXPECT(load(argv[1]))) {
        for (int call = 0; call < 2; call++) {
            check_messages(call);
            check_pack(call);
        }
        check_exchanges();
    }
    MPI_Type_free(&column);
    return test_end();
}
