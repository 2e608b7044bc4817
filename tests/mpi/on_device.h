/* on_device.h - the device of a test, by default the fake one, and plans with arrays in its memory. */
#ifndef TEST_ON_DEVICE_H
#define TEST_ON_DEVICE_H

#include "common/random.h"
#include "device/fake.h"

/* ---- the device */

typedef struct test_device_state {
    const sx_device *table;
    const char *place; /* the kind of memory */
    sx_fake *fake;     /* NULL if the device is a real one */
    void *handle, *stream;
} test_device_state;

extern test_device_state test_device;

/* Open the fake device, or the device of another kind of memory. Returns 0 if there is none. Close it; nothing may be
 * left on the fake one. */
int test_device_open(const char *kind, uint64_t seed);
void test_device_close(void);

void *test_device_alloc(ptrdiff_t bytes);

/* Copy between any two sides, at once. */
void test_device_copy(void *to, const void *from, ptrdiff_t bytes);

/* ---- plans */

enum { TEST_DEVICE_NDIMS = 4, TEST_DEVICE_TEXT = 512 };

/* A problem, and hints in the words of test_hints. */
typedef struct test_task {
    int nranks, kind, ndims, is_float, howmany, is_truncated;
    ptrdiff_t sizes[TEST_DEVICE_NDIMS];
    char problem[TEST_DEVICE_TEXT], hints[TEST_DEVICE_TEXT];
    const char *scaling;
} test_task;

/* Draw a problem of c2c or r2c, a grid and hints. It has its own number of ranks, at most that of the test. */
test_task test_task_draw(uint64_t number);

/* Create a plan on a kind of memory. Returns what the library returns. */
int test_device_create_plan(const test_task *t, MPI_Comm comm, const char *memory, subx_fft_plan *plan);
int test_device_create_problem_plan(const test_task *t, subx_fft_problem problem, MPI_Comm comm,
                                    const char *memory, subx_fft_plan *plan);

/* A plan with its array on each side: in the memory of the host, or of the device with a copy in that of the host. */
typedef struct test_run {
    subx_fft_plan plan;
    ptrdiff_t bytes[2];
    int has_data[2];
    void *host[2], *device[2];
    void *stream; /* of the caller; NULL for none */
} test_run;

/* Begin: create the plan and the arrays. Returns 0 if there is no plan. */
int test_run_begin(const test_task *t, MPI_Comm comm, int is_on_device, test_run *x);
void test_run_end(test_run *x);

/* Give the plan a stream, in which its further executions are ordered. */
void test_run_add_stream(test_run *x);

/* Fill the physical array of the host with random numbers. */
void test_run_fill(const test_task *t, test_run *x, uint64_t number);

/* Transform host[side] to host[!side]. On the device, `to` then is an array of the device, and the input is read back to
 * see that it has not changed. */
int test_run_execute(test_run *x, int side);

/* Expect that the arrays of the host are the same, but for rounding. */
void test_run_compare(const test_task *t, MPI_Comm comm, const test_run *a, const test_run *b, int side);

#endif
