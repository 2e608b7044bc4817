/* 09_poisson.c - Poisson's equation in a square, with three kinds of boundary: a convolution in one call.
 *
 * The equation is laplace u = f in (0,1) x (0,1), where u is
 *
 *     periodic                      Fourier series; the Laplacian of the series itself
 *     0 at the boundary             sine series (DST-I); points at multiples of h = 1/(n+1), second-order
 *                                   differences
 *     without slope at the boundary cosine series (DCT-II); points in the middle of n cells, second-order
 *     differences
 *
 * One call transforms f, divides the spectrum by the eigenvalues of the operator, and transforms back. The
 * division happens while the spectrum is in the caches. The error of the differences must fall like h^2, the
 * error of the Fourier series faster than any power of h.
 *
 * mpicc 09_poisson.c $(pkg-config --cflags --libs subx_fft) -lm -o 09_poisson
 * mpirun -n 4 ./09_poisson
 *
 * It runs on any number of ranks; make check takes these ranks: 1 2 3 4
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

static const double PI = 3.14159265358979323846;

/* CHECK ends the program if a function of the library returns an error code. MPI's own functions do this by
 * themselves. */
#define CHECK(call) check(call, #call)

static void check(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &len);
    fprintf(stderr, "%s: %s\n", call, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *allocate(ptrdiff_t bytes)
{
    void *p = malloc((size_t)bytes);

    CHECK(p ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    return p;
}

/* ------------------------------------------------------------------- solutions and their Laplacians */

static double periodic(double x, double y)
{
    return exp(sin(2 * PI * x)) * cos(2 * PI * y);
}

static double periodic_laplacian(double x, double y)
{
    const double s = sin(2 * PI * x), c = cos(2 * PI * x);
    return 4 * PI * PI * (c * c - s - 1) * periodic(x, y);
}

static double fixed(double x, double y)
{
    return sin(PI * x) * (y - y * y) * exp(y);
}

static double fixed_laplacian(double x, double y)
{
    return -PI * PI * fixed(x, y) - sin(PI * x) * (3 * y + y * y) * exp(y);
}

static double flat(double x, double y)
{
    return cos(PI * x) * y * y * (1 - y) * (1 - y);
}

static double flat_laplacian(double x, double y)
{
    return -PI * PI * flat(x, y) + cos(PI * x) * (2 - 12 * y + 12 * y * y);
}

/* The three kinds of boundary. */
static const struct boundary {
    const char *name;
    const char *kinds;   /* of the transforms */
    double first, extra; /* point j is at (j + first) / (n + extra) */
    double (*solution)(double x, double y), (*laplacian)(double x, double y);
} boundaries[] = {{"periodic", "r2c", 0, 0, periodic, periodic_laplacian},
                  {"0 at the boundary", "dst1", 1, 1, fixed, fixed_laplacian},
                  {"without slope", "dct2", 0.5, 0, flat, flat_laplacian}};

/* ------------------------------------------------------------------------------------- operations */

/* Divide the spectrum by the sum of the eigenvalues of both axes. The library calls this function for one box
 * after the other. */
static void divide(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                   const ptrdiff_t stride[], void *data)
{
    const double *lambda = context;
    double *spectrum = data;

    (void)ndims; /* 2 */
    for (ptrdiff_t i = 0; i < n[0]; i++)
        for (ptrdiff_t j = 0; j < n[1]; j++) {
            const double sum = lambda[start[0] + i] + lambda[start[1] + j];
            spectrum[i * stride[0] + j * stride[1]] *= sum < 0 ? 1 / sum : 0; /* 0: the mean of u is free */
        }
}

/* The eigenvalues of u[j-1] - 2 u[j] + u[j+1], divided by h^2. */
static double *tabulate_eigenvalues(const struct boundary *b, ptrdiff_t n)
{
    const double h = 1 / ((double)n + b->extra);
    double *lambda = allocate(n * (ptrdiff_t)sizeof *lambda);

    for (ptrdiff_t k = 0; k < n; k++)
        lambda[k] = (2 * cos(PI * ((double)k + b->extra) * h) - 2) / (h * h);
    return lambda;
}

/* --------------------------------------------------------------------------------------- the solver */

static subx_fft_plan create_plan(const struct boundary *b, ptrdiff_t n)
{
    char text[64];
    subx_fft_problem problem;
    subx_fft_plan plan;
    MPI_Info hints;

    /* [plan] */
    snprintf(text, sizeof text, "%s:%tdx%td/operation", b->kinds, n, n);
    CHECK(subx_fft_problem_parse(text, &problem));
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_scaling", "backward");
    CHECK(subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &plan));
    MPI_Info_free(&hints);
    CHECK(subx_fft_problem_free(&problem));
    /* [end] */
    return plan;
}

/* This rank's points of a grid of n x n. */
struct part {
    const struct boundary *boundary;
    ptrdiff_t n, shape[2], start[2];
};

/* Set an array to the values of a function. */
static void sample(const struct part *p, double (*f)(double x, double y), double *array)
{
    const double h = 1 / ((double)p->n + p->boundary->extra), first = p->boundary->first;

    for (ptrdiff_t i = p->start[0]; i < p->start[0] + p->shape[0]; i++)
        for (ptrdiff_t j = p->start[1]; j < p->start[1] + p->shape[1]; j++)
            *array++ = f(((double)i + first) * h, ((double)j + first) * h);
}

/* Solve on n x n points. Return the largest error of all points. Collective. */
static double solve(const struct boundary *b, ptrdiff_t n)
{
    const double length[2] = {1, 1};
    double *lambda = tabulate_eigenvalues(b, n), error = 0;
    struct part p = {.boundary = b, .n = n};
    ptrdiff_t bytes;
    subx_fft_plan plan = create_plan(b, n);
    subx_fft_operation inverse;

    if (b == boundaries)
        CHECK(subx_fft_operation_create_laplacian(plan, length, -1, &inverse));
    else
        CHECK(subx_fft_operation_create_function(divide, lambda, &inverse));
    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, p.shape, p.start, NULL, &bytes));
    double *u = allocate(bytes), *exact = allocate(bytes);
    sample(&p, b->laplacian, u);
    sample(&p, b->solution, exact);
    CHECK(subx_fft_execute_convolution(plan, u, u, inverse));
    for (ptrdiff_t i = 0; i < p.shape[0] * p.shape[1]; i++)
        error = fmax(error, fabs(u[i] - exact[i]));
    free(exact);
    free(u);
    free(lambda);
    CHECK(subx_fft_operation_free(&inverse));
    CHECK(subx_fft_plan_free(&plan));
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return error;
}

/* Solve on three grids; h halves from one to the next. Return 1 if the errors fall as they should. */
static int converges(const struct boundary *b, int rank)
{
    double error[3];
    int good = 1;

    for (int i = 0; i < 3; i++) {
        const ptrdiff_t n = ((ptrdiff_t)8 << i) - (ptrdiff_t)b->extra;
        error[i] = solve(b, n);
        const double order = i > 0 ? log2(error[i - 1] / error[i]) : 0;
        if (rank == 0)
            printf("%-20s %3td x %-3td error %.2e  order %.2f\n", b->name, n, n, error[i], order);
        good &= i == 0 || (b == boundaries ? order > 4 : fabs(order - 2) < 0.1);
    }
    return good && (b != boundaries || error[2] < 1e-13);
}

int main(int argc, char **argv)
{
    int rank, good = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        good &= converges(&boundaries[i], rank);
    if (rank == 0)
        puts(good ? "the errors fall as they should" : "the errors do NOT fall as they should");
    MPI_Finalize();
    return !good;
}
