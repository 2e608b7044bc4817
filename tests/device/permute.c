/* permute.c - the rate of a device's permuting copy, for all 36 pairs of storage orders of an array of three
 * axes, beside the rate of its plain copy. Each result is compared with a plain loop on the host.
 *
 * usage: permute KIND N0xN1xN2 BYTES REPEAT
 *        KIND is a kind of memory, such as cuda:device, or fake:device, which is made known here. BYTES is
 *        the length of an element: 4, 8 or 16. The least time of REPEAT copies counts.
 *
 * Prints a line of CSV per pair. Orders are innermost first. gbps counts bytes that are read and bytes that
 * are written. Exit status: 0; 1 if a result is wrong or a call fails; 77 if there is no such device. */
#include "device/fake.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, ORDERS = 6, SKIPPED = 77 };

static const int orders[ORDERS][AXES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

typedef struct job {
    const sx_device *device;
    void *handle, *stream, *from, *to;
    char *host[2]; /* the array before the copy; the result */
    ptrdiff_t n[AXES], element, bytes;
    int repeat, nfailed;
} job;

static void expect(job *j, int kind, const char *what)
{
    if (kind)
        fprintf(stderr, "%s: error of kind %d\n", what, kind);
    j->nfailed += kind != 0;
}

/* ---- copies */

static void set_strides(const job *j, const int order[], ptrdiff_t stride[])
{
    ptrdiff_t bytes = j->element;
    for (int k = 0; k < AXES; k++) {
        stride[order[k]] = bytes;
        bytes *= j->n[order[k]];
    }
}

static sx_device_nest get_nest(const job *j, const int from[], const int to[])
{
    sx_device_nest nest = sx_device_nest_create(j->element);
    ptrdiff_t is[AXES], os[AXES];
    set_strides(j, from, is);
    set_strides(j, to, os);
    for (int k = 0; k < AXES; k++)
        sx_device_nest_add(&nest, j->n[to[k]], is[to[k]], os[to[k]]);
    return nest;
}

/* Get the least seconds of a copy; of the plain copy if there is no nest. */
static double measure(job *j, const sx_device_nest *nest)
{
    double least = 1e30;
    for (int i = 0; i <= j->repeat; i++) {
        const double begin = MPI_Wtime();
        expect(j,
               nest ? j->device->permute(j->stream, nest, j->from, j->to)
                    : j->device->copy(j->stream, j->to, j->from, j->bytes),
               nest ? "permute" : "copy");
        expect(j, j->device->finish(j->stream), "finish");
        const double seconds = MPI_Wtime() - begin;
        least = i > 0 && seconds < least ? seconds : least; /* copy 0 is not timed */
    }
    return least;
}

/* ---- checks */

static void move(job *j, void *to, const void *from)
{
    expect(j, j->device->copy(j->stream, to, from, j->bytes), "copy");
    expect(j, j->device->finish(j->stream), "finish");
}

/* Compare the result with the element that belongs at each index. */
static int is_right(const job *j, const int from[], const int to[])
{
    ptrdiff_t is[AXES], os[AXES];
    set_strides(j, from, is);
    set_strides(j, to, os);
    for (ptrdiff_t a = 0; a < j->n[0]; a++)
        for (ptrdiff_t b = 0; b < j->n[1]; b++)
            for (ptrdiff_t c = 0; c < j->n[2]; c++)
                if (memcmp(j->host[0] + a * is[0] + b * is[1] + c * is[2],
                           j->host[1] + a * os[0] + b * os[1] + c * os[2], (size_t)j->element) != 0)
                    return 0;
    return 1;
}

static void run_pair(job *j, const int from[], const int to[], double copy)
{
    const sx_device_nest nest = get_nest(j, from, to);
    memset(j->host[1], 0xff, (size_t)j->bytes);
    move(j, j->to, j->host[1]);
    const double seconds = measure(j, &nest);
    move(j, j->host[1], j->to);
    const int right = is_right(j, from, to);
    j->nfailed += !right;
    printf("%d-%d-%d,%d-%d-%d,%td,%td,%.3e,%.2f,%.3f%s\n", from[0], from[1], from[2], to[0], to[1], to[2],
           j->element, j->bytes, seconds, 2e-9 * (double)j->bytes / seconds, copy / seconds,
           right ? "" : ",WRONG");
}

/* ---- the program */

static int set_arguments(job *j, char **argv)
{
    j->element = atoi(argv[3]);
    j->repeat = atoi(argv[4]);
    j->bytes = j->element;
    if (sscanf(argv[2], "%tdx%tdx%td", &j->n[0], &j->n[1], &j->n[2]) != AXES)
        return 0;
    for (int a = 0; a < AXES; a++)
        j->bytes *= j->n[a];
    return j->bytes > 0 && j->repeat > 0 && (j->element == 4 || j->element == 8 || j->element == 16);
}

static int open_device(job *j, const char *kind)
{
    char text[SX_ERROR_LEN] = "";
    sx_text why = {text, sizeof text, 0};
    if (strcmp(kind, SX_DEVICE_FAKE) == 0)
        sx_base_knobs.fake = sx_device_fake_create(1);
    if (!sx_device_find(kind, &j->device, &why) && j->device && !j->device->open(&j->handle, &why))
        return 1;
    fprintf(stderr, "no device: %s\n", text);
    return 0;
}

static void create(job *j)
{
    expect(j, j->device->create_stream(j->handle, &j->stream), "create_stream");
    expect(j, j->device->alloc(j->handle, j->bytes, &j->from), "alloc");
    expect(j, j->device->alloc(j->handle, j->bytes, &j->to), "alloc");
    for (int i = 0; i < 2; i++)
        j->nfailed += !(j->host[i] = malloc((size_t)j->bytes));
    for (ptrdiff_t i = 0; !j->nfailed && i < j->bytes / 4; i++)
        ((uint32_t *)(void *)j->host[0])[i] = (uint32_t)i * UINT32_C(2654435761);
}

static void release(job *j)
{
    j->device->free(j->handle, j->from);
    j->device->free(j->handle, j->to);
    j->device->free_stream(j->stream);
    j->device->close(j->handle);
    if (sx_base_knobs.fake)
        j->nfailed += sx_device_fake_free(&sx_base_knobs.fake) != 0;
    free(j->host[0]);
    free(j->host[1]);
}

static void run(job *j)
{
    move(j, j->from, j->host[0]);
    const double copy = measure(j, NULL);
    printf("from,to,element_bytes,bytes,seconds,gbps,ratio_copy\n");
    printf("copy,copy,%td,%td,%.3e,%.2f,1\n", j->element, j->bytes, copy, 2e-9 * (double)j->bytes / copy);
    for (int from = 0; from < ORDERS; from++)
        for (int to = 0; to < ORDERS; to++)
            run_pair(j, orders[from], orders[to], copy);
}

int main(int argc, char **argv)
{
    job j = {.nfailed = 0};
    int status = SKIPPED;
    MPI_Init(&argc, &argv);
    if (argc != 5 || !set_arguments(&j, argv)) {
        fprintf(stderr, "usage: permute KIND N0xN1xN2 BYTES REPEAT\n");
        status = 2;
    } else if (open_device(&j, argv[1])) {
        create(&j);
        if (!j.nfailed)
            run(&j);
        release(&j);
        status = j.nfailed > 0;
    }
    MPI_Finalize();
    return status;
}
