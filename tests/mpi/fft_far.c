/* fft_far.c - arrays that are larger than the caches. When kernels write such an array, they bypass the
 * caches if the array is aligned. The results are compared with a plan that uses another serial backend. With
 * that backend, passes gather and scatter tiles.
 * ranks: 1 2 3 (every rank has arrays larger than its caches) */
#include "common/array.h"
#include "common/arrays.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>
#include <subx_lowlevel.h>

enum { LAST = 96, MIDDLE = 80, LEAST = 64, MOST = 2048 };

static int is_backend(const char *name)
{
    const char *known = "";
    for (int i = 0; known; i++)
        if (subx_fft_query_serial(i, &known) == MPI_SUCCESS && known && strcmp(known, name) == 0)
            return 1;
    return 0;
}

static subx_fft_plan create_plan(const char *text, const char *serial)
{
    char hints[64];
    subx_fft_plan plan;
    snprintf(hints, sizeof hints, "serial=%s scaling=backward strategy=fused", serial);
    EXPECT_OK(test_plan_create(text, hints, &plan));
    return plan;
}

/* Get the first of the lengths LEAST, 2 * LEAST, .. MOST at which copies bypass the caches. Returns MOST if
 * there is none. */
static ptrdiff_t find_length(void)
{
    int bypass = 0;
    ptrdiff_t n = LEAST / 2;
    while (!bypass && n < MOST) {
        n *= 2;
        EXPECT_OK(subx_copy_query_bypass(n * MIDDLE * LAST * 16 / test_nranks, &bypass));
    }
    return n;
}

/* The arrays begin at a cache line, or 16 bytes after its start. */
static void check(const char *kind, ptrdiff_t n, const char *reference)
{
    enum { LINE = 64, SHIFT = 16 };
    char text[64];
    void *memory[2];
    snprintf(text, sizeof text, "%s:%dx%dx%d", kind, (int)n, MIDDLE, LAST);
    test_context("%s", text);
    subx_fft_plan ours = create_plan(text, "auto"), other = create_plan(text, reference);
    test_arrays a = test_arrays_create(other);
    EXPECT_OK(subx_fft_plan_free(&other));
    for (int i = 0; i < 2; i++)
        EXPECT(posix_memalign(&memory[i], LINE, a.room + LINE) == 0);
    for (int k = 0; k < 4; k++) {
        const int run = k % 2, in = test_run_get_input(run), shift = k / 2 * SHIFT;
        char *from = (char *)memory[0] + shift, *to = (char *)memory[1] + shift;
        memcpy(from, a.from[in], a.bytes[in]);
        memset(to, 0, a.room);
        EXPECT_OK(test_arrays_execute(ours, run, from, to, a.op, 0));
        EXPECT(test_arrays_is_close(&a, run, to));
    }
    free(memory[0]);
    free(memory[1]);
    test_arrays_free(&a);
    EXPECT_OK(subx_fft_plan_free(&ours));
}

CHECK(check_kinds)
{
    const char *reference = is_backend("fftw3") ? "fftw3" : "naive";
    const ptrdiff_t n = find_length();
    check("c2c", n, reference);
    check("r2c", n, reference);
}
