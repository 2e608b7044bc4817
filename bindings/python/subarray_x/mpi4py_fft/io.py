"""Files of distributed arrays: HDF5 with a dataset per step, as in mpi4py-fft.

A whole array is the dataset NAME/3D/STEP, and a slice of it is NAME/2D/slice_4_slice/STEP. NAME/shape has the lengths of the
whole array. The datasets NAME/domain/x0, NAME/domain/x1 .. have the origin and the length of each axis. An axis whose
coordinates are given has the dataset NAME/mesh/x0 .. instead, with all coordinates.
"""
from __future__ import annotations

import itertools
import os
from typing import Any, Iterator, Sequence

import numpy as np
from mpi4py import MPI

from ..arrays import Array, Distribution
from ..files import read, write
from .xdmf import generate_xdmf

__all__ = ["HDF5File", "NCFile", "generate_xdmf"]


def _distributed(comm: MPI.Intracomm, sizes: Sequence[int], start: Sequence[int], part: np.ndarray) -> Array:
    """Get a view of this rank's part as an Array."""
    if not part.flags.c_contiguous:
        raise ValueError("arrays of files are contiguous")
    d = Distribution(comm, sizes, start=start, shape=part.shape)
    return Array(d, part.dtype, part.reshape(-1).view(np.uint8)) if part.size else d.empty(part.dtype)


def _whole(array: Any) -> Array:
    return _distributed(array.pencil.parent, array.global_shape, array.substart, array.v)


def _slice(array: Any, chosen: Sequence[Any]) -> tuple[str, Array]:
    """Get the name of a slice of the global array, and this rank's part of it. The axes of a tensor are whole."""
    if len(chosen) != array.dimensions or not all(c == slice(None) or isinstance(c, (int, np.integer)) for c in chosen):
        raise ValueError(f"a slice of a file has slice(None) or a number for each of {array.dimensions} axes, not {chosen}")
    if slice(None) not in chosen:
        raise ValueError("a slice of a file has at least one whole axis")
    sizes = array.pencil.shape
    if any(c != slice(None) and not 0 <= c < n for c, n in zip(chosen, sizes)):
        raise ValueError(f"the slice {chosen} is not within the array of shape {sizes}")
    name = "_".join("slice" if c == slice(None) else str(c) for c in chosen)
    index: list[Any] = [slice(None)] * array.rank
    for c, s, n in zip(chosen, array.pencil.substart, array.pencil.subshape):
        if c == slice(None):
            index.append(c)
        else:  # this rank does not have the index: its part is empty
            index.append(slice(c - s, c - s + 1) if s <= c < s + n else slice(0, 0))
    part = np.ascontiguousarray(array.v[tuple(index)])
    axes = [*range(array.rank), *(array.rank + a for a, c in enumerate(chosen) if c == slice(None))]
    shape = [part.shape[a] for a in axes] if part.size else [0] * len(axes)
    found = _distributed(array.pencil.parent, [array.global_shape[a] for a in axes],
                         [array.substart[a] if part.size else 0 for a in axes], part.reshape(shape))
    return f"{list(chosen).count(slice(None))}D/{name}", found


def _components(name: str, array: Any) -> Iterator[tuple[str, Any]]:
    """Get the components of a tensor, each with a name that ends with its indices."""
    for place in itertools.product(*map(range, array.shape[:array.rank])):
        yield name + "".join(map(str, place)), array[place] if place else array


class HDF5File:
    """An HDF5 file of steps.

    domain has for each axis its origin and length, (0, 2 pi) by default, or an array of coordinates. mode is r, w or a. With w,
    the first array that is written replaces the contents of the file.
    """

    def __init__(self, h5name: str, domain: Any = None, mode: str = "a", **kw: Any):
        self.filename, self.domain, self._mode = h5name, domain, mode
        self._described: set[str] = set()

    @staticmethod
    def backend() -> str:
        return "hdf5"

    def write(self, step: int, fields: dict[str, Any], as_scalar: bool = False, **kw: Any) -> None:
        """Write arrays: fields has for each name an array or a list of arrays. Collective.

        Instead of an array, a pair of an array and a list such as [slice(None), 4, slice(None)] writes a slice of the global
        array. as_scalar writes the components of tensors one by one, with the names v0, v1 .., or v00, v01 .."""
        for name, arrays in fields.items():
            for item in arrays if isinstance(arrays, (list, tuple)) else [arrays]:
                array, chosen = item if isinstance(item, (list, tuple)) else (item, None)
                for group, part in _components(name, array) if as_scalar else [(name, array)]:
                    self._describe(group, part)
                    if chosen is None:
                        self._put(f"{group}/{part.dimensions}D/{step}", _whole(part))
                    else:
                        place, found = _slice(part, list(chosen))
                        self._put(f"{group}/{place}/{step}", found)

    def _put(self, dataset: str, array: Array) -> None:
        """Write a dataset, and keep the other datasets of the file, unless the mode is w and this is the first."""
        comm = array.comm
        comm.Barrier()
        keep = comm.bcast(self._mode != "w" and os.path.exists(self.filename))
        write(self.filename, array, dataset=dataset, format="hdf5", keep=keep)
        self._mode = "a"

    def _describe(self, group: str, array: Any) -> None:
        """Write the lengths of an array and its domain, once for each name."""
        if group in self._described:
            return
        shape = array.pencil.shape
        domain = self.domain if self.domain is not None else [(0, 2 * np.pi)] * len(shape)
        if len(domain) != len(shape):
            raise ValueError(f"the domain has {len(domain)} axes, the array has {len(shape)}")
        self._put_small(array.pencil.parent, f"{group}/shape", np.array(shape, np.int64))
        for axis, known in enumerate(domain):
            place = "mesh" if isinstance(known, np.ndarray) else "domain"
            self._put_small(array.pencil.parent, f"{group}/{place}/x{axis}", np.asarray(known, float).reshape(-1))
        self._described.add(group)

    def _put_small(self, comm: MPI.Intracomm, dataset: str, values: np.ndarray) -> None:
        self._put(dataset, _distributed(comm, values.shape, (0,), values if comm.rank == 0 else values[:0]))

    def read(self, u: Any, name: str, step: int = 0, **kw: Any) -> None:
        """Read a whole array. Collective."""
        read(self.filename, _whole(u), dataset=f"{name}/{u.dimensions}D/{step}", format="hdf5")


def NCFile(*args: Any, **kw: Any) -> Any:
    """Raises an exception: there is no NetCDF in this package."""
    raise NotImplementedError("subarray_x writes HDF5, .npy and raw files, not NetCDF")
