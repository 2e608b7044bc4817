"""FFT: a transform on one rank, as in mpi4py_fft.libfft."""
from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
from mpi4py import MPI

from .fftw import different_axes
from .mpifft import _PlanTransform, make_plan


class FFT:
    """A transform along some axes of an array that one rank has. forward and backward are called as in a PFFT.

    >>> from subarray_x.mpi4py_fft.libfft import FFT
    >>> fft = FFT((4, 6))
    >>> u = np.arange(24.0).reshape(4, 6)
    >>> bool(np.allclose(fft.forward(u), np.fft.rfftn(u) / 24))
    True
    """

    def __init__(self, shape: Any, axes: Any = None, dtype: Any = float, padding: Any = False, backend: str = "fftw",
                 transforms: Optional[dict[Any, Any]] = None, **kw: Any):
        shape = [int(n) for n in (shape if np.ndim(shape) else [shape])]
        self.axes: Sequence[int] = different_axes(range(len(shape)) if axes is None else axes, len(shape))
        factors = [1.0] * len(shape)
        for axis in self.axes:
            factors[axis] = float(padding[axis] if np.ndim(padding) else padding or 1.0)
        modes = [int(round(n / f)) for n, f in zip(shape, factors)]
        self.shape, self.dtype, self.padding_factor = shape, np.dtype(dtype), factors[self.axes[-1]]
        plans, _ = make_plan(MPI.COMM_SELF, shape, modes, [tuple(self.axes)], self.dtype, transforms, (None, None))
        self.forward, self.backward = _PlanTransform.pair(plans, (None, None))
        self.M = 1.0 / plans.factor
