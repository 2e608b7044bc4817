/* stock.c - create FFTW's own plan, unless it might be wrong. */
#include "fftw3mpi/fftw3mpi.h"
#include <fftw3.h>
#include <math.h>

const char sx_fftw_mark = 'x';

double sx_fftw_count_points(const sx_fftw_request *q)
{
    double n = 1;
    for (int i = 0; i < q->ndims; i++)
        n *= (double)q->dim[i].n;
    return n;
}

static double count_flops(const sx_fftw_request *q)
{
    const double n = sx_fftw_count_points(q);
    const double count =
        q->family == SX_FFTW_TRANSPOSE ? 0 : 5 * n * log2(n) * (double)q->howmany / q->nranks;
    return q->family == SX_FFTW_DFT ? count : count / 2;
}

sx_fftw_plan *sx_fftw_alloc_plan(const sx_fftw_request *q)
{
    sx_fftw_plan *made = sx_base_alloc(1, sizeof *made);
    if (!made)
        return NULL;
    *made = (sx_fftw_plan){.mark = &sx_fftw_mark, .precision = q->precision, .references = 1};
    made->in = q->in;
    made->out = q->out;
    made->flops = count_flops(q);
    return made;
}

/* Query whether a side has FFTW's default blocks along exactly one axis, and is not divided along any other
 * axis. */
static int has_default_blocks(const sx_fftw_request *q, int side)
{
    int ndivided = 0;
    for (int i = 0; i < q->ndims; i++) {
        const ptrdiff_t n = q->dim[i].n, block = side == SX_FROM ? q->dim[i].ib : q->dim[i].ob;
        if (block == 0 || block == (n + q->nranks - 1) / q->nranks)
            ndivided++;
        else if (block < n)
            return 0;
    }
    return ndivided == 1;
}

/* Query whether FFTW's own plan might be wrong. FFTW 3.3.10 may corrupt the heap in its planner, or give
 * wrong results, if an axis has one element, or if there are several ranks and the blocks are not FFTW's
 * default blocks. With FFTW_UNALIGNED its plans nevertheless need aligned arrays. Several ranks with fewer
 * r2r transforms of one axis than ranks: it writes beyond the arrays. */
static int breaks_stock(const sx_fftw_request *q)
{
    for (int i = 0; i < q->ndims; i++)
        if (q->dim[i].n == 1)
            return 1;
    if (q->flags & FFTW_UNALIGNED)
        return 1;
    const int is_narrow = q->family == SX_FFTW_R2R && q->ndims == 1 && q->howmany < q->nranks;
    return q->nranks > 1 && (is_narrow || !(has_default_blocks(q, SX_FROM) && has_default_blocks(q, SX_TO)));
}

/* Create FFTW's own plan. If the program has set a time limit, FFTW gets FFTW_ESTIMATE and no limit instead:
 * in FFTW's MPI planner, ranks would run out of time at different points, and then wait for each other for
 * ever. */
static void *plan_stock(const sx_fftw_request *q)
{
    const sx_fftw_precision *p = q->precision;
    sx_fftw_request estimate = *q;
    if (q->limit < 0)
        return p->plan_stock(q);
    estimate.flags |= FFTW_ESTIMATE;
    p->set_limit(FFTW_NO_TIMELIMIT);
    void *made = p->plan_stock(&estimate);
    p->set_limit(p->state->limit);
    return made;
}

sx_fftw_plan *sx_fftw_create_stock(const sx_fftw_request *q, sx_fftw_times *times)
{
    const sx_fftw_precision *p = q->precision;
    sx_fftw_plan *made = sx_fftw_alloc_plan(q);
    int can = made && p->has_stock() && !breaks_stock(q);
    if (!MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, q->comm) && can) {
        const double start = MPI_Wtime();
        p->state->has_stock_begun = 1;
        made->stock = plan_stock(q);
        times->planning[1] = MPI_Wtime() - start;
    }
    if (made && made->stock)
        return made;
    sx_base_free(made);
    return NULL;
}

void sx_fftw_free_stock(sx_fftw_plan *stock)
{
    stock->precision->destroy(stock->stock);
    sx_base_free(stock);
}
