/* accfft_plan.cc - plans of AccFFT for accfft.c. */
#include <accfft.h>
#include <accfftf.h>

#include "fft/accfft.h"

struct sx_perf_accfft_plan {
    void *array[2];
    MPI_Comm comm;
    virtual ~sx_perf_accfft_plan() {}
    virtual void execute(int is_backward) = 0;
};

namespace {

/* AccFFT's functions in one precision. */
struct in_double {
    typedef double real;
    typedef Complex complex;
    typedef accfft_plan plan;
    static constexpr auto get_c2c = accfft_local_size_dft_c2c;
    static constexpr auto get_r2c = accfft_local_size_dft_r2c;
    static constexpr auto plan_c2c = accfft_plan_dft_3d_c2c;
    static constexpr plan *(*plan_r2c)(int *, real *, real *, MPI_Comm, unsigned) = accfft_plan_dft_3d_r2c;
    static void c2c(plan *p, int sign, complex *in, complex *out)
    {
        accfft_execute_c2c(p, sign, in, out);
    }
    static void r2c(plan *p, real *in, complex *out)
    {
        accfft_execute_r2c(p, in, out);
    }
    static void c2r(plan *p, complex *in, real *out)
    {
        accfft_execute_c2r(p, in, out);
    }
};

struct in_float {
    typedef float real;
    typedef Complexf complex;
    typedef accfft_planf plan;
    static constexpr auto get_c2c = accfft_local_size_dft_c2cf;
    static constexpr auto get_r2c = accfft_local_size_dft_r2cf;
    static constexpr auto plan_c2c = accfft_plan_dft_3d_c2cf;
    static constexpr auto plan_r2c = accfft_plan_dft_3d_r2cf;
    static void c2c(plan *p, int sign, complex *in, complex *out)
    {
        accfft_execute_c2cf(p, sign, in, out);
    }
    static void r2c(plan *p, real *in, complex *out)
    {
        accfft_execute_r2cf(p, in, out);
    }
    static void c2r(plan *p, complex *in, real *out)
    {
        accfft_execute_c2rf(p, in, out);
    }
};

MPI_Comm create_comm(const sx_perf_accfft_problem *p, MPI_Comm comm)
{
    int grid[2] = {p->grid[0], p->grid[1]};
    MPI_Comm made;
    accfft_create_comm(comm, grid, &made);
    return made;
}

template <typename calls> int get_local(sx_perf_accfft_problem *p, MPI_Comm comm)
{
    return (p->is_real ? calls::get_r2c : calls::get_c2c)(p->sizes, p->in_len, p->in_start, p->out_len, p->out_start,
                                                          comm);
}

template <typename calls> struct plan_of : sx_perf_accfft_plan {
    typedef typename calls::real real;
    typedef typename calls::complex complex;
    typename calls::plan *plan;
    bool is_real;

    plan_of(sx_perf_accfft_problem *p, unsigned effort, void *const made[2], MPI_Comm grid) : is_real(p->is_real)
    {
        array[0] = made[0];
        array[1] = made[1];
        comm = grid;
        if (is_real)
            plan = calls::plan_r2c(p->sizes, static_cast<real *>(array[0]), static_cast<real *>(array[1]), comm, effort);
        else
            plan = calls::plan_c2c(p->sizes, static_cast<complex *>(array[0]), static_cast<complex *>(array[1]), comm,
                                   effort);
    }

    ~plan_of() override
    {
        accfft_destroy_plan(plan);
        MPI_Comm_free(&comm);
    }

    void execute(int is_backward) override
    {
        void *in = array[is_backward], *out = array[!is_backward];
        if (!is_real)
            calls::c2c(plan, is_backward ? ACCFFT_BACKWARD : ACCFFT_FORWARD, static_cast<complex *>(in),
                       static_cast<complex *>(out));
        else if (is_backward)
            calls::c2r(plan, static_cast<complex *>(in), static_cast<real *>(out));
        else
            calls::r2c(plan, static_cast<real *>(in), static_cast<complex *>(out));
    }
};

} // namespace

extern "C" void sx_perf_accfft_start(void)
{
    accfft_init(1);
}

extern "C" void sx_perf_accfft_finish(void)
{
    accfft_cleanup();
}

extern "C" int sx_perf_accfft_get_local(sx_perf_accfft_problem *p, MPI_Comm comm)
{
    MPI_Comm mine = create_comm(p, comm);
    int bytes = (p->is_float ? get_local<in_float> : get_local<in_double>)(p, mine);
    MPI_Comm_free(&mine);
    return bytes;
}

extern "C" sx_perf_accfft_plan *sx_perf_accfft_create(sx_perf_accfft_problem *p, unsigned effort,
                                                      void *const array[2], MPI_Comm comm)
{
    MPI_Comm grid = create_comm(p, comm);
    if (p->is_float)
        return new plan_of<in_float>(p, effort, array, grid);
    return new plan_of<in_double>(p, effort, array, grid);
}

extern "C" void sx_perf_accfft_execute(sx_perf_accfft_plan *p, int is_backward)
{
    p->execute(is_backward);
}

extern "C" void sx_perf_accfft_free(sx_perf_accfft_plan *p)
{
    delete p;
}
