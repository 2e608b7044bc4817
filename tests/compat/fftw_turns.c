/* fftw_turns.c - plans with FFTW_ESTIMATE are executed by our library and by FFTW's in turns, until it is
 * known which one is faster. Every execution must give the result of the first one, which is ours. */
#include "common/verdict.h"
#include <fftw3-mpi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRANSPOSED = FFTW_MPI_TRANSPOSED_OUT | FFTW_MPI_TRANSPOSED_IN };

typedef struct arrays {
    ptrdiff_t elements;
    fftw_complex *in, *out, *data, *right; /* data: the input; right: the result of the first execution */
    fftw_plan forward, backward;
} arrays;

static fftw_complex *alloc(ptrdiff_t n)
{
    fftw_complex *c = fftw_alloc_complex((size_t)n + 1);
    memset(c, 0, ((size_t)n + 1) * sizeof *c);
    return c;
}

/* The communicator of the plans is freed before the plans are executed. */
static void create(arrays *a, const ptrdiff_t n[3], ptrdiff_t howmany, int is_in_place, int is_transposed)
{
    const unsigned mask = FFTW_ESTIMATE | (is_transposed ? TRANSPOSED : 0);
    ptrdiff_t n0, start0, n1, start1;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    a->elements = fftw_mpi_local_size_many_transposed(3, n, howmany, 0, 0, comm, &n0, &start0, &n1, &start1);
    a->in = alloc(a->elements);
    a->out = is_in_place ? a->in : alloc(a->elements);
    a->data = alloc(a->elements);
    a->right = alloc(a->elements);
    for (ptrdiff_t i = 0; i < n0 * n[1] * n[2] * howmany; i++) {
        a->data[i][0] = sin((double)(i + 100 * test_rank));
        a->data[i][1] = cos((double)(3 * i));
    }
    a->forward = fftw_mpi_plan_many_dft(3, n, howmany, 0, 0, a->in, a->out, comm, FFTW_FORWARD,
                                        mask & ~FFTW_MPI_TRANSPOSED_IN);
    a->backward = fftw_mpi_plan_many_dft(3, n, howmany, 0, 0, a->out, a->in, comm, FFTW_BACKWARD,
                                         mask & ~FFTW_MPI_TRANSPOSED_OUT);
    MPI_Comm_free(&comm);
}

static void destroy(arrays *a)
{
    fftw_destroy_plan(a->forward);
    fftw_destroy_plan(a->backward);
    if (a->out != a->in)
        fftw_free(a->out);
    fftw_free(a->in);
    fftw_free(a->data);
    fftw_free(a->right);
}

static double get_difference(fftw_complex *x, fftw_complex *y, ptrdiff_t n, double scale)
{
    double worst = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            worst = fmax(worst, fabs(x[i][k] * scale - y[i][k]));
    return worst;
}

/* Memory behind the data of a rank may be overwritten, so only the data is compared. */
static void check(const ptrdiff_t n[3], ptrdiff_t howmany, int is_in_place, int is_transposed, int executions)
{
    arrays a;
    const double all = (double)(n[0] * n[1] * n[2]);
    ptrdiff_t n0, start0, n1, start1;
    test_context("%tdx%tdx%td*%td in place %d transposed %d, %d executions", n[0], n[1], n[2], howmany,
                 is_in_place, is_transposed, executions);
    create(&a, n, howmany, is_in_place, is_transposed);
    (void)fftw_mpi_local_size_many_transposed(3, n, howmany, 0, 0, MPI_COMM_WORLD, &n0, &start0, &n1,
                                              &start1);
    const ptrdiff_t from = n0 * n[1] * n[2] * howmany, to = is_transposed ? n1 * n[0] * n[2] * howmany : from;
    for (int i = 0; i < executions; i++) {
        memcpy(a.in, a.data, (size_t)from * sizeof *a.in);
        fftw_execute(a.forward);
        if (i == 0)
            memcpy(a.right, a.out, (size_t)to * sizeof *a.right);
        EXPECT(get_difference(a.out, a.right, to, 1) < 1e-12 * all);
        fftw_execute(a.backward);
        EXPECT(get_difference(a.in, a.data, from, 1 / all) < 1e-12);
    }
    destroy(&a);
}

int main(int argc, char **argv)
{
    static const ptrdiff_t shape[][3] = {{6, 5, 4}, {16, 12, 8}, {3, 2, 7}, {2, 11, 3}, {13, 13, 1}};
    static const int executions[] = {6, 7, 8, 11, 12, 17, 40}; /* also plans whose trial does not end */
    test_begin(&argc, &argv);
    setenv("SUBX_FFTW3MPI_STOCK", "load", 1);
    fftw_mpi_init();
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 7; k++)
            check(shape[i], k % 3 ? k : 15, k % 2, (i + k) / 2 % 2, executions[k]);
    for (int k = 0; k < 4; k++)
        check(shape[1], 15, k % 2, k / 2, 40);
    fftw_mpi_cleanup();
    return test_end();
}
