/* main.c - measure how many bytes and seconds the creation of an object takes on one rank of a large job.
 * One process pretends to be this rank: the functions of MPI that the library calls to create objects are
 * replaced. The other ranks are assumed to give the same data to collective calls as this rank; only their
 * places differ (where a rank runs). This is right for arrays whose blocks are all equally long. Calls on
 * communicators that are not pretended go to MPI. No data is exchanged. One run measures one object and
 * prints a line of CSV. table.sh makes the table of many runs.
 *
 *   scale OBJECT [KEY=VALUE ...]
 *
 * OBJECT is plan, a plan of a complex transform, or boxes, a redistribution in the rows of the grid's last
 * dimension, by the boxes of all ranks. The job has 131,072 ranks, 64 a node, on a grid of 256 x 512, and
 * arrays of 4096^3.
 *
 * Columns: object, ranks, engine, bytes that the object holds besides its work space, bytes of the work
 * space, most bytes at a time during the creation (work space included), seconds, collective calls, bytes
 * that these calls and messages bring to this rank, messages sent. The seconds are this rank's own work,
 * without MPI. */
#include "config.h"
#include <malloc.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_boxes.h>
#include <subx_fft.h>

/* ---- pretended communicators */

/* Counts of this rank since `begin`. calls: collective calls. messages: messages sent. bytes: bytes that this
 * rank would receive by them. */
typedef struct traffic_counts {
    long calls, messages;
    double bytes;
} traffic_counts;

/* A pretended communicator. Its member q is rank first + q * stride of MPI_COMM_WORLD. */
typedef struct pretended {
    MPI_Comm comm;
    int p, r, first, stride;
    int has_places; /* 1 if its ranks have exchanged their places */
} pretended;

enum { MOST = 64, DIMS_MAX = 32 };

static pretended list[MOST];
static int count, per_node = 1, grid_g, grid_dims[DIMS_MAX], gathers;
static void (*write_gathered)(int gather, int q, void *data);
static traffic_counts traffic;

static pretended *find(MPI_Comm comm)
{
    for (int i = 0; i < count; i++)
        if (list[i].comm == comm)
            return &list[i];
    return NULL;
}

static void stop(const char *why)
{
    fprintf(stderr, "scale: cannot pretend: %s\n", why);
    PMPI_Abort(MPI_COMM_WORLD, 2);
}

static void add(MPI_Comm comm, pretended like)
{
    if (count == MOST)
        stop("too many communicators");
    like.comm = comm;
    like.has_places = 0;
    list[count++] = like;
}

/* From now on MPI_COMM_WORLD has p ranks, this process is rank r of them, and each node has per_node
 * consecutive ranks. r must be the first rank of its node, because this process then creates the node's
 * shared memory. */
static void begin(int p, int r, int ranks_per_node)
{
    per_node = ranks_per_node;
    traffic = (traffic_counts){0};
    add(MPI_COMM_WORLD, (pretended){.p = p, .r = r, .stride = 1});
}

/* Set the grid whose rows MPI_Comm_split pretends to create. The arguments of MPI_Comm_split do not
 * contain the grid: a rank passes its own color, and does not know how many ranks have the same color. */
static void set_grid(int g, const int dims[])
{
    grid_g = g;
    memcpy(grid_dims, dims, (size_t)g * sizeof *dims);
}

/* Set the function that writes the data of rank q in a call of MPI_Allgatherv with MPI_IN_PLACE. `gather`
 * is the number of this call, from 0. */
static void set_gather(void (*write)(int gather, int q, void *data))
{
    write_gathered = write;
    gathers = 0;
}

/* ---- communicators */

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    const pretended *c = find(comm);
    if (!c)
        return PMPI_Comm_size(comm, size);
    *size = c->p;
    return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    const pretended *c = find(comm);
    if (!c)
        return PMPI_Comm_rank(comm, rank);
    *rank = c->r;
    return MPI_SUCCESS;
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *copy)
{
    const pretended *c = find(comm);
    const int rc = PMPI_Comm_dup_with_info(comm, info, copy);
    if (c && !rc)
        add(*copy, *c);
    return rc;
}

/* Get the communicator of this rank's row along grid dimension k. *color becomes the color with which the
 * library creates this communicator by MPI_Comm_split. */
static pretended get_row(const pretended *all, int k, int *color)
{
    int coords[DIMS_MAX], rest = all->r, stride = 1;
    *color = 0;
    for (int j = grid_g - 1; j >= 0; j--) {
        coords[j] = rest % grid_dims[j];
        rest /= grid_dims[j];
        stride *= j > k ? grid_dims[j] : 1;
    }
    for (int j = 0; j < grid_g; j++)
        *color = j == k ? *color : *color * grid_dims[j] + coords[j];
    return (pretended){.p = grid_dims[k],
                       .r = coords[k],
                       .first = all->first + (all->r - coords[k] * stride) * all->stride,
                       .stride = stride * all->stride};
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    const pretended *all = find(comm);
    if (!all)
        return PMPI_Comm_split(comm, color, key, part);
    for (int k = 0; k < grid_g; k++) {
        int other;
        const pretended row = get_row(all, k, &other);
        if (other != color || row.r != key || row.p == 1)
            continue;
        const int rc = PMPI_Comm_dup(comm, part);
        if (!rc)
            add(*part, row);
        return rc;
    }
    stop("MPI_Comm_split is not of the grid");
    return MPI_ERR_OTHER;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    pretended *c = find(*comm);
    if (c)
        *c = list[--count];
    return PMPI_Comm_free(comm);
}

/* ---- collective calls */

static size_t get_bytes(int n, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (size_t)n * (size_t)size;
}

static void note(double bytes)
{
    traffic.calls++;
    traffic.bytes += bytes;
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    if (!find(comm))
        return PMPI_Allreduce(from, to, n, type, op, comm);
    if (from != MPI_IN_PLACE)
        memcpy(to, from, get_bytes(n, type));
    note((double)get_bytes(n, type));
    return MPI_SUCCESS;
}

int MPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    if (!find(comm))
        return PMPI_Bcast(data, n, type, root, comm);
    note((double)get_bytes(n, type));
    return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm comm)
{
    if (!find(comm))
        return PMPI_Barrier(comm);
    note(0);
    return MPI_SUCCESS;
}

/* Change a copy of this rank's place to the place of rank q of `c`. A place is four numbers: a hash of the
 * host, the rank in MPI_COMM_WORLD, the rank in the communicator, and a hash of the set of processors. */
static void set_place(const pretended *c, int q, int64_t place[4])
{
    place[1] = c->first + (int64_t)q * c->stride;
    place[0] += place[1] / per_node;
    place[2] = q;
}

/* Query whether the data of a collective call is this rank's place (where it runs). The ranks of a
 * communicator exchange their places only once, so the answer is yes only once. In later calls, addresses
 * may look like a place. */
static int is_place(pretended *c, const void *data, size_t bytes)
{
    const int64_t *place = data;
    if (c->has_places || bytes != 4 * sizeof *place || place[1] != list[0].r || place[2] != c->r)
        return 0;
    c->has_places = 1;
    return 1;
}

int MPI_Allgather(const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other,
                  MPI_Comm comm)
{
    pretended *c = find(comm);
    const size_t bytes = get_bytes(n, type);
    if (!c)
        return PMPI_Allgather(from, n, type, to, m, other, comm);
    const int is_of_places = is_place(c, from, bytes);
    for (int q = 0; q < c->p; q++) {
        char *at = (char *)to + (size_t)q * bytes;
        memcpy(at, from, bytes);
        if (is_of_places)
            set_place(c, q, (int64_t *)(void *)at);
    }
    note((double)bytes * c->p);
    return MPI_SUCCESS;
}

int MPI_Allgatherv(const void *from, int n, MPI_Datatype type, void *to, const int counts[],
                   const int displs[], MPI_Datatype other, MPI_Comm comm)
{
    const pretended *c = find(comm);
    const size_t bytes = get_bytes(1, other);
    if (!c)
        return PMPI_Allgatherv(from, n, type, to, counts, displs, other, comm);
    if (from != MPI_IN_PLACE || !write_gathered)
        stop("MPI_Allgatherv");
    for (int q = 0; q < c->p; q++) {
        write_gathered(gathers, q, (char *)to + (size_t)displs[q] * bytes);
        traffic.bytes += (double)bytes * counts[q];
    }
    gathers++;
    note(0);
    return MPI_SUCCESS;
}

int MPI_Alltoall(const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other,
                 MPI_Comm comm)
{
    const pretended *c = find(comm);
    if (!c)
        return PMPI_Alltoall(from, n, type, to, m, other, comm);
    memcpy(to, from, (size_t)c->p * get_bytes(n, type));
    note((double)get_bytes(n, type) * c->p);
    return MPI_SUCCESS;
}

/* ---- messages: the i-th receive with a tag gets the data of the i-th send with this tag */

int MPI_Irecv(void *to, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Irecv(to, n, type, find(comm) ? 0 : from, tag, comm, request);
}

int MPI_Isend(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (find(comm)) {
        traffic.messages++;
        traffic.bytes += (double)get_bytes(n, type);
    }
    return PMPI_Isend(from, n, type, find(comm) ? 0 : to, tag, comm, request);
}

/* ---- the job */

/* The pretended rank is the first rank of the second node. It cannot be rank 0: the coordinates of rank 0 are
 * all 0, so all its rows would have color 0, and our MPI_Comm_split recognizes a row by its color. */
static const struct {
    int per_node, g, dims[2], p, r, ndims;
    ptrdiff_t n[3];
} the = {64, 2, {256, 512}, 256 * 512, 64, 3, {4096, 4096, 4096}};

static MPI_Info hints;

/* ---- memory */

/* Get the bytes of a line of /proc/self/status, such as "VmHWM:". */
static double read_status(const char *name)
{
    char line[256];
    double kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            kib = strtod(line + strlen(name), NULL);
    if (file)
        fclose(file);
    return 1024 * kib;
}

/* Reset the peak of resident memory, which the system keeps. */
static void reset_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file)
        return;
    fputs("5", file);
    fclose(file);
}

/* Get the bytes that are allocated, with this rank's pieces of the files of its node: they are resident,
 * and no other pieces are, because there are no other ranks. */
static double get_held(void)
{
    const struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd + read_status("RssShmem:");
}

/* ---- arguments */

static void refuse(const char *what)
{
    fprintf(stderr, "scale: %s\n", what);
    MPI_Finalize();
    exit(2);
}

static void read_hints(int n, char *words[])
{
    MPI_Info_create(&hints);
    for (int i = 0; i < n; i++) {
        char *value = strchr(words[i], '=');
        if (!value)
            refuse("usage: scale OBJECT [KEY=VALUE ...]");
        *value = '\0';
        MPI_Info_set(hints, words[i], value + 1);
    }
}

/* ---- objects: each function creates one, and tells its engine and the bytes of its work space */

typedef struct made {
    char engine[64];
    ptrdiff_t work;
} made;

static int create_plan(made *m)
{
    char text[64] = "";
    subx_fft_plan plan;
    MPI_Info info;
    int is_set = 0;
    for (int k = 0, at = 0; k < the.g; k++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%d", k ? "x" : "", the.dims[k]);
    MPI_Info_set(hints, "subx_grid", text);
    int rc = subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, the.ndims, the.n, hints, &plan);
    if (!rc)
        rc = subx_fft_plan_get_work(plan, &m->work);
    if (!rc)
        rc = subx_fft_plan_get_info(plan, &info);
    if (!rc)
        MPI_Info_get(info, "subx_engine", sizeof m->engine - 1, m->engine, &is_set);
    return rc;
}

/* Get the box of a rank. The g dimensions of the grid divide the first g + 1 axes, except axis `whole`.
 * The redistribution goes from boxes with whole = g to boxes with whole = g - 1. So each rank exchanges
 * data only within its row along the last dimension. */
static void get_box(int q, int whole, ptrdiff_t start[], ptrdiff_t len[])
{
    int rest = q, k = the.g - 1;
    memcpy(len, the.n, sizeof the.n);
    memset(start, 0, sizeof the.n);
    for (int i = the.g; i >= 0; i--) {
        if (i == whole)
            continue;
        len[i] = the.n[i] / the.dims[k];
        start[i] = rest % the.dims[k] * len[i];
        rest /= the.dims[k--];
    }
}

/* Write the row of rank q in the library's table of boxes: starts, lengths, and the axes, innermost first. */
static void write_box(int gather, int q, void *data)
{
    ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX], *row = data;
    get_box(q, the.g - gather, start, len);
    for (int i = 0; i < the.ndims; i++) {
        row[i] = start[i];
        row[the.ndims + i] = len[i];
        row[2 * the.ndims + i] = the.ndims - 1 - i;
    }
}

static int create_boxes(made *m)
{
    subx_boxes boxes[2];
    subx_exch ex = SUBX_EXCH_NULL;
    const char *engine = "";
    int rc = MPI_SUCCESS;
    set_gather(write_box);
    for (int side = 0; side < 2 && !rc; side++) {
        ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX];
        get_box(the.r, the.g - side, start, len);
        rc = subx_boxes_create(the.ndims, the.n, &boxes[side]);
        if (!rc)
            rc = subx_boxes_add(boxes[side], start, len);
    }
    if (!rc)
        rc = subx_exch_create_boxes(MPI_COMM_WORLD, boxes[0], boxes[1], MPI_C_DOUBLE_COMPLEX, hints, &ex);
    if (!rc)
        rc = subx_exch_get(ex, &engine, NULL, NULL, &m->work);
    snprintf(m->engine, sizeof m->engine, "%s", engine);
    return rc;
}

static const struct {
    const char *name;
    int (*create)(made *m);
} objects[] = {{"plan", create_plan}, {"boxes", create_boxes}};
enum { OBJECTS = sizeof objects / sizeof objects[0] };

/* ---- the measurement */

static int measure(const char *name, int (*create)(made *m))
{
    made m = {"", 0};
    char text[MPI_MAX_ERROR_STRING];
    int length;
    begin(the.p, the.r, the.per_node);
    set_grid(the.g, the.dims);
    reset_peak();
    const double held = get_held(), resident = read_status("VmRSS:"), began = MPI_Wtime();
    const int rc = create(&m);
    const double seconds = MPI_Wtime() - began;
    if (rc) {
        MPI_Error_string(rc, text, &length);
        fprintf(stderr, "scale: %s\n", text);
        return 2;
    }
    printf("%s,%d,%s,%.0f,%td,%.0f,%.4f,%ld,%.0f,%ld\n", name, the.p, m.engine,
           get_held() - held - (double)m.work, m.work, read_status("VmHWM:") - resident, seconds,
           traffic.calls, traffic.bytes, traffic.messages);
    return 0;
}

int main(int argc, char *argv[])
{
    int status = -1;
    MPI_Init(&argc, &argv);
    if (argc > 1)
        read_hints(argc - 2, argv + 2);
    for (int i = 0; i < OBJECTS && argc > 1; i++)
        if (strcmp(argv[1], objects[i].name) == 0)
            status = measure(argv[1], objects[i].create);
    if (status < 0)
        refuse("OBJECT is plan or boxes");
    MPI_Finalize();
    return status;
}
