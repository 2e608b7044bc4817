/* plan.c - plans: checked, created, executed, destroyed. */
#include "fftw3mpi/fftw3mpi.h"
#include <fftw3.h>
#include <math.h>
#include <string.h>

const char sx_fftw_mark = 'x';

/* ---- what FFTW refuses */

static int is_valid(const sx_fftw_request *q, int ndims)
{
    const int is_halved = q->family == SX_FFTW_R2C || q->family == SX_FFTW_C2R;
    return q->howmany >= 0 && ndims >= (is_halved ? 2 : 1) && ndims <= SX_FFTW_NDIMS_MAX;
}

static int has_valid_dims(const sx_fftw_request *q)
{
    for (int i = 0; i < q->ndims; i++)
        if (q->dim[i].n < 1 || q->dim[i].ib < 0 || q->dim[i].ob < 0)
            return 0;
    return 1;
}

/* Blocks must not outnumber ranks. Real transforms of one axis are made on one rank, or in bundles. */
static int has_room(const sx_fftw_request *q)
{
    const int is_halved = q->family == SX_FFTW_R2C || q->family == SX_FFTW_C2R;
    sx_fftw_dim dim[SX_FFTW_NDIMS_MAX];
    sx_fftw_layout l;
    int nranks;
    memcpy(dim, q->dim, sizeof dim);
    if (is_halved)
        dim[q->ndims - 1].n = dim[q->ndims - 1].n / 2 + 1;
    if (MPI_Comm_size(q->comm, &nranks))
        return 0;
    sx_fftw_set_layout(&l, q->ndims, dim, nranks, q->howmany, q->sign, q->flags);
    const ptrdiff_t from = sx_fftw_count_all(&l, SX_FROM), to = sx_fftw_count_all(&l, SX_TO);
    const int is_cut = q->family == SX_FFTW_R2R && q->ndims == 1 && (from > 1 || to > 1);
    return from <= nranks && to <= nranks && !(is_cut && q->howmany < nranks && q->howmany > 0);
}

/* ---- plans of ours */

static double count_flops(const sx_fftw_request *q)
{
    double n = 1;
    int nranks = 1;
    (void)MPI_Comm_size(q->comm, &nranks);
    for (int i = 0; i < q->ndims; i++)
        n *= (double)q->dim[i].n;
    const double count = q->family == SX_FFTW_TRANSPOSE ? 0 : 5 * n * log2(n) * (double)q->howmany / nranks;
    return q->family == SX_FFTW_DFT ? count : count / 2;
}

/* The planner of the serial library makes plans of one thread here: ours has threads of its own. */
static int create_plan(const sx_fftw_request *q, sx_fftw_plan *made)
{
    const sx_fftw_state *state = q->precision->state;
    if (q->howmany == 0)
        return MPI_SUCCESS;
    if (state->threads > 1)
        q->precision->set_threads(1);
    int rc = sx_fftw_create(q, &made->plan, &made->direction);
    if (state->threads > 1)
        q->precision->set_threads(state->threads);
    return rc;
}

/* Collective; NULL on all ranks or on none. */
static sx_fftw_plan *create(const sx_fftw_request *q)
{
    sx_fftw_plan *made = sx_base_alloc(1, sizeof *made);
    int rc = sx_base_agree(q->comm, made ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM), NULL);
    if (!rc) {
        *made = (sx_fftw_plan){.mark = &sx_fftw_mark, .precision = q->precision, .references = 1};
        made->in = q->in;
        made->out = q->out;
        made->flops = count_flops(q);
        rc = create_plan(q, made);
    }
    if (!rc) {
        q->precision->state->nplans++;
        return made;
    }
    sx_base_free(made);
    return NULL;
}

/* ---- ours or stock */

/* FFTW's own plan; NULL if there is none, or no library of that kind on some rank. Collective. */
static void *plan_stock(const sx_fftw_request *q)
{
    int has_stock = q->precision->has_stock();
    if (MPI_Allreduce(MPI_IN_PLACE, &has_stock, 1, MPI_INT, MPI_MIN, q->comm) || !has_stock)
        return NULL;
    q->precision->state->has_passed_on = 1;
    return q->precision->plan_stock(q);
}

static void *pass_on(const sx_fftw_request *q, const char *why)
{
    void *stock = plan_stock(q);
    (void)sx_fftw_count_plan(q, stock ? why : "no plan");
    return stock;
}

/* Above effort estimate, the faster of both. */
static void *choose(const sx_fftw_request *q, sx_fftw_plan *ours)
{
    void *stock = q->howmany > 0 && !(q->flags & FFTW_ESTIMATE) ? plan_stock(q) : NULL;
    if (stock && sx_fftw_is_slower(q, ours, stock)) {
        sx_fftw_destroy(ours);
        (void)sx_fftw_count_plan(q, "passed on: FFTW is faster");
        return stock;
    }
    if (stock)
        q->precision->destroy(stock);
    ours->line = sx_fftw_count_plan(q, "taken over");
    return ours;
}

static void *plan(const sx_fftw_request *q)
{
    if (!has_valid_dims(q) || !has_room(q))
        return NULL;
    if (q->flags & FFTW_WISDOM_ONLY)
        return pass_on(q, "passed on: from wisdom only");
    sx_fftw_plan *ours = create(q);
    return ours ? choose(q, ours) : pass_on(q, "passed on: no plan of ours");
}

void *sx_fftw_plan_guru(sx_fftw_request *q, int ndims, const sx_fftw_dim dim[], const int kind[])
{
    if (!is_valid(q, ndims))
        return NULL;
    q->ndims = ndims;
    memcpy(q->dim, dim, (size_t)ndims * sizeof *dim);
    if (kind)
        memcpy(q->kind, kind, (size_t)ndims * sizeof *kind);
    return plan(q);
}

/* The blocks are those of the axis that is divided: the second one of a transposed side. */
void *sx_fftw_plan_many(sx_fftw_request *q, int ndims, const ptrdiff_t n[], ptrdiff_t block_in,
                        ptrdiff_t block_out, const int kind[])
{
    sx_fftw_dim dim[SX_FFTW_NDIMS_MAX];
    if (!is_valid(q, ndims))
        return NULL;
    for (int i = 0; i < ndims; i++)
        dim[i] = (sx_fftw_dim){n[i], n[i], n[i]};
    dim[ndims > 1 && q->flags & SX_FFTW_TRANSPOSED_IN].ib = block_in;
    dim[ndims > 1 && q->flags & SX_FFTW_TRANSPOSED_OUT].ob = block_out;
    return sx_fftw_plan_guru(q, ndims, dim, kind);
}

/* ---- use */

/* FFTW's executions return nothing. An error goes to MPI's error handler, because the data would be wrong unnoticed. */
void sx_fftw_execute(const void *plan, void *in, void *out)
{
    const sx_fftw_plan *p = plan;
    if (p->line)
        __atomic_add_fetch(&p->line->executions, 1, __ATOMIC_RELAXED);
    int rc = p->plan ? subx_fft_execute(p->plan, p->direction, in, out) : MPI_SUCCESS;
    if (rc)
        (void)MPI_Comm_call_errhandler(MPI_COMM_WORLD, rc);
}

void sx_fftw_execute_own(const void *plan)
{
    const sx_fftw_plan *p = plan;
    sx_fftw_execute(p, p->in, p->out);
}

void *sx_fftw_copy(void *plan)
{
    ((sx_fftw_plan *)plan)->references++;
    return plan;
}

/* Programs destroy plans after MPI_Finalize too, where it is too late. */
void sx_fftw_destroy(void *plan)
{
    sx_fftw_plan *p = plan;
    int is_late = 0;
    if (--p->references > 0)
        return;
    if (!MPI_Finalized(&is_late) && !is_late)
        sx_fftw_share_free(&p->plan);
    p->precision->state->nplans--;
    p->mark = NULL;
    sx_base_free(p);
}

void sx_fftw_print(const void *plan, sx_text *t)
{
    const sx_fftw_plan *p = plan;
    subx_fft_problem problem;
    char text[SX_HINT_LEN] = "nothing";
    if (p->plan && !subx_fft_plan_get(p->plan, &problem, NULL, NULL))
        (void)subx_fft_problem_print(problem, sizeof text, text, NULL);
    sx_base_print(t, "(subx-%s %s)", p->direction == SUBX_FFT_BACKWARD ? "backward" : "forward", text);
}
