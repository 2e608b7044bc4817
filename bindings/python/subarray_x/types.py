"""Datatypes of MPI: create subarrays in any storage order, describe types, compare them, pack. All functions are local.

>>> from mpi4py import MPI
>>> from subarray_x import types
>>> t = types.create_subarray((4, 6), (2, 3), (1, 2), MPI.DOUBLE, order=(0, 1))
>>> types.get_subarray(t).order
(0, 1)
>>> types.layout(t).block_bytes
8
>>> t.Free()
"""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Sequence

import numpy as np
from mpi4py import MPI

from . import _raw
from ._arguments import array as _array, check_ndarray, ints, result, text
from ._mpi import MPI_Aint, MPI_Count, MPI_Datatype, datatype, handle

Axes = Sequence[int]


class Subarray(NamedTuple):
    """The arguments that created a subarray type."""
    sizes: tuple[int, ...]
    subsizes: tuple[int, ...]
    starts: tuple[int, ...]
    storage: int  # MPI.ORDER_C or MPI.ORDER_FORTRAN
    order: tuple[int, ...]  # axes, innermost first
    element: MPI.Datatype


class Layout(NamedTuple):
    """A strided block: `block_bytes` contiguous bytes, repeated over levels; the first level is the innermost."""
    n: tuple[int, ...]
    strides: tuple[int, ...]
    block_bytes: int
    offset: int


def create_subarray(sizes: Axes, subsizes: Axes, starts: Axes, element: MPI.Datatype, *, storage: int = MPI.ORDER_C,
                    order: Optional[Axes] = None) -> MPI.Datatype:
    """Create the datatype of a subarray that is traversed in any order of its axes (subx_type_create_subarray_c).

    The caller commits and frees the datatype, as one of MPI_Type_create_subarray."""
    if not len(sizes) == len(subsizes) == len(starts) or (order is not None and len(order) != len(sizes)):
        raise ValueError("sizes, subsizes, starts and order have the same length")
    lists = [_array(MPI_Count, values) for values in (sizes, subsizes, starts)]
    new = MPI_Datatype()
    _raw.subx_type_create_subarray_c(len(sizes), *lists, storage, ints(order), handle(element), new)
    return datatype(new)


def get_subarray(kind: MPI.Datatype) -> Subarray:
    """Get the arguments that created a subarray type, with this library or with MPI (subx_type_get_subarray). If the type of
    the elements is not a predefined one, the caller frees it."""
    room, ndims, storage = _raw.SUBX_NDIMS_MAX, ctypes.c_int(), ctypes.c_int()
    lists = [(MPI_Count * room)() for _ in range(3)]
    order, element = (ctypes.c_int * room)(), MPI_Datatype()
    _raw.subx_type_get_subarray(handle(kind), room, ndims, *lists, storage, order, element)
    n = ndims.value
    return Subarray(*(tuple(values)[:n] for values in lists), storage.value, tuple(order)[:n], datatype(element))


def layout(kind: MPI.Datatype) -> Layout:
    """Get the strided block that a type describes (subx_type_get_layout)."""
    room, ndims, bytes_, offset = _raw.SUBX_NDIMS_MAX, ctypes.c_int(), MPI_Count(), MPI_Aint()
    n, strides = (MPI_Count * room)(), (MPI_Aint * room)()
    _raw.subx_type_get_layout(handle(kind), room, ndims, n, strides, bytes_, offset)
    levels = ndims.value
    return Layout(tuple(n)[:levels], tuple(strides)[:levels], bytes_.value, offset.value)


def describe(kind: MPI.Datatype) -> str:
    """Get a line that tells how a type was created, its strided block, its size and its extent (subx_type_print)."""
    return text(_raw.subx_type_print, handle(kind))


def match(a: MPI.Datatype, b: MPI.Datatype) -> bool:
    """Tell whether two types have the same signature (subx_type_query_match)."""
    return bool(result(_raw.subx_type_query_match, ctypes.c_int, handle(a), handle(b), after=3))


def is_fileview(kind: MPI.Datatype) -> bool:
    """Tell whether a type may be the filetype of a file view (subx_type_query_fileview)."""
    return bool(result(_raw.subx_type_query_fileview, ctypes.c_int, handle(kind)))


def _find(data: np.ndarray, what: str, kind: MPI.Datatype, count: int) -> int:
    """Check that an array has the memory of `count` elements of a type, and get its address."""
    check_ndarray(data, what, writes=what == "written")
    true_lower, true_extent = kind.Get_true_extent()
    if count and (true_lower < 0 or (count - 1) * kind.Get_extent()[1] + true_lower + true_extent > data.nbytes):
        raise ValueError("the type leaves the array")
    if not data.flags.c_contiguous:
        raise ValueError(f"the array that is {what} is contiguous; the type says which of its elements are meant")
    return data.ctypes.data


def pack(data: np.ndarray, kind: MPI.Datatype, count: int = 1) -> np.ndarray:
    """Pack `count` elements of a type into bytes (subx_type_pack). Displacements count from the beginning of data."""
    address, packed = _find(data, "packed", kind, count), np.empty(kind.Get_size() * count, np.uint8)
    _raw.subx_type_pack(address, count, handle(kind), packed.ctypes.data, packed.nbytes, MPI_Count(0))
    return packed


def unpack(packed: np.ndarray, data: np.ndarray, kind: MPI.Datatype, count: int = 1) -> None:
    """Unpack bytes that `pack` returned into an array (subx_type_unpack)."""
    bytes_, address = _find(packed, "unpacked", MPI.BYTE, 0), _find(data, "written", kind, count)
    _raw.subx_type_unpack(bytes_, packed.nbytes, MPI_Count(0), address, count, handle(kind))
