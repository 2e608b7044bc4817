// 17_raii.cpp - a plan that frees itself: the library in C++17, by a wrapper of twenty lines.
//
// mpicxx -std=c++17 17_raii.cpp $(pkg-config --cflags --libs subx_fft) -o 17_raii
// mpirun -n 4 ./17_raii
//
// It runs on any number of ranks; make check takes these ranks: 1 3
#include <cmath>
#include <complex>
#include <cstdio>

// [wrapper]
#include <cstddef>
#include <stdexcept>
#include <string>
#include <subx_fft.h>
#include <utility>
#include <vector>

// Throw an exception with the text of an error code.
void check(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    throw std::runtime_error(std::string(text, static_cast<std::size_t>(length)));
}

// A plan that frees itself. It can be moved, but not copied. All ranks must destroy it, before MPI_Finalize.
class Plan {
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;

  public:
    Plan(MPI_Comm comm, int kind, const std::vector<std::ptrdiff_t> &sizes, MPI_Info hints = MPI_INFO_NULL)
    {
        check(subx_fft_plan_create(comm, kind, static_cast<int>(sizes.size()), sizes.data(), hints, &plan));
    }
    Plan(Plan &&other) noexcept : plan(std::exchange(other.plan, SUBX_FFT_PLAN_NULL)) {}
    Plan &operator=(Plan &&other) noexcept
    {
        return std::swap(plan, other.plan), *this;
    }
    ~Plan()
    {
        subx_fft_plan_free(&plan);
    }
    operator subx_fft_plan() const
    {
        return plan;
    }
};
// [end]

// This rank's part of one side, and its array.
template <class Number> struct Side {
    std::ptrdiff_t n[3], start[3];
    std::vector<Number> data;

    Side(const Plan &plan, int side)
    {
        std::ptrdiff_t bytes = 0;
        check(subx_fft_plan_get_local(plan, side, n, start, nullptr, &bytes));
        data.resize((static_cast<std::size_t>(bytes) + sizeof(Number) - 1) / sizeof(Number));
    }
};

// Transform a wave, whose spectrum is a peak of height 1/2. Return how many elements are wrong.
static int transform()
{
    const std::ptrdiff_t wave[3] = {3, 5, 2};
    const double pi = std::acos(-1.0);
    int wrong = 0;
    Plan first(MPI_COMM_WORLD, SUBX_FFT_R2C, {16, 12, 10});
    Plan plan(std::move(first)); // `first` is empty now, and frees nothing
    Side<double> u(plan, SUBX_FFT_PHYSICAL);
    Side<std::complex<double>> spectrum(plan, SUBX_FFT_SPECTRAL);

    auto *p = u.data.data();
    for (auto i = u.start[0]; i < u.start[0] + u.n[0]; i++)
        for (auto j = u.start[1]; j < u.start[1] + u.n[1]; j++)
            for (auto k = u.start[2]; k < u.start[2] + u.n[2]; k++)
                *p++ = std::cos(
                    2 * pi *
                    (double(wave[0] * i) / 16 + double(wave[1] * j) / 12 + double(wave[2] * k) / 10));
    check(subx_fft_execute(plan, SUBX_FFT_FORWARD, u.data.data(), spectrum.data.data()));

    const auto *q = spectrum.data.data();
    for (auto i = spectrum.start[0]; i < spectrum.start[0] + spectrum.n[0]; i++)
        for (auto j = spectrum.start[1]; j < spectrum.start[1] + spectrum.n[1]; j++)
            for (auto k = spectrum.start[2]; k < spectrum.start[2] + spectrum.n[2]; k++) {
                const bool is_peak = i == wave[0] && j == wave[1] && k == wave[2];
                wrong += !(std::abs(*q++ / (16.0 * 12 * 10) - (is_peak ? 0.5 : 0.0)) < 1e-13);
            }
    return wrong;
}

// Check that a wrong argument throws an exception. It does so on all ranks, and leaves nothing behind.
static bool throws()
{
    try {
        Plan plan(MPI_COMM_WORLD, SUBX_FFT_C2C, {0, 4});
    } catch (const std::runtime_error &error) {
        return std::string(error.what()).find("length 0") != std::string::npos;
    }
    return false;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0, wrong = transform() + (throws() ? 0 : 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%d results are wrong\n", wrong);
    MPI_Finalize();
    return wrong != 0;
}
