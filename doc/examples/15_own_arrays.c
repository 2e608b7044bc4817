/* 15_own_arrays.c - a transform of arrays in the caller's own layout, in one call: the caller copies nothing.
 *
 * The array is a vector field in single precision. The three components of a point are adjacent in memory.
 * Each rank has planes of axis 0, in blocks of a length that the caller chose. Each plane has ghost points
 * around it:
 *
 *     g g g g g g      g  ghost points, which the transform neither reads nor writes
 *     g u u u u g      u  three complex numbers
 *     g u u u u g
 *     g g g g g g
 *
 * The caller wants another distribution for the spectrum: the last rank has the first planes of axis 2, and
 * axis 0 is contiguous. The problem describes both layouts; the plan moves the data while it transforms.
 *
 * mpicc 15_own_arrays.c $(pkg-config --cflags --libs subx_fft) -lm -o 15_own_arrays
 * mpirun -n 4 ./15_own_arrays
 *
 * It runs on any number of ranks; make check takes these ranks: 1 3
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_fft.h>

enum { N0 = 12, N1 = 10, N2 = 8, COMPONENTS = 3, ROW = N2 + 2, PLANE = (N1 + 2) * ROW };

static const ptrdiff_t N[3] = {N0, N1, N2};

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

static float complex *allocate(ptrdiff_t n)
{
    float complex *p = calloc((size_t)n + 1, sizeof *p);

    CHECK(p ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    return p;
}

/* This rank's planes on both sides. start[0] and len are of axis 0 on the physical side, start[1] and depth
 * of axis 2 on the spectral side. */
struct part {
    ptrdiff_t block; /* block size of axis 0 on the physical side */
    ptrdiff_t start[2], len;
    ptrdiff_t depth;
};

static struct part get_part(int nranks, int rank)
{
    struct part p;

    p.block = (N0 + nranks - 1) / nranks; /* as in FFTW and PFFT: the last ranks may have less, or nothing */
    p.start[0] = rank * p.block < N0 ? rank * p.block : N0;
    p.len = N0 - p.start[0] < p.block ? N0 - p.start[0] : p.block;
    CHECK(subx_block_get(N2, nranks, nranks - 1 - rank, &p.depth, &p.start[1]));
    return p;
}

/* ----------------------------------------------------------------------------------------- the problem */

static void set_physical(subx_fft_problem problem, const struct part *p)
{
    static const ptrdiff_t strides[3] = {COMPONENTS * PLANE, COMPONENTS * ROW, COMPONENTS};

    CHECK(subx_fft_problem_set_block(problem, SUBX_FFT_PHYSICAL, 0, p->block));
    CHECK(subx_fft_problem_set_strides(problem, SUBX_FFT_PHYSICAL, strides,
                                       1)); /* 1 from component to component */
}

static void set_spectral(subx_fft_problem problem, const struct part *p)
{
    const ptrdiff_t start[3] = {0, 0, p->start[1]}, len[3] = {N0, N1, p->depth};
    const int order[3] = {0, 1, 2}; /* innermost first */
    subx_boxes boxes;

    CHECK(subx_boxes_create(3, N, &boxes));
    CHECK(subx_boxes_add_ordered(boxes, start, len, order));
    CHECK(subx_fft_problem_set_boxes(problem, SUBX_FFT_SPECTRAL, boxes, 0));
    CHECK(subx_boxes_free(&boxes));
}

static subx_fft_plan create_plan(const struct part *p, int nranks)
{
    static const int kinds[3] = {SUBX_FFT_C2C, SUBX_FFT_C2C, SUBX_FFT_C2C};
    subx_fft_problem problem;
    subx_fft_plan plan;
    MPI_Info hints;
    char grid[16];

    CHECK(subx_fft_problem_create(3, kinds, N, &problem));
    CHECK(subx_fft_problem_set_precision(problem, SUBX_FFT_FLOAT));
    CHECK(subx_fft_problem_set_batch(problem, COMPONENTS, 1));
    set_physical(problem, p);
    set_spectral(problem, p);
    snprintf(grid, sizeof grid, "%d", nranks);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_grid", grid);         /* slabs: only axis 0 is divided */
    MPI_Info_set(hints, "subx_sequence", "2,1,0");  /* axis 0 is the last one to be transformed */
    MPI_Info_set(hints, "subx_scaling", "forward"); /* a wave of height 1 becomes a peak of height 1 */
    CHECK(subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &plan));
    MPI_Info_free(&hints);
    CHECK(subx_fft_problem_free(&problem));
    return plan;
}

/* ------------------------------------------------------------------------------------------- the check */

/* Component c is a plane wave with c + 1, c + 2 and c periods along the axes. */
static float complex get_wave(int c, ptrdiff_t i, ptrdiff_t j, ptrdiff_t k)
{
    const double turns = (double)((c + 1) * i) / N0 + (double)((c + 2) * j) / N1 + (double)(c * k) / N2;

    return (float complex)cexp(2 * acos(-1.0) * turns * I);
}

static const float GHOST = 7;

/* Fill the points and the ghost points, or, if is_check is 1, count the wrong ones. */
static int visit_field(const struct part *p, float complex *array, int is_check)
{
    int wrong = 0;

    for (ptrdiff_t i = 0; i < p->len; i++)
        for (ptrdiff_t j = 0; j < N1 + 2; j++)
            for (ptrdiff_t k = 0; k < ROW; k++)
                for (int c = 0; c < COMPONENTS; c++, array++) {
                    const int is_ghost = j == 0 || j == N1 + 1 || k == 0 || k == ROW - 1;
                    const float complex right = is_ghost ? GHOST : get_wave(c, p->start[0] + i, j - 1, k - 1);
                    if (!is_check)
                        *array = right;
                    wrong += !(cabsf(*array - right) < 1e-5F);
                }
    return wrong;
}

/* Count the wrong elements of the spectrum: each component must be 1 at its wave, and 0 elsewhere. */
static int count_wrong(const struct part *p, const float complex *array)
{
    int wrong = 0;

    for (ptrdiff_t k = p->start[1]; k < p->start[1] + p->depth; k++)
        for (ptrdiff_t j = 0; j < N1; j++)
            for (ptrdiff_t i = 0; i < N0; i++)
                for (int c = 0; c < COMPONENTS; c++)
                    wrong += !(cabsf(*array++ - (i == c + 1 && j == c + 2 && k == c)) < 1e-5F);
    return wrong;
}

int main(int argc, char **argv)
{
    int nranks, rank, wrong[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct part p = get_part(nranks, rank);
    subx_fft_plan plan = create_plan(&p, nranks);
    float complex *field = allocate(p.len * PLANE * COMPONENTS);
    float complex *spectrum = allocate(N0 * N1 * p.depth * COMPONENTS);
    float complex *first = field + COMPONENTS * (ROW + 1); /* the first point that is no ghost */

    visit_field(&p, field, 0);
    CHECK(subx_fft_execute(plan, SUBX_FFT_FORWARD, first, spectrum));
    wrong[0] = count_wrong(&p, spectrum);
    for (ptrdiff_t i = 0; i < p.len; i++)
        for (ptrdiff_t j = 0; j < N1; j++)
            memset(first + COMPONENTS * (i * PLANE + j * ROW), 0, COMPONENTS * N2 * sizeof *first);
    CHECK(subx_fft_execute(plan, SUBX_FFT_BACKWARD, spectrum, first));
    wrong[1] = visit_field(&p, field, 1);

    MPI_Allreduce(MPI_IN_PLACE, wrong, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("wrong: %d elements of the spectrum, %d of the field after its return\n", wrong[0], wrong[1]);
    free(spectrum);
    free(field);
    CHECK(subx_fft_plan_free(&plan));
    MPI_Finalize();
    return wrong[0] || wrong[1];
}
