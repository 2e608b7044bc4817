/* fftw_body.h - calls of FFTW's serial transforms in one precision. fftw.c includes this file once per
 * precision. X(name) is a name of FFTW, OF(name) a name of ours. */

static void *OF(plan)(const struct sx_perf_fft_request *r)
{
    const int is_complex = r->width[SUBX_FFT_PHYSICAL] == 2, is_real = r->width[SUBX_FFT_SPECTRAL] == 1;
    fftw_r2r_kind kinds[SX_PERF_FFT_NDIMS_MAX];
    if (is_complex)
        return X(plan_guru64_dft)(r->naxes, r->axes, r->nloops, r->loops, r->in, r->out,
                                  sx_perf_fft_fftw_get_sign(r->from), r->flags);
    for (int i = 0; i < r->naxes && is_real; i++)
        kinds[i] = sx_perf_fft_fftw_get_kind(r->kinds[i], r->from);
    if (is_real)
        return X(plan_guru64_r2r)(r->naxes, r->axes, r->nloops, r->loops, r->in, r->out, kinds, r->flags);
    if (r->from == SX_PERF_FFT_FORWARD)
        return X(plan_guru64_dft_r2c)(r->naxes, r->axes, r->nloops, r->loops, r->in, r->out, r->flags);
    return X(plan_guru64_dft_c2r)(r->naxes, r->axes, r->nloops, r->loops, r->in, r->out, r->flags);
}

static void OF(execute)(void *plan)
{
    X(execute)(plan);
}

static void OF(destroy)(void *plan)
{
    X(destroy_plan)(plan);
}

static const struct sx_perf_fft_fftw OF(calls) = {OF(plan), OF(execute), OF(destroy), X(forget_wisdom)};

#undef X
#undef OF
