/* threads.c - a module that is linked with FFTW's library of threads, in one precision. LETTER is the last
 * letter in the names of FFTW's functions: nothing, f or l. */
#include "config.h"
#include <fftw3.h>
#include <stdio.h>

#define JOIN(a, b, c) a##b##_##c
#define NAME(letter, name) JOIN(fftw, letter, name)
#define X(name) NAME(LETTER, name)

int run(void);

/* FFTW's planner must know the number of threads that the program asks for. */
int run(void)
{
    int is_right = X(init_threads)();
    X(plan_with_nthreads)(3);
    is_right = is_right && X(planner_nthreads)() == 3;
    X(plan_with_nthreads)(1);
    if (!is_right)
        fprintf(stderr, "wrong: the number of threads does not reach FFTW\n");
    return !is_right;
}
