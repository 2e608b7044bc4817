/* on_device.h - the device that a test uses, by default the fake one, and plans with arrays in the device's
 * memory. */
#ifndef TEST_ON_DEVICE_H
#define TEST_ON_DEVICE_H

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

/* Begin a test program, and open the device: the fake one, or that of the memory that TEST_DEVICE names.
 * If there is none, the program ends, and counts as skipped. test_device_open is the second half.
 * test_device_close closes the device, and checks that nothing is left on the fake one. */
void test_device_begin(int *argc, char ***argv);
void test_device_open(void);
void test_device_close(void);

/* Get the number of random problems of this run: RANDOM_COUNT, or `usual`. */
uint64_t test_device_get_count(uint64_t usual);

/* Get the number of objects on the fake device that nobody has freed; 0 on a real device. */
int test_device_count(void);

/* Choose by a number what MPI does with memory of the fake device, SX_FAKE_*_MESSAGES; the same on all
 * ranks. */
void test_device_set_messages(uint64_t number);

/* Memory of the device. alloc_readable: by subx_mem_alloc, so that other ranks can read it; collective.
 * copy: copy between host and device, or within either, and wait for the end of the copy. add_copy: let a
 * stream copy, without waiting. */
void *test_device_alloc(ptrdiff_t bytes);
void *test_device_alloc_readable(MPI_Comm comm, ptrdiff_t bytes);
void test_device_free(void *address);
void test_device_copy(void *to, const void *from, ptrdiff_t bytes);
void test_device_add_copy(void *stream, void *to, const void *from, ptrdiff_t bytes);

/* Streams of the caller. */
void *test_device_create_stream(void);
void test_device_finish(void *stream);

/* ---- exchanges */

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

/* Rank 0 has passed a wrong argument to an execution: expect an error of this kind there, and no error or
 * PEER on the other ranks. */
void test_device_expect_wrong(int rc, int kind);

/* ---- executions of plans on the device with arrays of the host */

/* An execution: forward or backward, or a convolution if direction is 0. If `to` is `from`, it is in
 * place. */
typedef struct test_launch {
    subx_fft_plan plan;
    int direction, is_started; /* is_started: by start, test and wait */
    subx_fft_operation op;     /* SUBX_FFT_OPERATION_NULL for none */
    void *stream;              /* the caller's stream; NULL for none */
    void *from, *to;
    ptrdiff_t bytes[2]; /* of `from` and `to` */
} test_launch;

/* Execute with copies of the arrays in device memory, and copy both back. NULL stays NULL. Returns the
 * error of the execution. */
int test_device_launch(const test_launch *x);

/* ---- plans with their arrays */

/* A problem as a text, and hints as test_hints takes them. */
typedef struct test_task {
    const char *problem, *hints;
} test_task;

/* Create a plan on a kind of memory. Returns the library's error code. */
int test_device_create_plan(const test_task *t, MPI_Comm comm, const char *memory, subx_fft_plan *plan);
int test_device_create_problem_plan(subx_fft_problem problem, const char *hints, MPI_Comm comm,
                                    const char *memory, subx_fft_plan *plan);

/* A plan with an array for each side. A plan on the host has host arrays only. A plan on the device has
 * device arrays, and a copy of each on the host. */
typedef struct test_run {
    subx_fft_plan plan;
    ptrdiff_t bytes[2];
    int is_float;
    void *host[2], *device[2];
    void *stream; /* the caller's stream; NULL for none */
} test_run;

/* Create the plan and the arrays of a run. Returns 0 if the plan cannot be created. */
int test_run_begin(const test_task *t, MPI_Comm comm, int is_on_device, test_run *x);
void test_run_end(test_run *x);

/* Create a reference, which is a plan on the host or on the device, and execute it, to get the expected
 * spectrum. Create a plan on the device with the same input. test_runs_end ends both. */
int test_runs_begin(const test_task *t, int is_on_device, test_run *reference, test_run *device);
void test_runs_end(test_run *reference, test_run *device);

/* Give the plan a stream for its further executions. */
void test_run_add_stream(test_run *x);

/* Fill the physical array on the host with random numbers. */
void test_run_fill(test_run *x, uint64_t number);

/* Transform host[side] to host[!side]. A plan on the device transforms copies in device memory. */
int test_run_execute(test_run *x, int side);

/* Expect that the elements of the host arrays of two runs are equal, apart from rounding. */
void test_run_compare(MPI_Comm comm, const test_run *a, const test_run *b, int side);

/* ---- calls that fail (on_device_fault.c), on all ranks of MPI_COMM_WORLD */

/* creation: each device call, or each seventh allocation of the library if is_device is 0, fails on one rank
 * while the plan is created. execution: each device call of an execution fails on rank 0; has_stream: in a
 * stream of the caller. Right results are those of a plan on the device, or of one on the host if
 * is_on_device is 0. */
void test_fault_check_creation(const test_task *sample, int is_device);
void test_fault_check_execution(const test_task *sample, int is_on_device, int has_stream);

#endif
