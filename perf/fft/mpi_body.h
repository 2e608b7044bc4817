/* mpi_body.h - calls of FFTW's MPI transforms in one precision. mpi.c includes this file once per
 * precision. X(name) is a name of FFTW, OF(name) a name of ours. */

static void *OF(plan)(const struct sx_perf_fft_problem *p, int from, void *in, void *out, unsigned flags)
{
    const int kind = sx_perf_fft_problem_get_kind(p);
    fftw_r2r_kind kinds[SX_PERF_FFT_NDIMS_MAX];
    if (kind == SUBX_FFT_C2C)
        return X(plan_dft)(p->ndims, p->sizes, in, out, MPI_COMM_WORLD, sx_perf_fft_fftw_get_sign(from),
                           flags);
    if (kind == SUBX_FFT_R2C && from == SX_PERF_FFT_FORWARD)
        return X(plan_dft_r2c)(p->ndims, p->sizes, in, out, MPI_COMM_WORLD, flags);
    if (kind == SUBX_FFT_R2C)
        return X(plan_dft_c2r)(p->ndims, p->sizes, in, out, MPI_COMM_WORLD, flags);
    for (int a = 0; a < p->ndims; a++)
        kinds[a] = sx_perf_fft_fftw_get_kind(p->kinds[a], from);
    return X(plan_r2r)(p->ndims, p->sizes, in, out, MPI_COMM_WORLD, kinds, flags);
}

static const struct calls OF(calls) = {X(init), X(cleanup), X(local_size_transposed), OF(plan)};

#undef X
#undef OF
