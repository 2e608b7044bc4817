/* fftw_precision_body.h - a transform forward and backward in one precision. A file that includes this one
 * first defines REAL, CALL(name) and BODY(name). */

ptrdiff_t CALL(mpi_local_size_3d)(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z, MPI_Comm comm, ptrdiff_t *n,
                                  ptrdiff_t *start);
CALL(plan)
CALL(mpi_plan_dft_r2c_3d)
(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z, REAL *in, CALL(complex) * out, MPI_Comm comm, unsigned flags);
CALL(plan)
CALL(mpi_plan_dft_c2r_3d)
(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z, CALL(complex) * in, REAL *out, MPI_Comm comm, unsigned flags);
void CALL(mpi_init)(void);
void CALL(mpi_cleanup)(void);

/* The field is a cosine along the first axis, so exactly two modes are not zero: (1, 0, 0) and (x - 1, 0,
 * 0). */
static void BODY(test)(double tolerance)
{
    const ptrdiff_t x = 6, y = 5, z = 8;
    ptrdiff_t n, start;
    const ptrdiff_t room = CALL(mpi_local_size_3d)(x, y, z / 2 + 1, MPI_COMM_WORLD, &n, &start);
    REAL *a = CALL(alloc_real)((size_t)(2 * room));
    CALL(complex) *c = (CALL(complex) *)a;
    CALL(mpi_init)();
    CALL(plan) there = CALL(mpi_plan_dft_r2c_3d)(x, y, z, a, c, MPI_COMM_WORLD, FFTW_ESTIMATE);
    CALL(plan) back = CALL(mpi_plan_dft_c2r_3d)(x, y, z, c, a, MPI_COMM_WORLD, FFTW_ESTIMATE);
    const ptrdiff_t row = 2 * (z / 2 + 1);
    double wrong = 0;
    for (ptrdiff_t i = 0; i < n * y * row; i++)
        a[i] = (REAL)cos(2 * acos(-1.0) * (double)(start + i / (y * row)) / (double)x);
    if (EXPECT(there && back)) {
        CALL(execute)(there);
        for (ptrdiff_t i = 0; i < n * y * (row / 2); i++) {
            const ptrdiff_t k = start + i / (y * (row / 2)),
                            is_wave = i % (y * (row / 2)) == 0 && (k == 1 || k == x - 1);
            wrong = (double)test_get_worse(wrong,
                                           fabs((double)c[i][0] - (is_wave ? 0.5 * (double)(x * y * z) : 0)));
        }
        CALL(execute)(back);
    }
    EXPECT(wrong < 240 * tolerance);
    for (ptrdiff_t i = 0; i < n * y * row; i++)
        if (i % row < z)
            wrong = (double)test_get_worse(
                wrong,
                fabs((double)a[i] - 240 * cos(2 * acos(-1.0) * (double)(start + i / (y * row)) / (double)x)));
    EXPECT(wrong < 240 * tolerance);
    CALL(destroy_plan)(there);
    CALL(destroy_plan)(back);
    CALL(mpi_cleanup)();
    CALL(free)(a);
}
