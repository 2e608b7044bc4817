/* model.c - get the price of a plan by the cost model, from its explanation. */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

/* Find the sum of the predicted seconds of all stages. In the JSON text, the sum follows the list of stages. */
static double find_price(const char *json)
{
    static const char key[] = "], \"predicted_s\": ";
    const char *at = strstr(json, key);
    char *end = NULL;
    if (!at)
        return NAN;
    at += sizeof key - 1;
    const double seconds = strtod(at, &end);
    return end > at && seconds > 0 ? seconds : NAN;
}

double sx_perf_tune_model_get(const struct sx_perf_tune_plan *plan)
{
    size_t needed = 0;
    double seconds = NAN;
    if (subx_fft_plan_explain(plan->plan, SUBX_FFT_JSON, 0, NULL, &needed) != MPI_SUCCESS)
        return NAN;
    char *json = sx_perf_memory_create_small((ptrdiff_t)needed, 1);
    if (subx_fft_plan_explain(plan->plan, SUBX_FFT_JSON, needed + 1, json, NULL) == MPI_SUCCESS)
        seconds = find_price(json);
    free(json);
    return seconds;
}
