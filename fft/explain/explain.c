/* explain.c - explain a plan in one of two formats. */
#include "explain/explain.h"
#include <subx_tune.h>

int subx_fft_plan_explain(subx_fft_plan plan, int format, size_t len, char *text, size_t *needed)
{
    sx_explanation e = {0};
    sx_text t = {text, len, 0};
    if (!plan || (!text && len > 0) || (format != SUBX_FFT_TEXT && format != SUBX_FFT_JSON))
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = sx_explain_collect(plan, &e);
    if (!rc && format == SUBX_FFT_JSON)
        rc = sx_explain_print_json(&e, &t);
    else if (!rc)
        sx_explain_print_text(&e, &t);
    if (!rc && needed)
        *needed = t.used;
    return rc;
}
