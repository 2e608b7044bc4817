/* fftw3_body.h - calls of FFTW in one precision. fftw3.c includes this file once per precision. X(name) is a
 * name of FFTW, OF(name) a name of ours. */

static void *OF(plan)(const sx_serial_problem *p, const X(iodim64) axis[], const X(iodim64) loop[], void *in,
                      void *out, unsigned flags)
{
    switch (p->kind) {
    case SUBX_FFT_C2C:
        /* The values of our directions are FFTW's signs of the exponent. */
        return X(plan_guru64_dft)(p->naxes, axis, p->nloops, loop, in, out, p->direction, flags);
    case SUBX_FFT_R2C:
        return X(plan_guru64_dft_r2c)(p->naxes, axis, p->nloops, loop, in, out, flags);
    case SUBX_FFT_C2R:
        return X(plan_guru64_dft_c2r)(p->naxes, axis, p->nloops, loop, in, out, flags);
    default:
        return X(plan_guru64_r2r)(p->naxes, axis, p->nloops, loop, in, out, &r2r[p->kind], flags);
    }
}

static void OF(execute)(int kind, void *plan, void *in, void *out)
{
    switch (kind) {
    case SUBX_FFT_C2C:
        X(execute_dft)(plan, in, out);
        break;
    case SUBX_FFT_R2C:
        X(execute_dft_r2c)(plan, in, out);
        break;
    case SUBX_FFT_C2R:
        X(execute_dft_c2r)(plan, in, out);
        break;
    default:
        X(execute_r2r)(plan, in, out);
    }
}

static int OF(get_alignment)(void *array)
{
    return X(alignment_of)(array);
}

static void OF(destroy)(void *plan)
{
    X(destroy_plan)(plan);
}

static void OF(export_wisdom)(void (*write)(char c, void *context), void *context)
{
    X(export_wisdom)(write, context);
}

static int OF(import_wisdom)(const char *line)
{
    return X(import_wisdom_from_string)(line);
}

static void OF(set_limit)(double seconds)
{
    X(set_timelimit)(seconds);
}

static const calls OF(calls) = {OF(plan),          OF(execute),       OF(get_alignment), OF(destroy),
                                OF(export_wisdom), OF(import_wisdom), OF(set_limit),     X(version)};

#undef X
#undef OF
