/* keep.h - plans that the caller has freed, and the library keeps until the caller asks for an equal plan. */
#ifndef SX_KEEP_H
#define SX_KEEP_H

#include "plan/plan.h"

/* Prepare a new plan to be kept when the caller frees it, if its hint subx_keep asks for this: remember the
 * ranks of comm and the request. If there is no memory for them, the plan will not be kept. Collective on all
 * ranks of the plan, also idle ones. */
int sx_keep_set(subx_fft_plan plan, MPI_Comm comm, MPI_Info hints);

/* Take the plan that is kept for an equal request of the same ranks; SUBX_FFT_PLAN_NULL if there is none.
 * Collective on comm. */
int sx_keep_take(MPI_Comm comm, subx_fft_problem problem, MPI_Info hints, subx_fft_plan *plan);

/* Free the plans that the ranks of comm keep. Collective on comm. Returns how many there were: all ranks
 * return the same number. */
int sx_keep_free(MPI_Comm comm);

#endif
