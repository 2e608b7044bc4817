"""Files of distributed arrays: NumPy's .npy, HDF5, raw. They are written in C order, and do not depend on the number of ranks."""
from __future__ import annotations

import ctypes
import functools
import os
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np
from mpi4py import MPI

from . import _raw
from ._arguments import encoded, ints, names, sizes as _sizes
from ._error import Error
from ._mpi import Hints, MPI_Datatype, datatype, element_type, handle
from ._together import together
from .arrays import Array, Distribution, find_comm

Path = Union[str, "os.PathLike[str]"]


def _encode(path: Path) -> bytes:
    return encoded("the path", os.fsencode(path))


class Info(NamedTuple):
    """The array that a file holds."""
    sizes: tuple[int, ...]
    dtype: np.dtype
    storage: int  # MPI.ORDER_C or MPI.ORDER_FORTRAN


def _naming(function: Callable[..., Any]) -> Any:
    """Put the path before the text of each error of a function whose first argument is the path."""
    @functools.wraps(function)
    def call(path: Path, *arguments: Any, **keywords: Any) -> Any:
        try:
            return function(path, *arguments, **keywords)
        except Error as error:
            # MPICH appends a list of its own functions to a text.
            why = error.text.split(", error stack:")[0]
            if not why.startswith(f"{os.fspath(path)!s}: "):
                error.text = f"{os.fspath(path)!s}: {why}"
            raise
    return call


def formats() -> list[str]:
    """Get the names of the formats that the library was built with.

    >>> import subarray_x as subx
    >>> "npy" in subx.formats()
    True
    """
    return names(_raw.subx_file_query_format)


def _box(distribution: Distribution) -> tuple[Any, ...]:
    """Get ndims, sizes, subsizes, starts and order of an array, with its fields as one more axis."""
    ndims, fields = len(distribution.sizes), distribution.fields
    order = list(distribution.order)
    if fields > 1:
        order = [ndims] + order if distribution.interleaved else [axis + 1 for axis in order] + [0]
    start = [s.start for s in distribution.slices]
    return (len(order), _sizes(distribution.global_shape), _sizes(distribution.local_shape), _sizes(start), ints(order))


@_naming
def write(path: Path, array: Array, *, dataset: Optional[str] = None, **hints: Any) -> None:
    """Write a distributed array to a file (subx_file_write). Collective.

    The suffix chooses the format: .npy, .h5 or .hdf5, else raw. hints are the hints of subx_io.h without subx_. An HDF5 file keeps
    its other datasets; a dataset of the same name is written again if it has the same sizes and type, else this is an error.
    append="replace" replaces such a dataset, and append=False replaces the whole file. If the array has gaps, a copy without gaps
    is written."""
    def prepare(hold: Any) -> tuple[Any, ...]:
        distribution, packed = array._known(), array
        if not distribution.is_contiguous:
            packed = hold(_without_gaps(distribution).empty(array.dtype))
            packed[...] = array
        return (_encode(path), *_box(distribution), handle(element_type(array.dtype)), packed.ctypes.data,
                hold(Hints({"dataset": dataset, **hints})))

    together(find_comm(array), _raw.subx_file_write, prepare)


def _without_gaps(d: Distribution) -> Distribution:
    return Distribution(d.comm, d.sizes, order=d.order, start=d.start, shape=d.shape, fields=d.fields,
                        interleaved=d.interleaved)


@_naming
def read(path: Path, to: Union[Array, Distribution], *, dtype: Any = None, dataset: Optional[str] = None,
         **hints: Any) -> Array:
    """Read a distributed array from a file (subx_file_read). Collective.

    to is an array to read into, or the distribution of a new array. dtype is the type of a new array, by default the type in
    the file. Elements are converted: other byte orders, float and double to each other, real numbers to complex ones.

    >>> import os, tempfile
    >>> import subarray_x as subx
    >>> folder = tempfile.mkdtemp()
    >>> d = subx.Distribution(MPI.COMM_SELF, (4, 3))
    >>> u = d.zeros()
    >>> u[...] = np.arange(12).reshape(4, 3)
    >>> u.write(os.path.join(folder, "u.npy"))
    >>> np.load(os.path.join(folder, "u.npy"))[2]
    array([6., 7., 8.])
    >>> subx.info(os.path.join(folder, "u.npy"), MPI.COMM_SELF).sizes
    (4, 3)
    >>> bool((subx.read(os.path.join(folder, "u.npy"), d) == u).all())
    True
    """
    comm, targets = to.comm if isinstance(to, Distribution) else find_comm(to), []
    if isinstance(to, Distribution) and dtype is None:
        dtype = info(path, comm, dataset=dataset, **hints).dtype

    def prepare(hold: Any) -> tuple[Any, ...]:
        result = to.empty(dtype) if isinstance(to, Distribution) else to
        distribution = result._known()
        if not result.flags.writeable:
            raise ValueError("the array cannot be written")
        target = result if distribution.is_contiguous else _without_gaps(distribution).empty(result.dtype)
        targets.extend([result, target])
        return (_encode(path), *_box(distribution), handle(element_type(result.dtype)), target.ctypes.data,
                hold(Hints({"dataset": dataset, **hints})))

    together(comm, _raw.subx_file_read, prepare)
    result, target = targets
    if target is not result:
        result[...] = target
    return result


@_naming
def info(path: Path, comm: MPI.Intracomm, *, dataset: Optional[str] = None, **hints: Any) -> Info:
    """Get the sizes, type and order of the array in a file (subx_file_get). Collective."""
    room, ndims, storage = _raw.SUBX_NDIMS_MAX, ctypes.c_int(), ctypes.c_int()
    lengths, element = (ctypes.c_ssize_t * room)(), MPI_Datatype()
    together(comm, _raw.subx_file_get, lambda hold: (
        _encode(path), hold(Hints({"dataset": dataset, **hints})), room, ndims, lengths, storage, element))
    return Info(tuple(lengths)[:ndims.value], _dtype_of(datatype(element)), storage.value)


# The types of elements that subx_file_get may return, and their names in NumPy.
_DTYPES = [(MPI.FLOAT, "f4"), (MPI.DOUBLE, "f8"), (MPI.C_FLOAT_COMPLEX, "c8"), (MPI.C_DOUBLE_COMPLEX, "c16"),
           (MPI.INT8_T, "i1"), (MPI.INT16_T, "i2"), (MPI.INT32_T, "i4"), (MPI.INT64_T, "i8"), (MPI.UINT8_T, "u1"),
           (MPI.UINT16_T, "u2"), (MPI.UINT32_T, "u4"), (MPI.UINT64_T, "u8"), (MPI.BYTE, "u1")]


def _dtype_of(kind: MPI.Datatype) -> np.dtype:
    return next((np.dtype(name) for known, name in _DTYPES if known == kind), np.dtype("V1"))
