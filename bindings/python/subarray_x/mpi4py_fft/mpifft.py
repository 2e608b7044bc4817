"""PFFT: a distributed transform, as in mpi4py_fft.mpifft, by one plan of subarray_x."""
from __future__ import annotations

import zlib
from typing import Any, Optional, Sequence

import numpy as np
from mpi4py import MPI

from .. import _raw
from .._together import agree, give_up
from ..exchange import Boxes
from ..fft import FFT as Plan, Problem
from . import fftw
from .pencil import Pencil, Subcomm, find_parent


class _Plans:
    """The plan of a transform, and arrays that are used if a call of the transform has no arrays."""

    def __init__(self, plan: Plan, factor: float, shapes: tuple[Any, Any], dtype: np.dtype):
        """dtype is the type of forward's input. If it is real and the plan's type is complex, own(0) has the real parts."""
        self.plan, self.factor, self.shapes = plan, factor, shapes
        self.dtypes = dtype, plan.dtype("spectral")
        self.is_widened = dtype != plan.dtype("physical")
        self._own: dict[int, np.ndarray] = {}

    def own(self, side: int) -> np.ndarray:
        if side not in self._own:
            array = fftw.aligned(self.shapes[side], dtype=self.dtypes[side], fill=0)
            self._own[side] = array
        return self._own[side]


def _direct(array: Any, own_dtype: np.dtype, shape: Any) -> Optional[np.ndarray]:
    """Get the array itself if the plan can use it without a copy, else None."""
    if isinstance(array, np.ndarray) and array.dtype == own_dtype and array.shape == shape and array.flags.c_contiguous \
            and array.flags.aligned:
        return array.view(np.ndarray)
    return None


class Transform:
    """One direction of a transform that a program puts together: serial transforms, and between each two of them a transfer.
    shenfun has such transforms. A serial transform has input_array and output_array; without arguments, a call of it transforms
    from the one to the other. A call of a transfer moves the data of one array to another."""

    def __init__(self, xfftn: Sequence[Any], transfer: Sequence[Any], pencil: Sequence[Pencil]):
        """xfftn has the serial transforms in their order; pencil has the pencils of the input and of the output."""
        if len(xfftn) != len(transfer) + 1 or len(pencil) != 2:
            raise ValueError(f"{len(xfftn)} serial transforms have {len(xfftn) - 1} transfers and 2 pencils, not {len(transfer)} "
                             f"and {len(pencil)}")
        self._xfftn, self._transfer, self._pencil = tuple(xfftn), tuple(transfer), tuple(pencil)

    @property
    def input_array(self) -> np.ndarray:
        """The array that is read if a call has no input array."""
        return self._xfftn[0].input_array

    @property
    def output_array(self) -> np.ndarray:
        """The array that is written if a call has no output array."""
        return self._xfftn[-1].output_array

    @property
    def input_pencil(self) -> Pencil:
        return self._pencil[0]

    @property
    def output_pencil(self) -> Pencil:
        return self._pencil[1]

    def __call__(self, input_array: Any = None, output_array: Any = None, **kw: Any) -> Any:
        """Transform. Collective. kw are arguments of the serial transforms, for instance normalize."""
        if input_array is not None:
            self.input_array[...] = input_array
        self._xfftn[0](**kw)
        for before, move, after in zip(self._xfftn, self._transfer, self._xfftn[1:]):
            move(before.output_array, after.input_array)
            after(**kw)
        if output_array is None:
            return self.output_array
        output_array[...] = self.output_array
        return output_array


class _PlanTransform(Transform):
    """One direction of a transform by a plan."""

    def __init__(self, plans: _Plans, side: int, pencil: tuple[Any, Any]):
        """side is the side of the input: 0 is the physical side, 1 the spectral side."""
        self._plans, self._side, self._pencil = plans, side, pencil

    @classmethod
    def pair(cls, plans: _Plans, pencil: tuple[Any, Any]) -> tuple["_PlanTransform", "_PlanTransform"]:
        return cls(plans, 0, pencil), cls(plans, 1, pencil[::-1])

    @property
    def input_array(self) -> np.ndarray:
        return self._plans.own(self._side)

    @property
    def output_array(self) -> np.ndarray:
        return self._plans.own(1 - self._side)

    def __call__(self, input_array: Any = None, output_array: Any = None, normalize: Optional[bool] = None,
                 **kw: Any) -> Any:
        """Transform. Collective. Forward divides by the number of points unless normalize=False; backward divides only if
        normalize=True. For an axis of cosines or sines, the points of its periodic extension are counted."""
        plans, side = self._plans, self._side
        try:
            source = _direct(input_array, plans.dtypes[side], plans.shapes[side])
            if source is None:
                source = self.input_array
                if input_array is not None:
                    source[...] = input_array
            target = _direct(output_array, plans.dtypes[1 - side], plans.shapes[1 - side])
            if target is None or np.may_share_memory(target, source):
                target = self.output_array
        except Exception:
            give_up(_raw.subx_fft_execute, plans.plan._address, 1 if side else -1)
            raise
        self._execute(source, target)
        if side == 0 and normalize is False:
            target *= plans.factor
        elif side == 1 and normalize:
            target *= 1 / plans.factor
        if output_array is None:
            return target
        if _direct(output_array, target.dtype, target.shape) is None or not np.may_share_memory(output_array, target):
            output_array[...] = target
        return output_array

    def _execute(self, source: np.ndarray, target: np.ndarray) -> None:
        plans, side = self._plans, self._side
        wide = target
        if plans.is_widened and side == 0:
            source = source.astype(plans.dtypes[1])
        elif plans.is_widened:
            wide = np.empty(target.shape, plans.dtypes[1])
        (plans.plan.backward if side else plans.plan.forward)(_flat(plans, side, source), _flat(plans, 1 - side, wide))
        if wide is not target:
            target[...] = wide.real


def _flat(plans: _Plans, side: int, array: np.ndarray) -> np.ndarray:
    """Get an array in the shape that the plan has for it. The shapes may differ on a rank without elements."""
    wanted = (plans.plan.physical if side == 0 else plans.plan.spectral).local_shape
    return array if array.shape == wanted else array.reshape(wanted)


def _boxes(sizes: Sequence[int], pencil: Pencil) -> Boxes:
    boxes = Boxes(sizes)
    boxes.add(pencil.substart, pencil.subshape)
    return boxes


def find_kinds(groups: Sequence[Sequence[int]], ndims: int, dtype: np.dtype,
               transforms: Optional[dict[Any, Any]]) -> list[str]:
    """Get the kind of each axis. Groups of axes are transformed from the last to the first."""
    kinds, is_real = ["-"] * ndims, dtype.kind == "f"
    for group in reversed(groups):
        if transforms and tuple(group) in transforms:
            chosen = fftw.kinds_of(transforms[tuple(group)][0], len(group))
        else:
            chosen = ["c2c"] * (len(group) - 1) + ["r2c" if is_real else "c2c"]
        is_real = is_real and "r2c" not in chosen
        for axis, kind in zip(group, chosen):
            kinds[axis] = kind
    return kinds


def _find_problem(shape: Sequence[int], modes: Sequence[int], groups: Sequence[Sequence[int]], dtype: Any,
                  transforms: Optional[dict[Any, Any]], pencils: tuple[Any, Any]) -> tuple[Problem, list[str], tuple[int, ...]]:
    """Get the problem of a plan, its kinds, and the global shape of its output."""
    dtype = np.dtype(dtype)
    if dtype.char not in "fdgFDG":
        raise TypeError(f"transforms have elements of float, double or long double, not of {dtype}")
    kinds = find_kinds(groups, len(shape), dtype, transforms)
    output = tuple(m // 2 + 1 if kind == "r2c" else m for m, kind in zip(modes, kinds))
    boxes = {}
    if pencils[0] is not None:
        boxes = {"physical_boxes": _boxes(shape, pencils[0]), "spectral_boxes": _boxes(output, pencils[1](output))}
    if dtype.kind == "c" and "c2c" not in kinds:
        raise NotImplementedError("cosine and sine transforms of complex arrays alone")
    wide = dtype
    if dtype.kind == "f" and "c2c" in kinds and "r2c" not in kinds:  # complex transforms of real arrays
        if not {"c2c", "-"}.issuperset(kinds):
            raise NotImplementedError("complex transforms of real arrays together with cosine or sine transforms")
        wide = np.dtype(dtype.char.upper())
    return Problem(shape, kinds, dtype=wide, modes=None if tuple(modes) == tuple(shape) else modes, **boxes), kinds, output


def make_plan(comm: MPI.Intracomm, shape: Sequence[int], modes: Sequence[int], groups: Sequence[Sequence[int]],
              dtype: Any, transforms: Optional[dict[Any, Any]], pencils: tuple[Any, Any]) -> tuple[_Plans, tuple[int, ...]]:
    """Make the plan, and get the global shape of its output. pencils has the pencil of the input, and a function that returns
    the pencil of the output for a shape; for an array of one rank both are None. Collective."""
    problem, kinds, output = agree(comm, lambda: _find_problem(shape, modes, groups, dtype, transforms, pencils))
    plan = Plan(comm, problem, scaling="forward")
    factor = 1.0
    for n, kind in zip(shape, kinds):
        twice = kind.startswith(("dct", "dst"))
        factor *= 1 if kind == "-" else 2 * (n + {"dct1": -1, "dst1": 1}.get(kind, 0)) if twice else n
    shapes = tuple(shape) if pencils[0] is None else pencils[0].subshape, output if pencils[0] is None else \
        pencils[1](output).subshape
    return _Plans(plan, factor, shapes, np.dtype(dtype)), output


class _Serial:
    """A stand-in for a serial transform in PFFT.xfftn: the plan does all serial transforms."""

    def __init__(self, axes: Sequence[int], forward: Transform, backward: Transform):
        self.axes, self.forward, self.backward = tuple(axes), forward, backward


class PFFT:
    """A distributed transform, with the arguments of mpi4py_fft.PFFT. Collective on comm.

    >>> from subarray_x.mpi4py_fft import PFFT, newDistArray
    >>> fft = PFFT(MPI.COMM_WORLD, (12, 14, 16))
    >>> u = newDistArray(fft, False)
    >>> u[:] = np.random.random(u.shape)
    >>> u_hat = fft.forward(u, newDistArray(fft))
    >>> bool(np.allclose(fft.backward(u_hat), u))
    True
    """

    def __init__(self, comm: Any, shape: Optional[Sequence[int]] = None, axes: Any = None, dtype: Any = float,
                 grid: Optional[Sequence[int]] = None, padding: Any = False, collapse: bool = False, backend: str = "fftw",
                 transforms: Optional[dict[Any, Any]] = None, darray: Any = None, **kw: Any):
        def prepare() -> tuple[Any, ...]:
            if shape is None and darray is None:
                raise TypeError("give a shape, or an array that has one")
            sizes = [int(n) for n in (darray.pencil.shape if shape is None else shape)]
            groups = self._find_groups(axes, sizes, darray)
            modes = list(sizes)
            if padding is not False:
                padded, modes = _pad(sizes, groups, padding, darray is not None)
                sizes = sizes if darray is not None else padded
            return sizes, modes, groups, list(grid) if grid is not None else None, kw.pop("slab", False)

        # The communicators are created before the plan. So the ranks agree here that no rank has found an error.
        all_ranks = darray.pencil.parent if darray is not None else comm if isinstance(comm, MPI.Comm) else find_parent(comm)
        shape, modes, groups, grid, slab = agree(all_ranks, prepare, lambda found: zlib.crc32(repr(found).encode()))
        if darray is not None:
            self.subcomm, dtype = darray.pencil.subcomm, darray.dtype
            parent = darray.pencil.parent
        else:
            self.subcomm = _find_subcomm(comm, shape, groups, grid, slab)
            parent = getattr(self.subcomm, "parent", None)
        self.axes = tuple(map(tuple, _collapse(groups, self.subcomm) if collapse is True else groups))
        self.collapse = collapse
        self._input_shape = tuple(shape)
        first = Pencil(self.subcomm, shape, self.axes[-1][-1], parent)

        def last(output: Sequence[int]) -> Pencil:
            pencil = Pencil(first.subcomm, output, first.axis, first.parent)
            for group in reversed(self.axes[:-1]):
                pencil = pencil.pencil(group[-1])
            return pencil

        self._plans, self._output_shape = make_plan(first.parent, shape, modes, self.axes, dtype, transforms,
                                                    (first, last))
        self.pencil = [first, last(self._output_shape)]
        self.forward, self.backward = _PlanTransform.pair(self._plans, (self.pencil[0], self.pencil[1]))
        self.xfftn = [_Serial(group, self.forward, self.backward) for group in reversed(self.axes)]
        self.transfer = self._find_transfers(first)

    def _find_transfers(self, pencil: Pencil) -> list[Any]:
        """The redistributions between groups of axes, for programs that use them without the transforms."""
        transfers, dtype = [], self._plans.dtypes[0]
        for group in reversed(self.axes[:-1]):
            other = pencil.pencil(group[-1])
            transfers.append(pencil.transfer(other, dtype) if other.axis != pencil.axis else None)
            pencil = other
        return transfers

    @staticmethod
    def _find_groups(axes: Any, shape: Sequence[int], darray: Any) -> list[tuple[int, ...]]:
        ndims = len(shape)
        if axes is None:
            axes = list(range(ndims))
            if darray is not None:  # the whole axis is transformed first
                axes = [int(a) for a in np.roll(axes, ndims - 1 - darray.alignment)]
        groups = [tuple(fftw.different_axes(group, ndims)) for group in
                  (axes if isinstance(axes, (list, tuple, np.ndarray)) else [axes])]
        fftw.different_axes([a for group in groups for a in group], ndims)
        return groups

    @property
    def plan(self) -> Plan:
        """The plan of subarray_x: print(fft.plan.explain()) tells how it works."""
        return self._plans.plan

    def destroy(self) -> None:
        """Free the plan, and the communicators that were created for it. Collective."""
        self._plans.plan.free()
        for transfer in self.transfer:
            if transfer is not None:
                transfer.destroy()
        if isinstance(self.subcomm, Subcomm):
            self.subcomm.destroy()

    def shape(self, forward_output: bool = True) -> tuple[int, ...]:
        """The local shape of the output of forward, or of its input."""
        return self.pencil[bool(forward_output)].subshape

    def local_slice(self, forward_output: bool = True) -> tuple[slice, ...]:
        """The part of the global array that this rank has."""
        return self.pencil[bool(forward_output)].slices

    def global_shape(self, forward_output: bool = False) -> tuple[int, ...]:
        """The global shape of the output of forward, or of its input."""
        return self._output_shape if forward_output else self._input_shape

    @property
    def dimensions(self) -> int:
        return len(self._input_shape)

    def dtype(self, forward_output: bool = False) -> np.dtype:
        """The type of the elements of the output of forward, or of its input."""
        return self._plans.dtypes[bool(forward_output)]


def _pad(shape: list[int], groups: Sequence[Sequence[int]], padding: Any, is_padded: bool) -> tuple[list[int], list[int]]:
    """Get the padded lengths, and the numbers of modes. is_padded tells that `shape` has the padded lengths. Only an axis that is
    the only one of its group can be padded."""
    factors = [float(padding)] * len(shape) if np.ndim(padding) == 0 else list(padding)
    if len(factors) != len(shape):
        raise ValueError(f"padding {tuple(factors)} has not one number for each of {len(shape)} axes")
    padded, modes = list(shape), list(shape)
    for group in groups:
        for axis in group:
            if factors[axis] <= 1.0 + 1e-6:
                continue
            if len(group) > 1:
                raise ValueError(f"axes {tuple(group)} are transformed together, and cannot be padded")
            if is_padded:
                modes[axis] = int(round(shape[axis] / factors[axis]))
            else:
                padded[axis] = int(np.floor(shape[axis] * factors[axis]))
    return padded, modes


def _collapse(groups: Sequence[Sequence[int]], subcomm: Sequence[MPI.Intracomm]) -> list[list[int]]:
    """Join groups of axes: a group whose axes are whole at first is joined to the group that is transformed before it."""
    joined: list[list[int]] = [[]]
    for group in reversed(groups):
        if all(subcomm[axis].Get_size() == 1 for axis in group):
            joined[0][:0] = group
        else:
            joined.insert(0, list(group))
    return [group for group in joined if group]


def _find_subcomm(comm: Any, shape: Sequence[int], groups: Sequence[Sequence[int]], grid: Any, slab: Any) -> Any:
    """Get a communicator per axis. The axes of the last group, which are transformed first, are whole."""
    ndims = len(shape)
    if grid is not None:
        comm = Subcomm(comm, list(grid) + [1] * (ndims - len(grid)))
    if isinstance(comm, Subcomm):
        if len(comm) != ndims or any(comm[a].Get_size() != 1 for a in groups[-1]):
            raise ValueError(f"the axes {tuple(groups[-1])} are transformed first, and must not be divided")
        return comm
    if slab is not False and slab is not None:
        dims = [1] * ndims
        dims[(groups[-1][-1] + 1) % ndims if slab is True else range(ndims)[slab]] = comm.Get_size()
    else:
        dims = [1 if axis in groups[-1] else 0 for axis in range(ndims)]
    return Subcomm(comm, dims)
