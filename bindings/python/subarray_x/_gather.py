"""Collect a part of a distributed array on one rank."""
from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np
from mpi4py import MPI

from ._arguments import integer
from ._error import Error
from ._mpi import communicator
from ._together import raise_together

_PIECE = 1 << 30  # most bytes of a message: counts of MPI are ints
_TAG = 4321


def _normalise(index: Any, shape: tuple[int, ...]) -> list[Any]:
    """Get an integer or a slice per axis, without the negative indices that count from the end."""
    index = index if isinstance(index, tuple) else (index,)
    if sum(1 for i in index if i is Ellipsis) > 1:
        raise IndexError("an index has at most one Ellipsis")
    if Ellipsis not in [i if i is Ellipsis else None for i in index]:
        index = index + (Ellipsis,)
    at = next(n for n, i in enumerate(index) if i is Ellipsis)
    missing = len(shape) - (len(index) - 1)
    if missing < 0:
        raise IndexError(f"{len(index) - 1} indices for an array of {len(shape)} axes")
    index = index[:at] + (slice(None),) * missing + index[at + 1:]
    return [_one(i, n, axis) for axis, (i, n) in enumerate(zip(index, shape))]


def _one(i: Any, n: int, axis: int) -> Any:
    if isinstance(i, slice):
        start, stop, step = i.indices(n)
        if step < 0:
            raise IndexError(f"the step of axis {axis} is {step}; steps are positive")
        return slice(start, max(start, stop), step)
    if isinstance(i, (bool, np.bool_)) or not hasattr(i, "__index__"):
        raise TypeError(f"the index of axis {axis} is an integer or a slice, not {i!r}")
    i = integer(f"the index of axis {axis}", i)
    if not -n <= i < n:
        raise IndexError(f"index {i} is out of the {n} elements of axis {axis}")
    return i % n


def _intersect(wanted: Any, start: int, stop: int) -> tuple[Any, Any]:
    """Get the indices of the local elements that are wanted along an axis, and their place in the result. If `wanted` is an
    integer, the result does not have this axis, and the place is None. (None, None) if this rank has no wanted element."""
    if not isinstance(wanted, slice):
        return (wanted - start, None) if start <= wanted < stop else (None, None)
    skipped = max(0, -((wanted.start - start) // wanted.step)) if wanted.start < start else 0
    first = wanted.start + skipped * wanted.step
    end = min(stop, wanted.stop)
    count = max(0, -((first - end) // wanted.step))
    if not count:
        return None, None
    return slice(first - start, first - start + (count - 1) * wanted.step + 1, wanted.step), slice(skipped, skipped + count)


def _send(comm: MPI.Intracomm, flat: np.ndarray, root: int) -> None:
    data = flat.view(np.uint8).reshape(-1)
    for at in range(0, data.size, _PIECE):
        comm.Send([data[at:at + _PIECE], MPI.BYTE], root, _TAG)


def _receive(comm: MPI.Intracomm, flat: np.ndarray, source: int) -> None:
    data = flat.view(np.uint8).reshape(-1)
    for at in range(0, data.size, _PIECE):
        comm.Recv([data[at:at + _PIECE], MPI.BYTE], source, _TAG)


def get(array: np.ndarray, comm: MPI.Intracomm, prepare: Callable[[], tuple[Any, ...]], root: int) -> Optional[np.ndarray]:
    """Get a part of the global array on root; other ranks get None. prepare returns the shape of the global array, the slices of
    this rank's part, and the index. Collective."""
    communicator(comm)
    failure, wanted, piece, target = None, None, None, None
    try:
        shape, slices, index = prepare()
        if not 0 <= integer("root", root) < comm.size:
            raise ValueError(f"root is {root}; it must be a rank from 0 to {comm.size - 1}")
        wanted = _normalise(index, shape)
        parts = [_intersect(w, s.start, s.stop) for w, s in zip(wanted, slices)]
        if all(local is not None for local, _ in parts):
            piece = np.ascontiguousarray(np.asarray(array)[tuple(local for local, _ in parts)])
            target = tuple(place for _, place in parts if place is not None)
    except Exception as error:  # pylint: disable=broad-except
        failure = error
    told = comm.allgather((failure is not None, (wanted, root), target))
    if any(is_wrong for is_wrong, _, _ in told):
        raise_together(comm, failure)
    if any(asked != told[0][1] for _, asked, _ in told):
        raise Error.of_kind("DIFFERS")
    if comm.rank != root:
        if piece is not None and piece.size:
            _send(comm, np.atleast_1d(piece), root)
        return None
    whole = np.zeros([len(range(w.start, w.stop, w.step)) for w in wanted if isinstance(w, slice)], array.dtype)
    for rank, (_, _, place) in enumerate(told):
        if rank == root and place is not None:
            whole[place] = piece
        elif place is not None and whole[place].size:
            part = np.empty_like(np.atleast_1d(whole[place]), order="C")
            _receive(comm, part, rank)
            whole[place] = part.reshape(np.shape(whole[place]))
    return whole
