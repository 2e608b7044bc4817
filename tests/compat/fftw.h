/* fftw.h - for the tests of libsubx_fftw3mpi: the functions of FFTW's MPI interface, whose own header may be
 * missing here, and random transforms. */
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

/* A random transform. */
typedef struct trial {
    int family, d;
    length n[NDIMS], howmany, block[2]; /* block: lengths of blocks of input and output; 0: FFTW's default */
    int sign;
    fftw_r2r_kind kind[NDIMS];
    unsigned flags;
    int is_in_place;
} trial;

/* Draw transform `number`, of any family, with any shape, blocks and flags. */
trial test_fftw_draw(int number, int nranks);

/* Transform global arrays by the serial library, which may destroy `in`. Returns 0 if the serial library has
 * no such transform. */
int test_fftw_transform(const trial *t, double *in, double *out);

/* This rank's part of the input (side 0) or of the output (side 1). Axis `divided` is divided among the
 * ranks. */
typedef struct part {
    int d, divided;
    /* n: global lengths; stored: the lengths in this rank's memory */
    length n[NDIMS], stored[NDIMS], len, start;
    length width; /* number of reals per element */
} part;

/* Get the parts of both sides. Returns the least length of a local array, in complex numbers (for R2R in
 * reals). */
length test_fftw_get_parts(const trial *t, MPI_Comm comm, part parts[2]);

/* If `sets`, copy this rank's part of a global array to the local array. Otherwise return the largest
 * difference between the two. */
double test_fftw_move(const part *p, const double *global, double *local, int sets);

#endif
