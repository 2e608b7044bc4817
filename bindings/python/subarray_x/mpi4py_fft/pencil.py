"""Pencils: distributed arrays with an axis that is whole on each rank, and transfers between them."""
from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
from mpi4py import MPI

from .. import _raw
from .._together import give_up
from ..arrays import block
from ..exchange import Realignment


class Subcomm(tuple):
    """A communicator for each axis of an array. For an undivided axis it has one rank. `parent` has all ranks.

    >>> from subarray_x.mpi4py_fft import Subcomm
    >>> [c.Get_size() for c in Subcomm(MPI.COMM_SELF, [0, 0, 1])]
    [1, 1, 1]
    """

    parent: MPI.Intracomm

    def __new__(cls, comm: Any, dims: Any = None, reorder: bool = True) -> "Subcomm":
        if comm.Is_inter():
            raise ValueError("an inter-communicator has no process grid")
        if comm.Get_topology() == MPI.CART:
            if dims is not None:
                raise ValueError("a Cartesian communicator has its dims already")
            grid = comm.Dup()
        else:
            if dims is None:
                dims = [0]
            elif np.ndim(dims) == 0:
                dims = [0] * dims
            grid = comm.Create_cart(MPI.Compute_dims(comm.Get_size(), [max(0, d) for d in dims]), reorder=reorder)
        ndims = grid.Get_dim()
        self = super().__new__(cls, [grid.Sub([a == axis for a in range(ndims)]) for axis in range(ndims)])
        self.parent = grid
        return self

    def destroy(self) -> None:
        """Free the communicators. Collective."""
        for comm in (*self, self.parent):
            if comm != MPI.COMM_NULL:
                comm.Free()


def find_parent(subcomm: Sequence[MPI.Intracomm]) -> MPI.Intracomm:
    """Get a communicator with all ranks of a grid."""
    parent = getattr(subcomm, "parent", None)
    if parent is not None:
        return parent
    count = int(np.prod([c.Get_size() for c in subcomm]))
    for comm in (*subcomm, MPI.COMM_WORLD):
        if comm.Get_size() == count:
            return comm
    raise ValueError(f"no communicator of all {count} ranks is known: use a Subcomm")


class Transfer:
    """A redistribution from one pencil to another, and back. Each direction is planned when it is first used."""

    def __init__(self, comm: MPI.Intracomm, shape: Sequence[int], dtype: Any, subshapeA: Sequence[int], axisA: int,
                 subshapeB: Sequence[int], axisB: int):
        self.comm, self.shape, self.dtype = comm, tuple(shape), np.dtype(dtype)
        self.subshapeA, self.axisA = tuple(subshapeA), axisA
        self.subshapeB, self.axisB = tuple(subshapeB), axisB
        self._exchanges: dict[bool, Realignment] = {}

    def _move(self, forward: bool, source: np.ndarray, target: np.ndarray) -> None:
        if forward not in self._exchanges:
            v, w = (self.axisA, self.axisB) if forward else (self.axisB, self.axisA)
            sizes = list(self.subshapeA)
            sizes[self.axisA], sizes[self.axisB] = self.subshapeA[self.axisA], self.subshapeB[self.axisB]
            self._exchanges[forward] = Realignment(self.comm, sizes, v, w, self.dtype)
        try:
            self._check(forward, source, target)
        except Exception:
            give_up(_raw.subx_exch_execute, self._exchanges[forward]._pointer)
            raise
        self._exchanges[forward].execute(source, target)

    def _check(self, forward: bool, source: np.ndarray, target: np.ndarray) -> None:
        shapes = (self.subshapeA, self.subshapeB) if forward else (self.subshapeB, self.subshapeA)
        if (source.shape, target.shape) != shapes or source.dtype != self.dtype or target.dtype != self.dtype:
            raise ValueError(f"the transfer is from {shapes[0]} to {shapes[1]} elements of {self.dtype}, not from {source.shape} "
                             f"of {source.dtype} to {target.shape} of {target.dtype}")
        if not source.flags.c_contiguous or not target.flags.c_contiguous:
            raise ValueError("arrays of a transfer are contiguous")

    def forward(self, arrayA: np.ndarray, arrayB: np.ndarray) -> None:
        """Redistribute arrayA to arrayB. Collective."""
        self._move(True, arrayA, arrayB)

    def backward(self, arrayB: np.ndarray, arrayA: np.ndarray) -> None:
        """Redistribute arrayB to arrayA. Collective."""
        self._move(False, arrayB, arrayA)

    def destroy(self) -> None:
        """Free the transfer. Collective."""
        for exchange in self._exchanges.values():
            exchange.free()
        self._exchanges.clear()


class Pencil:
    """How an array is divided: a communicator per axis. The array is whole along `axis`.

    >>> from subarray_x.mpi4py_fft import Pencil, Subcomm
    >>> p = Pencil(Subcomm(MPI.COMM_SELF, [0, 1]), (6, 4))
    >>> p.subshape, p.substart, p.axis
    ((6, 4), (0, 0), 1)
    """

    def __init__(self, subcomm: Sequence[MPI.Intracomm], shape: Sequence[int], axis: int = -1,
                 parent: Optional[MPI.Intracomm] = None):
        axis = range(len(shape))[axis]
        self.parent = parent or find_parent(subcomm)
        comms = list(subcomm)
        # A plain tuple may have no communicators for undivided axes.
        if len(comms) < len(shape):
            comms += [MPI.COMM_SELF] * (len(shape) - 1 - len(comms))
            comms.insert(axis, MPI.COMM_SELF)
        if comms[axis].Get_size() != 1:
            raise ValueError(f"axis {axis} is divided, and cannot be that of a pencil")
        parts = [block(n, c.Get_size(), c.Get_rank()) for n, c in zip(shape, comms)]
        self.shape, self.axis = tuple(int(n) for n in shape), axis
        self.subcomm = tuple(comms)
        self.subshape = tuple(length for length, _ in parts)
        self.substart = tuple(start for _, start in parts)

    def pencil(self, axis: int) -> "Pencil":
        """Get the pencil that is whole along another axis."""
        axis = range(len(self.shape))[axis]
        comms = list(self.subcomm)
        comms[axis], comms[self.axis] = comms[self.axis], comms[axis]
        return Pencil(comms, self.shape, axis, self.parent)

    def transfer(self, pencil: "Pencil", dtype: Any) -> Transfer:
        """Get the redistribution from this pencil to another one."""
        if self.shape != pencil.shape or self.axis == pencil.axis or self.pencil(pencil.axis).subshape != pencil.subshape:
            raise ValueError("a transfer is between pencils of one array that are whole along different axes")
        shape = list(self.subshape)
        shape[pencil.axis] = self.shape[pencil.axis]
        return Transfer(self.subcomm[pencil.axis], shape, dtype, self.subshape, self.axis, pencil.subshape, pencil.axis)

    @property
    def slices(self) -> tuple[slice, ...]:
        return tuple(slice(s, s + n) for s, n in zip(self.substart, self.subshape))
