"""subarray_x - fast Fourier transforms of arrays that are distributed over MPI ranks, and the parts that they consist of.

    >>> from mpi4py import MPI
    >>> import subarray_x as subx
    >>> plan = subx.FFT(MPI.COMM_WORLD, (16, 12, 10), "r2c")
    >>> u = plan.empty()               # this rank's block: an ndarray that knows its place, u.slices
    >>> u[...] = MPI.COMM_WORLD.rank
    >>> uh = plan.forward(u)
    >>> uh *= 2
    >>> u = plan.backward(uh)

FFT plans transforms. An Array is distributed as its Distribution says; it can be redistributed, gathered on one rank, and written
to files. Exchange, Redistribution, Realignment and Halo move blocks between ranks. subarray_x.types creates datatypes in any
storage order. The module subarray_x.mpi4py_fft has the classes and functions of mpi4py-fft. The functions of C themselves are in
subarray_x._raw.

Errors of the C libraries are raised as Error, an MPI.Exception.
"""
from . import types
from ._error import Error
from ._raw import VERSION as __version__
from .arrays import Array, Distribution, block, choose_dims
from .exchange import Boxes, Exchange, Halo, Realignment, Redistribution, engines
from .fft import FFT, Operation, Problem, Request, Stage, calibrate, hints, predict
from .files import Info, formats, info, read, write

__all__ = ["Array", "Boxes", "Distribution", "Error", "Exchange", "FFT", "Halo", "Info", "Operation", "Problem", "Realignment",
           "Redistribution", "Request", "Stage", "block", "calibrate", "choose_dims", "engines", "formats", "hints", "info",
           "predict", "read", "types", "write", "__version__"]
