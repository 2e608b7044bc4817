"""Files of distributed arrays: HDF5 with a dataset per step, as in mpi4py-fft.

A whole array is the dataset NAME/3D/STEP, and a slice of it is NAME/2D/slice_4_slice/STEP. NAME/shape has the lengths of the
whole array. The datasets NAME/domain/x0, NAME/domain/x1 .. have the origin and the length of each axis. An axis whose
coordinates are given has the dataset NAME/mesh/x0 .. instead, with all coordinates. These datasets are written once: what the file
has stays.
"""
from __future__ import annotations

import itertools
import os
from typing import Any, Iterator, Optional, Sequence

import numpy as np
from mpi4py import MPI

from .._error import Error
from .._together import agree
from ..arrays import Array, Distribution
from ..files import info, read, write
from .xdmf import generate_xdmf

__all__ = ["FileBase", "HDF5File", "NCFile", "generate_xdmf"]


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


class FileBase:
    """What files of steps have in common. A class of files defines the methods that raise NotImplementedError here."""

    def __init__(self, filename: Any = None, domain: Any = None):
        self.f: Any = None  # mpi4py-fft's open file; here no file stays open
        self.filename, self.domain = filename, domain

    @staticmethod
    def backend() -> str:
        """Get the name of the format."""
        raise NotImplementedError

    def open(self, mode: str = "r+") -> None:
        """Open the file."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the file."""
        if self.f is not None:
            self.f.close()

    def _check_domain(self, group: str, field: Any) -> None:
        raise NotImplementedError

    def _write_group(self, name: str, u: Any, step: int, **kw: Any) -> None:
        raise NotImplementedError

    def _write_slice_step(self, name: str, step: int, slices: Any, field: Any, **kw: Any) -> None:
        raise NotImplementedError

    def write(self, step: int, fields: dict[str, Any], as_scalar: bool = False, **kw: Any) -> None:
        """Write arrays: fields has for each name an array or a list of arrays. Collective.

        Instead of an array, a pair of an array and a list such as [slice(None), 4, slice(None)] writes a slice of the global
        array. as_scalar writes the components of tensors one by one, with the names v0, v1 .., or v00, v01 .."""
        for name, arrays in fields.items():
            for item in arrays if isinstance(arrays, (list, tuple)) else [arrays]:
                array, chosen = item if isinstance(item, (list, tuple)) else (item, None)
                for group, part in _components(name, array) if as_scalar else [(name, array)]:
                    place = agree(part.pencil.parent, lambda: self._prepare(part, chosen, step))
                    self._check_domain(group, part)
                    if place is None:
                        self._write_group(group, part, step, **kw)
                    else:
                        self._write_slice_step(group, step, place, part, **kw)

    def _prepare(self, array: Any, chosen: Any, step: int) -> Any:
        """Check the arguments of write before the ranks write together; returns the slices, None for the whole array."""
        shape = array.pencil.shape
        if self.domain is not None and len(self.domain) != len(shape):
            raise ValueError(f"the domain has {len(self.domain)} axes, the array has {len(shape)}")
        if chosen is None:
            _whole(array)
            return None
        _slice(array, list(chosen))
        return list(chosen)

    def read(self, u: Any, name: str, **kw: Any) -> None:
        """Read a whole array."""
        raise NotImplementedError


_MODES = ("r", "r+", "w", "w-", "x", "a")


def _apply(mode: str, filename: str) -> None:
    """Do what opening a file in a mode of h5py does with an older file: w empties it; r and r+ need it; x and w- refuse it."""
    exists = os.path.exists(filename)
    if mode in ("r", "r+") and not exists:
        raise FileNotFoundError(f"{filename}: there is no such file")
    if mode in ("w-", "x") and exists:
        raise FileExistsError(f"{filename}: the file exists")
    if mode == "w":
        with open(filename, "wb"):
            pass


class HDF5File(FileBase):
    """An HDF5 file of steps.

    domain has for each axis its origin and length, (0, 2 pi) by default, or an array of coordinates. mode is as in h5py; with w, an
    older file is emptied at once. With other modes than a, creating the object is collective on MPI.COMM_WORLD, as in mpi4py-fft. A
    dataset that exists is written again if it has the same shape and type, else this is an error. Each call opens and closes the
    file by itself."""

    def __init__(self, h5name: str, domain: Any = None, mode: str = "a", **kw: Any):
        super().__init__(h5name, domain)
        self._described: set[str] = set()
        self.open(mode)

    @staticmethod
    def backend() -> str:
        return "hdf5"

    def open(self, mode: str = "r+") -> None:
        """Do what mode means for an older file. Collective on MPI.COMM_WORLD, unless mode is a, which does nothing."""
        def prepare() -> int:
            if mode not in _MODES:
                raise ValueError(f"the mode of a file is r, r+, w, w-, x or a, not {mode!r}")
            if MPI.COMM_WORLD.rank == 0:
                _apply(mode, self.filename)
            return _MODES.index(mode)

        if mode != "a":
            agree(MPI.COMM_WORLD, prepare, int)

    def _put(self, dataset: str, array: Array) -> None:
        write(self.filename, array, dataset=dataset, format="hdf5", append=True)

    def _write_group(self, name: str, u: Any, step: int, **kw: Any) -> None:
        self._put(f"{name}/{u.dimensions}D/{step}", _whole(u))

    def _write_slice_step(self, name: str, step: int, slices: Any, field: Any, **kw: Any) -> None:
        place, found = _slice(field, list(slices))
        self._put(f"{name}/{place}/{step}", found)

    def _check_domain(self, group: str, field: Any) -> None:
        """Write the shape and the domain of the arrays of a name, if the file does not have them."""
        if group in self._described:
            return
        shape, comm = field.pencil.shape, field.pencil.parent
        domain = self.domain if self.domain is not None else [(0, 2 * np.pi)] * len(shape)
        known = self._find(comm, f"{group}/shape")
        if known is None:
            self._put_small(comm, f"{group}/shape", np.array(shape, np.int64))
        else:
            self._check_shape(group, known, shape, comm)
        for axis, extent in enumerate(domain):
            dataset = f"{group}/{'mesh' if isinstance(extent, np.ndarray) else 'domain'}/x{axis}"
            if known is None or self._find(comm, dataset) is None:
                self._put_small(comm, dataset, np.asarray(extent, float).reshape(-1))
        self._described.add(group)

    def _put_small(self, comm: MPI.Intracomm, dataset: str, values: np.ndarray) -> None:
        self._put(dataset, _distributed(comm, values.shape, (0,), values if comm.rank == 0 else values[:0]))

    def _find(self, comm: MPI.Intracomm, dataset: str) -> Any:
        """Get the properties of a dataset; None if the file does not have it."""
        comm.Barrier()
        if not comm.bcast(os.path.exists(self.filename) and os.path.getsize(self.filename) > 0):
            return None
        try:
            return info(self.filename, comm, dataset=dataset, format="hdf5")
        except Error as error:
            if error.kind != "FILE_ARRAY":
                raise
            return None

    def _check_shape(self, group: str, known: Any, shape: Sequence[int], comm: MPI.Intracomm) -> None:
        """Compare the shape of the arrays of a group in the file with the shape of an array."""
        everywhere = Distribution(comm, known.sizes, start=[0], shape=known.sizes)
        stored = read(self.filename, everywhere, dtype=known.dtype, dataset=f"{group}/shape", format="hdf5")
        if tuple(stored) != tuple(shape):
            raise ValueError(f"{self.filename} has arrays {group} of shape {tuple(map(int, stored))}, not {tuple(shape)}")

    def read(self, u: Any, name: str, step: int = 0, **kw: Any) -> None:
        """Read a whole array. Collective."""
        read(self.filename, agree(u.pencil.parent, lambda: _whole(u)), dataset=f"{name}/{u.dimensions}D/{step}", format="hdf5")


class NCFile(FileBase):
    """Raises an exception: there is no NetCDF in this package."""

    def __init__(self, ncname: str, *args: Any, **kw: Any):
        raise NotImplementedError(f"{ncname}: subarray_x writes HDF5 (names that end with .h5), .npy and raw files, not NetCDF")
