/* fftw.h - for the tests of libsubx_fftw3mpi: the functions of FFTW's MPI interface, whose own header may be
 * missing here. */
#ifndef TEST_FFTW_H
#define TEST_FFTW_H

#include "config.h"
#include <fftw3.h>
#include <mpi.h>
#include <stddef.h>

#define SCRAMBLED_IN (1U << 27)
#define SCRAMBLED_OUT (1U << 28)
#define TRANSPOSED_IN (1U << 29)
#define TRANSPOSED_OUT (1U << 30)

typedef ptrdiff_t length;

void fftw_mpi_init(void);
void fftw_mpi_cleanup(void);
length fftw_mpi_local_size_many(int d, const length *n, length howmany, length block, MPI_Comm comm,
                                length *n0, length *start0);
length fftw_mpi_local_size_many_transposed(int d, const length *n, length howmany, length block0,
                                           length block1, MPI_Comm comm, length *n0, length *start0,
                                           length *n1, length *start1);
length fftw_mpi_local_size_many_1d(length n, length howmany, MPI_Comm comm, int sign, unsigned flags,
                                   length *ni, length *starti, length *no, length *starto);
fftw_plan fftw_mpi_plan_many_transpose(length x, length y, length howmany, length block_in, length block_out,
                                       double *in, double *out, MPI_Comm comm, unsigned flags);
fftw_plan fftw_mpi_plan_many_dft(int d, const length *n, length howmany, length block_in, length block_out,
                                 fftw_complex *in, fftw_complex *out, MPI_Comm comm, int sign,
                                 unsigned flags);
fftw_plan fftw_mpi_plan_many_r2r(int d, const length *n, length howmany, length block_in, length block_out,
                                 double *in, double *out, MPI_Comm comm, const fftw_r2r_kind *kind,
                                 unsigned flags);
fftw_plan fftw_mpi_plan_many_dft_r2c(int d, const length *n, length howmany, length block_in,
                                     length block_out, double *in, fftw_complex *out, MPI_Comm comm,
                                     unsigned flags);
fftw_plan fftw_mpi_plan_many_dft_c2r(int d, const length *n, length howmany, length block_in,
                                     length block_out, fftw_complex *in, double *out, MPI_Comm comm,
                                     unsigned flags);
fftw_plan fftw_mpi_plan_dft_3d_f03(length x, length y, length z, fftw_complex *in, fftw_complex *out,
                                   MPI_Fint comm, int sign, unsigned flags);
void fftw_mpi_execute_dft(fftw_plan plan, fftw_complex *in, fftw_complex *out);
void fftw_mpi_gather_wisdom(MPI_Comm comm);
void fftw_mpi_broadcast_wisdom(MPI_Comm comm);

enum { DFT, R2C, C2R, R2R, FAMILIES };
enum { NDIMS = 4 };

#endif
