"""The C libraries: where they are, and whether they use the MPI that mpi4py uses.

If the environment variable SUBX_LIBDIR is set, they are looked for in that folder only. Else the places are, in this order:
inside the package lib/<name of the MPI library>, such as lib/libmpi.so.40, and lib; the folder that was named when the package
was installed; the places where the system's loader looks.
"""
from __future__ import annotations

import ctypes
import glob
import os
import re
from typing import Optional

from mpi4py import MPI

# The names under which the loader knows libraries of the version of this package.
SONAMES = {"subx": "libsubx.so.6", "subx_fft": "libsubx_fft.so.4", "subx_io": "libsubx_io.so.0"}


def _file_at(address: int) -> Optional[str]:
    """Get the file that is mapped at an address."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            for line in maps:
                fields = line.split(maxsplit=5)
                low, high = (int(end, 16) for end in fields[0].split("-"))
                if low <= address < high:
                    return fields[5].strip() if len(fields) == 6 else None
    except OSError:
        pass
    return None


def _mpi_of(library: ctypes.CDLL) -> int:
    """Get the address of a function of the MPI that a library calls."""
    try:
        return ctypes.cast(library.MPI_Initialized, ctypes.c_void_p).value or 0
    except AttributeError:
        return 0


def mpi_file() -> Optional[str]:
    """Get the path of mpi4py's MPI library; None if /proc does not tell it."""
    return _file_at(_mpi_of(ctypes.CDLL(MPI.__file__)))


def _folders() -> list[str]:
    """Get the folders to look in. An empty name stands for the places where the system's loader looks."""
    named = os.environ.get("SUBX_LIBDIR")
    if named:
        return [named]
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
    folders = []
    library = mpi_file()
    if library:
        # libmpi.so.40.30.4 has the binary interface libmpi.so.40; libmpich.so.12 is the same as libmpi.so.12.
        name = re.sub(r"^(lib\w+\.so\.\d+).*", r"\1", os.path.basename(library)).replace("libmpich.so", "libmpi.so")
        folders.append(os.path.join(inside, name))
    folders.append(inside)
    try:
        from ._installed import LIBDIR

        folders.append(LIBDIR)
    except ImportError:
        pass
    return [folder for folder in folders if os.path.isdir(folder)] + [""]


def _path(folder: str, soname: str) -> Optional[str]:
    if not folder:
        return soname
    found = sorted(glob.glob(os.path.join(folder, soname + "*")))
    return found[0] if found else None


def _open(name: str) -> ctypes.CDLL:
    soname, folders = SONAMES[name], _folders()
    tried = []
    for folder in folders:
        path = _path(folder, soname)
        try:
            if path:
                return ctypes.CDLL(path)
            tried.append(f"{folder} has no {soname}")
        except OSError as error:
            tried.append(str(error))
            if folder:
                break
    kinds = sorted(os.path.basename(p) for p in glob.glob(os.path.join(os.path.dirname(__file__), "lib", "*.so.*")))
    also = f" The package has builds for {' and '.join(kinds)}; mpi4py uses {mpi_file()}." if kinds else ""
    raise ImportError(f"subarray_x: its C libraries cannot be loaded: {'; '.join(tried)}.{also} "
                      "The variable SUBX_LIBDIR may name their folder.")


def _check_mpi(library: ctypes.CDLL) -> None:
    ours, theirs = _mpi_of(library), _mpi_of(ctypes.CDLL(MPI.__file__))
    if ours and theirs and ours != theirs:
        raise ImportError(
            f"subarray_x: two MPI libraries are in this process: {library._name} was built for "
            f"{_file_at(ours) or 'another MPI'}, and mpi4py has loaded {_file_at(theirs) or 'its own'}. "
            "Use an mpi4py of the same MPI, or install subarray_x again where this mpi4py is.")


def _check_version(library: ctypes.CDLL, version: str) -> None:
    parts = [ctypes.c_int() for _ in range(3)]
    library.subx_version_get(*map(ctypes.byref, parts))
    found = ".".join(str(p.value) for p in parts)
    if found != version:
        raise ImportError(f"subarray_x: this package is of version {version}, and {library._name} of version {found}")


def load(name: str, version: str) -> ctypes.CDLL:
    """Load a library. subx must be loaded first, because the other libraries need it."""
    library = _open(name)
    if name == "subx":
        _check_mpi(library)
        _check_version(library, version)
    return library
