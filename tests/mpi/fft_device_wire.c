/* fft_device_wire.c - plans on device memory whose messages carry floats (hint subx_wire), by default on the
 * fake device: half of the bytes travel; texts; the range of floats; refusals; device calls that fail.
 * tests/mpi/fft_device.c compares the errors of random plans with their bound. With TEST_DEVICE=cuda:device
 * the test runs on a GPU, without the device calls that fail.
 * ranks: 3 7 (device calls fail on three) */
#include "common/hints.h"
#include "common/on_device.h"
#include "common/plan.h"
#include "common/verdict.h"
#include "mpi/wire_range.h"
#include "plan/plan.h"
#include <stdlib.h>
#include <string.h>

/* ---- what travels */

static subx_fft_plan create(const char *hints)
{
    const test_task t = {"c2c:6x5", hints};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("%s", hints);
    EXPECT_OK(test_device_create_plan(&t, MPI_COMM_WORLD, test_device.place, &plan));
    return plan;
}

/* A narrow exchange sends half of the bytes. */
static void check_traffic(void)
{
    subx_fft_plan full = create("grid=0 engine=pairwise wire=full"),
                  sent = create("grid=0 engine=pairwise wire=float");
    int n = 0;
    for (int i = 0; i < sent->nstages; i++) {
        sx_traffic a, b;
        if (!sx_stage_is_exchange(&sent->stage[i]))
            continue;
        EXPECT_OK(sent->choice.strategy->get_traffic(sent, i, &a));
        EXPECT_OK(full->choice.strategy->get_traffic(full, i, &b));
        EXPECT(a.is_narrow && !b.is_narrow);
        EXPECT_EQUAL(2 * a.sent, b.sent);
        n++;
    }
    EXPECT_EQUAL(n, 1);
    EXPECT_OK(subx_fft_plan_free(&sent));
    EXPECT_OK(subx_fft_plan_free(&full));
}

/* The text of a plan has the bound if some data need a carrier; else the hint has no effect. */
static void check_text(const char *hints, int has_effect)
{
    subx_fft_plan plan = create(hints);
    EXPECT(test_plan_says(plan, TEST_PRINTED, "hints    wire float\n") == has_effect);
    EXPECT(test_plan_says(plan, TEST_PRINTED, "1 exchange carries floats; 2-norm of the error, at most: ") ==
           has_effect);
    EXPECT(test_plan_says(plan, TEST_PRINTED, " bytes of floats") == has_effect);
    EXPECT(test_plan_says(plan, TEST_PRINTED, "has no effect here: wire float") == !has_effect);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* The transform that check_range takes. */
static double transform_delta(double value, double *first)
{
    const test_task t = {"c2c:6x5", "grid=0 wire=float engine=pairwise"};
    test_run x = {0};
    ptrdiff_t shape[2] = {0};
    double worst = 0;
    *first = value;
    if (!test_run_begin(&t, MPI_COMM_WORLD, 1, &x))
        return 0;
    if (test_rank == 0)
        *(double *)x.host[0] = value;
    EXPECT_OK(subx_fft_plan_get_local(x.plan, SUBX_FFT_SPECTRAL, shape, NULL, NULL, NULL));
    EXPECT_OK(test_run_execute(&x, SUBX_FFT_PHYSICAL));
    for (ptrdiff_t i = 0; i < x.bytes[1] / 16 && shape[0] > 0; i++)
        worst = fmax(worst, fabs(((double *)x.host[1])[2 * i] - value));
    *first = shape[0] > 0 ? *(double *)x.host[1] : value;
    test_run_end(&x);
    return worst;
}

/* ---- exchanges (tests/mpi/exch_device.c compares their data) */

/* A rank whose types have other elements than doubles: all ranks get the error. Such types on the host are
 * not refused. */
static void check_elements(void)
{
    const MPI_Datatype wrong = test_is_last() ? MPI_FLOAT : MPI_DOUBLE;
    MPI_Datatype *type = malloc((size_t)test_nranks * sizeof *type);
    for (int q = 0; q < test_nranks; q++)
        type[q] = q == test_rank ? wrong : MPI_DATATYPE_NULL;
    for (int is_on_device = 0; is_on_device < 2; is_on_device++) {
        subx_exch ex = SUBX_EXCH_NULL;
        MPI_Info hints = test_hints("wire=float memory_kind=%s", is_on_device ? test_device.place : "system");
        test_context("floats of other elements");
        const int rc = subx_exch_create(MPI_COMM_WORLD, type, type, hints, &ex);
        if (is_on_device)
            EXPECT_REFUSED(rc, SUBX_ERR_UNAVAILABLE, "subx_wire");
        else
            EXPECT_OK(rc);
        EXPECT_OK(subx_exch_free(&ex));
        MPI_Info_free(&hints);
    }
    free(type);
}

/* The buffers must be aligned as doubles. A rank without data in a buffer may get PEER. */
static void check_alignment(void)
{
    static const ptrdiff_t sizes[] = {5, 7, 4};
    static const int order[] = {1, 0, 2};
    subx_exch ex = SUBX_EXCH_NULL;
    ptrdiff_t bytes[2];
    char *memory[2];
    test_context("floats of doubles that are not aligned");
    if (!EXPECT_OK(
            test_device_create_realign("engine=pairwise wire=float", test_device.place, sizes, order, &ex)))
        return;
    EXPECT_OK(subx_exch_get(ex, NULL, &bytes[0], &bytes[1], NULL));
    for (int side = 0; side < 2; side++)
        memory[side] = test_device_alloc(bytes[side] + 8);
    for (int side = 0; side < 2; side++) {
        const int rc = subx_exch_execute(ex, memory[0] + 4 * !side, memory[1] + 4 * side);
        if (bytes[side] > 0)
            EXPECT_KIND(rc, SUBX_ERR_ARG);
        else
            EXPECT(rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_PEER);
    }
    EXPECT_OK(subx_exch_free(&ex));
    for (int side = 0; side < 2; side++)
        test_device_free(memory[side]);
}

/* ---- faults */

static void check_faults(void)
{
    const test_task sample = {"c2c:4x3x5", "grid=0 slices=2 engine=pairwise wire=float scaling=forward"};
    for (int messages = SX_FAKE_REFUSES_MESSAGES; messages <= SX_FAKE_TAKES_MESSAGES; messages++) {
        test_device_set_messages((uint64_t)messages);
        test_fault_check_creation(&sample, 1);
        test_fault_check_execution(&sample, 1, 0);
    }
    test_fault_check_creation(&sample, 0);
}

int main(int argc, char **argv)
{
    enum { FEW = 3 };
    test_device_begin(&argc, &argv);
    test_device_set_messages(SX_FAKE_TAKES_MESSAGES);
    check_traffic();
    check_text("grid=0 wire=float engine=pairwise", 1);
    check_text("grid=0 wire=float engine=alltoallv", 1);
    check_text("grid=0 wire=float engine=shm", 0);
    const double large = check_range(transform_delta);
    EXPECT(!isfinite(large) || large == 1e39);
    EXPECT(test_rank > 0 || !isfinite(large));
    check_elements();
    check_alignment();
    if (test_device.fake && test_nranks <= FEW)
        check_faults();
    test_device_close();
    return test_end();
}
