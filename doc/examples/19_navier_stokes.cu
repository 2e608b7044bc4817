/* 19_navier_stokes.cu - 05_navier_stokes on GPUs: the same equations, with all arrays in the memory of a GPU.
 *
 * The plan gets the hint subx_memory_kind = cuda:device, and then transforms arrays of cudaMalloc. Everything
 * else that the solver does with its arrays is in four small kernels. They run in the default stream: an
 * execution of the plan begins after the kernels before it, and its result is complete when the call returns.
 *
 * nvcc -ccbin mpicxx 19_navier_stokes.cu $(pkg-config --cflags --libs subx_fft) -o 19_navier_stokes
 * mpirun -n 2 ./19_navier_stokes
 *
 * Ranks of a node take its GPUs in turns. tests/device/run runs the program on 1 and 2 ranks; on a machine
 * without a GPU it prints why there is no plan, and its exit status is 2. No GPU has run it yet.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <subx_fft.h>

/* The kinetic energy at T = 0.1 in the test of the spectral solver that comes with mpi4py-fft, for 64 x 64 x
 * 64 points. */
static const double PUBLISHED_ENERGY = 0.124953117517;
static const double ENERGY_TOLERANCE = 5e-8;
static const double NU = 0.000625, DT = 0.01;
static const int NSTEPS = 10;
static const double PI = 3.14159265358979323846;

/* A rank's portion of the array on one side. */
struct side {
    ptrdiff_t shape[3], start[3], count, alloc_bytes;
    int order[3];
};

/* A vector field has one array per component. The structs are arguments of kernels. */
struct real_field {
    double *c[3];
};
struct complex_field {
    double2 *c[3];
};

struct solver {
    ptrdiff_t n[3];
    double length[3];
    subx_fft_plan plan;
    side physical, spectral;
    double *k[3];                   /* on the GPU: the wavenumbers of each mode along an axis, in storage
                                       order */
    real_field u, curl;             /* velocity; its curl, later u x curl */
    complex_field u_hat;            /* the state: Fourier coefficients of the velocity */
    complex_field sum, stage, rhs;  /* work arrays of a Runge-Kutta step */
    double2 *work;                  /* work array for one component */
};

/* ------------------------------------------------------------------------------------ helpers */

/* CHECK ends the program if a function of the library returns an error code, CUDA if a function of CUDA
 * does. */
#define CHECK(call) check(call, #call)
#define CUDA(call) check_cuda(call, #call)

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

static void check_cuda(cudaError_t code, const char *call)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(code));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int get_rank(MPI_Comm comm)
{
    int rank;

    MPI_Comm_rank(comm, &rank);
    return rank;
}

template <typename T> static void allocate(T **array, ptrdiff_t bytes)
{
    CUDA(cudaMalloc(array, bytes > 0 ? (size_t)bytes : 1));
}

/* The ranks of a node take its GPUs in turns. Without a GPU nothing is chosen, and there will be no plan. */
static void choose_gpu(void)
{
    int count = 0;
    MPI_Comm node;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0)
        CUDA(cudaSetDevice(get_rank(node) % count));
    MPI_Comm_free(&node);
}

/* ------------------------------------------------------------------------------------- kernels */

enum { THREADS = 256 };

static unsigned count_blocks(ptrdiff_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

__device__ static ptrdiff_t get_index(void)
{
    return (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* out = i (ka vb - kb va), a component of the curl */
__global__ static void set_curl(ptrdiff_t n, const double *ka, const double *kb, const double2 *va, const double2 *vb,
                                double2 *out)
{
    const ptrdiff_t m = get_index();
    if (m < n)
        out[m] = make_double2(-(ka[m] * vb[m].y - kb[m] * va[m].y), ka[m] * vb[m].x - kb[m] * va[m].x);
}

/* Replace the curl w by u x w. */
__global__ static void cross(ptrdiff_t n, real_field u, real_field w)
{
    const ptrdiff_t m = get_index();
    if (m >= n)
        return;
    const double a[3] = {u.c[0][m], u.c[1][m], u.c[2][m]}, b[3] = {w.c[0][m], w.c[1][m], w.c[2][m]};
    w.c[0][m] = a[1] * b[2] - a[2] * b[1];
    w.c[1][m] = a[2] * b[0] - a[0] * b[2];
    w.c[2][m] = a[0] * b[1] - a[1] * b[0];
}

/* Add the pressure, which removes the part of the right-hand side along k, and the viscous term. */
__global__ static void add_pressure_and_viscosity(ptrdiff_t n, const double *k0, const double *k1, const double *k2, double nu,
                                                  complex_field v, complex_field rhs)
{
    const ptrdiff_t m = get_index();
    if (m >= n)
        return;
    const double k[3] = {k0[m], k1[m], k2[m]}, square = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    double2 pressure = {0, 0};
    for (int c = 0; c < 3 && square > 0; c++) {
        pressure.x += k[c] * rhs.c[c][m].x / square;
        pressure.y += k[c] * rhs.c[c][m].y / square;
    }
    for (int c = 0; c < 3; c++) {
        rhs.c[c][m].x -= k[c] * pressure.x + nu * square * v.c[c][m].x;
        rhs.c[c][m].y -= k[c] * pressure.y + nu * square * v.c[c][m].y;
    }
}

/* y = x + a * rhs; y and x may be the same */
__global__ static void add_rhs(ptrdiff_t n, complex_field x, double a, complex_field rhs, complex_field y)
{
    const ptrdiff_t m = get_index();
    for (int c = 0; c < 3 && m < n; c++)
        y.c[c][m] = make_double2(x.c[c][m].x + a * rhs.c[c][m].x, x.c[c][m].y + a * rhs.c[c][m].y);
}

/* Kernels are not launched without elements. */
#define LAUNCH(kernel, n, ...)                                                                               \
    do {                                                                                                     \
        if ((n) > 0)                                                                                         \
            kernel<<<count_blocks(n), THREADS>>>(n, __VA_ARGS__);                                            \
        CUDA(cudaGetLastError());                                                                            \
    } while (0)

/* -------------------------------------------------------------------------------------- set-up */

/* Create the plan; the null plan if there is none. Collective. */
static subx_fft_plan create_plan(const ptrdiff_t n[3])
{
    char text[MPI_MAX_ERROR_STRING];
    int code, len;
    MPI_Info hints;
    subx_fft_plan plan;

    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_memory_kind", "cuda:device");
    MPI_Info_set(hints, "subx_output_order", "transposed");
    MPI_Info_set(hints, "subx_scaling", "forward"); /* u_hat are then Fourier coefficients */
    code = subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 3, n, hints, &plan);
    MPI_Info_free(&hints);
    MPI_Error_string(code, text, &len);
    if (code != MPI_SUCCESS && get_rank(MPI_COMM_WORLD) == 0)
        fprintf(stderr, "19_navier_stokes: no plan: %s\n", text);
    return plan;
}

static side get_side(subx_fft_plan plan, int which)
{
    side s;

    CHECK(subx_fft_plan_get_local(plan, which, s.shape, s.start, s.order, &s.alloc_bytes));
    s.count = s.shape[0] * s.shape[1] * s.shape[2];
    return s;
}

/* Get the global index of element m of this rank's array, counted in the order of memory. */
static void find_index(const side *s, ptrdiff_t m, ptrdiff_t index[3])
{
    for (int level = 0; level < 3; level++) {
        const int axis = s->order[level];
        index[axis] = s->start[axis] + m % s->shape[axis];
        m /= s->shape[axis];
    }
}

/* Along an axis of a complex transform, the upper half of the modes has negative wavenumbers, also the
 * Nyquist mode. */
static void set_wavenumbers(solver *s)
{
    const size_t bytes = (size_t)(s->spectral.count + 1) * sizeof(double);
    double *k = static_cast<double *>(malloc(bytes));

    for (int axis = 0; axis < 3; axis++) {
        for (ptrdiff_t m = 0; m < s->spectral.count; m++) {
            ptrdiff_t i[3];
            find_index(&s->spectral, m, i);
            const ptrdiff_t n = s->n[axis], wave = axis < 2 && i[axis] >= (n + 1) / 2 ? i[axis] - n : i[axis];
            k[m] = 2 * PI / s->length[axis] * (double)wave;
        }
        allocate(&s->k[axis], (ptrdiff_t)bytes);
        CUDA(cudaMemcpy(s->k[axis], k, bytes, cudaMemcpyHostToDevice));
    }
    free(k);
}

static double get_velocity(const double x[3], int component)
{
    const double u[3] = {sin(x[0]) * cos(x[1]) * cos(x[2]), -cos(x[0]) * sin(x[1]) * cos(x[2]), 0};
    return u[component];
}

static void set_initial_velocity(solver *s)
{
    double *u = static_cast<double *>(malloc((size_t)s->physical.alloc_bytes + 1));

    for (int c = 0; c < 3; c++) {
        for (ptrdiff_t m = 0; m < s->physical.count; m++) {
            ptrdiff_t i[3];
            double x[3];
            find_index(&s->physical, m, i);
            for (int axis = 0; axis < 3; axis++)
                x[axis] = s->length[axis] * (double)i[axis] / (double)s->n[axis];
            u[m] = get_velocity(x, c);
        }
        CUDA(cudaMemcpy(s->u.c[c], u, (size_t)s->physical.count * sizeof *u, cudaMemcpyHostToDevice));
        CHECK(subx_fft_execute(s->plan, SUBX_FFT_FORWARD, s->u.c[c], s->u_hat.c[c]));
    }
    free(u);
}

static void create_solver(const ptrdiff_t n[3], subx_fft_plan plan, solver *s)
{
    *s = {{n[0], n[1], n[2]}, {2 * PI, 4 * PI, 4 * PI}, plan, get_side(plan, SUBX_FFT_PHYSICAL),
          get_side(plan, SUBX_FFT_SPECTRAL)};
    for (int c = 0; c < 3; c++) {
        allocate(&s->u.c[c], s->physical.alloc_bytes);
        allocate(&s->curl.c[c], s->physical.alloc_bytes);
        allocate(&s->u_hat.c[c], s->spectral.alloc_bytes);
        allocate(&s->sum.c[c], s->spectral.alloc_bytes);
        allocate(&s->stage.c[c], s->spectral.alloc_bytes);
        allocate(&s->rhs.c[c], s->spectral.alloc_bytes);
    }
    allocate(&s->work, s->spectral.alloc_bytes);
    set_wavenumbers(s);
    set_initial_velocity(s);
}

static void free_solver(solver *s)
{
    for (int c = 0; c < 3; c++) {
        void *const arrays[] = {s->u.c[c], s->curl.c[c], s->u_hat.c[c], s->sum.c[c], s->stage.c[c], s->rhs.c[c], s->k[c]};
        for (void *array : arrays)
            CUDA(cudaFree(array));
    }
    CUDA(cudaFree(s->work));
    CHECK(subx_fft_plan_free(&s->plan));
}

/* ------------------------------------------------------------------------------- the equations */

/* Compute the time derivative of the velocity v_hat in s->rhs. */
static void compute_rhs(const solver *s, complex_field v_hat)
{
    for (int c = 0; c < 3; c++)
        CHECK(subx_fft_execute(s->plan, SUBX_FFT_BACKWARD, v_hat.c[c], s->u.c[c]));
    for (int c = 0; c < 3; c++) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        LAUNCH(set_curl, s->spectral.count, s->k[a], s->k[b], v_hat.c[a], v_hat.c[b], s->work);
        CHECK(subx_fft_execute(s->plan, SUBX_FFT_BACKWARD, s->work, s->curl.c[c]));
    }
    LAUNCH(cross, s->physical.count, s->u, s->curl);
    for (int c = 0; c < 3; c++)
        CHECK(subx_fft_execute(s->plan, SUBX_FFT_FORWARD, s->curl.c[c], s->rhs.c[c]));
    LAUNCH(add_pressure_and_viscosity, s->spectral.count, s->k[0], s->k[1], s->k[2], NU, v_hat, s->rhs);
}

static void add(const solver *s, complex_field x, double a, complex_field y)
{
    LAUNCH(add_rhs, s->spectral.count, x, a, s->rhs, y);
}

/* Advance the state by one step of the classical fourth-order Runge-Kutta method (Kutta 1901). */
static void step(const solver *s)
{
    compute_rhs(s, s->u_hat);
    add(s, s->u_hat, DT / 6, s->sum);
    add(s, s->u_hat, DT / 2, s->stage);
    compute_rhs(s, s->stage);
    add(s, s->sum, DT / 3, s->sum);
    add(s, s->u_hat, DT / 2, s->stage);
    compute_rhs(s, s->stage);
    add(s, s->sum, DT / 3, s->sum);
    add(s, s->u_hat, DT, s->stage);
    compute_rhs(s, s->stage);
    add(s, s->sum, DT / 6, s->u_hat);
}

/* Compute the mean of u.u / 2 over the whole box, on the host. Collective; all ranks get it. */
static double compute_energy(const solver *s)
{
    double energy = 0, *u = static_cast<double *>(malloc((size_t)s->physical.alloc_bytes + 1));

    for (int c = 0; c < 3; c++) {
        CHECK(subx_fft_execute(s->plan, SUBX_FFT_BACKWARD, s->u_hat.c[c], s->u.c[c]));
        CUDA(cudaMemcpy(u, s->u.c[c], (size_t)s->physical.count * sizeof *u, cudaMemcpyDeviceToHost));
        for (ptrdiff_t m = 0; m < s->physical.count; m++)
            energy += 0.5 * u[m] * u[m];
    }
    free(u);
    MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return energy / ((double)s->n[0] * (double)s->n[1] * (double)s->n[2]);
}

/* -------------------------------------------------------------------------------- the program */

static int run(void)
{
    const ptrdiff_t n[3] = {64, 64, 64};
    subx_fft_plan plan = create_plan(n);
    solver s;

    if (plan == SUBX_FFT_PLAN_NULL)
        return 2;
    create_solver(n, plan, &s);
    double seconds = MPI_Wtime();
    for (int i = 0; i < NSTEPS; i++)
        step(&s);
    const double energy = compute_energy(&s);
    seconds = MPI_Wtime() - seconds;
    free_solver(&s);
    const int agrees = fabs(energy - PUBLISHED_ENERGY) < ENERGY_TOLERANCE;
    if (get_rank(MPI_COMM_WORLD) == 0)
        printf("t = %g: kinetic energy = %.12f (%.2f s)\npublished:      energy = %.12f: %s to 7 places\n", NSTEPS * DT,
               energy, seconds, PUBLISHED_ENERGY, agrees ? "the same" : "NOT the same");
    return !agrees;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    choose_gpu();
    const int status = run();
    MPI_Finalize();
    return status;
}
