/* serial_body.h - our versions of those functions of FFTW's serial library that programs also call with MPI
 * plans. Each function checks whether the plan is ours or FFTW's. A part of precision.h. */

/* ---- FFTW's own functions, whose names ours have */

static struct serial {
    void (*execute)(const X(plan));
    void (*execute_dft)(const X(plan), C *, C *);
    void (*execute_dft_r2c)(const X(plan), R *, C *);
    void (*execute_dft_c2r)(const X(plan), C *, R *);
    void (*execute_r2r)(const X(plan), R *, R *);
    void (*destroy_plan)(X(plan));
    X(plan) (*copy_plan)(X(plan));
    void (*print_plan)(const X(plan));
    void (*fprint_plan)(const X(plan), FILE *);
    char *(*sprint_plan)(const X(plan));
    void (*flops)(const X(plan), double *, double *, double *);
    double (*cost)(const X(plan));
    double (*estimate_cost)(const X(plan));
    void (*cleanup)(void);
    void (*plan_with_nthreads)(int);
    void (*set_timelimit)(double);
} found;

static const struct serial *serial;

#define FIND(what) found.what = (__typeof__(found.what))sx_fftw_find(NAME, #what)

/* Find FFTW's own functions. The first call of any function of ours does this, not a constructor: a program
 * may call a function of ours before this library's constructors run. */
static const struct serial *find_serial(void)
{
    FIND(execute);
    FIND(execute_dft);
    FIND(execute_dft_r2c);
    FIND(execute_dft_c2r);
    FIND(execute_r2r);
    FIND(destroy_plan);
    FIND(copy_plan);
    FIND(print_plan);
    FIND(fprint_plan);
    FIND(sprint_plan);
    FIND(flops);
    FIND(cost);
    FIND(estimate_cost);
    FIND(cleanup);
    FIND(set_timelimit);
    return serial = &found;
}

static inline const struct serial *get_serial(void)
{
    return serial ? serial : find_serial();
}

/* A module may bring the library of threads later, so this function looks for it until it is found. */
static void set_threads(int n)
{
    if (!found.plan_with_nthreads)
        found.plan_with_nthreads =
            (__typeof__(found.plan_with_nthreads))sx_fftw_find_threads(NAME, "plan_with_nthreads");
    if (found.plan_with_nthreads)
        found.plan_with_nthreads(n);
}

static void set_limit(double seconds)
{
    get_serial()->set_timelimit(seconds);
}

/* Get FFTW's plan. If the argument is one of our handles, return the plan of FFTW in the handle; NULL if the
 * handle has a plan of libsubx_fft instead. Else the argument itself is FFTW's plan. */
static X(plan) get_theirs(const X(plan) p)
{
    return sx_fftw_is_ours(p) ? (X(plan))((const sx_fftw_plan *)p)->stock : p;
}

/* ---- our functions */

SUBX_EXPORT void X(execute)(const X(plan) p)
{
    if (sx_fftw_is_ours(p))
        sx_fftw_execute_own(p);
    else
        get_serial()->execute(p);
}

SUBX_EXPORT void X(execute_dft)(const X(plan) p, C *in, C *out)
{
    if (sx_fftw_is_ours(p))
        sx_fftw_execute(p, in, out);
    else
        get_serial()->execute_dft(p, in, out);
}

SUBX_EXPORT void X(execute_dft_r2c)(const X(plan) p, R *in, C *out)
{
    if (sx_fftw_is_ours(p))
        sx_fftw_execute(p, in, out);
    else
        get_serial()->execute_dft_r2c(p, in, out);
}

SUBX_EXPORT void X(execute_dft_c2r)(const X(plan) p, C *in, R *out)
{
    if (sx_fftw_is_ours(p))
        sx_fftw_execute(p, in, out);
    else
        get_serial()->execute_dft_c2r(p, in, out);
}

SUBX_EXPORT void X(execute_r2r)(const X(plan) p, R *in, R *out)
{
    if (sx_fftw_is_ours(p))
        sx_fftw_execute(p, in, out);
    else
        get_serial()->execute_r2r(p, in, out);
}

SUBX_EXPORT void X(destroy_plan)(X(plan) p)
{
    if (sx_fftw_is_ours(p))
        sx_fftw_free(p);
    else
        get_serial()->destroy_plan(p);
}

/* FFTW has this function since 3.3.11. */
SUBX_EXPORT X(plan) X(copy_plan)(X(plan) p);
X(plan) X(copy_plan)(X(plan) p)
{
    if (sx_fftw_is_ours(p))
        return sx_fftw_copy(p);
    return get_serial()->copy_plan ? get_serial()->copy_plan(p) : NULL;
}

/* As in FFTW, the caller owns the text and frees it. */
SUBX_EXPORT char *X(sprint_plan)(const X(plan) p)
{
    char text[2 * SX_HINT_LEN];
    sx_text t = {text, sizeof text, 0};
    if (get_theirs(p))
        return get_serial()->sprint_plan(get_theirs(p));
    sx_fftw_print(p, &t);
    return strdup(text);
}

SUBX_EXPORT void X(fprint_plan)(const X(plan) p, FILE *file)
{
    char text[2 * SX_HINT_LEN];
    sx_text t = {text, sizeof text, 0};
    if (get_theirs(p)) {
        get_serial()->fprint_plan(get_theirs(p), file);
        return;
    }
    sx_fftw_print(p, &t);
    fputs(text, file);
}

SUBX_EXPORT void X(print_plan)(const X(plan) p)
{
    if (sx_fftw_is_ours(p))
        X(fprint_plan)(p, stdout);
    else
        get_serial()->print_plan(p);
}

SUBX_EXPORT void X(flops)(const X(plan) p, double *add, double *mul, double *fma)
{
    if (get_theirs(p)) {
        get_serial()->flops(get_theirs(p), add, mul, fma);
        return;
    }
    *add = ((const sx_fftw_plan *)p)->flops;
    *mul = *fma = 0;
}

SUBX_EXPORT double X(cost)(const X(plan) p)
{
    return get_theirs(p) ? get_serial()->cost(get_theirs(p)) : ((const sx_fftw_plan *)p)->flops;
}

SUBX_EXPORT double X(estimate_cost)(const X(plan) p)
{
    return get_theirs(p) ? get_serial()->estimate_cost(get_theirs(p)) : ((const sx_fftw_plan *)p)->flops;
}

/* Our plans use plans of the serial library. While plans of ours exist or are kept, that library is therefore
 * not cleaned up, and only its wisdom is forgotten. After a cleanup there is no time limit. */
SUBX_EXPORT void X(cleanup)(void)
{
    ptrdiff_t kept = 0;
    X(set_timelimit)(FFTW_NO_TIMELIMIT);
    if (state.nplans > 0 || (!subx_fft_query_kept(&kept) && kept > 0))
        X(forget_wisdom)();
    else
        get_serial()->cleanup();
}

SUBX_EXPORT void X(plan_with_nthreads)(int n)
{
    state.threads = n;
    set_threads(n);
}

SUBX_EXPORT void X(set_timelimit)(double seconds)
{
    state.limit = seconds;
    set_limit(seconds);
}

/* ---- the same functions for Fortran 77: a plan is an integer that holds the pointer */

#define F77_BOTH(type, name, params, args)                                                                   \
    SUBX_EXPORT type F77(name##_) params;                                                                    \
    SUBX_EXPORT type F77(name##__) params;                                                                   \
    type F77(name##_) params                                                                                 \
    {                                                                                                        \
        X(name) args;                                                                                        \
    }                                                                                                        \
    type F77(name##__) params                                                                                \
    {                                                                                                        \
        X(name) args;                                                                                        \
    }

F77_BOTH(void, execute, (X(plan) *const p), (*p))
F77_BOTH(void, execute_dft, (X(plan) *const p, C *in, C *out), (*p, in, out))
F77_BOTH(void, execute_dft_r2c, (X(plan) *const p, R *in, C *out), (*p, in, out))
F77_BOTH(void, execute_dft_c2r, (X(plan) *const p, C *in, R *out), (*p, in, out))
F77_BOTH(void, execute_r2r, (X(plan) *const p, R *in, R *out), (*p, in, out))
F77_BOTH(void, destroy_plan, (X(plan) * p), (*p))
F77_BOTH(void, print_plan, (X(plan) *const p), (*p))
F77_BOTH(void, flops, (X(plan) *const p, double *add, double *mul, double *fma), (*p, add, mul, fma))
F77_BOTH(void, cleanup, (void), ())
F77_BOTH(void, plan_with_nthreads, (const int *n), (*n))
F77_BOTH(void, set_timelimit, (const double *seconds), (*seconds))
