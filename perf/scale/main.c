/* main.c - measure how many bytes and seconds the creation of an object takes on one rank of a large job. One
 * process pretends to be this rank (pretend.h). One run measures one object and prints a line of CSV. table.sh
 * makes the table of many runs.
 *
 *   scale OBJECT PER_NODE GRID LENGTHS [KEY=VALUE ...]
 *
 *   OBJECT    grid: a process grid; plan: a plan of a complex transform; realign: an exchange of all ranks with all ranks;
 *             boxes: a redistribution in the rows of the grid's last dimension, by the boxes of all ranks
 *   PER_NODE  ranks of a node
 *   GRID      dimensions, such as 32x32; their product is the number of ranks
 *   LENGTHS   of the array, such as 1024x1024x1024; the dimensions of the grid divide them
 *
 * Columns: object, ranks, ranks of a node, grid, lengths, hints, engine, bytes that the object holds besides its
 * work space, bytes of the work space, most bytes at a time during the creation (work space included), seconds,
 * collective calls, bytes that these calls and messages bring to this rank, messages sent. The seconds are this
 * rank's own work, without MPI. */
#include "scale/pretend.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_boxes.h>
#include <subx_fft.h>

typedef struct job {
    int per_node, g, dims[SUBX_NDIMS_MAX], p, r, ndims;
    ptrdiff_t n[SUBX_NDIMS_MAX];
    MPI_Info hints;
} job;

static job the;

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

/* Get the bytes that are allocated, with this rank's pieces of the files of its node: they are resident, and no other pieces are,
 * because there are no other ranks. */
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

/* Read numbers joined by x. Returns how many. */
static int read_numbers(const char *text, ptrdiff_t list[])
{
    int n = 0;
    for (const char *at = text; n < SUBX_NDIMS_MAX; at++) {
        char *end;
        list[n] = strtol(at, &end, 10);
        if (end == at || list[n] < 1 || list[n] > 1 << 24)
            break;
        n++;
        if (*end == '\0')
            return n;
        if (*end != 'x')
            break;
        at = end;
    }
    refuse("a number is wrong");
    return 0;
}

/* Read the command line. The pretended rank is the first rank of the second node. It cannot be rank 0: the
 * coordinates of rank 0 are all 0, so all its rows would have color 0, and our MPI_Comm_split recognizes a row by
 * its color. */
static void read(int argc, char *argv[])
{
    ptrdiff_t numbers[SUBX_NDIMS_MAX];
    double p = 1;
    if (argc < 5)
        refuse("usage: scale OBJECT PER_NODE GRID LENGTHS [KEY=VALUE ...]");
    the.per_node = read_numbers(argv[2], numbers) == 1 ? (int)numbers[0] : 1;
    the.g = read_numbers(argv[3], numbers);
    for (int k = 0; k < the.g; k++)
        p *= the.dims[k] = (int)numbers[k];
    the.ndims = read_numbers(argv[4], the.n);
    if (p > 1 << 24 || p <= the.per_node || the.ndims <= the.g)
        refuse("the grid has too many ranks, too few for two nodes, or too many dimensions");
    the.p = (int)p;
    the.r = the.per_node;
    for (int i = 0; i < the.ndims; i++)
        for (int k = 0; k < the.g; k++)
            if (the.n[i] % the.dims[k] != 0)
                refuse("a dimension of the grid does not divide a length");
    MPI_Info_create(&the.hints);
    for (int i = 5; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (!value)
            refuse("a hint must be KEY=VALUE");
        *value = '\0';
        MPI_Info_set(the.hints, argv[i], value + 1);
        *value = '=';
    }
}

/* ---- objects: each function creates one, and tells its engine and the bytes of its work space */

typedef struct made {
    char engine[64];
    ptrdiff_t work;
} made;

static int create_grid(made *m)
{
    subx_grid grid;
    m->work = 0;
    return subx_grid_create(MPI_COMM_WORLD, the.g, the.dims, &grid);
}

static int create_plan(made *m)
{
    char text[64] = "";
    subx_fft_plan plan;
    MPI_Info info;
    int is_set = 0;
    for (int k = 0, at = 0; k < the.g; k++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%d", k ? "x" : "", the.dims[k]);
    MPI_Info_set(the.hints, "subx_grid", text);
    int rc = subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, the.ndims, the.n, the.hints, &plan);
    if (!rc)
        rc = subx_fft_plan_get_work(plan, &m->work);
    if (!rc)
        rc = subx_fft_plan_get_info(plan, &info);
    if (!rc)
        MPI_Info_get(info, "subx_engine", sizeof m->engine - 1, m->engine, &is_set);
    return rc;
}

static int note_exchange(int rc, subx_exch ex, made *m)
{
    const char *engine = "";
    if (!rc)
        rc = subx_exch_get(ex, &engine, NULL, NULL, &m->work);
    snprintf(m->engine, sizeof m->engine, "%s", engine);
    return rc;
}

/* An exchange of all ranks with all ranks, whatever the grid is. */
static int create_realign(made *m)
{
    subx_exch ex;
    int rc = subx_exch_create_realign(MPI_COMM_WORLD, the.ndims, the.n, 0, 1, NULL, NULL,
                                      MPI_C_DOUBLE_COMPLEX, the.hints, &ex);
    return note_exchange(rc, ex, m);
}

/* Get the box of a rank. The g dimensions of the grid divide the first g + 1 axes, except axis `whole`. The
 * redistribution goes from boxes with whole = g to boxes with whole = g - 1. So each rank exchanges data only within
 * its row along the last dimension. */
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
    int rc = MPI_SUCCESS;
    pretend_set_gather(write_box);
    for (int side = 0; side < 2 && !rc; side++) {
        ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX];
        get_box(the.r, the.g - side, start, len);
        rc = subx_boxes_create(the.ndims, the.n, &boxes[side]);
        if (!rc)
            rc = subx_boxes_add(boxes[side], start, len);
    }
    if (!rc)
        rc = subx_exch_create_boxes(MPI_COMM_WORLD, boxes[0], boxes[1], MPI_C_DOUBLE_COMPLEX, the.hints, &ex);
    return note_exchange(rc, ex, m);
}

static const struct {
    const char *name;
    int (*create)(made *m);
} objects[] = {
    {"grid", create_grid}, {"plan", create_plan}, {"realign", create_realign}, {"boxes", create_boxes}};
enum { OBJECTS = sizeof objects / sizeof objects[0] };

/* ---- the measurement */

static void print(char *argv[], int argc, const made *m, double held, double peak, double seconds)
{
    const pretend_traffic t = pretend_get_traffic();
    printf("%s,%d,%d,%s,%s,", argv[1], the.p, the.per_node, argv[3], argv[4]);
    for (int i = 5; i < argc; i++)
        printf("%s%s", i > 5 ? " " : "", argv[i]);
    printf(",%s,%.0f,%td,%.0f,%.4f,%ld,%.0f,%ld\n", m->engine, held - (double)m->work, m->work, peak, seconds,
           t.calls, t.bytes, t.messages);
}

static int measure(int (*create)(made *m), int argc, char *argv[])
{
    made m = {"", 0};
    char text[MPI_MAX_ERROR_STRING];
    int length;
    pretend_begin(the.p, the.r, the.per_node);
    pretend_set_grid(the.g, the.dims);
    reset_peak();
    const double held = get_held(), resident = read_status("VmRSS:"), began = MPI_Wtime();
    const int rc = create(&m);
    const double seconds = MPI_Wtime() - began;
    if (rc) {
        MPI_Error_string(rc, text, &length);
        fprintf(stderr, "scale: %s\n", text);
        return 2;
    }
    print(argv, argc, &m, get_held() - held, read_status("VmHWM:") - resident, seconds);
    return 0;
}

int main(int argc, char *argv[])
{
    int status = -1;
    MPI_Init(&argc, &argv);
    read(argc, argv);
    for (int i = 0; i < OBJECTS; i++)
        if (strcmp(argv[1], objects[i].name) == 0)
            status = measure(objects[i].create, argc, argv);
    if (status < 0)
        refuse("OBJECT is grid, plan, realign or boxes");
    MPI_Finalize();
    return status;
}
