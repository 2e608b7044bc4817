"""The serial transforms of mpi4py_fft.fftw by the transforms of subarray_x, on one rank.

Flags and limits are accepted and ignored; threads are passed on as a hint. A planner returns an object that keeps the arrays of
its plan. A call of the object transforms between these arrays; if the call has other arrays as arguments, it copies from and to
them. With normalize=True it multiplies by get_normalization().
"""
from __future__ import annotations

import functools
from typing import Any, Optional, Sequence

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
inverse = {**{kind: _INVERSES.get(kind, kind) for kind in _KINDS}, C2C_FORWARD: C2C_BACKWARD, C2C_BACKWARD: C2C_FORWARD,
           R2C: C2R, C2R: R2C}
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
    """Get the class of transforms of a precision; None if the precision has none."""
    return _Plan if np.dtype(dtype).char.upper() in "FDG" else None


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
                 threads: int = 1, conjugate: bool = False):
        ndim = input_array.ndim
        axes = [range(ndim)[axis] for axis in axes]
        self._real = input_array if kinds[0] == R2C else output_array
        self.axes, self.kinds = tuple(axes), tuple(int(k) for k in kinds)
        names = ["-"] * ndim
        for axis, kind in zip(axes, self.kinds):
            names[axis] = _KINDS.get(kind, "c2c")
        if self.kinds[0] in (R2C, C2R):
            names[axes[-1]] = "r2c"
        shape = self._real.shape if self.kinds[0] in (R2C, C2R) else input_array.shape
        self.input_array, self.output_array = input_array, output_array
        self._backward = self.kinds[0] in (C2C_BACKWARD, C2R)
        self._conjugate = conjugate
        more = {"threads": threads} if threads > 1 else {}
        self._plan = _Plan(MPI.COMM_SELF, shape, names, dtype=input_array.dtype, scaling="none", **more)
        self._factor = get_normalization(self.kinds, shape, axes) if len(kinds) == len(axes) else \
            1.0 / float(np.prod([shape[axis] for axis in axes]))

    def get_normalization(self) -> float:
        """Get the factor that normalize=True multiplies by."""
        return self._factor

    def __call__(self, input_array: Optional[np.ndarray] = None, output_array: Optional[np.ndarray] = None,
                 implicit: bool = True, normalize: bool = False, **kw: Any) -> np.ndarray:
        if input_array is not None:
            self.input_array[...] = input_array
        source = self.input_array.conj() if self._conjugate and self._backward else self.input_array
        (self._plan.backward if self._backward else self._plan.forward)(np.ascontiguousarray(source), self.output_array)
        if self._conjugate and not self._backward:
            np.conjugate(self.output_array, self.output_array)
        if normalize:
            self.output_array *= self._factor
        if output_array is not None:
            output_array[...] = self.output_array
            return output_array
        return self.output_array


def get_planned_FFT(input_array: np.ndarray, output_array: np.ndarray, axes: Sequence[int] = (-1,),
                    kind: Any = FFTW_FORWARD, threads: int = 1, flags: Any = (), normalization: float = 1.0) -> Planned:
    """Plan a transform between two arrays. kind is one kind for all axes, or a list with a kind per axis."""
    kinds = [kind] * len(axes) if np.ndim(kind) == 0 else list(kind)
    return Planned(input_array, output_array, axes, kinds, threads)


def _shape_of_output(array: np.ndarray, kind: int, s: Any, axes: Sequence[int]) -> tuple[tuple[int, ...], np.dtype]:
    shape, axis = list(array.shape), axes[-1]
    if kind == R2C:
        shape[axis] = shape[axis] // 2 + 1
        return tuple(shape), np.dtype(array.dtype.char.upper())
    if kind == C2R:
        shape[axis] = int(s[-1]) if s is not None else 2 * (shape[axis] - 1)
        return tuple(shape), np.dtype(array.dtype.char.lower())
    return tuple(shape), array.dtype


def _plan(kind: int, input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), threads: int = 1,
          flags: Any = (), output_array: Optional[np.ndarray] = None, conjugate: bool = False) -> Planned:
    shape, dtype = _shape_of_output(input_array, kind, s, axes)
    if output_array is None:
        output_array = aligned(shape, dtype=dtype, fill=0)
    if (output_array.shape, output_array.dtype) != (shape, dtype):
        raise ValueError(f"the output has shape {shape} and elements of {dtype}")
    return Planned(input_array, output_array, axes, [kind] * len(axes), threads, conjugate)


def fftn(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), threads: int = 1, flags: Any = (),
         output_array: Optional[np.ndarray] = None) -> Planned:
    """Plan a complex transform forward."""
    return _plan(C2C_FORWARD, input_array, s, axes, threads, flags, output_array)


def ifftn(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), threads: int = 1, flags: Any = (),
          output_array: Optional[np.ndarray] = None) -> Planned:
    """Plan a complex transform backward."""
    return _plan(C2C_BACKWARD, input_array, s, axes, threads, flags, output_array)


def rfftn(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), threads: int = 1, flags: Any = (),
          output_array: Optional[np.ndarray] = None) -> Planned:
    """Plan a transform of real numbers forward."""
    return _plan(R2C, input_array, s, axes, threads, flags, output_array)


def irfftn(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), threads: int = 1, flags: Any = (),
           output_array: Optional[np.ndarray] = None) -> Planned:
    """Plan a transform to real numbers backward."""
    return _plan(C2R, input_array, s, axes, threads, flags, output_array)


def hfftn(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), threads: int = 1, flags: Any = (),
          output_array: Optional[np.ndarray] = None) -> Planned:
    """Plan a transform of Hermitian data to real numbers forward."""
    return _plan(C2R, input_array, s, axes, threads, flags, output_array, True)


def ihfftn(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), threads: int = 1, flags: Any = (),
           output_array: Optional[np.ndarray] = None) -> Planned:
    """Plan a transform of real numbers to Hermitian data backward."""
    return _plan(R2C, input_array, s, axes, threads, flags, output_array, True)


_COSINES = {1: FFTW_REDFT00, 2: FFTW_REDFT10, 3: FFTW_REDFT01, 4: FFTW_REDFT11}
_SINES = {1: FFTW_RODFT00, 2: FFTW_RODFT10, 3: FFTW_RODFT01, 4: FFTW_RODFT11}


def _real(table: dict[int, int], is_inverse: bool, input_array: np.ndarray, s: Any, axes: Sequence[int], kind: int,
          threads: int, output_array: Optional[np.ndarray]) -> Planned:
    number = inverse[table[kind]] if is_inverse else table[kind]
    return _plan(number, input_array, s, axes, threads, (), output_array)


def dctn(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), type: int = 2, threads: int = 1,
         flags: Any = (), output_array: Optional[np.ndarray] = None) -> Planned:
    """Plan a cosine transform."""
    return _real(_COSINES, False, input_array, s, axes, type, threads, output_array)


def idctn(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), type: int = 2, threads: int = 1,
          flags: Any = (), output_array: Optional[np.ndarray] = None) -> Planned:
    """Plan the inverse of a cosine transform."""
    return _real(_COSINES, True, input_array, s, axes, type, threads, output_array)


def dstn(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), type: int = 2, threads: int = 1,
         flags: Any = (), output_array: Optional[np.ndarray] = None) -> Planned:
    """Plan a sine transform."""
    return _real(_SINES, False, input_array, s, axes, type, threads, output_array)


def idstn(input_array: np.ndarray, s: Any = None, axes: Sequence[int] = (-1,), type: int = 2, threads: int = 1,
          flags: Any = (), output_array: Optional[np.ndarray] = None) -> Planned:
    """Plan the inverse of a sine transform."""
    return _real(_SINES, True, input_array, s, axes, type, threads, output_array)


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
