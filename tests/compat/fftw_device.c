/* fftw_device.c - arrays in the memory of a GPU, which FFTW's plans cannot reach. All ranks get no plan if
 * some rank has such an array; an execution on such arrays ends with an error. Managed memory is right. The
 * GPU is the library cuda/libcuda.c: whoever touches its memory gets a signal.
 * ranks: 1 3 */
#include "compat/fftw.h"
#include "common/verdict.h"
#include <subx.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, ROOM = 1 << 14 };

static const length sizes[] = {6, 5, 4};
static int error;

/* MPI calls this function with the errors of executions. */
static void note(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    error = *code;
}

static fftw_plan create(void *in, void *out, unsigned flags)
{
    return fftw_mpi_plan_many_dft(3, sizes, 1, 0, 0, in, out, MPI_COMM_WORLD, FFTW_FORWARD, flags);
}

/* Rank 0 has its input, or its output, in a GPU's memory. */
static void check_refusal(void *device, void *host)
{
    void *mine = test_rank == 0 ? device : host;
    for (int way = 0; way < 4; way++) {
        const unsigned flags = way / 2 ? FFTW_MEASURE : FFTW_ESTIMATE;
        test_context("way %d", way);
        EXPECT(!(way % 2 ? create(host, mine, flags) : create(mine, host, flags)));
    }
}

/* Execute on other arrays than the plan was created for. All ranks pass wrong arrays, so none waits for
 * another one. */
static void check_execution(fftw_plan plan, void *device, void *host)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int bytes = 0;
    for (int way = 0; way < 2; way++) {
        error = MPI_SUCCESS;
        fftw_execute_dft(plan, way ? host : device, way ? device : host);
        EXPECT_KIND(error, SUBX_ERR_UNAVAILABLE);
        MPI_Error_string(error, text, &bytes);
        EXPECT(strstr(text, "GPU"));
    }
}

/* The transform of the constant 1 is the number of points at frequency 0, and 0 elsewhere. */
static void check_managed(void *device, double *managed)
{
    length n0, start0;
    const length room = fftw_mpi_local_size_many(3, sizes, 1, 0, MPI_COMM_WORLD, &n0, &start0),
                 mine = n0 * sizes[1] * sizes[2];
    int wrong = 0;
    fftw_plan plan = create(managed, managed, FFTW_ESTIMATE);
    if (!EXPECT(plan && 16 * room <= ROOM))
        return;
    check_execution(plan, device, managed);
    for (length i = 0; i < mine; i++)
        managed[2 * i] = 1, managed[2 * i + 1] = 0;
    error = MPI_SUCCESS;
    fftw_execute(plan);
    EXPECT_OK(error);
    for (length i = 0; i < 2 * mine; i++) {
        const double right = i == 0 && start0 == 0 ? (double)(sizes[0] * sizes[1] * sizes[2]) : 0;
        wrong += !(managed[i] - right < 1e-9 && right - managed[i] < 1e-9);
    }
    EXPECT_EQUAL(wrong, 0);
    fftw_destroy_plan(plan);
}

int main(int argc, char **argv)
{
    const char *build = getenv("top_builddir");
    char path[4096];
    void *(*alloc)(size_t, int);
    MPI_Errhandler handler;
    snprintf(path, sizeof path, "%s/tests/compat/cuda/.libs/libcuda.so.1", build ? build : ".");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return SKIPPED;
    *(void **)&alloc = dlsym(library, "test_cuda_alloc");
    test_begin(&argc, &argv);
    MPI_Comm_create_errhandler(note, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    fftw_mpi_init();
    void *device = alloc(ROOM, 0), *managed = alloc(ROOM, 1);
    if (EXPECT(device && managed)) {
        check_refusal(device, managed);
        check_managed(device, managed);
    }
    fftw_mpi_cleanup();
    MPI_Errhandler_free(&handler);
    return test_end();
}
