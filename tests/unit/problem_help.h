/* problem_help.h - for tests of problems: functions that call the library and expect success. */
#ifndef TEST_PROBLEM_HELP_H
#define TEST_PROBLEM_HELP_H

#include "problem/problem.h"

enum { PHYSICAL = SUBX_FFT_PHYSICAL, SPECTRAL = SUBX_FFT_SPECTRAL };

subx_fft_problem test_problem_parse(const char *text);
void test_problem_expect(subx_fft_problem p, const char *wanted);
int test_problem_equal(subx_fft_problem a, subx_fft_problem b);

#endif
