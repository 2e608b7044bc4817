/* explain.h - a plan as text, for its caller: described once, by facts. The public functions are
 * subx_fft_plan_print and subx_fft_plan_explain (explain.c). */
#ifndef SX_EXPLAIN_H
#define SX_EXPLAIN_H

#include "plan/plan.h"

/* print_verbose: rank 0 writes the text of a plan to stderr. print_progress: rank 0 writes to stderr that
 * candidate i of n was tried, if stderr is a terminal, subx_verbose is progress, and the search has taken
 * more than a second. i = n erases this line. Local (verbose.c). */
void sx_explain_print_verbose(subx_fft_plan plan);
void sx_explain_print_progress(const sx_hints *h, MPI_Comm all, int i, int n, const char *name, double began);

#endif
