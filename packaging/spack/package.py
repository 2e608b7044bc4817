# package.py - subarray_x for Spack, from the release tarball in the folder where spack is started.
import os

from spack.package import *

try:
    # Spack 1.0 and later.
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
except ImportError:
    pass


class SubarrayX(AutotoolsPackage):
    """Datatypes of subarrays in any storage order, exchanges that change the distribution of arrays, and fast Fourier
    transforms of arrays that are distributed over MPI ranks."""

    url = f"file://{os.getcwd()}/subarray_x-0.8.0.tar.xz"
    manual_download = True

    license("BSD-3-Clause")

    # The checksum of the tarball would confirm a release, but it cannot be in the tarball: use spack install --no-checksum.
    version("0.8.0")

    variant("fftw", default=True, description="Transforms of all lengths and kinds by FFTW, too")
    variant("hdf5", default=True, description="Read and write HDF5 files")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("check@0.10:", type="test")
    depends_on("mpi@3:")
    depends_on("hwloc@2:")
    depends_on("fftw@3.3:", when="+fftw")
    depends_on("hdf5@1.10: +mpi", when="+hdf5")

    def configure_args(self):
        return [
            f"CC={self.spec['mpi'].mpicc}",
            "--with-hwloc=yes",
            "--with-fftw3-mpi=no",
            f"--with-check={'yes' if self.run_tests else 'no'}",
            *self.with_or_without("fftw3", variant="fftw"),
            *self.with_or_without("hdf5"),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_installation(self):
        make("installcheck")
