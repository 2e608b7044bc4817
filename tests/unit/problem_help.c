/* problem_help.c - for tests of problems: functions that call the library and expect success. */
#include "unit/problem_help.h"
#include "common/unit.h"

subx_fft_problem test_problem_parse(const char *text)
{
    subx_fft_problem p = SUBX_FFT_PROBLEM_NULL;
    int rc = subx_fft_problem_parse(text, &p);
    ck_assert_msg(rc == MPI_SUCCESS && p, "\"%s\": %d", text, subx_error_get_kind(rc));
    return p;
}

void test_problem_expect(subx_fft_problem p, const char *wanted)
{
    char text[SX_PROBLEM_TEXT];
    ck_assert_ok(subx_fft_problem_print(p, sizeof text, text, NULL));
    ck_assert_str_eq(text, wanted);
}

int test_problem_equal(subx_fft_problem a, subx_fft_problem b)
{
    int equal = -1;
    ck_assert_ok(subx_fft_problem_query_equal(a, b, &equal));
    return equal;
}
