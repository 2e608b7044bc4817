/* 05_navier_stokes.c - a pseudo-spectral Navier-Stokes solver, run on the Taylor-Green vortex.
 *
 * In the periodic box (0,Lx) x (0,Ly) x (0,Lz) the velocity u obeys, in rotational form,
 *
 *     du/dt = u x (curl u) - grad P + nu laplace u,    div u = 0.
 *
 * Derivatives are computed on the spectral side, where a derivative is a product with i times the wavenumber
 * k. The cross product is computed on the physical side. The pressure P removes the part of the right-hand
 * side along k (Canuto, Hussaini, Quarteroni & Zang 1988, chapter 7). Time advances with the classical
 * Runge-Kutta method. There is no dealiasing.
 *
 * The spectral side is stored transposed, because this saves time: the solver works in any order of the
 * modes, if it knows the wavenumber of each mode.
 *
 * mpicc 05_navier_stokes.c $(pkg-config --cflags --libs subx_fft) -lm -o 05_navier_stokes
 * mpirun -n 4 ./05_navier_stokes -grid 2x2
 *
 * It runs on any number of ranks; make check takes these ranks: 1 2 3 4 5
 *
 * With its default parameters the program compares the kinetic energy at the end with a published number.
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_fft.h>

/* The kinetic energy at T = 0.1 in the test of the spectral solver that comes with mpi4py-fft. */
static const double PUBLISHED_ENERGY = 0.124953117517;
static const double ENERGY_TOLERANCE = 5e-8;

static const double PI = 3.14159265358979323846;

static const char USAGE[] =
    "usage: 05_navier_stokes [-n N0xN1xN2] [-nu NU] [-dt DT] [-T T] [-grid PxQ] [-h]\n"
    "  -n     points along x, y, z of the box (0,2pi) x (0,4pi) x (0,4pi); default 64x64x64\n"
    "  -nu    kinematic viscosity; default 0.000625\n"
    "  -dt    time step; default 0.01\n"
    "  -T     end time, rounded to whole steps; default 0.1\n"
    "  -grid  process grid: P for slabs, PxQ for pencils; default: the library chooses\n";

struct options {
    ptrdiff_t n[3];
    double nu, dt, end;
    const char *grid; /* NULL: the library chooses */
};

static const struct options DEFAULTS = {{64, 64, 64}, 0.000625, 0.01, 0.1, NULL};

/* A vector field has one array per component. */
typedef double *real_field[3];
typedef double complex *complex_field[3];

struct solver {
    struct options opt;
    double length[3];
    subx_fft_plan plan;
    ptrdiff_t npoints, nmodes;     /* of this rank, on the physical and the spectral side */
    double (*k)[3];                /* the wavenumber of each mode, in storage order */
    real_field u, curl;            /* velocity; its curl, later u x curl */
    complex_field u_hat;           /* the state: Fourier coefficients of the velocity */
    complex_field sum, stage, rhs; /* work arrays of a Runge-Kutta step */
    double complex *work;          /* work array for one component */
};

/* ------------------------------------------------------------------------------------ helpers */

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

static int is_root(void)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

static void *allocate(ptrdiff_t bytes)
{
    void *p = malloc(bytes > 0 ? (size_t)bytes : 1);

    CHECK(p ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    return p;
}

/* ------------------------------------------------------------------------------------- set-up */

/* Create the plan. If there is no plan for these options, print why and return the null plan. Collective. */
static subx_fft_plan create_plan(const struct options *opt)
{
    char text[MPI_MAX_ERROR_STRING];
    int code, len;
    MPI_Info hints;
    subx_fft_plan plan;

    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_tune", "strategy stride1");
    MPI_Info_set(hints, "subx_output_order", "transposed");
    MPI_Info_set(hints, "subx_scaling", "forward"); /* u_hat are then Fourier coefficients */
    if (opt->grid)
        MPI_Info_set(hints, "subx_grid", opt->grid);
    code = subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 3, opt->n, hints, &plan);
    MPI_Info_free(&hints);
    MPI_Error_string(code, text, &len);
    if (code != MPI_SUCCESS && is_root())
        fprintf(stderr, "05_navier_stokes: no plan for these options: %s\n", text);
    return plan;
}

/* A rank's portion of the array on one side. */
struct side {
    ptrdiff_t shape[3], start[3], count, alloc_bytes;
    int order[3];
};

static struct side get_side(subx_fft_plan plan, int which)
{
    struct side s;

    CHECK(subx_fft_plan_get_local(plan, which, s.shape, s.start, s.order, &s.alloc_bytes));
    s.count = s.shape[0] * s.shape[1] * s.shape[2];
    return s;
}

/* Get the global index of element m of this rank's array, counted in the order of memory. */
static void get_index(const struct side *s, ptrdiff_t m, ptrdiff_t index[3])
{
    for (int level = 0; level < 3; level++) {
        int axis = s->order[level];
        index[axis] = s->start[axis] + m % s->shape[axis];
        m /= s->shape[axis];
    }
}

/* Along an axis of a complex transform, the upper half of the modes has negative wavenumbers, also the
 * Nyquist mode. */
static void set_wavenumbers(struct solver *s, const struct side *spectral)
{
    for (ptrdiff_t m = 0; m < s->nmodes; m++) {
        ptrdiff_t i[3];
        get_index(spectral, m, i);
        for (int axis = 0; axis < 3; axis++) {
            ptrdiff_t n = s->opt.n[axis];
            ptrdiff_t wave = axis < 2 && i[axis] >= (n + 1) / 2 ? i[axis] - n : i[axis];
            s->k[m][axis] = 2 * PI / s->length[axis] * (double)wave;
        }
    }
}

static void set_initial_velocity(struct solver *s, const struct side *physical)
{
    for (ptrdiff_t m = 0; m < s->npoints; m++) {
        ptrdiff_t i[3];
        double x[3];
        get_index(physical, m, i);
        for (int axis = 0; axis < 3; axis++)
            x[axis] = s->length[axis] * (double)i[axis] / (double)s->opt.n[axis];
        s->u[0][m] = sin(x[0]) * cos(x[1]) * cos(x[2]);
        s->u[1][m] = -cos(x[0]) * sin(x[1]) * cos(x[2]);
        s->u[2][m] = 0;
    }
    for (int c = 0; c < 3; c++)
        CHECK(subx_fft_execute(s->plan, SUBX_FFT_FORWARD, s->u[c], s->u_hat[c]));
}

static void solver_create(const struct options *opt, subx_fft_plan plan, struct solver *s)
{
    const struct side physical = get_side(plan, SUBX_FFT_PHYSICAL),
                      spectral = get_side(plan, SUBX_FFT_SPECTRAL);

    *s = (struct solver){.opt = *opt, .length = {2 * PI, 4 * PI, 4 * PI}, .plan = plan};
    s->npoints = physical.count;
    s->nmodes = spectral.count;
    for (int c = 0; c < 3; c++) {
        s->u[c] = allocate(physical.alloc_bytes);
        s->curl[c] = allocate(physical.alloc_bytes);
        s->u_hat[c] = allocate(spectral.alloc_bytes);
        s->sum[c] = allocate(spectral.alloc_bytes);
        s->stage[c] = allocate(spectral.alloc_bytes);
        s->rhs[c] = allocate(spectral.alloc_bytes);
    }
    s->work = allocate(spectral.alloc_bytes);
    s->k = allocate(s->nmodes * (ptrdiff_t)sizeof *s->k);
    set_wavenumbers(s, &spectral);
    set_initial_velocity(s, &physical);
}

static void solver_free(struct solver *s)
{
    for (int c = 0; c < 3; c++) {
        free(s->u[c]);
        free(s->curl[c]);
        free(s->u_hat[c]);
        free(s->sum[c]);
        free(s->stage[c]);
        free(s->rhs[c]);
    }
    free(s->work);
    free(s->k);
    CHECK(subx_fft_plan_free(&s->plan));
}

/* ------------------------------------------------------------------------------ the equations */

/* Compute the curl of v_hat, i k x v_hat, on the physical side. */
static void compute_curl(struct solver *s, const complex_field v_hat)
{
    for (int c = 0; c < 3; c++) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        for (ptrdiff_t m = 0; m < s->nmodes; m++)
            s->work[m] = I * (s->k[m][a] * v_hat[b][m] - s->k[m][b] * v_hat[a][m]);
        CHECK(subx_fft_execute(s->plan, SUBX_FFT_BACKWARD, s->work, s->curl[c]));
    }
}

/* Replace the curl by u x curl. */
static void cross_with_velocity(struct solver *s)
{
    for (ptrdiff_t m = 0; m < s->npoints; m++) {
        const double u[3] = {s->u[0][m], s->u[1][m], s->u[2][m]};
        const double w[3] = {s->curl[0][m], s->curl[1][m], s->curl[2][m]};
        s->curl[0][m] = u[1] * w[2] - u[2] * w[1];
        s->curl[1][m] = u[2] * w[0] - u[0] * w[2];
        s->curl[2][m] = u[0] * w[1] - u[1] * w[0];
    }
}

/* Add the pressure, which removes the part of the right-hand side along k, and the viscous term. */
static void add_pressure_and_viscosity(struct solver *s, const complex_field v_hat)
{
    for (ptrdiff_t m = 0; m < s->nmodes; m++) {
        const double *k = s->k[m], k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        const double complex along = k[0] * s->rhs[0][m] + k[1] * s->rhs[1][m] + k[2] * s->rhs[2][m];
        const double complex pressure = k2 > 0 ? along / k2 : 0;
        for (int c = 0; c < 3; c++)
            s->rhs[c][m] -= k[c] * pressure + s->opt.nu * k2 * v_hat[c][m];
    }
}

/* Compute the time derivative of the velocity v_hat in s->rhs. */
static void compute_rhs(struct solver *s, const complex_field v_hat)
{
    for (int c = 0; c < 3; c++)
        CHECK(subx_fft_execute(s->plan, SUBX_FFT_BACKWARD, v_hat[c], s->u[c]));
    compute_curl(s, v_hat);
    cross_with_velocity(s);
    for (int c = 0; c < 3; c++)
        CHECK(subx_fft_execute(s->plan, SUBX_FFT_FORWARD, s->curl[c], s->rhs[c]));
    add_pressure_and_viscosity(s, v_hat);
}

/* Set y = x + a * rhs for all three components; y and x may be the same. */
static void add_rhs(const struct solver *s, const complex_field x, double a, complex_field y)
{
    for (int c = 0; c < 3; c++)
        for (ptrdiff_t m = 0; m < s->nmodes; m++)
            y[c][m] = x[c][m] + a * s->rhs[c][m];
}

/* Advance the state by one step of the classical fourth-order Runge-Kutta method (Kutta 1901). */
static void step(struct solver *s)
{
    const double dt = s->opt.dt;

    compute_rhs(s, s->u_hat);
    add_rhs(s, s->u_hat, dt / 6, s->sum);
    add_rhs(s, s->u_hat, dt / 2, s->stage);
    compute_rhs(s, s->stage);
    add_rhs(s, s->sum, dt / 3, s->sum);
    add_rhs(s, s->u_hat, dt / 2, s->stage);
    compute_rhs(s, s->stage);
    add_rhs(s, s->sum, dt / 3, s->sum);
    add_rhs(s, s->u_hat, dt, s->stage);
    compute_rhs(s, s->stage);
    add_rhs(s, s->sum, dt / 6, s->u_hat);
}

/* Compute the mean of u.u / 2 over the whole box. Collective; all ranks get it. */
static double compute_energy(struct solver *s)
{
    double energy = 0;

    for (int c = 0; c < 3; c++) {
        CHECK(subx_fft_execute(s->plan, SUBX_FFT_BACKWARD, s->u_hat[c], s->u[c]));
        for (ptrdiff_t m = 0; m < s->npoints; m++)
            energy += 0.5 * s->u[c][m] * s->u[c][m];
    }
    MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return energy / ((double)s->opt.n[0] * (double)s->opt.n[1] * (double)s->opt.n[2]);
}

/* -------------------------------------------------------------------------------- the program */

static int parse_number(const char *text, double *value)
{
    char *end;

    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value) && *value >= 0;
}

/* Parse lengths joined by x. The library parses them, as part of a problem's text. */
static int parse_shape(const char *text, ptrdiff_t n[3])
{
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    char spelling[128];
    int ndims;
    subx_fft_problem problem;

    if (text[strspn(text, "0123456789x")] != '\0' ||
        snprintf(spelling, sizeof spelling, "r2c:%s", text) >= (int)sizeof spelling ||
        subx_fft_problem_parse(spelling, &problem) != MPI_SUCCESS)
        return 0;
    subx_fft_problem_get(problem, &ndims, NULL, sizes, NULL, NULL);
    subx_fft_problem_free(&problem);
    if (ndims != 3)
        return 0;
    memcpy(n, sizes, 3 * sizeof *n);
    return 1;
}

static int parse_option(const char *name, const char *value, struct options *opt)
{
    if (!strcmp(name, "-n"))
        return parse_shape(value, opt->n);
    if (!strcmp(name, "-nu"))
        return parse_number(value, &opt->nu);
    if (!strcmp(name, "-dt"))
        return parse_number(value, &opt->dt) && opt->dt > 0;
    if (!strcmp(name, "-T"))
        return parse_number(value, &opt->end);
    opt->grid = value;
    return !strcmp(name, "-grid");
}

/* Parse the command line. Return -1 to go on, else the exit status; all ranks return the same. */
static int parse(int argc, char **argv, struct options *opt)
{
    *opt = DEFAULTS;
    for (int i = 1; i < argc; i += 2) {
        if (!strcmp(argv[i], "-h")) {
            if (is_root())
                fputs(USAGE, stdout);
            return 0;
        }
        if (i + 1 == argc || !parse_option(argv[i], argv[i + 1], opt)) {
            if (is_root())
                fprintf(stderr, "05_navier_stokes: wrong option: %s %s; -h lists them\n", argv[i],
                        i + 1 == argc ? "without a value" : argv[i + 1]);
            return 2;
        }
    }
    return -1;
}

static int has_default_parameters(const struct options *opt)
{
    return !memcmp(opt->n, DEFAULTS.n, sizeof opt->n) && opt->nu == DEFAULTS.nu && opt->dt == DEFAULTS.dt &&
           opt->end == DEFAULTS.end;
}

/* Print the result. Return the exit status: 1 if the energy should be the published one and is not. */
static int report(const struct options *opt, double time, double energy, double seconds)
{
    const int compare = has_default_parameters(opt);
    const int agrees = fabs(energy - PUBLISHED_ENERGY) < ENERGY_TOLERANCE;

    if (is_root()) {
        printf("t = %g: kinetic energy = %.12f (%.2f s)\n", time, energy, seconds);
        if (compare)
            printf("published:      energy = %.12f: %s to 7 places\n", PUBLISHED_ENERGY,
                   agrees ? "the same" : "NOT the same");
    }
    return compare && !agrees;
}

static int run(const struct options *opt)
{
    const long nsteps = lround(opt->end / opt->dt);
    subx_fft_plan plan = create_plan(opt);
    struct solver s;
    int g, dims[2] = {1, 1};

    if (plan == SUBX_FFT_PLAN_NULL)
        return 2;
    CHECK(subx_fft_plan_get(plan, NULL, &g, dims));
    if (is_root())
        printf("Taylor-Green vortex, %td x %td x %td points on %d x %d ranks, nu = %g, %ld steps of %g\n",
               opt->n[0], opt->n[1], opt->n[2], dims[0], g > 1 ? dims[1] : 1, opt->nu, nsteps, opt->dt);
    solver_create(opt, plan, &s);
    double seconds = MPI_Wtime();
    for (long i = 0; i < nsteps; i++)
        step(&s);
    const double energy = compute_energy(&s);
    seconds = MPI_Wtime() - seconds;
    solver_free(&s);
    return report(opt, (double)nsteps * opt->dt, energy, seconds);
}

int main(int argc, char **argv)
{
    struct options opt;

    MPI_Init(&argc, &argv);
    int status = parse(argc, argv, &opt);
    if (status < 0)
        status = run(&opt);
    MPI_Finalize();
    return status;
}
