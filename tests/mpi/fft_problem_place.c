/* fft_problem_place.c - executions with one array for both sides, and with NULL, of arrays that have several
 * tiles. (tests/random/fft.c compares where elements lie, also in place, with the definition.)
 * ranks: 1 2 3 4 5 */
#include "common/array.h"
#include "common/arrays.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_fft.h>

static subx_fft_plan create(const char *text, const char *hints)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("%s, %s", text, hints);
    EXPECT_OK(test_plan_create(text, hints, &plan));
    return plan;
}

/* Compare executions in place with executions that have two arrays. Both outputs contain the same bytes
 * before the execution, so the gaps between their rows are equal, too. */
static void check_in_place(const char *text)
{
    subx_fft_plan plan = create(text, "strategy=fused");
    if (!plan)
        return;
    test_arrays a = test_arrays_create(plan);
    for (int run = 0; run < a.nruns; run++) {
        const int in = test_run_get_input(run);
        void *other = memcpy(calloc(1, a.room), a.from[in], a.bytes[in]);
        memcpy(memset(a.to, 0, a.room), a.from[in], a.bytes[in]);
        EXPECT_OK(test_arrays_execute(plan, run, a.from[in], other, a.op, 0));
        EXPECT_OK(test_arrays_execute(plan, run, a.to, a.to, a.op, 0));
        free(a.expected[run]);
        a.expected[run] = other;
        EXPECT(test_arrays_is_close(&a, run, a.to));
    }
    test_arrays_free(&a);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* If the input may be destroyed, a plan of two passes refuses one array for both sides. Only two ranks have
 * data here. The other ranks pass NULL for both sides, which is allowed. */
CHECK(check_no_array)
{
    char hints[64];
    ptrdiff_t shape[3], bytes[2] = {0, 0};
    snprintf(hints, sizeof hints, "strategy=fused grid=%d input_array=destroy cache=1", test_nranks);
    subx_fft_plan plan = create("-,c2c,r2c:2x20x30", hints);
    for (int side = 0; side < 2; side++)
        EXPECT_OK(subx_fft_plan_get_local(plan, side, shape, NULL, NULL, &bytes[side]));
    const int has_data = shape[0] > 0;
    void *a[2] = {has_data ? calloc(1, (size_t)bytes[1]) : NULL,
                  has_data ? calloc(1, (size_t)bytes[1]) : NULL};
    for (int direction = -1; direction <= 1; direction += 2) {
        EXPECT_OK(subx_fft_execute(plan, direction, a[0], a[1]));
        EXPECT_KIND(subx_fft_execute(plan, direction, a[1], a[1]), has_data ? SUBX_ERR_ALIAS : SUBX_ERR_NONE);
    }
    free(a[1]);
    free(a[0]);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

CHECK(check_all_in_place)
{
    static const char *const texts[] = {"300*r2c:2000",
                                        "300*r2c:20x30",
                                        "-,c2c,r2c:300x20x30",
                                        "-,c2c,c2c:500x30x30/spectral-order=0,1,2",
                                        "c2c:120x150x30/spectral-order=0,1,2",
                                        "c2c:120x150x30/physical-order=0,1,2",
                                        "-,c2c:100x30>100x60",
                                        "-,c2c:100x60>100x60>100x30",
                                        "-,-,r2c:30x30x300/padded",
                                        "r2c:64x64x64",
                                        "r2c:64x64x64/padded",
                                        "c2c:64x64x64/operation",
                                        "dct2,-,c2c:50x40x30"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i][0] != '3' || test_nranks == 1 || strchr(texts[i], 'x'))
            check_in_place(texts[i]);
}
