"""Exchanges of blocks between ranks: any datatypes, realignment, redistribution, halos."""
from __future__ import annotations

import ctypes
import math
from typing import Any, Optional, Sequence

import numpy as np
from mpi4py import MPI

from . import _raw
from ._arguments import array as _array, axis_of, check_ndarray, exactly, ints, names, result, sizes as _sizes, integer, integers
from ._lifetime import Collective, Local
from ._mpi import Hints, MPI_Datatype, MPI_Info, element_type, handle, info_items
from ._together import end, give_up, together, try_find
from .arrays import Array, Distribution, block, find_comm

Axes = Sequence[int]


def engines() -> list[str]:
    """Get the names of the engines that can move the data of exchanges.

    >>> import subarray_x as subx
    >>> "alltoallw" in subx.engines()
    True
    """
    return names(_raw.subx_exch_query_engine)


def _address(data: Any) -> Optional[int]:
    """Get the address of an array, or None. The array may be stored in any way: the exchange knows how."""
    if data is None:
        return None
    return (type(data) is Array and data._address) or data.ctypes.data


class _Moving(Collective):
    """What exchanges and halos have in common: executions. _of_c has the functions of C that execute, start, test and wait."""

    _of_c: tuple[Any, Any, Any, Any]
    _in_flight: Any = None
    _failure: Optional[Exception] = None  # why the execution in flight has no arrays

    def _find(self, *arrays: Any) -> tuple[Any, ...]:
        """Check the arrays, and get their addresses."""
        raise NotImplementedError

    def _execute(self, *arrays: Any) -> None:
        try:
            addresses = self._find(*arrays)
        except Exception:
            give_up(self._of_c[0], self._pointer)
            raise
        self._of_c[0](self._pointer, *addresses)

    def _start(self, *arrays: Any) -> None:
        addresses, failure = try_find(self._find, *arrays)
        self._of_c[1](self._pointer, *(addresses or [None] * len(arrays)))
        self._in_flight, self._failure = arrays, failure

    def test(self) -> bool:
        """Continue as far as possible without waiting. Returns True if only the call of wait is left."""
        return bool(result(self._of_c[2], ctypes.c_int, self._pointer))

    def wait(self) -> None:
        """Wait until the execution is complete. Collective."""
        failure, self._failure = self._failure, None
        try:
            end(failure, self._of_c[3], self._pointer)
        finally:
            self._in_flight = None


class Exchange(_Moving):
    """Every rank sends one send type to each rank and receives one receive type from each (subx_exch_create). Collective.

    send and recv have one mpi4py datatype per rank of comm, or None where nothing is sent or received. hints are the hints of
    subx_exch_create without subx_, such as engine="shm".

    >>> import subarray_x as subx
    >>> ex = subx.Exchange(MPI.COMM_SELF, [MPI.DOUBLE], [MPI.DOUBLE])
    >>> a, b = np.ones(1), np.zeros(1)
    >>> ex.execute(a, b)
    >>> b
    array([1.])
    >>> ex.free()
    """

    _of_c = _raw.subx_exch_execute, _raw.subx_exch_start, _raw.subx_exch_test, _raw.subx_exch_wait

    def __init__(self, comm: MPI.Intracomm, send: Sequence[Optional[MPI.Datatype]], recv: Sequence[Optional[MPI.Datatype]],
                 **hints: Any):
        def prepare(hold: Any) -> tuple[Any, ...]:
            for name, side in (("send", send), ("recv", recv)):
                if isinstance(side, MPI.Datatype) or not np.iterable(side) or len(side) != comm.size:
                    raise ValueError(f"{name} is a list with one datatype, or None, for each of {comm.size} ranks, not {side!r}")
            types = [_array(MPI_Datatype, [handle(t or MPI.DATATYPE_NULL).value for t in side]) for side in (send, recv)]
            return (*types, hold(Hints(hints)))

        Collective.__init__(self, comm, _raw.subx_exch_create, prepare, _raw.subx_exch_free)

    def _check(self, send: Any, recv: Any) -> None:
        """Check the arrays. Subclasses also check the shapes, which this class does not know."""
        for data, what in ((send, "sent"), (recv, "received")):
            if data is not None:
                check_ndarray(data, what, writes=data is recv)

    def _find(self, send: Any, recv: Any) -> tuple[Any, Any]:
        self._check(send, recv)
        return _address(send), _address(recv)

    def execute(self, send: Any, recv: Any) -> None:
        """Execute the exchange, from one array to another. Collective."""
        self._execute(send, recv)

    def start(self, send: Any, recv: Any) -> None:
        """Start the exchange; wait ends it. Until then, do not write to send, and neither read nor write recv. If an array is
        wrong, wait raises the exception. Collective."""
        self._start(send, recv)

    @property
    def engine(self) -> str:
        """The engine that moves the data."""
        return (result(_raw.subx_exch_get, ctypes.c_char_p, self._pointer, after=3) or b"").decode()

    def info(self) -> dict[str, str]:
        """Get the hints that are in effect."""
        info = MPI_Info()
        _raw.subx_exch_get_info(self._pointer, info)
        return info_items(info)


class Realignment(Exchange):
    """Realigns an array: axis v is whole before, axis w is whole afterwards (subx_exch_create_realign). Collective.

    sizes are the global lengths of axes v and w, and the local lengths of the other axes. The orders, innermost axis first,
    tell how both arrays are stored.
    """

    def __init__(self, comm: MPI.Intracomm, sizes: Axes, v: int, w: int, dtype: Any = float, *,
                 send_order: Optional[Axes] = None, recv_order: Optional[Axes] = None, **hints: Any):
        def prepare(hold: Any) -> tuple[Any, ...]:
            element = dtype if isinstance(dtype, MPI.Datatype) else element_type(dtype)
            self._sizes, self._element = integers("sizes", sizes), element.Get_size()
            ndims = len(self._sizes)
            exactly(ndims, send_order=send_order, recv_order=recv_order)
            self._v, self._w = axis_of(v, ndims), axis_of(w, ndims)
            return (ndims, _sizes(self._sizes), self._v, self._w, ints(send_order), ints(recv_order), handle(element),
                    hold(Hints(hints)))

        Collective.__init__(self, comm, _raw.subx_exch_create_realign, prepare, _raw.subx_exch_free)

    def _check(self, send: Any, recv: Any) -> None:
        super()._check(send, recv)
        for data, divided, what in ((send, self._w, "sent"), (recv, self._v, "received")):
            local = list(self._sizes)
            local[divided] = block(local[divided], self.comm.size, self.comm.rank)[0]
            count = math.prod(local) * self._element
            if (0 if data is None else data.nbytes) != count:
                raise ValueError(f"the array that is {what} has {getattr(data, 'nbytes', 0)} bytes, not {count}")
            if data is not None and not data.flags.forc:
                raise ValueError(f"the array that is {what} has gaps: strides {data.strides}, shape {data.shape}")


class Boxes(Local):
    """The boxes of a global array that this rank has, or wants, and their places in its memory (subx_boxes_create).

    >>> import subarray_x as subx
    >>> boxes = subx.Boxes((8, 8))
    >>> boxes.add((0, 0), (8, 3))
    >>> boxes.add((0, 5), (8, 3), order=(0, 1))
    >>> len(boxes), boxes.elements
    (2, 48)
    """

    def __init__(self, sizes: Axes):
        self.sizes = integers("sizes", sizes)
        super().__init__(lambda out: _raw.subx_boxes_create(len(self.sizes), _sizes(sizes), out), _raw.subx_boxes_free)

    @classmethod
    def from_type(cls, kind: MPI.Datatype, sizes: Axes, element: MPI.Datatype) -> "Boxes":
        """Create the boxes that a filetype describes, for example a type of MPI_Type_create_darray (subx_boxes_create_type)."""
        self = cls.__new__(cls)
        self.sizes = tuple(map(int, sizes))
        Local.__init__(self, lambda out: _raw.subx_boxes_create_type(
            handle(kind), len(self.sizes), _sizes(sizes), handle(element), out), _raw.subx_boxes_free)
        return self

    def add(self, start: Axes, shape: Axes, order: Optional[Axes] = None, *, offset: Optional[int] = None,
            strides: Optional[Axes] = None) -> None:
        """Add a box. Without strides its place is behind the boxes before, with `order` as its storage order. With strides, its
        place is at `offset`; strides and offset count elements. ValueError if there are both order and strides, or an offset
        without strides."""
        exactly(len(self.sizes), start=start, shape=shape, order=order, strides=strides)
        if strides is None and offset is not None:
            raise ValueError("offset without strides: a box without strides lies behind those that are there")
        if strides is not None and order is not None:
            raise ValueError("order with strides: the strides say how the box lies in memory")
        if strides is not None:
            _raw.subx_boxes_add_strided(self._pointer, _sizes(start), _sizes(shape), offset or 0, _sizes(strides))
        else:
            _raw.subx_boxes_add_ordered(self._pointer, _sizes(start), _sizes(shape), ints(order))

    def __len__(self) -> int:
        return result(_raw.subx_boxes_get, ctypes.c_int, self._pointer, None, None, after=2)

    @property
    def elements(self) -> int:
        """The number of elements that the memory of all boxes must have."""
        return result(_raw.subx_boxes_get, ctypes.c_ssize_t, self._pointer, None, None, None, None)

    def __getitem__(self, i: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Get the start and the shape of a box."""
        if not 0 <= i < len(self):
            raise IndexError(f"there are {len(self)} boxes")
        start, shape, strides = (_sizes([0] * len(self.sizes)) for _ in range(3))
        _raw.subx_boxes_get_box(self._pointer, i, start, shape, ctypes.c_ssize_t(), strides)
        return tuple(start)[:len(self.sizes)], tuple(shape)[:len(self.sizes)]

    def check(self, comm: MPI.Intracomm, must_cover: bool = False) -> None:
        """Check that no element is in two boxes; if must_cover, also that every element is in a box. Collective."""
        together(comm, _raw.subx_boxes_check, lambda hold: (self._pointer, int(must_cover)))


def _boxes_of(distribution: Distribution) -> Boxes:
    """Get the block of this rank as a box. Several fields are one more axis, which is whole."""
    boxes = Boxes(distribution.global_shape)
    start = [s.start for s in distribution.slices]
    boxes.add(start, distribution.local_shape, offset=0, strides=distribution.element_strides)
    return boxes


class Redistribution(Exchange):
    """Moves an array from the boxes that the ranks have to the boxes that they want (subx_exch_create_boxes). Collective.

    have and want are Distributions, Boxes, or arrays of a Distribution. Several ranks may want the same element.

    >>> import subarray_x as subx
    >>> comm = MPI.COMM_WORLD
    >>> rows, columns = subx.Distribution(comm, (6, 5)), subx.Distribution(comm, (6, 5), (1, comm.size))
    >>> u, v = rows.zeros(), columns.zeros()
    >>> i, j = rows.indices()
    >>> u[...] = i * 5 + j
    >>> subx.Redistribution(rows, columns).execute(u, v)
    >>> i, j = columns.indices()
    >>> bool((v == i * 5 + j).all())
    True
    """

    def __init__(self, have: Any, want: Any, dtype: Any = float, *, comm: Optional[MPI.Intracomm] = None, **hints: Any):
        def prepare(hold: Any) -> tuple[Any, ...]:
            self._ends = [side._known() if isinstance(side, Array) else side for side in (have, want)]
            for name, side in zip(("have", "want"), self._ends):
                if not isinstance(side, (Distribution, Boxes)):
                    raise TypeError(f"{name} is a Distribution, Boxes or an Array, not {side!r}")
            boxes = [hold(_boxes_of(side)) if isinstance(side, Distribution) else side for side in self._ends]
            self._dtype = None if isinstance(dtype, MPI.Datatype) else np.dtype(dtype)
            element = dtype if isinstance(dtype, MPI.Datatype) else element_type(dtype)
            return boxes[0]._pointer, boxes[1]._pointer, handle(element), hold(Hints(hints))

        for side in (have, want):
            comm = comm or (side.comm if isinstance(side, Distribution) else find_comm(side) if isinstance(side, Array) else None)
        if comm is None:
            raise TypeError("boxes belong to no communicator: give comm")
        Collective.__init__(self, comm, _raw.subx_exch_create_boxes, prepare, _raw.subx_exch_free)

    def _check(self, send: Any, recv: Any) -> None:
        super()._check(send, recv)
        for side, data, what in zip(self._ends, (send, recv), ("sent", "received")):
            if self._dtype is not None and data is not None and data.dtype != self._dtype:
                raise TypeError(f"the array that is {what} has elements of {data.dtype}, not {self._dtype}")
            if isinstance(side, Distribution):
                check_array(data, side, what)
            elif data is not None and self._dtype is not None and data.size < side.elements:
                raise ValueError(f"the array that is {what} has {data.size} elements, and its boxes {side.elements}")


def check_array(data: Any, distribution: Distribution, what: str) -> None:
    """Check that an array is stored as a distribution says."""
    strides = distribution.element_strides
    check_ndarray(data, what)
    if data.shape != distribution.local_shape:
        raise ValueError(f"the array that is {what} has shape {data.shape}, not {distribution.local_shape}")
    if data.size and any(n > 1 and s != t * data.itemsize for n, s, t in zip(data.shape, data.strides, strides)):
        is_c = strides == np.empty(data.shape, "b").strides
        raise ValueError(f"the array that is {what} has strides {data.strides} in bytes, not "
                         f"{tuple(s * data.itemsize for s in strides)}"
                         + ("; np.ascontiguousarray makes a copy in C order" if is_c else ""))


class Halo(_Moving):
    """Fills the ghost cells around each rank's block (subx_halo_create). Collective.

    below and above are numbers of ghost cells per axis, or one for all; periodic are flags per axis, or one for all.

    >>> import subarray_x as subx
    >>> d = subx.Distribution(MPI.COMM_SELF, (4,))
    >>> halo = subx.Halo(d, 1, 1, periodic=True)
    >>> u = halo.zeros()
    >>> halo.inside(u)[...] = [1, 2, 3, 4]
    >>> halo.execute(u)
    >>> u
    array([4., 1., 2., 3., 4., 1.])
    """

    _of_c = _raw.subx_halo_execute, _raw.subx_halo_start, _raw.subx_halo_test, _raw.subx_halo_wait

    def __init__(self, distribution: Distribution, below: Any, above: Any, periodic: Any = False, dtype: Any = float,
                 **hints: Any):
        if not isinstance(distribution, Distribution):
            raise TypeError(f"a halo is of a Distribution, not {distribution!r}")

        def prepare(hold: Any) -> tuple[Any, ...]:
            ndims = len(distribution.sizes)
            if distribution.fields != 1:
                raise ValueError(f"a halo is of one field, not {distribution.fields}")
            self.below, self.above, flags = (
                (integer(name, w, 0),) * ndims if np.ndim(w) == 0 else integers(name, w, ndims, least=0)
                for name, w in (("below", below), ("above", above), ("periodic", periodic)))
            self.dtype = np.dtype(dtype)
            return (ndims, _sizes(distribution.sizes), _sizes(distribution.start), _sizes(distribution.shape),
                    _sizes(self.below), _sizes(self.above), ints(flags), None, handle(element_type(dtype)), hold(Hints(hints)))

        self.distribution = distribution
        super().__init__(distribution.comm, _raw.subx_halo_create, prepare, _raw.subx_halo_free)

    def zeros(self) -> np.ndarray:
        """Create an array with room for the ghost cells."""
        return np.zeros(self._shape(), self.dtype)

    def _shape(self) -> tuple[int, ...]:
        return tuple(b + n + a for b, n, a in zip(self.below, self.distribution.shape, self.above))

    def inside(self, u: np.ndarray) -> np.ndarray:
        """Get the view of the cells that this rank owns."""
        return u[tuple(slice(b, b + n) for b, n in zip(self.below, self.distribution.shape))]

    def _find(self, u: np.ndarray) -> tuple[int]:
        shape = self._shape()
        check_ndarray(u, "filled", writes=True)
        if u.dtype != self.dtype:
            raise TypeError(f"the array that is filled has elements of {u.dtype}, not {self.dtype}")
        if u.shape != shape:
            raise ValueError(f"the array that is filled has shape {u.shape}, not {shape}: the block and its ghost cells")
        if not u.flags.c_contiguous:
            raise ValueError("the array that is filled is not in C order; np.ascontiguousarray makes a copy in C order")
        return (u.ctypes.data,)

    def execute(self, u: np.ndarray) -> None:
        """Fill the ghost cells. Collective."""
        self._execute(u)

    def start(self, u: np.ndarray) -> None:
        """Start to fill the ghost cells; wait ends this. If the array is wrong, wait raises the exception. Collective."""
        self._start(u)
