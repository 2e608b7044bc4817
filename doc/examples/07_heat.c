/* 07_heat.c - the heat equation by finite differences: a halo exchange before every step.
 *
 * In the periodic square (0,1) x (0,1) the temperature u obeys du/dt = laplace u. Second-order differences in
 * space and explicit steps in time turn it into
 *
 *     u'[i][j] = u[i][j] + dt/h^2 (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1] - 4 u[i][j]).
 *
 * Every rank owns a box of the grid, with a border of one ghost cell around it. Before each step, a halo
 * exchange fills the ghost cells. While this exchange is in flight, the rank can compute the cells that need
 * no ghost cells. The program does so on the finer of its two grids.
 *
 * If u is sin(2 pi x) sin(2 pi y) at the start, then at time t it is this field times exp(-8 pi^2 t). The
 * error must agree with the theory of the method; with twice as many points per axis it must be a quarter.
 *
 * mpicc 07_heat.c $(pkg-config --cflags --libs subx) -lm -o 07_heat
 * mpirun -n 4 ./07_heat
 *
 * It runs on any number of ranks; make check takes these ranks: 1 3 6
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_boxes.h>

static const double PI = 3.14159265358979323846;
static const double END = 0.01; /* time */

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

/* This rank's box of a grid of n x n points, and two arrays for it, with ghost cells. */
struct solver {
    ptrdiff_t n, start[2], len[2];
    double *u, *next;
    subx_halo halo;
};

/* The index in memory of point i, j of the box. The ghost cells have i or j = -1 or len. */
static ptrdiff_t at(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    return (i + 1) * (s->len[1] + 2) + j + 1;
}

/* Allocate memory that the ranks of a node share, which makes the exchange faster. Any other memory would
 * work, too. */
static double *allocate(const struct solver *s)
{
    void *memory;

    CHECK(subx_mem_alloc(MPI_COMM_WORLD, (ptrdiff_t)sizeof(double) * ((s->len[0] + 2) * (s->len[1] + 2)),
                         MPI_INFO_NULL, &memory));
    return memory;
}

static void create_solver(ptrdiff_t n, struct solver *s)
{
    const ptrdiff_t sizes[2] = {n, n}, width[2] = {1, 1};
    const int periodic[2] = {1, 1};
    int nranks, rank, grid[2] = {0, 0};

    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dims_create(nranks, 2, grid);
    s->n = n;
    CHECK(subx_block_get(n, grid[0], rank / grid[1], &s->len[0], &s->start[0]));
    CHECK(subx_block_get(n, grid[1], rank % grid[1], &s->len[1], &s->start[1]));
    s->u = allocate(s);
    s->next = allocate(s);
    CHECK(subx_halo_create(MPI_COMM_WORLD, 2, sizes, s->start, s->len, width, width, periodic, NULL,
                           MPI_DOUBLE, MPI_INFO_NULL, &s->halo));
}

static void free_solver(struct solver *s)
{
    void *u = s->u, *next = s->next;

    CHECK(subx_halo_free(&s->halo));
    CHECK(subx_mem_free(&u));
    CHECK(subx_mem_free(&next));
}

static double solution(const struct solver *s, ptrdiff_t i, ptrdiff_t j, double t)
{
    const double h = 1.0 / (double)s->n, x = h * (double)(s->start[0] + i), y = h * (double)(s->start[1] + j);

    return sin(2 * PI * x) * sin(2 * PI * y) * exp(-8 * PI * PI * t);
}

static void compute(const struct solver *s, ptrdiff_t i, ptrdiff_t j, double factor)
{
    const ptrdiff_t here = at(s, i, j), row = s->len[1] + 2;
    const double *u = s->u;

    s->next[here] =
        u[here] + factor * (u[here - row] + u[here + row] + u[here - 1] + u[here + 1] - 4 * u[here]);
}

/* Compute the points of a row: if at_border is 1, those that need ghost cells; if it is 0, all others. */
static void compute_row(const struct solver *s, ptrdiff_t i, int at_border, double factor)
{
    for (ptrdiff_t j = 0; j < s->len[1]; j++)
        if ((i == 0 || j == 0 || i == s->len[0] - 1 || j == s->len[1] - 1) == at_border)
            compute(s, i, j, factor);
}

/* Fill the ghost cells, then compute. */
static void step_in_turn(const struct solver *s, double factor)
{
    CHECK(subx_halo_execute(s->halo, s->u));
    for (ptrdiff_t i = 0; i < s->len[0]; i++) {
        compute_row(s, i, 0, factor);
        compute_row(s, i, 1, factor);
    }
}

/* Compute while the halo exchange is in flight. After each row, subx_halo_test lets the exchange make
 * progress. */
static void step_with_overlap(const struct solver *s, double factor)
{
    int is_done = 0;

    CHECK(subx_halo_start(s->halo, s->u));
    for (ptrdiff_t i = 0; i < s->len[0]; i++) {
        compute_row(s, i, 0, factor);
        if (!is_done)
            CHECK(subx_halo_test(s->halo, &is_done));
    }
    CHECK(subx_halo_wait(s->halo));
    for (ptrdiff_t i = 0; i < s->len[0]; i++)
        compute_row(s, i, 1, factor);
}

/* Solve on n x n points. Return the largest error of all points at the end. The time step is h^2 / 5: the
 * method is then stable. */
static double solve(ptrdiff_t n, void (*step)(const struct solver *s, double factor))
{
    struct solver s;
    const int nsteps = (int)(5 * END * (double)(n * n) + 0.5);
    const double dt = END / nsteps;
    double error = 0;

    create_solver(n, &s);
    for (ptrdiff_t i = 0; i < s.len[0]; i++)
        for (ptrdiff_t j = 0; j < s.len[1]; j++)
            s.u[at(&s, i, j)] = solution(&s, i, j, 0);
    for (int k = 0; k < nsteps; k++) {
        double *u = s.u;
        step(&s, dt * (double)(n * n));
        s.u = s.next;
        s.next = u;
    }
    for (ptrdiff_t i = 0; i < s.len[0]; i++)
        for (ptrdiff_t j = 0; j < s.len[1]; j++)
            error = fmax(error, fabs(s.u[at(&s, i, j)] - solution(&s, i, j, END)));
    free_solver(&s);
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return error;
}

/* Get the error that theory predicts, to the lowest order in h and dt. The exact solution decays at the rate
 * a = 8 pi^2. Differences in space lower the rate by a (pi h)^2 / 3, steps of dt raise it by a^2 dt / 2
 * (Taylor's theorem). */
static double predict(ptrdiff_t n)
{
    const double a = 8 * PI * PI, h = 1.0 / (double)n, dt = h * h / 5;

    return exp(-a * END) * END * fabs(a * PI * PI * h * h / 3 - a * a * dt / 2);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double coarse = solve(20, step_in_turn), fine = solve(40, step_with_overlap), ratio = coarse / fine;
    const int wrong = !(fabs(fine / predict(40) - 1) < 0.05 && fabs(ratio - 4) < 0.2);
    if (rank == 0)
        printf("error with 20 x 20 points %.3g, with 40 x 40 points %.3g (predicted %.3g), ratio %.3f: %s\n",
               coarse, fine, predict(40), ratio, wrong ? "wrong" : "right");
    MPI_Finalize();
    return wrong;
}
