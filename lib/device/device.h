/* device.h - a device, such as a GPU: its memory, and streams of work on it. An implementation is a constant
 * table of functions. The library of a real device is loaded when a plan or an exchange asks for it (find.c);
 * only `fake` is built in.
 *
 *     stream 0    permute   copy   record A   permute   copy   record B
 *     stream 1                     await A    copy      permute
 *
 * Work on a stream begins after the work before it on the same stream has ended. Work on different streams
 * runs in any order, unless an event orders it: work after `await` in one stream begins when all work before
 * `record` in the other stream has ended. A call that adds work returns before this work has ended; only
 * `wait` and `finish` wait.
 *
 * The program that uses this library may have a stream of its own, here called a stream of the caller. Only
 * `record` and `await` accept such a stream. */
#ifndef SX_DEVICE_H
#define SX_DEVICE_H

#include "base/base.h"
#include <stdint.h>

/* A strided copy of elements. Level 0 is the innermost loop. Elements are numbered in the order of the loops;
 * `count` elements are copied, from number `first` on. So a part of a copy is a nest, too. `skip` is for such
 * parts: skip[side] bytes are subtracted from all addresses of that side.
 *
 * Unlike an sx_layout (lib/layout), a nest has small elements, because each thread of a kernel copies one.
 * The addresses and strides are multiples of 16 bytes, or of the largest power of 2 that divides `element` if
 * this is less.
 *
 * A nest may convert: its elements are then one or two doubles, and `element` counts them as doubles.
 *     NARROW  the doubles that are read are rounded to floats, which are written
 *     WIDEN   the floats that are read are written as doubles
 *     ROUND   doubles are read and written; each is rounded to a float on its way
 * The side with floats has the half of an element's bytes, and its addresses and strides are multiples of
 * this half. */
enum { SX_DEVICE_NLEVELS_MAX = SUBX_NDIMS_MAX + 1 };
enum { SX_DEVICE_SAME, SX_DEVICE_NARROW, SX_DEVICE_WIDEN, SX_DEVICE_ROUND };

typedef struct sx_device_nest {
    int nlevels, converts;                    /* converts: SX_DEVICE_* above */
    ptrdiff_t element, first, count, skip[2]; /* element: bytes of an element */
    sx_dim level[SX_DEVICE_NLEVELS_MAX];      /* strides in bytes */
} sx_device_nest;

/* create: make a nest of one element, without levels. add: add an outermost level, which repeats the other
 * levels n times, at the strides `from` and `to` in bytes. reduce: leave only the bytes first .. first +
 * bytes - 1 of a nest, in the order of its loops; both are multiples of its element. get_bytes: get the bytes
 * that an element has on a side (nest.c). */
sx_device_nest sx_device_nest_create(ptrdiff_t element);
void sx_device_nest_add(sx_device_nest *nest, ptrdiff_t n, ptrdiff_t from, ptrdiff_t to);
void sx_device_nest_reduce(sx_device_nest *nest, ptrdiff_t first, ptrdiff_t bytes);
ptrdiff_t sx_device_nest_get_bytes(const sx_device_nest *nest, int side);

/* Rows of `bytes` bytes for the copy engine of a device. The strides, in bytes, are longer than a row. */
typedef struct sx_device_rows {
    ptrdiff_t bytes;
    sx_dim level[2];
} sx_device_rows;

/* A fold: how the copies around a Fourier transform make it another transform (fft/offload/fold.c). The
 * other transform is of n reals x[i]; the Fourier transform is of numbers y[j], which are real or complex. A
 * fold before the transform makes y from x. A fold after the transform makes x from the results y.
 *
 *     rule       y[j] is made of                       x[i] is made of
 *     EVENS      x[2j]; x[2(n-j)-1] if 2j >= n         y[i/2]; y[n-(i+1)/2] if i is odd
 *     LINE       x[j-shift], the second half is        y[i+shift]
 *                the mirrored first half
 *     HALF       x[j] and x[n-j]                       y[i]; y[n-i] if 2i > n
 *     QUARTER    x[2j] and x[n-1-2j]                   y[i/2]; y[(n-1-i)/2] if i is odd
 *     ODD        one x (kernel_fold_body.h)            one y
 *
 * If y[j] is made of two reals x and x', it is the complex number (x + imaginary i x') r. Here r is the root
 * of unity exp(-2 pi i (root[0] j + root[1]) / root[2]), or 1 if root[2] is 0. x[i] is the real part of y c
 * r, where c is factor[0]; in the cases behind a semicolon, c is factor[1]. For ODD, factor[1] is for the
 * second half of the spectrum, which is not stored. */
enum { SX_FOLD_NONE, SX_FOLD_EVENS, SX_FOLD_LINE, SX_FOLD_HALF, SX_FOLD_QUARTER, SX_FOLD_ODD };

typedef struct sx_device_fold {
    int rule, is_after;
    int is_reversed; /* 1 if i stands for n-1-i in the rule */
    int alternates;  /* 1 if x[i] changes its sign where i is odd */
    ptrdiff_t n, shift, root[3];
    double imaginary, factor[2][2];
    double ends[2]; /* weights of x[0] and x[n-1] */
} sx_device_fold;

/* How a copy changes the length of an axis. The element that it writes at index j is:
 *     j < low                  the element that it reads at index j
 *     low <= j < second        0
 *     second <= j              the element that it reads at index j + shift
 *     j == mirror              the element that it reads at index `edge`, whatever the rules above say
 *     j == edge                the element that the rules above give, plus the element that it reads at index
 *                              `other`
 * The elements written at edge and mirror are multiplied by `weight`. edge, mirror and other are -1 if there
 * is no such index. If there is a fold, the copy does this and folds: a fold before a transform gets x with
 * its new length; a fold after a transform makes x with its old length. */
typedef struct sx_device_map {
    int level; /* the level of the nest that loops over this axis */
    ptrdiff_t low, second, shift, edge, mirror, other;
    double weight;
    sx_device_fold fold;
} sx_device_map;

/* A copy that changes up to two axes and multiplies by a factor, in one read and one write of the array. It
 * is a loop nest over the elements that are written. Strides are in reals; an element has `width` reals. If a
 * fold takes real parts of complex elements, or makes complex elements of reals, width is 1, and the elements
 * that are read or written are complex. */
typedef struct sx_device_fix {
    int real_bytes, width, takes, makes, nlevels, nmaps; /* real_bytes: 4 or 8, the bytes of a real */
    ptrdiff_t count;                                     /* the number of elements that are written */
    sx_dim level[SUBX_NDIMS_MAX];
    /* One for each axis that changes. At most one has an `other`, one a fold before, and one a fold after. */
    sx_device_map map[2];
    double factor; /* multiplies all elements */
} sx_device_fix;

/* How an array x, a loop nest, is multiplied element by element.
 *     TABLE   the factors are an array of the same shape as x, with the same strides
 *     WAVES   level k of a nest has a table of reals, which begins at factors[first[k]]; an element is
 *             multiplied by the product of the entries at its indices, and by the imaginary unit if
 *             `is_turned`
 *     POWER   as WAVES, but the factor is the sum of these entries, raised to `power`; negative powers of 0
 *             are 0
 *     ROOTS   the factor is the root of unity exp(-2 pi i m / circle). m is the product of first[k] + index
 *             over all levels k whose first[k] is not negative; m < circle. There is no array of factors */
enum { SX_DEVICE_TABLE, SX_DEVICE_WAVES, SX_DEVICE_POWER, SX_DEVICE_ROOTS };

typedef struct sx_device_product {
    int what, real_bytes, width, is_conjugate, is_turned, power, nlevels;
    ptrdiff_t count, circle;                             /* count: number of elements */
    ptrdiff_t n[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX]; /* stride: in reals */
    ptrdiff_t first[SUBX_NDIMS_MAX];
} sx_device_product;

/* Transforms of up to three axes at once: at each index of the loops, a block of elements. Strides are in
 * elements of their side. Of several axes, the last one has the least strides, and on each side the elements
 * of an axis lie between two elements of the axis before: the stride of an axis is a multiple of the next
 * axis' stride, and at least its length times this stride. A real input or output has n elements of one real
 * each along the last axis; the other side then has n / 2 + 1 complex elements. The first loop is the longest
 * one: each iteration of the other loops may cost a call of the vendor's library. Each call begins at
 * addresses that are aligned as complex numbers are, also on a side with reals. */
enum { SX_DEVICE_NAXES_MAX = 3 };
typedef struct sx_device_fft {
    int real_bytes;
    int width[2];   /* [side]: reals of an element */
    int sign;       /* of the exponent: -1 forward, 1 backward */
    int keep_input; /* 1 if the transform must leave its input unchanged; never set for a real output */
    int naxes, nloops;
    sx_dim axis[SX_DEVICE_NAXES_MAX], loop[SUBX_NDIMS_MAX];
} sx_device_fft;

/* A ticket: bytes that name some memory of a device to other processes of the same node. */
typedef struct sx_device_ticket {
    char bytes[64];
} sx_device_ticket;

/* The functions return a kind of error, SUBX_ERR_*: NONE; NO_MEM; ARG, for an address that is not in the
 * device's memory; UNAVAILABLE, for what the device does not have; DEVICE, for everything else. A call that
 * fails adds no work to its stream. Memory and transforms may be freed when no work needs them any more. */
typedef struct sx_device {
    const char *name;    /* such as "cuda" */
    const char *version; /* of subarray_x; tables of two versions may have different functions */

    /* open: open the device of this process. UNAVAILABLE, with a reason in `why`, if there is no device or no
     * driver. close: called after everything else has been freed. */
    int (*open)(void **self, sx_text *why);
    void (*close)(void *self);
    /* Append the name of the device, and the versions of the software that drives it: one line for people and
     * for keys. */
    void (*describe)(void *self, sx_text *text);

    /* ---- memory */
    int (*alloc)(void *self, ptrdiff_t bytes, void **address); /* aligned to SX_ALIGNMENT */
    void (*free)(void *self, void *address);                   /* may be NULL */
    /* Query whether work on the device may read and write all these bytes. */
    int (*has)(void *self, const void *address, ptrdiff_t bytes);
    /* Query whether memory of `alloc` is on the device that is current now, and this device still works. */
    int (*is_current)(void *self, const void *address);
    /* Keep pages of the host in place, so that copies from and to them run beside other work. Copies are also
     * right if this fails. */
    int (*pin)(void *self, void *host, ptrdiff_t bytes);
    void (*unpin)(void *self, void *host);

    /* ---- memory of other processes of the node. export_memory: write a ticket for memory of `alloc`, given
     * its address, with which other processes import the memory. import_memory: make this memory readable for
     * work on this device, at *address. drop_memory: end an import. The memory must not be freed before all
     * its imports have ended. An import may also show memory behind the exported memory, unless its length is
     * a multiple of export_unit. */
    ptrdiff_t export_unit;
    int (*export_memory)(void *self, void *address, sx_device_ticket *ticket);
    int (*import_memory)(void *self, const sx_device_ticket *ticket, void **address);
    void (*drop_memory)(void *self, void *address);

    /* ---- messages of MPI from and to memory of `alloc`. takes_messages: query whether MPI takes such
     * addresses, without opening the device; NULL: MPI is asked (messages.c). lend: let MPI access the memory
     * of `alloc` that contains an address, until this is taken back (is_lent 0); calls may be nested. NULL if
     * MPI always has access. */
    int (*takes_messages)(void);
    void (*lend)(void *self, void *address, int is_lent);

    /* ---- streams and events; the functions that free accept NULL */
    int (*create_stream)(void *self, void **stream);
    void (*free_stream)(void *stream);
    int (*create_event)(void *self, void **event);
    void (*free_event)(void *event);
    /* record: the event happens when all work so far on this stream has ended. await: work that is added to
     * this stream from now on begins after the event. */
    int (*record)(void *stream, void *event);
    int (*await)(void *stream, void *event);
    int (*wait)(void *event);    /* the host waits for the event; may return an error of earlier work */
    int (*finish)(void *stream); /* the host waits for all work of the stream, and returns its error */

    /* ---- work */
    int (*copy)(void *stream, void *to, const void *from, ptrdiff_t bytes); /* also from or to the host */
    /* Copy rows within and between devices by the copy engine, which leaves the processors of the device to
     * kernels. The rows of level 0 may take a call. */
    int (*copy_rows)(void *stream, const sx_device_rows *rows, const void *from, void *to);
    int (*permute)(void *stream, const sx_device_nest *nest, const void *from, void *to);
    int (*fix)(void *stream, const sx_device_fix *fix, const void *from, void *to);
    int (*multiply)(void *stream, const sx_device_product *product, const void *factors, void *x);
    int (*scale)(void *stream, int real_bytes, void *x, ptrdiff_t n, double factor); /* n reals */

    /* ---- transforms */
    int (*create_transform)(void *self, const sx_device_fft *fft, int is_in_place, void **transform);
    void (*free_transform)(void *transform);
    int (*transform)(void *stream, void *transform, void *in, void *out);
} sx_device;

/* Append the description of a device, which is opened for it; only its name if it cannot be opened
 * (text.c). */
void sx_device_print(const sx_device *device, sx_text *t);

/* ---- messages (messages.c): whether this MPI sends from and receives into memory of a device. query:
 * returns 1 if MPI says so; else 0, with the reason in `why`. Local. print: append the answer about memory of
 * GPUs. */
int sx_device_query_messages(const sx_device *device, sx_text *why);
void sx_device_print_messages(sx_text *t);

/* ---- kinds of memory (find.c): values of the hint subx_memory_kind, which are MPI 4.1's words */
#define SX_DEVICE_SYSTEM "system"
#define SX_DEVICE_KINDS "system, cuda:device or cuda:managed" /* for texts of errors */
#define SX_DEVICE_FAKE "fake:device" /* only where a test has made a fake device known */

int sx_device_is_kind(const char *kind);

/* Find the device that has a kind of memory; NULL for memory of the host. UNAVAILABLE, with the reason, if
 * there is none. Returns an MPI error code. Local. */
int sx_device_find(const char *kind, const sx_device **device, sx_text *why);

/* Open a device. If there is no driver or no GPU, the reason becomes the text of the error. Returns an MPI
 * error code. Local. */
int sx_device_open(const sx_device *device, void **handle);

#endif
