/* 11_convolution.c - the circular convolution of two fields in one call, and their correlation, which finds a
 * shift.
 *
 *     convolution   c[m] = sum over j of u[m - j] v[j]        spectrum  U V
 *     correlation   r[m] = sum over j of u[m + j] v[j]                  U conj(V)
 *
 * A transform of v gives the spectrum V, which becomes the table of an operation. The convolution transforms
 * u, multiplies by the table while the spectrum is in the caches, and transforms back. On slabs the
 * convolution takes three passes through memory. Two separate transforms would take four passes, and the
 * product one more.
 *
 * Here v is u shifted, so the correlation of u and v has its peak at the shift.
 *
 * These sums wrap around the ends of the arrays. A convolution of fields that are 0 outside of their arrays
 * needs transforms of twice the length, which see zeros behind the arrays. These zeros are never stored.
 *
 * mpicc 11_convolution.c $(pkg-config --cflags --libs subx_fft) -lm -o 11_convolution
 * mpirun -n 4 ./11_convolution
 *
 * It runs on any number of ranks; make check takes these ranks: 1 2 3 4
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

static const ptrdiff_t N[2] = {24, 30};
static const ptrdiff_t SHIFT[2] = {5, 7};

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

/* ------------------------------------------------------------------------------------- the fields */

/* The field is periodic: any indices are allowed. */
static double get_u(ptrdiff_t i, ptrdiff_t j)
{
    const double x = 2 * acos(-1.0) * (double)i / (double)N[0], y = 2 * acos(-1.0) * (double)j / (double)N[1];
    return exp(cos(x) + sin(y)) * (1 + sin(x + y));
}

static double get_v(ptrdiff_t i, ptrdiff_t j)
{
    return get_u(i + SHIFT[0], j + SHIFT[1]);
}

/* The sum over all points, by definition; sign is -1 for the convolution, 1 for the correlation. */
static double get_sum(ptrdiff_t i, ptrdiff_t j, int sign)
{
    double sum = 0;

    for (ptrdiff_t k = 0; k < N[0]; k++)
        for (ptrdiff_t l = 0; l < N[1]; l++)
            sum += get_u(i + sign * k, j + sign * l) * get_v(k, l);
    return sum;
}

/* The convolution of fields that are 0 outside of their arrays, by definition. */
static double get_linear_sum(ptrdiff_t i, ptrdiff_t j)
{
    double sum = 0;

    for (ptrdiff_t k = 0; k <= i; k++)
        for (ptrdiff_t l = 0; l <= j; l++)
            sum += get_u(i - k, j - l) * get_v(k, l);
    return sum;
}

/* -------------------------------------------------------------------------------------- the program */

static subx_fft_plan create_plan(int is_linear)
{
    const ptrdiff_t sizes[2] = {N[0] * (is_linear + 1), N[1] * (is_linear + 1)};
    const int kinds[2] = {SUBX_FFT_C2C, SUBX_FFT_R2C};
    subx_fft_problem problem;
    subx_fft_plan plan;
    MPI_Info hints;

    CHECK(subx_fft_problem_create(2, kinds, sizes, &problem));
    CHECK(subx_fft_problem_set_points(
        problem, N)); /* the arrays have N points; the transforms see zeros behind them */
    CHECK(subx_fft_problem_set_operation(problem, 1));
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_scaling", "backward"); /* forward then does not scale the table */
    CHECK(subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &plan));
    MPI_Info_free(&hints);
    CHECK(subx_fft_problem_free(&problem));
    return plan;
}

/* This rank's part of the fields. */
struct part {
    ptrdiff_t shape[2], start[2];
};

static void sample(const struct part *p, double (*f)(ptrdiff_t i, ptrdiff_t j), double *array)
{
    for (ptrdiff_t i = p->start[0]; i < p->start[0] + p->shape[0]; i++)
        for (ptrdiff_t j = p->start[1]; j < p->start[1] + p->shape[1]; j++)
            *array++ = f(i, j);
}

/* Get the relative error: the largest difference from the definition / the largest sum, both of all ranks.
 * Collective. */
static double compare(const struct part *p, const double *array, int is_linear, int sign)
{
    double worst[2] = {0, 0}; /* difference, sum */

    for (ptrdiff_t i = p->start[0]; i < p->start[0] + p->shape[0]; i++)
        for (ptrdiff_t j = p->start[1]; j < p->start[1] + p->shape[1]; j++, array++) {
            const double sum = is_linear ? get_linear_sum(i, j) : get_sum(i, j, sign);
            worst[0] = fabs(*array - sum) <= worst[0] ? worst[0] : fabs(*array - sum); /* takes a NaN, too */
            worst[1] = fmax(worst[1], fabs(sum));
        }
    MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return worst[0] / worst[1];
}

/* Get the index of the largest element of all ranks. Collective. */
static void find_peak(const struct part *p, const double *array, ptrdiff_t peak[2])
{
    struct {
        double value;
        int index;
    } best = {-HUGE_VAL, 0};

    for (ptrdiff_t i = p->start[0]; i < p->start[0] + p->shape[0]; i++)
        for (ptrdiff_t j = p->start[1]; j < p->start[1] + p->shape[1]; j++, array++)
            if (*array > best.value) {
                best.value = *array;
                best.index = (int)(i * N[1] + j);
            }
    MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    peak[0] = best.index / N[1];
    peak[1] = best.index % N[1];
}

/* Convolve u and v. If is_linear is 0, also correlate u and v, and get the peak of the correlation. error[0]
 * is the relative error of the convolution, error[1] the relative error of the correlation. Collective. */
static void solve(int is_linear, double *error, ptrdiff_t *peak)
{
    struct part p;
    ptrdiff_t bytes, table_bytes;
    subx_fft_plan plan = create_plan(is_linear);

    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, p.shape, p.start, NULL, &bytes));
    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, NULL, NULL, NULL, &table_bytes));
    double *u = allocate(bytes), *result = allocate(bytes);
    void *table = allocate(table_bytes);

    sample(&p, get_v, result);
    CHECK(subx_fft_execute(plan, SUBX_FFT_FORWARD, result, table));
    sample(&p, get_u, u);
    for (int is_correlation = 0; is_correlation < 2 - is_linear; is_correlation++) {
        subx_fft_operation multiply;
        CHECK(subx_fft_operation_create_table(plan, table, is_correlation, &multiply));
        CHECK(subx_fft_execute_convolution(plan, u, result, multiply));
        error[is_correlation] = compare(&p, result, is_linear, is_correlation ? 1 : -1);
        CHECK(subx_fft_operation_free(&multiply));
    }
    if (!is_linear)
        find_peak(&p, result, peak);

    free(table);
    free(result);
    free(u);
    CHECK(subx_fft_plan_free(&plan));
}

int main(int argc, char **argv)
{
    ptrdiff_t peak[2];
    double error[3];
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    solve(0, error, peak);
    solve(1, &error[2], NULL);
    if (rank == 0)
        printf(
            "relative errors: convolution %.1e, correlation %.1e, convolution of fields that are 0 outside %.1e\n"
            "v[i, j] = u[i + %td, j + %td]\n",
            error[0], error[1], error[2], peak[0], peak[1]);
    MPI_Finalize();
    return !(error[0] < 1e-13 && error[1] < 1e-13 && error[2] < 1e-13 && peak[0] == SHIFT[0] &&
             peak[1] == SHIFT[1]);
}
