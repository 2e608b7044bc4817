/* plans.c - a module that is linked with FFTW's MPI library, in one precision. LETTER is the last letter in
 * the names of FFTW's functions: nothing, f or l. */
#include "config.h"
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>

#define JOIN(a, b, c) a##b##_##c
#define NAME(letter, name) JOIN(fftw, letter, name)
#define X(name) NAME(LETTER, name)

enum { N = 12 };

int run(void);

static int expect(int is_right, const char *what)
{
    if (!is_right)
        fprintf(stderr, "wrong: %s\n", what);
    return !is_right;
}

/* All elements are 1, so all elements of the result are 0 except the first one. */
static int check(X(plan) plan, X(complex) * array, ptrdiff_t n0, ptrdiff_t start0)
{
    const ptrdiff_t count = n0 * N * N;
    double most = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        array[i][0] = 1;
        array[i][1] = 0;
    }
    X(execute)(plan);
    for (ptrdiff_t i = 0; i < count; i++) {
        const double right = start0 == 0 && i == 0 ? N * N * N : 0;
        most = fmax(most, fabs((double)array[i][0] - right) + fabs((double)array[i][1]));
    }
    X(destroy_plan)(plan);
    return expect(most < 1e-2, "the result");
}

/* The first plan is measured. If FFTW measures, too, its wisdom has a plan. */
int run(void)
{
    static const char *const what[] = {"there is no plan", "there is no plan from FFTW's wisdom"};
    static const unsigned flags[] = {FFTW_MEASURE, FFTW_MEASURE | FFTW_WISDOM_ONLY};
    ptrdiff_t n0, start0;
    int failures = 0;
    X(mpi_init)();
    const ptrdiff_t room = X(mpi_local_size_3d)(N, N, N, MPI_COMM_WORLD, &n0, &start0);
    X(complex) *array = X(alloc_complex)((size_t)room + 1);
    for (int i = 0; i < 2; i++) {
        X(plan) plan = X(mpi_plan_dft_3d)(N, N, N, array, array, MPI_COMM_WORLD, FFTW_FORWARD, flags[i]);
        failures += expect(plan != NULL, what[i]);
        failures += plan ? check(plan, array, n0, start0) : 0;
    }
    X(free)(array);
    X(mpi_cleanup)();
    return failures;
}
