/* many.c - many plans exist at the same time and share a few communicators. A caller's communicator is freed
 * before its plan, or cannot be duplicated.
 * ranks: 1 2 4 5 (three would repeat five: slabs) */
#include "common/hints.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <subx_fft.h>

enum { PLANS = 100 };

/* How many communicators were created. The functions below count them; they replace MPI's functions, also
 * inside the libraries. */
static int made;

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *dup)
{
    made++;
    return PMPI_Comm_dup(comm, dup);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *dup)
{
    made++;
    return PMPI_Comm_dup_with_info(comm, info, dup);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    made++;
    return PMPI_Comm_split(comm, color, key, part);
}

static subx_fft_plan create(MPI_Comm comm, const char *strategy)
{
    const ptrdiff_t sizes[] = {3, 4, 5};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    MPI_Info hints = test_hints("grid=%s strategy=%s", test_nranks == 4 ? "2x2" : "0", strategy);
    EXPECT_OK(subx_fft_plan_create(comm, SUBX_FFT_C2C, 3, sizes, hints, &plan));
    MPI_Info_free(&hints);
    return plan;
}

/* Transform an impulse at the origin. All frequencies must be 1. */
static void check_plan(subx_fft_plan plan)
{
    ptrdiff_t bytes[2], start[3], n = 1, shape[3], wrong = 0;
    EXPECT_OK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, NULL, start, NULL, &bytes[0]));
    EXPECT_OK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, shape, NULL, NULL, &bytes[1]));
    double *u = calloc(1, (size_t)bytes[0]), *spectrum = calloc(1, (size_t)bytes[1]);
    u[0] = start[0] == 0 && start[1] == 0 && start[2] == 0;
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum));
    for (int i = 0; i < 3; i++)
        n *= shape[i];
    for (ptrdiff_t i = 0; i < n; i++)
        wrong += spectrum[2 * i] < 0.999 || spectrum[2 * i] > 1.001;
    EXPECT_EQUAL(wrong, 0);
    free(spectrum);
    free(u);
}

/* All plans must share one duplicate of the communicator, and one communicator per grid dimension. */
CHECK(check_many)
{
    subx_fft_plan plan[PLANS];
    test_context("%d plans", PLANS);
    made = 0;
    for (int i = 0; i < PLANS; i++)
        plan[i] = create(MPI_COMM_WORLD, i % 4 ? "fused" : "stride1");
    EXPECT(made <= 4);
    for (int i = 0; i < PLANS; i += 11)
        check_plan(plan[i]);
    for (int i = 0; i < PLANS; i++)
        EXPECT_OK(subx_fft_plan_free(&plan[i]));
}

/* The caller may free the communicator before the plan. */
CHECK(check_freed)
{
    MPI_Comm comm;
    test_context("a communicator that is freed before its plan");
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    subx_fft_plan plan = create(comm, "fused");
    MPI_Comm_free(&comm);
    check_plan(plan);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

static int handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    handled++;
}

static int refuse(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)extra, (void)in, (void)out;
    *flag = 0;
    return MPI_ERR_OTHER;
}

/* If the library cannot duplicate the communicator, it must not call the caller's error handler, which might
 * end the program. */
CHECK(check_handler)
{
    const ptrdiff_t sizes[] = {4, 5};
    subx_fft_plan plan;
    MPI_Comm comm;
    MPI_Errhandler handler;
    int keyval;
    test_context("a communicator that cannot be duplicated");
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(comm, keyval, NULL);
    EXPECT(subx_fft_plan_create(comm, SUBX_FFT_C2C, 2, sizes, MPI_INFO_NULL, &plan) != MPI_SUCCESS);
    EXPECT_EQUAL(handled, 0);
    MPI_Comm_delete_attr(comm, keyval);
    MPI_Comm_free_keyval(&keyval);
    plan = create(comm, "fused");
    check_plan(plan);
    EXPECT_OK(subx_fft_plan_free(&plan));
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
}
