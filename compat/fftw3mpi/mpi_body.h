/* mpi_body.h - the functions of FFTW's MPI library in one precision. Comments have the names for double
 * precision. A part of precision.h. */

/* ---- start and end */

/* fftw_mpi_init. FFTW's own library is initialised at once, although it may never be asked for a plan:
 * otherwise FFTW would refuse wisdom that the program imports, because wisdom of plans for MPI needs an
 * initialised library. */
SUBX_EXPORT void XM(init)(void);
void XM(init)(void)
{
    sx_fftw_start_report();
    if (has_stock()) {
        state.has_stock_begun = 1;
        stock.init();
    }
}

/* fftw_mpi_cleanup. Like FFTW's own function, this function also cleans up the serial library. A program may
 * call it after MPI_Finalize, when plans can no longer be freed. */
SUBX_EXPORT void XM(cleanup)(void);
void XM(cleanup)(void)
{
    int is_over = 0;
    sx_fftw_write_report();
    sx_fftw_late_forget(&precision);
    if (!MPI_Finalized(&is_over) && !is_over)
        (void)subx_fft_free_kept(MPI_COMM_WORLD);
    if (state.has_stock_begun)
        stock.cleanup();
    else
        X(cleanup)();
    state.has_stock_begun = 0;
}

/* ---- functions of communicators
 *
 * Each of these functions has a second form for Fortran, with the suffix _f03 and Fortran's communicator.
 * BOTH defines both forms: `before` and `after` are the parameters before and after the communicator,
 * call_before and call_after the arguments. L turns a list with commas into one argument of a macro. */

#define L(...) __VA_ARGS__
#define BOTH(type, name, before, after, call_before, call_after)                                             \
    SUBX_EXPORT type XM(name)(before MPI_Comm comm after);                                                   \
    SUBX_EXPORT type XM(name##_f03)(before MPI_Fint comm after);                                             \
    type XM(name##_f03)(before MPI_Fint comm after)                                                          \
    {                                                                                                        \
        return XM(name)(call_before MPI_Comm_f2c(comm) call_after);                                          \
    }                                                                                                        \
    type XM(name)(before MPI_Comm comm after)
/* clang-format off */
/* local sizes */

/* fftw_mpi_local_size_many_transposed */
BOTH(ptrdiff_t, local_size_many_transposed,
     L(int d, const ptrdiff_t *n, ptrdiff_t howmany, ptrdiff_t block0, ptrdiff_t block1,),
     L(, ptrdiff_t *n0, ptrdiff_t *start0, ptrdiff_t *n1, ptrdiff_t *start1),
     L(d, n, howmany, block0, block1,), L(, n0, start0, n1, start1))
{
    return sx_fftw_get_local_many(d, n, howmany, block0, block1, comm, n0, start0, n1, start1);
}

/* fftw_mpi_local_size_many */
BOTH(ptrdiff_t, local_size_many,
     L(int d, const ptrdiff_t *n, ptrdiff_t howmany, ptrdiff_t block0,),
     L(, ptrdiff_t *n0, ptrdiff_t *start0),
     L(d, n, howmany, block0,), L(, n0, start0))
{
    ptrdiff_t n1, start1;
    return sx_fftw_get_local_many(d, n, howmany, block0, SX_FFTW_NATURAL, comm, n0, start0, &n1, &start1);
}

/* fftw_mpi_local_size_transposed */
BOTH(ptrdiff_t, local_size_transposed,
     L(int d, const ptrdiff_t *n,),
     L(, ptrdiff_t *n0, ptrdiff_t *start0, ptrdiff_t *n1, ptrdiff_t *start1),
     L(d, n,), L(, n0, start0, n1, start1))
{
    return XM(local_size_many_transposed)(d, n, 1, DEFAULT_BLOCK, DEFAULT_BLOCK, comm, n0, start0, n1,
                                          start1);
}

/* fftw_mpi_local_size */
BOTH(ptrdiff_t, local_size, L(int d, const ptrdiff_t *n,), L(, ptrdiff_t *n0, ptrdiff_t *start0),
     L(d, n,), L(, n0, start0))
{
    return XM(local_size_many)(d, n, 1, DEFAULT_BLOCK, comm, n0, start0);
}

/* fftw_mpi_local_size_many_1d */
BOTH(ptrdiff_t, local_size_many_1d,
     L(ptrdiff_t n, ptrdiff_t howmany,),
     L(, int sign, unsigned flags, ptrdiff_t *ni, ptrdiff_t *starti, ptrdiff_t *no, ptrdiff_t *starto),
     L(n, howmany,), L(, sign, flags, ni, starti, no, starto))
{
    const sx_fftw_dim dim = {n, DEFAULT_BLOCK, DEFAULT_BLOCK};
    return sx_fftw_get_local(1, &dim, howmany, comm, ni, starti, no, starto, sign, flags);
}

/* fftw_mpi_local_size_1d */
BOTH(ptrdiff_t, local_size_1d,
     L(ptrdiff_t n,),
     L(, int sign, unsigned flags, ptrdiff_t *ni, ptrdiff_t *starti, ptrdiff_t *no, ptrdiff_t *starto),
     L(n,), L(, sign, flags, ni, starti, no, starto))
{
    return XM(local_size_many_1d)(n, 1, comm, sign, flags, ni, starti, no, starto);
}

/* fftw_mpi_local_size_2d_transposed */
BOTH(ptrdiff_t, local_size_2d_transposed,
     L(ptrdiff_t x, ptrdiff_t y,),
     L(, ptrdiff_t *n0, ptrdiff_t *start0, ptrdiff_t *n1, ptrdiff_t *start1),
     L(x, y,), L(, n0, start0, n1, start1))
{
    const ptrdiff_t n[] = {x, y};
    return XM(local_size_transposed)(2, n, comm, n0, start0, n1, start1);
}

/* fftw_mpi_local_size_2d */
BOTH(ptrdiff_t, local_size_2d, L(ptrdiff_t x, ptrdiff_t y,), L(, ptrdiff_t *n0, ptrdiff_t *start0),
     L(x, y,), L(, n0, start0))
{
    const ptrdiff_t n[] = {x, y};
    return XM(local_size)(2, n, comm, n0, start0);
}

/* fftw_mpi_local_size_3d_transposed */
BOTH(ptrdiff_t, local_size_3d_transposed,
     L(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z,),
     L(, ptrdiff_t *n0, ptrdiff_t *start0, ptrdiff_t *n1, ptrdiff_t *start1),
     L(x, y, z,), L(, n0, start0, n1, start1))
{
    const ptrdiff_t n[] = {x, y, z};
    return XM(local_size_transposed)(3, n, comm, n0, start0, n1, start1);
}

/* fftw_mpi_local_size_3d */
BOTH(ptrdiff_t, local_size_3d,
     L(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z,),
     L(, ptrdiff_t *n0, ptrdiff_t *start0),
     L(x, y, z,), L(, n0, start0))
{
    const ptrdiff_t n[] = {x, y, z};
    return XM(local_size)(3, n, comm, n0, start0);
}

/* planners */

static sx_fftw_request ask(int family, ptrdiff_t howmany, void *in, void *out, MPI_Comm comm, int sign,
                           unsigned flags)
{
    return (sx_fftw_request){.precision = &precision, .family = family, .howmany = howmany, .in = in,
                             .out = out, .comm = comm, .sign = sign, .flags = flags};
}

/* fftw_mpi_plan_many_transpose */
BOTH(X(plan), plan_many_transpose,
     L(ptrdiff_t x, ptrdiff_t y, ptrdiff_t howmany, ptrdiff_t block_in, ptrdiff_t block_out, R *in, R *out,),
     L(, unsigned flags),
     L(x, y, howmany, block_in, block_out, in, out,), L(, flags))
{
    const sx_fftw_dim dim[] = {{x, block_in, x}, {y, y, block_out}};
    sx_fftw_request q = ask(SX_FFTW_TRANSPOSE, howmany, in, out, comm, 0, flags);
    return sx_fftw_plan_guru(&q, 2, dim, NULL);
}

/* fftw_mpi_plan_transpose */
BOTH(X(plan), plan_transpose, L(ptrdiff_t x, ptrdiff_t y, R *in, R *out,), L(, unsigned flags),
     L(x, y, in, out,), L(, flags))
{
    return XM(plan_many_transpose)(x, y, 1, DEFAULT_BLOCK, DEFAULT_BLOCK, in, out, comm, flags);
}

/* fftw_mpi_plan_many_dft */
BOTH(X(plan), plan_many_dft,
     L(int d, const ptrdiff_t *n, ptrdiff_t howmany, ptrdiff_t block_in, ptrdiff_t block_out, C *in, C *out,),
     L(, int sign, unsigned flags),
     L(d, n, howmany, block_in, block_out, in, out,), L(, sign, flags))
{
    sx_fftw_request q = ask(SX_FFTW_DFT, howmany, in, out, comm, sign, flags);
    return sx_fftw_plan_many(&q, d, n, block_in, block_out, NULL);
}

/* fftw_mpi_plan_dft */
BOTH(X(plan), plan_dft, L(int d, const ptrdiff_t *n, C *in, C *out,), L(, int sign, unsigned flags),
     L(d, n, in, out,), L(, sign, flags))
{
    return XM(plan_many_dft)(d, n, 1, DEFAULT_BLOCK, DEFAULT_BLOCK, in, out, comm, sign, flags);
}

/* fftw_mpi_plan_dft_1d */
BOTH(X(plan), plan_dft_1d, L(ptrdiff_t x, C *in, C *out,), L(, int sign, unsigned flags),
     L(x, in, out,), L(, sign, flags))
{
    const ptrdiff_t n[] = {x};
    return XM(plan_dft)(1, n, in, out, comm, sign, flags);
}

/* fftw_mpi_plan_dft_2d */
BOTH(X(plan), plan_dft_2d, L(ptrdiff_t x, ptrdiff_t y, C *in, C *out,), L(, int sign, unsigned flags),
     L(x, y, in, out,), L(, sign, flags))
{
    const ptrdiff_t n[] = {x, y};
    return XM(plan_dft)(2, n, in, out, comm, sign, flags);
}

/* fftw_mpi_plan_dft_3d */
BOTH(X(plan), plan_dft_3d,
     L(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z, C *in, C *out,),
     L(, int sign, unsigned flags),
     L(x, y, z, in, out,), L(, sign, flags))
{
    const ptrdiff_t n[] = {x, y, z};
    return XM(plan_dft)(3, n, in, out, comm, sign, flags);
}

/* fftw_mpi_plan_many_r2r */
BOTH(X(plan), plan_many_r2r,
     L(int d, const ptrdiff_t *n, ptrdiff_t howmany, ptrdiff_t block_in, ptrdiff_t block_out, R *in, R *out,),
     L(, const X(r2r_kind) *kind, unsigned flags),
     L(d, n, howmany, block_in, block_out, in, out,), L(, kind, flags))
{
    int kinds[SX_FFTW_NDIMS_MAX] = {0};
    for (int i = 0; i < d && i < SX_FFTW_NDIMS_MAX; i++)
        kinds[i] = (int)kind[i];
    sx_fftw_request q = ask(SX_FFTW_R2R, howmany, in, out, comm, 0, flags);
    return sx_fftw_plan_many(&q, d, n, block_in, block_out, kinds);
}

/* fftw_mpi_plan_r2r */
BOTH(X(plan), plan_r2r,
     L(int d, const ptrdiff_t *n, R *in, R *out,),
     L(, const X(r2r_kind) *kind, unsigned flags),
     L(d, n, in, out,), L(, kind, flags))
{
    return XM(plan_many_r2r)(d, n, 1, DEFAULT_BLOCK, DEFAULT_BLOCK, in, out, comm, kind, flags);
}

/* fftw_mpi_plan_r2r_2d */
BOTH(X(plan), plan_r2r_2d,
     L(ptrdiff_t x, ptrdiff_t y, R *in, R *out,),
     L(, X(r2r_kind) kindx, X(r2r_kind) kindy, unsigned flags),
     L(x, y, in, out,), L(, kindx, kindy, flags))
{
    const ptrdiff_t n[] = {x, y};
    const X(r2r_kind) kind[] = {kindx, kindy};
    return XM(plan_r2r)(2, n, in, out, comm, kind, flags);
}

/* fftw_mpi_plan_r2r_3d */
BOTH(X(plan), plan_r2r_3d,
     L(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z, R *in, R *out,),
     L(, X(r2r_kind) kindx, X(r2r_kind) kindy, X(r2r_kind) kindz, unsigned flags),
     L(x, y, z, in, out,), L(, kindx, kindy, kindz, flags))
{
    const ptrdiff_t n[] = {x, y, z};
    const X(r2r_kind) kind[] = {kindx, kindy, kindz};
    return XM(plan_r2r)(3, n, in, out, comm, kind, flags);
}

/* fftw_mpi_plan_many_dft_r2c */
BOTH(X(plan), plan_many_dft_r2c,
     L(int d, const ptrdiff_t *n, ptrdiff_t howmany, ptrdiff_t block_in, ptrdiff_t block_out, R *in, C *out,),
     L(, unsigned flags),
     L(d, n, howmany, block_in, block_out, in, out,), L(, flags))
{
    sx_fftw_request q = ask(SX_FFTW_R2C, howmany, in, out, comm, 0, flags);
    return sx_fftw_plan_many(&q, d, n, block_in, block_out, NULL);
}

/* fftw_mpi_plan_dft_r2c */
BOTH(X(plan), plan_dft_r2c, L(int d, const ptrdiff_t *n, R *in, C *out,), L(, unsigned flags),
     L(d, n, in, out,), L(, flags))
{
    return XM(plan_many_dft_r2c)(d, n, 1, DEFAULT_BLOCK, DEFAULT_BLOCK, in, out, comm, flags);
}

/* fftw_mpi_plan_dft_r2c_2d */
BOTH(X(plan), plan_dft_r2c_2d, L(ptrdiff_t x, ptrdiff_t y, R *in, C *out,), L(, unsigned flags),
     L(x, y, in, out,), L(, flags))
{
    const ptrdiff_t n[] = {x, y};
    return XM(plan_dft_r2c)(2, n, in, out, comm, flags);
}

/* fftw_mpi_plan_dft_r2c_3d */
BOTH(X(plan), plan_dft_r2c_3d, L(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z, R *in, C *out,), L(, unsigned flags),
     L(x, y, z, in, out,), L(, flags))
{
    const ptrdiff_t n[] = {x, y, z};
    return XM(plan_dft_r2c)(3, n, in, out, comm, flags);
}

/* fftw_mpi_plan_many_dft_c2r */
BOTH(X(plan), plan_many_dft_c2r,
     L(int d, const ptrdiff_t *n, ptrdiff_t howmany, ptrdiff_t block_in, ptrdiff_t block_out, C *in, R *out,),
     L(, unsigned flags),
     L(d, n, howmany, block_in, block_out, in, out,), L(, flags))
{
    sx_fftw_request q = ask(SX_FFTW_C2R, howmany, in, out, comm, 0, flags);
    return sx_fftw_plan_many(&q, d, n, block_in, block_out, NULL);
}

/* fftw_mpi_plan_dft_c2r */
BOTH(X(plan), plan_dft_c2r, L(int d, const ptrdiff_t *n, C *in, R *out,), L(, unsigned flags),
     L(d, n, in, out,), L(, flags))
{
    return XM(plan_many_dft_c2r)(d, n, 1, DEFAULT_BLOCK, DEFAULT_BLOCK, in, out, comm, flags);
}

/* fftw_mpi_plan_dft_c2r_2d */
BOTH(X(plan), plan_dft_c2r_2d, L(ptrdiff_t x, ptrdiff_t y, C *in, R *out,), L(, unsigned flags),
     L(x, y, in, out,), L(, flags))
{
    const ptrdiff_t n[] = {x, y};
    return XM(plan_dft_c2r)(2, n, in, out, comm, flags);
}

/* fftw_mpi_plan_dft_c2r_3d */
BOTH(X(plan), plan_dft_c2r_3d, L(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z, C *in, R *out,), L(, unsigned flags),
     L(x, y, z, in, out,), L(, flags))
{
    const ptrdiff_t n[] = {x, y, z};
    return XM(plan_dft_c2r)(3, n, in, out, comm, flags);
}

/* clang-format on */

/* ---- general blocks, which FFTW's manual does not mention */

SUBX_EXPORT ptrdiff_t XM(local_size_guru)(int d, const sx_fftw_dim *dim, ptrdiff_t howmany, MPI_Comm comm,
                                          ptrdiff_t *ni, ptrdiff_t *starti, ptrdiff_t *no, ptrdiff_t *starto,
                                          int sign, unsigned flags);
SUBX_EXPORT X(plan) XM(plan_guru_dft)(int d, const sx_fftw_dim *dim, ptrdiff_t howmany, C *in, C *out,
                                      MPI_Comm comm, int sign, unsigned flags);
SUBX_EXPORT X(plan) XM(plan_guru_r2r)(int d, const sx_fftw_dim *dim, ptrdiff_t howmany, R *in, R *out,
                                      MPI_Comm comm, const X(r2r_kind) * kind, unsigned flags);

/* fftw_mpi_local_size_guru */
ptrdiff_t XM(local_size_guru)(int d, const sx_fftw_dim *dim, ptrdiff_t howmany, MPI_Comm comm, ptrdiff_t *ni,
                              ptrdiff_t *starti, ptrdiff_t *no, ptrdiff_t *starto, int sign, unsigned flags)
{
    return sx_fftw_get_local(d, dim, howmany, comm, ni, starti, no, starto, sign, flags);
}

/* fftw_mpi_plan_guru_dft */
X(plan)
XM(plan_guru_dft)
(int d, const sx_fftw_dim *dim, ptrdiff_t howmany, C *in, C *out, MPI_Comm comm, int sign, unsigned flags)
{
    sx_fftw_request q = ask(SX_FFTW_DFT, howmany, in, out, comm, sign, flags);
    return sx_fftw_plan_guru(&q, d, dim, NULL);
}

/* fftw_mpi_plan_guru_r2r */
X(plan)
XM(plan_guru_r2r)
(int d, const sx_fftw_dim *dim, ptrdiff_t howmany, R *in, R *out, MPI_Comm comm, const X(r2r_kind) * kind,
 unsigned flags)
{
    int kinds[SX_FFTW_NDIMS_MAX] = {0};
    for (int i = 0; i < d && i < SX_FFTW_NDIMS_MAX; i++)
        kinds[i] = (int)kind[i];
    sx_fftw_request q = ask(SX_FFTW_R2R, howmany, in, out, comm, 0, flags);
    return sx_fftw_plan_guru(&q, d, dim, kinds);
}

/* ---- execution on other arrays */

SUBX_EXPORT void XM(execute_dft)(const X(plan) p, C *in, C *out);
SUBX_EXPORT void XM(execute_dft_r2c)(const X(plan) p, R *in, C *out);
SUBX_EXPORT void XM(execute_dft_c2r)(const X(plan) p, C *in, R *out);
SUBX_EXPORT void XM(execute_r2r)(const X(plan) p, R *in, R *out);

/* fftw_mpi_execute_dft */
void XM(execute_dft)(const X(plan) p, C *in, C *out)
{
    X(execute_r2r)(p, (R *)in, (R *)out);
}

/* fftw_mpi_execute_dft_r2c */
void XM(execute_dft_r2c)(const X(plan) p, R *in, C *out)
{
    X(execute_r2r)(p, in, (R *)out);
}

/* fftw_mpi_execute_dft_c2r */
void XM(execute_dft_c2r)(const X(plan) p, C *in, R *out)
{
    X(execute_r2r)(p, (R *)in, out);
}

/* fftw_mpi_execute_r2r */
void XM(execute_r2r)(const X(plan) p, R *in, R *out)
{
    X(execute_r2r)(p, in, out);
}

/* ---- wisdom */

SUBX_EXPORT void XM(gather_wisdom)(MPI_Comm comm);
SUBX_EXPORT void XM(gather_wisdom_f03)(MPI_Fint comm);
SUBX_EXPORT void XM(broadcast_wisdom)(MPI_Comm comm);
SUBX_EXPORT void XM(broadcast_wisdom_f03)(MPI_Fint comm);

/* fftw_mpi_gather_wisdom */
void XM(gather_wisdom)(MPI_Comm comm)
{
    sx_fftw_late_plan(&precision, sx_fftw_is_world(comm));
    sx_fftw_gather_wisdom(&precision, comm);
}

/* fftw_mpi_gather_wisdom_f03 */
void XM(gather_wisdom_f03)(MPI_Fint comm)
{
    XM(gather_wisdom)(MPI_Comm_f2c(comm));
}

/* fftw_mpi_broadcast_wisdom */
void XM(broadcast_wisdom)(MPI_Comm comm)
{
    sx_fftw_late_plan(&precision, sx_fftw_is_world(comm));
    sx_fftw_broadcast_wisdom(&precision, comm);
}

/* fftw_mpi_broadcast_wisdom_f03 */
void XM(broadcast_wisdom_f03)(MPI_Fint comm)
{
    XM(broadcast_wisdom)(MPI_Comm_f2c(comm));
}
