/* threads.c - call a function in several threads of one rank, by OpenMP. Without OpenMP, one call follows the
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

/* The static schedule gives a thread the same i in each fork, and so the buffer whose pages are in its NUMA
 * domain. A single thread is not forked: libgomp would make a team and a system call for it, which takes
 * longer than a small transform. */
void sx_pass_fork(int threads, void (*body)(void *context, int i), void *context)
{
    if (threads == 1) {
        body(context, 0);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
    for (int i = 0; i < threads; i++)
        body(context, i);
}
