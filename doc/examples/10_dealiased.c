/* 10_dealiased.c - the Navier-Stokes equations without aliasing, by the 3/2 rule.
 *
 * In the periodic box (0,2pi)^3 the velocity u obeys, in rotational form,
 *
 *     du/dt = u x (curl u) - grad P + nu laplace u,    div u = 0.
 *
 * The velocity has the wavenumbers -10 .. 10 per axis: 21 modes. The product of two such fields has
 * wavenumbers up to 20. On a grid of 21 points, wavenumbers above 10 would look like lower ones: they alias.
 * On a grid of 32 points, about 3/2 as many, they do not alias with the modes that are kept, and can be
 * dropped (Orszag 1971). A plan with fewer modes than points does this inside its transforms: backward adds
 * zeros for the missing modes, forward drops them.
 *
 * Without aliasing and viscosity, the equations conserve the energy to the accuracy of the time steps,
 * although vortices are stretched. The program checks the energy and the divergence. 05_navier_stokes is a
 * solver with options.
 *
 * mpicc 10_dealiased.c $(pkg-config --cflags --libs subx_fft) -lm -o 10_dealiased
 * mpirun -n 4 ./10_dealiased
 *
 * It runs on any number of ranks; make check takes these ranks: 1 2 3 4
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

/* Three fields, one after the other in memory: the components of a vector. They are transformed together. */
static const char PROBLEM[] = "3*r2c:21x21x21>32x32x32";
static const double STEP = 0.02, END = 1, VISCOSITY = 0;

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

struct solver {
    subx_fft_plan plan;
    ptrdiff_t npoints, nmodes; /* of one component on this rank */
    double (*k)[3];            /* the wavenumber of each mode */
    double *u, *w;             /* velocity and vorticity on the grid; component c begins at c * npoints */
    double complex *state, *stage, *sum, *rhs; /* component c begins at c * nmodes */
};

/* ------------------------------------------------------------------------------------------ set-up */

static subx_fft_plan create_plan(void)
{
    subx_fft_problem problem;
    subx_fft_plan plan;
    MPI_Info hints;

    CHECK(subx_fft_problem_parse(PROBLEM, &problem));
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_scaling", "forward"); /* spectra are Fourier coefficients */
    CHECK(subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &plan));
    MPI_Info_free(&hints);
    CHECK(subx_fft_problem_free(&problem));
    return plan;
}

static void set_wavenumbers(struct solver *s, const ptrdiff_t n[3])
{
    ptrdiff_t *f[3], m = 0;

    for (int axis = 0; axis < 3; axis++) {
        f[axis] = allocate((n[axis] + 1) * (ptrdiff_t)sizeof *f[axis]);
        CHECK(subx_fft_plan_get_frequencies(s->plan, axis, f[axis]));
    }
    for (ptrdiff_t i = 0; i < n[0]; i++)
        for (ptrdiff_t j = 0; j < n[1]; j++)
            for (ptrdiff_t l = 0; l < n[2]; l++, m++) {
                s->k[m][0] = (double)f[0][i];
                s->k[m][1] = (double)f[1][j];
                s->k[m][2] = (double)f[2][l];
            }
    for (int axis = 0; axis < 3; axis++)
        free(f[axis]);
}

/* The vortex of Taylor & Green (1937). */
static void set_velocity(struct solver *s, const ptrdiff_t n[3], const ptrdiff_t start[3])
{
    const double h = 2 * acos(-1.0) / 32;
    ptrdiff_t m = 0;

    for (ptrdiff_t i = start[0]; i < start[0] + n[0]; i++)
        for (ptrdiff_t j = start[1]; j < start[1] + n[1]; j++)
            for (ptrdiff_t l = start[2]; l < start[2] + n[2]; l++, m++) {
                const double x = h * (double)i, y = h * (double)j, z = h * (double)l;
                s->u[m] = sin(x) * cos(y) * cos(z);
                s->u[s->npoints + m] = -cos(x) * sin(y) * cos(z);
                s->u[2 * s->npoints + m] = 0;
            }
    CHECK(subx_fft_execute(s->plan, SUBX_FFT_FORWARD, s->u, s->state));
}

static void solver_create(struct solver *s)
{
    ptrdiff_t n[3], start[3], bytes, modes[3], modes_bytes;

    s->plan = create_plan();
    CHECK(subx_fft_plan_get_local(s->plan, SUBX_FFT_PHYSICAL, n, start, NULL, &bytes));
    CHECK(subx_fft_plan_get_local(s->plan, SUBX_FFT_SPECTRAL, modes, NULL, NULL, &modes_bytes));
    s->npoints = n[0] * n[1] * n[2];
    s->nmodes = modes[0] * modes[1] * modes[2];
    s->u = allocate(bytes);
    s->w = allocate(bytes);
    s->state = allocate(modes_bytes);
    s->stage = allocate(modes_bytes);
    s->sum = allocate(modes_bytes);
    s->rhs = allocate(modes_bytes);
    s->k = allocate((s->nmodes + 1) * (ptrdiff_t)sizeof *s->k);
    set_wavenumbers(s, modes);
    set_velocity(s, n, start);
}

static void solver_free(struct solver *s)
{
    free(s->u);
    free(s->w);
    free(s->state);
    free(s->stage);
    free(s->sum);
    free(s->rhs);
    free(s->k);
    CHECK(subx_fft_plan_free(&s->plan));
}

/* ----------------------------------------------------------------------------------- the equations */

/* Set rhs to the curl i k x v. */
static void compute_curl(struct solver *s, const double complex *v)
{
    const ptrdiff_t n = s->nmodes;

    for (int c = 0; c < 3; c++) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        for (ptrdiff_t m = 0; m < n; m++)
            s->rhs[c * n + m] = I * (s->k[m][a] * v[b * n + m] - s->k[m][b] * v[a * n + m]);
    }
}

/* Replace w by u x w. */
static void multiply(struct solver *s)
{
    const ptrdiff_t n = s->npoints;

    for (ptrdiff_t m = 0; m < n; m++) {
        const double u[3] = {s->u[m], s->u[n + m], s->u[2 * n + m]},
                     w[3] = {s->w[m], s->w[n + m], s->w[2 * n + m]};
        for (int c = 0; c < 3; c++)
            s->w[c * n + m] = u[(c + 1) % 3] * w[(c + 2) % 3] - u[(c + 2) % 3] * w[(c + 1) % 3];
    }
}

/* Add the pressure, which removes the part of the right-hand side along k, and the viscous term. */
static void add_pressure_and_viscosity(struct solver *s, const double complex *v)
{
    const ptrdiff_t n = s->nmodes;

    for (ptrdiff_t m = 0; m < n; m++) {
        const double *k = s->k[m], k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        const double complex along = k[0] * s->rhs[m] + k[1] * s->rhs[n + m] + k[2] * s->rhs[2 * n + m];
        for (int c = 0; c < 3; c++)
            s->rhs[c * n + m] -= (k2 > 0 ? k[c] * along / k2 : 0) + VISCOSITY * k2 * v[c * n + m];
    }
}

/* Set rhs to the time derivative of v: three executions, each of three components. */
static void compute_rhs(struct solver *s, const double complex *v)
{
    CHECK(subx_fft_execute(s->plan, SUBX_FFT_BACKWARD, v, s->u));
    compute_curl(s, v);
    CHECK(subx_fft_execute(s->plan, SUBX_FFT_BACKWARD, s->rhs, s->w));
    multiply(s);
    CHECK(subx_fft_execute(s->plan, SUBX_FFT_FORWARD, s->w, s->rhs));
    add_pressure_and_viscosity(s, v);
}

/* Set y = x + a rhs; y and x may be the same. */
static void add_rhs(const struct solver *s, const double complex *x, double a, double complex *y)
{
    for (ptrdiff_t m = 0; m < 3 * s->nmodes; m++)
        y[m] = x[m] + a * s->rhs[m];
}

/* One step of the classical Runge-Kutta method (Kutta 1901). */
static void advance(struct solver *s)
{
    const double weight[4] = {STEP / 6, STEP / 3, STEP / 3, STEP / 6}, next[3] = {STEP / 2, STEP / 2, STEP};

    for (int i = 0; i < 4; i++) {
        compute_rhs(s, i == 0 ? s->state : s->stage);
        add_rhs(s, i == 0 ? s->state : s->sum, weight[i], s->sum);
        if (i < 3)
            add_rhs(s, s->state, next[i], s->stage);
    }
    for (ptrdiff_t m = 0; m < 3 * s->nmodes; m++)
        s->state[m] = s->sum[m];
}

/* ------------------------------------------------------------------------------------------ the checks */

struct integrals {
    double energy, enstrophy, divergence; /* means of u.u / 2 and (curl u)^2 / 2; the largest mode of div u */
};

/* Compute the integrals by Parseval's theorem. A mode with a wavenumber above 0 along the last axis counts
 * twice, because the spectrum of real data leaves out its complex conjugate. */
static struct integrals integrate(const struct solver *s)
{
    const ptrdiff_t n = s->nmodes;
    double sums[2] = {0, 0}, worst = 0;

    for (ptrdiff_t m = 0; m < n; m++) {
        const double *k = s->k[m], k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        const double complex v[3] = {s->state[m], s->state[n + m], s->state[2 * n + m]};
        double square = 0;
        for (int c = 0; c < 3; c++)
            square += creal(v[c] * conj(v[c]));
        sums[0] += k[2] > 0 ? square : square / 2;
        sums[1] += k[2] > 0 ? k2 * square : k2 * square / 2;
        worst = fmax(worst, cabs(k[0] * v[0] + k[1] * v[1] + k[2] * v[2]));
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return (struct integrals){sums[0], sums[1], worst};
}

int main(int argc, char **argv)
{
    struct solver s;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    solver_create(&s);
    const struct integrals before = integrate(&s);
    for (double t = 0; t < END - STEP / 2; t += STEP)
        advance(&s);
    const struct integrals after = integrate(&s);
    solver_free(&s);
    const double loss = fabs(after.energy / before.energy - 1);
    if (rank == 0)
        printf(
            "energy %.12f, was %.12f: changed by %.1e\nenstrophy %.6f, was %.6f\ndivergence at most %.1e\n",
            after.energy, before.energy, loss, after.enstrophy, before.enstrophy, after.divergence);
    MPI_Finalize();
    /* Comparisons with a NaN are false. The energy at the beginning is 1/8. */
    return !(fabs(before.energy - 0.125) < 1e-14 && loss < 1e-10 && after.divergence < 1e-14 &&
             after.enstrophy > 1.1 * before.enstrophy);
}
