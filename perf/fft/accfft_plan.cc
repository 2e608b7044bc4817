/* accfft_plan.cc - plans of AccFFT for accfft.c. */
#include <accfft.h>

#include "fft/accfft.h"

struct sx_perf_accfft_plan {
    accfft_plan *plan;
    MPI_Comm comm;
    bool is_real;
    void *in, *out;
};

extern "C" void sx_perf_accfft_start(void)
{
    accfft_init(1);
}

extern "C" void sx_perf_accfft_finish(void)
{
    accfft_cleanup();
}

static MPI_Comm create_comm(const sx_perf_accfft_problem *p, MPI_Comm comm)
{
    int grid[2] = {p->grid[0], p->grid[1]};
    MPI_Comm made;
    accfft_create_comm(comm, grid, &made);
    return made;
}

extern "C" int sx_perf_accfft_get_local(sx_perf_accfft_problem *p, MPI_Comm comm)
{
    MPI_Comm mine = create_comm(p, comm);
    int bytes =
        p->is_real
            ? accfft_local_size_dft_r2c(p->sizes, p->in_len, p->in_start, p->out_len, p->out_start, mine)
            : accfft_local_size_dft_c2c(p->sizes, p->in_len, p->in_start, p->out_len, p->out_start, mine);
    MPI_Comm_free(&mine);
    return bytes;
}

extern "C" sx_perf_accfft_plan *sx_perf_accfft_create(sx_perf_accfft_problem *p, unsigned effort, void *in,
                                                      void *out, MPI_Comm comm)
{
    sx_perf_accfft_plan *made = new sx_perf_accfft_plan();
    made->comm = create_comm(p, comm);
    made->is_real = p->is_real != 0;
    made->in = in;
    made->out = out;
    if (made->is_real)
        made->plan = accfft_plan_dft_3d_r2c(p->sizes, static_cast<double *>(in), static_cast<double *>(out),
                                            made->comm, effort);
    else
        made->plan = accfft_plan_dft_3d_c2c(p->sizes, static_cast<Complex *>(in), static_cast<Complex *>(out),
                                            made->comm, effort);
    return made;
}

extern "C" void sx_perf_accfft_execute(sx_perf_accfft_plan *p)
{
    if (p->is_real)
        accfft_execute_r2c(p->plan, static_cast<double *>(p->in), static_cast<Complex *>(p->out));
    else
        accfft_execute_c2c(p->plan, ACCFFT_FORWARD, static_cast<Complex *>(p->in),
                           static_cast<Complex *>(p->out));
}

extern "C" void sx_perf_accfft_free(sx_perf_accfft_plan *p)
{
    accfft_destroy_plan(p->plan);
    MPI_Comm_free(&p->comm);
    delete p;
}
