/* problem.c - the one spelling of a problem, read and written. */
#include "common/random.h"
#include "common/unit.h"
#include <string.h>
#include <subx_fft.h>

START_TEST(good_spellings)
{
    int kind = -1, ndims = -1;
    ptrdiff_t n[SUBX_NDIMS_MAX];
    ck_assert_ok(subx_fft_problem_parse("c2c:42x127x256", &kind, &ndims, n));
    ck_assert_int_eq(kind, SUBX_FFT_C2C);
    ck_assert_int_eq(ndims, 3);
    ck_assert(n[0] == 42 && n[1] == 127 && n[2] == 256);
    ck_assert_ok(subx_fft_problem_parse("r2c:1x5", &kind, &ndims, n));
    ck_assert(kind == SUBX_FFT_R2C && ndims == 2 && n[0] == 1 && n[1] == 5);
    ck_assert_ok(subx_fft_problem_parse("c2r:3000000000x2", &kind, &ndims, n));
    ck_assert(kind == SUBX_FFT_C2R && ndims == 2 && n[0] == 3000000000 && n[1] == 2);
}
END_TEST

START_TEST(bad_spellings)
{
    static const char *const bad[] = {"",
                                      "c2c",
                                      "c2c:",
                                      "c2c:4",
                                      "r2r:4x4",
                                      "c2c:4x",
                                      "c2c:x4",
                                      "c2c:4xx4",
                                      "c2c:0x4",
                                      "c2c:-4x4",
                                      "c2c:4x4 ",
                                      " c2c:4x4",
                                      "c2c:4x4x",
                                      "c2c:4,4",
                                      "c2c: 4x4",
                                      "c2c:+4x4",
                                      "c2c:4x4y4",
                                      "c2c4x4",
                                      "c2c:4x99999999999999999999",
                                      "c2c:4.0x4",
                                      "c2c:0x10x4",
                                      ":4x4",
                                      "c2c:4x4\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int kind = 77, ndims = 77;
        ptrdiff_t n[SUBX_NDIMS_MAX];
        int rc = subx_fft_problem_parse(bad[i], &kind, &ndims, n);
        ck_assert_msg(subx_error_query(rc) == SUBX_ERR_PROBLEM, "\"%s\"", bad[i]);
        ck_assert_int_eq(kind, 77);
        ck_assert_int_eq(ndims, 77);
    }
}
END_TEST

START_TEST(axes_are_limited)
{
    char text[256] = "c2c:2";
    int kind, ndims;
    ptrdiff_t n[SUBX_NDIMS_MAX];
    for (int i = 1; i < SUBX_NDIMS_MAX; i++)
        strcat(text, "x2");
    ck_assert_ok(subx_fft_problem_parse(text, &kind, &ndims, n));
    ck_assert_int_eq(ndims, SUBX_NDIMS_MAX);
    strcat(text, "x2");
    ck_assert_kind(subx_fft_problem_parse(text, &kind, &ndims, n), SUBX_ERR_PROBLEM);
}
END_TEST

START_TEST(null_arguments)
{
    int kind, ndims;
    ptrdiff_t n[SUBX_NDIMS_MAX] = {4, 4};
    ck_assert_kind(subx_fft_problem_parse(NULL, &kind, &ndims, n), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_parse("c2c:4x4", NULL, &ndims, n), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_parse("c2c:4x4", &kind, NULL, n), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_parse("c2c:4x4", &kind, &ndims, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_print(SUBX_FFT_C2C, 2, NULL, 0, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_print(SUBX_FFT_C2C, 2, n, 5, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_print(99, 2, n, 0, NULL, NULL), SUBX_ERR_PROBLEM);
    ck_assert_kind(subx_fft_problem_print(SUBX_FFT_C2C, 1, n, 0, NULL, NULL), SUBX_ERR_PROBLEM);
}
END_TEST

START_TEST(printing_is_cut)
{
    const ptrdiff_t n[] = {7, 11, 13};
    char text[16];
    size_t needed = 0;
    memset(text, '#', sizeof text);
    ck_assert_ok(subx_fft_problem_print(SUBX_FFT_R2C, 3, n, 6, text, &needed));
    ck_assert_str_eq(text, "r2c:7");
    ck_assert_int_eq(text[6], '#');
    ck_assert_uint_eq(needed, strlen("r2c:7x11x13"));
    ck_assert_ok(subx_fft_problem_print(SUBX_FFT_C2R, 3, n, sizeof text, text, NULL));
    ck_assert_str_eq(text, "c2r:7x11x13");
    needed = 0;
    ck_assert_ok(subx_fft_problem_print(SUBX_FFT_C2C, 3, n, 0, NULL, &needed));
    ck_assert_uint_eq(needed, strlen("c2c:7x11x13"));
}
END_TEST

START_TEST(what_is_printed_is_read)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    for (int k = 0; k < 500; k++) {
        int ndims = test_random_int(&r, 2, SUBX_NDIMS_MAX),
            kind = test_random_int(&r, SUBX_FFT_C2C, SUBX_FFT_C2R);
        int kind2, ndims2;
        ptrdiff_t n[SUBX_NDIMS_MAX], m[SUBX_NDIMS_MAX];
        char text[1024];
        for (int i = 0; i < ndims; i++)
            n[i] = test_random_int(&r, 1, 1 << test_random_int(&r, 1, 30));
        ck_assert_ok(subx_fft_problem_print(kind, ndims, n, sizeof text, text, NULL));
        ck_assert_ok(subx_fft_problem_parse(text, &kind2, &ndims2, m));
        ck_assert_int_eq(kind, kind2);
        ck_assert_int_eq(ndims, ndims2);
        ck_assert_mem_eq(n, m, (size_t)ndims * sizeof *n);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, good_spellings);
    tcase_add_test(tests, bad_spellings);
    tcase_add_test(tests, axes_are_limited);
    tcase_add_test(tests, null_arguments);
    tcase_add_test(tests, printing_is_cut);
    tcase_add_test(tests, what_is_printed_is_read);
}

int main(void)
{
    return test_unit_run_mpi("problem", add);
}
