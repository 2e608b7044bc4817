/* plan.h - what a plan says about itself: its texts, and the hints in effect. */
#ifndef TEST_PLAN_H
#define TEST_PLAN_H

#include "config.h"
#include <subx_tune.h>

/* The text of subx_fft_plan_print; the other formats are those of subx_fft_plan_explain. */
enum { TEST_PRINTED = -1 };

/* Get a whole text of a plan, which the caller frees. */
char *test_plan_get_text(subx_fft_plan plan, int format);

/* 1 if a text of the plan has these words. */
int test_plan_says(subx_fft_plan plan, int format, const char *words);

/* Expect that an info has a hint, or a word of subx_tune, with this value; NULL: with any value; "": does not
 * have it. Frees the info. */
void test_info_expect(MPI_Info info, const char *key, const char *value);

/* The same for the info of a plan. */
void test_plan_expect(subx_fft_plan plan, const char *key, const char *value);

#endif
