"""When objects of the C libraries are freed.

All ranks must free plans and exchanges together, in the same order. But Python drops an object at a different time on each rank.
Therefore a dropped object is only noted. When all ranks create the next object on the same communicator, they agree on the
objects that every rank has dropped, and free these. The method free of an object frees it at once. MPI.Finalize first frees all
objects that have handles of MPI; so does the end of the program, after which mpi4py calls MPI_Finalize.
"""
from __future__ import annotations

import atexit
import contextlib
import ctypes
import itertools
import weakref
from typing import Any, Callable

import numpy as np
from mpi4py import MPI

from ._error import Error
from ._mpi import communicator
from ._together import together


def mpi_is_alive() -> bool:
    return MPI.Is_initialized() and not MPI.Is_finalized()


class _Registry:
    """The objects of a communicator. They are numbered in the order of their creation, which is the same on all ranks."""

    numbers = itertools.count()

    def __init__(self) -> None:
        self.entries: dict[int, tuple[Any, ctypes.c_void_p]] = {}
        self.dropped: set[int] = set()

    def collect(self, comm: MPI.Intracomm) -> None:
        """Free the objects that all ranks have dropped. Collective."""
        if not self.entries:
            return
        numbers = sorted(self.entries)
        dropped = np.array([number in self.dropped for number in numbers], dtype="i")
        comm.Allreduce(MPI.IN_PLACE, dropped, MPI.MIN)
        for number, all_dropped in zip(numbers, dropped):
            if all_dropped:
                with contextlib.suppress(Error):  # one that is in flight stays
                    self.free(number)

    def free(self, number: int) -> None:
        """Free an object. After an error it stays, so that it can be freed later."""
        free, pointer = self.entries[number]
        free(ctypes.byref(pointer))
        del self.entries[number]
        self.dropped.discard(number)
        _with_handles.pop(number, None)


_keyval: int = MPI.KEYVAL_INVALID
_with_handles: dict[int, _Registry] = {}  # the registries of all objects that have handles of MPI


def _registry(comm: MPI.Intracomm) -> _Registry:
    global _keyval
    if _keyval == MPI.KEYVAL_INVALID:
        _keyval = MPI.Comm.Create_keyval()
        MPI.COMM_SELF.Set_attr(MPI.Comm.Create_keyval(delete_fn=_free_all), True)
        atexit.register(_free_all)  # without Python, mpi4py cannot call it
    registry = comm.Get_attr(_keyval)
    if registry is None:
        registry = _Registry()
        comm.Set_attr(_keyval, registry)
    return registry


def _free_all(*deleted: Any) -> None:
    """Free all objects that have handles of MPI, in the order of their creation: so each two ranks free the objects that they share
    in the same order. MPI calls this at the beginning of MPI_Finalize."""
    for number in sorted(_with_handles) if mpi_is_alive() else ():
        with contextlib.suppress(Error):
            _with_handles[number].free(number)


def _drop(registry: _Registry, number: int) -> None:
    if number in registry.entries:
        registry.dropped.add(number)


class Collective:
    """An object that all ranks of a communicator create and free together. `_pointer` is its handle in C."""

    _has_handles = True  # of MPI

    def __init__(self, comm: MPI.Intracomm, create: Any, prepare: Callable[[Any], Any], free: Any):
        """create is a function of C that is called with comm, the arguments that prepare returns, and a reference to the handle;
        see `together`. Collective."""
        self.comm = communicator(comm)
        registry = _registry(comm)
        registry.collect(comm)
        pointer = ctypes.c_void_p()
        together(comm, create, lambda hold: (*prepare(hold), ctypes.byref(pointer)))
        pointer.name = type(self).__name__  # for errors
        self._pointer = pointer
        self._registry, self._number = registry, next(registry.numbers)
        registry.entries[self._number] = (free, pointer)
        if self._has_handles:
            _with_handles[self._number] = registry
        self._finalizer = weakref.finalize(self, _drop, registry, self._number)
        self._finalizer.atexit = False

    def free(self) -> None:
        """Free the object now. Collective. Arrays stay valid. Calling free again does nothing."""
        if self._number in self._registry.entries and mpi_is_alive():
            self._registry.free(self._number)
        self._finalizer.detach()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.free()


class Local:
    """An object that a rank creates and frees without the other ranks."""

    def __init__(self, create: Callable[[Any], Any], free: Any):
        pointer = ctypes.c_void_p()
        create(ctypes.byref(pointer))
        pointer.name = type(self).__name__  # for errors
        self._pointer = pointer
        self._finalizer = weakref.finalize(self, _free, free, pointer)
        self._finalizer.atexit = False

    def free(self) -> None:
        """Free the object now. Calling free again does nothing."""
        self._finalizer()


def _free(free: Any, pointer: ctypes.c_void_p) -> None:
    if mpi_is_alive():
        free(ctypes.byref(pointer))
