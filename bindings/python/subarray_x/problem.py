"""Problems: what is transformed, and how both sides are stored."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _raw
from ._arguments import encoded, exactly, integer, integers, text
from ._lifetime import Local
from .exchange import Boxes

Axes = Sequence[int]
_PRECISIONS = {np.dtype("f4"): "f32", np.dtype("f8"): "f64", np.dtype("g"): "long"}
_REALS = {_raw.SUBX_FFT_FLOAT: "f4", _raw.SUBX_FFT_DOUBLE: "f8", _raw.SUBX_FFT_LONG_DOUBLE: "g"}


def _precision(dtype: Any) -> str:
    real = np.empty(0, dtype).real.dtype
    if real not in _PRECISIONS:
        raise TypeError(f"transforms have elements of float, double or long double, not of {np.dtype(dtype)}")
    return _PRECISIONS[real]


def _write_text(sizes: Axes, kind: Any, dtype: Any, modes: Optional[Axes], points: Optional[Axes], fields: int,
                interleaved: bool, options: list[str]) -> str:
    """Get the text of a problem; subx_fft.h has its grammar."""
    try:
        kinds = kind if isinstance(kind, str) else ",".join(kind)
    except TypeError:
        raise TypeError(f"kind is a word such as \"r2c\", or a list with a word per axis, not {kind!r}; dtype is the type of "
                        "elements") from None
    lists = [sizes] if modes is None and points is None else [modes or sizes, sizes] + ([points] if points else [])
    lengths = ">".join("x".join(map(str, each)) for each in lists)
    before, behind = (f"{fields}*", "") if fields > 1 and not interleaved else ("", f"*{fields}" if fields > 1 else "")
    return f"{before}{kinds}.{_precision(dtype)}:{lengths}{behind}" + "".join("/" + option for option in options)


class Problem(Local):
    """What is transformed, and how both sides are stored. str() of a problem is its text, in the grammar of subx_fft.h.

    sizes are the lengths of the transforms, or the problem's text. kind is "c2c", "r2c", "dct2" and so on for all axes (here
    "r2c" is r2c for the last axis, c2c for the others), or a list with a kind per axis, "-" for none.
    dtype is a NumPy type of the precision. modes and points are lists with an entry per axis: how many modes are kept on
    the spectral side, counted before halving, and how many points exist on the physical side. `fields` is the number of arrays
    that are transformed together. An order lists axes, innermost first. blocks are lengths of blocks per axis, 0 for balanced
    blocks. padded stores the axis of r2c as FFTW does for transforms in place. operation=True lets plans have operations on
    spectra.

    >>> import subarray_x as subx
    >>> print(subx.Problem((96, 96), "c2c", modes=(64, 64)))
    c2c:64x64>96x96
    >>> print(subx.Problem((64, 48, 40), ["dct2", "-", "r2c"], dtype="f4", spectral_order=(1, 0, 2)))
    dct2,-,r2c.f32:64x48x40/spectral-order=1,0,2
    """

    def __init__(self, sizes: Union[str, Axes], kind: Any = "c2c", *, dtype: Any = float, modes: Optional[Axes] = None,
                 points: Optional[Axes] = None, fields: int = 1, interleaved: bool = False, padded: bool = False,
                 physical_order: Optional[Axes] = None, spectral_order: Optional[Axes] = None,
                 physical_blocks: Optional[Axes] = None, spectral_blocks: Optional[Axes] = None,
                 physical_boxes: Optional[Boxes] = None, spectral_boxes: Optional[Boxes] = None, operation: bool = False):
        if not isinstance(sizes, str):
            sizes = integers("sizes", sizes)
            fields = integer("fields", fields, 1)
            exactly(len(sizes), modes=modes, points=points, physical_order=physical_order, spectral_order=spectral_order,
                    physical_blocks=physical_blocks, spectral_blocks=spectral_blocks)
            options = ["padded"] if padded else []
            for side, order, blocks in (("physical", physical_order, physical_blocks),
                                        ("spectral", spectral_order, spectral_blocks)):
                options += [side + "-order=" + ",".join(map(str, order))] if order is not None else []
                options += [side + "-block=" + "x".join(map(str, blocks))] if blocks is not None else []
            options += ["operation"] if operation else []
            sizes = _write_text(sizes, kind, dtype, modes, points, fields, interleaved, options)
        words = sizes
        super().__init__(lambda out: _raw.subx_fft_problem_parse(encoded("the problem", words), out),
                         _raw.subx_fft_problem_free)
        self.boxes = (physical_boxes, spectral_boxes)
        for side, boxes in enumerate(self.boxes):
            if not isinstance(boxes, (Boxes, type(None))):
                raise TypeError(f"{('physical', 'spectral')[side]}_boxes are Boxes, not {boxes!r}")
            if boxes is not None:
                _raw.subx_fft_problem_set_boxes(self._pointer, side, boxes._pointer, 0)

    def __str__(self) -> str:
        return text(_raw.subx_fft_problem_print, self._pointer) if self._pointer.value else repr(self)

    def __repr__(self) -> str:
        return f"Problem({str(self)!r})" if self._pointer.value else "<Problem, freed>"


class _Axes(NamedTuple):
    """The properties of a plan's problem, per axis and for all fields."""
    kinds: tuple[int, ...]
    modes: tuple[int, ...]  # of the spectral array
    points: tuple[int, ...]
    fields: int
    interleaved: bool
    real: str  # NumPy's name of a real number of this precision


def _read(pointer: Any) -> _Axes:
    ndims, room = ctypes.c_int(), _raw.SUBX_NDIMS_MAX
    kinds, lists = (ctypes.c_int * room)(), [(ctypes.c_ssize_t * room)() for _ in range(3)]
    _raw.subx_fft_problem_get(pointer, ndims, kinds, *lists)
    precision, fields, interleaved = ctypes.c_int(), ctypes.c_ssize_t(), ctypes.c_int()
    _raw.subx_fft_problem_get_precision(pointer, precision)
    _raw.subx_fft_problem_get_batch(pointer, fields, interleaved)
    if precision.value not in _REALS:
        raise TypeError("NumPy has no elements of quad precision")
    n = ndims.value
    modes = [m // 2 + 1 if kinds[a] == _raw.SUBX_FFT_R2C else m for a, m in enumerate(list(lists[1])[:n])]
    return _Axes(tuple(kinds)[:n], tuple(modes), tuple(lists[2])[:n], fields.value, bool(interleaved.value),
                 _REALS[precision.value])
