/* 03_transform.c - the smallest distributed Fourier transform: a plane wave becomes a single peak.
 *
 * The plan decides how the array is divided between the ranks. The program asks the plan, and prints it.
 *
 * mpicc 03_transform.c $(pkg-config --cflags --libs subx_fft) -lm -o 03_transform
 * mpirun -n 4 ./03_transform
 *
 * It runs on any number of ranks; make check takes these ranks: 1 2 4 7
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_tune.h>

static const ptrdiff_t N[3] = {16, 12, 10};
static const ptrdiff_t WAVE[3] = {3, 5, 2}; /* periods of the wave along each axis */

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

static void *allocate(size_t size)
{
    void *p = malloc(size);

    CHECK(p ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    return p;
}

static subx_fft_plan create_plan(void)
{
    MPI_Info hints;
    subx_fft_plan plan;

    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_scaling", "forward");      /* a wave of height 1 becomes a peak of height 1 */
    MPI_Info_set(hints, "subx_output_order", "natural"); /* the spectrum in C order, like the field */
    CHECK(subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, 3, N, hints, &plan));
    MPI_Info_free(&hints);
    return plan;
}

static void print_plan(subx_fft_plan plan)
{
    const char *name = "";
    size_t needed;

    printf("the word serial of subx_tune can be:");
    for (int i = 0; name; i++) {
        CHECK(subx_fft_query_serial(i, &name));
        printf(" %s", name ? name : "\n");
    }
    CHECK(subx_fft_plan_print(plan, 0, NULL, &needed));
    char *text = allocate(needed + 1);
    CHECK(subx_fft_plan_print(plan, needed + 1, text, NULL));
    printf("%s\n", text);
    free(text);
}

/* Fill this rank's part of exp(2 pi i WAVE.x), x in [0,1)^3. */
static void fill_wave(const ptrdiff_t n[3], const ptrdiff_t start[3], double complex *u)
{
    const double two_pi = 2 * acos(-1.0);
    ptrdiff_t i[3];

    for (i[0] = start[0]; i[0] < start[0] + n[0]; i[0]++)
        for (i[1] = start[1]; i[1] < start[1] + n[1]; i[1]++)
            for (i[2] = start[2]; i[2] < start[2] + n[2]; i[2]++) {
                double phase = 0;
                for (int axis = 0; axis < 3; axis++)
                    phase += two_pi * (double)(WAVE[axis] * i[axis]) / (double)N[axis];
                *u++ = cexp(I * phase);
            }
}

/* Count this rank's wrong elements: the right value is 1 at WAVE and 0 elsewhere. If this rank has the
 * element at WAVE, *peak gets its absolute value. */
static int count_wrong(const ptrdiff_t n[3], const ptrdiff_t start[3], const double complex *u, double *peak)
{
    int wrong = 0;
    ptrdiff_t i[3];

    for (i[0] = start[0]; i[0] < start[0] + n[0]; i[0]++)
        for (i[1] = start[1]; i[1] < start[1] + n[1]; i[1]++)
            for (i[2] = start[2]; i[2] < start[2] + n[2]; i[2]++, u++) {
                const int here = i[0] == WAVE[0] && i[1] == WAVE[1] && i[2] == WAVE[2];
                if (here)
                    *peak = cabs(*u);
                wrong += !(cabs(*u - here) < 1e-13); /* not `>=`: a NaN must count as wrong */
            }
    return wrong;
}

int main(int argc, char **argv)
{
    ptrdiff_t n[3], start[3], bytes;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    subx_fft_plan plan = create_plan();
    if (rank == 0)
        print_plan(plan);

    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, start, NULL, &bytes));
    double complex *u = allocate((size_t)bytes);
    fill_wave(n, start, u);

    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, n, start, NULL, &bytes));
    double complex *spectrum = allocate((size_t)bytes);
    CHECK(subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum));
    double peak = 0; /* stays 0 on all ranks but one */
    int wrong = count_wrong(n, start, spectrum, &peak);

    free(u);
    free(spectrum);
    CHECK(subx_fft_plan_free(&plan));
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &peak, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("peak of height %.3f at (%td, %td, %td)\n", peak, WAVE[0], WAVE[1], WAVE[2]);
        printf("%d of %td elements are wrong\n", wrong, N[0] * N[1] * N[2]);
    }
    MPI_Finalize();
    return wrong != 0;
}
