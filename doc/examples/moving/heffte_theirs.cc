/* heffte_theirs.cc - two fields transformed with heFFTe, for comparison with heffte_ours.c, which prints the same numbers.
 *
 * mpicxx heffte_theirs.cc -lheffte -lfftw3f -lfftw3 -o heffte_theirs
 * mpirun -n 3 ./heffte_theirs | sort
 */
#include <cmath>
#include <complex>
#include <cstdio>
#include <heffte.h>
#include <vector>

/* heFFTe's destructors free communicators, so its objects must be destroyed before MPI_Finalize. */
static void transform()
{
    /* [body] */
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int first = rank * 15 / ranks, last = (rank + 1) * 15 / ranks - 1; /* slabs of z before the transform */
    int row = rank * 12 / ranks, last_row = (rank + 1) * 12 / ranks - 1; /* slabs of y after it */
    heffte::box3d<> in({0, 0, first}, {9, 11, last}), out({0, row, 0}, {5, last_row, 14}, {1, 0, 2});
    heffte::plan_options options = heffte::default_options<heffte::backend::fftw>();
    heffte::fft3d_r2c<heffte::backend::fftw> fft(in, out, 0, MPI_COMM_WORLD, options);
    std::vector<double> u(2 * fft.size_inbox());
    std::vector<std::complex<double>> spectrum(2 * fft.size_outbox());

    for (int field = 0; field < 2; field++)
        for (int z = 0; z < in.size[2]; z++)
            for (int y = 0; y < 12; y++)
                for (int x = 0; x < 10; x++)
                    u[((field * in.size[2] + z) * 12 + y) * 10 + x] =
                        std::sin((double)((first + z) * (y + 1) + x * x + field));
    fft.forward(2, u.data(), spectrum.data(), heffte::scale::full);
    for (int field = 0; field < 2; field++)
        for (int z = 0; z < 15; z++) /* y is the fastest axis of the spectrum, then x */
            if (row <= 1 && 1 <= last_row) {
                std::complex<double> value = spectrum[((field * 15 + z) * 6 + 2) * out.size[1] + 1 - row];
                std::printf("%2d %.12f %.12f\n", 15 * field + z, value.real(), value.imag());
            }
    /* [end] */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    transform();
    MPI_Finalize();
    return 0;
}
