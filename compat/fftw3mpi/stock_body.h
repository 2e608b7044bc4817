/* stock_body.h - FFTW's own MPI library (stock), in one precision, and functions for the files of all
 * precisions. A part of precision.h. */

static struct stock {
    void (*init)(void);
    void (*cleanup)(void);
    X(plan) (*plan_guru_dft)(int, const sx_fftw_dim *, ptrdiff_t, C *, C *, MPI_Comm, int, unsigned);
    X(plan)
    (*plan_guru_r2r)(int, const sx_fftw_dim *, ptrdiff_t, R *, R *, MPI_Comm, const X(r2r_kind) *, unsigned);
    X(plan)
    (*plan_many_dft_r2c)(int, const ptrdiff_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, R *, C *, MPI_Comm,
                         unsigned);
    X(plan)
    (*plan_many_dft_c2r)(int, const ptrdiff_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, C *, R *, MPI_Comm,
                         unsigned);
    X(plan)
    (*plan_many_transpose)(ptrdiff_t, ptrdiff_t, ptrdiff_t, ptrdiff_t, ptrdiff_t, R *, R *, MPI_Comm,
                           unsigned);
} stock;

#define FIND_STOCK(what) stock.what = (__typeof__(stock.what))sx_fftw_find_stock(NAME, "mpi_" #what)

/* A module may bring FFTW's MPI library later, so only that it was found is remembered. */
static int has_stock(void)
{
    if (stock.init)
        return 1;
    FIND_STOCK(plan_guru_dft);
    if (!stock.plan_guru_dft)
        return 0;
    FIND_STOCK(cleanup);
    FIND_STOCK(plan_guru_r2r);
    FIND_STOCK(plan_many_dft_r2c);
    FIND_STOCK(plan_many_dft_c2r);
    FIND_STOCK(plan_many_transpose);
    if (stock.cleanup && stock.plan_guru_r2r && stock.plan_many_dft_r2c && stock.plan_many_dft_c2r &&
        stock.plan_many_transpose)
        FIND_STOCK(init);
    return stock.init != NULL;
}

/* Create a plan of FFTW's MPI library. The functions of that library call each other by public names, and
 * these names now lead to our functions: for example, FFTW's plan_many_dft would call our plan_guru_dft.
 * Therefore this function uses only functions that call a single public function, fftw_mpi_init. Our
 * fftw_mpi_init passes the call on to FFTW's function. */
static void *plan_stock(const sx_fftw_request *q)
{
    const int d = q->ndims;
    const sx_fftw_dim *from = &q->dim[d > 1 && q->flags & SX_FFTW_TRANSPOSED_IN];
    const sx_fftw_dim *to = &q->dim[d > 1 && q->flags & SX_FFTW_TRANSPOSED_OUT];
    ptrdiff_t n[SX_FFTW_NDIMS_MAX];
    X(r2r_kind) kind[SX_FFTW_NDIMS_MAX];
    for (int i = 0; i < d; i++) {
        n[i] = q->dim[i].n;
        kind[i] = (X(r2r_kind))q->kind[i];
    }
    stock.init();
    switch (q->family) {
    case SX_FFTW_DFT:
        return stock.plan_guru_dft(d, q->dim, q->howmany, q->in, q->out, q->comm, q->sign, q->flags);
    case SX_FFTW_R2C:
        return stock.plan_many_dft_r2c(d, n, q->howmany, from->ib, to->ob, q->in, q->out, q->comm, q->flags);
    case SX_FFTW_C2R:
        return stock.plan_many_dft_c2r(d, n, q->howmany, from->ib, to->ob, q->in, q->out, q->comm, q->flags);
    case SX_FFTW_R2R:
        return stock.plan_guru_r2r(d, q->dim, q->howmany, q->in, q->out, q->comm, kind, q->flags);
    default:
        return stock.plan_many_transpose(n[0], n[1], q->howmany, q->dim[0].ib, q->dim[1].ob, q->in, q->out,
                                         q->comm, q->flags);
    }
}

/* ---- functions for the files of all precisions */

static void execute(void *plan, void *in, void *out)
{
    X(execute_r2r)(plan, in, out);
}

static void destroy(void *plan)
{
    X(destroy_plan)(plan);
}

static char *export_wisdom(void)
{
    return X(export_wisdom_to_string)();
}

static int import_wisdom(const char *text)
{
    return X(import_wisdom_from_string)(text);
}

static const sx_fftw_precision precision = {NUMBER,        sizeof(R),     NAME,      &state,      has_stock,
                                            plan_stock,    execute,       destroy,   set_threads, set_limit,
                                            export_wisdom, import_wisdom, X(version)};
