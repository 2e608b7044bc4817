/* fft_failing.c - a call fails on one rank during an execution. The execution must end on all ranks, and the other
 * ranks must get right data or an error. Afterwards the plan can be executed and freed.
 * ranks: 2 4 5 (plans with one exchange, and on a square grid; one of five ranks has no data) */
#include "common/field.h"
#include "common/verdict.h"
#include <math.h>
#include <stdlib.h>

/* How many calls of MPI_Isend and MPI_Alltoallw succeed on this rank before one fails; -1: none fails. */
static long left = -1;

static int fails(void)
{
    return left >= 0 && left-- == 0;
}

/* These functions replace MPI's, also inside the libraries. */
int MPI_Isend(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return fails() ? MPI_ERR_OTHER : PMPI_Isend(from, n, type, to, tag, comm, request);
}

int MPI_Alltoallw(const void *from, const int n[], const int at[], const MPI_Datatype types[], void *to,
                  const int recv_n[], const int recv_at[], const MPI_Datatype recv_types[], MPI_Comm comm)
{
    return fails() ? MPI_ERR_OTHER
                   : PMPI_Alltoallw(from, n, at, types, to, recv_n, recv_at, recv_types, comm);
}

static void execute(const test_field *f, subx_fft_plan plan, const test_part part[2], int fails_at)
{
    void *u = malloc((size_t)part[0].bytes), *spectrum = malloc((size_t)part[1].bytes);
    test_part_fill(f, &part[0], SUBX_FFT_PHYSICAL, 1, u);
    left = fails_at;
    int rc = subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum);
    int failed = fails_at >= 0 && left < 0;
    left = -1;
    EXPECT(failed ? rc != MPI_SUCCESS : rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_PEER);
    int any = failed;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (!any)
        EXPECT_OK(rc);
    if (!rc)
        EXPECT(test_part_compare(f, &part[1], SUBX_FFT_SPECTRAL, 1, spectrum) <=
               1e-12 * sqrt((double)f->count));
    free(spectrum);
    free(u);
}

/* Call n (from 0) of MPI_Isend or MPI_Alltoallw fails on rank 0. Then the plan is executed without a failure. Then the
 * call fails again, and the plan is freed right after that. */
static void check(const test_field *f, const test_choices *c)
{
    enum { CALLS = 8 };
    for (int n = 0; n < CALLS; n++) {
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        test_context("%s, %s, call %d", c->strategy, c->engine, n);
        if (!EXPECT_OK(test_field_plan(f, c, MPI_COMM_WORLD, &plan)))
            return;
        const test_part part[2] = {test_part_get(f, plan, SUBX_FFT_PHYSICAL),
                                   test_part_get(f, plan, SUBX_FFT_SPECTRAL)};
        execute(f, plan, part, test_rank == 0 ? n : -1);
        execute(f, plan, part, -1);
        execute(f, plan, part, test_rank == 0 ? n : -1);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
}

int main(int argc, char **argv)
{
    static const char *const overlaps[] = {"none", "send", "receive", "both"};
    const ptrdiff_t sizes[] = {4, 5, 6};
    test_begin(&argc, &argv);
    test_field f = test_field_create(SUBX_FFT_C2C, 3, sizes, test_seed());
    const char *grid = test_nranks == 4 ? "2x2" : "0";
    for (int i = 0; i < 4; i++)
        check(&f, &(test_choices){.grid = grid,
                                  .strategy = "fused",
                                  .engine = i ? "pairwise" : "node",
                                  .more = {{"overlap", overlaps[i]}, {"slices", "2"}, {"node_ranks", "1"}}});
    check(&f, &(test_choices){.grid = grid, .strategy = "stride1", .engine = "alltoallw"});
    check(&f, &(test_choices){.grid = grid, .strategy = "natural", .engine = "alltoallw"});
    test_field_free(&f);
    return test_end();
}
