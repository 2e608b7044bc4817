/* device.h - a device, such as a GPU: its memory, and streams of work on it. An implementation is a constant table of
 * functions. The library of a real device is loaded when a plan asks for it (find.c); only `fake` is built in.
 *
 *     stream 0    permute   copy   record A   permute   copy   record B
 *     stream 1                     await A    copy      permute
 *
 * Work on a stream begins after the work before it on the same stream has ended. Work on different streams runs in any
 * order, but for events: what follows `await` in a stream begins after the work before `record` in another stream has
 * ended. Calls return before the work that they ask for has begun or ended; only `wait` and `finish` wait.
 *
 * A stream of the caller is one that this table did not create. It is only used by `record` and `await`. */
#ifndef SX_DEVICE_H
#define SX_DEVICE_H

#include "serial/serial.h"

/* A strided copy as a loop nest: for all indices, an element moves from the sum of index * from to the sum of index *
 * to. Level 0 is the innermost one. It is no sx_layout of lib/layout, because libsubx_fft includes installed headers
 * of libsubx only. */
typedef struct sx_device_nest {
    int nlevels;
    ptrdiff_t element, count; /* bytes of an element, a multiple of 4; the number of elements */
    ptrdiff_t n[SUBX_NDIMS_MAX], from[SUBX_NDIMS_MAX], to[SUBX_NDIMS_MAX]; /* strides in bytes */
} sx_device_nest;

/* create: the nest of one element. add: add an outer level; a level that continues the level inside it is merged with
 * it (nest.c). */
sx_device_nest sx_device_nest_create(ptrdiff_t element);
void sx_device_nest_add(sx_device_nest *nest, ptrdiff_t n, ptrdiff_t from, ptrdiff_t to);

/* A copy that also changes the lengths of axes, and multiplies: a kernel does both in one read and one write. It is a loop
 * nest over the elements that are written. Strides are in reals; an element has `width` of them. */
typedef struct sx_device_map {
    int level; /* of the nest */
    /* Index j of this level is read from index j below `low`, and from j + shift from `second` on. In between are zeros.
     * But index `mirror` is read from index `edge`. Indices edge and mirror are multiplied by `weight`. If `other` is not
     * negative, the element with this index is added to `edge` first. -1: there is no such index. */
    ptrdiff_t low, second, shift, edge, mirror, other;
    double weight;
} sx_device_map;

typedef struct sx_device_fix {
    int precision, width, nlevels, nmaps;
    ptrdiff_t count; /* of elements that are written */
    ptrdiff_t n[SUBX_NDIMS_MAX], from[SUBX_NDIMS_MAX], to[SUBX_NDIMS_MAX];
    sx_device_map map[2]; /* of two levels; only one of them has `other` */
    double factor;        /* of all elements */
} sx_device_fix;

/* Products, element by element. TABLE: the factors are an array like x, without gaps. WAVES: each level of a nest has a
 * table of reals, which begins at factors[first]; an element is multiplied by the product of its entries, times i if
 * `is_turned`. POWER: the same, but by the sum of its entries, raised to `power`; negative powers of 0 are 0. */
enum { SX_DEVICE_TABLE, SX_DEVICE_WAVES, SX_DEVICE_POWER };

typedef struct sx_device_product {
    int what, precision, width, is_conjugate, is_turned, power, nlevels;
    ptrdiff_t count;                                     /* of elements */
    ptrdiff_t n[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX]; /* stride: reals */
    ptrdiff_t first[SUBX_NDIMS_MAX];
} sx_device_product;

/* The functions return a kind of error, SUBX_ERR_*: NONE; NO_MEM; ARG, for an address that is not in the device's
 * memory; UNAVAILABLE, for what the device does not have; DEVICE, for everything else. A call that fails adds no work
 * to its stream. Memory and transforms may be freed when no work needs them any more. */
typedef struct sx_device {
    const char *name;    /* such as "cuda" */
    const char *version; /* of subarray_x: a table of another version has other functions */

    /* Open the device of this process. UNAVAILABLE, with a reason in `why`, if there is no device or no driver. Close
     * it after everything else has been freed. */
    int (*open)(void **self, sx_text *why);
    void (*close)(void *self);

    /* ---- memory */
    int (*alloc)(void *self, ptrdiff_t bytes, void **address); /* aligned to SX_ALIGNMENT */
    void (*free)(void *self, void *address);                   /* may be NULL */
    /* Query whether all these bytes are memory that work on the device may read and write. */
    int (*has)(void *self, const void *address, ptrdiff_t bytes);
    /* Keep pages of the host in place, so that copies from and to them run beside other work. Copies are also right if
     * this fails. */
    int (*pin)(void *self, void *host, ptrdiff_t bytes);
    void (*unpin)(void *self, void *host);

    /* ---- streams and events; what is freed may be NULL */
    int (*create_stream)(void *self, void **stream);
    void (*free_stream)(void *stream);
    int (*create_event)(void *self, void **event);
    void (*free_event)(void *event);
    int (*record)(void *stream, void *event); /* the event: all work on this stream so far has ended */
    int (*await)(void *stream, void *event);  /* further work on this stream begins after the event */
    int (*wait)(void *event);                 /* wait here for the event; may return the error of any work */
    int (*finish)(void *stream);              /* wait here for all work; returns the error of any of it */

    /* ---- work */
    int (*copy)(void *stream, void *to, const void *from, ptrdiff_t bytes); /* a side may be the host's */
    int (*permute)(void *stream, const sx_device_nest *nest, const void *from, void *to);
    int (*fix)(void *stream, const sx_device_fix *fix, const void *from, void *to);
    int (*multiply)(void *stream, const sx_device_product *product, const void *factors, void *x);
    int (*scale)(void *stream, int precision, void *x, ptrdiff_t n, double factor); /* n reals */

    /* ---- transforms of one axis: float or double, complex, real-to-complex or complex-to-real */
    int (*create_transform)(void *self, const sx_serial_problem *p, int is_in_place, void **transform);
    void (*free_transform)(void *transform);
    int (*transform)(void *stream, void *transform, void *in, void *out);
} sx_device;

/* ---- kinds of memory (find.c): values of the hint subx_memory_kind, which are MPI 4.1's words */
#define SX_DEVICE_SYSTEM "system"
#define SX_DEVICE_FAKE "fake:device" /* only where a test has made a fake device known */

int sx_device_is_kind(const char *kind);

/* Find the device that has a kind of memory; NULL for memory of the host. UNAVAILABLE, with the reason, if there is
 * none. Returns an MPI error code. Local. */
int sx_device_find(const char *kind, const sx_device **device, sx_text *why);

#endif
