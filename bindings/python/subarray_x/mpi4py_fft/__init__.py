"""subarray_x.mpi4py_fft - the classes and functions of mpi4py-fft, by the transforms of subarray_x.

Programs change one line,

    from subarray_x import mpi4py_fft           instead of import mpi4py_fft

or none: python -m subarray_x.mpi4py_fft program.py arguments.

PFFT, newDistArray, DistArray, Pencil, Subcomm, Transfer and Function are called as in mpi4py-fft, and divide arrays in the same
way. A PFFT is one plan, which also redistributes; subarray_x does the serial transforms, whatever backend is named. The
differences:

  - forward(u, out) and backward(u, out) read u and write out directly. input_array and output_array of a transform are
    allocated only when they are used: if an argument is left out, if it has elements of another type or gaps, or if it shares
    memory with the other argument.
  - With padding of real data and an even number N of modes, the highest mode is treated as subx_fft.h says. mpi4py-fft
    does the same only if N/2+1 is even.
  - The argument transforms accepts forward transforms of the module fftw of this package. fftn and rfftn of numpy.fft,
    scipy.fft, pyfftw and mkl_fft are replaced by the functions of fftw; other functions are refused.
  - Files are written by subarray_x: HDF5 with the datasets of mpi4py-fft, without its attributes. A dataset that exists is written
    again only if it has the same shape and type. No file stays open: close does nothing, and f is None. There is no NetCDF.
  - Axes that come twice are an error in all transforms.
"""
from . import fftw, libfft, mpifft, pencil
from .distarray import DistArray, Function, newDistArray
from .io import FileBase, HDF5File, NCFile, generate_xdmf
from .mpifft import PFFT
from .pencil import Pencil, Subcomm, Transfer

__version__ = "2.0.6"

__all__ = ["DistArray", "FileBase", "Function", "HDF5File", "NCFile", "PFFT", "Pencil", "Subcomm", "Transfer", "fftw", "generate_xdmf",
           "libfft", "mpifft", "newDistArray", "pencil"]
