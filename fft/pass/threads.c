/* threads.c - the threads of one rank, by OpenMP where it is there, else one piece of work after the
 * other. */
#include "pass/pass.h"

int sx_pass_get_threads(int wanted)
{
#ifdef _OPENMP
    return wanted;
#else
    return wanted < 1 ? wanted : 1;
#endif
}

void sx_pass_fork(int threads, void (*body)(void *context, int i), void *context)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
#endif
    for (int i = 0; i < threads; i++)
        body(context, i);
}
