/* 16_gradient.c - the gradient of fields: the library differentiates the spectrum while it is in the caches.
 *
 * The program transforms a field forward once, in place, and then backward once per axis. Each backward
 * transform first multiplies the spectrum by i k, where k is the wavenumber along this axis. The plan keeps
 * only two thirds of the modes: the others would alias in a product of two fields.
 *
 * The program also shows how to keep a plan: if a problem equals the previous one, the program uses the same
 * plan again.
 *
 * mpicc 16_gradient.c $(pkg-config --cflags --libs subx_fft) -lm -o 16_gradient
 * mpirun -n 4 ./16_gradient
 *
 * It runs on any number of ranks; make check takes these ranks: 1 3
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

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

/* ----------------------------------------------------------------------------------------- problems */

/* Create the problem of an array of n[0] x n[1] real numbers, whose rows have room for n[1]/2+1 complex
 * numbers. */
static subx_fft_problem create_problem(const ptrdiff_t n[2])
{
    static const int kinds[2] = {SUBX_FFT_C2C, SUBX_FFT_R2C}, order[2] = {0, 1}; /* innermost first */
    const ptrdiff_t modes[2] = {n[0] * 2 / 3, n[1] * 2 / 3};
    subx_fft_problem problem;

    CHECK(subx_fft_problem_create(2, kinds, n, &problem));
    CHECK(subx_fft_problem_set_modes(problem, modes));
    CHECK(subx_fft_problem_set_padded(problem, 1));
    CHECK(subx_fft_problem_set_order(problem, SUBX_FFT_SPECTRAL, order)); /* transposed, which saves time */
    CHECK(subx_fft_problem_set_operation(problem, 1));
    return problem;
}

/* The latest plan, and a copy of its problem. */
struct kept {
    subx_fft_problem problem;
    subx_fft_plan plan;
    int count; /* number of plans that were created so far */
};

static void drop(struct kept *kept)
{
    CHECK(subx_fft_problem_free(&kept->problem)); /* freeing a null handle does nothing */
    CHECK(subx_fft_plan_free(&kept->plan));
}

/* Get a plan for a problem. Collective. */
static subx_fft_plan get_plan(subx_fft_problem problem, struct kept *kept)
{
    int is_equal = 0;
    MPI_Info hints;

    if (kept->problem)
        CHECK(subx_fft_problem_query_equal(problem, kept->problem, &is_equal));
    if (is_equal)
        return kept->plan;
    drop(kept);
    kept->count++;
    CHECK(subx_fft_problem_create_copy(problem, &kept->problem));
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_scaling", "forward");
    CHECK(subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &kept->plan));
    MPI_Info_free(&hints);
    return kept->plan;
}

/* ------------------------------------------------------------------------------------------ fields */

/* Get a value of the field sin(m x) cos(y) + cos(2 y) on (0,2pi) x (0,2pi), or of its derivative: order has 0
 * for both axes for the field, and 1 for the axis of the derivative. */
static double get_value(int m, double x, double y, const int order[2])
{
    if (order[0])
        return m * cos(m * x) * cos(y);
    if (order[1])
        return -sin(m * x) * sin(y) - 2 * sin(2 * y);
    return sin(m * x) * cos(y) + cos(2 * y);
}

/* This rank's rows of an array of n[0] x n[1]. */
struct part {
    ptrdiff_t n[2], shape[2], start[2], bytes; /* bytes of the larger side */
};

static struct part get_part(subx_fft_plan plan, const ptrdiff_t n[2])
{
    struct part p = {.n = {n[0], n[1]}};
    ptrdiff_t spectral;

    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, p.shape, p.start, NULL, &p.bytes));
    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, NULL, NULL, NULL, &spectral));
    p.bytes = p.bytes > spectral ? p.bytes : spectral;
    return p;
}

/* Set the points to the field or a derivative of it (see get_value). If is_check is 1, return the largest
 * error instead. */
static double visit(const struct part *p, int m, const int order[2], double *array, int is_check)
{
    const double pi = acos(-1.0);
    const ptrdiff_t row = 2 * (p->shape[1] / 2 + 1); /* length of a padded row, reals */
    double worst = 0;

    for (ptrdiff_t i = 0; i < p->shape[0]; i++)
        for (ptrdiff_t j = 0; j < p->shape[1]; j++) {
            const double x = 2 * pi * (double)(p->start[0] + i) / (double)p->n[0];
            const double y = 2 * pi * (double)(p->start[1] + j) / (double)p->n[1];
            const double right = get_value(m, x, y, order);
            if (!is_check)
                array[i * row + j] = right;
            const double error = fabs(array[i * row + j] - right);
            worst = error <= worst ? worst : error; /* takes a NaN, too */
        }
    return worst;
}

/* Compute a gradient. Returns its largest error on all ranks. Collective. */
static double solve(subx_fft_plan plan, const ptrdiff_t n[2], int m)
{
    static const int field[2] = {0, 0}, along[2][2] = {{1, 0}, {0, 1}};
    const struct part p = get_part(plan, n);
    double *u = allocate(p.bytes), *derivative = allocate(p.bytes), worst = 0;

    visit(&p, m, field, u, 0);
    CHECK(subx_fft_execute(plan, SUBX_FFT_FORWARD, u, u));
    for (int axis = 0; axis < 2; axis++) {
        subx_fft_operation operation;
        CHECK(subx_fft_operation_create_derivative(plan, NULL, along[axis], &operation)); /* NULL: 2 pi */
        CHECK(subx_fft_execute_operation(plan, SUBX_FFT_BACKWARD, u, derivative, operation));
        CHECK(subx_fft_operation_free(&operation));
        const double error = visit(&p, m, along[axis], derivative, 1);
        worst = error <= worst ? worst : error;
    }
    free(derivative);
    free(u);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

int main(int argc, char **argv)
{
    static const ptrdiff_t sizes[3][2] = {{24, 18}, {24, 18}, {36, 30}};
    struct kept kept = {SUBX_FFT_PROBLEM_NULL, SUBX_FFT_PLAN_NULL, 0};
    int rank, good = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        subx_fft_problem problem = create_problem(sizes[i]);
        subx_fft_plan plan = get_plan(problem, &kept);
        const double error = solve(plan, sizes[i], i + 3);
        ptrdiff_t work;
        CHECK(subx_fft_plan_get_work(plan, &work));
        if (rank == 0)
            printf("%td x %td, plan %d, %td bytes of work space: error %.1e\n", sizes[i][0], sizes[i][1],
                   kept.count, work, error);
        CHECK(subx_fft_problem_free(&problem));
        good &= error < 1e-13;
    }
    good &= kept.count == 2;
    drop(&kept);
    MPI_Finalize();
    return !good;
}
