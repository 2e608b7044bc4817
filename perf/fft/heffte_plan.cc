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
#include <subx_fft.h>
#include <vector>

namespace {

/* FFTW's functions in one precision. */
template <typename real> struct fftw;
template <> struct fftw<double> {
    typedef fftw_complex complex;
    static constexpr auto many_dft = fftw_plan_many_dft;
    static constexpr auto many_r2c = fftw_plan_many_dft_r2c;
    static constexpr auto many_c2r = fftw_plan_many_dft_c2r;
    static constexpr auto many_r2r = fftw_plan_many_r2r;
};
template <> struct fftw<float> {
    typedef fftwf_complex complex;
    static constexpr auto many_dft = fftwf_plan_many_dft;
    static constexpr auto many_r2c = fftwf_plan_many_dft_r2c;
    static constexpr auto many_c2r = fftwf_plan_many_dft_c2r;
    static constexpr auto many_r2r = fftwf_plan_many_r2r;
};

unsigned effort = FFTW_ESTIMATE;

/* The arrays that planning may overwrite: the arrays of the first execution, whose result is not used. If
 * FFTW needs a longer array, it gets a new one for the time of planning. */
struct {
    void *memory;
    size_t bytes;
} arrays[2];

template <typename element> struct scratch {
    void *memory, *mine;
    scratch(int which, int rank, const int *n, const int *embed, int howmany, int stride, int dist)
    {
        size_t volume = 1;
        for (int a = 0; a < rank; a++)
            volume *= (size_t)(embed ? embed[a] : n[a]);
        volume = ((volume - 1) * stride + (size_t)(howmany - 1) * dist + 1) * sizeof(element);
        mine = volume > arrays[which].bytes ? fftw_malloc(volume) : nullptr;
        memory = mine ? mine : arrays[which].memory;
    }
    ~scratch()
    {
        fftw_free(mine);
    }
    operator element *() const
    {
        return static_cast<element *>(memory);
    }
};

template <typename real>
auto plan_c2c(int rank, const int *n, int howmany, void *, const int *from_embed, int from_stride, int from_dist,
              void *, const int *to_embed, int to_stride, int to_dist, int sign, unsigned)
{
    scratch<typename fftw<real>::complex> s(0, rank, n, from_embed, howmany, from_stride, from_dist);
    return fftw<real>::many_dft(rank, n, howmany, s, from_embed, from_stride, from_dist, s, to_embed, to_stride, to_dist,
                                sign, effort);
}

template <typename real>
auto plan_r2r(int rank, const int *n, int howmany, void *, const int *from_embed, int from_stride, int from_dist,
              void *, const int *to_embed, int to_stride, int to_dist, const fftw_r2r_kind *kinds, unsigned)
{
    scratch<real> s(0, rank, n, from_embed, howmany, from_stride, from_dist);
    return fftw<real>::many_r2r(rank, n, howmany, s, from_embed, from_stride, from_dist, s, to_embed, to_stride, to_dist,
                                kinds, effort);
}

/* heFFTe executes r2c and c2r out of place, and forward ones must keep their input. It executes
 * transforms of complex numbers in place. */
template <typename real>
auto plan_r2c(int rank, const int *n, int howmany, void *, const int *from_embed, int from_stride, int from_dist,
              void *, const int *to_embed, int to_stride, int to_dist, unsigned)
{
    scratch<typename fftw<real>::complex> from(0, rank, n, from_embed, howmany, from_stride, from_dist),
        to(1, rank, n, to_embed, howmany, to_stride, to_dist);
    return fftw<real>::many_r2c(rank, n, howmany, static_cast<real *>(from.memory), from_embed, from_stride, from_dist,
                                to, to_embed, to_stride, to_dist, effort | FFTW_PRESERVE_INPUT);
}

template <typename real>
auto plan_c2r(int rank, const int *n, int howmany, void *, const int *from_embed, int from_stride, int from_dist,
              void *, const int *to_embed, int to_stride, int to_dist, unsigned)
{
    scratch<typename fftw<real>::complex> from(0, rank, n, from_embed, howmany, from_stride, from_dist),
        to(1, rank, n, to_embed, howmany, to_stride, to_dist);
    return fftw<real>::many_c2r(rank, n, howmany, from, from_embed, from_stride, from_dist,
                                static_cast<real *>(to.memory), to_embed, to_stride, to_dist, effort);
}

} // namespace

#define fftw_plan_many_dft plan_c2c<double>
#define fftw_plan_many_dft_r2c plan_r2c<double>
#define fftw_plan_many_dft_c2r plan_c2r<double>
#define fftw_plan_many_r2r plan_r2r<double>
#define fftwf_plan_many_r2r plan_r2r<float>
#define fftwf_plan_many_dft plan_c2c<float>
#define fftwf_plan_many_dft_r2c plan_r2c<float>
#define fftwf_plan_many_dft_c2r plan_c2r<float>
#include <heffte.h>
#undef fftw_plan_many_dft
#undef fftw_plan_many_dft_r2c
#undef fftw_plan_many_dft_c2r
#undef fftw_plan_many_r2r
#undef fftwf_plan_many_r2r
#undef fftwf_plan_many_dft
#undef fftwf_plan_many_dft_r2c
#undef fftwf_plan_many_dft_c2r

#include "fft/heffte.h"

struct sx_perf_heffte_plan {
    virtual ~sx_perf_heffte_plan() {}
    virtual void execute(int is_backward, const void *in, void *out) = 0;
};

namespace {

namespace backend = heffte::backend;
typedef heffte::fft3d<backend::fftw> transform_c2c;
typedef heffte::fft3d_r2c<backend::fftw> transform_r2c;

/* `input` and `output` are what the two sides consist of. */
template <typename transform, typename input, typename output> struct plan_of : sx_perf_heffte_plan {
    transform plan;
    std::vector<output> work;

    explicit plan_of(transform &&made) : plan(std::move(made)), work(plan.size_workspace()) {}

    void execute(int is_backward, const void *in, void *out) override
    {
        if (is_backward)
            plan.backward(static_cast<const output *>(in), static_cast<input *>(out), work.data());
        else
            plan.forward(static_cast<const input *>(in), static_cast<output *>(out), work.data());
    }
};

heffte::box3d<int> get_box(const int low[3], const int high[3], const int order[3])
{
    return heffte::box3d<int>({{low[0], low[1], low[2]}}, {{high[0], high[1], high[2]}},
                              {{order[0], order[1], order[2]}});
}

template <typename real, typename tag>
sx_perf_heffte_plan *create_real(const heffte::box3d<int> &in, const heffte::box3d<int> &out, MPI_Comm comm,
                                 const heffte::plan_options &options)
{
    return new plan_of<heffte::rtransform<tag>, real, real>(heffte::rtransform<tag>(in, out, comm, options));
}

template <typename real>
sx_perf_heffte_plan *create(const sx_perf_heffte_request &r, MPI_Comm comm)
{
    typedef std::complex<real> complex;
    static const int in_order[3] = {0, 1, 2};
    heffte::plan_options options = heffte::default_options<backend::fftw>();
    heffte::box3d<int> in = get_box(r.in_low, r.in_high, in_order),
                       out = get_box(r.out_low, r.out_high, r.out_order);
    options.algorithm = static_cast<heffte::reshape_algorithm>(r.algorithm);
    options.use_reorder = r.use_reorder;
    options.use_pencils = r.use_pencils;
    switch (r.kind) {
    case SUBX_FFT_R2C:
        return new plan_of<transform_r2c, real, complex>(transform_r2c(in, out, 0, comm, options));
    case SUBX_FFT_DCT1:
        return create_real<real, backend::fftw_cos1>(in, out, comm, options);
    case SUBX_FFT_DCT2:
        return create_real<real, backend::fftw_cos>(in, out, comm, options);
    case SUBX_FFT_DST1:
        return create_real<real, backend::fftw_sin1>(in, out, comm, options);
    case SUBX_FFT_DST2:
        return create_real<real, backend::fftw_sin>(in, out, comm, options);
    default:
        return new plan_of<transform_c2c, complex, complex>(transform_c2c(in, out, comm, options));
    }
}

/* heFFTe creates FFTW's plans in its first executions. */
void warm(sx_perf_heffte_plan *plan, const sx_perf_heffte_request &r)
{
    effort = r.effort;
    for (int from = 0; from < 2; from++) {
        if (!r.wants[from])
            continue;
        arrays[0] = {r.array[from], r.bytes};
        arrays[1] = {r.array[!from], r.bytes};
        plan->execute(from, r.array[from], r.array[!from]);
    }
    arrays[0] = arrays[1] = {nullptr, 0};
}

} // namespace

/* heFFTe throws on all ranks or on none: every rank sees all boxes. */
extern "C" sx_perf_heffte_plan *sx_perf_heffte_create(const sx_perf_heffte_request *request, MPI_Comm comm)
{
    try {
        std::unique_ptr<sx_perf_heffte_plan> plan(request->is_float ? create<float>(*request, comm)
                                                                    : create<double>(*request, comm));
        warm(plan.get(), *request);
        return plan.release();
    } catch (const std::exception &) {
        return nullptr;
    }
}

extern "C" int sx_perf_heffte_execute(sx_perf_heffte_plan *plan, int is_backward, const void *in, void *out)
{
    try {
        plan->execute(is_backward, in, out);
    } catch (const std::exception &) {
        return MPI_ERR_OTHER;
    }
    return MPI_SUCCESS;
}

extern "C" void sx_perf_heffte_free(sx_perf_heffte_plan *plan)
{
    delete plan;
}
