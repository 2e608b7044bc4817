"""Run a program that imports mpi4py_fft with subarray_x.mpi4py_fft in its place.

usage: python -m subarray_x.mpi4py_fft PROGRAM [ARGUMENT ...]
       python -m subarray_x.mpi4py_fft -m MODULE [ARGUMENT ...]
"""
import importlib
import os
import runpy
import sys


def install() -> None:
    """Make this package importable as mpi4py_fft, and its modules as the modules of mpi4py_fft."""
    package = importlib.import_module("subarray_x.mpi4py_fft")
    sys.modules["mpi4py_fft"] = package
    for name in ("distarray", "fftw", "io", "libfft", "mpifft", "pencil"):
        sys.modules[f"mpi4py_fft.{name}"] = importlib.import_module(f"subarray_x.mpi4py_fft.{name}")
    # Programs also import names from the modules of the packages mpi4py_fft.fftw and mpi4py_fft.io. Here one module has them all.
    for name in ("factory", "utilities", "xfftn"):
        sys.modules[f"mpi4py_fft.fftw.{name}"] = sys.modules["mpi4py_fft.fftw"]
    for name in ("file_base", "generate_xdmf", "h5py_file", "nc_file"):
        sys.modules[f"mpi4py_fft.io.{name}"] = sys.modules["mpi4py_fft.io"]


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help") or sys.argv[1:] == ["-m"]:
        sys.exit(__doc__.strip())
    install()
    if sys.argv[1] == "-m":
        del sys.argv[0:2]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        del sys.argv[0]
        sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
        runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
