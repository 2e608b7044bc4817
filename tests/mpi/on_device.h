/* on_device.h - the device that a test uses, by default the fake one, and plans with arrays in the device's
 * memory. */
#ifndef TEST_ON_DEVICE_H
#define TEST_ON_DEVICE_H

#include "common/field.h"
#include "common/random.h"
#include "device/fake.h"
#include <subx_fft.h>

/* ---- the device */

typedef struct test_device_state {
    const sx_device *table;
    const char *place; /* the kind of memory, a value of the hint subx_memory_kind */
    sx_fake *fake;     /* NULL if the device is real */
    void *handle, *stream;
} test_device_state;

extern test_device_state test_device;

/* Begin a test program, and open the device: the fake one, or that of the memory that TEST_DEVICE names. If
 * there is none, the program ends, and counts as skipped. test_device_close closes the device, and checks
 * that nothing is left on the fake one. */
void test_device_begin(int *argc, char ***argv);
void test_device_close(void);

/* Get the number of random problems of this run: RANDOM_COUNT, or `usual`. */
uint64_t test_device_get_count(uint64_t usual);

/* Create a realignment of a 3-D array of doubles from axis 0 to axis 1, in an order on the other side. text:
 * further hints; memory: the kind of memory. Collective; returns an MPI error code. */
int test_device_create_realign(const char *text, const char *memory, const ptrdiff_t sizes[],
                               const int order[], subx_exch *ex);

/* Get a value of subx_exch_get_info; "" if there is none. value: room for MPI_MAX_INFO_VAL characters. */
void test_device_get_info(subx_exch ex, const char *key, char value[]);

/* ---- creations that fail. begin: call n of the fake device fails on rank `victim`, or allocation n of the
 * library if is_device is 0. end: check that rc, the outcome of the creation, suits this on all ranks.
 * Returns whether the call or the allocation has failed, on all ranks. */
void test_device_begin_fault(int victim, int is_device, long n);
int test_device_end_fault(int victim, int is_device, int rc);

/* ---- executions that fail. begin: call n of the fake device fails on rank 0. end: check rc, the outcome of
 * the execution: rank 0 gets the error DEVICE, and the others get right data or the error PEER. Returns
 * whether the call has failed, on all ranks. */
void test_device_begin_execution_fault(long n);
int test_device_end_execution_fault(int rc);

/* Choose by a number what MPI does with memory of the fake device, SX_FAKE_*_MESSAGES; the same on all
 * ranks. */
void test_device_set_messages(uint64_t number);

void *test_device_alloc(ptrdiff_t bytes);

/* Copy between host and device, or within either, and wait for the end of the copy. */
void test_device_copy(void *to, const void *from, ptrdiff_t bytes);

/* ---- plans */

enum { TEST_DEVICE_NDIMS = 4, TEST_DEVICE_TEXT = 512, TEST_DEVICE_BOXES = 12 };

/* What boxes the caller has on a side: none; boxes that lie one after the other; boxes with strides and
 * gaps. */
enum { TEST_NO_BOXES, TEST_BOXES, TEST_STRIDED_BOXES };

/* A problem as a text, and hints as test_hints takes them. */
typedef struct test_task {
    uint64_t number;
    int nranks, ndims, is_float, howmany, is_truncated, is_padded, is_factored;
    int kind; /* of all axes; R2C if it is that of the last axis and the others are C2C; SUBX_FFT_NONE for a
                 list */
    int kinds[TEST_DEVICE_NDIMS], is_real; /* is_real: the spectral side is real */
    int has_strides[2];                    /* of each side: random strides, other ones on each rank */
    int boxes[2],
        is_brick; /* boxes: of each side, TEST_NO_BOXES, ..; is_brick: the grid divides every axis */
    ptrdiff_t sizes[TEST_DEVICE_NDIMS];
    char problem[TEST_DEVICE_TEXT], hints[TEST_DEVICE_TEXT];
    const char *scaling;
    int is_natural; /* 1 for strategy device_natural on a device */
} test_task;

/* Draw a problem, a process grid and hints. A problem has its own number of ranks, at most the number of
 * ranks of the run. Also draws what MPI does with memory of the fake device. */
test_task test_task_draw(uint64_t number);

/* Get a communicator of the ranks that a task has, which the caller frees, and set the test's context to the
 * task. The result is MPI_COMM_NULL on all other ranks. Collective on MPI_COMM_WORLD. */
MPI_Comm test_task_begin(const test_task *t);

/* ---- boxes (on_device_boxes.c) */

/* A box of a rank, and where it lies in the rank's array; stride and offset are in elements. */
typedef struct test_box {
    int rank, order[TEST_DEVICE_NDIMS];
    ptrdiff_t start[TEST_DEVICE_NDIMS], len[TEST_DEVICE_NDIMS], stride[TEST_DEVICE_NDIMS], offset;
} test_box;

/* draw: get the boxes of a rank on a side, whose array has the lengths `lens`. *distance becomes the distance
 * of two fields, if the boxes have strides. Returns the number of boxes. get_lengths: get the lengths of a
 * side. set_problem: set this rank's boxes. */
int test_boxes_draw(const test_task *t, int side, const ptrdiff_t lens[], int rank, test_box box[],
                    ptrdiff_t *distance);
void test_boxes_get_lengths(const test_task *t, subx_fft_problem problem, int side, ptrdiff_t lens[]);
void test_boxes_set_problem(const test_task *t, MPI_Comm comm, subx_fft_problem problem);

/* ---- plans of problems */

/* Create a plan on a kind of memory. Returns the library's error code. */
int test_device_create_plan(const test_task *t, MPI_Comm comm, const char *memory, subx_fft_plan *plan);
int test_device_create_problem_plan(const test_task *t, subx_fft_problem problem, MPI_Comm comm,
                                    const char *memory, subx_fft_plan *plan);

/* A plan with an array for each side. A plan on the host has host arrays only. A plan on the device has
 * device arrays, and a copy of each on the host. */
typedef struct test_run {
    subx_fft_plan plan;
    ptrdiff_t bytes[2];
    ptrdiff_t real_bytes;
    int has_data[2], keeps_gaps[2]; /* keeps_gaps: 1 if executions must leave the gaps as they are */
    int destroys;                   /* 1 if backward may destroy its input */
    char *is_gap[2]; /* for each real of an array: 1 if it belongs to no element; NULL if there are no gaps */
    void *host[2], *device[2];
    void *stream; /* the caller's stream; NULL for none */
    double large; /* a number to which errors are relative if all results are smaller; 0 for none */
} test_run;

/* Create the plan and the arrays of a run. Returns 0 if the plan cannot be created. */
int test_run_begin(const test_task *t, MPI_Comm comm, int is_on_device, test_run *x);
void test_run_end(test_run *x);

/* Give the plan a stream for its further executions. */
void test_run_add_stream(test_run *x);

/* Fill the physical array on the host with random numbers. */
void test_run_fill(const test_task *t, test_run *x, uint64_t number);

/* Transform host[side] to host[!side]. A plan on the device transforms copies in device memory; the input is
 * then copied back, and must not have changed. */
int test_run_execute(test_run *x, int side);

/* Expect that the elements of the host arrays of two runs are equal, apart from rounding. Returns the largest
 * number of b, or b->large. */
double test_run_compare(const test_task *t, MPI_Comm comm, const test_run *a, const test_run *b, int side);

/* ---- calls that fail (on_device_fault.c), on all ranks of MPI_COMM_WORLD */

/* creation: each device call, or each third allocation of the library if is_device is 0, fails on one rank
 * while the plan is created. execution: each device call of an execution fails on rank 0. Right results are
 * those of a plan on the device, or of one on the host if is_on_device is 0. */
void test_fault_check_creation(const test_task *sample, int is_device);
void test_fault_check_execution(const test_task *sample, int is_on_device);

/* ---- a reference (on_device_fftw.c): get the spectrum of a field by serial FFTW, as f->spectrum, in memory
 * of malloc; NULL if the tests are built without FFTW. */
double complex *test_fftw_transform(const test_field *f);

#endif
