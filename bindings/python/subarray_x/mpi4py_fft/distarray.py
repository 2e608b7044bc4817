"""DistArray: an ndarray that is this rank's part of a global array, or of all components of a tensor of global arrays."""
from __future__ import annotations

import os
import warnings
from numbers import Integral, Number
from typing import Any, Optional, Sequence

import numpy as np
from mpi4py import MPI

from .._gather import get
from .._together import agree
from .pencil import Pencil, Subcomm, Transfer


def _find_subcomm(subcomm: Any, ndims: int, alignment: Optional[int]) -> Any:
    """Get a communicator per axis from the caller's argument subcomm."""
    if isinstance(subcomm, Subcomm):
        return subcomm
    if subcomm is None:
        dims = [0] * ndims
        dims[-1 if alignment is None else alignment] = 1
        return Subcomm(MPI.COMM_WORLD, dims)
    if len(subcomm) != ndims:
        raise ValueError(f"subcomm has not one entry for each of {ndims} axes")
    if all(isinstance(c, MPI.Comm) for c in subcomm):
        return subcomm
    return Subcomm(MPI.COMM_WORLD, subcomm)


class DistArray(np.ndarray):
    """This rank's part of a global array. The first `rank` axes count the components of a tensor, and are not divided.

    >>> from subarray_x.mpi4py_fft import DistArray
    >>> a = DistArray((3, 8, 8, 8), rank=1)
    >>> a.pencil.shape, a.rank, a[0].rank
    ((8, 8, 8), 1, 0)
    """

    _p0: Any
    _rank: int

    def __new__(cls, global_shape: Sequence[int], subcomm: Any = None, val: Any = None, dtype: Any = float, buffer: Any = None,
                strides: Any = None, alignment: Optional[int] = None, rank: int = 0, _pencil: Any = None) -> "DistArray":
        global_shape = tuple(int(n) for n in global_shape)
        pencil, shape = _pencil, global_shape
        if len(global_shape) - rank >= 2:
            if pencil is None:
                comms = _find_subcomm(subcomm, len(global_shape) - rank, alignment)
                if alignment is None:  # the last undivided axis
                    alignment = int(np.flatnonzero([c.Get_size() == 1 for c in comms])[-1])
                pencil = Pencil(comms, global_shape[rank:], alignment)
            shape, strides = global_shape[:rank] + pencil.subshape, None
        self = super().__new__(cls, shape, dtype=dtype, buffer=buffer, strides=strides)
        if buffer is None and isinstance(val, Number):
            self.fill(val)
        self._p0, self._rank = pencil, rank
        return self

    def __array_finalize__(self, parent: Any) -> None:
        if parent is not None:
            self._p0, self._rank = getattr(parent, "_p0", None), getattr(parent, "_rank", 0)

    @property
    def pencil(self) -> Pencil:
        """How the array is divided."""
        return self._p0

    @property
    def rank(self) -> int:
        """The rank of the tensor."""
        return self._rank

    @property
    def alignment(self) -> int:
        """The axis that is whole; the axes of the tensor are not counted."""
        return self._p0.axis

    @property
    def global_shape(self) -> tuple[int, ...]:
        return self.shape[:self.rank] + self._p0.shape

    @property
    def substart(self) -> tuple[int, ...]:
        return (0,) * self.rank + self._p0.substart

    @property
    def subcomm(self) -> tuple[MPI.Intracomm, ...]:
        return (MPI.COMM_SELF,) * self.rank + self._p0.subcomm

    @property
    def commsizes(self) -> list[int]:
        return [c.Get_size() for c in self.subcomm]

    @property
    def dimensions(self) -> int:
        """The number of axes without the axes of the tensor."""
        return len(self._p0.shape)

    @property
    def v(self) -> np.ndarray:
        """The array as a plain ndarray."""
        return self.view(np.ndarray)

    def __getitem__(self, i: Any) -> Any:
        """A component of a tensor is a DistArray, anything else a plain array."""
        depth = len(i) if isinstance(i, tuple) else 1
        simple = all(isinstance(j, (Integral, slice)) for j in (i if isinstance(i, tuple) else (i,)))
        if self.ndim > 1 and self.rank >= depth and simple:
            part = super().__getitem__(i)
            part._rank = self.rank - (self.ndim - part.ndim)
            return part
        return super().__getitem__(i) if self.ndim == 1 else self.v[i]

    def local_slice(self) -> tuple[slice, ...]:
        """The part of the global array that this rank has."""
        return tuple(slice(0, n) for n in self.shape[:self.rank]) + self._p0.slices

    def get(self, gslice: Any) -> Optional[np.ndarray]:
        """Get a part of the global array on rank 0; the others get None. Collective."""
        return get(self.v, self._p0.parent, lambda: (self.global_shape, self.local_slice(), tuple(gslice)), 0)

    def get_pencil_and_transfer(self, axis: int) -> tuple[Pencil, Transfer]:
        """Get the pencil that is whole along an axis, and the transfer to it."""
        other = self._p0.pencil(axis)
        return other, self._p0.transfer(other, self.dtype)

    def redistribute(self, axis: Optional[int] = None, out: Optional["DistArray"] = None) -> "DistArray":
        """Get an array that is whole along another axis: out, or a new array. Without out, the result is the array itself if
        this axis is not divided. Collective."""
        def prepare() -> Optional[int]:
            if axis is None and out is None:
                raise TypeError("give the axis, or an array that is whole along it")
            if out is None:
                return range(self.dimensions)[axis]
            if axis is not None and axis != out.alignment:
                raise ValueError(f"out is whole along axis {out.alignment}, not {axis}")
            if self.global_shape != out.global_shape:
                raise ValueError(f"out has the global shape {out.global_shape}, not {self.global_shape}")
            return out.alignment

        axis = agree(self._p0.parent, prepare, int)
        if axis == self.alignment and out is None:
            return self
        if self.commsizes[self.rank + axis] == 1 and out is None:
            self._p0 = self._p0.pencil(axis)  # this axis is undivided, too
            return self
        if out is not None and self._p0.subshape == out.pencil.subshape and self._p0.substart == out.pencil.substart and \
                self.commsizes == out.commsizes:
            out[...] = self
            return out
        transfer, other = self._find_transfer(axis)
        if out is None:
            out = DistArray(self.global_shape, dtype=self.dtype, rank=self.rank, _pencil=other)
        components = (int(np.prod(self.shape[:self.rank])),)  # not -1, which fails for a rank without data
        source, target = (np.ascontiguousarray(a.v).reshape(components + p.subshape) if a is self else
                          a.v.reshape(components + p.subshape) for a, p in ((self, self._p0), (out, other)))
        for a, b in zip(source, target):
            transfer.forward(a, b)
        return out

    def _find_transfer(self, axis: Optional[int]) -> tuple[Transfer, Pencil]:
        """Get the transfer to another axis; pencils keep their transfers."""
        known = self._p0.__dict__.setdefault("_transfers", {})
        if (axis, self.dtype) not in known:
            other, transfer = self.get_pencil_and_transfer(axis)
            known[axis, self.dtype] = transfer, other
        return known[axis, self.dtype]

    def write(self, filename: Any, name: str = "darray", step: int = 0, global_slice: Any = None, domain: Any = None,
              as_scalar: bool = False) -> None:
        """Write the array to a file: an object, or an HDF5 file whose name ends with .h5, which keeps what it has. Collective."""
        file = agree(self._p0.parent, lambda: _open(filename, domain))
        file.write(step, {name: [self if global_slice is None else (self, global_slice)]}, as_scalar=as_scalar)

    def read(self, filename: Any, name: str = "darray", step: int = 0) -> None:
        """Read the array from a file. Collective."""
        agree(self._p0.parent, lambda: _open(filename)).read(self, name, step=step)


def _open(file: Any, domain: Any = None) -> Any:
    """Get the file of a name. As in mpi4py-fft, the name tells the format."""
    from .io import FileBase, HDF5File, NCFile

    if isinstance(file, FileBase):
        return file
    name = os.fspath(file)
    return HDF5File(name, domain) if name.endswith(".h5") else NCFile(name)


def newDistArray(pfft: Any, forward_output: bool = True, val: Any = 0, rank: int = 0, view: bool = False) -> Any:
    """Create an array, or a tensor of arrays, for the output or the input of a PFFT."""
    shape = pfft.global_shape(forward_output)
    pencil = pfft.pencil[bool(forward_output)]
    array = DistArray((len(shape),) * rank + tuple(shape), val=val, dtype=pfft.dtype(forward_output), rank=rank,
                      subcomm=pencil.subcomm, alignment=pencil.axis, _pencil=pencil)
    return array.v if view else array


def Function(*args: Any, **kwargs: Any) -> Any:
    """The older name of newDistArray."""
    warnings.warn("Function() is deprecated; use newDistArray().", FutureWarning)
    if kwargs.pop("tensor", None) is not None:
        kwargs["rank"] = 1
    return newDistArray(*args, **kwargs)
