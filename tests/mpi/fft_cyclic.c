/* fft_cyclic.c - transforms of block-cyclic arrays, which MPI_Type_create_darray describes.
 * ranks: 1 2 4 5 6 (three would repeat five: a process grid of one column) */
#include "common/verdict.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <subx_fft.h>

enum { ROWS = 13, COLUMNS = 10, GAP = 3, ROOM = ROWS * COLUMNS + GAP };

static const ptrdiff_t sizes[] = {ROWS, COLUMNS};

/* Create the type of this rank's part of a block-cyclic array. The process grid has two columns if the number
 * of ranks is even, else one. */
static MPI_Datatype create_darray(void)
{
    const int n[] = {ROWS, COLUMNS}, distribution[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC};
    const int block[] = {2, 3}, across = test_nranks % 2 ? 1 : 2, grid[] = {test_nranks / across, across};
    MPI_Datatype type;
    MPI_Type_create_darray(test_nranks, test_rank, 2, n, distribution, block, grid, MPI_ORDER_C,
                           MPI_C_DOUBLE_COMPLEX, &type);
    MPI_Type_commit(&type);
    return type;
}

static double complex get_wave(ptrdiff_t index, int k0, int k1)
{
    const double turns = (double)(index / COLUMNS * k0) / ROWS + (double)(index % COLUMNS * k1) / COLUMNS;
    return cexp(2 * acos(-1.0) * turns * I);
}

/* Set one field of the local array to this rank's part of a wave. MPI_Pack copies the part out of the whole
 * array. */
static void fill_local(MPI_Datatype type, int k0, int k1, double complex *local)
{
    double complex whole[ROWS * COLUMNS];
    int position = 0;
    for (ptrdiff_t i = 0; i < ROWS * COLUMNS; i++)
        whole[i] = get_wave(i, k0, k1);
    MPI_Pack(whole, 1, type, local, ROWS * COLUMNS * (int)sizeof *local, &position, MPI_COMM_WORLD);
}

/* Create a plan of two fields. The second field begins GAP elements after the end of the first. Sets *count
 * to the elements of one field. */
static subx_fft_plan create_plan(MPI_Datatype type, ptrdiff_t *count)
{
    subx_boxes boxes;
    subx_fft_problem problem;
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    EXPECT_OK(subx_boxes_create_type(type, 2, sizes, MPI_C_DOUBLE_COMPLEX, &boxes));
    EXPECT_OK(subx_boxes_get(boxes, NULL, NULL, NULL, NULL, count));
    EXPECT_OK(subx_fft_problem_parse("2*c2c:13x10", &problem));
    EXPECT_OK(subx_fft_problem_set_boxes(problem, SUBX_FFT_PHYSICAL, boxes, *count + GAP));
    EXPECT_OK(subx_boxes_free(&boxes));
    EXPECT_OK(subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, MPI_INFO_NULL, &plan));
    EXPECT_OK(subx_fft_problem_free(&problem));
    return plan;
}

static void check_spectrum(const ptrdiff_t n[2], const ptrdiff_t start[2], const double complex *spectrum,
                           int k0, int k1)
{
    for (ptrdiff_t i = 0; i < n[0] * n[1]; i++) {
        const int is_peak = start[0] + i / n[1] == k0 && start[1] + i % n[1] == k1;
        EXPECT(cabs(spectrum[i] - (is_peak ? ROWS * COLUMNS : 0)) < 1e-10);
    }
}

/* The spectrum of a wave is a single peak. The inverse transform gives the wave again. */
static void check_wave(subx_fft_plan plan, MPI_Datatype type, ptrdiff_t count, int k0, int k1)
{
    ptrdiff_t n[2] = {0, 0}, start[2] = {0, 0}, bytes[2] = {0, 0};
    const ptrdiff_t distance = count + GAP;
    double complex *field = calloc(2 * ROOM, sizeof *field), *back = calloc(2 * ROOM, sizeof *back);
    fill_local(type, k0, k1, field);
    fill_local(type, k1, k0, field + distance);
    EXPECT_OK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, NULL, NULL, NULL, &bytes[0]));
    EXPECT_OK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, n, start, NULL, &bytes[1]));
    EXPECT_EQUAL(bytes[0], (count > 0 ? distance + count : 1) * (ptrdiff_t)sizeof *field);
    double complex *spectrum = calloc(1, (size_t)bytes[1]);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, field, spectrum));
    check_spectrum(n, start, spectrum, k0, k1);
    check_spectrum(n, start, spectrum + n[0] * n[1], k1, k0);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_BACKWARD, spectrum, back));
    for (ptrdiff_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            EXPECT(cabs(back[i + k * distance] - ROWS * COLUMNS * field[i + k * distance]) < 1e-9);
    free(spectrum);
    free(back);
    free(field);
}

CHECK(check_waves)
{
    MPI_Datatype type = create_darray();
    ptrdiff_t count = 0;
    subx_fft_plan plan = create_plan(type, &count);
    for (int k = 0; k < 6; k++)
        check_wave(plan, type, count, 5 * k % COLUMNS, 3 * k % COLUMNS);
    EXPECT_OK(subx_fft_plan_free(&plan));
    MPI_Type_free(&type);
}
