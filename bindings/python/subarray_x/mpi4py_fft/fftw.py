"""The serial transforms of mpi4py_fft.fftw by the transforms of subarray_x, on one rank.

Flags and limits are accepted and ignored; threads are passed on as a hint. A planner returns an object that keeps the arrays of
its plan. A call of the object transforms between these arrays; if the call has other arrays as arguments, these are read and
written instead. With normalize=True the call multiplies by get_normalization(). As in mpi4py-fft, hfftn and ihfftn equal irfftn
and rfftn: unlike NumPy's functions, they do not conjugate. FFTW_R2HC, FFTW_HC2R and FFTW_DHT are not here.
"""
from __future__ import annotations

import functools
import sys
from typing import Any, Callable, Optional, Sequence

import numpy as np
from mpi4py import MPI

from ..arrays import _private_memory
from ..fft import FFT as _Plan

FFTW_FORWARD, FFTW_BACKWARD = -1, 1
FFTW_REDFT00, FFTW_REDFT01, FFTW_REDFT10, FFTW_REDFT11 = 3, 4, 5, 6
FFTW_RODFT00, FFTW_RODFT01, FFTW_RODFT10, FFTW_RODFT11 = 7, 8, 9, 10
C2C_FORWARD, C2C_BACKWARD, R2C, C2R = -1, 1, -2, 2
FFTW_MEASURE, FFTW_DESTROY_INPUT, FFTW_UNALIGNED, FFTW_CONSERVE_MEMORY = 0, 1, 2, 4
FFTW_EXHAUSTIVE, FFTW_PRESERVE_INPUT, FFTW_PATIENT, FFTW_ESTIMATE, FFTW_WISDOM_ONLY = 8, 16, 32, 64, 1 << 21

_KINDS = {FFTW_REDFT00: "dct1", FFTW_REDFT10: "dct2", FFTW_REDFT01: "dct3", FFTW_REDFT11: "dct4", FFTW_RODFT00: "dst1",
          FFTW_RODFT10: "dst2", FFTW_RODFT01: "dst3", FFTW_RODFT11: "dst4"}
_INVERSES = {FFTW_REDFT10: FFTW_REDFT01, FFTW_REDFT01: FFTW_REDFT10, FFTW_RODFT10: FFTW_RODFT01, FFTW_RODFT01: FFTW_RODFT10}
inverse: dict[Any, Any] = {**{kind: _INVERSES.get(kind, kind) for kind in _KINDS}, C2C_FORWARD: C2C_BACKWARD,
                           C2C_BACKWARD: C2C_FORWARD, R2C: C2R, C2R: R2C}
flag_dict = {key: value for key, value in globals().items() if key.startswith("FFTW_")}


def aligned(shape: Any, n: int = 64, dtype: Any = float, fill: Any = None) -> np.ndarray:
    """Create an array whose address is a multiple of 64."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape))
    array = _private_memory(count * dtype.itemsize).view(dtype).reshape(shape)
    if fill is not None:
        array.fill(fill)
    return array


def aligned_like(z: np.ndarray, fill: Any = None) -> np.ndarray:
    """Create an array of the shape and type of another one."""
    return aligned(z.shape, dtype=z.dtype, fill=fill)


def get_fftw_lib(dtype: Any) -> Any:
    """Get the module that has FFT for a precision; None if the precision has none."""
    return sys.modules[__name__] if np.dtype(dtype).char.upper() in "FDG" else None


def different_axes(axes: Any, ndim: int) -> list[int]:
    """Get axes as numbers from 0 on; no axis may come twice, because a transform of an axis twice is no transform here."""
    chosen = [int(axis) for axis in (axes if np.ndim(axes) else [axes])]
    found = [axis + ndim if axis < 0 else axis for axis in chosen]
    if not found or not set(found).issubset(range(ndim)) or len(set(found)) != len(found):
        raise ValueError(f"axes {tuple(chosen)} are not different axes of an array of {ndim} axes")
    return found


def _logical(kind: int, n: int) -> int:
    """Get the logical length of an axis of n elements, as FFTW's manual defines it for each kind."""
    if kind in (FFTW_REDFT00, FFTW_RODFT00):
        return 2 * (n - 1 if kind == FFTW_REDFT00 else n + 1)
    return 2 * n if kind in _KINDS else n


def get_normalization(kind: Any, shape: Sequence[int], axes: Sequence[int]) -> float:
    """Get the factor by which a transform must be multiplied, so that it and its inverse together are the identity."""
    kinds = [kind] * len(axes) if np.ndim(kind) == 0 else list(kind)
    return 1.0 / float(np.prod([_logical(int(k), shape[axis]) for k, axis in zip(kinds, axes)]))


class Planned:
    """A transform of an array along some axes. The planners return objects of this class."""

    def __init__(self, input_array: np.ndarray, output_array: np.ndarray, axes: Sequence[int], kinds: Sequence[int],
                 threads: int, factor: float):
        ndim, kinds = input_array.ndim, [int(kind) for kind in kinds]
        axes = different_axes(axes, ndim)
        if kinds[0] not in (C2C_FORWARD, C2C_BACKWARD, R2C, C2R) and not set(kinds).issubset(_KINDS):
            raise NotImplementedError(f"kinds {kinds} of FFTW: only complex transforms, and cosine and sine transforms")
        self.axes, self.kinds = tuple(axes), tuple(kinds)
        names = ["-"] * ndim
        for axis, kind in zip(axes, kinds):
            names[axis] = _KINDS.get(kind, "c2c")
        if kinds[0] in (R2C, C2R):
            names[axes[-1]] = "r2c"
        self.input_array, self.output_array = input_array, output_array
        self._backward = kinds[0] in (C2C_BACKWARD, C2R)
        physical = output_array if self._backward else input_array
        more = {"threads": threads} if threads > 1 else {}
        self._plan = _Plan(MPI.COMM_SELF, physical.shape, names, dtype=physical.dtype, scaling="none", **more)
        self._factor = factor
        wanted = self._plan.dtype("spectral" if self._backward else "physical"), \
            self._plan.dtype("physical" if self._backward else "spectral")
        if (input_array.dtype, output_array.dtype) != wanted:
            raise TypeError(f"kinds {kinds} transform {wanted[0]} to {wanted[1]}, not {input_array.dtype} to {output_array.dtype}")

    def get_normalization(self) -> float:
        """Get the factor that normalize=True multiplies by."""
        return self._factor

    def update_arrays(self, input_array: np.ndarray, output_array: np.ndarray) -> None:
        """Set the arrays of the plan. They have the shapes and types of the former ones."""
        for new, old in ((input_array, self.input_array), (output_array, self.output_array)):
            if (new.shape, new.dtype) != (old.shape, old.dtype):
                raise ValueError(f"the array has shape {new.shape} and elements of {new.dtype}, not {old.shape} and {old.dtype}")
        self.input_array, self.output_array = input_array, output_array

    def print_plan(self) -> None:
        """Print the plan."""
        print(self._plan)

    def destroy(self) -> None:
        """Free the plan."""
        self._plan.free()

    def __call__(self, input_array: Optional[np.ndarray] = None, output_array: Optional[np.ndarray] = None,
                 implicit: bool = True, normalize: bool = False, **kw: Any) -> np.ndarray:
        """Transform. With implicit=False, the arguments are copied to and from the arrays of the plan."""
        source, target = self.input_array, self.output_array
        if input_array is not None and implicit and (np.shape(input_array), input_array.dtype) == (source.shape, source.dtype):
            source = input_array
        elif input_array is not None:
            source[...] = input_array
        if output_array is not None and implicit and output_array.flags.c_contiguous and \
                (output_array.shape, output_array.dtype) == (target.shape, target.dtype):
            target = output_array
        (self._plan.backward if self._backward else self._plan.forward)(np.ascontiguousarray(source), target)
        if normalize:
            target *= self._factor
        if output_array is None or target is output_array:
            return target
        output_array[...] = target
        return output_array


def get_planned_FFT(input_array: np.ndarray, output_array: np.ndarray, axes: Sequence[int] = (-1,),
                    kind: Any = FFTW_FORWARD, threads: int = 1, flags: Any = (), normalization: float = 1.0) -> Planned:
    """Plan a transform between two arrays. kind is one kind for all axes, or a list with a kind per axis. normalization is the
    factor of normalize=True."""
    kinds = [kind] * len(axes) if np.ndim(kind) == 0 else list(kind)
    return Planned(input_array, output_array, axes, kinds, threads, normalization)


FFT = get_planned_FFT
fftlib = {precision: sys.modules[__name__] for precision in "FDG"}


def _shape_of_output(array: np.ndarray, kind: int, s: Any, axes: Sequence[int]) -> tuple[tuple[int, ...], np.dtype]:
    shape, axis = list(array.shape), axes[-1]
    if kind == R2C:
        shape[axis] = shape[axis] // 2 + 1
        return tuple(shape), np.dtype(array.dtype.char.upper())
    if kind == C2R:
        half = shape[axis]
        shape[axis] = int(s[-1]) if s is not None else 2 * (half - 1)
        if shape[axis] // 2 + 1 != half:
            raise ValueError(f"s is {tuple(s)}, but axis {axis} of the spectrum has {half} elements")
        return tuple(shape), np.dtype(array.dtype.char.lower())
    return tuple(shape), array.dtype


def _plan(kind: int, input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), threads: int = 1,
          flags: Any = (), output_array: Optional[np.ndarray] = None) -> Planned:
    axes = different_axes(axes, input_array.ndim)
    if (input_array.dtype.kind == "c") != (kind in (C2C_FORWARD, C2C_BACKWARD, C2R)):
        raise TypeError(f"this transform does not read elements of {input_array.dtype}")
    shape, dtype = _shape_of_output(input_array, kind, s, axes)
    if output_array is None:
        output_array = aligned(shape, dtype=dtype, fill=0)
    if (output_array.shape, output_array.dtype) != (shape, dtype):
        raise ValueError(f"the output has shape {shape} and elements of {dtype}")
    factor = get_normalization(kind, shape if kind == C2R else input_array.shape, axes)
    return Planned(input_array, output_array, axes, [kind] * len(axes), threads, factor)


def _planner(name: str, what: str, kind: int) -> Callable[..., Planned]:
    """Make a planner of transforms of a kind."""
    def planner(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), threads: int = 1, flags: Any = (),
                output_array: Optional[np.ndarray] = None) -> Planned:
        return _plan(kind, input_array, s, axes, threads, flags, output_array)
    planner.__name__ = planner.__qualname__ = name
    planner.__doc__ = what
    return planner


fftn = _planner("fftn", "Plan a complex transform forward.", C2C_FORWARD)
ifftn = _planner("ifftn", "Plan a complex transform backward.", C2C_BACKWARD)
rfftn = _planner("rfftn", "Plan a transform of real numbers forward.", R2C)
irfftn = _planner("irfftn", "Plan a transform to real numbers backward.", C2R)
hfftn = _planner("hfftn", "Plan a transform to real numbers, as irfftn.", C2R)
ihfftn = _planner("ihfftn", "Plan a transform of real numbers, as rfftn.", R2C)


def _real_planner(name: str, what: str, kinds: Sequence[int]) -> Callable[..., Planned]:
    """Make a planner of cosine or sine transforms; kinds are those of the types 1 to 4."""
    def planner(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), type: int = 2, threads: int = 1,
                flags: Any = (), output_array: Optional[np.ndarray] = None) -> Planned:
        return _plan(dict(enumerate(kinds, 1))[type], input_array, s, axes, threads, flags, output_array)
    planner.__name__ = planner.__qualname__ = name
    planner.__doc__ = what
    return planner


_COSINES = FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11
_SINES = FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11
dctn = _real_planner("dctn", "Plan a cosine transform.", _COSINES)
idctn = _real_planner("idctn", "Plan the inverse of a cosine transform.", [inverse[kind] for kind in _COSINES])
dstn = _real_planner("dstn", "Plan a sine transform.", _SINES)
idstn = _real_planner("idstn", "Plan the inverse of a sine transform.", [inverse[kind] for kind in _SINES])
inverse.update({rfftn: irfftn, irfftn: rfftn, fftn: ifftn, ifftn: fftn, dctn: idctn, idctn: dctn, dstn: idstn, idstn: dstn,
                hfftn: ihfftn, ihfftn: hfftn})


def kinds_of(function: Any, naxes: int) -> list[str]:
    """Get the kinds of a problem for a planner of this module, or for fftn or rfftn of another package."""
    plain, number = function, 2
    while isinstance(plain, functools.partial):
        number = plain.keywords.get("type", number)
        plain = plain.func
    names = {"dctn": f"dct{number}", "dstn": f"dst{number}", "fftn": "c2c", "rfftn": "r2c"}
    module, name = getattr(plain, "__module__", ""), getattr(plain, "__name__", str(plain))
    ours = plain in (dctn, dstn, fftn, rfftn)
    if not ours and not (name in ("fftn", "rfftn") and module.startswith(("numpy.fft", "scipy.fft", "pyfftw", "mkl_fft"))):
        raise NotImplementedError(f"{module}.{name} is no forward transform of mpi4py_fft.fftw")
    return ["c2c"] * (naxes - 1) + ["r2c"] if name == "rfftn" else [names[name]] * naxes


def export_wisdom(filename: str) -> None:
    """Does nothing: FFTW's wisdom is not used. Plans of subarray_x keep their own wisdom."""


def import_wisdom(filename: str) -> None:
    """Does nothing, as export_wisdom."""


def forget_wisdom() -> None:
    """Does nothing, as export_wisdom."""


def set_timelimit(limit: float) -> None:
    """Does nothing: plans are made without measuring."""


def cleanup() -> None:
    """Does nothing: there is no state."""
