"""Handles of MPI: convert objects of mpi4py to the handles of C, and back."""
from __future__ import annotations

import ctypes
import functools
from typing import Any, Mapping, Optional

import numpy as np
from mpi4py import MPI

from ._arguments import encoded


@functools.lru_cache(maxsize=None)
def _handle_type(kind: type) -> Any:
    """Get the ctypes type of a handle: in some MPI libraries it is a pointer, in others an int. Each sort of handle has a type
    of its own."""
    base = ctypes.c_void_p if MPI._sizeof(kind) == ctypes.sizeof(ctypes.c_void_p) else ctypes.c_int
    return type("MPI_" + kind.__name__, (base,), {})


MPI_Comm = _handle_type(MPI.Comm)
MPI_Info = _handle_type(MPI.Info)
MPI_Datatype = _handle_type(MPI.Datatype)
MPI_Count = ctypes.c_int64 if MPI.COUNT.Get_size() == 8 else ctypes.c_int
MPI_Aint = ctypes.c_ssize_t


def check_alive() -> None:
    """Check that MPI is running: most functions of MPI end the process if it is not."""
    if not MPI.Is_initialized() or MPI.Is_finalized():
        raise RuntimeError("MPI is not running: " + ("after MPI.Finalize" if MPI.Is_initialized() else "before MPI.Init"))


def communicator(comm: Any) -> Any:
    """Check an argument that is a communicator, and that MPI is running."""
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm is a communicator of mpi4py, such as MPI.COMM_WORLD, not {comm!r}")
    check_alive()
    if comm == MPI.COMM_NULL:
        raise ValueError("comm is MPI.COMM_NULL")
    return comm


def handle(thing: Any) -> Any:
    """Get the handle of a communicator, datatype or info object, as a ctypes object."""
    kind = next((k for k in (MPI.Comm, MPI.Datatype, MPI.Info) if isinstance(thing, k)), None)
    if kind is None:
        raise TypeError(f"a communicator or a datatype of mpi4py is needed, not {thing!r}")
    check_alive()
    return _handle_type(kind).from_address(MPI._addressof(thing))


def datatype(raw: Any) -> MPI.Datatype:
    """Make an mpi4py datatype from a handle that a C function gave."""
    result = MPI.Datatype()
    MPI_Datatype.from_address(MPI._addressof(result)).value = raw.value
    return result


def info_items(raw: Any) -> dict[str, str]:
    """Get the keys, without subx_, and the values of an info object that a C function gave, and free it."""
    info = MPI.Info()
    MPI_Info.from_address(MPI._addressof(info)).value = raw.value
    items = {key.replace("subx_", "", 1): value for key, value in info.items()}
    info.Free()
    return items


def _word(value: Any) -> str:
    """Get the text of a hint's value, as the C libraries read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value)
    return str(value)


class Hints:
    """Hints given as keywords: a context that yields a handle of an MPI_Info.

    grid=(2, 2) is "2x2", sequence=(2, 0, 1) is "2,0,1", True is "yes", and None leaves a hint out."""

    def __init__(self, hints: Mapping[str, Any], info: Optional[MPI.Info] = None):
        self._words = {}
        for key, value in hints.items():
            if value is None:
                continue
            if isinstance(value, (tuple, list)):
                value = ("x" if key == "grid" else ",").join(map(str, value))
            self._words["subx_" + key] = _word(value)
            encoded(f"hint {key}", self._words["subx_" + key])
        self._given = info
        self._info = MPI.INFO_NULL

    def __enter__(self) -> Any:
        check_alive()
        if self._given is None and not self._words:
            return handle(MPI.INFO_NULL)
        self._info = MPI.Info.Create() if self._given in (None, MPI.INFO_NULL) else self._given.Dup()
        for key, value in self._words.items():
            self._info.Set(key, value)
        return handle(self._info)

    def __exit__(self, *exception: Any) -> None:
        if self._info != MPI.INFO_NULL:
            self._info.Free()


def element_type(dtype: Any) -> MPI.Datatype:
    """Get MPI's type for a NumPy type.

    >>> element_type("complex128") == MPI.C_DOUBLE_COMPLEX
    True
    """
    dtype = np.dtype(dtype)
    check_alive()
    kind = MPI._typedict.get(dtype.char, MPI.DATATYPE_NULL)
    # Texts of several characters have one char. MPICH 4.0 has a type for float16, but subarrays of it are empty.
    if not dtype.isnative or dtype.char == "e" or kind == MPI.DATATYPE_NULL or kind.Get_size() != dtype.itemsize:
        raise TypeError(f"MPI has no type for elements of NumPy's {dtype}; astype converts an array, for example to float32")
    return kind
