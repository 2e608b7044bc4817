"""Distributed arrays, of which each rank has a block: Distribution tells how an array is divided, Array has the elements."""
from __future__ import annotations

import ctypes
import math
import operator
from typing import Any, Optional, Sequence

import numpy as np
from mpi4py import MPI

from . import _raw
from ._arguments import axis_of, exactly, ints, sizes as _sizes, integer, integers
from ._lifetime import Collective
from ._mpi import Hints, communicator
from ._together import agree

Axes = Sequence[int]


def block(n: int, parts: int, part: int) -> tuple[int, int]:
    """Get the length and the start of one part, if n elements are divided into `parts` balanced blocks (subx_block_get).

    >>> import subarray_x as subx
    >>> [subx.block(10, 3, r) for r in range(3)]
    [(4, 0), (3, 4), (3, 7)]
    """
    n, parts, part = integer("n", n, 0), integer("parts", parts, 1), integer("part", part)
    if not 0 <= part < parts:
        raise ValueError(f"part is {part}; it must be from 0 to {parts - 1}")
    length, start = ctypes.c_ssize_t(), ctypes.c_ssize_t()
    _raw.subx_block_get(n, parts, part, length, start)
    return length.value, start.value


def choose_dims(nranks: int, sizes: Axes, dims: Axes) -> tuple[int, ...]:
    """Get the dimensions of a good process grid (subx_grid_get_dims). Zeros in dims are replaced, other entries are kept.

    >>> import subarray_x as subx
    >>> subx.choose_dims(4, (64, 64, 64), (0, 0))
    (2, 2)
    """
    sizes, dims = integers("sizes", sizes), integers("dims", dims)
    chosen = ints(dims)
    _raw.subx_grid_get_dims(nranks, len(dims), len(sizes), _sizes(sizes), chosen)
    return tuple(chosen)[:len(dims)]


def _c_order(ndims: int) -> tuple[int, ...]:
    return tuple(range(ndims - 1, -1, -1))


def _strides(shape: Axes, order: Axes, first: int = 1) -> list[int]:
    """Get strides in elements of an array that is stored in an order of its axes, innermost first."""
    strides, step = [0] * len(shape), first
    for axis in order:
        strides[axis] = step
        step *= max(1, shape[axis])
    return strides


class Distribution:
    """How an array is divided among ranks, and how this rank stores its block.

    dims are numbers of ranks, one per axis: 1 does not divide the axis, and for 0 the library chooses. Without dims, axis 0 is
    divided. order lists the axes as the block is stored, innermost first; by default C order. If the array is divided in another
    way, the caller gives the start and the shape of this rank's block. `fields` arrays may be stored together, as one more axis
    of the local array: the last axis if they are interleaved, else the first.

    >>> import subarray_x as subx
    >>> d = subx.Distribution(MPI.COMM_SELF, (6, 4))
    >>> u = d.zeros()
    >>> u.shape, u.slices
    ((6, 4), (slice(0, 6, None), slice(0, 4, None)))
    """

    def __init__(self, comm: MPI.Intracomm, sizes: Axes, dims: Optional[Axes] = None, *, order: Optional[Axes] = None,
                 start: Optional[Axes] = None, shape: Optional[Axes] = None, fields: int = 1,
                 interleaved: bool = False, strides: Optional[Axes] = None, elements: Optional[int] = None):
        self.comm = communicator(comm)
        self.sizes = integers("sizes", sizes, least=0)
        fields = integer("fields", fields, 1)
        self.dims: Optional[tuple[int, ...]] = None
        if (start is None) != (shape is None):
            raise TypeError("start and shape are given together")
        if start is None or shape is None:
            self.dims = self._find_dims(dims)
            start, shape = self._find_block(self.dims)
        exactly(len(self.sizes), start=start, shape=shape, strides=strides, order=order)
        self.start, self.shape = tuple(map(int, start)), tuple(map(int, shape))
        self.order = tuple(order) if order is not None else _c_order(len(self.sizes))
        if sorted(self.order) != list(range(len(self.sizes))):
            raise ValueError(f"order {self.order} is not a permutation of the {len(self.sizes)} axes")
        self.fields, self.interleaved = fields, interleaved
        own = _strides(self.shape, self.order, fields if interleaved else 1)
        self._axis_strides = list(strides) if strides is not None else own
        self.is_contiguous = self._axis_strides == own
        # The elements in the memory of a field, gaps included; if fields are interleaved, in the memory of all fields.
        self._elements = elements if elements is not None else math.prod(self.shape) * (fields if interleaved else 1)
        self._exchanges: dict[Any, Any] = {}

    def _find_dims(self, dims: Optional[Axes]) -> tuple[int, ...]:
        if dims is None:
            dims = [self.comm.size] + [1] * (len(self.sizes) - 1)
        dims = integers("dims", dims, len(self.sizes), least=0)
        product = math.prod(n for n in dims if n)
        if self.comm.size % product or (0 not in dims and product != self.comm.size):
            raise ValueError(f"dims {dims} do not multiply to {self.comm.size} ranks")
        return choose_dims(self.comm.size, [max(1, n) for n in self.sizes], dims) if 0 in dims else dims

    def _find_block(self, dims: Axes) -> tuple[list[int], list[int]]:
        start, shape, rank = [0] * len(dims), [0] * len(dims), self.comm.rank
        for axis in reversed(range(len(dims))):
            shape[axis], start[axis] = block(self.sizes[axis], dims[axis], rank % dims[axis])
            rank //= dims[axis]
        return start, shape

    def __repr__(self) -> str:
        return f"Distribution(sizes={self.sizes}, dims={self.dims}, start={self.start}, shape={self.shape})"

    @property
    def local_shape(self) -> tuple[int, ...]:
        """The shape of the local array, with its axis of fields."""
        return self._with_fields(self.shape, self.fields)

    @property
    def element_strides(self) -> tuple[int, ...]:
        return self._with_fields(self._axis_strides, 1 if self.interleaved else self._elements)

    @property
    def global_shape(self) -> tuple[int, ...]:
        return self._with_fields(self.sizes, self.fields)

    def _with_fields(self, own: Sequence[Any], entry: Any) -> tuple[Any, ...]:
        """Add the entry of the axis of fields to a list with an entry per axis."""
        if self.fields == 1:
            return tuple(own)
        return (*own, entry) if self.interleaved else (entry, *own)

    @property
    def slices(self) -> tuple[slice, ...]:
        """The part of the global array that this rank has: local = whole[slices]."""
        return self._with_fields([slice(s, s + n) for s, n in zip(self.start, self.shape)], slice(0, self.fields))

    def elements(self) -> int:
        """How many elements the memory of the local array has, gaps included."""
        return self._elements * (1 if self.interleaved else self.fields)

    def indices(self) -> tuple[np.ndarray, ...]:
        """Get the global indices of this rank's elements along each axis, in shapes that broadcast to its block."""
        own = [np.arange(s, s + n) for s, n in zip(self.start, self.shape)]
        return tuple(i.reshape([-1 if a == axis else 1 for a in range(len(own))]) for axis, i in enumerate(own))

    def empty(self, dtype: Any = float, *, shared: bool = False, **hints: Any) -> "Array":
        """Create an array without setting its elements. With shared=True, in memory that the ranks of a node can read directly
        (subx_mem_alloc), which makes exchanges faster; this is collective."""
        return Array(self, dtype, _shared_memory(self, dtype, hints) if shared else None)

    def zeros(self, dtype: Any = float, **keywords: Any) -> "Array":
        """Create an array of zeros. The keywords are as for empty."""
        u = self.empty(dtype, **keywords)
        u.fill(0)
        return u

    def aligned(self, axis: int) -> "Distribution":
        """Get the distribution in which an axis is whole. The first axis that is whole in this distribution is then divided
        instead. If this distribution has no dims, all other axes are divided, by the dimensions of choose_dims."""
        ndims = len(self.sizes)
        axis = axis_of(axis, ndims)
        dims = list(self.dims) if self.dims else [0 if a != axis else 1 for a in range(ndims)]
        if self.dims:
            whole = [a for a in range(ndims) if dims[a] == 1] or [axis]
            other = axis if dims[axis] == 1 else whole[0]
            dims[axis], dims[other] = dims[other], dims[axis]
            if dims[axis] != 1:
                raise ValueError(f"no axis is whole in {self}: give the dims that are wanted")
        return Distribution(self.comm, self.sizes, dims, fields=self.fields, interleaved=self.interleaved)


class _Memory(Collective):
    _has_handles = False  # arrays can be used after MPI_Finalize

    def __init__(self, distribution: Distribution, dtype: Any, hints: dict[str, Any]):
        def prepare(hold: Any) -> tuple[Any, ...]:
            self.bytes = max(1, distribution.elements() * np.dtype(dtype).itemsize)
            return self.bytes, hold(Hints(hints))

        super().__init__(distribution.comm, _raw.subx_mem_alloc, prepare, _raw.subx_mem_free)


def _shared_memory(distribution: Distribution, dtype: Any, hints: dict[str, Any]) -> Any:
    memory = _Memory(distribution, dtype, hints)
    buffer = (ctypes.c_char * memory.bytes).from_address(memory._pointer.value)
    buffer.memory = memory  # so that the memory lives as long as the buffer
    return buffer


def _private_memory(count: int) -> np.ndarray:
    """Get memory that is aligned to 64 bytes."""
    raw = np.empty(count + 64, np.uint8)
    skip = -raw.ctypes.data % 64
    return raw[skip:skip + count]


def find_comm(array: "Array") -> MPI.Intracomm:
    """Get the communicator of an array, also of a part of an array, which has no distribution."""
    if array._distribution is None:
        array._known()  # raises
    return array._distribution.comm


class Array(np.ndarray):
    """This rank's block of a distributed array: an ndarray that knows its Distribution.

    A view of an Array, or a result of arithmetic, keeps the distribution if it is stored in the same way; else its distribution
    is None."""

    def __new__(cls, distribution: Distribution, dtype: Any = float, buffer: Any = None) -> "Array":
        dtype = np.dtype(dtype)
        if dtype.hasobject:
            raise TypeError(f"elements are numbers or structs of numbers, not Python's objects: dtype is {dtype}")
        if buffer is None:
            buffer = _private_memory(distribution.elements() * dtype.itemsize)
        strides = [s * dtype.itemsize for s in distribution.element_strides]
        self = super().__new__(cls, distribution.local_shape, dtype, buffer, 0, strides)
        self._distribution = distribution
        self._address = self.ctypes.data if self.flags.aligned else 0
        return self

    data = property(np.ndarray.data.__get__)  # cannot be set, so that _address is right

    def __array_finalize__(self, parent: Any) -> None:
        # 0: not known, as in views. Subclasses may copy members, so _address counts only if the class is Array.
        self._address = 0
        self._distribution: Optional[Distribution] = getattr(parent, "_distribution", None)

    def __array_wrap__(self, array: np.ndarray, context: Any = None, return_scalar: bool = False) -> Any:
        if array is self:  # u *= 2
            return self
        return array[()] if array.ndim == 0 else np.asarray(array).view(type(self))._inherit(self)

    def _inherit(self, parent: "Array") -> "Array":
        self._distribution = parent._distribution
        return self

    @property
    def distribution(self) -> Optional[Distribution]:
        """How the array is divided; None if this is a part of a distributed array, or is stored in another way."""
        known = self._distribution
        if known is None or self.shape != known.local_shape:
            return None
        strides = known.element_strides
        fits = self.size == 0 or all(n == 1 or s == t * self.itemsize for n, s, t in zip(self.shape, self.strides, strides))
        return known if fits else None

    def _known(self) -> Distribution:
        distribution = self.distribution
        if distribution is None:
            raise ValueError("this array is a part or a rearrangement of a distributed one, and has no distribution")
        return distribution

    @property
    def comm(self) -> MPI.Intracomm:
        return self._known().comm

    @property
    def global_shape(self) -> tuple[int, ...]:
        return self._known().global_shape

    @property
    def slices(self) -> tuple[slice, ...]:
        """The part of the global array that this rank has."""
        return self._known().slices

    def get(self, index: Any = Ellipsis, root: int = 0) -> Optional[np.ndarray]:
        """Get a part of the global array on one rank; the others get None. Collective.

        index are integers, slices and an Ellipsis, as for an ndarray.

        >>> import subarray_x as subx
        >>> u = subx.Distribution(MPI.COMM_SELF, (4, 3)).zeros()
        >>> u[...] = np.arange(12).reshape(4, 3)
        >>> u.get((2, slice(None)))
        array([6., 7., 8.])
        """
        from ._gather import get

        return get(self, find_comm(self), lambda: (self.global_shape, self.slices, index), root)

    def redistribute(self, to: Any, out: Optional["Array"] = None, **hints: Any) -> "Array":
        """Get the array in another distribution. Collective.

        to is a Distribution, its dims, the axis that must be whole, or another Array, which is then written. out is the array
        to be written, by default a new one; if out is given, its distribution counts, and to is ignored. hints are as for
        Redistribution. The exchange is kept for the next call.

        >>> import subarray_x as subx
        >>> u = subx.Distribution(MPI.COMM_SELF, (4, 3)).zeros()
        >>> u.redistribute(0).global_shape
        (4, 3)
        """
        def prepare() -> tuple[Any, ...]:
            own = self._known()
            written = to if isinstance(to, Array) and out is None else out
            target = self._target(own, to, hints) if written is None else written._known()
            written = target.empty(self.dtype) if written is None else written
            if written.dtype != self.dtype:
                raise TypeError(f"an array of {self.dtype} cannot become one of {written.dtype}")
            if not written.flags.writeable:
                raise ValueError("the array that is received cannot be written")
            return own, target, written, self._key(target, hints)

        # If the exchange is kept, a rank with a wrong argument cannot know which one the other ranks execute.
        own, target, written, key = agree(find_comm(self), prepare,
                                          lambda found: found[0]._exchanges[found[3]][0]._number
                                          if found[3] in found[0]._exchanges else -1)
        self._exchange(own, target, key, hints).execute(self, written)
        return written

    @staticmethod
    def _target(own: Distribution, to: Any, hints: dict[str, Any]) -> Distribution:
        if isinstance(to, Distribution):
            return to
        try:
            to = operator.index(to)
        except TypeError:
            if isinstance(to, (str, float)) or not np.iterable(to):
                raise TypeError(f"to is an axis, dims, a Distribution or an Array, not {to!r}") from None
            to = integers("to", to, len(own.sizes))
        key = ("to", to)
        if key not in own._exchanges:
            own._exchanges[key] = own.aligned(to) if isinstance(to, int) else Distribution(
                own.comm, own.sizes, to, fields=own.fields, interleaved=own.interleaved)
        return own._exchanges[key]

    def _key(self, target: Distribution, hints: dict[str, Any]) -> tuple[Any, ...]:
        return id(target), self.dtype.str, tuple(sorted(hints.items()))

    def _exchange(self, own: Distribution, target: Distribution, key: tuple[Any, ...], hints: dict[str, Any]) -> Any:
        from .exchange import Redistribution

        # The target is kept beside the exchange, so that Python does not give its id to another object.
        if key not in own._exchanges:
            own._exchanges[key] = (Redistribution(own, target, self.dtype, **hints), target)
        return own._exchanges[key][0]

    def write(self, path: str, dataset: Optional[str] = None, **hints: Any) -> None:
        """Write the global array to a file: .npy, .h5 or raw, by its suffix. Collective; see subarray_x.write."""
        from .files import write

        write(path, self, dataset=dataset, **hints)

    def read(self, path: str, dataset: Optional[str] = None, **hints: Any) -> "Array":
        """Read the global array from a file into this one, and return it. Collective; see subarray_x.read."""
        from .files import read

        return read(path, self, dataset=dataset, **hints)
