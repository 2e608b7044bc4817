/* fake.h - the device `fake`, for tests: memory of the host that only the functions of the table may touch,
 * streams whose work runs late and in any order that the events allow, and calls that fail on demand.
 *
 * A test creates the device and makes it known by sx_base_knobs. The device's memory is protected: whoever
 * touches it gets a signal. While a piece of work runs, only its operands are open; an operand that the work
 * only reads cannot be written. Behind each piece of memory there is a page that is always closed. Memory
 * that a process imports from another process is protected in the same way, and can only be read. Memory that
 * is lent to MPI is open. */
#ifndef SX_FAKE_H
#define SX_FAKE_H

#include "device/device.h"

/* What MPI does with memory of the device: it refuses it, takes it, or says that it takes it but receives
 * wrong data. */
enum { SX_FAKE_REFUSES_MESSAGES, SX_FAKE_TAKES_MESSAGES, SX_FAKE_SPOILS_MESSAGES };

/* What a test can make slower, so that it decides which plan is faster: transforms whose pencils are
 * contiguous where they are read or written; those whose pencils are strided on both sides; lending memory to
 * MPI; kernels that permute. */
enum { SX_FAKE_CONTIGUOUS, SX_FAKE_STRIDED, SX_FAKE_LENT, SX_FAKE_PERMUTED, SX_FAKE_DELAYS };

typedef struct sx_fake {
    unsigned long long random; /* the state of the scheduler */
    long fails_after;          /* the number of calls that succeed before one fails; negative: none fails */
    int nobjects;              /* how many objects were created and not yet freed */
    long ncreated;             /* how many objects were created */
    int error;    /* the error of work that failed when it ran; `wait` or `finish` returns it once */
    int messages; /* SX_FAKE_*_MESSAGES */
    int is_away;  /* 1 if the program has made another device current */
    long nrows;   /* how many times rows were copied */
    int delay[SX_FAKE_DELAYS]; /* microseconds that each of these takes in addition */
    struct sx_fake_memory *memory;
    struct sx_fake_stream *stream;
} sx_fake;

/* create: create a device; NULL if there is no memory. free: free it, and return the number of objects that
 * nobody freed. */
sx_fake *sx_device_fake_create(unsigned long long seed);
int sx_device_fake_free(sx_fake **fake);

/* The table of the fake device. Its function `open` opens the device that sx_base_knobs has. */
extern const sx_device sx_device_fake;

/* ---- shared by the files of this device */

/* A piece of memory: pages of a file, so that other processes can map it, too. Behind it lies a page that
 * nobody may touch, at a distance of fewer than SX_ALIGNMENT bytes. */
typedef struct sx_fake_memory {
    struct sx_fake_memory *next;
    char *pages, *data;
    size_t length; /* bytes of all pages, also of the closed page behind the data */
    ptrdiff_t bytes;
    int file, is_imported; /* file: a descriptor; -1 if there is none */
    int nlent;             /* how many times it is lent to MPI */
} sx_fake_memory;

/* Query whether a call of a function of the table must fail. Each call that can fail asks once. */
int sx_device_fake_has_failed(sx_fake *f);

size_t sx_device_fake_get_page(void);

/* find: get the piece of memory that contains an address; NULL if there is none. has: query whether an
 * address is in the device's memory. open: set the access to the piece of memory that contains an address;
 * `access` is as for mprotect. Returns 0 if there is no such memory. */
sx_fake_memory *sx_device_fake_find(const sx_fake *f, const void *address);
int sx_device_fake_has(const sx_fake *f, const void *address);
int sx_device_fake_open(const sx_fake *f, const void *address, int access);

/* ---- work (fake_stream.c) */

typedef struct sx_fake_event {
    sx_fake *fake;
    long recorded,
        reached; /* recorded: number of records of the event; reached: how many of them have been reached */
} sx_fake_event;

enum {
    SX_FAKE_RECORD,
    SX_FAKE_AWAIT,
    SX_FAKE_COPY,
    SX_FAKE_ROWS,
    SX_FAKE_PERMUTE,
    SX_FAKE_FIX,
    SX_FAKE_MULTIPLY,
    SX_FAKE_SCALE,
    SX_FAKE_TRANSFORM
};

typedef struct sx_fake_work {
    struct sx_fake_work *next;
    int what;
    const void *from;
    void *to;
    int is_here[2]; /* for `from` and `to`: 1 if it was in the device's memory when the work was added */
    ptrdiff_t n;    /* bytes of a copy; threads of a kernel */
    sx_device_nest nest;
    sx_device_rows rows;
    sx_device_fix fix;
    sx_device_product product;
    int real_bytes;
    double factor;
    struct sx_fake_transform *transform;
    sx_fake_event *event;
    long number; /* which record of `event` this work makes or awaits, counted from 1 */
} sx_fake_work;

typedef struct sx_fake_stream {
    struct sx_fake_stream *next;
    sx_fake *fake;
    sx_fake_work *first, **last;
} sx_fake_stream;

/* ---- transforms (fake_transform.c) */

typedef struct sx_fake_transform {
    sx_fake *fake;
    sx_device_fft fft;
    int is_in_place;
    /* root: the roots of unity of each axis, axis after axis. block: work space for a block of complex
     * numbers. pencil: for a line of it. */
    double *root, *block, *pencil;
} sx_fake_transform;

/* Transform by the definition. If the transform may destroy its input, its input is overwritten, so that a
 * program that still needs the input fails. */
void sx_device_fake_transform(const sx_fake_transform *t, const void *in, void *out);

/* Wait for delay number `which` of the device. */
void sx_device_fake_wait(const sx_fake *f, int which);

/* Put a copy of some work at the end of a stream. Sometimes, at random, also run work of the streams. */
int sx_device_fake_put(sx_fake_stream *s, const sx_fake_work *w);

/* wait_event: run work of all streams in a random order until record `number` of an event is reached.
 * wait_stream: do so until the stream is empty. Both return DEVICE if no stream can go on before this
 * happens. */
int sx_device_fake_wait_event(const sx_fake_event *e, long number);
int sx_device_fake_wait_stream(const sx_fake_stream *s);

/* Remove an event from the work of all streams, before the event is freed. All records of the event must have
 * been reached: then no work waits for the event. */
void sx_device_fake_drop_event(const sx_fake_event *e);

#endif
