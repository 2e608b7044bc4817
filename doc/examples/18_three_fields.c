/* 18_three_fields.c - the divergence of a velocity field. Three plans, which are in flight at the same time,
 * transform the three components. While the messages of one component travel, each rank transforms another
 * one.
 *
 * mpicc 18_three_fields.c $(pkg-config --cflags --libs subx_fft) -lm -o 18_three_fields
 * mpirun -n 4 ./18_three_fields
 *
 * It runs on any number of ranks; make check takes these ranks: 1 3
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

enum { N = 24, DIMS = 3 };

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

/* A plan can have only one execution in flight, so each component has a plan of its own. All plans are equal,
 * so all components have the same distribution. */
typedef struct component {
    subx_fft_plan plan;
    double *u;
    double complex *uh;
} component;

static component create_component(void)
{
    static const ptrdiff_t sizes[DIMS] = {N, N, N};
    ptrdiff_t bytes;
    component c;

    CHECK(subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, DIMS, sizes, MPI_INFO_NULL, &c.plan));
    CHECK(subx_fft_plan_get_local(c.plan, SUBX_FFT_PHYSICAL, NULL, NULL, NULL, &bytes));
    c.u = malloc((size_t)bytes);
    CHECK(subx_fft_plan_get_local(c.plan, SUBX_FFT_SPECTRAL, NULL, NULL, NULL, &bytes));
    c.uh = malloc((size_t)bytes);
    if (!c.u || !c.uh)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return c;
}

static void free_component(component *c)
{
    free(c->u);
    free(c->uh);
    CHECK(subx_fft_plan_free(&c->plan));
}

/* The velocity is (sin x cos y, cos 2y sin z, sin x cos 3z). */
static double get_velocity(int i, const double x[DIMS])
{
    return i == 0 ? sin(x[0]) * cos(x[1]) : i == 1 ? cos(2 * x[1]) * sin(x[2]) : sin(x[0]) * cos(3 * x[2]);
}

static double get_divergence(const double x[DIMS])
{
    return cos(x[0]) * cos(x[1]) - 2 * sin(2 * x[1]) * sin(x[2]) - 3 * sin(x[0]) * sin(3 * x[2]);
}

/* Get the global indices of element i of this rank's array on a side. Return how many elements the array
 * has. */
static ptrdiff_t get_index(subx_fft_plan plan, int side, ptrdiff_t i, ptrdiff_t index[DIMS])
{
    ptrdiff_t shape[DIMS], start[DIMS], count = 1;

    CHECK(subx_fft_plan_get_local(plan, side, shape, start, NULL, NULL));
    for (int a = DIMS - 1; a >= 0; a--) {
        count *= shape[a];
        index[a] = shape[a] ? start[a] + i % shape[a] : 0;
        i /= shape[a] ? shape[a] : 1;
    }
    return count;
}

/* Get the coordinates of element i of this rank's physical array. Return how many elements the array has. */
static ptrdiff_t get_point(subx_fft_plan plan, ptrdiff_t i, double x[DIMS])
{
    ptrdiff_t index[DIMS], count = get_index(plan, SUBX_FFT_PHYSICAL, i, index);

    for (int a = 0; a < DIMS; a++)
        x[a] = 2 * acos(-1) * (double)index[a] / N;
    return count;
}

/* Compute the values of component i. Meanwhile, let the plan in_flight of the component before make
 * progress. */
static void fill(const component *c, int i, subx_fft_plan in_flight)
{
    double x[DIMS];
    int is_done = in_flight == SUBX_FFT_PLAN_NULL;

    for (ptrdiff_t k = 0, count = get_point(c->plan, 0, x); k < count; k++) {
        get_point(c->plan, k, x);
        c->u[k] = get_velocity(i, x);
        if (k % 1000 == 999 && !is_done) /* plans in flight make progress only in calls such as this one */
            CHECK(subx_fft_test(in_flight, &is_done));
    }
}

/* Compute the spectrum of the divergence, i k . uh. It overwrites the spectrum of the first component. */
static void set_divergence(component c[DIMS])
{
    ptrdiff_t k[DIMS];

    for (ptrdiff_t j = 0, count = get_index(c->plan, SUBX_FFT_SPECTRAL, 0, k); j < count; j++) {
        double complex sum = 0;
        get_index(c->plan, SUBX_FFT_SPECTRAL, j, k);
        for (int a = 0; a < DIMS; a++)
            sum += I * (double)(k[a] > N / 2 ? k[a] - N : k[a]) * c[a].uh[j];
        c[0].uh[j] = sum / ((double)N * N * N);
    }
}

int main(int argc, char **argv)
{
    component c[DIMS];
    double x[DIMS], error = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < DIMS; i++)
        c[i] = create_component();

    for (int i = 0; i < DIMS; i++) { /* all ranks start the plans in the same order */
        fill(&c[i], i, i ? c[i - 1].plan : SUBX_FFT_PLAN_NULL);
        CHECK(subx_fft_start(c[i].plan, SUBX_FFT_FORWARD, c[i].u, c[i].uh));
    }
    for (int i = 0; i < DIMS; i++) /* each rank may wait in any order */
        CHECK(subx_fft_wait(c[i].plan));

    set_divergence(c);
    CHECK(subx_fft_execute(c->plan, SUBX_FFT_BACKWARD, c->uh, c->u));
    for (ptrdiff_t k = 0, count = get_point(c->plan, 0, x); k < count; k++) {
        get_point(c->plan, k, x);
        error = fmax(error, fabs(c->u[k] - get_divergence(x)));
    }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("the divergence is %s\n", error < 1e-12 ? "right" : "wrong");
    for (int i = 0; i < DIMS; i++)
        free_component(&c[i]);
    MPI_Finalize();
    return !(error < 1e-12);
}
