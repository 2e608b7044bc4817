"""Distributed Fourier transforms: plans, and operations on spectra."""
from __future__ import annotations

import ctypes
import difflib
import functools
import json
import math
import operator
import os
from typing import Any, Callable, NamedTuple, Optional, Sequence, Union

import numpy as np
from mpi4py import MPI

from . import _raw
from ._arguments import array as _array, axis_of, check_ndarray, encoded, exactly, integers, ints, result, text
from ._lifetime import Collective, Local
from ._mpi import Hints, MPI_Info, info_items
from ._together import end, give_up, together, try_find
from .arrays import Array, Distribution, _private_memory, _strides
from .exchange import Boxes, check_array
from .problem import Axes, Problem, _Axes, _read

_COMPLEX = {"f4": "c8", "f8": "c16", "g": "G"}
# The kinds of transforms whose axes are periodic. For the other kinds, the domain is half of a period.
_PERIODIC = (_raw.SUBX_FFT_C2C, _raw.SUBX_FFT_R2C, _raw.SUBX_FFT_DHT, _raw.SUBX_FFT_R2HC)
# The functions of C for each direction, and the number of the direction, if a function needs it.
_EXECUTIONS = {"forward": (_raw.subx_fft_execute_operation, (_raw.SUBX_FFT_FORWARD,)),
               "backward": (_raw.subx_fft_execute_operation, (_raw.SUBX_FFT_BACKWARD,)),
               "convolve": (_raw.subx_fft_execute_convolution, ())}
_STARTS = {"forward": (_raw.subx_fft_start_operation, (_raw.SUBX_FFT_FORWARD,)),
           "backward": (_raw.subx_fft_start_operation, (_raw.SUBX_FFT_BACKWARD,)),
           "convolve": (_raw.subx_fft_start_convolution, ())}
# What a program can change in an array after the plan has made it. The class is Array: a masked one may have the same members.
_layout = operator.attrgetter("__class__", "dtype", "shape", "strides")


class _Side:
    """The local array of a side of a plan. Executions only compare the layout of an Array that was made in this layout."""

    def __init__(self, plan: "FFT", side: int, axes: _Axes, sizes: Axes, dtype: Any, boxes: Optional[Boxes]):
        n, room = len(sizes), _raw.SUBX_NDIMS_MAX
        shape, start, order = (ctypes.c_ssize_t * room)(), (ctypes.c_ssize_t * room)(), (ctypes.c_int * room)()
        nbytes = ctypes.c_ssize_t()
        _raw.subx_fft_plan_get_local(plan._pointer, side, shape, start, order, nbytes)
        self.dtype = np.dtype(dtype)
        self.bytes = nbytes.value
        self.name = ("physical", "spectral")[side]
        self.boxes = boxes if boxes is not None and len(boxes) != 1 else None
        strides, elements = self._find_strides(tuple(shape)[:n], tuple(order)[:n], axes)
        self.distribution = Distribution(plan.comm, sizes, start=tuple(start)[:n], shape=tuple(shape)[:n],
                                         order=tuple(order)[:n], fields=axes.fields, interleaved=axes.interleaved,
                                         strides=strides, elements=elements)
        # Of arrays that the side makes: several boxes are one after the other.
        self.local = self.distribution if self.boxes is None else Distribution(MPI.COMM_SELF, (self.boxes.elements * axes.fields,))
        strides = tuple(s * self.dtype.itemsize for s in self.local.element_strides)
        self.layout = (Array, self.dtype, self.local.local_shape, strides)

    def _find_strides(self, shape: Axes, order: Axes, axes: _Axes) -> tuple[Optional[list[int]], Optional[int]]:
        """Get the strides of arrays. There are gaps only if the innermost axis is padded, which the number of bytes shows."""
        whole = self.bytes // self.dtype.itemsize
        first = axes.fields if axes.interleaved else 1
        apart = 1 if axes.interleaved else axes.fields
        plain = math.prod(shape) * first
        if plain == 0 or self.boxes is not None or plain * apart == whole:
            return None, None
        widened = list(shape)
        widened[order[0]] = 2 * (shape[order[0]] // 2 + 1)
        if math.prod(widened) * first * apart != whole:
            raise NotImplementedError(f"the {self.name} side has strides that this package does not know")
        return _strides(widened, order, first), math.prod(widened) * first

    def make(self, buffer: Any = None) -> Array:
        if buffer is None:
            buffer = _private_memory(max(self.bytes, self.local.elements() * self.dtype.itemsize))
        return Array(self.local, self.dtype, buffer)

    def find(self, data: Any, what: str) -> int:
        """Get the address of any array. An array that does not fit raises an exception."""
        check_ndarray(data, what, writes=what == "written")
        if data.dtype != self.dtype:
            raise TypeError(f"the array that is {what} has elements of {data.dtype}; those of the {self.name} side are "
                            f"{self.dtype}")
        if not data.flags.aligned:
            raise ValueError(f"the array that is {what} is not aligned: its address is {data.ctypes.data:#x}")
        if self.boxes is None:
            check_array(data, self.distribution, what)
        elif data.ndim != 1 or data.size < self.local.shape[0] or not data.flags.c_contiguous:
            raise ValueError(f"the array that is {what} has shape {data.shape}; the {self.name} side has boxes of "
                             f"{self.local.shape[0]} elements in one contiguous array of one axis")
        return data.ctypes.data


class Operation(Local):
    """An operation on the spectral data of a plan, applied while the data is in the caches. Plans make operations, by
    FFT.derivative and other methods, if their problem has operation=True."""

    def __init__(self, create: Callable[[Any], Any], keep: Any = None):
        self._keep = keep  # an object that the C library uses, but does not own
        self.failure: Optional[BaseException] = None
        super().__init__(create, _raw.subx_fft_operation_free)

    @staticmethod
    def check(operation: Any) -> None:
        """Check an argument; C takes the handle of an operation that has been freed for none."""
        if not isinstance(operation, Operation):
            raise TypeError(f"an operation of a plan is needed, such as plan.laplacian(), not {operation!r}")
        if operation._pointer.value is None:
            raise ValueError("the operation has been freed")
        operation.failure = None


class Stage(NamedTuple):
    """A step of a plan, and the seconds that it took on this rank: in the latest execution (last), and in all (total)."""
    kind: str
    name: str
    last: float
    total: float


_STAGES = {_raw.SUBX_FFT_STAGE_SERIAL: "serial", _raw.SUBX_FFT_STAGE_EXCHANGE: "exchange",
           _raw.SUBX_FFT_STAGE_SCALE: "scale"}


@functools.lru_cache(maxsize=None)
def hints() -> dict[str, str]:
    """Get the hints of plans, and a description of each.

    >>> import subarray_x as subx
    >>> "grid" in subx.hints()
    True
    """
    found: dict[str, str] = {}
    while True:
        name, needed = ctypes.c_char_p(), ctypes.c_size_t()
        _raw.subx_fft_query_hint(len(found), name, 0, None, needed)
        if not name.value:
            return found
        buffer = ctypes.create_string_buffer(needed.value + 1)
        _raw.subx_fft_query_hint(len(found), name, len(buffer), buffer, None)
        found[name.value.decode().replace("subx_", "", 1)] = buffer.value.decode()


def _split(keywords: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Divide keywords into keywords of Problem and hints."""
    of_problem, others = {}, {}
    for key, value in keywords.items():
        if key in Problem.__init__.__kwdefaults__:  # type: ignore[operator]
            of_problem[key] = value
        elif key in hints():
            others[key] = value
        else:
            if f"\n{key}: " in hints()["tune"]:
                raise TypeError(f"FFT has no keyword {key!r}; it is a word of the hint tune: tune=\"{key} ..\"")
            near = difflib.get_close_matches(key, [*hints(), *Problem.__init__.__kwdefaults__], 1)
            raise TypeError(f"FFT has no keyword {key!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    return of_problem, others


class Request:
    """An execution that FFT.start has started. It keeps the plan and the arrays alive. The program must call wait."""

    def __init__(self, plan: FFT, data: np.ndarray, out: Any, operation: Optional[Operation],
                 failure: Optional[BaseException] = None):
        self._plan, self._operation, self._failure = plan, operation, failure  # failure: why the execution has no arrays
        self._arrays: Optional[tuple[Any, Any]] = (data, out)

    def test(self) -> bool:
        """Continue all executions as far as possible without waiting, and tell whether this one is complete. Local."""
        if self._arrays is None:
            return True
        return bool(result(_raw.subx_fft_test, ctypes.c_int, self._plan._address))

    def wait(self) -> Any:
        """Wait until the execution is complete, and get its output. Collective. A second call is an error."""
        if self._arrays is None:
            raise ValueError("the request has been waited for already")
        out = self._arrays[1]
        self._arrays = None
        end(self._failure, _raw.subx_fft_wait, self._plan._address)
        if self._operation is not None:
            FFT._raise(self._operation)
        return out


class FFT(Collective):
    """A plan of a distributed transform. Collective on comm.

    problem is a Problem, its text, or sizes. With sizes, kind and further keywords are arguments for Problem. All other keywords
    are hints (subx_fft.h), such as grid=(2, 2), effort="measure", threads=2 or output_order="transposed"; hints() lists them.

    Scaling is NumPy's: backward divides by the number of points. The hint scaling, or else the variable SUBX_SCALING,
    changes this.

    >>> import subarray_x as subx
    >>> plan = subx.FFT(MPI.COMM_WORLD, (8, 6, 4), "r2c")
    >>> u = plan.empty()
    >>> x, y, z = plan.physical.indices()
    >>> u[...] = np.cos(2 * np.pi * (x / 8 + 2 * y / 6))
    >>> uh = plan.forward(u)
    >>> uh.global_shape
    (8, 6, 3)
    >>> bool(np.allclose(plan.backward(uh), u))
    True
    >>> whole = MPI.COMM_WORLD.bcast(uh.get())
    >>> np.argwhere(abs(whole) > 1).tolist()
    [[1, 2, 0], [7, 4, 0]]
    """

    def __init__(self, comm: MPI.Intracomm, problem: Union[Problem, str, Axes], kind: Any = "c2c", **keywords: Any):
        def prepare(hold: Any) -> tuple[Any, ...]:
            of_problem, plan_hints = _split(keywords)
            if isinstance(problem, Problem) and of_problem:
                raise TypeError(f"a Problem has its {', '.join(of_problem)} already")
            self._problem = problem if isinstance(problem, Problem) else Problem(problem, kind, **of_problem)
            if "scaling" not in plan_hints and "SUBX_SCALING" not in os.environ:
                plan_hints["scaling"] = "backward"
            return self._problem._pointer, hold(Hints(plan_hints))

        super().__init__(comm, _raw.subx_fft_plan_create_problem, prepare, _raw.subx_fft_plan_free)
        self._address = self._pointer  # the handle, which is null after free
        self._text, self._nranks = str(self._problem), comm.size
        axes = self._axes = _read(self._problem._pointer)
        is_complex = _raw.SUBX_FFT_R2C in axes.kinds or _raw.SUBX_FFT_C2C in axes.kinds
        spectral = _COMPLEX[axes.real] if is_complex else axes.real
        physical = axes.real if _raw.SUBX_FFT_R2C in axes.kinds else spectral
        self._physical = _Side(self, _raw.SUBX_FFT_PHYSICAL, axes, axes.points, physical, self._problem.boxes[0])
        self._spectral = _Side(self, _raw.SUBX_FFT_SPECTRAL, axes, axes.modes, spectral, self._problem.boxes[1])

    # ------------------------------------------------------------------------------------ arrays

    @property
    def physical(self) -> Distribution:
        """How the physical side is divided and stored."""
        return self._physical.distribution

    @property
    def spectral(self) -> Distribution:
        """How the spectral side is divided and stored."""
        return self._spectral.distribution

    def _side(self, side: str) -> _Side:
        if side not in ("physical", "spectral"):
            raise ValueError(f"a side is 'physical' or 'spectral', not {side!r}")
        return self._physical if side == "physical" else self._spectral

    def dtype(self, side: str = "physical") -> np.dtype:
        """Get the type of the elements of a side."""
        return self._side(side).dtype

    def empty(self, side: str = "physical") -> Array:
        """Create an array of a side without setting its elements. If the side has several boxes, the array has one after the
        other."""
        return self._side(side).make()

    def zeros(self, side: str = "physical") -> Array:
        """Create an array of a side, of zeros."""
        array = self.empty(side)
        array.fill(0)
        return array

    def in_place(self) -> tuple[Array, Array]:
        """Create an array of each side in the same memory, for transforms in place."""
        memory = _private_memory(max(self._physical.bytes, self._spectral.bytes))
        return self._physical.make(memory), self._spectral.make(memory)

    # -------------------------------------------------------------------------------- executions

    def forward(self, u: np.ndarray, out: Optional[np.ndarray] = None, operation: Optional[Operation] = None) -> Any:
        """Transform from the physical to the spectral side. Collective. u is left unchanged, unless it shares its memory with
        out. out is by default a new array. An operation is applied to the output."""
        return self._execute("forward", u, out, operation)

    def backward(self, uh: np.ndarray, out: Optional[np.ndarray] = None, operation: Optional[Operation] = None) -> Any:
        """Transform from the spectral to the physical side. Collective. uh is left unchanged, unless it shares its memory with
        out, or the hint input_array is destroy. out is by default a new array. An operation is applied to the input."""
        return self._execute("backward", uh, out, operation)

    def start(self, data: np.ndarray, out: Optional[np.ndarray] = None, operation: Optional[Operation] = None,
              direction: str = "forward") -> Request:
        """Start forward, backward or convolve, as direction says, and get a Request; its method wait ends the execution. Until
        then, do not write to data, and neither read nor write out. If an array is wrong, the request's wait raises the exception.
        Collective: all ranks start the same plans in the same order.

        >>> import subarray_x as subx
        >>> plans = [subx.FFT(MPI.COMM_WORLD, (8, 6, 4)) for i in range(3)]
        >>> fields = [plan.zeros() + i for i, plan in enumerate(plans)]
        >>> requests = [plan.start(u) for plan, u in zip(plans, fields)]
        >>> spectra = [request.wait() for request in requests]
        >>> bool(np.allclose(plans[2].backward(spectra[2]), 2))
        True
        """
        if direction not in _STARTS:
            raise ValueError(f"a direction is 'forward', 'backward' or 'convolve', not {direction!r}")
        function, sign = _STARTS[direction]
        found, failure = try_find(self._find, direction, data, out, operation)
        a, b, pointer, out = found or (None, None, None, out)
        function(self._address, *sign, a, b, pointer)
        return Request(self, data, out, operation, failure)

    def _find(self, direction: str, data: Any, out: Any, operation: Any) -> tuple[int, int, Any, Any]:
        """Check the arguments of an execution. Returns the addresses of both arrays, the operation's handle, and the output."""
        here = self._spectral if direction == "backward" else self._physical
        there = self._spectral if direction == "forward" else self._physical
        pointer = None
        if operation is not None or direction == "convolve":
            Operation.check(operation)
            pointer = operation._pointer
        if out is None:
            out = there.make()
        try:  # an Array that a plan has made knows its address
            a = _layout(data) == here.layout and data._address
            b = _layout(out) == there.layout and out.flags.writeable and out._address
        except AttributeError:
            a = b = 0
        return a or here.find(data, "read"), b or there.find(out, "written"), pointer, out

    def _execute(self, direction: str, data: Any, out: Any, operation: Optional[Operation]) -> Any:
        function, sign = _EXECUTIONS[direction]
        try:
            a, b, pointer, out = self._find(direction, data, out, operation)
        except Exception:
            give_up(function, self._address, *sign)
            raise
        function(self._address, *sign, a, b, pointer)
        if operation is not None:
            self._raise(operation)
        return out

    def convolve(self, u: np.ndarray, operation: Operation, out: Optional[np.ndarray] = None) -> Any:
        """Transform forward, apply an operation, and transform backward, all in one execution. Collective."""
        return self._execute("convolve", u, out, operation)

    @staticmethod
    def _raise(operation: Operation) -> None:
        if operation.failure is not None:
            raise operation.failure

    # -------------------------------------------------------------------------------- operations

    def derivative(self, orders: Axes, lengths: Optional[Sequence[float]] = None) -> Operation:
        """Create an operation that differentiates, with an order per axis (subx_fft_operation_create_derivative).

        >>> import subarray_x as subx
        >>> plan = subx.FFT(MPI.COMM_WORLD, (16, 8), "r2c", operation=True)
        >>> x, y = (2 * np.pi * i / n for i, n in zip(plan.physical.indices(), (16, 8)))
        >>> u = plan.empty()
        >>> u[...] = np.sin(3 * x) * np.cos(y)
        >>> dx = plan.backward(plan.forward(u), operation=plan.derivative((1, 0)))
        >>> bool(np.allclose(dx, 3 * np.cos(3 * x) * np.cos(y)))
        True
        """
        orders = integers("orders", orders, len(self._axes.kinds), least=0)
        exactly(len(self._axes.kinds), float, lengths=lengths)
        return Operation(lambda out: _raw.subx_fft_operation_create_derivative(
            self._address, _array(ctypes.c_double, lengths), ints(orders), out))

    def laplacian(self, power: int = 1, lengths: Optional[Sequence[float]] = None) -> Operation:
        """Create an operation that applies a power of the Laplacian; -1 solves Poisson's equation."""
        exactly(len(self._axes.kinds), float, lengths=lengths)
        return Operation(lambda out: _raw.subx_fft_operation_create_laplacian(
            self._address, _array(ctypes.c_double, lengths), power, out))

    def table(self, factors: np.ndarray, conjugate: bool = False) -> Operation:
        """Create an operation that multiplies by a spectral array. Each execution reads the array again."""
        address = self._spectral.find(factors, "read")
        return Operation(lambda out: _raw.subx_fft_operation_create_table(self._address, address, int(conjugate), out), factors)

    def function(self, change: Callable[[np.ndarray, tuple[int, ...]], Any]) -> Operation:
        """Create an operation that calls change(data, start). data is a view of a part of the spectrum, which change modifies
        in place; start has the global indices of its first element. change must not call MPI. If change raises an exception,
        the execution raises it, too.

        >>> import subarray_x as subx
        >>> plan = subx.FFT(MPI.COMM_WORLD, (8, 6), operation=True)
        >>> def double(data, start):
        ...     data *= 2
        >>> u = plan.zeros()
        >>> u += 1
        >>> bool(np.allclose(plan.convolve(u, plan.function(double)), 2))
        True
        """
        dtype = self._spectral.dtype
        if not callable(change):
            raise TypeError(f"change is a function of (data, start), not {change!r}")

        def call(context: Any, ndims: int, start: Any, n: Any, stride: Any, data: int) -> None:
            try:
                shape = tuple(n[:ndims])
                if 0 in shape or operation.failure is not None:
                    return
                span = sum((m - 1) * s for m, s in zip(shape, stride[:ndims])) + 1
                memory = (ctypes.c_char * (span * dtype.itemsize)).from_address(data)
                view = np.ndarray(shape, dtype, memory, 0, [s * dtype.itemsize for s in stride[:ndims]])
                change(view, tuple(start[:ndims]))
            except BaseException as error:  # pylint: disable=broad-except
                operation.failure = error  # C cannot pass it on

        wrapped = _raw.subx_fft_operation_function(call)
        operation = Operation(lambda out: _raw.subx_fft_operation_create_function(wrapped, None, out), wrapped)
        return operation

    # ------------------------------------------------------------------------ properties of a plan

    def frequencies(self, axis: int) -> np.ndarray:
        """Get the integer frequencies of this rank's part of an axis of the spectral side."""
        axis = axis_of(axis, len(self._axes.kinds))
        found = (ctypes.c_ssize_t * max(1, self.spectral.shape[axis]))()
        _raw.subx_fft_plan_get_frequencies(self._address, axis, found)
        return np.array(found[:self.spectral.shape[axis]], dtype=int)

    def wavenumbers(self, lengths: Optional[Sequence[float]] = None) -> tuple[np.ndarray, ...]:
        """Get the wavenumbers along all axes, in shapes that broadcast to the spectral array of one field.

        lengths are the lengths of the domain. By default they are 2 pi for periodic axes, and pi for axes of cosines and sines:
        then wavenumbers are frequencies."""
        ndims, found = len(self._axes.kinds), []
        exactly(ndims, float, lengths=lengths)
        for axis, kind in enumerate(self._axes.kinds):
            period = 2 * math.pi if kind in _PERIODIC else math.pi
            k = self.frequencies(axis) * (1.0 if lengths is None else period / lengths[axis])
            found.append(k.reshape([-1 if a == axis else 1 for a in range(ndims)]))
        return tuple(found)

    @property
    def grid(self) -> tuple[int, ...]:
        """The process grid."""
        g, dims = ctypes.c_int(), (ctypes.c_int * _raw.SUBX_NDIMS_MAX)()
        _raw.subx_fft_plan_get(self._address, None, g, dims)
        return tuple(dims)[:g.value]

    def info(self) -> dict[str, str]:
        """Get the hints that are in effect, and as "lost" the features that the plan has to do without."""
        info = MPI_Info()
        _raw.subx_fft_plan_get_info(self._address, info)
        return info_items(info)

    @property
    def work_bytes(self) -> int:
        """The work space of this rank, bytes."""
        return result(_raw.subx_fft_plan_get_work, ctypes.c_ssize_t, self._address)

    def stages(self, direction: str = "forward") -> list[Stage]:
        """Get the stages of a direction in the order of execution, with their times."""
        if direction not in ("forward", "backward"):
            raise ValueError(f"a direction is 'forward' or 'backward', not {direction!r}")
        sign = _EXECUTIONS[direction][1][0]
        kind, name, last, total = ctypes.c_int(), ctypes.c_char_p(), ctypes.c_double(), ctypes.c_double()
        found = []
        for i in range(result(_raw.subx_fft_plan_get_nstages, ctypes.c_int, self._address, sign)):
            _raw.subx_fft_plan_get_stage(self._address, sign, i, kind, name, last, total)
            found.append(Stage(_STAGES[kind.value], (name.value or b"").decode(), last.value, total.value))
        return found

    def reset_times(self) -> None:
        """Set the times of all stages back to 0."""
        _raw.subx_fft_plan_set_times_zero(self._address)

    def explain(self) -> str:
        """Get a text that explains to people why the plan is as it is: print(plan.explain())."""
        return text(_raw.subx_fft_plan_explain, self._address, _raw.SUBX_FFT_TEXT)

    def explanation(self) -> dict[str, Any]:
        """Get the same explanation for programs, as a dictionary; subx_tune.h lists the keys.

        >>> import subarray_x as subx
        >>> subx.FFT(MPI.COMM_WORLD, (8, 6)).explanation()["problem"]
        'c2c:8x6'
        """
        return json.loads(text(_raw.subx_fft_plan_explain, self._address, _raw.SUBX_FFT_JSON))

    def __str__(self) -> str:
        return text(_raw.subx_fft_plan_print, self._address) if self._pointer.value else repr(self)

    def __repr__(self) -> str:
        freed = "" if self._pointer.value else ", freed"
        return f"<FFT {self._text} on {self._nranks} rank{'s' if self._nranks > 1 else ''}{freed}>"


def calibrate(comm: MPI.Intracomm, seconds: float = 10.0, **keywords: Any) -> str:
    """Measure the parameters of the cost model and remember them (subx_fft_machine_calibrate). Collective."""
    buffer = ctypes.create_string_buffer(1024)

    def prepare(hold: Any) -> tuple[Any, ...]:
        if not 0 < seconds < math.inf:
            raise ValueError(f"seconds is {seconds}; it must be positive")
        return hold(Hints(keywords)), seconds, len(buffer), buffer

    together(comm, _raw.subx_fft_machine_calibrate, prepare)
    return buffer.value.decode()


def predict(problem: Union[str, Problem], ranks: Axes, machine: str, **keywords: Any) -> list[dict[str, Any]]:
    r"""Predict forward transforms on a machine that is described by a text (subx_fft_predict), for each number of ranks.

    >>> import subarray_x as subx
    >>> machine = '''ranks_per_node = 4; cores_per_node = 4; flops = 1e10; memory_bandwidth = 1e11; link_bandwidth = 1e10;
    ... latency = 1e-6; overhead = 1e-6; topology = switch'''.replace(";", "\n")
    >>> [(row["nodes"], row["link"]) for row in subx.predict("c2c:64x64x64", (4, 64), machine)]
    [(1, 'none'), (16, 'node')]
    """
    problem = problem if isinstance(problem, Problem) else Problem(problem)
    numbers = ints(integers("ranks", ranks))
    with Hints(keywords) as hints_info:
        rows = text(_raw.subx_fft_predict, problem._pointer, hints_info, encoded("machine", machine), len(ranks), numbers,
                    _raw.SUBX_FFT_JSON)
    return json.loads(rows)["predictions"]
