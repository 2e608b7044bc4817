"""subarray_x.mpi4py_fft - the names of mpi4py-fft, on the transforms of subarray_x.

Programs change one line,

    from subarray_x import mpi4py_fft           instead of import mpi4py_fft

or none: python -m subarray_x.mpi4py_fft program.py arguments.

PFFT, newDistArray, DistArray, Pencil, Subcomm, Transfer and Function are called as there, and divide arrays as there. A PFFT is
one plan: its redistributions are inside, and its serial transforms are those of subarray_x whatever backend is named. What
differs:

  - forward(u, out) and backward(u, out) read u and write out directly. input_array and output_array of a transform are
    allocated when they are used: for an argument that is left out, has other elements or gaps, or shares memory with the
    other argument.
  - With padding of real data and an even number N of modes, the highest mode is treated as subx_fft.h says. mpi4py-fft
    treats it so only if N/2+1 is even.
  - The argument transforms takes forward transforms of the module fftw here. fftn and rfftn of numpy.fft, scipy.fft,
    pyfftw and mkl_fft stand for those of fftw; other functions are refused.
  - Files are written by subarray_x: HDF5 with the datasets of mpi4py-fft, without its attributes. There is no NetCDF.
"""
from . import fftw, libfft, mpifft, pencil
from .distarray import DistArray, Function, newDistArray
from .io import HDF5File, NCFile, generate_xdmf
from .mpifft import PFFT
from .pencil import Pencil, Subcomm, Transfer

__version__ = "2.0.6"

__all__ = ["DistArray", "Function", "HDF5File", "NCFile", "PFFT", "Pencil", "Subcomm", "Transfer", "fftw", "generate_xdmf", "libfft",
           "mpifft", "newDistArray", "pencil"]
