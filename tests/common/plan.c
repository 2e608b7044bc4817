/* plan.c - what a plan says about itself. */
#include "common/plan.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print(subx_fft_plan plan, int format, size_t len, char *text, size_t *needed)
{
    return format == TEST_PRINTED ? subx_fft_plan_print(plan, len, text, needed)
                                  : subx_fft_plan_explain(plan, format, len, text, needed);
}

char *test_plan_get_text(subx_fft_plan plan, int format)
{
    size_t needed = 0;
    EXPECT_OK(print(plan, format, 0, NULL, &needed));
    char *text = calloc(needed + 1, 1);
    EXPECT_OK(print(plan, format, needed + 1, text, NULL));
    return text;
}

int test_plan_says(subx_fft_plan plan, int format, const char *words)
{
    char *text = test_plan_get_text(plan, format);
    const int says = strstr(text, words) != NULL;
    free(text);
    return says;
}

void test_info_expect(MPI_Info info, const char *key, const char *value)
{
    char got[MPI_MAX_INFO_VAL + 1] = "", message[MPI_MAX_INFO_VAL + 256];
    int found = 0;
    test_hint_get(info, key, got, &found);
    snprintf(message, sizeof message, "%s is \"%s\", not %s", key, got, value ? value : "any value");
    (void)test_expect(value && !*value ? !found : found && (!value || strcmp(got, value) == 0), __FILE__,
                      __LINE__, message);
    MPI_Info_free(&info);
}

void test_plan_expect(subx_fft_plan plan, const char *key, const char *value)
{
    MPI_Info info;
    if (EXPECT_OK(subx_fft_plan_get_info(plan, &info)))
        test_info_expect(info, key, value);
}
