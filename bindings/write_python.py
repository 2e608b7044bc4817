"""write_python.py - write the raw layer of the Python package: constants, and a ctypes prototype per function."""
import textwrap

import headers

PATH = "bindings/python/subarray_x/_raw.py"
HEAD = '''\
"""The functions and constants of the C libraries, as they are in the headers, for ctypes.

Written by bindings/generate.py from the public headers; changes here are lost. A function whose result in C is an error
raises _error.Error. Pointers to data are addresses or ctypes objects. Handles are addresses. Handles of MPI are ctypes
objects, which _mpi.handle makes from objects of mpi4py.
"""
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_size_t, c_ssize_t, c_void_p

from ._error import check as _check
from ._library import load as _load
from ._mpi import MPI_Aint, MPI_Comm, MPI_Count, MPI_Datatype, MPI_Info


def _declare(function, *argtypes):
    function.argtypes = argtypes
    function.restype = c_int
    return function


def _checked(function, *argtypes):
    function.errcheck = _check
    return _declare(function, *argtypes)

'''
BASES = {"int": "c_int", "ptrdiff_t": "c_ssize_t", "size_t": "c_size_t", "double": "c_double", "void": "c_void_p"}
MPI_TYPES = {"MPI_Comm", "MPI_Info", "MPI_Datatype", "MPI_Count", "MPI_Aint"}


def spell(p, handles):
    """Get the ctypes type of a parameter."""
    levels = p.stars + p.is_array
    if p.base == "char":
        name, levels = "c_char_p", levels - 1
    elif p.base == "void":
        name, levels = "c_void_p", levels - 1
    elif p.base in handles:
        name = "c_void_p"
    elif p.base in MPI_TYPES or p.base.endswith("_function"):
        name = p.base
    else:
        name = BASES[p.base]
    return "POINTER(" * levels + name + ")" * levels


def wrap(line):
    return textwrap.fill(line, 120, subsequent_indent=" " * (line.index("(") + 1), break_long_words=False)


def write_constants(header):
    lines = [f"{c.name} = {c.value}" for c in header.select(headers.Constant)]
    for enum in header.select(headers.Enum):
        lines += [f"{e.name} = {e.value}" for e in enum.enumerators]
    return lines


def write_header(header, handles):
    lines = ["", f"# {header.name}: {header.title}"] + write_constants(header)
    for callback in header.select(headers.Callback):
        types = ", ".join(["None"] + [spell(p, handles) for p in callback.parameters])
        lines.append(wrap(f"{callback.name} = CFUNCTYPE({types})"))
    for f in header.select(headers.Function):
        types = "".join(", " + spell(p, handles) for p in f.parameters)
        declare = "_checked" if f.returns_code else "_declare"
        lines.append(wrap(f"{f.name} = {declare}(_{f.library}.{f.name}{types})"))
    return lines


def files(model):
    handles = {h.name for h in model.select(headers.Handle)}
    libraries = sorted({h.library for h in model.headers})
    lines = [f'VERSION = "{model.version}"']
    lines += [f'_{library} = _load("{library}", VERSION)' for library in libraries]
    for header in model.headers:
        lines += write_header(header, handles)
    return {PATH: HEAD + "\n" + "\n".join(lines) + "\n"}
