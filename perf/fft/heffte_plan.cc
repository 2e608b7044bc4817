/* heffte_plan.cc - plans of heFFTe for heffte.c.
 *
 * heFFTe calls FFTW's planner with null pointers, so that FFTW can only estimate. For a fair comparison,
 * heFFTe's templates call functions of this file instead. These plan with arrays that exist, and with the
 * effort of all other libraries.
 */
#include <complex>
#include <cstdlib>
#include <fftw3.h>
#include <memory>
#include <vector>

namespace {

unsigned effort = FFTW_ESTIMATE;

/* The arrays that planning may overwrite: the arrays of the first execution, whose result is not used. If
 * FFTW needs a longer array, it gets a new one for the time of planning. */
struct {
    void *memory;
    size_t bytes;
} arrays[2];

struct scratch {
    void *memory, *mine;
    scratch(int which, int rank, const int *n, const int *embed, int howmany, int stride, int dist)
    {
        size_t volume = 1;
        for (int a = 0; a < rank; a++)
            volume *= (size_t)(embed ? embed[a] : n[a]);
        volume = ((volume - 1) * stride + (size_t)(howmany - 1) * dist + 1) * sizeof(fftw_complex);
        mine = volume > arrays[which].bytes ? fftw_malloc(volume) : nullptr;
        memory = mine ? mine : arrays[which].memory;
    }
    ~scratch()
    {
        fftw_free(mine);
    }
};

fftw_plan plan_c2c(int rank, const int *n, int howmany, fftw_complex *, const int *from_embed,
                   int from_stride, int from_dist, fftw_complex *, const int *to_embed, int to_stride,
                   int to_dist, int sign, unsigned)
{
    scratch s(0, rank, n, from_embed, howmany, from_stride, from_dist);
    fftw_complex *array = static_cast<fftw_complex *>(s.memory);
    return fftw_plan_many_dft(rank, n, howmany, array, from_embed, from_stride, from_dist, array, to_embed,
                              to_stride, to_dist, sign, effort);
}

/* heFFTe executes transforms of real numbers out of place, and they must keep their input. It executes
 * transforms of complex numbers in place. */
fftw_plan plan_r2c(int rank, const int *n, int howmany, double *, const int *from_embed, int from_stride,
                   int from_dist, fftw_complex *, const int *to_embed, int to_stride, int to_dist, unsigned)
{
    scratch from(0, rank, n, from_embed, howmany, from_stride, from_dist),
        to(1, rank, n, to_embed, howmany, to_stride, to_dist);
    return fftw_plan_many_dft_r2c(rank, n, howmany, static_cast<double *>(from.memory), from_embed,
                                  from_stride, from_dist, static_cast<fftw_complex *>(to.memory), to_embed,
                                  to_stride, to_dist, effort | FFTW_PRESERVE_INPUT);
}

} // namespace

#define fftw_plan_many_dft plan_c2c
#define fftw_plan_many_dft_r2c plan_r2c
#include <heffte.h>
#undef fftw_plan_many_dft
#undef fftw_plan_many_dft_r2c

#include "fft/heffte.h"

typedef std::complex<double> number;

struct sx_perf_heffte_plan {
    std::unique_ptr<heffte::fft3d<heffte::backend::fftw>> complex;
    std::unique_ptr<heffte::fft3d_r2c<heffte::backend::fftw>> real;
    heffte::fft3d<heffte::backend::fftw>::buffer_container<number> work;
};

static heffte::box3d<int> get_box(const int low[3], const int high[3], const int order[3])
{
    return heffte::box3d<int>({{low[0], low[1], low[2]}}, {{high[0], high[1], high[2]}},
                              {{order[0], order[1], order[2]}});
}

static sx_perf_heffte_plan *create(const sx_perf_heffte_request &r, MPI_Comm comm)
{
    static const int in_order[3] = {0, 1, 2};
    std::unique_ptr<sx_perf_heffte_plan> plan(new sx_perf_heffte_plan);
    heffte::plan_options options = heffte::default_options<heffte::backend::fftw>();
    heffte::box3d<int> in = get_box(r.in_low, r.in_high, in_order),
                       out = get_box(r.out_low, r.out_high, r.out_order);
    options.algorithm = static_cast<heffte::reshape_algorithm>(r.algorithm);
    options.use_reorder = r.use_reorder;
    options.use_pencils = r.use_pencils;
    effort = r.effort;
    if (r.is_real) {
        plan->real.reset(new heffte::fft3d_r2c<heffte::backend::fftw>(in, out, 0, comm, options));
        plan->work.resize(plan->real->size_workspace());
    } else {
        plan->complex.reset(new heffte::fft3d<heffte::backend::fftw>(in, out, comm, options));
        plan->work.resize(plan->complex->size_workspace());
    }
    return plan.release();
}

/* heFFTe creates FFTW's plans in its first execution. */
static void warm(sx_perf_heffte_plan *plan, void *in, void *out, size_t bytes)
{
    arrays[0] = {in, bytes};
    arrays[1] = {out, bytes};
    sx_perf_heffte_execute(plan, in, out);
    arrays[0] = arrays[1] = {nullptr, 0};
}

/* heFFTe throws on all ranks or on none: every rank sees all boxes. */
extern "C" sx_perf_heffte_plan *sx_perf_heffte_create(const sx_perf_heffte_request *request, MPI_Comm comm)
{
    try {
        sx_perf_heffte_plan *plan = create(*request, comm);
        warm(plan, request->in, request->out, request->bytes);
        return plan;
    } catch (const std::exception &) {
        return nullptr;
    }
}

extern "C" int sx_perf_heffte_execute(sx_perf_heffte_plan *plan, const void *in, void *out)
{
    number *to = static_cast<number *>(out);
    try {
        if (plan->real)
            plan->real->forward(static_cast<const double *>(in), to, plan->work.data());
        else
            plan->complex->forward(static_cast<const number *>(in), to, plan->work.data());
    } catch (const std::exception &) {
        return MPI_ERR_OTHER;
    }
    return MPI_SUCCESS;
}

extern "C" void sx_perf_heffte_free(sx_perf_heffte_plan *plan)
{
    delete plan;
}
