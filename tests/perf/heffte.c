/* heffte.c - which variants of heFFTe subx-perf-fft measures on which grid. heFFTe itself is not needed. */
#include "fft/fft.h"

#include "fft/heffte.h"

#include <stdlib.h>

static int nasked, nrefused, nharmful, nfailures;

/* Stubs of the functions that heffte.c calls: functions of heFFTe, which always create a plan, and
 * functions of subx-perf-fft. */

struct sx_perf_heffte_plan *sx_perf_heffte_create(const struct sx_perf_heffte_request *request, MPI_Comm comm)
{
    static char plan;
    int is_permuted = request->out_order[0] != 0;
    (void)comm;
    nasked++;
    nharmful += is_permuted && !request->use_reorder;
    return (struct sx_perf_heffte_plan *)(void *)&plan;
}

int sx_perf_heffte_execute(struct sx_perf_heffte_plan *plan, int is_backward, const void *in, void *out)
{
    (void)plan, (void)is_backward, (void)in, (void)out;
    return MPI_SUCCESS;
}

void sx_perf_heffte_free(struct sx_perf_heffte_plan *plan)
{
    (void)plan;
}

int sx_perf_program_get_nranks(void)
{
    return 4;
}

int sx_perf_fft_problem_get_kind(const struct sx_perf_fft_problem *problem)
{
    return problem->kinds[problem->ndims - 1];
}

unsigned sx_perf_efforts_get_flag(int effort)
{
    (void)effort;
    return FFTW_ESTIMATE;
}

void sx_perf_fft_cell_set_strides(struct sx_perf_fft_box *box, const int order[])
{
    (void)box, (void)order;
}

/* -------------------------------------------------------------------------------- the checks */

/* Check a grid of four ranks: how many variants subx-perf-fft asks for, and how many of these would make
 * heFFTe write out of bounds. */
static void check(const char *what, struct sx_perf_fft_grid grid, int asked, int harmful)
{
    static struct sx_perf_fft_job job;
    static struct sx_perf_fft_cell cell;
    struct sx_perf_fft_box box[2];
    static const struct sx_perf_fft_problem problem = {
        "c2c:8x8x8", SUBX_FFT_DOUBLE, 3, {SUBX_FFT_C2C, SUBX_FFT_C2C, SUBX_FFT_C2C}, {8, 8, 8}};
    cell = (struct sx_perf_fft_cell){
        .job = &job, .problem = &problem, .problem_name = problem.name, .grid = grid, .nsteps = 1};
    cell.step[0].box[SUBX_FFT_PHYSICAL].ndims = cell.step[0].box[SUBX_FFT_SPECTRAL].ndims = 3;
    nasked = nrefused = nharmful = 0;
    for (int i = 0; sx_perf_fft_heffte.variants[i]; i++)
        if (sx_perf_fft_heffte.query_variant(&cell, i))
            nrefused++;
        else
            sx_perf_fft_heffte.create(&cell, i, box);
    if (nasked == asked && nharmful == harmful && nrefused == 10 - asked)
        return;
    printf("FAIL: grid %s: %d variants, %d of them permuted and strided, %d refused\n", what, nasked,
           nharmful, nrefused);
    nfailures++;
}

int main(void)
{
    check("4", (struct sx_perf_fft_grid){.g = 1, .dims = {4}}, 10, 2);
    check("2x2", (struct sx_perf_fft_grid){.g = 2, .dims = {2, 2}}, 10, 2);
    check("4x1", (struct sx_perf_fft_grid){.g = 2, .dims = {4, 1}}, 10, 2);
    check("1x4", (struct sx_perf_fft_grid){.g = 2, .dims = {1, 4}}, 8, 0);
    return nfailures > 0;
}
