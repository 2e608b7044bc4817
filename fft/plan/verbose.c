/* verbose.c - the only file of the libraries that writes anything to the caller's terminal, and only where the
 * caller asks for it by subx_verbose. */
#include "plan/plan.h"
#include <stdio.h>

/* It fails in silence: a plan is no worse for not being described. */
void sx_plan_print_verbose(subx_fft_plan plan)
{
    int rank = -1;
    size_t needed = 0;
    if (MPI_Comm_rank(plan->all, &rank) || rank != 0)
        return;
    if (subx_fft_plan_print(plan, 0, NULL, &needed))
        return;
    char *text = sx_base_alloc((ptrdiff_t)needed + 1, 1);
    if (text && !subx_fft_plan_print(plan, needed + 1, text, NULL))
        fputs(text, stderr);
    sx_base_free(text);
}
