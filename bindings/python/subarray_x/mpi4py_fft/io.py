"""Files of distributed arrays: HDF5 with a dataset per step, NAME/3D/STEP, as mpi4py-fft has it."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..arrays import Array, Distribution
from ..files import read, write


def _distributed(array: Any) -> Array:
    """Get a view of a DistArray as an Array. The axes of a tensor are whole."""
    pencil, rank = array.pencil, array.rank
    d = Distribution(pencil.parent, array.global_shape, start=array.substart, shape=array.shape)
    if not array.flags.c_contiguous:
        raise ValueError("arrays of files are contiguous")
    return Array(d, array.dtype, array.v.reshape(-1).view(np.uint8)) if rank >= 0 and array.size else d.empty(array.dtype)


class HDF5File:
    """An HDF5 file of steps. Whole arrays are written and read."""

    def __init__(self, h5name: str, domain: Any = None, mode: str = "a", **kw: Any):
        self.filename, self._mode = h5name, mode

    @staticmethod
    def backend() -> str:
        return "hdf5"

    def _name(self, array: Any, name: str, step: int) -> str:
        return f"{name}/{array.dimensions}D{'_Vector' if array.rank else ''}/{step}"

    def write(self, step: int, fields: dict[str, Any], **kw: Any) -> None:
        """Write arrays by name, each in a list. Collective."""
        for name, arrays in fields.items():
            for array in arrays if isinstance(arrays, (list, tuple)) else [arrays]:
                if isinstance(array, (list, tuple)):
                    raise NotImplementedError("slices of arrays are not written: DistArray.get gives them to rank 0")
                array.pencil.parent.Barrier()
                keep = self._mode != "w" and os.path.exists(self.filename)
                keep = array.pencil.parent.bcast(keep)
                write(self.filename, _distributed(array), dataset=self._name(array, name, step), format="hdf5", keep=keep)
                self._mode = "a"

    def read(self, u: Any, name: str, step: int = 0, **kw: Any) -> None:
        """Read an array. Collective."""
        read(self.filename, _distributed(u), dataset=self._name(u, name, step), format="hdf5")


def NCFile(*args: Any, **kw: Any) -> Any:
    """NetCDF files are not written here."""
    raise NotImplementedError("subarray_x writes HDF5, .npy and raw files, not NetCDF")


def generate_xdmf(*args: Any, **kw: Any) -> Any:
    """Descriptions of HDF5 files for viewers are not written here."""
    raise NotImplementedError("subarray_x does not write XDMF")
